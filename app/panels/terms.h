// Glossary terms in the window: dotted underlines, their meaning as a tooltip, and a card with the full text.
#pragma once

#include "app/panels/panel.h"
#include "app/panels/widgets.h"
#include "viz/glossary/term_marks.h"

#include <string_view>
#include <vector>

namespace lockstep::app {

// While it lives, the first mention of each term in labels and paragraphs is underlined with dots, unless the
// user has disabled that. One per part of the window.
class UnderlinesTerms {
public:
    explicit UnderlinesTerms(PanelContext& context);
    ~UnderlinesTerms();
    UnderlinesTerms(const UnderlinesTerms&) = delete;
    UnderlinesTerms& operator=(const UnderlinesTerms&) = delete;

private:
    PanelContext& context_;
    std::vector<const explain::Term*> seen_;
};

// For a line of text just drawn in the current ImGui window. `at`: as for drawText; `following`: the
// paragraph's next line.
void underlineTerms(PanelContext& context, viz::Point at, std::string_view text, TextLook look,
                    std::string_view following = {});

// In the tooltip, below what it says already; a right click opens the card.
void explainTerm(PanelContext& context, const explain::Term& term, viz::Rect word);

// Above everything else while State::term is set.
void drawGlossaryCard(PanelContext& context);

}  // namespace lockstep::app
