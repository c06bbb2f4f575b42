"""Links between pages lead somewhere, sources and window name pages that exist, and docs/README.md lists every page."""

import pathlib
import re
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FOLDERS = ("app", "assets", "bench", "cmake", "docs", "engine", "kernels", "po", "scripts", "tests", "third_party", "viz", ".ci")
LINK = re.compile(r"\]\(([^()\s]+)\)")
PAGE = re.compile(r"(?<![\w/.-])(?:(?:docs|tests|third_party)/(?:[\w-]+/)*|guide/|internals/)[\w-]+\.md\b")
HELP = re.compile(r'"([\w-]+/[\w/-]*\.md|README\.md)"')


def files(*suffixes):
    """The repository's own, without what is built or fetched."""
    found = [path for path in ROOT.iterdir() if path.is_file()]
    found += [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(path for path in found if path.suffix in suffixes)


def anchors(page):
    """Of headings, as GitHub makes them, and those that the page names itself."""
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r'<a id="([^"]+)"', text))
    headings = re.findall(r"^#+ (.+)$", re.sub(r"</?[a-zA-Z][^>\n]*>", "", text), re.MULTILINE)
    return named | {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


class Links(unittest.TestCase):
    def test_every_relative_link_leads_to_a_file_and_a_heading(self):
        count = 0
        for page in files(".md"):
            for link in LINK.findall(page.read_text(encoding="utf-8")):
                if re.match(r"[a-z]+:", link):
                    continue  # another site; a line of a kernel, in an example
                count += 1
                path, _, anchor = urllib.parse.unquote(link).partition("#")
                target = page.parent / path if path else page
                with self.subTest(f"{page.relative_to(ROOT)}: {link}"):
                    self.assertTrue(target.exists(), "no such file")
                    if anchor and target.suffix == ".md":
                        self.assertIn(anchor, anchors(target), "no such heading")
        self.assertGreater(count, 50)

    def test_every_page_that_a_source_names_exists(self):
        count = 0
        for source in files(".cpp", ".h", ".py", ".txt", ".cmake", ".toml", ".md", ".po", ""):
            for name in set(PAGE.findall(source.read_text(encoding="utf-8", errors="replace"))):
                count += 1
                with self.subTest(f"{source.relative_to(ROOT)}: {name}"):
                    self.assertTrue((ROOT / name).is_file() or (DOCS / name).is_file(), "no such page")
        self.assertGreater(count, 50)

    def test_the_help_of_every_control_names_a_page_that_exists(self):
        """By its path below docs/, which is how the window shows and opens it."""
        names = {name for source in files(".cpp", ".h") for name in HELP.findall(source.read_text(encoding="utf-8"))}
        self.assertIn("guide/window.md", names)
        for name in sorted(names):
            with self.subTest(name):
                self.assertTrue((DOCS / name).is_file(), "no such page")

    def test_the_index_lists_every_page_once(self):
        links = LINK.findall((DOCS / "README.md").read_text(encoding="utf-8"))
        pages = [str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md") if page != DOCS / "README.md"]
        self.assertEqual(sorted(links), sorted(pages))


if __name__ == "__main__":
    unittest.main()
