// Writes what the user exports, a picture at a time between the window's own frames, so that it can be
// watched and stopped.
#pragma once

#include "app/state/action.h"
#include "viz/scene/fonts.h"
#include "viz/scene/scene.h"

#include <optional>
#include <vector>

namespace lockstep::shell {

class Exporter {
public:
    // `fonts` must outlive it.
    explicit Exporter(const viz::Fonts& fonts);
    ~Exporter();

    // Of the state as it is now, whatever the user does meanwhile. window: the size of the whole window, in
    // logical pixels.
    void start(const app::ExportSettings& settings, const app::State& state, viz::Size window);
    void stop();
    bool isBusy() const { return job_ != nullptr; }
    // Draws one picture; says how far it is, or how it ended. Files are written whole or not at all.
    std::optional<app::Action> work();

    // What that file would hold, at once: of a view, or (empty) of the whole window.
    static std::vector<u8> png(const viz::Fonts& fonts, const std::string& view, const app::State& state,
                               viz::Size window);

private:
    class Job;
    const viz::Fonts& fonts_;
    std::unique_ptr<Job> job_;
};

}  // namespace lockstep::shell
