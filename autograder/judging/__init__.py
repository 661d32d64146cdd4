"""Judge traces: a Trace and the reference's Trace make a verdict of Findings."""
