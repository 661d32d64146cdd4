"""Programs that the kit trusts: the known mistakes, run and compared."""
