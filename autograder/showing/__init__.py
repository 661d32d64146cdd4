"""Turn findings into text, drawings and pages."""
