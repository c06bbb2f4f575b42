#include "app/panels/first_start.h"

#include "app/panels/commands.h"
#include "app/panels/fixed_part.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/update.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

namespace lockstep::app {
namespace {

using viz::Rect;
using viz::RoleKind;

constexpr f32 kWide = 440, kWidest = 620, kMargin = 12, kPadding = 16;
constexpr TextLook kTitle{.size = viz::type::kTitle, .face = viz::Face::TextBold};

constexpr Words kWelcome = english("What Lockstep shows");
constexpr Words kWhatThisIs = english(
    "What a CUDA kernel does to the machine: which threads touch which data at each step, and what that "
    "costs. Every number comes from a run. Where to begin:");
constexpr Words kDoorMultiply = english("Tiled multiply"),
                kDoorMultiplyHelp = english("Tiles, bounds checks and shared memory, step by step");
constexpr Words kDoorConflict = english("Bank conflict"),
                kDoorConflictHelp = english("Threads read a column of shared memory: 32 wavefronts, not one");
constexpr Words kDoorOwn = english("Your .cu"),
                kDoorOwnHelp =
                    english("Compiled and run; it runs again as you edit it here, or save it elsewhere");
constexpr Words kDoorNew = english("New kernel"),
                kDoorNewHelp = english("From a template, in the editor: it runs as you type");
constexpr Words kTakeTour = english("Tour in 4 steps"),
                kTakeTourHelp = english("What stands where; Ctrl P finds it again by \"tour\"");
constexpr Words kLeaveTour = english("Leave"),
                kLeaveTourHelp = english("Ends the tour (Esc); Ctrl P finds it again by \"tour\"");
constexpr Words kTourBack = english("Back"), kTourBackHelp = english("The step of the tour before this one");
constexpr Words kTourOn = english("Next"), kTourOnHelp = english("The next step of the tour (Enter)");
constexpr Words kTourEnd = english("Done"), kTourEndHelp = english("Ends the tour (Enter)");
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
     english("The line of this step, and what each line costs: sectors of global memory, wavefronts of "
             "shared memory, instructions (S, W, I where there is little room). All views follow one cursor, "
             "so that a click on a line moves the stage, too."),
     &ToldParts::source},
    {english("Experiment"),
     english(
         "Another kernel, variant or size runs as soon as it is chosen: try width 5. Compare sets a second "
         "run beside this one. Ctrl P finds every command, kernel and size by name; F1 lists the keys."),
     &ToldParts::experiment},
}};

// Where it is behind a button.
constexpr Words kExperimentBehind = english(
    "Experiment, at the top left, opens what is chosen: another kernel, variant or size runs as soon as "
    "it is chosen; try width 5. Compare sets a second run beside this one. Ctrl P finds every command, "
    "kernel and size by name; F1 lists the keys.");

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
constexpr std::array kDoors{
    Door{"multiply", &kDoorMultiply, &kDoorMultiplyHelp,
         []() -> Action {
             return ChooseVariant{"matmul", "tiled-bounds", true};
         }},
    Door{"conflict", &kDoorConflict, &kDoorConflictHelp,
         []() -> Action {
             return ChooseVariant{"banks", "column", true};
         }},
    Door{"own", &kDoorOwn, &kDoorOwnHelp, []() -> Action { return ChooseFile{}; }},
    Door{"new", &kDoorNew, &kDoorNewHelp, []() -> Action { return EditorAction{NewKernel{}}; }}};

// In the corner below; where it would hide the line of the cursor, in the middle of the source, above that.
f32 topOfWelcome(const ToldParts& parts, f32 left, f32 height) {
    constexpr f32 kAboveTheLine = 0.48f, kBelowTheLine = 0.65f;  // of the source's height
    const f32 low = parts.window.bottom() - height - kMargin, high = parts.source.y + kMargin;
    const auto at = [&](f32 part) { return parts.source.y + part * parts.source.height; };
    const bool isOver = parts.source.width > 0 && parts.source.right() > left && low < at(kBelowTheLine);
    return isOver && high + height < at(kAboveTheLine) ? high : low;
}

