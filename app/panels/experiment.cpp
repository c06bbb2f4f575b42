// The left column: kernel, sizes, block, and results.
#include "app/panels/column.h"
#include "app/panels/editor/editor_words.h"
#include "app/panels/first_run.h"
#include "app/panels/lesson/exercise_words.h"
#include "app/panels/lesson/lesson_column.h"
#include "app/panels/lesson/lesson_words.h"
#include "app/panels/panels.h"
#include "app/panels/program/program_words.h"
#include "app/panels/trace_source.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/choice_text.h"
#include "app/state/exercise_place.h"
#include "app/state/verdicts.h"
#include "base/progress.h"
#include "base/text/counted.h"
#include "base/text/percent.h"
#include "catalog/prebuilt.h"
#include "exercises/exercise.h"
#include "exercises/judge.h"
#include "explain/sentences/words.h"
#include "run/activity.h"
#include "run/run.h"
#include "run/sample/sample_choice.h"
#include "viz/cursor/lookup.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>

namespace lockstep::app {
namespace {

using viz::RoleKind;

constexpr TextLook kHeading{.face = viz::Face::TextBold};
constexpr TextLook kSecond{.role = RoleKind::TextSecond};
constexpr TextLook kNote{.size = viz::type::kAxis, .role = RoleKind::TextThird};
constexpr s64 kLogarithmicFrom = 256;  // ranges this wide are too coarse for a linear slider

constexpr f32 kRuled = 1 + viz::space::kGrid;  // height of a separator

void rule(PanelContext& context) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const f32 y = at.y + viz::space::kGrid;
    ImGui::GetWindowDrawList()->AddLine({at.x, y}, {at.x + ImGui::GetContentRegionAvail().x, y},
                                        ink(context, RoleKind::Line));
    ImGui::Dummy({1, kRuled});
}

// How the column avoids scrolling: blocks in a list instead of buttons; parameters on one line each, without
// sliders; low controls; and the lists of families and variants beside their titles. If that is not enough,
// it scrolls: it has the same parts for every kernel.
struct Fit {
    bool blocksInList = false, parametersInLine = false, isLow = false, listsInLine = false;
};
constexpr Fit kFits[]{{}, {.blocksInList = true}, {true, true}, {true, true, true}, {true, true, true, true}};

constexpr int kFirstOfLowControls = 2;  // from it on, the controls themselves have another form

constexpr Fit kScrolled{true, true, true};

constexpr f32 kTightest = 3;        // between two parts
constexpr f32 kRoomy = 5;           // the overview is omitted rather than be smaller
constexpr f32 kLowPadding = 3;      // of a low control, above and below its text
constexpr f32 kVerdictIndent = 22;  // for its icon

// The blocks that can be selected: all of a small grid, the focus blocks of a large one.
struct Choosable {
    std::vector<Dim3> blocks;
    u32 columns = 1;
    u32 rows() const { return u32((blocks.size() + columns - 1) / columns); }
};

// The column's content, independent of its height.
struct Contents {
    const catalog::Family* family = nullptr;
    const catalog::Variant* variant = nullptr;
    std::vector<const catalog::Parameter*> parameters;  // settable parameters
    std::vector<Verdict> verdicts;
    Choosable blocks;
    std::vector<std::string> blockFacts;
};

// The column as laid out for one Fit.
struct Column {
    PanelContext& context;
    const Contents& contents;
    Fit fit;
    f32 width = 0;
    std::vector<ColumnPart> parts{};
    std::size_t controls = 0;  // the first parts: what a run's result below must not move

    Language language() const { return context.state.language; }
    void add(f32 height, std::function<void()> draw, bool isClose = false) {
        parts.push_back({height, std::move(draw), isClose});
    }
    void addLabel(std::string text, TextLook look) {
        add(lineOf(look), [this, text = std::move(text), look] { label(context, text, look); });
    }
    void addParagraph(std::string text, TextLook look) {
        const f32 height = heightOf(context, text, look, width);
        add(height, [this, text = std::move(text), look] { paragraph(context, text, look, width); });
    }
    void addRule() {
        add(kRuled, [this] { rule(context); });
    }
    f32 padding() const { return fit.isLow ? kLowPadding : ImGui::GetStyle().FramePadding.y; }
    // The height of a control with text in this font.
    f32 frame(viz::Face face = viz::Face::Text) const {
        return std::round(context.fonts.size(face, viz::type::kBody)) + 2 * padding();
    }
    f32 button() const { return fit.isLow ? frame() : kControlHeight; }
    static f32 lineOf(TextLook look) { return std::round(look.size * viz::type::kLineHeight); }
};

// A label at the left of a control of height `frame`.
void titleBeside(PanelContext& context, std::string_view title, f32 frame) {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::floor((frame - Column::lineOf(kSecond)) / 2));
    label(context, std::string(title), kSecond);
}

