"""Measure the cost of grading and the quality of trees and hints: `make bench`.

`bars` contains the limits. `samples` measures processes, and `gradings` defines them.
`bare` is the autograder with which they are compared. `inside` contains the steps that need
a process of their own. `proofs` counts mutants and the lines of mistakes that are found.
`classes` generates a class, and `unseen` has programs that trees were not chosen to reveal.
"""
