"""The parts that serve the kit: traces, tree files, the judge, drawings, sentences."""
