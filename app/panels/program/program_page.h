// The page of a whole program, in the place of everything below the bar: how it is run, its timeline, its
// source, what it printed, what was found.
#pragma once

#include "app/panels/panel.h"
#include "viz/program/program_picture.h"
#include "viz/scene/scene.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::app {

class ProgramPage {
public:
    void draw(PanelContext& context, viz::Rect place);
    // The last drawn timeline; empty before.
    const viz::Scene& scene() const { return scene_; }
    // Where that lies on the screen, for tests; none: it is not drawn.
    struct Place {
        viz::Rect rect;
        std::optional<u64> operation;
        std::optional<u32> buffer;
    };
    std::vector<Place> places() const;

private:
    void drawHead(PanelContext& context);
    void drawStatus(PanelContext& context) const;
    void drawTimeline(PanelContext& context);
    void drawFollowed(PanelContext& context) const;
    void drawSource(PanelContext& context);
    void drawOutput(PanelContext& context);
    void drawLaunchList(PanelContext& context) const;
    void drawFields(PanelContext& context) const;
    void click(PanelContext& context, const viz::ProgramTarget& target);
    void drawRounds(PanelContext& context);

    struct Key {
        std::shared_ptr<const operations::ProgramReport> report;
        f32 width = 0;
        Language language = Language::English;
        std::optional<u32> followed;
        bool operator==(const Key&) const = default;
    };
    Key key_;
    viz::Scene scene_;
    std::vector<viz::ProgramTarget> targets_;
    viz::ProgramTarget repeated_;  // whose launches are listed
    viz::Point origin_;            // of the scene, on the screen
    u32 hoveredLine_ = 0;
    u64 printedBytes_ = 0, printedTicket_ = 0;  // what lines_ are of
    std::vector<std::string> lines_;
    u32 timesTurnedTo_ = 0;
};

}  // namespace lockstep::app
