// What there is to read about every variant: it is there in both languages, every link leads somewhere, every
// note's figures are figures, and the one line fits into the smallest window.
#include "looked_at.h"
#include "run/recordings/recordings.h"
#include "run/recordings/times_facts.h"
#include "viz/cursor/links.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/presentation.h"
#include "viz/noted.h"
#include "viz/notes/note_figures.h"
#include "viz/notes/notes.h"
#include "viz/scene/fonts.h"
#include "viz/scene/scene_text.h"
#include "viz/scene/tokens.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

using namespace viz;

constexpr f32 kSmallestWindow = 640;

class ReadTest : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
        Expected<std::vector<run::HardwareRecording>> recordings =
            run::shippedRecordings({LOCKSTEP_SOURCE_DIR});
        ASSERT_TRUE(recordings) << describe(recordings.error());
        machines_ = run::recordedMachines(std::move(*recordings), shipped());
    }
    static void TearDownTestSuite() {
        machines_.clear();
        fonts_.reset();
    }
    static ViewInput inputOf(const run::Run& run, Language language, Size size = {460, 4000}) {
        return {.run = run,
                .cursor = initialCursor(run),
                .profile = run.profile,
                .size = size,
                .language = language,
                .metrics = *fonts_,
                .machines = &machines_};
    }
    template <class Look> static void forEveryVariant(Look&& look) {
        for (const catalog::Family& family : shipped().families())
            for (const catalog::Variant& variant : family.variants) {
                const std::string name = family.name + "/" + variant.name;
                const Expected<run::Run> run = runShipped(name, {});
                ASSERT_TRUE(run) << name << ": " << describe(run.error());
                look(name, *run);
            }
    }
    static inline std::vector<run::RecordedMachine> machines_;
    static inline std::optional<Fonts> fonts_;
};

std::string allText(const Scene& scene) {
    std::string all;
    for (const Mark& mark : scene.marks)
        if (const auto* text = std::get_if<TextMark>(&mark)) all += text->text + "\n";
    return all;
}

// Without what wrapping may change.
std::string withoutSpaces(std::string_view text) {
    std::string kept;
    for (const char c : text)
        if (c != ' ' && c != '\n') kept += c;
    return kept;
}

TEST_F(ReadTest, TheOneLineFitsIntoTheSmallestWindow) {
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants)
            for (const Language language : {Language::English, Language::Chinese}) {
                const std::string brief(variant.brief.in(language));
                EXPECT_FALSE(brief.empty()) << family.name << "/" << variant.name
                                            << " needs 'brief', the one line that says what to look at";
                EXPECT_TRUE(language == Language::English || brief != variant.brief.en) << variant.name;
                const f32 room =
                    kSmallestWindow - 4 - 3 * space::kInset -
                    fonts_->width(language == Language::Chinese ? "阅读" : "Read", type::kBody, Face::Text);
                EXPECT_LE(fonts_->width(brief, type::kCode, Face::Text), room)
                    << family.name << "/" << variant.name << ": " << brief;
            }
}

TEST_F(ReadTest, EveryTextOfAVariantAndItsFamilyIsThereAndWhole) {
    forEveryVariant([](const std::string& name, const run::Run& run) {
        for (const Language language : {Language::English, Language::Chinese}) {
            const Scene scene = findView("read")->build(inputOf(run, language));
            const std::string said = withoutSpaces(allText(scene));
            const catalog::Variant& variant = *run.catalog->variant;
            for (const std::string& text :
                 {variant.brief.in(language), variant.look.in(language), variant.fixes.in(language),
                  variant.wrong.in(language), run.catalog->family->story.in(language)})
                EXPECT_NE(said.find(withoutSpaces(text)), std::string::npos) << name << ": " << text;
            for (const Note& note : notesOf(inputOf(run, language)))
                EXPECT_NE(said.find(withoutSpaces(note.answer)), std::string::npos)
                    << name << ": " << note.answer;
            EXPECT_LE(scene.textHeight, 4000) << name;
            EXPECT_TRUE(wrongTexts(scene, *fonts_).empty())
                << name << ": " << wrongTexts(scene, *fonts_).front();
        }
    });
}

