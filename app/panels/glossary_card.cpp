// A glossary term in its own window: its meaning, and links to others.
#include "app/panels/fixed_part.h"
#include "app/panels/glossary_words.h"
#include "app/panels/terms.h"
#include "app/panels/words.h"
#include "explain/glossary/glossary.h"

#include <imgui.h>

#include <string>

namespace lockstep::app {
namespace {

constexpr f32 kWide = 460;
constexpr f32 kButtonInset = 24;  // a button's width besides its text

// As many beside each other as there is room for.
void drawSeeAlso(PanelContext& context, const explain::Term& term, f32 width) {
    const Language language = context.state.language;
    label(context, words::kGlossarySee.in(language), {.role = viz::RoleKind::TextSecond});
    f32 used = 0;
    for (const std::string_view id : term.see) {
        const explain::Term* other = explain::findTerm(id);
        if (!other) continue;
        const std::string_view name = other->name.in(language);
        const f32 wide = widthOf(context, name) + kButtonInset;
        if (used > 0 && used + viz::space::kGap + wide <= width)
            ImGui::SameLine(), used += viz::space::kGap;
        else
            used = 0;
        used += wide;
        const std::string key(id);
        if (textButton(context, key.c_str(), name,
                       {words::kGlossaryTermHelp.in(language), "guide/glossary.md"}, wide))
            context.send(ShowTerm{key});
    }
}

}  // namespace

void drawGlossaryCard(PanelContext& context) {
    const explain::Term* term = explain::findTerm(context.state.term);
    if (!term) return;
    const Language language = context.state.language;
    centeredPage(context, "##glossary", kWide, [&](f32 room) {
        const std::string_view name = term->name.in(language),
                               otherName = term->name.in(explain::otherNameLanguage(language));
        const TextLook title{.size = viz::type::kTitle, .face = viz::Face::TextBold};
        label(context, name, title);
        if (name != otherName &&
            widthOf(context, name, title) + widthOf(context, otherName) + viz::space::kInset < room) {
            ImGui::SameLine(0, viz::space::kInset);
            label(context, otherName, {.role = viz::RoleKind::TextThird});
        }
        paragraph(context, term->text.in(language), {}, room);
        drawSeeAlso(context, *term, room);
        ImGui::Dummy({1, viz::space::kGrid});
        if (textButton(context, "page", words::kGlossaryPage.in(language),
                       {words::kGlossaryPageHelp.in(language), "guide/glossary.md"}))
            context.send(OpenPage{"guide/glossary.md"});
        ImGui::SameLine();
        if (textButton(context, "close", words::kClose.in(language),
                       {words::kCloseHelp.in(language), "guide/glossary.md"}))
            context.send(ShowTerm{});
    });
}

}  // namespace lockstep::app
