// Machine code in the source view, and what the views say of where the compiler's part comes from.
#include "explain/cursor/navigation.h"
#include "run/machine/machine_lines.h"
#include "viz/messages.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_machine.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"
#include "viz/view_options.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

std::string textsOf(const Scene& scene) {
    std::string all;
    for (const Mark& mark : scene.marks)
        if (const auto* written = std::get_if<TextMark>(&mark)) all += written->text + " ";
    return all;
}

bool says(const Scene& scene, std::string_view text) {
    return textsOf(scene).find(text) != std::string::npos;
}

// The place of a piece of code; none where the scene does not have it.
std::optional<Point> placeOf(const Scene& scene, std::string_view text) {
    for (const Mark& mark : scene.marks)
        if (const auto* written = std::get_if<TextMark>(&mark);
            written && written->text.find(text) != std::string::npos)
            return written->at;
    return std::nullopt;
}

class MachineTab : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene draw(const char* view, const run::Run& run, const Cursor& cursor, SourceTab tab = SourceTab::Cuda,
               Language language = Language::English) {
        return findView(view)->build({.run = run,
                                      .cursor = cursor,
                                      .profile = model::defaultProfile(),
                                      .size = {900, 640},
                                      .language = language,
                                      .metrics = *fonts_,
                                      .state = {.pan = {}, .zoom = 0, .options = SourceOptions{tab}}});
    }
    Cursor at(u32 step) const {
        return {.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{1}, .step = step};
    }
    Pc pcAt(const run::Run& run, const Cursor& cursor) const {
        return run.recording.trace.find({}, cursor.block)->warps[0].steps[cursor.step].pc;
    }

    std::optional<Fonts> fonts_;
};

TEST_F(MachineTab, HasTheKernelsInstructionsWithTheirOffsets) {
    const run::Run run = tiledMatmulMachine(tiledMatmul(3, 2, true));
    const Scene scene = draw("source", run, at(8), SourceTab::Machine);
    EXPECT_TRUE(says(scene, "LDS.64"));
    EXPECT_TRUE(says(scene, "0070")) << "the eighth instruction of 16 bytes";
    EXPECT_TRUE(says(scene, "ptxas 13.0.88 for sm_90: 13 instructions, 40 registers per thread"));
    EXPECT_TRUE(says(draw("source", run, at(8), SourceTab::Machine, Language::Chinese), "机器码"));
}

TEST_F(MachineTab, LeadsFromAnInstructionToItsSourceLine) {
    const run::Run run = tiledMatmulMachine(tiledMatmul(3, 2, true));
    const Scene scene = draw("source", run, at(0), SourceTab::Machine);
    const std::optional<Point> load = placeOf(scene, "LDS.64");
    ASSERT_TRUE(load);
    const Hit* hit = scene.hitAt({load->x + 2, load->y});
    ASSERT_TRUE(hit && hit->go);
    EXPECT_EQ(pcAt(run, *hit->go), Pc{8}) << "the PTX instruction that it came from";
    EXPECT_EQ(
        hit->hover,
        "LDS.64: loads from shared memory.\nMachine instruction at 0x0070: from PTX instruction 8, line 11.");
    const std::optional<Point> jump = placeOf(scene, "BRA");
    ASSERT_TRUE(jump);
    const Hit* none = scene.hitAt({jump->x + 2, jump->y});
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->go);
    EXPECT_EQ(none->hover, "BRA: jumps.\nMachine instruction at 0x00c0: from no instruction of the PTX.");
}

