"""Small languages to measure the default with. Those of examples/ are scripts, which are found by a path."""

import sys
from pathlib import Path

LANGUAGES = str(Path(__file__).parents[2] / "examples" / "languages")
if LANGUAGES not in sys.path:
    sys.path.insert(0, LANGUAGES)
