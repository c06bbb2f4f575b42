// How the answer to a step's question is given: an input fit for its kind, and a field for the same in words.
#pragma once

#include "app/panels/lesson/lane_strip.h"

#include <string>

namespace lockstep::app {

class AnswerInputs {
public:
    // Sends what the answer becomes. True: Enter was pressed in the field.
    bool draw(PanelContext& context);

private:
    using Draw = void (AnswerInputs::*)(PanelContext&);
    struct Row {
        lessons::AnswerInput input;
        Draw draw;
        bool hasField;  // besides, the answer can be written
    };
    static const Row& rowOf(lessons::AnswerInput input);

    void drawNothing(PanelContext&) {}
    void drawLanes(PanelContext& context);
    void drawGroups(PanelContext& context);
    void drawSectors(PanelContext& context);
    void drawLines(PanelContext& context);
    void drawCells(PanelContext& context);
    void drawChoices(PanelContext& context);
    void drawOrder(PanelContext& context);
    void drawChanges(PanelContext& context);
    void drawSums(PanelContext& context);
    // The group whose button the mouse is over, also the one that would be new.
    std::optional<std::size_t> drawGroupButtons(PanelContext& context, const std::vector<LaneMask>& groups,
                                                bool isDropped);
    // As the strip has it; the answer is kept as it was when the drag began.
    std::optional<CellStrip::Drag> dragged(PanelContext& context, const Strip& strip);
    bool drawField(PanelContext& context) const;

    CellStrip strip_;
    std::string before_;     // the answer when a drag began
    std::size_t group_ = 0;  // that lanes are put into
    struct Drop {
        std::size_t group = 0;
        Lane lane;
    };
    std::optional<Drop> drop_;  // where a lane is held over a group
    u64 ticket_ = 0;            // of the step that it is a group of
};

}  // namespace lockstep::app