// A list below its title, closer to it than to the control above; or beside it, with both lists aligned.
// Draws the list in the given width.
void addList(Column& column, std::string_view title, const Help& help, std::string_view shown,
             std::function<void(f32)> draw) {
    PanelContext& context = column.context;
    const bool inLine = column.fit.listsInLine;
    f32 left = 0;
    if (inLine)
        for (const Words* words : {&words::kFamily, &words::kVariant})
            left = std::max(left, widthOf(context, words->in(column.language()), kSecond) + viz::space::kGap);
    const f32 width = column.width - left;
    const f32 height = wrappingDropDownHeight(context, shown, width, column.frame());
    const auto hover = [&context, help] {
        if (ImGui::IsItemHovered()) helpOn(context, help.text, help.page);
    };
    if (!inLine)
        column.add(Column::lineOf(kSecond), [&context, title, hover] {
            label(context, title, kSecond);
            hover();
        });
    column.add(
        height,
        [&context, title, hover, inLine, left, width, frame = column.frame(), draw = std::move(draw)] {
            const ImVec2 at = ImGui::GetCursorPos();
            if (inLine) {
                titleBeside(context, title, frame);
                hover();
                ImGui::SetCursorPos({at.x + left, at.y});
            }
            draw(width);
        },
        !inLine);
}

void addFamily(Column& column) {
    const std::span<const catalog::Family> families = column.context.state.catalog->families();
    const Help help{words::kFamilyHelp.in(column.language()), "guide/kernels.md"};
    const std::string_view shown =
        column.contents.family ? column.contents.family->title.in(column.language()) : std::string_view();
    addList(column, words::kFamily.in(column.language()), help, shown, [&column, families, help](f32 width) {
        std::vector<std::string> titles;
        for (const catalog::Family& f : families)
            titles.push_back(f.title.in(column.language()));
        const int on = column.contents.family ? int(column.contents.family - families.data()) : -1;
        const int chosen = wrappingDropDown(column.context, "##family", titles, on, help, width);
        if (chosen < 0) return;
        const catalog::Family& family = families[std::size_t(chosen)];
        column.context.send(ChooseVariant{family.name, family.variants.front().name});
    });
}

void addVariant(Column& column) {
    if (!column.contents.family) return;
    const catalog::Family& family = *column.contents.family;
    const Help help{words::kVariantHelp.in(column.language()), "guide/kernels.md"};
    const std::string_view shown =
        column.contents.variant ? column.contents.variant->title.in(column.language()) : std::string_view();
    addList(column, words::kVariant.in(column.language()), help, shown, [&column, &family, help](f32 width) {
        std::vector<std::string> titles, looks;
        for (const catalog::Variant& variant : family.variants) {
            titles.push_back(variant.title.in(column.language()));
            looks.push_back(variant.look.in(column.language()));
        }
        const int on = column.contents.variant ? int(column.contents.variant - family.variants.data()) : -1;
        const int chosen = wrappingDropDown(column.context, "##variant", titles, on, help, width, looks);
        if (chosen >= 0)
            column.context.send(ChooseVariant{family.name, family.variants[std::size_t(chosen)].name});
    });
}

// A file with a main() is a program, too.
void addRunProgram(Column& column) {
    column.add(column.button(), [&column] {
        const Help help{words::kRunProgramHelp.in(column.language()), "guide/window.md"};
        if (textButton(column.context, "run program", words::kRunProgram.in(column.language()), help,
                       column.width, column.button()))
            column.context.send(ProgramAction{RunProgram{}});
    });
}

// What is asked of the file, where an exercise asks something.
void addExercise(Column& column, const OwnKernel& own) {
    const State& state = column.context.state;
    const LessonState& lessons = state.lessons;
    if (!kernelOfExercise(lessons, own.file)) return;
    const Language language = column.language();
    const auto exercise = openExercise(lessons);
    column.addLabel(std::string(words::kExerciseOf.in(language)), kSecond);
    column.addParagraph(exercise->title.in(language), {.face = viz::Face::TextBold});
    column.addParagraph(exercise->task.in(language), kNote);
    column.add(column.button(), [&column, language] {
        const f32 wide = (column.width - viz::space::kGap) / 2;
        if (textButton(column.context, "judge", words::kLessonCheck.in(language),
                       {words::kExerciseCheckHelp.in(language), "guide/exercises.md"}, wide, column.button()))
            column.context.send(LessonAction{CheckExercise{}});
        ImGui::SameLine();
        if (textButton(column.context, "rules", words::kExerciseRules.in(language),
                       {words::kExerciseRulesHelp.in(language), "guide/exercises.md"}, wide, column.button()))
            column.context.send(LessonAction{ShowLessons{}});
    });
    const ExerciseAttempt& attempt = lessons.exercise;
    if (const EditedText* text = state.editedExperiment(); text && text->isUnsaved())
        column.addParagraph(std::string(words::kExerciseUnsaved.in(language)), kNote);
    if (attempt.ticket != 0)
        column.addParagraph(std::string(words::kExerciseUnderWay.in(language)), kNote);
    else if (attempt.fault)
        column.addParagraph(describe(*attempt.fault, language), {.role = RoleKind::Finding});
    if (attempt.ticket != 0 || attempt.fault || !attempt.verdict) return;
    const exercises::Verdict& verdict = *attempt.verdict;
    const bool isOld = isOutdated(verdict);
    column.addParagraph(say(language, isOld ? words::kExerciseEarlier : words::kExerciseVerdict,
                            verdict.held(), verdict.rules.size()),
                        {.role = isOld              ? RoleKind::TextSecond
                                 : verdict.passed() ? RoleKind::Load
                                                    : RoleKind::Finding});
}