void drawWelcome(PanelContext& context, const ToldParts& parts) {
    constexpr f32 kWelcomeWide = 500;
    const Language language = context.state.language;
    // Beside the stage, where there is room for it.
    constexpr f32 kLeastBeside = 400;
    const f32 beside = parts.source.x > kLeastBeside ? parts.source.width - 2 * kMargin : 0;
    const f32 width = std::min({parts.window.width - 2 * kMargin, kWelcomeWide,
                                beside >= kLeastBeside ? beside : kWelcomeWide}),
              text = width - 2 * kPadding;
    const auto wideOf = [&](const Door& door) { return widthOf(context, door.name->in(language)) + 24; };
    // Side by side, in as many rows as they need.
    std::array<ImVec2, kDoors.size()> places;
    ImVec2 next{0, 0};
    for (std::size_t i = 0; i < kDoors.size(); ++i) {
        const f32 wide = wideOf(kDoors[i]);
        if (next.x > 0 && next.x + wide > text) next = {0, next.y + kControlHeight + 6};
        places[i] = next;
        next.x += wide + 6;
    }
    const f32 doors = next.y + kControlHeight;
    const TextLook note{.size = viz::type::kCode, .role = RoleKind::TextSecond};
    const f32 height = 24 + lineOf(kTitle) + 6 + heightOf(context, kWhatThisIs.in(language), {}, text) + 6 +
                       doors + 6 + 4 + heightOf(context, words::kHint.in(language), note, text) + 6 +
                       kControlHeight;
    const f32 left = parts.window.right() - width - kMargin;
    card("##hint", {left, topOfWelcome(parts, left, height)}, width, height, [&](f32 room) {
        label(context, kWelcome.in(language), kTitle);
        paragraph(context, kWhatThisIs.in(language), {}, room);
        const ImVec2 begin = ImGui::GetCursorPos();
        for (std::size_t i = 0; i < kDoors.size(); ++i) {
            const Door& door = kDoors[i];
            ImGui::SetCursorPos({begin.x + places[i].x, begin.y + places[i].y});
            if (!textButton(context, door.id, door.name->in(language),
                            {door.help->in(language), "guide/window.md"}))
                continue;
            context.send(DismissHint{});
            const Action action = door.action();
            const auto* variant = action.as<ChooseVariant>();
            if (!variant || variant->variant != context.state.choice.variant) context.send(action);
            if (door.id == std::string_view("conflict")) context.send(BringUp{"banks"});
        }
        ImGui::SetCursorPos({begin.x, begin.y + doors + 6});
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

// At the right, where its buttons stay from step to step: over the window's foot, or above that where it
// speaks of it. As wide as it takes not to reach higher.
Rect placeOfTour(const PanelContext& context, const ToldParts& parts, std::string_view said,
                 bool isAboutFoot) {
    const f32 foot = parts.timeline.bottom() - parts.sentence.y - 2 * kMargin;
    const auto heightAt = [&](f32 width) {
        return 24 + lineOf(kTitle) + 6 + heightOf(context, said, {}, width - 2 * kPadding) + 6 + 4 +
               kControlHeight;
    };
    const f32 most = parts.timeline.width - 2 * kMargin,
              width = std::min(most, heightAt(kWide) <= foot ? kWide : kWidest), height = heightAt(width),
              bottom = isAboutFoot ? parts.sentence.y : parts.timeline.bottom();
    return {parts.timeline.right() - width - kMargin, bottom - height - kMargin, width, height};
}

// Enter is the button's that leads on, unless a control, a field or a dialog has the keyboard.
bool isEntered(const PanelContext& context) {
    return !context.hasFocus && !ImGui::GetIO().WantTextInput && !isAsked(context.state) &&
           !isAnyPopupOpen() &&
           (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
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

// Of a double click, whose first one was meant for what lay there before.
bool isSecondClick() {
    return ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
           ImGui::GetIO().MouseClickedLastCount[ImGuiMouseButton_Left] > 1;
}

void drawTour(PanelContext& context, const ToldParts& parts, u32 step) {
    const Language language = context.state.language;
    const Told& told = kTold[step];
    const Rect& part = parts.*told.part;
    const bool isSeen = part.width > 0;
    const std::string_view said =
        (told.part == &ToldParts::experiment && !isSeen ? kExperimentBehind : told.text).in(language);
    const bool isAboutFoot = told.part == &ToldParts::timeline;
    const Rect place = placeOfTour(context, parts, said, isAboutFoot);
    card("##tour", {place.x, place.y}, place.width, place.height, [&](f32 room) {
        if (isSeen) outline(context, part);
        if (isAboutFoot && parts.sentence.width > 0) outline(context, parts.sentence);
        label(context, say(language, kStepOf, step + 1, kTourSteps, told.title), kTitle);
        paragraph(context, said, {}, room);
        ImGui::Dummy({1, 1});
        const bool leaves = textButton(context, "leave", kLeaveTour.in(language),
                                       {kLeaveTourHelp.in(language), "guide/window.md"});
        if (leaves && !isSecondClick()) context.send(LeaveTour{});
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
        const bool isPressed =
            textButton(context, "on", on,
                       {(isLast ? kTourEndHelp : kTourOnHelp).in(language), "guide/window.md"}, wideOn);
        if (isPressed || isEntered(context))
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
