"""What grading costs, beside other ways to grade: `make bench`, or `python -m bench`.

`samples` measures processes; `gradings` and `peers` say which; `probes` and `shares`
measure from inside, each in a process of its own; `report` makes the tables.
"""