// For a file: its name, its launch, and a button to change that.
void addOwnKernel(Column& column, const OwnKernel& own) {
    PanelContext& context = column.context;
    column.addLabel(std::string(words::kOwnFile.in(column.language())), kSecond);
    column.addParagraph(
        own.file.substr(own.file.rfind('/') + 1) + (own.entry.empty() ? "" : ": " + own.entry),
        {.face = viz::Face::TextBold});
    column.parts.back().draw = [&context, &own, draw = std::move(column.parts.back().draw)] {
        draw();
        if (ImGui::IsItemHovered()) tooltip(context, own.file);
    };
    // Values from the file's main() are not filled into the form.
    const auto written = [&](const std::string& given, Dim3 Launch::*part) {
        const std::shared_ptr<const run::Run>& run = context.state.run;
        if (!given.empty() || !run || run->recording.launches.empty()) return given;
        const Dim3 extents = run->recording.launches.front().*part;
        return extents.z > 1   ? fmt::format("{},{},{}", extents.x, extents.y, extents.z)
               : extents.y > 1 ? fmt::format("{},{}", extents.x, extents.y)
                               : fmt::format("{}", extents.x);
    };
    column.addParagraph(
        "--grid " + written(own.grid, &Launch::grid) + " --block " + written(own.block, &Launch::block),
        {.size = viz::type::kCode, .face = viz::Face::Mono, .role = RoleKind::TextSecond});
    column.add(column.button(), [&column, &own] {
        const Help help{words::kOwnLaunchHelp.in(column.language()), "guide/window.md"};
        if (textButton(column.context, "launch", words::kOwnLaunch.in(column.language()), help, column.width,
                       column.button()))
            column.context.send(OpenFile{own.file});
    });
    if (!context.state.editor.open)
        column.add(column.button(), [&column] {
            const Help help{words::kEditHelp.in(column.language()), "guide/editor.md"};
            if (textButton(column.context, "edit", words::kEdit.in(column.language()), help, column.width,
                           column.button()))
                column.context.send(EditorAction{EditFile{}});
        });
    if (context.state.program.files.contains(own.file)) addRunProgram(column);
    const Words& when = context.state.editedExperiment() ? words::kTextCompiled : words::kOwnWatched;
    column.addParagraph(std::string(when.in(column.language())), kNote);
}

// For a launch of a program: which, and the ways back, on to others and into a file.
void addLaunch(Column& column, const ProgramLaunch& launch) {
    PanelContext& context = column.context;
    const Language language = column.language();
    column.addLabel(std::string(words::kProgramOf.in(language)), kSecond);
    column.addParagraph(launch.file.substr(launch.file.rfind('/') + 1), {.face = viz::Face::TextBold});
    column.addParagraph(say(language, words::kProgramLaunchNumber, launch.number, launch.title),
                        {.size = viz::type::kCode, .role = RoleKind::TextSecond});
    column.add(column.button(), [&column] {
        const Help help{words::kProgramPage.in(column.language()), "guide/window.md"};
        if (textButton(column.context, "program", words::kProgramReturn.in(column.language()), help,
                       column.width, column.button()))
            column.context.send(ProgramAction{ShowProgram{}});
    });
    column.add(column.button(), [&column, &context] {
        const Help help{words::kProgramSaveHelp.in(column.language()), "guide/window.md"};
        ImGui::BeginDisabled(context.state.isOfAnother());
        if (textButton(column.context, "save launch", words::kProgramSave.in(column.language()), help,
                       column.width, column.button()))
            column.context.send(ProgramAction{SaveLaunch{}});
        ImGui::EndDisabled();
    });
}

bool isSet(const State& state, const catalog::Variant& variant, const catalog::Parameter& parameter) {
    return std::ranges::find(variant.parameters, parameter.name) != variant.parameters.end() &&
           state.choice.values.contains(parameter.name);
}

std::string titleOf(const catalog::Parameter& parameter, Language language) {
    const std::string& unit = parameter.unit.in(language);
    if (unit.empty() || unit == parameter.name) return parameter.name;
    return say(language, english("{0} ({1})"), parameter.name, unit);
}

// Its name, at the left of a control of height `frame`, or above it.
void drawTitle(PanelContext& context, const catalog::Parameter& parameter, const Help& help,
               std::optional<f32> frame) {
    const Language language = context.state.language;
    const std::string title = titleOf(parameter, language);
    if (frame) {
        titleBeside(context, title, *frame);
    } else {
        const std::string range =
            parameter.isChoice() ? "" : say(language, words::kRange, parameter.min, parameter.max);
        labelPair(context, title, range, kSecond, {.role = RoleKind::TextThird});
    }
    if (ImGui::IsItemHovered()) helpOn(context, help.text, help.page);
}

void drawChoice(PanelContext& context, const catalog::Parameter& parameter, s64 value, const Help& help,
                f32 width) {
    const std::string id = "##" + parameter.name;
    if (const int chosen = wrappingDropDown(context, id.c_str(), parameter.choices, int(value), help, width);
        chosen >= 0)
        context.send(SetParameter{parameter.name, chosen, false});
}

void drawSlider(PanelContext& context, const catalog::Parameter& parameter, s64 value, const Help& help) {
    bool dragging = false;
    if (intSlider(context, parameter.name.c_str(), value, parameter.min, parameter.max,
                  parameter.max - parameter.min >= kLogarithmicFrom, dragging, help))
        context.send(SetParameter{parameter.name, value, dragging});
}

