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
def complaints():
    """Return the list of the errors and requests of the page."""
    return []


@pytest.fixture(scope="package")
def only_page(browser, complaints):
    """Return the offline page of all tests. New pages would take ten times longer."""

    def note(bad, text):
        if bad:
            complaints.append(text)

    context = browser.new_context(offline=True, reduced_motion="reduce")
    context.set_default_timeout(20_000)  # for a busy machine
    page = context.new_page()
    page.on("console", lambda message: note(message.type in BAD, message.text))
    page.on("pageerror", lambda error: note(True, f"uncaught {error}"))
    page.on("request", lambda r: note(not r.url.startswith(LOCAL), r.url))
    return page


@pytest.fixture
def open_page(only_page, complaints):
    """Return a function: a viewport and a color scheme -> the page with these settings.

    Each test must first load its own address. An error or a request fails the test.
    """

    def open_with(viewport=WIDE, color_scheme="light"):
        only_page.set_viewport_size(viewport)
        only_page.emulate_media(color_scheme=color_scheme)
        return only_page

    yield open_with
    found = complaints.copy()
    complaints.clear()
    assert found == []


@pytest.fixture
def page(open_page):
    """Return an offline page of 1280 by 800 pixels, in light mode and without motion."""
    return open_page()


@pytest.fixture
def practice(page):
    """Return the practice page with the textbook tree."""
    return visit(page)
