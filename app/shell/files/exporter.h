// Writes the user's export, one picture at a time between the window's frames, so that it shows progress and
// can be canceled.
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

    // Exports the current state, whatever the user does meanwhile. window: the size of the whole window, in
    // logical pixels.
    void start(const app::ExportSettings& settings, const app::State& state, viz::Size window);
    void stop();
    bool isBusy() const { return job_ != nullptr; }
    // Draws one picture; returns progress, or the result. Files are written completely or not at all.
    std::optional<app::Action> work();

    // The contents of such a file, immediately: of a view, or (empty) of the whole window.
    static std::vector<u8> png(const viz::Fonts& fonts, const std::string& view, const app::State& state,
                               viz::Size window);

private:
    class Job;
    const viz::Fonts& fonts_;
    std::unique_ptr<Job> job_;
};

}  // namespace lockstep::shell
