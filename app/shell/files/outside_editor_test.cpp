// How an editor of the user's own is told a file and a line.
#include "app/shell/files/outside_editor.h"

#include <gtest/gtest.h>

namespace lockstep::shell {
namespace {

using Words = std::vector<std::string>;

TEST(OutsideEditorTest, IsToldTheLineAsItsManualSays) {
    struct Case {
        const char *visual, *editor;
        Words command;
    };
    const Case cases[] = {
        {"code --reuse-window", "", {"code", "--reuse-window", "-g", "/a b/k.cu:12"}},
        {"", "/usr/bin/subl", {"/usr/bin/subl", "/a b/k.cu:12"}},
        {"gedit", "vim", {"gedit", "+12", "/a b/k.cu"}},
        {"kate", "", {"kate", "-l", "12", "/a b/k.cu"}},
        {"mousepad", "", {"mousepad", "--line", "12", "/a b/k.cu"}},
        {"emacsclient", "", {"emacsclient", "-n", "+12", "/a b/k.cu"}},
        {"nvim", "code", {"code", "-g", "/a b/k.cu:12"}},
    };
    for (const Case& c : cases)
        EXPECT_EQ(outsideEditor(c.visual, c.editor, "/a b/k.cu", 12).command, c.command) << c.visual;
    EXPECT_EQ(outsideEditor("gedit", "", "k.cu", 0).command, (Words{"gedit", "+1", "k.cu"}));
}

TEST(OutsideEditorTest, WhatNeedsATerminalOrIsNotKnownIsLeftToTheDesktop) {
    for (const char* editor : {"vim", "/usr/bin/nano", "emacs -nw", "emacsclient -t"}) {
        const OutsideEditor told = outsideEditor("", editor, "k.cu", 3);
        EXPECT_TRUE(told.command.empty() && told.isOfTerminal) << editor;
        EXPECT_FALSE(told.name.empty()) << editor;
    }
    const OutsideEditor unknown = outsideEditor("my-editor -x", "", "k.cu", 3);
    EXPECT_TRUE(unknown.command.empty());
    EXPECT_FALSE(unknown.isOfTerminal);
    EXPECT_EQ(unknown.name, "my-editor");
    EXPECT_EQ(outsideEditor("", " ", "k.cu", 3).name, "");
}

TEST(OutsideEditorTest, AProgramThatIsNotThereIsNoticed) {
    EXPECT_FALSE(start({"/nowhere/at-all"}));
    EXPECT_TRUE(start({"true"}));
}

}  // namespace
}  // namespace lockstep::shell
