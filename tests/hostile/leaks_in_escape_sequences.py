"""Prints and raises control characters that would rewrite a terminal or a page.

Expect: score 80
Expect: says "it raised ValueError: ?[2J"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    print("\x1b]0;owned\x07\x1b[2J<script>alert(1)</script>\u202e\x00\ud800")
    raise ValueError("\x1b[2J\r\x08\x00\u202e\u2028<b>bold</b>\ud800")
