"""What grading costs, beside other ways to grade: `make bench`, or `python -m bench`.

`__main__` runs everything and prints the tables; `samples` measures processes and
`tables` prints. Each other module is one measurement, run in a process of its own.
"""