// Of values that have to be compiled, on a machine that cannot: before one is chosen. False: there are none.
bool addPrebuiltValues(Column& column, const catalog::Parameter& parameter) {
    if (column.context.state.hasCompiler) return false;
    const std::optional<Message> values =
        catalog::prebuiltValues(*column.contents.family, *column.contents.variant, parameter);
    if (values) column.addParagraph(say(column.language(), words::kPrebuilt, *values), kNote);
    return values.has_value();
}

void addParameter(Column& column, const catalog::Parameter& parameter) {
    PanelContext& context = column.context;
    const s64 value = context.state.choice.values.at(parameter.name);
    const Help help{parameter.help.in(column.language()), "guide/kernels.md"};
    const std::string_view shown =
        parameter.isChoice() ? std::string_view(parameter.choices[std::size_t(value)]) : std::string_view();
    const f32 frame = column.frame(parameter.isChoice() ? viz::Face::Text : viz::Face::Mono);
    if (column.fit.parametersInLine) {
        const f32 left = widthOf(context, titleOf(parameter, column.language()), kSecond) + viz::space::kGap,
                  width = column.width - left;
        const f32 height =
            parameter.isChoice() ? wrappingDropDownHeight(context, shown, width, frame) : frame;
        column.add(height, [&context, &parameter, value, help, height, left, width] {
            const ImVec2 at = ImGui::GetCursorPos();
            drawTitle(context, parameter, help, height);
            ImGui::SetCursorPos({at.x + left, at.y});
            if (parameter.isChoice()) return drawChoice(context, parameter, value, help, width);
            s64 typed = value;
            if (intField(context, parameter.name.c_str(), typed, parameter.max, help))
                context.send(SetParameter{parameter.name, typed, false});
        });
        return;
    }
    column.add(Column::lineOf(kSecond),
               [&context, &parameter, help] { drawTitle(context, parameter, help, std::nullopt); });
    column.add(
        parameter.isChoice() ? wrappingDropDownHeight(context, shown, column.width, frame) : frame,
        [&column, &parameter, value, help] {
            if (parameter.isChoice())
                drawChoice(column.context, parameter, value, help, column.width);
            else
                drawSlider(column.context, parameter, value, help);
        },
        true);
}

const Words& wordsFor(run::Activity activity) {
    static constexpr const Words* kWords[] = {
        &words::kRunning,   &words::kGpuStarting, &words::kGpuCompiling, &words::kGpuRunning,
        &words::kGpuTiming, &words::kGpuCounting, &words::kGpuRecording};
    return *kWords[std::size_t(activity)];
}

constexpr f64 kShownAfter = 0.5;  // seconds: short runs end before anything would flicker

// Progress of the run; empty as long as it may be a short one.
std::string progressText(const State& state) {
    const Language language = state.language;
    const Job& job = state.job;
    if (!job.running || job.seconds < kShownAfter || !job.progress) return {};
    const u64 total = job.progress->total, done = job.progress->done, percent = wholePercentOf(done, total);
    const run::Activity activity = job.progress->activity;
    if (activity == run::Activity::Caches) return say(language, words::kSimulatingCaches, percent);
    if (activity == run::Activity::Checking) return std::string(words::kChecking.in(language));
    if (activity != run::Activity::Emulating) {
        const std::string_view what = wordsFor(activity).in(language);
        return total ? say(language, words::kOnGpuPercent, what, percent)
                     : say(language, words::kOnGpu, what);
    }
    if (!total) return std::string(words::kPreparingRun.in(language));
    if (done >= total) return std::string(words::kChecking.in(language));
    return run::emulatedSoFar(*job.progress, job.left.left()).in(language);
}

// Along the lower edge of the cancel button, so that the column keeps its height.
void drawProgress(PanelContext& context, ImVec2 button, f32 width, f32 height) {
    constexpr f32 kThick = 4;
    const Job& job = context.state.job;
    if (job.seconds < kShownAfter || !job.progress) return;
    const f32 share = f32(shareDone(*job.progress));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const f32 bottom = button.y + height;
    list.AddRectFilled({button.x, bottom - kThick}, {button.x + width, bottom}, ink(context, RoleKind::Line),
                       2);
    list.AddRectFilled({button.x, bottom - kThick}, {button.x + width * share, bottom},
                       ink(context, RoleKind::Text), 2);
}

void drawRunButton(PanelContext& context, f32 width, f32 height) {
    const Language language = context.state.language;
    if (context.state.job.running) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (textButton(context, "cancel", words::kCancel.in(language),
                       {words::kCancelRunHelp.in(language), "internals/emulator.md"}, width, height))
            context.send(CancelRun{}), comesUnderMouse("run"), comesUnderMouse("compare");
        drawProgress(context, at, width, height);
        return;
    }
    const f32 compare = widthOf(context, words::kCompare.in(language)) + 28;
    if (textButton(context, "run", words::kRun.in(language),
                   {words::kRunHelp.in(language), "internals/emulator.md"},
                   width - compare - viz::space::kGap, height))
        context.send(RunAgain{});
    ImGui::SameLine();
    if (textButton(context, "compare", words::kCompare.in(language),
                   {words::kCompareWithHover.in(language), "guide/pictures.md"}, compare, height))
        context.send(CompareWithAnother{});
}

void drawSampleButton(PanelContext& context, f32 width, f32 height) {
    const Language language = context.state.language;
    if (textButton(context, "sample", say(language, words::kRunSample, run::kSampleBlocks),
                   {words::kRunSampleHelp.in(language), "guide/sample.md"}, width, height))
        context.send(RunSample{});
}

