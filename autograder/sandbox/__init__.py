"""Run one search on one tree and return what was observed: a Trace."""
