"""What fewlex is put through before anybody is asked to trust it: kills, full disks, flipped bits, hostile input, load.

`python -m torture --minutes 10` runs every part for its share of the time and ends with exit code 1 if anything did not
hold. `make torture` runs it for an hour and writes the figures of docs/reliability.md.
"""
