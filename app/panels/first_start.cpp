#include "app/panels/first_start.h"

#include "app/panels/fixed_part.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/update.h"

#include <imgui.h>
#include <imgui_internal.h>  // whether a dialog is open

#include <algorithm>
#include <array>
#include <string>

namespace lockstep::app {
namespace {

using viz::Rect;
using viz::RoleKind;

constexpr f32 kWide = 440, kMargin = 12, kPadding = 16;
constexpr TextLook kTitle{.size = viz::type::kTitle, .face = viz::Face::TextBold};

constexpr Words kWelcome = english("What Lockstep shows");
constexpr Words kWhatThisIs = english(
    "What a CUDA kernel does to the machine: which threads touch which data at each step, and what that "
    "costs. Every number comes from a run. Where to begin:");
constexpr Words kDoorMultiply = english("A tiled matrix multiply"),
                kDoorMultiplyHelp = english("Tiles, bounds checks and shared memory, step by step");
constexpr Words kDoorConflict = english("A bank conflict"),
                kDoorConflictHelp = english("Threads read a column of shared memory: 32 wavefronts, not one");
constexpr Words kDoorOwn = english("Your own .cu file"),
                kDoorOwnHelp = english("Compiled and run; saving it in your editor runs it again");
constexpr Words kTakeTour = english("Tour in 4 steps"),
                kTakeTourHelp = english("What stands where; Ctrl P finds it again by \"tour\"");
constexpr Words kLeaveTour = english("Leave"),
                kLeaveTourHelp = english("Ends the tour (Esc); Ctrl P finds it again by \"tour\"");
constexpr Words kTourBack = english("Back"), kTourBackHelp = english("The step of the tour before this one");
constexpr Words kTourOn = english("Next"), kTourOnHelp = english("The next step of the tour");
constexpr Words kTourEnd = english("Done"), kTourEndHelp = english("Ends the tour");
constexpr Words kStepOf = english("{0} of {1} · {2}");

struct Told {
    Words title, text;
    Rect ToldParts::*part;
};
constexpr std::array<Told, kTourSteps> kTold{{
    {english("The stage"),
     english("The data, and one block's threads at work on it, step by step: here they load tiles of M and N "
             "into shared memory and multiply them. Space plays, → and ← step. A click on a cell or a lane "
             "goes there, and the mouse on it says what it is."),
     &ToldParts::stage},
    {english("Sentence and timeline"),
     english("The sentence says what the warp does at this step. In the timeline each bar is one of its "
             "instructions, as high as the access costs; a click goes to it. [ and ] change the warp."),
     &ToldParts::timeline},
    {english("Source"),
     english("The line of this step, and what each line costs: sectors of global memory (S), wavefronts of "
             "shared memory (W), instructions (I). All views follow one cursor, so that a click on a line "
             "moves the stage, too."),
     &ToldParts::source},
    {english("Experiment"),
     english(
         "Another kernel, variant or size runs as soon as it is chosen: try width 5. Compare sets a second "
         "run beside this one. Ctrl P finds every command, kernel and size by name; F1 lists the keys."),
     &ToldParts::experiment},
}};

bool isCovering() { return ImGui::GetTopMostPopupModal() != nullptr; }

// A card of this height, drawn into by `draw`, which is told the width of its texts.
template <class Draw> void card(const char* name, ImVec2 at, f32 width, f32 height, Draw&& draw) {
    const ImVec2 origin = ImGui::GetMainViewport()->WorkPos;
    ImGui::SetNextWindowPos({origin.x + at.x, origin.y + at.y});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kPadding, 12));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, viz::radius::kPanel);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGap, 6));
    if (ImGui::Begin(name, nullptr, kFixed & ~ImGuiWindowFlags_NoBringToFrontOnFocus)) {
        ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
        draw(width - 2 * kPadding);
    }
    ImGui::End();
    ImGui::PopStyleVar(4);
}

f32 lineOf(const TextLook& look) { return std::round(look.size * viz::type::kLineHeight); }

struct Door {
    const char* id;
    const Words *name, *help;
    Action (*action)();
};
constexpr std::array kDoors{Door{"multiply", &kDoorMultiply, &kDoorMultiplyHelp,
                                 []() -> Action {
                                     return ChooseVariant{"matmul", "tiled-bounds", true};
                                 }},
                            Door{"conflict", &kDoorConflict, &kDoorConflictHelp,
                                 []() -> Action {
                                     return ChooseVariant{"banks", "column", true};
                                 }},
                            Door{"own", &kDoorOwn, &kDoorOwnHelp, []() -> Action { return ChooseFile{}; }}};

