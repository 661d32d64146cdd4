"""Read the tags, attributes and texts of an HTML page."""

from html.parser import HTMLParser

VOID = {"meta", "link", "input", "img", "br"}  # tags without an end tag


class Reader(HTMLParser):
    """Collects the content of a page, and checks its form.

    Tags are closed in order, ids are unique, and nothing is loaded from the web.

    attributes: (tag, name, value) of each attribute.
    texts: the texts between tags.
    """

    def __init__(self, html):
        super().__init__()
        self.open_tags = []
        self.tags = []
        self.attributes = []
        self.texts = []
        self.feed(html)
        assert self.open_tags == []
        ids = self.values_of("id")
        assert len(set(ids)) == len(ids)
        assert [url for url in self.values_of("href", "src") if "://" in url] == []

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open_tags.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open_tags.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    def values_of(self, *names):
        """Return the values of all attributes with one of these names."""
        return [value for _, name, value in self.attributes if name in names]