void addRunButton(Column& column) {
    column.add(column.button(), [&column] { drawRunButton(column.context, column.width, column.button()); });
}

// Below the button, from which nothing may move away while it is about to be clicked.
void addProgress(Column& column) {
    if (std::string text = progressText(column.context.state); !text.empty())
        column.addParagraph(std::move(text), kNote);
    if (!column.context.state.isTooLarge()) return;
    column.addParagraph(tooLargeText(column.context.state), {.role = RoleKind::Finding});
    column.add(column.button(),
               [&column] { drawSampleButton(column.context, column.width, column.button()); });
}

Choosable choosableBlocks(const State& state) {
    constexpr u64 kSmallGrid = 16;
    const Dim3 grid = state.run->recording.launches[state.cursor.launch.value].grid;
    Choosable choosable{.blocks = {}, .columns = grid.count() <= kSmallGrid ? std::min(grid.x, 4u) : 2u};
    if (grid.count() <= kSmallGrid) {
        for (u64 i = 0; i < grid.count(); ++i)
            choosable.blocks.push_back(coordinatesOf(i, grid));
    } else {
        for (const trace::FocusBlock& block : state.run->recording.trace.blocks)
            if (block.launch == state.cursor.launch) choosable.blocks.push_back(block.block);
    }
    return choosable;
}

// "4 threads", "1 warp", "32 B shared"
std::vector<std::string> blockFacts(const State& state) {
    const Launch& launch = state.run->recording.launches[state.cursor.launch.value];
    const u64 threads = launch.block.count(), shared = run::sharedBytes(*state.run->module, launch);
    std::vector<std::string> facts{say(state.language, words::kThreads, threads),
                                   say(state.language, words::kWarps, (threads + kWarpSize - 1) / kWarpSize)};
    // A figure and its unit are kept on one line.
    if (shared)
        facts.push_back(say(state.language, words::kSharedBytes,
                            shared % 1024 == 0 ? fmt::format("{}\u00a0KB", shared / 1024)
                                               : fmt::format("{}\u00a0B", shared)));
    return facts;
}

// "4 threads · 1 warp · 32 B shared"; a fact that does not fit begins a new line.
std::string factsWithin(const PanelContext& context, const std::vector<std::string>& facts, f32 width) {
    std::string text, line;
    for (const std::string& fact : facts) {
        const std::string longer = line.empty() ? fact : fmt::format("{} · {}", line, fact);
        const bool fits = line.empty() || widthOf(context, longer, kNote) <= width;
        text += line.empty() ? fact : (fits ? " · " : "\n") + fact;
        line = fits ? longer : fact;
    }
    return text;
}

std::string gridText(Language language, Dim3 grid) {
    if (grid.y == 1 && grid.z == 1) return say(language, words::kGridLine, grid.x);
    return say(language, words::kGridExtents, explain::extentsText(grid));
}

// The longest that fits, else the last.
std::string gridBeside(PanelContext& context, Dim3 grid, f32 room) {
    const Language language = context.state.language;
    std::vector<std::string> forms{gridText(language, grid)};
    if (grid.y > 1 || grid.z > 1)
        forms.push_back(explain::extentsText(grid)),
            forms.push_back(grid.z > 1 ? fmt::format("{} × {} × {}", grid.x, grid.y, grid.z)
                                       : fmt::format("{} × {}", grid.x, grid.y));
    else
        forms.push_back(say(language, words::kGridLineBrief, grouped(grid.x))),
            forms.push_back(grouped(grid.x));
    const auto fits =
        std::ranges::find_if(forms, [&](const std::string& text) { return widthOf(context, text) <= room; });
    return fits == forms.end() ? forms.back() : *fits;
}

void goToBlock(PanelContext& context, Dim3 block) {
    viz::Cursor to = context.state.cursor;
    to.block = block;
    context.send(MoveCursor{to});
}

void drawBlockTitle(PanelContext& context, Dim3 grid, const std::vector<std::string>& facts) {
    const Language language = context.state.language;
    const std::string_view title = words::kBlockInFocus.in(language);
    const f32 room = ImGui::GetContentRegionAvail().x - widthOf(context, title) - viz::space::kGap;
    labelPair(context, title, gridBeside(context, grid, room), kSecond, {.role = RoleKind::TextThird});
    if (!ImGui::IsItemHovered()) return;
    helpOn(context,
           fmt::format("{}\n{}\n{}", gridText(language, grid), fmt::join(facts, " · "),
                       words::kBlockHelp.in(language)),
           "internals/emulator.md");
}

void addBlockList(Column& column, Dim3 grid) {
    const State& state = column.context.state;
    const std::string shown = viz::coordinates(state.cursor.block, grid);
    column.add(
        wrappingDropDownHeight(column.context, shown, column.width, column.frame()), [&column, &state, grid] {
            const std::vector<Dim3>& blocks = column.contents.blocks.blocks;
            std::vector<std::string> names;
            for (const Dim3 block : blocks)
                names.push_back(viz::coordinates(block, grid));
            const auto now = std::ranges::find(blocks, state.cursor.block);
            const int on = now == blocks.end() ? -1 : int(now - blocks.begin());
            const Help help{words::kBlockHelp.in(column.language()), "internals/emulator.md"};
            const int chosen = wrappingDropDown(column.context, "##block", names, on, help, column.width);
            if (chosen >= 0) goToBlock(column.context, blocks[std::size_t(chosen)]);
        });
}