void drawWelcome(PanelContext& context, const ToldParts& parts) {
    const Language language = context.state.language;
    const f32 width = std::min(parts.window.width - 2 * kMargin, kWide), text = width - 2 * kPadding;
    f32 doors = 0;
    for (const Door& door : kDoors)
        doors = std::max(doors, widthOf(context, door.name->in(language)) + 24);
    const f32 beside = text - doors - viz::space::kGap;
    const TextLook note{.size = viz::type::kCode, .role = RoleKind::TextSecond};
    const auto rowOf = [&](const Door& door) {
        return std::max(kControlHeight, heightOf(context, door.help->in(language), note, beside));
    };
    f32 height = 24 + lineOf(kTitle) + 6 + heightOf(context, kWhatThisIs.in(language), {}, text) + 6;
    for (const Door& door : kDoors)
        height += rowOf(door) + 6;
    height += 4 + heightOf(context, words::kHint.in(language), note, text) + 6 + kControlHeight;
    const ImVec2 at{parts.window.right() - width - kMargin, parts.window.bottom() - height - kMargin};
    card("##hint", at, width, height, [&](f32 room) {
        label(context, kWelcome.in(language), kTitle);
        paragraph(context, kWhatThisIs.in(language), {}, room);
        for (const Door& door : kDoors) {
            const ImVec2 begin = ImGui::GetCursorPos();
            if (textButton(context, door.id, door.name->in(language),
                           {door.help->in(language), "guide/window.md"}, doors)) {
                context.send(DismissHint{});
                const Action action = door.action();
                const auto* variant = action.as<ChooseVariant>();
                if (!variant || variant->variant != context.state.choice.variant) context.send(action);
                if (door.id == std::string_view("conflict")) context.send(BringUp{"banks"});
            }
            ImGui::SetCursorPos({begin.x + doors + viz::space::kGap, begin.y});
            paragraph(context, door.help->in(language), note, beside);
            ImGui::SetCursorPos({begin.x, begin.y + rowOf(door) + 6});
        }
        ImGui::Dummy({1, 1});
        paragraph(context, words::kHint.in(language), note, room);
        if (textButton(context, "tour", kTakeTour.in(language),
                       {kTakeTourHelp.in(language), "guide/window.md"}))
            context.send(TakeTour{});
        ImGui::SameLine();
        if (textButton(context, "taken", words::kHintTaken.in(language),
                       {words::kHintTakenHelp.in(language), "guide/window.md"}))
            context.send(DismissHint{});
    });
}

// Beside what it speaks of: at the right of it, else at the left, else over its foot; always as low, so that
// its buttons hardly move from step to step.
ImVec2 besidePart(const Rect& part, const Rect& window, f32 width, f32 height) {
    const f32 y = window.bottom() - height - kMargin;
    if (part.right() + width + 2 * kMargin <= window.right()) return {part.right() + kMargin, y};
    if (part.x - width - 2 * kMargin >= window.x) return {part.x - width - kMargin, y};
    return {window.right() - width - kMargin, y};
}

// In the card's own list: below what lies over the card.
void outline(PanelContext& context, const Rect& part) {
    const ImVec2 origin = ImGui::GetMainViewport()->WorkPos;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRectFullScreen();
    list.AddRect({origin.x + part.x + 1, origin.y + part.y + 1},
                 {origin.x + part.right() - 1, origin.y + part.bottom() - 1}, ink(context, RoleKind::Cursor),
                 viz::radius::kControl, viz::line::kCursor);
    list.PopClipRect();
}

void drawTour(PanelContext& context, const ToldParts& parts, u32 step) {
    const Language language = context.state.language;
    const Told& told = kTold[step];
    const Rect& part = parts.*told.part;
    const bool isSeen = part.width > 0;
    const f32 width = std::min(parts.window.width - 2 * kMargin, kWide), text = width - 2 * kPadding;
    const f32 height = 24 + lineOf(kTitle) + 6 + heightOf(context, told.text.in(language), {}, text) + 6 + 4 +
                       kControlHeight;
    // The timeline has the whole width, below all others.
    const bool isBelow = told.part == &ToldParts::timeline;
    const ImVec2 at =
        isSeen && !isBelow
            ? besidePart(part, parts.window, width, height)
            : ImVec2{parts.window.right() - width - kMargin,
                     (isBelow && parts.sentence.width > 0 ? parts.sentence.y : parts.window.bottom()) -
                         height - kMargin};
    card("##tour", at, width, height, [&](f32 room) {
        if (isSeen) outline(context, part);
        if (isBelow && parts.sentence.width > 0) outline(context, parts.sentence);
        label(context, say(language, kStepOf, step + 1, kTourSteps, told.title), kTitle);
        paragraph(context, told.text.in(language), {}, room);
        ImGui::Dummy({1, 1});
        if (textButton(context, "leave", kLeaveTour.in(language),
                       {kLeaveTourHelp.in(language), "guide/window.md"}))
            context.send(LeaveTour{});
        const bool isLast = step + 1 == kTourSteps;
        const std::string_view back = kTourBack.in(language), on = (isLast ? kTourEnd : kTourOn).in(language);
        const f32 wideOn = std::max(widthOf(context, kTourOn.in(language)),
                                    widthOf(context, kTourEnd.in(language))) +
                           24,
                  wideBack = widthOf(context, back) + 24;
        ImGui::SameLine(kPadding + room - wideOn - viz::space::kGap - wideBack);
        ImGui::BeginDisabled(step == 0);
        if (textButton(context, "back", back, {kTourBackHelp.in(language), "guide/window.md"}, wideBack))
            context.send(TakeTour{step - 1});
        ImGui::EndDisabled();
        ImGui::SameLine();
        if (textButton(context, "on", on,
                       {(isLast ? kTourEndHelp : kTourOnHelp).in(language), "guide/window.md"}, wideOn))
            context.send(isLast ? Action(LeaveTour{}) : Action(TakeTour{step + 1}));
    });
}

}  // namespace

void drawFirstStart(PanelContext& context, const ToldParts& parts) {
    const State& state = context.state;
    if (isCovering()) return;
    if (state.tour && state.run) return drawTour(context, parts, *state.tour);
    if (state.showHint) drawWelcome(context, parts);
}

}  // namespace lockstep::app