TEST_F(MachineTab, LightsWhatTheCurrentLineBecame) {
    run::Run run = tiledMatmulMachine(tiledMatmul(3, 2, true));
    Cursor cursor = at(0);
    while (pcAt(run, cursor) != Pc{9})
        ++cursor.step;  // the FMA of line 11
    const Scene scene = draw("source", run, cursor, SourceTab::Machine);
    const auto litAt = [&](std::string_view text) {
        const std::optional<Point> place = placeOf(scene, text);
        return place && std::ranges::any_of(scene.marks, [&](const Mark& mark) {
                   const auto* rect = std::get_if<RectMark>(&mark);
                   return rect && rect->rect.width > 300 && rect->rect.height < 40 &&
                          rect->rect.contains({place->x, place->y});
               });
    };
    EXPECT_TRUE(litAt("LDS.64")) << "line 11, too";
    EXPECT_TRUE(litAt("FFMA"));
    EXPECT_FALSE(litAt("STG.E")) << "line 15";
}

TEST_F(MachineTab, OffersToFetchTheToolkitWhereThatIsMissing) {
    run::Run run = tiledMatmul(3, 2, true);
    const auto buttons = [&](const Fault& why, bool canFetch) {
        auto machine = std::make_shared<run::MachineRun>();
        machine->why = why;
        run.machine = machine;
        const Scene scene =
            findView("source")->build({.run = run,
                                       .cursor = at(8),
                                       .profile = model::defaultProfile(),
                                       .size = {500, 400},
                                       .metrics = *fonts_,
                                       .state = {.options = SourceOptions{SourceTab::Machine}},
                                       .canFetchToolkit = canFetch});
        EXPECT_TRUE(scene.isSentenceAlone);
        return std::ranges::count_if(scene.hits, [](const HitArea& area) { return area.hit.fetchesToolkit; });
    };
    const Fault missing = fail(FaultKind::NotFound,
                               english("showing machine code needs ptxas, which is not on this machine; run "
                                       "scripts/get-ptxas or install the CUDA toolkit"))
                              .value();
    EXPECT_EQ(buttons(missing, true), 1);
    EXPECT_EQ(buttons(missing, false), 0) << "in an exported picture";
    EXPECT_EQ(buttons(fail(FaultKind::Unsupported, english("It failed")).value(), true), 0);
}

TEST_F(MachineTab, SaysHowToGetTheToolkit) {
    run::Run run = tiledMatmul(3, 2, true);
    EXPECT_TRUE(says(draw("source", run, at(8), SourceTab::Machine), "being made"));
    auto machine = std::make_shared<run::MachineRun>();
    machine->why = Fault{.kind = FaultKind::NotFound,
                         .message = Text{"run scripts/get-ptxas", "请运行 scripts/get-ptxas"},
                         .place = {},
                         .pc = {},
                         .block = {},
                         .thread = {}};
    run.machine = machine;
    const Scene scene = draw("source", run, at(8), SourceTab::Machine);
    EXPECT_TRUE(says(scene, "scripts/get-ptxas"));
    std::vector<SourceTab> tabs;
    for (const HitArea& area : scene.hits)
        if (area.hit.options) tabs.push_back(optionsAs<SourceOptions>(*area.hit.options).tab);
    EXPECT_EQ(tabs, (std::vector<SourceTab>{SourceTab::Cuda, SourceTab::Ptx, SourceTab::Machine}))
        << "the way back";
    EXPECT_TRUE(says(draw("source", run, at(8), SourceTab::Machine, Language::Chinese), "请运行"));
}

TEST_F(MachineTab, GivesAnAccessItsCostWhereTheMachineMakesItOnce) {
    run::Run run = tiledMatmulMachine(tiledMatmul(3, 2, true));
    model::SiteReport first{.launch = {},
                            .pc = Pc{7},
                            .opcode = {},
                            .text = {},
                            .file = {},
                            .space = trace::Space::Shared,
                            .kind = trace::AccessKind::Load,
                            .merged = {}};
    first.executions = 10;
    first.wavefronts = 20;
    first.merged = model::SiteReport::Merged{
        .first = Pc{7}, .widthBytes = 8, .members = {Pc{7}, Pc{8}}, .wavefronts = 14};
    model::SiteReport second = first;
    second.pc = Pc{8};
    second.merged->wavefronts = 0;
    run.report.sites = {first, second};
    const std::vector<run::MachineLine> lines = machineLines(run, {});
    const auto load = std::ranges::find(lines, "  LDS.64 R12, [R6]", &run::MachineLine::text);
    ASSERT_NE(load, lines.end());
    EXPECT_EQ(load->wavefronts, 14u) << "the merged access, once";
    run::Run twice =
        withMachineCode(run, {{"", "LDS.64", "R12, [R6]", 8}, {"", "LDS.64", "R14, [R6+0x8]", 8}});
    for (const run::MachineLine& line : machineLines(twice, {}))
        EXPECT_EQ(line.wavefronts, 0u) << "which of the copies ran how often is not known";
}

