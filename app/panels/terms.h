// Terms of the glossary in the window: dots below them, their meaning under the mouse, and a card with all of
// it.
#pragma once

#include "app/panels/panel.h"
#include "app/panels/widgets.h"
#include "viz/glossary/term_marks.h"

#include <string_view>
#include <vector>

namespace lockstep::app {

// While it lives, labels and paragraphs have dots below their terms, each the first time; unless the user
// wants none. One for each part of the window.
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

// Of a line of text that has just been drawn in the current ImGui window. `at`: as for drawText; `following`:
// the paragraph's next line.
void underlineTerms(PanelContext& context, viz::Point at, std::string_view text, TextLook look,
                    std::string_view following = {});

// In the tooltip, below what it says already; a right click opens the card.
void explainTerm(PanelContext& context, const explain::Term& term);

// Over everything else while State::term names one.
void drawGlossaryCard(PanelContext& context);

}  // namespace lockstep::app
