"""python3 site_links.py SITE: every link of a built site leads to a file that is there, and to a place on its page that is there."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.places, self.links = set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.places.add(known.get("id"))
        self.links += [known[key] for key in ("href", "src") if known.get(key)]


site = Path(sys.argv[1]).resolve()
pages = {path: Page(path) for path in site.glob("**/*.html")}
count, failed = 0, 0
for path, page in pages.items():
    for link in page.links:
        if re.match(r"(https?|data|mailto):", link):
            continue
        count += 1
        target, _, place = link.partition("#")
        found = (path.parent / unquote(target.partition("?")[0])).resolve() if target else path
        wrong = not found.exists() or (place and found in pages and unquote(place) not in pages[found].places)
        if wrong:
            print(f"FAILED: {path.relative_to(site)} links to {link}, which is not there")
            failed += 1
if len(pages) < 60 or count < 5000:
    print(f"FAILED: only {len(pages)} pages with {count} links were found")
    failed += 1
print(f"{len(pages)} pages, {count} links: {failed} are dead")
sys.exit(1 if failed else 0)
