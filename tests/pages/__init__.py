"""Tests of pages in a browser: a package, so that the browser closes with its last test."""
