// Texts with places for values, their translations, and messages that are not yet in a language.
#include "base/text/words.h"

#include "base/text/message.h"
#include "base/text/po.h"
#include "base/text/translations.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace lockstep {
namespace {

TEST(WordsTest, OneThingIsSaidInTheSingular) {
    constexpr std::string_view kFound = "{0} {0:branch|branches} of {1} {1:lane|lanes} {0:is|are} gone";
    const auto found = [&](Language language, const std::string& a, const std::string& b) {
        const std::string values[] = {a, b};
        return filled(language, kFound, values);
    };
    EXPECT_EQ(found(Language::English, "1", "1,024"), "1 branch of 1,024 lanes is gone");
    EXPECT_EQ(found(Language::English, "0", "1"), "0 branches of 1 lane are gone");
    EXPECT_EQ(found(Language::English, "1", "1.5"), "1 branch of 1.5 lanes is gone");
    EXPECT_EQ(found(Language::English, "11", ""), "11 branches of  lanes are gone");
    EXPECT_EQ(found(Language::English, "1", "1,001"), "1 branch of 1,001 lanes is gone");
}

TEST(WordsTest, FullWidthPunctuationBringsItsOwnSpace) {
    const auto put = [](const std::string& value) {
        const std::string values[] = {value};
        return filled(Language::Chinese, "把 {0} 写入 P", values);
    };
    EXPECT_EQ(put("1.0（f32）"), "把 1.0（f32）写入 P");
    EXPECT_EQ(put("1.0"), "把 1.0 写入 P");
}

TEST(WordsTest, ValuesOfAllKindsHaveAPlace) {
    EXPECT_EQ(spokenIn(Language::English, 7), "7");
    EXPECT_EQ(spokenIn(Language::English, u8{7}), "7");
    EXPECT_EQ(spokenIn(Language::English, 1693), "1,693");
    EXPECT_EQ(spokenIn(Language::English, -1024L), "-1,024");
    EXPECT_EQ(spokenIn(Language::English, -7L), "-7");
    EXPECT_EQ(spokenIn(Language::English, 0.1f), "0.1");
    EXPECT_EQ(spokenIn(Language::English, 0.1), "0.1");
    EXPECT_EQ(spokenIn(Language::English, 'x'), "x");
    EXPECT_EQ(spokenIn(Language::English, "name"), "name");
}

TEST(WordsTest, PlacesAreCheckedWhenCompiled) {
    static_assert(Words::places("{0:a|b} {2}") == 0b101);
    static_assert(Words::wellFormed("{0} {0:a|b} {2}") && !Words::wellFormed("{0:a}") &&
                  !Words::wellFormed("{}") && !Words::wellFormed("{0"));
}

// Each file of po/: its header, and that a translation has the places of its text.
TEST(WordsTest, EveryTranslationHasThePlacesOfItsText) {
    ASSERT_FALSE(embeddedPo().empty());
    for (const EmbeddedPo& embedded : embeddedPo()) {
        std::string text;
        for (const std::string_view entry : embedded.entries)
            text.append(entry).append("\n\n");
        const PoFile file = parsePo(text);
        ASSERT_EQ(file.error, "") << embedded.code;
        EXPECT_EQ(file.field("Language"), embedded.code);
        EXPECT_EQ(embedded.entries.size(), embeddedPo()[0].entries.size())
            << "scripts/texts writes the same texts into every file";
        EXPECT_FALSE(file.field("X-Language-Name").empty()) << embedded.code;
        EXPECT_FALSE(file.field("X-Language-English").empty()) << embedded.code;
        EXPECT_TRUE(PluralRule(file.field("Plural-Forms")).isValid()) << embedded.code;
        EXPECT_GT(file.entries.size(), 1000u) << embedded.code;
        std::set<u64> keys;
        for (const PoEntry& entry : file.entries) {
            EXPECT_TRUE(keys.insert(keyOfText(entry.context, entry.english)).second) << entry.english;
            if (entry.context == "note" || entry.context == kContextOfKernels) continue;
            EXPECT_TRUE(Words::wellFormed(entry.english)) << entry.english;
            if (entry.translation.empty()) continue;
            EXPECT_TRUE(Words::wellFormed(entry.translation)) << entry.translation;
            EXPECT_EQ(Words::places(entry.english), Words::places(entry.translation)) << entry.translation;
        }
    }
}

// A figure before a plural that does not bend is "1 elements" one day.
TEST(WordsTest, NoTextHasAPluralForEveryNumber) {
    const std::regex fixedPlural(
        R"re(\{\d\} (bank|barrier|block|byte|element|execution|finding|instruction|lane|phase|product|request|sector|step|thread|transaction|warp|wavefront|word)s\b)re");
    for (const std::string_view entry : embeddedPo()[0].entries) {
        const std::string text(entry.substr(0, entry.find("\nmsgstr")));
        for (std::sregex_iterator at(text.begin(), text.end(), fixedPlural), end; at != end; ++at)
            ADD_FAILURE() << text << ": " << at->str();
    }
}

TEST(WordsTest, LanguagesAreFoundByTheirCodes) {
    EXPECT_EQ(languageOf("en"), Language::English);
    EXPECT_EQ(languageOf("zh-CN"), Language::Chinese);
    EXPECT_EQ(languageOf("zh"), Language::Chinese);
    EXPECT_FALSE(languageOf("").has_value());
    EXPECT_FALSE(languageOf("xx").has_value());
    EXPECT_EQ(nextLanguage(Language::English), Language::Chinese);
    EXPECT_EQ(nextLanguage(Language::Chinese), Language::English);
    EXPECT_EQ(rowOf(Language::Chinese).code, "zh-CN");
    EXPECT_TRUE(rowOf(Language::English).isComplete);
    EXPECT_TRUE(rowOf(Language::Chinese).isComplete) << "scripts/texts --check says what is missing";
    EXPECT_FALSE(rowOf(languageOf(kPseudoLanguage).value()).isComplete);
}

TEST(WordsTest, TheLanguageForTestsIsLongerAndKeepsItsPlaces) {
    const Language longer = languageOf(kPseudoLanguage).value();
    const Words words = english("new sum");
    EXPECT_GE(words.in(longer).size() * 10, words.english().size() * 14);
    for (const EmbeddedPo& embedded : embeddedPo())
        for (const std::string_view entry : embedded.entries) {
            const PoFile file = parsePo(entry);
            if (file.entries.empty()) continue;
            const PoEntry& one = file.entries[0];
            const std::string_view text =
                translated(longer, one.english, keyOfText(one.context, one.english));
            if (one.context == "note" || one.context == kContextOfKernels) continue;
            EXPECT_TRUE(Words::wellFormed(text)) << text;
            EXPECT_EQ(Words::places(text), Words::places(one.english)) << text;
        }
}

TEST(MessageTest, ValuesMayBeMessagesAndAreSaidInTheLanguage) {
    const Message inner = english("new sum"), plain = Message::plain("row[3]");
    EXPECT_EQ(Message(inner).in(Language::English), "new sum");
    const Message both = inner + plain;
    EXPECT_EQ(both.in(Language::English), "new sumrow[3]");
    EXPECT_NE(both.in(Language::Chinese), both.in(Language::English));
    EXPECT_TRUE(both.in(Language::Chinese).ends_with("row[3]"));
    EXPECT_TRUE(Message().empty());
}

// Chinese typesetting: a blank between an ideograph and a Latin letter, digit or bracket that touch.
TEST(MessageTest, AValueIsSetOffWhereIdeographsAndLatinLettersTouch) {
    const Words past = english("just past the end of {0}");  // 紧接在{0}末尾之后
    const auto chinese = [&](const Message& value) { return Message(past, value).in(Language::Chinese); };
    EXPECT_EQ(chinese(Text{"memory", "内存"}), "紧接在内存末尾之后");
    EXPECT_EQ(chinese(Message::plain("M")), "紧接在 M 末尾之后");
    EXPECT_EQ(chinese(Message::plain("(x 0, y 1)")), "紧接在 (x 0, y 1) 末尾之后");
    EXPECT_EQ(chinese(Message::plain("[7]")), "紧接在 [7] 末尾之后");
    EXPECT_EQ(chinese(Text{"M (9)", "M（9 个）"}), "紧接在 M（9 个）末尾之后")
        << "punctuation brings its own space";
    EXPECT_EQ(chinese(Message()), "紧接在末尾之后");
    EXPECT_EQ(Message(past, "M").english(), "just past the end of M");
    const Message behind = Message(Text{"thread ", "线程"}) + Message::plain("5") + Text{" reads", "读取"};
    EXPECT_EQ(behind.english(), "thread 5 reads");
    EXPECT_EQ(behind.in(Language::Chinese), "线程 5 读取");
}

TEST(PoTest, ReadsWhatTheToolsWrite) {
    const PoFile file = parsePo(
        "# a comment\n"
        "msgid \"\"\nmsgstr \"\"\n\"Language: pl\\n\"\n"
        "\"Plural-Forms: nplurals=1; plural=0;\\n\"\n\n"
        "#: a.cpp b.cpp\nmsgid \"one \"\n\"\\\"two\\\"\"\nmsgstr \"eins\\\\zwei\"\n\n"
        "#, fuzzy\nmsgctxt \"phase\"\nmsgid \"load\"\nmsgstr \"wczytaj\"\r\n");
    ASSERT_EQ(file.error, "");
    EXPECT_EQ(file.field("Language"), "pl");
    EXPECT_EQ(file.field("Team"), "");
    ASSERT_EQ(file.entries.size(), 2u);
    EXPECT_EQ(file.entries[0].english, "one \"two\"");
    EXPECT_EQ(file.entries[0].translation, "eins\\zwei");
    EXPECT_FALSE(file.entries[0].isFuzzy);
    EXPECT_EQ(file.entries[1].context, "phase");
    EXPECT_TRUE(file.entries[1].isFuzzy);
}

TEST(PoTest, SaysInWhichLineItCannotBeRead) {
    EXPECT_TRUE(parsePo("msgid \"a\"\nmsgstr \"b\n").error.starts_with("line 2: "));
    EXPECT_TRUE(parsePo("\"lost\"\n").error.starts_with("line 1: "));
    EXPECT_TRUE(parsePo("msgid \"a\"\nmsgid_plural \"b\"\n").error.starts_with("line 2: "));
}

TEST(PoTest, PluralRulesAreThoseOfTheFile) {
    const PluralRule english, chinese("nplurals=1; plural=0;"),
        polish("nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);");
    EXPECT_EQ(english.formOf(1), 0u);
    EXPECT_EQ(english.formOf(0), 1u);
    EXPECT_EQ(english.formOf(21), 1u);
    EXPECT_EQ(chinese.formOf(1), 0u);
    EXPECT_EQ(chinese.formOf(5), 0u);
    for (const auto& [n, form] :
         {std::pair{1u, 0u}, {2u, 1u}, {4u, 1u}, {5u, 2u}, {12u, 2u}, {22u, 1u}, {112u, 2u}})
        EXPECT_EQ(polish.formOf(n), form) << n;
    for (const char* wrong :
         {"", "nplurals=2;", "nplurals=2; plural=n;", "nplurals=2; plural=(n", "nplurals=2; plural=n%0",
          "nplurals=2; plural=1 1", "nplurals=9; plural=0;", "nplurals=0; plural=0;"})
        EXPECT_FALSE(PluralRule(wrong).isValid()) << wrong;
}

}  // namespace
}  // namespace lockstep
