"""From templates to a rule book: rules are grown, counted, merged, checked and calibrated."""
