// lockstep show: one view at one step, drawn without a display by the same scene code as the window.
#include "app/cli/commands/ask_model.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/sweep_points.h"
#include "app/cli/commands/try_orders.h"
#include "app/cli/json/register_json.h"
#include "app/cli/options/access_options.h"
#include "app/cli/options/view_options.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/command_line.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/playground.h"
#include "viz/issues_on_show.h"
#include "viz/painters/raster/animation_writer.h"
#include "viz/painters/raster/raster.h"
#include "viz/painters/svg/svg.h"
#include "viz/scene/captioned.h"
#include "viz/scene/fonts.h"
#include "viz/scene/reading_text.h"
#include "viz/view.h"
#include "viz/views/cost_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

namespace lockstep::cli {
namespace {

// "480x120 of timeline", of every view.
Message minimumSizes() {
    Message all;
    for (const viz::ViewRow& view : viz::views()) {
        const viz::Size least = view.least;
        const Message size(english("{0}x{1} of {2}"), least.width, least.height, view.name);
        all += all.empty() ? size : Message(english("a list", ", {0}"), size);
    }
    return all;
}

bool isTextFile(const std::string& file) { return file.ends_with(".html") || file.ends_with(".txt"); }

struct Arguments {
    ViewOptions view;
    ComparedOptions beside;
    AccessOptions access;
    AnimationArguments animation;
    std::string name, out, json;
    bool registers = false, text = false;

    bool wantsText() const { return text || isTextFile(out); }
};

// One view of a run, or of two: draws any step of the cursor's warp.
struct Shown {
    const viz::ViewRow& view;
    run::Run run;
    std::optional<run::Run> other;
    viz::Cursor cursor;
    viz::ViewState state;
    viz::Size size;
    Language language;  // of the picture
    Language spoken;    // to the user meanwhile
    const viz::Fonts& fonts;
    const std::vector<run::RecordedMachine>* machines;
    std::vector<model::Profile> devices;  // side by side
    std::optional<StepRange> range{};
    bool registers = false;
    viz::IssuesOnShow issues{};
    viz::OrdersOnShow orders{};
    viz::SweepsOnShow sweeps{};
    viz::ViewCache kept{};

    // Where the other run stands then.
    viz::Cursor besideAt(u32 step) const {
        viz::Cursor at = cursor;
        at.step = step;
        return viz::tied(run, at, *other, viz::optionsAs<viz::CompareOptions>(state.options).tie);
    }

    viz::Scene sceneAt(u32 step, f32 motion) {
        std::optional<viz::ComparedRun> beside;
        if (other) {
            const viz::Cursor there = besideAt(step);
            const bool moves = step > 0 && besideAt(step - 1) != there;
            beside.emplace(*other, there, other->profile, moves ? motion : 1, issues.beside.get());
        }
        viz::Cursor at = cursor;
        at.step = step;
        std::vector<const model::Profile*> sideBySide;
        for (const model::Profile& device : devices)
            sideBySide.push_back(&device);
        return viz::buildCaptioned(view, {.run = run,
                                          .cursor = at,
                                          .profile = run.profile,
                                          .size = size,
                                          .language = language,
                                          .metrics = fonts,
                                          .motion = motion,
                                          .state = state,
                                          .cache = &kept,
                                          .machines = machines,
                                          .compared = beside ? &*beside : nullptr,
                                          .devices = std::move(sideBySide),
                                          .range = range,
                                          .sweeps = sweeps.sweeps.empty() ? nullptr : &sweeps,
                                          .issues = &issues,
                                          .orders = &orders,
                                          .registers = registers});
    }

