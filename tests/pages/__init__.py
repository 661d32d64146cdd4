"""Tests of pages in a browser. As a package, they share one browser."""
