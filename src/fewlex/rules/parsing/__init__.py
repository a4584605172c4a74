"""Rules at work: the chart of a sentence, its best derivation, and what that yields."""
