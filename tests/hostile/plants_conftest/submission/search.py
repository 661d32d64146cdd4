"""No search at all."""
