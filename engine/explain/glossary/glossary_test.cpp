// The glossary holds to the rules that its texts are written by.
#include "explain/glossary/glossary.h"

#include "explain/glossary/term_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace lockstep::explain {
namespace {

constexpr std::array kLanguages{Language::English, Language::Chinese};

std::size_t timesIn(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos;
         at = text.find(part, at + part.size()))
        ++count;
    return count;
}

std::size_t sentencesOf(std::string_view text, Language language) {
    if (language == Language::Chinese) return timesIn(text, "。");
    return timesIn(text, ". ") + text.ends_with(".");
}

std::string lowered(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return small;
}

std::string without(std::string text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
        text.erase(at, name.size());
    return text;
}

TEST(GlossaryTest, HasWhatACourseOnCudaSpeaksOf) {
    for (const char* id : {"warp",
                           "lane",
                           "active-mask",
                           "divergence",
                           "reconvergence",
                           "predicate",
                           "sector",
                           "cache-line",
                           "request",
                           "transaction",
                           "wavefront",
                           "bank",
                           "bank-conflict",
                           "broadcast",
                           "coalescing",
                           "half-warp",
                           "pitch",
                           "tile",
                           "phase",
                           "halo",
                           "ghost",
                           "barrier",
                           "race",
                           "occupancy",
                           "wave",
                           "l1",
                           "l2",
                           "write-through",
                           "write-back",
                           "allocate",
                           "hit-rate",
                           "store-hit",
                           "roofline",
                           "bound",
                           "latency",
                           "throughput",
                           "register",
                           "spill",
                           "atomic",
                           "fold",
                           "grid-stride",
                           "warm-up",
                           "block",
                           "grid",
                           "thread",
                           "kernel",
                           "shared-memory",
                           "global-memory",
                           "local-memory",
                           "multiprocessor",
                           "ptx",
                           "machine-code",
                           "site",
                           "issue-slot",
                           "profile",
                           "swizzle",
                           "padding",
                           "prefix-sum",
                           "reduction"})
        EXPECT_NE(findTerm(id), nullptr) << id;
    EXPECT_EQ(findTerm("no such term"), nullptr);
    EXPECT_GE(glossary().size(), 60u);
}

TEST(GlossaryTest, EveryTextIsOfTwoToFourSentencesInBothLanguages) {
    for (const Term* term : glossary())
        for (const Language language : kLanguages) {
            const std::string_view text = term->text.in(language);
            EXPECT_GE(sentencesOf(text, language), 2u) << term->id << ": " << text;
            EXPECT_LE(sentencesOf(text, language), 4u) << term->id << ": " << text;
            EXPECT_TRUE(text.ends_with(language == Language::Chinese ? "。" : ".")) << term->id;
        }
}

TEST(GlossaryTest, NoFormStandsForTwoTerms) {
    for (const Language language : kLanguages) {
        std::map<std::string, std::string_view> owners;
        for (const Term* term : glossary())
            for (const std::string_view form : formsOf(*term, language)) {
                const auto [owner, isNew] = owners.try_emplace(std::string(form), term->id);
                EXPECT_TRUE(isNew) << '"' << form << "\" is a form of " << owner->second << " and of "
                                   << term->id;
            }
    }
}

TEST(GlossaryTest, EveryTermIsFoundByEachOfItsForms) {
    for (const Language language : kLanguages)
        for (const Term* term : glossary()) {
            const std::vector<std::string_view> forms = formsOf(*term, language);
            EXPECT_FALSE(forms.empty()) << term->id << " has no form";
            for (const std::string_view form : forms) {
                const std::string text = language == Language::Chinese ? "看" + std::string(form) + "。"
                                                                       : "See " + std::string(form) + ".";
                const std::vector<NamedTerm> found = termsIn(text, language);
                ASSERT_EQ(found.size(), 1u) << text;
                EXPECT_EQ(found[0].term, term) << text;
                EXPECT_EQ(text.substr(found[0].from, found[0].length), form);
            }
        }
}

TEST(GlossaryTest, SpeaksTheLanguageOfTheProgram) {
    // What English texts of the program do not say, and what Chinese ones write in Chinese.
    for (const Term* term : glossary()) {
        const std::string english = " " + lowered(term->text.english()) + " ";
        for (const char* word : {"goes two ways", "meet again", "stays together", " guard ",   "lanes on ",
                                 "lanes off",     "at work",    "reaches for",    "reach for", "puts into",
                                 "wanted",        " moved",     "wasted",         "touch",     " hall ",
                                 " mend",         "colour",     "neighbour",      "centre ",   "licence"})
            EXPECT_EQ(english.find(word), std::string::npos) << term->id << ": " << word;
        for (const std::string_view chinese :
             {term->name.in(Language::Chinese), term->text.in(Language::Chinese)})
            for (const char* word : {"lane", "warp", "bank", "sector", "wavefront", "发散", "内核",
                                     "银行冲突", "波阵面", "局部内存", "幽灵", "舞台"})
                EXPECT_EQ(without(lowered(chinese), "__syncwarp()").find(word), std::string::npos)
                    << term->id << ": " << word;
        EXPECT_EQ(term->text.in(Language::Chinese).find(". "), std::string_view::npos)
            << term->id << ": a Chinese full stop is 。";
    }
}

TEST(GlossaryTest, NamesInEnglishBeginSmallUnlessTheyAreNames) {
    for (const Term* term : glossary()) {
        const bool isName =
            std::set<std::string_view>{"l1", "l2", "multiprocessor", "ptx", "mio", "lg", "imc", "xu"}
                .contains(term->id);
        const char first = term->name.english()[0];
        EXPECT_EQ(first >= 'A' && first <= 'Z', isName) << term->name.english();
    }
}

}  // namespace
}  // namespace lockstep::explain
