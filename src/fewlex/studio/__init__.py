"""The local page: see what a run says and why, correct it, teach it, evaluate it and train another.

What the page asks of a run goes through the routes of `fewlex.serve`. This package adds what only the page needs: its
own files, the folder of runs, dropped files, and trainings.
"""
