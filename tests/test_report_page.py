"""The page of a report in a real browser: it fits the window, its pictures are there, and it asks no network for anything."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from bloodrage_sim.reports.sections import SECTIONS
from click.testing import CliRunner
from seesaw import write_seesaw

from bloodrage_sim.cli import main

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--virtual-time-budget=10000", "--dump-dom",
)  # fmt: skip
# the page measures itself within a frame of the width that is asked for, and tells the frame's parent
MEASURE = """<script>
const refused = [];
document.addEventListener("securitypolicyviolation", (event) => refused.push(event.blockedURI));
addEventListener("load", () => {
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
  parent.postMessage({
    refused,
    width: innerWidth,
    needed: document.documentElement.scrollWidth,
    pictures: document.images.length,
    missing: [...document.images].filter((one) => one.naturalWidth === 0).length,
    loaded: performance.getEntriesByType("resource").map((one) => one.name).filter((name) => !name.startsWith("data:")),
    contents: [...document.querySelectorAll("nav a")].map((one) => !!document.querySelector(one.getAttribute("href"))),
  }, "*");
});
</script>"""
FRAME = """<!doctype html><body><iframe src="page.html" style="width:{width}px;height:800px;border:0"></iframe><script>
addEventListener("message", (event) => {{ document.body.setAttribute("data-found", JSON.stringify(event.data)); }});
</script></body>"""


@pytest.fixture(scope="module")
def browser() -> str:
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed (Debian: apt-get install chromium)")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with long names of strategies, which must not widen it."""
    folder = tmp_path_factory.mktemp("page")
    write_seesaw(folder / "run", ("axe", "./" + "a_long_way_to_a_strategy/" * 6 + "quill.py"))
    result = CliRunner().invoke(main, ["report", str(folder / "run"), "--out", str(folder / "report")])
    assert result.exit_code == 0, result.output
    text = (folder / "report" / "report.html").read_text()
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
    assert policy in text
    text = text.replace(policy, f"{policy}; script-src 'unsafe-inline'")  # for the script that measures, and only for it
    (folder / "page.html").write_text(text.replace("<title>", f"{MEASURE}<title>", 1))
    return folder / "page.html"


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_in_a_browser(browser, page, tmp_path, width):
    frame = page.with_name(f"frame-{width}.html")
    frame.write_text(FRAME.format(width=width))
    command = [browser, *FLAGS, f"--user-data-dir={tmp_path}", f"--window-size={max(width, 500)},900", frame.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=True)
    told = re.search(r'data-found="([^"]*)"', done.stdout)
    assert told, done.stdout[-2000:] + done.stderr[-2000:]
    found = json.loads(html.unescape(told[1]))
    assert found["width"] == width
    assert found["needed"] <= width, "the page scrolls sideways"
    assert found["pictures"] == page.read_text().count("data:image/svg+xml") >= 7
    assert found["missing"] == 0
    assert found["loaded"] == found["refused"] == []
    assert all(found["contents"])
    assert len(found["contents"]) == len(SECTIONS)