TEST_F(MachineTab, ViewsSayWhoKnowsWhatTheCompilerDid) {
    run::Run run = tiledMatmul(32, 8, true);
    Cursor cursor{.launch = {}, .block = {1, 1, 0}, .warp = Warp{0}, .lane = Lane{1}, .step = 0};
    const auto& steps = run.recording.trace.find({}, cursor.block)->warps[0].steps;
    while (steps[cursor.step].pc != Pc{7})
        ++cursor.step;
    model::SiteReport site{.launch = {},
                           .pc = Pc{7},
                           .opcode = {},
                           .text = {},
                           .file = {},
                           .space = trace::Space::Shared,
                           .kind = trace::AccessKind::Load,
                           .merged = {}};
    site.executions = site.wavefronts = site.idealWavefronts = 10;
    site.merged = model::SiteReport::Merged{
        .first = Pc{7}, .widthBytes = 16, .members = {Pc{7}, Pc{8}}, .wavefronts = 4, .idealWavefronts = 4};
    run.report.sites = {site};
    const auto banks = [&] {
        return findView("banks")->build({.run = run,
                                         .cursor = cursor,
                                         .profile = model::defaultProfile(),
                                         .size = {1440, 800},
                                         .metrics = *fonts_});
    };
    EXPECT_TRUE(says(banks(), "(According to the compiler model.)"));
    EXPECT_TRUE(says(draw("memory", run, cursor), "merged by the compiler, modeled"));
    run.report.sites[0].fromMachineCode = true;
    EXPECT_TRUE(says(banks(), "(From the machine code, SASS.)"));
    EXPECT_TRUE(says(draw("memory", run, cursor), "merged by the compiler, from SASS"));
    run.report.sites[0].merged.reset();
    run.report.sites[0].removed = true;
    EXPECT_TRUE(says(banks(), "The compiler removed this access"));

    model::BranchReport branch{.launch = {}, .pc = Pc{7}, .text = {}, .file = {}};
    branch.form = model::BranchForm::Predication;
    run.report.branches = {branch};
    EXPECT_TRUE(says(draw("lanes", run, cursor), "runs as predicated instructions (modeled)"));
    run.report.branches[0].fromMachineCode = true;
    EXPECT_TRUE(says(draw("lanes", run, cursor), "runs as predicated instructions (from SASS)"));
}

TEST_F(MachineTab, RegistersOfTheMachineCodeMakeTheOccupancyWhole) {
    run::Run run = tiledMatmul(32, 8, true);
    run.report.sites.push_back({.launch = {},
                                .pc = Pc{7},
                                .opcode = {},
                                .text = {},
                                .file = {},
                                .space = trace::Space::Shared,
                                .kind = trace::AccessKind::Load,
                                .merged = {}});
    EXPECT_TRUE(says(draw("memory", run, at(0)), "not known"));
    run = tiledMatmulMachine(std::move(run));
    EXPECT_TRUE(says(draw("memory", run, at(0)), "40 registers per thread, from SASS"));
    ASSERT_TRUE(run::registersOf(run, model::defaultProfile()));
    EXPECT_FALSE(run::registersOf(run, *model::findProfile("cc80"))) << "that device has other code";
}

}  // namespace
}  // namespace lockstep::viz