TEST_F(ReadTest, EveryLinkLeadsSomewhereInBothLanguages) {
    forEveryVariant([](const std::string& name, const run::Run& run) {
        const ViewInput in = inputOf(run, Language::English);
        LinkPlaces places;
        const catalog::Variant& variant = *run.catalog->variant;
        for (const catalog::LinkedText* text :
             {&variant.look, &variant.fixes, &variant.wrong, &run.catalog->family->story}) {
            std::vector<catalog::LinkTarget> english, chinese;
            for (const catalog::TextLink& link : text->linksIn(Language::English))
                english.push_back(link.target);
            for (const catalog::TextLink& link : text->linksIn(Language::Chinese))
                chinese.push_back(link.target);
            EXPECT_EQ(english, chinese)
                << name << ": both languages lead to the same places, in the same order";
            for (const catalog::LinkTarget& target : english) {
                const std::optional<Hit> hit = hitOf(in, target, places);
                EXPECT_TRUE(hit) << name << ": a link leads nowhere: " << target.name << target.number;
                if (hit && hit->variant) {
                    EXPECT_TRUE(shipped().lookUp(hit->variant->find('/') == std::string::npos
                                                     ? run.catalog->family->name + "/" + *hit->variant
                                                     : *hit->variant))
                        << name << ": " << *hit->variant;
                }
                if (hit && hit->go) {
                    EXPECT_LT(hit->go->step, stepsOfWarp(run, *hit->go)) << name;
                }
            }
        }
    });
}

TEST_F(ReadTest, FiguresOfNotesAreFigures) {
    u32 sentences = 0;
    for (const catalog::Family& family : shipped().families())
        for (const catalog::NoteTemplate& note : family.notes) {
            const Expected<run::Run> run =
                runShipped(family.name + "/" +
                               (note.variants.empty() ? family.variants.front().name : note.variants.front()),
                           {});
            ASSERT_TRUE(run) << note.name;
            const ViewInput in = inputOf(*run, Language::English);
            const NoteFigures figures(in);
            for (const std::string& view : note.views)
                EXPECT_NE(findView(view), nullptr) << note.name << ": " << view;
            std::vector<const Text*> texts{&note.question};
            for (const Text& sentence : note.answer)
                texts.push_back(&sentence);
            for (const Text* text : texts)
                for (const std::string* said : {&text->en, &text->zh}) {
                    const auto written = noteText(*said, figures.lookup());
                    ASSERT_TRUE(written) << note.name << ": " << written.error().message.english();
                    EXPECT_TRUE(*written) << note.name << ": at the defaults all of it is known: " << *said;
                    ++sentences;
                }
        }
    EXPECT_GT(sentences, 50u);
    for (const GeneralNote& note : generalNotes())
        for (const std::string_view view : note.views)
            EXPECT_NE(findView(view), nullptr) << note.name;
}

TEST_F(ReadTest, QuestionsStandWhereTheirFiguresStand) {
    const Expected<run::Run> run = runShipped("matmul/tiled", {});
    ASSERT_TRUE(run);
    for (const Language language : {Language::English, Language::Chinese})
        for (const ViewRow& view : views())
            for (const Size size : {Size{1142, 770}, Size{460, 400}, Size{538, 770}}) {
                const ViewInput in = inputOf(*run, language, size);
                const Scene scene = buildNoted(view, in);
                const std::string said = allText(scene);
                u32 asked = 0;
                for (const Note& note : notesOf(in, view.name))
                    asked += said.find(note.question) != std::string::npos;
                if (view.name == "times" || view.name == "memory") {
                    EXPECT_GT(asked, 0u) << view.name << ", " << size.width;
                }
                for (const HitArea& area : scene.hits)
                    if (area.hit.view && view.name != "read") {
                        EXPECT_EQ(*area.hit.view, "read");
                    }
                EXPECT_TRUE(wrongTexts(scene, *fonts_).empty())
                    << view.name << ": " << wrongTexts(scene, *fonts_).front();
            }
}

TEST_F(ReadTest, ANoteComputesItsFiguresFromTheRun) {
    const Expected<run::Run> run = runShipped("reduction/v6", {{"n", "65536"}});
    ASSERT_TRUE(run);
    const std::vector<Note> notes = notesOf(inputOf(*run, Language::English), "times");
    const auto cost = std::ranges::find(notes, "cost", &Note::name);
    ASSERT_NE(cost, notes.end());
    // Brent, as the course has it: 4,096 processors, 27 steps, 1.7 N instead of 16 N.
    for (const char* part : {"65,536 elements takes 16 rounds", "16 times what one processor needs",
                             "4,096 here", "takes 27 rounds and costs 1.69 times n"})
        EXPECT_NE(cost->answer.find(part), std::string::npos) << part << " in: " << cost->answer;
}

TEST_F(ReadTest, AFileOfTheUsersOwnHasItsPlacesToo) {
    Expected<run::Run> run = runShipped("reduction/v1", {});
    ASSERT_TRUE(run);
    run->catalog.reset();
    const Scene scene = findView("read")->build(inputOf(*run, Language::English));
    const std::string said = allText(scene);
    EXPECT_NE(said.find("No text comes with this file"), std::string::npos);
    EXPECT_NE(said.find("first bank conflict"), std::string::npos);
    EXPECT_TRUE(std::ranges::any_of(scene.hits, [](const HitArea& area) { return area.hit.go.has_value(); }));
}

}  // namespace
}  // namespace lockstep
