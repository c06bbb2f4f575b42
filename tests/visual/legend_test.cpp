// What legends say of pictures: each entry's mark is drawn, each mark that any legend of that picture's kind
// explains has its entry, and each entry speaks the glossary's words.
#include "explain/glossary/term_finder.h"
#include "looked_at.h"
#include "viz/marks/looks.h"
#include "viz/scene/fonts.h"
#include "viz/scene/tokens.h"
#include "viz/view.h"
#include "viz/views/stage.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace lockstep {
namespace {

using namespace viz;

struct Entry {
    std::string text;
    std::set<Look> looks;
};

// The texts of the scene's keys, with the signs left of them; a text without a sign is a note.
std::vector<Entry> entriesOf(const Scene& scene) {
    std::vector<Entry> entries;
    for (const Mark& mark : scene.marks) {
        const auto* text = std::get_if<TextMark>(&mark);
        if (!text || text->align != Align::Left) continue;
        const f32 middle = text->at.y - text->size * type::kMiddle;
        for (const Rect& key : scene.keys) {
            if (!key.contains({text->at.x, middle}) || !key.contains({text->at.x - 17, middle})) continue;
            const Rect sign{text->at.x - 26, middle - 4, 18, 8};
            std::set<Look> looks = looksOf(scene.marks, sign);
            if (!looks.empty()) entries.push_back({text->text, std::move(looks)});
            break;
        }
    }
    return entries;
}

std::string describe(const std::set<Look>& looks) {
    std::string text;
    for (const Look& look : looks)
        text += (text.empty() ? "" : "; ") + describe(look);
    return text;
}

struct Picture {
    std::string kind, where;  // what is drawn, and of which run
    Scene scene;
};

// Of every variant.
template <class Visit> void forEachPicture(const Fonts& fonts, Visit&& visit) {
    for (const catalog::Family& family : shipped().families())
        for (std::size_t variant = 0; variant < family.variants.size(); ++variant) {
            const std::string name = nameOfVariant(family, variant);
            const Expected<run::Run> run = runShipped(name, {});
            ASSERT_TRUE(run) << name << ": " << describe(run.error());
            for (const Cursor& cursor : placesToLookAt(*run, {explain::toEnd(*run, initialCursor(*run))}))
                for (const ViewRow& view : views()) {
                    if (view.showsBoth) continue;
                    for (const Size size : {Size{1280, 720}, Size{760, 520}}) {
                        const ViewInput in{.run = *run,
                                           .cursor = cursor,
                                           .profile = run->profile,
                                           .size = size,
                                           .metrics = fonts};
                        std::string kind(view.name);
                        if (view.name == "stage")
                            if (const auto shaped = buildShapedStage(in))
                                kind += " " + std::string(shaped->name);
                        visit(Picture{kind,
                                      fmt::format("{}, block {} {}, warp {}, step {}, {} x {}", name,
                                                  cursor.block.x, cursor.block.y, cursor.warp.value,
                                                  cursor.step + 1, size.width, size.height),
                                      view.build(in)});
                    }
                }
        }
}

TEST(LegendTest, NamesEveryMarkThatIsDrawnAndNoneThatIsNot) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    struct Seen {
        std::string kind, where;
        std::set<Look> drawn;
        std::set<Look> explained;
    };
    std::vector<Seen> pictures;
    struct Explained {
        std::string text, where;
    };
    std::map<std::string, std::map<std::set<Look>, Explained>> explained;  // by kind of picture
    std::set<std::string> complained;
    forEachPicture(*fonts, [&](const Picture& picture) {
        const Scene& scene = picture.scene;
        if (scene.keys.empty()) return;
        Seen seen{picture.kind,
                  picture.where,
                  looksOf(scene.marks, {0, 0, scene.size.width, scene.size.height}, scene.keys),
                  {}};
        for (const Entry& entry : entriesOf(scene)) {
            seen.explained.insert(entry.looks.begin(), entry.looks.end());
            explained[picture.kind].emplace(entry.looks, Explained{entry.text, picture.where});
            for (const Look& look : entry.looks)
                if (!seen.drawn.contains(look) && complained.insert(picture.kind + entry.text).second)
                    ADD_FAILURE() << picture.kind << ", " << picture.where << ": \"" << entry.text
                                  << "\" is explained, but not drawn: " << describe(look);
        }
        pictures.push_back(std::move(seen));
    });
    for (const Seen& picture : pictures)
        for (const auto& [looks, there] : explained[picture.kind])
            if (std::ranges::includes(picture.drawn, looks) &&
                !std::ranges::includes(picture.explained, looks) &&
                complained.insert(picture.kind + there.text).second)
                ADD_FAILURE() << picture.kind << ", " << picture.where << ": \"" << there.text
                              << "\" is drawn, but not explained as in " << there.where << ": "
                              << describe(looks);
    EXPECT_GT(pictures.size(), 800u);
}

