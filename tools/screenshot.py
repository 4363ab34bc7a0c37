"""Draw docs/assets/report.png: the beginning of the page about the AVE 2007 Spanish runs.

`python -m tools.screenshot [CHROMIUM]` needs playwright (`pip install playwright`) and a Chromium
(by default /usr/bin/chromium); with Pillow, the file has a third of its size.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from ave_score.commands import run
from tools.own import ROOT

DRAWN = ROOT / "docs" / "assets" / "report.png"
COLOURS = 32
WIDTH, SCALE = 1000, 1.6
_MARGIN = 24
"""Pixels below the figure that ends the screenshot."""


def arguments(output: Path) -> list[str]:
    """Return the arguments of the command that writes the page."""
    gold = ROOT / "gold"
    runs = sorted(map(str, (ROOT / "sample_runs" / "ave2007-es").glob("*.txt")))
    options = ["--qa", f"{gold}/ave2007-es.qa.tsv", "--teams", f"{gold}/ave2007-es.teams.tsv"]
    options += ["--compare", "qa_accuracy", "--title", "AVE 2007, Spanish"]
    return ["report", f"{gold}/ave2007-es.xml", *runs, *options, "-o", str(output)]


def draw(page: Path, image: Path, chromium: str) -> None:
    """Write the page as far as its first figure as an image."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        shown = browser.new_page(
            viewport={"width": WIDTH, "height": 1200}, device_scale_factor=SCALE
        )
        shown.goto(page.as_uri())
        box = shown.locator("#ranking figure").first.bounding_box()
        assert box is not None
        height = box["y"] + box["height"] + _MARGIN
        shown.set_viewport_size({"width": WIDTH, "height": round(height)})
        shown.screenshot(path=image)
        browser.close()


def shrink(image: Path) -> None:
    """Write an image with few colours, if Pillow is installed."""
    with suppress(ModuleNotFoundError):
        from PIL import Image

        drawn = Image.open(image).convert("RGB")
        way, dither = Image.Quantize.MAXCOVERAGE, Image.Dither.NONE  # keeps rare colours
        drawn.quantize(COLOURS, way, dither=dither).save(image, optimize=True)


def main() -> int:
    """Draw the image; return the exit code."""
    chromium = sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium"
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        code = run(arguments(page))
        if code == 0:
            draw(page, DRAWN, chromium)
            shrink(DRAWN)
            print(f"{DRAWN.relative_to(ROOT)}: {DRAWN.stat().st_size:,} bytes")
    return code


if __name__ == "__main__":
    sys.exit(main())
