#include "catalog/linked_text.h"

#include <gtest/gtest.h>

namespace lockstep::catalog {
namespace {

TEST(LinkedText, IsReadWithoutItsMarks) {
    const Expected<LinkedText> text =
        parseLinks({"Watch [the load of M](line:18), then the [banks](view:banks).",
                    "先看 [M 的读取](line:18)，再看[存储体](view:banks)。"});
    ASSERT_TRUE(text);
    EXPECT_EQ(text->en, "Watch the load of M, then the banks.");
    EXPECT_EQ(text->zh, "先看 M 的读取，再看存储体。");
    ASSERT_EQ(text->enLinks.size(), 2u);
    EXPECT_EQ(text->en.substr(text->enLinks[0].begin, text->enLinks[0].end - text->enLinks[0].begin),
              "the load of M");
    EXPECT_EQ(text->enLinks[0].target, (LinkTarget{LinkTarget::Kind::Line, {}, 18}));
    EXPECT_EQ(text->enLinks[1].target, (LinkTarget{LinkTarget::Kind::View, "banks"}));
    const TextLink& chinese = text->linksIn(Language::Chinese)[1];
    EXPECT_EQ(text->zh.substr(chinese.begin, chinese.end - chinese.begin), "存储体");
}

TEST(LinkedText, LeavesElementsOfArraysAlone) {
    const Expected<LinkedText> text =
        parseLinks({"M[1][0] (row 1), M[0][3] [there](next:finding), in[128]", ""});
    ASSERT_TRUE(text);
    EXPECT_EQ(text->en, "M[1][0] (row 1), M[0][3] there, in[128]");
    EXPECT_EQ(text->enLinks.size(), 1u);
}

TEST(LinkedText, SaysWhatLeadsNowhere) {
    for (const char* target :
         {"line:0", "line:x", "next:surprise", "banks", "view:", "phase:-1", "line:99999999"}) {
        const Expected<LinkedText> text = parseLinks({std::string("[there](") + target + ")", ""});
        ASSERT_FALSE(text) << target;
        EXPECT_TRUE(text.error().message.starts_with(std::string("'") + target +
                                                     "' leads nowhere; a link is [words](line:18)"))
            << text.error().message;
    }
}

}  // namespace
}  // namespace lockstep::catalog