void drawBlockButtons(PanelContext& context, const Choosable& choosable, Dim3 grid, f32 room) {
    const f32 width = (room - f32(choosable.columns - 1) * viz::space::kGrid) / f32(choosable.columns);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGrid, viz::space::kGrid));
    for (std::size_t i = 0; i < choosable.blocks.size(); ++i) {
        if (i % choosable.columns) ImGui::SameLine();
        const Dim3 block = choosable.blocks[i];
        const std::string text = viz::shortCoordinates(block, grid);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (textButton(context, text.c_str(), text,
                       {words::kBlockHelp.in(context.state.language), "internals/emulator.md"}, width))
            goToBlock(context, block);
        if (block == context.state.cursor.block)
            ImGui::GetWindowDrawList()->AddRect(
                {at.x - 1.5f, at.y - 1.5f}, {at.x + width + 1.5f, at.y + kControlHeight + 1.5f},
                ink(context, RoleKind::Cursor), viz::radius::kControl, viz::line::kCursor);
    }
    ImGui::PopStyleVar();
}

void addBlocks(Column& column) {
    const State& state = column.context.state;
    const Dim3 grid = state.run->recording.launches[state.cursor.launch.value].grid;
    const Choosable& choosable = column.contents.blocks;
    column.add(Column::lineOf(kSecond),
               [&column, grid] { drawBlockTitle(column.context, grid, column.contents.blockFacts); });
    if (column.fit.blocksInList) {
        addBlockList(column, grid);
    } else {
        const f32 rows = f32(choosable.rows());
        column.add(rows * (kControlHeight + viz::space::kGrid) - viz::space::kGrid, [&column, grid] {
            drawBlockButtons(column.context, column.contents.blocks, grid, column.width);
        });
    }
    column.addParagraph(factsWithin(column.context, column.contents.blockFacts, column.width), kNote);
}

void drawResultTitle(PanelContext& context) {
    const Language language = context.state.language;
    labelPair(context, words::kResult.in(language), traceOf(context.state), kSecond,
              {.role = RoleKind::TextThird});
    if (ImGui::IsItemHovered())
        helpOn(context, std::string(words::kResultHelp.in(language)) + "\n" + traceHover(context.state),
               "internals/accuracy.md");
}

struct VerdictLook {
    Icon icon;
    RoleKind role;
};
VerdictLook lookOf(Verdict::Sign sign) {
    switch (sign) {
        case Verdict::Sign::Good: return {Icon::Check, RoleKind::Text};
        case Verdict::Sign::Wrong: return {Icon::Cross, RoleKind::Finding};
        case Verdict::Sign::Problem: return {Icon::Warning, RoleKind::Finding};
        case Verdict::Sign::Remark: return {Icon::Warning, RoleKind::TextSecond};
        case Verdict::Sign::Note: break;
    }
    return {Icon::Clock, RoleKind::TextSecond};
}

void drawVerdict(PanelContext& context, const Verdict& verdict, f32 width) {
    const VerdictLook look = lookOf(verdict.sign);
    const ImVec2 at = ImGui::GetCursorScreenPos(), begin = ImGui::GetCursorPos();
    drawIcon(*ImGui::GetWindowDrawList(), look.icon, {at.x + 7, at.y + 9}, ink(context, look.role));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + kVerdictIndent);
    paragraph(context, verdict.text, {.role = look.role}, width - kVerdictIndent);
    if (const viz::ViewRow* view = viz::findView(verdict.view)) {
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        ImGui::SetCursorPos(begin);
        if (ImGui::InvisibleButton(("##verdict " + verdict.view).c_str(), {width, high.y - low.y}))
            context.send(BringUp{verdict.view});
        if (ImGui::IsItemHovered())
            ImGui::GetWindowDrawList()->AddLine(
                {low.x, high.y},
                {std::min(high.x, low.x + widthOf(context, verdict.text, {.role = look.role})), high.y},
                ink(context, look.role));
        const Language language = context.state.language;
        return helped(context,
                      {verdict.hover + "\n" + say(language, words::kVerdictView, view->title.in(language)),
                       "guide/pictures.md"});
    }
    if (!verdict.hover.empty() && ImGui::IsItemHovered()) tooltip(context, verdict.hover);
}

// In place of a result that is not that of the experiment above.
std::string onScreenText(const State& state) {
    return say(state.language, words::kOnScreen, shownText(state));
}

void addResult(Column& column) {
    PanelContext& context = column.context;
    column.add(Column::lineOf(kSecond), [&context] { drawResultTitle(context); });
    // It comes back so soon, mostly, that its place is better kept.
    const bool isSoonThere = context.state.job.running && context.state.job.seconds < kShownAfter;
    if (context.state.isOfAnother() && !isSoonThere)
        return column.addParagraph(onScreenText(context.state), kSecond);
    if (context.state.isOfEarlierText())
        column.addParagraph(std::string(words::kEarlierTextOnShow.in(column.language())),
                            {.role = RoleKind::Finding});
    // What that one was found to do is no answer to a text that does not run.
    if (context.state.isOfEarlierText() && context.state.fault) return;
    for (const Verdict& verdict : column.contents.verdicts) {
        const f32 height = heightOf(context, verdict.text, {.role = lookOf(verdict.sign).role},
                                    column.width - kVerdictIndent);
        column.add(height, [&column, &verdict] { drawVerdict(column.context, verdict, column.width); });
    }
}

