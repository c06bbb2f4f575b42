#include "app/shell/files/exporter.h"

#include "app/shell/drawing/offscreen.h"
#include "app/state/update.h"
#include "base/files/whole_file.h"
#include "model/profiles/profile.h"
#include "viz/compare/comparison.h"
#include "viz/painters/raster/animation_writer.h"
#include "viz/painters/raster/raster.h"
#include "viz/painters/svg/svg.h"
#include "viz/scene/captioned.h"

namespace lockstep::shell {
namespace {

constexpr viz::Size kSlide{1280, 720};  // of a view: a slide's shape

std::span<const std::byte> bytesOf(const std::vector<u8>& bytes) { return std::as_bytes(std::span(bytes)); }

}  // namespace

class Exporter::Job {
public:
    Job(const viz::Fonts& fonts, const app::ExportSettings& settings, const app::State& state,
        viz::Size window)
        : fonts_(fonts),
          settings_(settings),
          state_(state),
          painter_(fonts),
          line_(app::commandLine(state, settings.view.empty() ? lineView(state) : settings.view)) {
        state_.exporting = {};
        state_.fault.reset();
        state_.playback.playing = false;
        state_.playback.backwards = false;
        if (settings_.view.empty()) offscreen_ = std::make_unique<Offscreen>(fonts, window, settings_.scale);
        if (!app::rowOf(settings_.format).moves) return;
        const viz::AnimationOptions options{.first = settings_.first - 1,
                                            .last = settings_.last - 1,
                                            .stepsPerSecond = settings_.stepsPerSecond,
                                            .reducedMotion = state.reduceMotion};
        const auto moves = [this](u32 step) {
            return sceneAt(settings_.view.empty() ? std::string_view("stage") : settings_.view, step, 0.5f)
                .animating;
        };
        const auto paint = [this](const viz::AnimationFrame& frame) {
            return paintedAt(frame.step, frame.motion);
        };
        film_.emplace(viz::animationOf(options, moves), paint,
                      settings_.format == app::ExportFormat::Gif ? viz::AnimationFormat::Gif
                                                                 : viz::AnimationFormat::Apng,
                      line_);
    }

    std::vector<u8> png() { return viz::encodePng(paintedAt(state_.cursor.step, 1), line_); }

    std::optional<app::Action> work() {
        if (film_ && film_->drawOne()) return app::ExportProgressed{film_->progress()};
        const Expected<void> written = write();
        if (!written) return app::ExportEnded{settings_.file, written.error()};
        return app::ExportEnded{settings_.file, std::nullopt};
    }

private:
    static std::string lineView(const app::State& state) {
        return state.compared.open && state.compared.run ? "compare" : state.turnedTo;
    }

    Expected<void> write() {
        if (film_) return writeWholeFile(settings_.file, bytesOf(film_->file()));
        const u32 step = state_.cursor.step;
        if (settings_.format == app::ExportFormat::Svg) {
            goTo(step, 1);
            const std::string svg = viz::toSvg(
                offscreen_ ? offscreen_->scene(state_) : sceneAt(settings_.view, step, 1), theme(), line_);
            return writeWholeFile(settings_.file, std::as_bytes(std::span(svg)));
        }
        return writeWholeFile(settings_.file, bytesOf(png()));
    }

    const viz::Theme& theme() const {
        const viz::Theme* theme = viz::findTheme(app::themeShown(state_));
        return theme ? *theme : viz::defaultTheme();
    }

    void goTo(u32 step, f32 motion) {
        viz::Cursor to = state_.cursor;
        to.step = step;
        if (to != state_.cursor) (void)app::update(state_, app::MoveCursor{to});
        state_.playback.motion = motion;
    }

    viz::Image paintedAt(u32 step, f32 motion) {
        if (!offscreen_)
            return painter_.paint(sceneAt(settings_.view, step, motion), theme(), settings_.scale);
        goTo(step, motion);
        return offscreen_->picture(state_);
    }

    viz::Scene sceneAt(std::string_view name, u32 step, f32 motion) {
        goTo(step, motion);
        const viz::ViewRow& view = *viz::findView(name);
        const model::Profile* found = model::findProfile(state_.profile);
        const model::Profile& profile = found ? *found : model::defaultProfile();
        const auto own = state_.views.find(name);
        std::vector<const model::Profile*> devices;
        for (const std::string& device : state_.devices)
            if (const model::Profile* row = model::findProfile(device)) devices.push_back(row);
        std::optional<viz::ComparedRun> beside;
        if (state_.compared.run)
            beside.emplace(*state_.compared.run, state_.compared.cursor, profile,
                           state_.compared.moved ? motion : 1);
        return viz::buildCaptioned(
            view, {.run = *state_.run,
                   .cursor = state_.cursor,
                   .profile = profile,
                   .size = kSlide,
                   .language = state_.language,
                   .metrics = fonts_,
                   .motion = motion,
                   .state = {.pan = {},
                             .zoom = 0,
                             .options = own == state_.views.end() ? viz::ViewOptions{} : own->second.options},
                   .cache = &kept_,
                   .machines = state_.machines.get(),
                   .compared = beside ? &*beside : nullptr,
                   .devices = devices,
                   .playground = &state_.playground.shown,
                   .range = state_.range,
                   .sweeps = state_.sweeps.shown.get(),
                   .issues = state_.issues.shown.get()});
    }

    const viz::Fonts& fonts_;
    app::ExportSettings settings_;
    app::State state_;
    viz::RasterPainter painter_;
    std::string line_;
    viz::ViewCache kept_;
    std::unique_ptr<Offscreen> offscreen_;
    std::optional<viz::AnimationWriter> film_;
};

Exporter::Exporter(const viz::Fonts& fonts) : fonts_(fonts) {}
Exporter::~Exporter() = default;

void Exporter::start(const app::ExportSettings& settings, const app::State& state, viz::Size window) {
    job_ = std::make_unique<Job>(fonts_, settings, state, window);
}

std::vector<u8> Exporter::png(const viz::Fonts& fonts, const std::string& view, const app::State& state,
                              viz::Size window) {
    return Job(fonts, {.view = view, .format = app::ExportFormat::Png, .file = {}}, state, window).png();
}

void Exporter::stop() { job_.reset(); }

std::optional<app::Action> Exporter::work() {
    if (!job_) return std::nullopt;
    std::optional<app::Action> action = job_->work();
    if (action && action->as<app::ExportEnded>()) job_.reset();
    return action;
}

}  // namespace lockstep::shell
