"""What grading costs, held against the bars of DESIGN.md, section 9: `make bench`.

`samples` measures processes; `gradings` says which; `bare` is what they are compared
with, and `inside` what has to be measured or written in a process of its own.
"""