// Complete or not at all: the line above the sentence says it, too.
void addStory(Column& column) {
    const catalog::Variant* variant = column.contents.variant;
    if (!variant || variant->look.in(column.language()).empty()) return;
    column.addRule();
    column.addLabel(std::string(words::kWhatToLookAt.in(column.language())), kSecond);
    column.addParagraph(variant->look.in(column.language()), kSecond);
}

void addControls(Column& column) {
    const State& state = column.context.state;
    column.addLabel(std::string(words::kExperiment.in(column.language())), kHeading);
    if (state.choice.own) addOwnKernel(column, *state.choice.own), addExercise(column, *state.choice.own);
    if (state.choice.launch) addLaunch(column, *state.choice.launch);
    addFamily(column);
    addVariant(column);
    bool needsCompiler = false;
    for (const catalog::Parameter* parameter : column.contents.parameters)
        addParameter(column, *parameter), needsCompiler |= addPrebuiltValues(column, *parameter);
    if (needsCompiler && widthOfFetchButton(column.context) > 0)
        column.add(column.button(),
                   [&column] { drawFetchButton(column.context, column.width, column.button()); });
    addRunButton(column);
    column.controls = column.parts.size();
}

void addAllButStory(Column& column) {
    const State& state = column.context.state;
    addControls(column);
    addProgress(column);
    if (!state.run) return;
    column.addRule();
    if (!hidesResult(state)) addResult(column);
    column.addRule();
    addBlocks(column);
}

Contents contentsOf(const State& state) {
    Contents contents;
    contents.family = state.catalog->find(state.choice.family);
    contents.variant = contents.family ? contents.family->find(state.choice.variant) : nullptr;
    if (contents.variant)
        for (const catalog::Parameter& parameter : contents.family->parameters)
            if (isSet(state, *contents.variant, parameter)) contents.parameters.push_back(&parameter);
    if (!state.run) return contents;
    contents.verdicts = verdictsOf(*state.run, state.cursor, state.language);
    contents.blocks = choosableBlocks(state);
    contents.blockFacts = blockFacts(state);
    return contents;
}

void drawWith(std::span<const ColumnPart> parts, f32 gap) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGap, gap));
    drawParts(parts, gap);
    ImGui::PopStyleVar();
}

// The parts of the result have what room the controls leave.
void draw(Column& column, f32 room, f32 gap) {
    const std::span<const ColumnPart> parts = column.parts, above = parts.first(column.controls),
                                      below = parts.subspan(column.controls);
    const f32 high = heightOf(above, gap),
              gapBelow = std::clamp(gapWithin(below, room - high - gap), kTightest, viz::space::kGap);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2(ImGui::GetStyle().FramePadding.x, column.padding()));
    const ImVec2 at = ImGui::GetCursorPos();
    drawWith(above, gap);
    if (!below.empty()) {
        ImGui::SetCursorPos({at.x, at.y + high + gap});
        drawWith(below, gapBelow);
    }
    ImGui::PopStyleVar();
}

// The gap between controls that leaves the parts below so much room, and a gap to them.
f32 gapAbove(const Column& column, f32 room, f32 below, f32 gapBelow) {
    const std::span<const ColumnPart> above = std::span(column.parts).first(column.controls);
    return gapWithin(above, room - below - gapBelow);
}

f32 neededBelow(const Column& column, f32 gap) {
    return heightOf(std::span(column.parts).subspan(column.controls), gap);
}

// The gap between controls for results as most runs have them: of no run in particular, so that the next one
// moves no control.
f32 usualGap(PanelContext& context, const Contents& contents, f32 width, f32 room) {
    constexpr f32 kResultLines = 4, kRowsOfBlocks = 2, kFactLines = 2;
    Column column{context, contents, {}, width};
    addControls(column);
    const f32 line = Column::lineOf(kSecond),
              ofBlocks = 2 * kRuled + (2 + kResultLines) * line + kFactLines * Column::lineOf(kNote);
    constexpr f32 kParts = 10;  // gaps among them
    const f32 asButtons = ofBlocks + kRowsOfBlocks * (kControlHeight + viz::space::kGrid) + kParts * kRoomy,
              inList = ofBlocks + column.frame() + kParts * kTightest;
    Column story{context, contents, {}, width};
    addStory(story);
    const f32 ofStory = heightOf(story.parts, kRoomy) + kRoomy;
    for (const f32 below : {asButtons + ofStory, asButtons})
        if (const f32 gap = gapAbove(column, room, below, kRoomy); gap >= kRoomy)
            return std::min(gap, viz::space::kGap);
    return std::clamp(gapAbove(column, room, inList, kTightest), kTightest, viz::space::kGap);
}

// How tight the controls of this kernel have been in a column of this size: they get no looser, or they would
// move with every other run.
struct Tightness {
    int& fit;  // the place in kFits
    f32& gap;
};
Tightness tightnessOf(const State& state) {
    const Choice& choice = state.choice;
    const ImVec2 window = ImGui::GetMainViewport()->WorkSize;
    const std::string key =
        fmt::format("{}/{}/{}/{}/{}/{}/{}", choice.family, choice.variant, choice.own ? choice.own->file : "",
                    choice.launch ? choice.launch->title : "", window.x, window.y, int(state.language));
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID fit = ImGui::GetID((key + "/fit").c_str()), gap = ImGui::GetID((key + "/gap").c_str());
    kept.GetIntRef(fit), kept.GetFloatRef(gap, viz::space::kGap);  // each moves the ones before it
    return {*kept.GetIntRef(fit), *kept.GetFloatRef(gap)};
}

}  // namespace

