"""Real pages in a real browser: headless Chromium, driven by Playwright."""

import os
import shutil

import pytest

from pages.practice import visit

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
)
WIDE = {"width": 1280, "height": 800}


def installed_browser():
    """Return the path of a Chromium on this machine ($CHROMIUM names another), or None."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="package")
def browser():
    """One headless Chromium for all the tests of this folder."""
    driver = pytest.importorskip(
        "playwright.sync_api", reason="pages are not tested: pip install playwright"
    )
    path = installed_browser()
    if path is None:
        pytest.skip("pages are not tested: no Chromium here (apt-get install chromium)")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def opened(browser):
    """The pages that were opened so far, each with its complaints, by their options."""
    return {}


@pytest.fixture
def open_page(browser, opened):
    """A function that opens an offline page; an error or request fails the test.

    Its keyword arguments are those of Playwright's `new_context`, such as
    `viewport` and `color_scheme`. The same arguments give the same page again, which
    costs a tenth of a new one: begin a test by going somewhere.
    """

    def opening(**options):
        settings = {"viewport": WIDE, "reduced_motion": "reduce", **options}
        key = repr(sorted(settings.items()))
        if key not in opened:
            opened[key] = _new_page(browser, settings)
        return opened[key][0]

    yield opening
    noted = [complaint for _, complaints in opened.values() for complaint in complaints]
    for _, complaints in opened.values():
        complaints.clear()
    assert not noted


def _new_page(browser, settings):
    context = browser.new_context(offline=True, **settings)
    context.set_default_timeout(20_000)  # for a busy machine
    page, complaints = context.new_page(), []
    page.on("console", lambda message: _note_console(message, complaints))
    page.on("pageerror", lambda error: complaints.append(f"uncaught {error}"))
    page.on("request", lambda request: _note_request(request, complaints))
    return page, complaints


@pytest.fixture
def page(open_page):
    """One offline page of 1280 by 800 pixels, light, without motion."""
    return open_page()


def _note_console(message, complaints):
    if message.type in ("error", "warning"):
        complaints.append(f"console {message.type}: {message.text}")


def _note_request(request, complaints):
    if not request.url.startswith(("file:", "data:", "about:")):
        complaints.append(f"asked the network for {request.url}")


@pytest.fixture
def practice(page):
    """The practice page, opened with the textbook tree."""
    return visit(page)
