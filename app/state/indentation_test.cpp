#include "app/state/indentation.h"

#include <gtest/gtest.h>

namespace lockstep::app {
namespace {

TEST(Indentation, IsThatOfTheText) {
    struct Case {
        const char* text;
        Indentation found;
    };
    constexpr Case cases[] = {
        {"", {.byTabs = false, .columns = 4}},
        {"int a;\nint b;\n", {.byTabs = false, .columns = 4}},
        {"f() {\n    a;\n    if (b) {\n        c;\n    }\n}\n", {.byTabs = false, .columns = 4}},
        {"f() {\n  a;\n  if (b) {\n    c;\n  }\n}\n", {.byTabs = false, .columns = 2}},
        {"f() {\n\ta;\n\tif (b) {\n\t\tc;\n\t}\n}\n", {.byTabs = true, .columns = 4}},
        {"f() {\n   a;\n}\ng() {\n   a;\n}\n", {.byTabs = false, .columns = 3}},
        {"f(int a,\n      int b) {\n  c;\n  d;\n  if (e) {\n    g;\n  }\n}\n",
         {.byTabs = false, .columns = 2}},
        {"/*\n * a\n * b\n */\nf() {\n\ta;\n}\n", {.byTabs = true, .columns = 4}},
        {"f() {\n\n    a;\n \n    b;\n}", {.byTabs = false, .columns = 4}}};
    for (const Case& c : cases)
        EXPECT_EQ(indentationOf(c.text), c.found) << c.text;
}

TEST(Indentation, EnterGoesOnWithItAndBehindABraceDeeper) {
    struct Case {
        const char *before, *behind;
        bool byTabs;
        const char* text;
        u32 index, skipped;
    };
    constexpr Case cases[] = {{"    a;", "", false, "\n    ", 4, 0},
                              {"f() {", "", false, "\n    ", 4, 0},
                              {"\tif (a) { ", "", true, "\n\t\t", 2, 0},
                              {"    if (a) {", "}", false, "\n        \n    ", 8, 0},
                              {"    f(", ");", false, "\n        \n    ", 8, 0},
                              {"    f(", "a);", false, "\n        ", 8, 0},
                              {"    a; ", "  b;", false, "\n    ", 4, 2},
                              {"", "", false, "\n", 0, 0}};
    for (const Case& c : cases) {
        const NewLine line = newLine(c.before, c.behind, {.byTabs = c.byTabs});
        EXPECT_EQ(line.text, c.text) << c.before;
        EXPECT_EQ(line.index, c.index) << c.before;
        EXPECT_EQ(line.skippedBehind, c.skipped) << c.before;
    }
}

TEST(Indentation, ABraceClosesAtItsOpening) {
    struct Case {
        const char *before, *blanks;
    };
    constexpr Case cases[] = {{"f() {\n    a;\n    ", ""},
                              {"f() {\n  if (a) {\n    b;\n    ", "  "},
                              {"f() {\n\tif (a) {\n\t\tb; // {\n\t\t", "\t"},
                              {"f() {\n  if (a) { b; }\n  s = \"{\"; c = '{'; /* { */\n  ", ""},
                              {"f() {\n  n = 1'000'000; if (a) {\n    ", "  "},
                              {"  {}  {\n", "  "}};
    for (const Case& c : cases)
        EXPECT_EQ(blanksOfOpening(c.before), c.blanks) << c.before;
    for (const char* none : {"", "}\n", "f() {\n}\n", "// {\n", "/* {", "\"{", "'{"})
        EXPECT_EQ(blanksOfOpening(none), std::nullopt) << none;
}

}  // namespace
}  // namespace lockstep::app
