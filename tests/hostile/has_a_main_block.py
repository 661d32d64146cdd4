"""Has a `__main__` block that asks for input and never ends.

Expect: score 100
"""
# @HONEST@

if __name__ == "__main__":
    while True:
        input("play? ")