    std::string line(const Arguments& arguments) const {
        const auto fileIn = [](const std::string& what) {
            return what.ends_with(".lks") ? std::string_view(what) : std::string_view();
        };
        return viz::commandLine({.run = run,
                                 .cursor = cursor,
                                 .view = view.name,
                                 .profile = run.profile.name,
                                 .compared = other ? &*other : nullptr,
                                 .options = state.options,
                                 .file = fileIn(arguments.view.run.what),
                                 .comparedFile = fileIn(arguments.beside.what),
                                 .range = range});
    }
};

// Draws with progress on a terminal.
Expected<void> writeAnimation(Shown& shown, const Arguments& arguments, viz::AnimationFormat format,
                              const viz::Theme& theme) {
    const auto steps =
        animationStepsOf(arguments.animation, arguments.view, viz::stepsOfWarp(shown.run, shown.cursor));
    if (!steps) return Unexpected{steps.error()};
    viz::RasterPainter painter(shown.fonts);
    const viz::AnimationOptions options{.first = steps->first - 1,
                                        .last = steps->second - 1,
                                        .stepsPerSecond = arguments.animation.speed,
                                        .reducedMotion = arguments.animation.reducedMotion};
    const auto moves = [&](u32 step) { return shown.sceneAt(step, 0.5f).animating; };
    viz::AnimationWriter writer(
        viz::animationOf(options, moves),
        [&](const viz::AnimationFrame& frame) {
            return painter.paint(shown.sceneAt(frame.step, frame.motion), theme, arguments.view.scale);
        },
        format, shown.line(arguments));
    {
        std::atomic<u32> drawn = 0;
        const ProgressLine line(shown.spoken, [&] {
            return say(shown.spoken, english("drawing the animation, picture {0}"), drawn.load() + 1);
        });
        while (writer.drawOne())
            ++drawn;
    }
    const std::vector<u8> bytes = writer.file();
    return writeWholeFile(arguments.out, std::as_bytes(std::span(bytes)));
}

// As tall as what the view would scroll to, where nobody asked for a size.
viz::Scene stillOf(Shown& shown, bool mayGrow, bool isText) {
    constexpr f32 kTallest = 4096, kTallestText = 65536;
    constexpr u32 kMostTries = 3;  // what is taller may say more
    viz::Scene scene = shown.sceneAt(shown.cursor.step, 1);
    for (u32 tries = 0; mayGrow && scene.hiddenBelow > 0 && tries < kMostTries; ++tries) {
        const f32 needed = shown.size.height + std::ceil(scene.hiddenBelow);
        if (!isText && needed > kTallest) break;
        shown.size.height = std::min(needed, kTallestText);
        scene = shown.sceneAt(shown.cursor.step, 1);
    }
    if (mayGrow && isText && scene.textHeight > 0) {
        constexpr f32 kCaption = 120;
        shown.size.height = std::min(scene.textHeight + kCaption, kTallestText);
        scene = shown.sceneAt(shown.cursor.step, 1);
    }
    return scene;
}

// To standard output, and into a file.
Expected<void> writeAsText(const viz::Scene& scene, const Arguments& arguments, const viz::ViewRow& view,
                           const viz::Fonts& fonts, Language language, std::string_view line) {
    const viz::ReadingText text = viz::readingText(scene, fonts, language, say(language, view.title));
    if (arguments.text) printOut("{}", viz::asPlainText(text, language));
    if (arguments.out.empty()) return {};
    return writeFile(arguments.out, arguments.out.ends_with(".html") ? viz::asHtml(text, language, line)
                                                                     : viz::asPlainText(text, language));
}

Expected<void> writePicture(Shown& shown, const Arguments& arguments, const viz::Theme& theme) {
    if (arguments.wantsText())
        return writeAsText(stillOf(shown, !arguments.view.given.size, true), arguments, shown.view,
                           shown.fonts, shown.language, shown.line(arguments));
    const ProgressLine progress(shown.spoken, say(shown.spoken, english("drawing")));
    const viz::Scene scene = stillOf(shown, !arguments.view.given.size, false);
    const std::string line = shown.line(arguments);
    if (arguments.out.ends_with(".svg")) return writeFile(arguments.out, viz::toSvg(scene, theme, line));
    return viz::writePng(viz::RasterPainter(shown.fonts).paint(scene, theme, arguments.view.scale),
                         arguments.out, line);
}

struct Look {
    viz::Size size;
    Language language;
    const viz::Fonts& fonts;
    const viz::Theme& theme;
};

// The view that needs no run.
Expected<int> drawPlayground(Arguments arguments, const viz::ViewRow& view, const Look& look) {
    if (!arguments.view.run.what.empty())
        return fail(FaultKind::Usage,
                    Message(english("--view playground shows no kernel; leave {0} out and describe the "
                                    "access: --preset, or --expr, --space, --width"),
                            arguments.view.run.what));
    if (arguments.view.lane && *arguments.view.lane >= kWarpSize)
        return fail(FaultKind::Usage,
                    Message(english("--lane {0}: lanes are numbered from 0 to 31"), *arguments.view.lane));
    viz::Playground playground;
    if (arguments.access.given()) {
        Expected<model::AccessPattern> pattern = patternOf(arguments.access);
        if (!pattern) return Unexpected{pattern.error()};
        playground.pattern = std::move(*pattern);
    }
    if (arguments.view.lane) playground.lane = Lane{*arguments.view.lane};
    const Expected<std::vector<model::Profile>> profiles = takeDevices(arguments.view);
    if (!profiles) return Unexpected{profiles.error()};
    std::vector<const model::Profile*> devices;
    for (const model::Profile& profile : *profiles)
        devices.push_back(&profile);
    const Expected<model::Profile> profile = run::profileNamed(arguments.view.run.profile);
    if (!profile) return Unexpected{profile.error()};
    const run::Run none;
    const viz::Scene scene = viz::buildCaptioned(view, {.run = none,
                                                        .cursor = {},
                                                        .profile = *profile,
                                                        .size = look.size,
                                                        .language = look.language,
                                                        .metrics = look.fonts,
                                                        .devices = std::move(devices),
                                                        .playground = &playground});
    const Expected<void> written =
        arguments.wantsText() ? writeAsText(scene, arguments, view, look.fonts, look.language, {})
        : arguments.out.ends_with(".svg")
            ? writeFile(arguments.out, viz::toSvg(scene, look.theme))
            : viz::writePng(viz::RasterPainter(look.fonts).paint(scene, look.theme, arguments.view.scale),
                            arguments.out);
    if (!written) return Unexpected{written.error()};
    return kDone;
}

Expected<int> execute(Arguments arguments, Session& session) {
    if (!arguments.json.empty() && !arguments.registers)
        return fail(FaultKind::Usage, english("--json goes with --view source --registers; the figures of a "
                                              "run are in the JSON of lockstep run"));
    const bool isText = arguments.wantsText(), draws = !arguments.out.empty() || isText;
    if (!draws && arguments.json.empty())
        return fail(FaultKind::Usage,
                    english("--out is required: a picture FILE.svg or FILE.png, or the view "
                            "as text, FILE.html or FILE.txt; --text prints it"));
    if (isText && !arguments.animation.steps.empty())
        return fail(FaultKind::Usage, english("a view as text is of one step: --step, not --steps"));
    if (arguments.text && !arguments.out.empty() && !isTextFile(arguments.out))
        return fail(
            FaultKind::Usage,
            Message(english("--text with --out {0}: name a file that ends in .html or .txt"), arguments.out));
    const Expected<std::optional<viz::AnimationFormat>> animation =
        draws && !isText ? animationFormatOf(arguments.out, arguments.animation, arguments.view)
                         : std::nullopt;
    if (!animation) return Unexpected{animation.error()};
    const Expected<const viz::ViewRow*> view = viewNamed(arguments.name);
    if (!view) return Unexpected{view.error()};
    const bool compares = (*view)->showsBoth;
    if (compares && !arguments.beside.isGiven())
        return fail(FaultKind::Usage, english("--view compare needs --with FAMILY/VARIANT, or --with-set "
                                              "name=value: say what to compare with"));
    if (!compares && arguments.beside.isGiven())
        return fail(FaultKind::Usage, english("--with and --with-set go with --view compare"));
    const Expected<viz::ViewState> state =
        compares ? compareState(arguments.beside) : viewState(arguments.view, arguments.name);
    if (!state) return Unexpected{state.error()};
    const viz::SourceTab tab = viz::optionsAs<viz::SourceOptions>(state->options).tab;
    if (arguments.registers && !(*view)->showsRegisters)
        return fail(FaultKind::Usage, english("--registers goes with --view source"));
    // Of two pictures beside each other, the values too.
    if (isText && compares && !arguments.view.given.size) arguments.view.size = "1600x1200";
    const Expected<viz::Size> size = sizeOf(arguments.view.size, (*view)->least);
    if (!size) return Unexpected{size.error()};
    if (const Expected<void> pixels = checkPixels(arguments.view, *size, arguments.out); !pixels)
        return Unexpected{pixels.error()};
    const Expected<const viz::Theme*> theme = themeOf(arguments.view);
    if (!theme) return Unexpected{theme.error()};
    const Expected<Language> language = languageOf(arguments.view);
    if (!language) return Unexpected{language.error()};
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    const Expected<viz::Fonts> fonts = viz::Fonts::load(fontFolder(**resources));
    if (!fonts) return Unexpected{fonts.error()};

    if (!arguments.out.empty())
        if (const Expected<void> place = canBeWritten(arguments.out); !place)
            return Unexpected{place.error()};
    if (const Expected<void> focused = focusOnTheBlock(arguments.view); !focused)
        return Unexpected{focused.error()};
    if (!(*view)->needsRun) {
        if (*animation)
            return fail(
                FaultKind::Usage,
                Message(english("--steps shows a warp at work; --view {0} shows no kernel"), arguments.name));
        return drawPlayground(arguments, **view, {*size, *language, *fonts, **theme});
    }
    if (arguments.access.given())
        return fail(FaultKind::Usage, Message(english("--view {0} shows a kernel; the options of an access "
                                                      "without one go with --view playground"),
                                              arguments.name));
    Expected<std::vector<model::Profile>> devices = takeDevices(arguments.view);
    if (!devices) return Unexpected{devices.error()};
    arguments.view.run.readsMachineCode = (*view)->asTheMachineRunsIt || tab == viz::SourceTab::Machine;
    Expected<run::Run> run = openRun(arguments.view, session);
    if (!run) return Unexpected{run.error()};
    if (viz::optionsAs<viz::ChartOptions>(state->options).isCost && !viz::hasCostPage(*run))
        return fail(FaultKind::Usage,
                    english("--metric cost is of the catalog's reductions, such as reduction/v6"));
    const Expected<viz::Cursor> cursor =
        cursorOf(arguments.view, *run, compares ? viz::findView(arguments.beside.each) : *view);
    if (!cursor) return Unexpected{cursor.error()};
    if (const auto recordings = session.recordings(arguments.view.run.recording); !recordings)
        return Unexpected{recordings.error()};
    const auto machines = session.machines();
    if (!machines) return Unexpected{machines.error()};
    const Expected<std::optional<StepRange>> range = rangeOf(arguments.view, *run, *cursor);
    if (!range) return Unexpected{range.error()};
    Shown shown{**view,
                std::move(*run),
                {},
                *cursor,
                *state,
                *size,
                *language,
                session.language(),
                *fonts,
                machines->get(),
                std::move(*devices),
                *range,
                arguments.registers};
    if (compares) {
        Expected<run::Run> other = openCompared(arguments.beside, arguments.view, *cursor, session);
        if (!other) return Unexpected{other.error()};
        shown.other = std::move(*other);
        const ViewOptions& at = arguments.view;  // no step requested: where the two differ most
        if (!at.step && !at.phase && at.range.empty())
            shown.cursor =
                viz::greatestDifference(shown.run, shown.cursor, *shown.other,
                                        viz::optionsAs<viz::CompareOptions>(state->options).tie,
                                        at.warp || !at.block.empty() ? viz::Within::Warp : viz::Within::Run);
    }
    const bool isModeled = arguments.view.time == "modeled";
    Expected<viz::IssuesOnShow> issues =
        askModel(isModeled ? (*view)->modeled : viz::modeledBy(**view, state->options), shown.run,
                 shown.cursor, session);
    if (!issues) return Unexpected{issues.error()};
    shown.issues = std::move(*issues);
    if (shown.other && viz::modeledBy(**view, state->options) != viz::Modeled::None) {
        const viz::Cursor there = shown.besideAt(shown.cursor.step);
        Expected<viz::IssuesOnShow> beside = askModel(viz::Modeled::Issues, *shown.other, there, session);
        if (!beside) return Unexpected{beside.error()};
        shown.issues.beside = std::make_shared<const viz::IssuesOnShow>(std::move(*beside));
    }
    shown.orders = ordersFor(**view, shown.run, arguments.view, session);
    if ((*view)->followsSweeps && isModeled) {
        Expected<viz::SweepsOnShow> sweeps =
            modelChart(shown.run, viz::optionsAs<viz::ChartOptions>(state->options), arguments.view.run,
                       *shown.machines, session);
        if (!sweeps) return Unexpected{sweeps.error()};
        shown.sweeps = std::move(*sweeps);
    }
    if (!arguments.json.empty()) {
        const Expected<Json> registers = registerJson(shown.run, shown.cursor, tab);
        if (!registers) return Unexpected{registers.error()};
        if (const Expected<void> written = writeJson(*registers, arguments.json); !written)
            return Unexpected{written.error()};
        if (!draws) return kDone;
    }
    const Expected<void> written = *animation ? writeAnimation(shown, arguments, **animation, **theme)
                                              : writePicture(shown, arguments, **theme);
    if (!written) return Unexpected{written.error()};
    return kDone;
}

}  // namespace

Action addShow(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    addViewOptions(command, arguments->view, "960x640");
    const Option size = command.option("--size");
    size.describe(english("{0}; at least {1}"), size.description(), minimumSizes());
    addMachineCodeOption(command, arguments->view.run);
    addEntryOption(command, arguments->view.run);
    addLaunchOptions(command, arguments->view.run, kBlockSizeAlone);
    command
        .add("--view", arguments->name,
             english("{0}; playground shows no kernel: --preset, --expr and the like"), viewNames())
        .type("VIEW")
        .required();
    addAccessOptions(command, arguments->access);
    addComparedOptions(command, arguments->beside);
    addAnimationOptions(command, arguments->animation);
    command.add("--registers", arguments->registers,
                english("of --view source: what the registers of the cursor's line "
                        "hold in all lanes after its step"));
    command
        .add("--out", arguments->out,
             english("the picture, FILE.svg or FILE.png; with --steps FILE.gif or FILE.apng; FILE.html or "
                     "FILE.txt: the view as text"))
        .type("FILE");
    command.add("--text", arguments->text,
                english("print the view as text in reading order, with what the mouse says at its marks; "
                        "--out may be left out then"));
    command.addJson(
        arguments->json,
        english("of --registers: write what they hold as JSON to this file; --out may be left out then"));
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
