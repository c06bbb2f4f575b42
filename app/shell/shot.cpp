// The whole window as a picture: the frames that the screen would show, drawn by our own rasterizer.
#include "app/shell/drawing/offscreen.h"
#include "app/shell/files/exporter.h"
#include "app/shell/files/progress_file.h"
#include "app/shell/files/recent_file.h"
#include "app/shell/shell.h"
#include "base/files/whole_file.h"
#include "cuda/compiler/nvrtc.h"
#include "viz/painters/raster/image.h"
#include "viz/painters/svg/svg.h"

#include <algorithm>
#include <system_error>

namespace lockstep::shell {

namespace {

constexpr Words kSetAside =
    english("The progress of the lessons could not be read; the damaged file is kept as {0}");
constexpr Words kLinesSetAside = english(
    "The progress of the lessons has damaged lines, which the start "
    "page lists; the file as it was is kept as {0}");

void recallProgress(app::State& state, const std::filesystem::path& file) {
    KeptProgress kept = readProgress(file);
    state.lessons.progress = std::move(kept.progress);
    state.lessons.leftOut = std::move(kept.leftOut);
    const Words& words = state.lessons.leftOut.empty() ? kSetAside : kLinesSetAside;
    if (!kept.setAside.empty()) (void)app::update(state, app::Say{Message(words, kept.setAside.string())});
}

}  // namespace

std::optional<app::Choice> lastChoice(const std::filesystem::path& recentFile,
                                      const catalog::Catalog& catalog) {
    const Recent recent = readRecent(recentFile);
    if (recent.experiments.empty()) return std::nullopt;
    const app::Choice& last = recent.experiments.front();
    std::error_code error;
    if (last.own)
        return std::filesystem::is_regular_file(last.own->file, error) ? std::optional(last) : std::nullopt;
    const auto found = catalog.lookUp(last.family + "/" + last.variant);
    if (last.launch || !found) return std::nullopt;
    const bool fits = std::ranges::all_of(found->second->parameters, [&](const std::string& name) {
        const catalog::Parameter* const parameter = found->first->findParameter(name);
        const auto value = last.values.find(name);
        return parameter && value != last.values.end() && value->second >= parameter->min &&
               value->second <= parameter->max;
    });
    return fits ? std::optional(last) : std::nullopt;
}

std::optional<viz::Cursor> lastPlace(const std::filesystem::path& recentFile) {
    return readRecent(recentFile).place;
}

app::State firstState(const Request& request) {
    app::State state = app::initialState(*request.catalog, request.choice);
    if (request.machines) state.machines = request.machines->ready();
    state.theme = request.theme;
    state.language = request.language;
    state.profile = request.profile;
    state.devices = request.devices;
    state.backend = request.backend;
    state.device = request.device;
    state.wanted = request.cursor;
    state.playback.playing = request.play;
    state.task = request.task;
    state.enlarged = request.enlarged;
    state.underlineTerms = request.underlineTerms;
    state.zoom = request.zoom;
    state.exportFolder = request.exportFolder;
    if (app::isEnlarged(state)) state.turnedTo = state.toEnlarge = state.enlarged.at(state.task);
    Recent recent = readRecent(request.recentFile);
    state.recent = std::move(recent.experiments);
    state.recentCommands = std::move(recent.commands);
    state.program.arguments = std::move(recent.programArguments);
    state.program.compile = std::move(recent.programCompile);
    state.showHint = request.hint;
    recallProgress(state, request.progressFile);
    if (request.present) {
        (void)app::update(state, app::Present{});
        (void)app::update(state, app::SetLens{request.view == "stage" ? "" : request.view});
        (void)app::update(state, app::SetTheme{request.presentingTheme});
    } else if (!request.view.empty()) {
        (void)app::update(state, app::BringUp{request.view});
    }
    if (request.enlarge) (void)app::update(state, app::Enlarge{state.toEnlarge});
    state.views[request.view.empty() ? "stage" : request.view] = request.viewState;
    if (request.compared) {
        state.compared.choice = request.compared;
        state.compared.run = request.comparedRun;
        if (request.comparedRun) state.compared.shown = request.compared;
        state.compared.open = !request.playlistShown;  // its column is beside the views
        state.views["compare"] = request.compareState;
    }
    if (request.run) {
        (void)app::update(state, app::ShowRun{request.run});
        if (request.cursor) (void)app::update(state, app::MoveCursor{*request.cursor});
        (void)app::update(state, app::SelectSteps{request.range});
        state.issues.shown = request.issues;
        state.issues.of = request.run;
        if (request.issues && request.issues->beside) state.issues.besideOf = request.comparedRun;
        state.orders.shown = request.orders;
        state.orders.of = request.orders ? request.run : nullptr;
        if (request.sweeps) state.sweeps.shown = request.sweeps;
    }
    state.orders.atOnce = request.schedules;
    if (request.lessonShown) state.lessons = *request.lessonShown;
    if (request.playlistShown) state.playlists = *request.playlistShown;
    return state;
}

namespace {

// As the window itself exports it.
Expected<void> animate(const viz::Fonts& fonts, app::State state, const Request& request,
                       const std::filesystem::path& file, const ShotSteps& steps) {
    state.reduceMotion = steps.reducedMotion;
    Exporter exporter(fonts);
    exporter.start({.view = {},
                    .format = file.extension() == ".gif" ? app::ExportFormat::Gif : app::ExportFormat::Apng,
                    .file = file.string(),
                    .first = steps.first,
                    .last = steps.last,
                    .stepsPerSecond = steps.perSecond,
                    .scale = request.scale},
                   state, request.size);
    while (std::optional<app::Action> done = exporter.work())
        if (const auto* ended = done->as<app::ExportEnded>(); ended && ended->fault)
            return Unexpected{*ended->fault};
    return {};
}

}  // namespace

Expected<void> takeShot(const Request& request, const std::filesystem::path& file,
                        const std::optional<ShotSteps>& steps) {
    const Expected<viz::Fonts> fonts = viz::Fonts::load(request.fontFolder);
    if (!fonts) return Unexpected{fonts.error()};
    app::State state = firstState(request);
    state.hasCompiler = cuda::findNvrtc().has_value();
    if (steps) return animate(*fonts, state, request, file, *steps);
    const std::string line = app::commandLine(state, request.view.empty() ? "stage" : request.view);
    Offscreen offscreen(*fonts, request.size, request.scale,
                        request.notes ? Gui::Shows::Notes : Gui::Shows::Window);
    if (file.extension() != ".svg") return viz::writePng(offscreen.picture(state), file, line);
    const viz::Theme* theme = viz::findTheme(app::themeShown(state));
    const std::string svg = viz::toSvg(offscreen.scene(state), theme ? *theme : viz::defaultTheme(), line);
    return writeWholeFile(file, std::as_bytes(std::span(svg)));
}

}  // namespace lockstep::shell
