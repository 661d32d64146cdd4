"""Wrong programs that no tree is chosen by, and which of them a set lets through."""
