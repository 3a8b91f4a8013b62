"""How soon a page is drawn, all of it loaded and its largest part painted, in a browser that was there before."""

from statistics import median

from tests.proofs.running import Figures, demand
from tests.proofs.site_browser import show, window
from tests.proofs.site_pages import Site, each

TIMES, MOST = 3, 1000  # views of a page after the first; milliseconds
DRAWN = "return Math.max(window.drawn, performance.getEntriesByType('navigation')[0].loadEventEnd)"


def speed(site: Site) -> Figures:
    """Milliseconds until each page was drawn: the median of three views, the first of all left out."""
    figures: Figures = {}
    with window() as driver:
        for name, address in each(site.pages):
            views = []
            for _ in range(TIMES + 1):
                show(driver, site.base + address)
                views.append(driver.execute_script(DRAWN))
            figures[name] = round(median(views[1:]))
    slow = {name: one for name, one in figures.items() if one >= MOST}
    demand(not slow, f"not drawn within {MOST} ms: {slow}", figures)
    return figures
