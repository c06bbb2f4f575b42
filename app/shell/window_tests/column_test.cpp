// At 1280 x 720 the column of the experiment and the line that says what to look at are whole: for every
// variant, in both languages. A column of many parameters scrolls, and lacks no part.
#include "app/panels/panels.h"
#include "app/panels/words.h"
#include "app/shell/drawing/offscreen.h"
#include "app/shell/shell.h"
#include "base/check.h"
#include "run/recordings/recordings.h"
#include "run/recordings/times_facts.h"
#include "run_shipped.h"
#include "viz/cursor/lookup.h"
#include "viz/testing/test_tidy.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep::shell {
namespace {

constexpr viz::Size kLaptop{1280, 720};

const viz::Fonts& fonts() {
    static const Expected<viz::Fonts> fonts =
        viz::Fonts::load(std::filesystem::path(LOCKSTEP_BINARY_DIR) / "fonts");
    CHECK(fonts.has_value(), "the build's fonts must be readable");
    return *fonts;
}

// Without what wrapping may change.
std::string unwrapped(std::string text) {
    for (const std::string_view gap : {" ", "\n", "·"})
        for (std::size_t at = text.find(gap); at != std::string::npos; at = text.find(gap, at))
            text.erase(at, gap.size());
    return text;
}

std::vector<app::DrawnText> textsIn(const std::vector<app::DrawnText>& all, std::string_view window) {
    std::vector<app::DrawnText> texts;
    std::ranges::copy_if(all, std::back_inserter(texts),
                         [&](const app::DrawnText& text) { return text.window == window; });
    return texts;
}

enum class Height : u8 { Fits, MayScroll };

// Texts that were cut, that their window cuts, or that run into others, as sentences.
std::vector<std::string> faultsOf(const std::vector<app::DrawnText>& texts, Height height) {
    std::vector<std::string> faults;
    for (const app::DrawnText& text : texts) {
        const viz::Rect& box = text.box;
        const viz::Rect seen = viz::meet(box, text.clip);
        if (text.text.ends_with("…") && !text.text.ends_with("……"))
            faults.push_back("\"" + text.text + "\" is cut");
        const bool isWide = seen.width < box.width - 0.5f, isLow = seen.height < box.height - 0.5f;
        if (isWide || (isLow && height == Height::Fits))
            faults.push_back("\"" + text.text + "\" is not in sight as a whole");
    }
    for (std::size_t a = 0; a < texts.size(); ++a)
        for (std::size_t b = a + 1; b < texts.size(); ++b)
            if (const viz::Rect common = viz::meet(texts[a].box, texts[b].box);
                common.width > 1 && common.height > 1)
                faults.push_back("\"" + texts[a].text + "\" and \"" + texts[b].text + "\" overlap");
    return faults;
}

// What the column has to say of the state, but for the words that are its titles and the values in its
// fields.
std::vector<std::string> saidOf(const app::State& state) {
    const catalog::Family& family = *state.catalog->find(state.choice.family);
    std::set<std::string> fields;
    for (const catalog::Parameter& parameter : family.parameters)
        if (const auto value = state.choice.values.find(parameter.name); value != state.choice.values.end())
            fields.insert(parameter.name + " = " + parameter.shown(value->second));
    const std::string block =
        viz::coordinates(state.cursor.block, viz::launchOf(*state.run, state.cursor.launch).grid) + " · ";
    std::vector<std::string> said;
    for (const app::ColumnText& text : app::experimentTexts(state)) {
        if (text.isHeading || text.text.starts_with(block)) continue;
        said.push_back(fields.contains(text.text) ? text.text.substr(0, text.text.find(" = ")) : text.text);
    }
    return said;
}

// With the sizes that it comes with, as the window makes it, and what was measured of it.
run::Run runOf(const catalog::Family& family, const catalog::Variant& variant) {
    static const std::vector<run::RecordedMachine> machines = [] {
        Expected<std::vector<run::HardwareRecording>> recordings =
            run::shippedRecordings({LOCKSTEP_SOURCE_DIR});
        CHECK(recordings.has_value(), "the recordings must be readable");
        return run::recordedMachines(std::move(*recordings), shipped());
    }();
    Expected<run::Experiment> experiment =
        run::open({LOCKSTEP_SOURCE_DIR}, family, variant, catalog::resolve(family, variant, {}).value());
    CHECK(experiment.has_value(), "a shipped kernel must open");
    constexpr u64 kSmallGrid = 16;
    run::Options options;
    options.emulator.focusAll = experiment->launches.front().grid.count() <= kSmallGrid;
    Expected<run::Run> run = run::run(std::move(*experiment), options);
    CHECK(run.has_value(), "a shipped kernel must run");
    run::attachRecorded(*run, machines);
    return std::move(*run);
}

Request requestOf(const catalog::Family& family, const catalog::Variant& variant, run::Run run) {
    return {.catalog = &shipped(),
            .resources = {LOCKSTEP_SOURCE_DIR},
            .fontFolder = {},
            .choice = {family.name, variant.name, catalog::resolve(family, variant, {}).value()},
            .run = std::make_shared<const run::Run>(std::move(run)),
            .cursor = {},
            .view = {},
            .size = kLaptop};
}

// All that they say, in the order in which it is drawn.
std::string allOf(const std::vector<app::DrawnText>& texts) {
    std::string all;
    for (const app::DrawnText& text : texts)
        all += unwrapped(text.text);
    return all;
}

class ColumnTest : public ::testing::Test {
protected:
    // In both languages.
    void look(const catalog::Family& family, const catalog::Variant& variant, run::Run run, Height height) {
        Request request = requestOf(family, variant, std::move(run));
        for (const Language language : {Language::English, Language::Chinese}) {
            SCOPED_TRACE(family.name + "/" + variant.name +
                         (language == Language::Chinese ? " zh-CN" : " en"));
            request.language = language;
            lookAt(firstState(request), height);
        }
    }

private:
    void lookAt(const app::State& state, Height height) {
        const std::vector<app::DrawnText> all = window_.texts(state), column = textsIn(all, "##experiment"),
                                          brief = textsIn(all, "##brief");
        for (const std::string& fault : faultsOf(column, height))
            ADD_FAILURE() << "the column: " << fault;
        for (const std::string& fault : faultsOf(brief, Height::Fits))
            ADD_FAILURE() << "what to look at: " << fault;
        for (const Words* title : {&app::words::kExperiment, &app::words::kFamily, &app::words::kVariant,
                                   &app::words::kResult, &app::words::kBlockInFocus})
            EXPECT_EQ(std::ranges::count(column, title->in(state.language), &app::DrawnText::text), 1)
                << "the column has all its titles: " << title->english();
        const std::string written = allOf(column);
        for (const std::string& text : saidOf(state))
            EXPECT_NE(written.find(unwrapped(text)), std::string::npos)
                << "the column lacks \"" << text << "\"";
        const std::string line = app::briefOf(state);
        EXPECT_TRUE(!line.empty() && std::ranges::count(brief, line, &app::DrawnText::text) == 1)
            << "what to look at is one whole line";
    }