std::string tooLargeText(const State& state) {
    return say(state.language, words::kTooLarge, state.tooLarge->fault.message);
}

std::vector<ColumnText> experimentTexts(const State& state) {
    const Language language = state.language;
    std::vector<ColumnText> texts{{.text = std::string(words::kExperiment.in(language)), .isHeading = true}};
    const auto add = [&](std::string text, RoleKind role = RoleKind::Text) {
        texts.push_back({.text = std::move(text), .role = role});
    };
    const catalog::Family* family = state.catalog->find(state.choice.family);
    const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
    if (state.choice.own)
        add(state.choice.own->file.substr(state.choice.own->file.rfind('/') + 1)),
            add("--grid " + state.choice.own->grid + " --block " + state.choice.own->block,
                RoleKind::TextSecond);
    if (state.choice.launch)
        add(state.choice.launch->file.substr(state.choice.launch->file.rfind('/') + 1)),
            add(say(language, words::kProgramLaunchNumber, state.choice.launch->number,
                    state.choice.launch->title),
                RoleKind::TextSecond);
    if (variant) {
        add(family->title.in(language), RoleKind::TextSecond);
        add(variant->title.in(language));
        for (const catalog::Parameter& parameter : family->parameters)
            if (isSet(state, *variant, parameter))
                add(parameter.name + " = " + parameter.shown(state.choice.values.at(parameter.name)));
    }
    if (!state.run) return texts;
    texts.push_back({.text = std::string(words::kResult.in(language)), .isHeading = true});
    if (state.isOfAnother())
        add(onScreenText(state), RoleKind::TextSecond);
    else
        for (const Verdict& verdict : verdictsOf(*state.run, state.cursor, language))
            add(verdict.text, lookOf(verdict.sign).role);
    add(traceOf(state), RoleKind::TextSecond);
    const Launch& launch = state.run->recording.launches[state.cursor.launch.value];
    texts.push_back({.text = std::string(words::kBlockInFocus.in(language)), .isHeading = true});
    add(viz::coordinates(state.cursor.block, launch.grid) + " · " + gridText(language, launch.grid));
    add(fmt::format("{}", fmt::join(blockFacts(state), " · ")), RoleKind::TextSecond);
    return texts;
}

void drawExperiment(PanelContext& context) {
    const Contents contents = contentsOf(context.state);
    const f32 bar =
        ImGui::GetScrollMaxY() > 0 ? ImGui::GetStyle().ScrollbarSize : 0;  // none if the column fits
    const f32 narrow = ImGui::GetContentRegionAvail().x, width = narrow + bar,
              room = ImGui::GetContentRegionAvail().y;
    const auto [tightest, tightestGap] = tightnessOf(context.state);
    const f32 usual = tightestGap = std::min(tightestGap, usualGap(context, contents, width, room));
    if (tightest < kFirstOfLowControls) {
        // Neither the story nor buttons instead of a list are worth tighter controls.
        Column whole{context, contents, {}, width};
        addAllButStory(whole);
        if (context.state.run) addStory(whole);
        if (gapAbove(whole, room, neededBelow(whole, kRoomy), kRoomy) >= usual && !hidesResult(context.state))
            return draw(whole, room, usual);
        Column buttons{context, contents, {}, width};
        addAllButStory(buttons);
        if (gapAbove(buttons, room, neededBelow(buttons, kTightest), kTightest) >= usual)
            return draw(buttons, room, usual);
    }
    for (int fit = std::max(tightest, 1); fit < int(std::size(kFits)); ++fit) {
        Column column{context, contents, kFits[fit], width};
        addAllButStory(column);
        const f32 gap = gapAbove(column, room, neededBelow(column, kTightest), kTightest);
        if (gap < kTightest) continue;
        if (fit >= kFirstOfLowControls && fit > tightest) tightest = fit, tightestGap = viz::space::kGap;
        tightestGap = std::min(gap, tightestGap);
        return draw(column, room, tightestGap);
    }
    Column scrolled{context, contents, kScrolled, narrow};
    addAllButStory(scrolled);
    draw(scrolled, room, kTightest);
}

void drawFirstRun(PanelContext& context) {
    constexpr f32 kWide = 300, kHigh = 100;
    if (!context.state.job.running && !context.state.isTooLarge()) return drawFault(context);
    ImGui::SetCursorPos({(ImGui::GetWindowWidth() - kWide) / 2, (ImGui::GetWindowHeight() - kHigh) / 2});
    ImGui::BeginChild("##first run", {kWide, kHigh}, ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
    if (context.state.isTooLarge()) {
        paragraph(context, tooLargeText(context.state), {.role = RoleKind::Finding});
        drawSampleButton(context, ImGui::GetContentRegionAvail().x, kControlHeight);
        ImGui::EndChild();
        return;
    }
    label(context, std::string(words::kFirstRun.in(context.state.language)), {});
    drawRunButton(context, ImGui::GetContentRegionAvail().x, kControlHeight);
    if (const std::string text = progressText(context.state); !text.empty()) paragraph(context, text, kNote);
    ImGui::EndChild();
}

}  // namespace lockstep::app
