"""What grading costs, and what trees and hints catch, held against bars: `make bench`.

`bars` has the limits; `samples` measures processes; `gradings` says which; `bare` is what
they are compared with, and `inside` what has to be measured or written in a process of
its own. `proofs` counts mutants and lines.
"""
