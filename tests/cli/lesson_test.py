"""lockstep lesson: lists, checks, shows and asks, in both languages; a teacher's own lesson opens like the program's."""

import pathlib
import re
import shutil
import tempfile
import unittest

from lockstep import DONE, ROOT, USAGE_ERROR, lockstep, needs_nvrtc, needs_window, read_png

WRONG = 1
LESSONS = ROOT / "assets" / "lessons"


class Lesson(unittest.TestCase):
    def own(self, change=lambda text: text):
        """A copy of a lesson, in a folder of its own."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        own = folder / "mine"
        shutil.copytree(LESSONS / "banks", own)
        text = (own / "en.md").read_text(encoding="utf-8")
        (own / "en.md").write_text(change(text), encoding="utf-8")
        return own

    def test_the_list_has_every_folder(self):
        listed = lockstep("lesson", "list", "--json", "-").json["lessons"]
        self.assertEqual({row["name"] for row in listed}, {path.name for path in LESSONS.iterdir()})
        for row in listed:
            self.assertTrue(5 <= len(row["steps"]) <= 12, row["name"])
            self.assertTrue(row["title"]["en"] and row["title"]["zh-CN"])
        self.assertEqual({row["name"] for row in lockstep("list", "--json", "-").json["lessons"]},
                         {row["name"] for row in listed})

    def test_the_lessons_have_no_mistakes(self):
        answer = lockstep("lesson", "check")
        self.assertEqual(answer.status, DONE, answer)
        self.assertRegex(answer.out, r"\d+ lessons?, \d+ steps?, 0 mistakes\n$")

    # What one lecture has shown, and words that are not the glossary's here: bounds of an array, a load, a store.
    KNOWN = {"kernel", "thread", "block", "grid", "register", "load-store", "out-of-bounds", "bound"}

    def test_a_step_explains_each_word_of_the_glossary_that_no_step_before_it_has(self):
        answer = lockstep("list", "--json", "-").json
        for language, file in (("en", "en.md"), ("zh", "zh-CN.md")):
            terms = {}
            for term in answer["glossary"]:
                names = re.split(", |、", re.sub(" ?[（(].*?[）)]| cache$| ?缓存$", "", term["term"][language]))
                ends = r"(s|es)?\b" if language == "en" else ""
                begins = r"\b" if language == "en" else ""
                terms[term["id"]] = "|".join(begins + re.escape(name).replace(r"\ ", r"\s+") + ends for name in names)
            shown, used = set(self.KNOWN), set()
            for lesson in answer["lessons"]:
                text = (LESSONS / lesson["name"] / file).read_text(encoding="utf-8")
                text = re.sub(r"`[^`]*`|\{[^}]*\}|(?m:^:::.*$)", "#", text)
                # The title and the introduction name what the steps explain.
                for step in re.split(r"(?ms)^\+\+\+\n.*?^\+\+\+$", text)[2 if text.startswith("+++") else 1:]:
                    bold = " ".join(re.findall(r"(?s)\*\*(.+?)\*\*", step))
                    title = step.strip().splitlines()[0]
                    for term, pattern in terms.items():
                        if re.search(pattern, bold, re.IGNORECASE):
                            shown.add(term)
                        elif re.search(pattern, step, re.IGNORECASE):
                            used.add(term)
                            self.assertIn(term, shown, f"{lesson['name']}/{file}, {title}: '{term}' stands there before "
                                          "a step explains it (in bold letters)")
            self.assertGreater(len(used), 20)  # the patterns find something

    @needs_window
    def test_a_step_in_the_window_is_a_picture(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        picture = str(folder / "step.png")
        pictures = set()
        for more in ((), ("--answer", "1"), ("--answer", "8"), ("--lang", "zh-CN")):
            answer = lockstep("shot", "--lesson", "banks", "--lesson-step", "stride", *more, "--size", "1280x720", "--scale", "1",
                              "--out", picture)
            self.assertEqual(answer.status, DONE, answer)
            self.assertEqual(read_png(picture)[:2], (1280, 720))
            pictures.add(pathlib.Path(picture).read_bytes())
        self.assertEqual(len(pictures), 4)
        for wrong in (("--lesson", "banks", "--lesson-step", "nowhere"), ("--lesson", "no-such-lesson")):
            self.assertNotEqual(lockstep("shot", *wrong, "--out", picture).status, DONE)

    def test_a_step_shows_figures_and_no_answer(self):
        answer = lockstep("lesson", "banks", "--step", "stride")
        self.assertEqual(answer.status, DONE, answer)
        self.assertIn("with a stride of 8", answer.out)
        self.assertNotIn("{", answer.out)
        self.assertNotIn("8-way", answer.out)
        self.assertIn("lockstep show banks/stride --set stride=8 --view banks", answer.out)

    def test_an_answer_is_judged_by_the_run(self):
        right = lockstep("lesson", "banks", "--step", "stride", "--answer", "8")
        self.assertEqual(right.status, DONE, right)
        self.assertIn("Right.", right.out)
        self.assertIn("8-way", right.out)
        wrong = lockstep("lesson", "banks", "--step", "stride", "--answer", "1")
        self.assertEqual(wrong.status, WRONG, wrong)
        self.assertIn("Lanes 0 and 4 both request bank 0, but different words: 0 and 32.", wrong.out.replace("\n", " "))
        self.assertNotIn("Right.", wrong.out)

    def test_any_least_partition_into_wavefronts_is_right(self):
        for lanes in ("0-7 | 8-15 | 16-23 | 24-31", "24-31, | 0-3, 12-15 | 4-7, 8-11 | 16-23"):
            answer = lockstep("lesson", "banks", "--step", "machine", "--answer", lanes)
            self.assertEqual(answer.status, DONE, answer)
        answer = lockstep("lesson", "banks", "--step", "machine", "--answer", "0-15 | 16-31")
        self.assertEqual(answer.status, WRONG)
        self.assertIn("cannot share a wavefront", answer.out)

    def test_json_has_both_languages_the_place_and_the_belief(self):
        answer = lockstep("lesson", "banks", "--step", "broadcast", "--answer", "32", "--json", "-")
        self.assertEqual(answer.status, WRONG, answer)
        step = answer.json
        self.assertEqual((step["lesson"], step["step"], step["ask"]), ("banks", "broadcast", "number"))
        self.assertEqual((step["place"]["kernel"], step["place"]["view"]), ("banks/broadcast", "banks"))
        self.assertEqual((step["answer"]["verdict"], step["answer"]["belief"]), ("wrong", 4))
        self.assertIn("广播", step["texts"]["zh-CN"]["reveal"])
        self.assertRegex(step["answer"]["reply"]["zh-CN"], r"[\u4e00-\u9fff]")

    def test_another_seed_asks_for_other_figures(self):
        texts = {lockstep("lesson", "banks", "--step", "bank", "--seed", seed).out for seed in range(8)}
        self.assertGreater(len(texts), 2)

    def test_an_own_lesson_opens_like_the_programs(self):
        own = self.own()
        self.assertEqual(lockstep("lesson", own, "--step", "wide", "--answer", "4").status, DONE)
        self.assertEqual(lockstep("lesson", "check", own).status, DONE)

    @needs_nvrtc
    def test_a_new_lesson_has_kernels_of_its_own_and_no_mistakes(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        own = folder / "mine"
        self.assertEqual(lockstep("lesson", "new", own).status, DONE)
        again = lockstep("lesson", "new", own)
        self.assertEqual(again.status, USAGE_ERROR)
        self.assertIn("is there already", again.err)
        checked = lockstep("lesson", "check", own)
        self.assertEqual(checked.status, DONE, checked)
        self.assertEqual(lockstep("lesson", own, "--step", "sectors", "--answer", "16").status, DONE)
        self.assertEqual(lockstep("lesson", own, "--step", "sectors", "--answer", "32").status, WRONG)
        asked = lockstep("lesson", own, "--step", "sectors")
        self.assertIn(f"lockstep show {own / 'gather.cu'} --grid '2' --block-size '64'", asked.out.replace("\n", " "))
        kernel = own / "gather.cu"
        kernel.write_text(kernel.read_text(encoding="utf-8").replace("in[i", "inn[i"), encoding="utf-8")
        broken = lockstep("lesson", "check", own)
        self.assertEqual(broken.status, WRONG, broken)
        self.assertRegex(broken.out, re.escape(str(kernel)) + r":9: ")

    def test_every_mistake_is_told_with_its_line(self):
        cases = [("kernel = \"banks/broadcast\"", "kernel = \"banks/brodcast\"", "brodcast"),
                 ("view = \"banks\"", "view = \"bank\"", "there is no view 'bank'"),
                 ("{my_word_lanes}", "{my_word_lane}", "there is no quantity or parameter 'my_word_lane'"),
                 ("{ is = \"sharing\", says", "{ is = \"wavefronts\", says", "this wrong answer is right"),
                 ("answer = \"my_bank\"", "answer = \"my_bnak\"", "my_bnak"),
                 ("The same bank, the same word\n", "The same bank, the same word\n\nIt takes 31 more.\n", "31 is typed in"),
                 ("id = \"wide\"", "id = \"wider\"", "there is no step 'wide'"),
                 ("stride = [8, 4, 16, 2]", "stride = [8, 99]", "stride"),
                 ("at = \"= words[\"", "at = \"= nowhere[\"", "nowhere")]
        for old, new, said in cases:
            with self.subTest(new):
                own = self.own(lambda text: text.replace(old, new, 1))
                answer = lockstep("lesson", "check", own)
                self.assertEqual(answer.status, WRONG, answer)
                lines = [line for line in answer.out.splitlines() if said in line]
                self.assertTrue(lines, answer)
                self.assertRegex(lines[0], re.escape(str(own)) + r"/(en|zh-CN)\.md:\d+: ")

    def test_what_does_not_exist_is_said_with_the_nearest(self):
        answer = lockstep("lesson", "bank")
        self.assertEqual(answer.status, USAGE_ERROR)
        self.assertIn("did you mean 'banks'?", answer.err)
        answer = lockstep("lesson", "banks", "--step", "stridee")
        self.assertEqual(answer.status, USAGE_ERROR)
        self.assertIn("did you mean 'stride'?", answer.err)


if __name__ == "__main__":
    unittest.main()
