"""`python -m fewlex` is the command `fewlex`."""

from fewlex.cli import main

if __name__ == "__main__":
    main()
