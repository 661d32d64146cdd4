"""Real pages in a real browser: headless Chromium, driven by Playwright."""

import pytest

from pages.engine import visit
from pages.pictures import FLAGS, find_browser

BAD, LOCAL = ("error", "warning"), ("file:", "data:", "about:")
WIDE = {"width": 1280, "height": 800}


@pytest.fixture(scope="package")
def browser():
    """One headless Chromium for all the tests of this folder; $CHROMIUM names another."""
    driver = pytest.importorskip(
        "playwright.sync_api", reason="pages are not tested: pip install playwright"
    )
    path = find_browser()
    if path is None:
        pytest.skip("pages are not tested: no Chromium here (apt-get install chromium)")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def pages():
    """The pages that were opened so far, by their options, and what they complain of."""
    return {"complaints": []}


@pytest.fixture
def open_page(browser, pages):
    """A function that opens an offline page; an error or request fails the test.

    Its keyword arguments are those of Playwright's `new_context`, such as
    `viewport` and `color_scheme`. The same arguments give the same page again, which
    costs a tenth of a new one: begin a test by going somewhere.
    """

    def note(bad, text):
        if bad:
            pages["complaints"].append(text)

    def opening(**options):
        settings = {"viewport": WIDE, "reduced_motion": "reduce", **options}
        key = repr(sorted(settings.items()))
        if key not in pages:
            context = browser.new_context(offline=True, **settings)
            context.set_default_timeout(20_000)  # for a busy machine
            pages[key] = page = context.new_page()
            page.on("console", lambda message: note(message.type in BAD, message.text))
            page.on("pageerror", lambda error: note(True, f"uncaught {error}"))
            page.on("request", lambda r: note(not r.url.startswith(LOCAL), r.url))
        return pages[key]

    yield opening
    noted, pages["complaints"] = pages["complaints"], []
    assert not noted


@pytest.fixture
def page(open_page):
    """One offline page of 1280 by 800 pixels, light, without motion."""
    return open_page()


@pytest.fixture
def practice(page):
    """The practice page, opened with the textbook tree."""
    return visit(page)
