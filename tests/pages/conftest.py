"""Fixtures that open pages in headless Chromium, driven by Playwright."""

import os
import shutil

import pytest

from pages.engine import visit

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
BAD, LOCAL = ("error", "warning"), ("file:", "data:", "about:")
WIDE = {"width": 1280, "height": 800}


@pytest.fixture(scope="package")
def browser():
    """Start one headless Chromium, or $CHROMIUM, for all tests of this folder."""
    driver = pytest.importorskip(
        "playwright.sync_api", reason="pages are not tested: pip install playwright"
    )
    found = filter(None, map(shutil.which, BROWSERS))
    path = os.environ.get("CHROMIUM") or next(found, None)
    if path is None:
        pytest.skip("pages are not tested: no Chromium here (apt-get install chromium)")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def pages():
    """Return the open pages, by their options, and the complaints of all pages."""
    return {"complaints": []}


@pytest.fixture
def open_page(browser, pages):
    """Return a function that opens an offline page. An error or request fails the test.

    Its keyword arguments are those of Playwright's `new_context`, such as `viewport` and
    `color_scheme`. The same arguments return the same page, which is ten times faster than
    a new page. So each test must first load its own address.
    """

    def note(bad, text):
        if bad:
            pages["complaints"].append(text)

    def open_with(**options):
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

    yield open_with
    complaints, pages["complaints"] = pages["complaints"], []
    assert not complaints


@pytest.fixture
def page(open_page):
    """Return an offline page of 1280 by 800 pixels, in light mode and without motion."""
    return open_page()


@pytest.fixture
def practice(page):
    """Return the practice page with the textbook tree."""
    return visit(page)
