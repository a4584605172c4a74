"""What fewlex sees in data before anything is trained: counts, oddities, and what to do next. Needs no torch."""

from fewlex.survey.looking import Survey, look_at
from fewlex.survey.text import survey_text

__all__ = ["Survey", "look_at", "survey_text"]
