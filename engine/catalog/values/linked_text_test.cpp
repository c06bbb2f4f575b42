#include "catalog/values/linked_text.h"

#include <gtest/gtest.h>

namespace lockstep::catalog {
namespace {

TEST(LinkedText, IsReadWithoutItsMarks) {
    const Expected<LinkedText> text =
        parseLinks({"Watch [the load of M](line:18), then the [banks](view:banks).",
                    "先看 [M 的读取](line:18)，再看[存储体](view:banks)。"});
    ASSERT_TRUE(text);
    const auto words = [&](Language language, std::size_t link) {
        const TextLink at = text->linksIn(language)[link];
        return text->in(language).substr(at.begin, at.end - at.begin);
    };
    EXPECT_EQ(text->in(Language::English), "Watch the load of M, then the banks.");
    EXPECT_EQ(text->in(Language::Chinese), "先看 M 的读取，再看存储体。");
    const std::vector<TextLink> links = text->linksIn(Language::English);
    ASSERT_EQ(links.size(), 2u);
    EXPECT_EQ(words(Language::English, 0), "the load of M");
    EXPECT_EQ(links[0].target, (LinkTarget{LinkTarget::Kind::Line, {}, 18}));
    EXPECT_EQ(links[1].target, (LinkTarget{LinkTarget::Kind::View, "banks"}));
    EXPECT_EQ(words(Language::Chinese, 1), "存储体");
    EXPECT_EQ(text->in(languageOf("es").value()), "Watch the load of M, then the banks.");
}

TEST(LinkedText, LeavesElementsOfArraysAlone) {
    const Expected<LinkedText> text =
        parseLinks({"M[1][0] (row 1), M[0][3] [there](next:finding), in[128]", ""});
    ASSERT_TRUE(text);
    EXPECT_EQ(text->in(Language::English), "M[1][0] (row 1), M[0][3] there, in[128]");
    EXPECT_EQ(text->linksIn(Language::English).size(), 1u);
}

TEST(LinkedText, SaysWhatLeadsNowhere) {
    for (const char* target :
         {"line:0", "line:x", "next:surprise", "banks", "view:", "phase:-1", "line:99999999"}) {
        const Expected<LinkedText> text = parseLinks({std::string("[there](") + target + ")", ""});
        ASSERT_FALSE(text) << target;
        EXPECT_TRUE(text.error().message.english().starts_with(std::string("'") + target +
                                                               "' leads nowhere; a link is [words](line:18)"))
            << text.error().message.english();
    }
}

}  // namespace
}  // namespace lockstep::catalog
