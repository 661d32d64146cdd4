"""Has a `__main__` block that calls input() and never ends.

Expect: score 100
"""
# @HONEST@

if __name__ == "__main__":
    while True:
        input("play? ")
