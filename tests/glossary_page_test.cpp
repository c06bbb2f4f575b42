// docs/guide/glossary.md says what the glossary says today.
#include "app/cli/pages/glossary_page.h"

#include "explain/glossary/glossary.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace lockstep {
namespace {

TEST(GlossaryPage, InTheDocumentationIsUpToDate) {
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/docs/guide/glossary.md", std::ios::binary);
    const std::string documented{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(documented, cli::glossaryPage()) << "run: lockstep list --glossary docs/guide/glossary.md";
}

TEST(GlossaryPage, EveryLinkLeadsToATermOfThePage) {
    const std::string page = cli::glossaryPage();
    std::size_t links = 0;
    constexpr std::string_view kLink = "](#";
    for (std::size_t at = page.find(kLink); at != std::string::npos; at = page.find(kLink, at + 1), ++links) {
        const std::size_t begin = at + kLink.size();
        const std::string id = page.substr(begin, page.find(')', begin) - begin);
        EXPECT_NE(page.find("<a id=\"" + id + "\"></a>"), std::string::npos) << id;
    }
    EXPECT_GT(links, 3 * explain::glossary().size()) << "the index, see also, and terms in the texts";
}

TEST(GlossaryPage, AsJsonHasEveryTermInBothLanguages) {
    const nlohmann::json json = nlohmann::json::parse(cli::glossaryJson().written());
    ASSERT_EQ(json.size(), explain::glossary().size());
    for (const nlohmann::json& term : json)
        for (const char* key : {"term", "text"})
            for (const char* language : {"en", "zh"})
                EXPECT_FALSE(term.at(key).at(language).get<std::string>().empty()) << term.at("id");
}

}  // namespace
}  // namespace lockstep
