"""Reads a page that walks through something: the files it has the reader save, its commands, and what they are said to answer.

    python3 tests/cli/walkthrough.py docs/guide/tutorial-own-kernel.md FOLDER

writes the files into the folder, as they are at the end of the page. A fence whose first line is `cpp NAME` is a file, `diff NAME`
adds its lines with + to it, `text` holds lines that the command above printed, and `> ` a sentence of the picture above. A command
in <!-- --> is for tests: what a click leads to."""

import pathlib
import re
import sys

COMMAND = re.compile(r"^(?: {4}|<!-- )lockstep (.+?)(?: {2,}#.*)?(?: -->)?$")


def changed(text, change):
    """`text` with the lines that begin with + put behind the line above them, which stands in the text once."""
    before = None
    for line in change.splitlines():
        if line.startswith("+"):
            text = text.replace(before + "\n", before + "\n" + line[1:] + "\n")
            before = line[1:]
        else:
            before = line[1:]
            assert text.count(before + "\n") == 1, before
    return text


def events_of(page):
    """("file", name, text), ("command", words), ("output", lines) and ("says", sentence), in the order of the page."""
    files, found = {}, []
    lines = iter(re.sub(r"\\\n\s*", "", page.read_text(encoding="utf-8")).splitlines())
    for line in lines:
        if line.startswith("```"):
            kind, _, name = line[3:].partition(" ")
            inside = []
            while (inner := next(lines)) != "```":
                inside.append(inner)
            text = "\n".join(inside) + "\n"
            if kind == "text":
                found.append(("output", inside))
            elif name:
                files[name] = changed(files[name], text) if kind == "diff" else text
                found.append(("file", name, files[name]))
        elif line.startswith("> "):
            if found and found[-1][0] == "says" and not fresh:
                found[-1] = ("says", found[-1][1] + " " + line[2:])
            else:
                found.append(("says", line[2:]))
            fresh = False
            continue
        elif command := COMMAND.match(line):
            found.append(("command", command[1]))
        fresh = True
    return found


def files_of(page):
    return {event[1]: event[2] for event in events_of(page) if event[0] == "file"}


if __name__ == "__main__":
    for name, text in files_of(pathlib.Path(sys.argv[1])).items():
        (pathlib.Path(sys.argv[2]) / name).write_text(text, encoding="utf-8")
