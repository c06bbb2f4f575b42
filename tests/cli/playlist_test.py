"""lockstep playlist: lists, checks and hands out, in both languages; a mistake is said with file:line and the rest works."""

import pathlib
import re
import unittest
import xml.etree.ElementTree

from lockstep import DONE, ROOT, USAGE_ERROR, CommandTest, lockstep, needs_window, read_png

WRONG = 1
PLAYLISTS = ROOT / "assets" / "playlists"
BANKS = (PLAYLISTS / "banks.playlist.md").read_text(encoding="utf-8")
XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
# A page that is sent around by mail.
MOST_BYTES = 2_000_000


class Playlist(CommandTest):
    def handout(self, *words):
        file = self.folder / "handout.html"
        answer = lockstep("playlist", "handout", *words, "--out", file)
        self.assertEqual(answer.status, DONE, answer)
        return answer, file.read_text(encoding="utf-8")

    def test_the_list_has_every_file(self):
        listed = lockstep("playlist", "list", "--json", "-").json["playlists"]
        self.assertEqual({row["name"] for row in listed},
                         {path.name.split(".")[0] for path in PLAYLISTS.iterdir()})
        banks = next(row for row in listed if row["name"] == "banks")
        self.assertEqual((banks["minutes"], banks["entries"]), (45, BANKS.count("\nid = ")))

    def test_the_playlists_have_no_mistakes(self):
        answer = lockstep("playlist", "check")
        self.assertEqual(answer.status, DONE, answer)
        self.assertRegex(answer.out, r"\d+ playlists?, \d+ entries, 0 mistakes\n$")

    def test_a_mistake_has_its_place_and_the_rest_is_handed_out(self):
        text = BANKS.replace("banks#column", "banks#colum").replace("{padded_wavefronts}", "8")
        own = self.file("mine.playlist.md", text)
        line = text[:text.index("banks#colum\"")].count("\n") + 1
        answer = lockstep("playlist", "check", own)
        self.assertEqual(answer.status, WRONG, answer)
        self.assertIn(f"{own}:{line}: the lesson 'banks' has no step 'colum'; did you mean 'column'?", answer.out)
        self.assertRegex(answer.out, rf"{re.escape(str(own))}:\d+: the figure 8 is typed in")
        answer, html = self.handout(own)
        self.assertIn("no step 'colum'", answer.err)
        self.assertEqual(html.count("<section "), BANKS.count("\nid = ") - 1)

    def test_what_is_no_playlist_is_said(self):
        for words, sentence in ((("handout", "bank", "--out", "x.html"), "did you mean 'banks'?"),
                                (("handout", "banks"), "lockstep playlist handout banks --out banks.html"),
                                (("check", self.folder / "none.playlist.md"), "there is no file")):
            answer = lockstep("playlist", *words)
            self.assertEqual(answer.status, USAGE_ERROR, answer)
            self.assertIn(sentence, answer.err)

    def test_a_handout_is_one_page_in_either_language(self):
        pages = {}
        for language in ("en", "zh-CN"):
            answer, html = self.handout("banks", "--lang", language)
            self.assertLess(len(html.encode()), MOST_BYTES, answer)
            page = pages[language] = xml.etree.ElementTree.fromstring(html.split("\n", 1)[1])
            self.assertEqual(page.get("lang"), language)
            identifiers = [element.get("id") for element in page.iter() if element.get("id")]
            self.assertEqual(len(identifiers), len(set(identifiers)))
            for element in page.iter():
                self.assertIsNone(element.get("src"))
                self.assertIsNone(element.get("href"))
            self.assertNotIn("url(http", html)
            self.assertNotIn("<script", html)
            for label in page.iter(f"{XHTML}label"):
                self.assertIn(label.get("for"), identifiers)
            pictures = list(page.iter(f"{SVG}svg"))
            self.assertIn(f"{len(pictures)} ", answer.out)
            for picture in pictures:
                marks = [mark for mark in picture.iter() if mark.tag in (f"{SVG}rect", f"{SVG}line", f"{SVG}text", f"{SVG}path")]
                self.assertGreater(len(marks), 40, "a picture is empty")
        self.assertEqual(*(len(list(page.iter(f"{SVG}svg"))) for page in pages.values()))
        self.assertEqual(*(len(list(page.iter(f"{XHTML}section"))) for page in pages.values()))

    def test_the_notes_have_every_entry_with_its_minutes(self):
        for language, text in (("en", BANKS), ("zh-CN", (PLAYLISTS / "banks.zh-CN.playlist.md").read_text(encoding="utf-8"))):
            answer = lockstep("playlist", "notes", "banks", "--lang", language)
            self.assertEqual(answer.status, DONE, answer)
            notes = re.findall(r"::: notes\n\n(.+)\n", text)
            self.assertEqual(len(notes), BANKS.count("\nid = "))
            self.assertEqual(answer.out.count("\n## "), len(notes))
            for note in notes:
                self.assertIn(note, answer.out)

    def test_on_paper_the_answers_stand_at_the_end(self):
        _, html = self.handout("banks")
        paper = html[html.index("@media print"):html.index("</style>")]
        self.assertRegex(paper, r"\.answers \{ order: 1;")
        self.assertRegex(paper, r"\.reply \{ order: 2;")
        self.assertEqual(html.count('class="reply"'), html.count('class="answer"'))
        self.assertEqual(html.count('class="paper answers"'), 1)

    @needs_window
    def test_an_entry_in_the_window_is_a_picture(self):
        picture = str(self.folder / "entry.png")
        pictures = set()
        for more in ((), ("--revealed",), ("--lang", "zh-CN")):
            answer = lockstep("shot", "--playlist", "banks", "--playlist-entry", "padding", *more, "--size", "1280x720", "--scale", "1",
                              "--out", picture)
            self.assertEqual(answer.status, DONE, answer)
            self.assertEqual(read_png(picture)[:2], (1280, 720))
            pictures.add(pathlib.Path(picture).read_bytes())
        self.assertEqual(len(pictures), 3)
        for wrong in (("--playlist", "banks", "--playlist-entry", "nowhere"), ("--playlist", "no-such-playlist")):
            self.assertNotEqual(lockstep("shot", *wrong, "--out", picture).status, DONE)


if __name__ == "__main__":
    unittest.main()