// Entries that name no concept of CUDA: what a picture of this program marks, in everyday words.
const std::set<std::string_view> kPlain{"0.0 filled in",
                                        "a line every 32 elements",
                                        "accessed now",
                                        "active",
                                        "addend",
                                        "already read",
                                        "before",
                                        "chosen value",
                                        "columns",
                                        "copied earlier",
                                        "copied now",
                                        "cursor",
                                        "element not taken yet",
                                        "executes",
                                        "inactive",
                                        "its rows,",
                                        "its rows, columns",
                                        "later addend",
                                        "later round",
                                        "later sum",
                                        "more than the minimum",
                                        "needed rows, columns",
                                        "needed rows,",
                                        "never used",
                                        "new sum",
                                        "next sum",
                                        "not part of the result",
                                        "nothing left to do",
                                        "not written",
                                        "now",
                                        "nothing read",
                                        "other places of these elements",
                                        "other values, all else unchanged",
                                        "own element",
                                        "part of its elements",
                                        "path of a value",
                                        "path of an element",
                                        "problem",
                                        "read",
                                        "read from memory",
                                        "read now",
                                        "remaining path",
                                        "row, column in the matrix",
                                        "shown",
                                        "stale",
                                        "sum before",
                                        "sum before this product",
                                        "the same, not yet issued",
                                        "to come",
                                        "transferred, not used",
                                        "unchanged",
                                        "value",
                                        "value already read",
                                        "value before",
                                        "warning",
                                        "wrong result"};

TEST(LegendTest, SpeaksTheGlossarysWords) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    std::set<std::string> all;
    u32 withTerm = 0;
    forEachPicture(*fonts, [&](const Picture& picture) {
        for (const Entry& entry : entriesOf(picture.scene)) {
            if (!all.insert(entry.text).second) continue;
            const bool hasTerm = !explain::termsIn(entry.text, Language::English).empty();
            withTerm += hasTerm;
            EXPECT_TRUE(hasTerm || kPlain.contains(entry.text))
                << picture.kind << ", " << picture.where << ": \"" << entry.text
                << "\" has no word of the glossary";
        }
    });
    EXPECT_GT(withTerm, 30u);
}

// Each term that an entry names in English is the glossary's in Chinese too, under the same mark.
TEST(LegendTest, NamesTheSameTermsInChinese) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    std::set<std::pair<std::string, std::string>> compared;
    u32 named = 0;
    for (const catalog::Family& family : shipped().families())
        for (std::size_t variant = 0; variant < family.variants.size(); ++variant) {
            const std::string name = nameOfVariant(family, variant);
            const Expected<run::Run> run = runShipped(name, {});
            ASSERT_TRUE(run) << name << ": " << describe(run.error());
            for (const Cursor& cursor : placesToLookAt(*run, {}))
                for (const ViewRow& view : views()) {
                    if (view.showsBoth) continue;
                    const auto entriesIn = [&](Language language) {
                        std::map<std::set<Look>, std::string> texts;
                        for (const Entry& entry : entriesOf(view.build({.run = *run,
                                                  .cursor = cursor,
                                                  .profile = run->profile,
                                                  .size = {1280, 800},
                                                  .language = language,
                                                  .metrics = *fonts})))
                            texts.emplace(entry.looks, entry.text);
                        return texts;
                    };
                    const auto chinese = entriesIn(Language::Chinese);
                    for (const auto& [looks, text] : entriesIn(Language::English)) {
                        const auto same = chinese.find(looks);
                        if (same == chinese.end() || !compared.emplace(text, same->second).second) continue;
                        const auto there = explain::termsIn(same->second, Language::Chinese);
                        const auto saysVerb = [&](const explain::NamedTerm& term) {
                            return term.term->id == "load-store" &&
                                   (same->second.find("读取") != std::string::npos ||
                                    same->second.find("写入") != std::string::npos);
                        };
                        for (const explain::NamedTerm& term : explain::termsIn(text, Language::English)) {
                            ++named;
                            const bool isNamed = std::ranges::any_of(
                                there,
                                [&](const explain::NamedTerm& other) { return other.term == term.term; });
                            EXPECT_TRUE(isNamed || saysVerb(term))
                                << name << ", " << view.name << ": \"" << text << "\" names " << term.term->id
                                << ", \"" << same->second << "\" does not";
                        }
                    }
                }
        }
    EXPECT_GT(named, 40u);
}

}  // namespace
}  // namespace lockstep
