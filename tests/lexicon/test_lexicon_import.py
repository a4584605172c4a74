from __future__ import annotations

import subprocess
import sys


def test_the_lexicon_package_loads_nothing_heavy() -> None:
    code = "import sys, fewlex.lexicon; print(*{'torch', 'numpy', 'matplotlib', 'rich'} & sys.modules.keys())"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert loaded.split() == []
