#include "app/panels/terms.h"

#include "app/panels/glossary_words.h"
#include "explain/glossary/glossary.h"
#include "explain/glossary/term_finder.h"
#include "viz/painters/imgui/imgui_painter.h"

#include <imgui.h>

#include <algorithm>
#include <string>

namespace lockstep::app {

UnderlinesTerms::UnderlinesTerms(PanelContext& context) : context_(context) {
    if (context.state.underlineTerms && !context.state.presenting.on) context_.termsSeen = &seen_;
}

UnderlinesTerms::~UnderlinesTerms() { context_.termsSeen = nullptr; }

void underlineTerms(PanelContext& context, viz::Point at, std::string_view text, TextLook look,
                    std::string_view following) {
    const bool isCode = look.face == viz::Face::Mono || look.face == viz::Face::MonoBold;
    if (!context.termsSeen || isCode) return;
    const std::vector<explain::NamedTerm> named = explain::termsIn(text, context.state.language, following);
    if (named.empty()) return;
    const viz::TextMark drawn{.at = {at.x, at.y + viz::type::kMiddle * look.size},
                              .text = std::string(text),
                              .size = look.size,
                              .face = look.face};
    std::vector<viz::TermMark> marks;
    for (const explain::NamedTerm& one : named) {
        if (std::ranges::find(*context.termsSeen, one.term) != context.termsSeen->end()) continue;
        context.termsSeen->push_back(one.term);
        marks.push_back(viz::placeOf(one, drawn, context.metrics));
    }
    const viz::Size everything{at.x + context.metrics.width(text, look.size, look.face),
                               at.y + 2 * look.size};
    viz::paint(viz::underlines(marks, everything), context.theme, context.fonts, *ImGui::GetWindowDrawList(),
               {0, 0});
    for (const viz::TermMark& mark : marks) {
        const viz::Rect& word = mark.word;
        const bool isUnderMouse = ImGui::IsMouseHoveringRect({word.x, word.y}, {word.right(), word.bottom()});
        if (isUnderMouse && ImGui::IsWindowHovered()) explainTerm(context, *mark.term, word);
    }
}

void explainTerm(PanelContext& context, const explain::Term& term, viz::Rect word) {
    if (explainsNothing(context)) return;
    constexpr f32 kWidest = 360;
    const Language language = context.state.language;
    const std::string_view name = term.name.in(language), text = term.text.in(language);
    std::string see;
    for (const std::string_view id : term.see)
        if (const explain::Term* other = explain::findTerm(id))
            see += (see.empty() ? "" : std::string(words::kGlossaryBetween.in(language))) +
                   std::string(other->name.in(language));
    const TextLook note{.size = viz::type::kAxis, .role = viz::RoleKind::TextThird};
    placeTooltip(context, word);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10, 8));
    if (ImGui::BeginTooltip()) {
        std::vector<const explain::Term*>* const seen =
            std::exchange(context.termsSeen, nullptr);  // none in here
        label(context, name, {.face = viz::Face::TextBold});
        paragraph(context, text, {}, std::min(kWidest, widthOf(context, text) + 2));
        paragraph(context, say(language, words::kGlossarySeeLine, see), {.role = viz::RoleKind::TextSecond},
                  kWidest);
        label(context, words::kGlossaryOpens.in(language), note);
        context.termsSeen = seen;
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar();
    context.termExplained = true;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) context.send(ShowTerm{std::string(term.id)});
}

}  // namespace lockstep::app
