"""What the kit is built of: traces, tree files, the judge, drawings and sentences."""