    Offscreen window_{fonts(), kLaptop, 1};
};

// With more parameters than this, it scrolls.
constexpr std::size_t kMostParametersInSight = 5;

TEST_F(ColumnTest, IsInSightAsAWholeForEveryVariant) {
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants)
            look(family, variant, runOf(family, variant),
                 variant.parameters.size() > kMostParametersInSight ? Height::MayScroll : Height::Fits);
}

TEST_F(ColumnTest, IsNotCutWhereThereIsMoreToSayThanItHasRoomFor) {
    const auto parametersOf = [](const catalog::Variant& variant) { return variant.parameters.size(); };
    for (const catalog::Family& family : shipped().families()) {
        const catalog::Variant& variant = *std::ranges::max_element(family.variants, {}, parametersOf);
        run::Run run = runOf(family, variant);
        run.recording.complete = false;
        run.comparison =
            catalog::Comparison{.correct = false,
                                .maxError = 1,
                                .wrongCount = 268'435'456,
                                .first = {{"row_partials", 268'435'455, -1.234567e+300, 9.876543e-300}}};
        look(family, variant, std::move(run), Height::MayScroll);
    }
}

// Nothing where all values are prebuilt, or where the others can be compiled.
TEST_F(ColumnTest, SaysWhichValuesArePrebuiltWhereOthersCannotBeCompiled) {
    struct Case {
        const char *kernel, *said;
    };
    for (const Case& c : {Case{"matmul/tiled",
                               "Prebuilt: 2, 4, 8, 16 and 32; any other value needs NVRTC: run "
                               "scripts/get-nvrtc or install the CUDA toolkit"},
                          Case{"reduction/turnkey", "Prebuilt: sum and max; any other value needs NVRTC"},
                          Case{"matmul/naive", ""}, Case{"stencil/tiled", ""}}) {
        SCOPED_TRACE(c.kernel);
        const auto [family, variant] = shipped().lookUp(c.kernel).value();
        app::State state = firstState(requestOf(*family, *variant, runOf(*family, *variant)));
        for (const bool hasCompiler : {true, false}) {
            state.hasCompiler = hasCompiler;
            const std::vector<app::DrawnText> column =
                textsIn(Offscreen(fonts(), kLaptop, 1).texts(state), "##experiment");
            for (const std::string& fault : faultsOf(column, Height::MayScroll))
                ADD_FAILURE() << fault;
            const std::string written = allOf(column);
            if (hasCompiler || !*c.said)
                EXPECT_EQ(written.find("Prebuilt"), std::string::npos);
            else
                EXPECT_NE(written.find(unwrapped(c.said)), std::string::npos) << written;
            for (const bool canFetch : {false, true}) {
                state.canFetchCompiler = canFetch;
                EXPECT_EQ(allOf(textsIn(Offscreen(fonts(), kLaptop, 1).texts(state), "##experiment"))
                                  .find(unwrapped("Fetch the CUDA compiler")) != std::string::npos,
                          canFetch && !hasCompiler && *c.said);
            }
            state.canFetchCompiler = false;
        }
    }
}

