// Above the rows of the issue timeline, so that a picture answers by itself: what the cursor's warp issues
// and what it waited for just before, when no warp issues and why, and what would help most.
#pragma once

#include "viz/issue/issue_facts.h"
#include "viz/issue/issue_scale.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::viz {

class IssueCards {
public:
    // shown: of the cycles on show. all, exposed: of all cycles, idleOf() and exposedOf().
    IssueCards(const IssueDrawing& d, const IssuePlace& place, const Idle& shown, const Idle& all,
               std::span<const Waited> exposed);

    // As many as there is room for. Returns their height, 0 where there is no room.
    f32 arrange(f32 width, f32 room);
    void draw(const Rect& area) const;

private:
    struct Card {
        std::string head, main;
        bool isCode = false;
        std::vector<std::string> lines;            // that wrap, but for code
        std::string code;                          // a line of source before them
        std::string headInBrief{}, mainInBrief{};  // where these have no room
    };
    Card now() const;
    Card before() const;
    Card idle(const Idle& shown) const;
    Card help(std::span<const Waited> exposed) const;
    u32 linesOf(const Card& card, f32 width) const;
    u32 codeLines(const Card& card, f32 room) const;
    void drawCard(const Card& card, const Rect& place) const;

    const IssueDrawing& d_;
    const IssuePlace& place_;
    const Idle& all_;
    std::vector<Card> cards_;
    u32 shown_ = 0, columns_ = 1, lines_ = 0;
};

// The sentence of the view: what the cursor's warp waited for, and what it issues.
std::string sentenceAt(const IssueDrawing& d, const IssuePlace& place);

}  // namespace lockstep::viz
