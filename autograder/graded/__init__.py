"""The Gradescope test cases, and the results that gradescope-utils makes of them."""