// Beside the button that fetches the compiler, in the smallest window.
TEST_F(ColumnTest, WhatIsWrongIsSaidAsAWhole) {
    const auto [family, variant] = shipped().lookUp("matmul/tiled-bounds").value();
    Request request = requestOf(*family, *variant, runOf(*family, *variant));
    request.size = {800, 600};
    for (const bool isProgram : {false, true}) {
        app::State state = firstState(request);
        state.hasCompiler = false, state.canFetchCompiler = true;
        state.program.open = isProgram;
        state.fault =
            fail(FaultKind::NotFound,
                 Message::plain("compiling CUDA needs NVRTC, which is not on this machine; run "
                                "scripts/get-nvrtc or install the CUDA toolkit (the prebuilt kernels of "
                                "the catalog run without it)"))
                .value();
        const std::vector<app::DrawnText> said = textsIn(Offscreen(fonts(), request.size, 1).texts(state),
                                                         isProgram ? "##programstatus" : "##sentence");
        EXPECT_NE(allOf(said).find(unwrapped("run without it)")), std::string::npos) << allOf(said);
        EXPECT_NE(allOf(said).find(unwrapped("Fetch the CUDA compiler")), std::string::npos) << allOf(said);
        for (const std::string& fault : faultsOf(said, Height::Fits))
            ADD_FAILURE() << fault;
    }
}

TEST_F(ColumnTest, SaysWhatToLookAtAsAWholeOrNotAtAll) {
    const auto [family, variant] = shipped().lookUp("matmul/tiled-bounds").value();
    Request request = requestOf(*family, *variant, runOf(*family, *variant));
    bool isLeftOut = false, isThere = false;
    for (request.size.height = 720; request.size.height <= 1400; request.size.height += 20) {
        SCOPED_TRACE(request.size.height);
        const std::vector<app::DrawnText> column =
            textsIn(Offscreen(fonts(), request.size, 1).texts(firstState(request)), "##experiment");
        for (const std::string& fault : faultsOf(column, Height::Fits))
            ADD_FAILURE() << fault;
        const bool isHeaded = std::ranges::count(column, "What to look at", &app::DrawnText::text) == 1;
        const bool isSaid =
            allOf(column).find(unwrapped(variant->look.in(Language::English))) != std::string::npos;
        EXPECT_EQ(isHeaded, isSaid);
        EXPECT_FALSE(isThere && !isSaid) << "a higher window says no less";
        isLeftOut |= !isSaid;
        isThere |= isSaid;
    }
    EXPECT_TRUE(isLeftOut && isThere) << "the test sees where it begins";
}

}  // namespace
}  // namespace lockstep::shell
