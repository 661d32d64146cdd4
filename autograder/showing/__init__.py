"""Turn findings into what people read: text, SVG, pages."""
