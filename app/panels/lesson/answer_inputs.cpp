#include "app/panels/lesson/answer_inputs.h"

#include "app/panels/lesson/lesson_look.h"
#include "app/panels/lesson/lesson_words.h"
#include "app/panels/lesson/markdown_text.h"
#include "viz/painters/imgui/imgui_painter.h"
#include "viz/scene/canvas.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::app {
namespace {

using lessons::AnswerInput, lessons::StepOnShow;
using viz::RoleKind;

constexpr s64 kMostCells = 256;  // sectors that are drawn; others are written

const StepOnShow& stepOf(const PanelContext& context) { return *context.state.lessons.step; }
const std::string& answerOf(const PanelContext& context) { return context.state.lessons.attempt.answer; }
void become(PanelContext& context, std::string answer) {
    if (answer == answerOf(context)) return;
    context.send(LessonAction{MakeAnswer{std::move(answer)}});
}

void withBodyFont(const PanelContext& context, viz::Face face) {
    ImGui::PushFont(context.fonts.font(face), context.fonts.size(face, viz::type::kBody));
}

// In an empty field: how an answer may be written, where that is not plain.
std::string hintFor(AnswerInput input, Language language) {
    const auto suchAs = [&](std::string_view example) {
        return say(language, words::kLessonSuchAs, example);
    };
    switch (input) {
        case AnswerInput::Lanes: return suchAs("0-7, 12, 16-30/2");
        case AnswerInput::Groups: return suchAs("0-7 | 8-30/2, 31");
        case AnswerInput::Sectors: return suchAs("0-3, 8");
        case AnswerInput::Cell: return say(language, words::kLessonCellHint);
        default: return {};
    }
}

// A wide button with text of its own.
bool rowButton(PanelContext& context, const char* id, f32 height, bool isOn, const Help& help) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const f32 width = ImGui::GetContentRegionAvail().x;
    const bool clicked = ImGui::InvisibleButton(id, {width, height}, ImGuiButtonFlags_EnableNav);
    helped(context, help);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool isHovered = ImGui::IsItemHovered();
    list.AddRectFilled(at, {at.x + width, at.y + height},
                       ink(context, isOn ? RoleKind::Edge : RoleKind::Raised, isOn ? 0.45f : 1),
                       viz::radius::kControl);
    if (isOn || isHovered)
        list.AddRect(at, {at.x + width, at.y + height}, ink(context, isOn ? RoleKind::Text : RoleKind::Edge),
                     viz::radius::kControl);
    return clicked;
}

}  // namespace

const AnswerInputs::Row& AnswerInputs::rowOf(AnswerInput input) {
    static constexpr std::array kRows{Row{AnswerInput::Text, &AnswerInputs::drawNothing, true},
                                      Row{AnswerInput::Number, &AnswerInputs::drawNothing, true},
                                      Row{AnswerInput::Lanes, &AnswerInputs::drawLanes, true},
                                      Row{AnswerInput::Groups, &AnswerInputs::drawGroups, true},
                                      Row{AnswerInput::Sectors, &AnswerInputs::drawSectors, true},
                                      Row{AnswerInput::Line, &AnswerInputs::drawLines, false},
                                      Row{AnswerInput::Cell, &AnswerInputs::drawCells, true},
                                      Row{AnswerInput::Choice, &AnswerInputs::drawChoices, false},
                                      Row{AnswerInput::Order, &AnswerInputs::drawOrder, false},
                                      Row{AnswerInput::Changes, &AnswerInputs::drawChanges, false},
                                      Row{AnswerInput::Sums, &AnswerInputs::drawSums, false}};
    const auto found = std::ranges::find(kRows, input, &Row::input);
    return found == kRows.end() ? kRows.front() : *found;
}

bool AnswerInputs::draw(PanelContext& context) {
    const u64 ticket = stepOf(context).seed + context.state.lessons.number * 1000;
    if (ticket != ticket_) ticket_ = ticket, group_ = 0;
    const Row& row = rowOf(stepOf(context).input());
    (this->*row.draw)(context);
    return row.hasField && drawField(context);
}

bool AnswerInputs::drawField(PanelContext& context) const {
    const Language language = context.state.language;
    std::string text = answerOf(context);
    withBodyFont(context, viz::Face::Mono);
    ImGui::SetNextItemWidth(-1);
    const std::string hint = hintFor(stepOf(context).input(), language);
    const bool entered =
        ImGui::InputTextWithHint("##answer", hint.c_str(), &text, ImGuiInputTextFlags_EnterReturnsTrue);
    // The next try is typed at once, and not into the window's keys.
    if (entered) ImGui::SetKeyboardFocusHere(-1);
    ImGui::PopFont();
    helped(context,
           {say(language, words::kLessonAnswerHelp, stepOf(context).in(language).howToAnswer), kLessonPage});
    become(context, std::move(text));
    return entered;
}

std::optional<CellStrip::Drag> AnswerInputs::dragged(PanelContext& context, const Strip& strip) {
    const std::optional<CellStrip::Drag> drag = strip_.draw(context, strip);
    if (drag && drag->begins) before_ = answerOf(context);
    return drag;
}

void AnswerInputs::drawLanes(PanelContext& context) {
    const LaneMask chosen = lessons::lanesBeingChosen(answerOf(context)), all = stepOf(context).lanes;
    const Strip strip{.id = "lanes",
                      .count = kWarpSize,
                      .cell =
                          [&](s64 lane) {
                              const Lane at{u32(lane)};
                              return StripCell{!all.has(at), chosen.has(at)
                                                                 ? std::optional(viz::role(RoleKind::Text))
                                                                 : std::nullopt};
                          },
                      .help = lessonHelp(context, words::kLessonLanesHelp)};
    const auto drag = dragged(context, strip);
    if (!drag) return;
    std::string text = lessons::lanesBeingChosen(before_).empty() ? std::string() : before_;
    for (s64 lane = drag->first; lane <= drag->last; ++lane)
        if (all.has(Lane{u32(lane)})) text = lessons::withLane(text, 0, Lane{u32(lane)}, drag->in);
    become(context, std::move(text));
}

std::optional<std::size_t> AnswerInputs::drawGroupButtons(PanelContext& context,
                                                          const std::vector<LaneMask>& groups,
                                                          bool isDropped) {
    std::optional<std::size_t> over;
    const auto receives = [&](std::size_t group) {
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        if (!isDropped || !ImGui::IsMouseHoveringRect(low, high)) return;
        over = group;
        ImGui::GetWindowDrawList()->AddRect(low, high, ink(context, RoleKind::Cursor), viz::radius::kControl,
                                            2.0f);
    };
    constexpr f32 kButtonInset = 24;
    constexpr f32 kRows = 2;  // as many have room, so that what is below stays where it is
    const Language language = context.state.language;
    const f32 top = ImGui::GetCursorPosY();
    const f32 room = ImGui::GetContentRegionAvail().x;
    f32 used = 0;
    const auto place = [&](std::string_view text) {
        const f32 wide = widthOf(context, text, {.face = viz::Face::TextBold}) + kButtonInset;
        if (used > 0 && used + 4 + wide <= room)
            ImGui::SameLine(0, 4), used += 4 + wide;
        else
            used = wide;
    };
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const std::string text = say(language, words::kLessonGroup, i + 1, groups[i].count());
        const std::array<std::string_view, 1> texts{text};
        place(text);
        const std::string id = "group" + std::to_string(i + 1);
        if (segments(context, id.c_str(), texts, i == group_ ? 0 : -1,
                     {lessonHelp(context, words::kLessonGroupHelp)}) == 0)
            group_ = i;
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        ImGui::GetWindowDrawList()->AddRectFilled(
            {low.x + 2, high.y - 3}, {high.x - 2, high.y - 1},
            viz::packed(viz::colorOf(viz::warpRole(Warp{u32(i)}), context.theme)));
        receives(i);
    }
    const std::string& kind = stepOf(context).step().question.kind;
    const Words& called = kind == "wavefronts" ? words::kLessonWavefrontMore
                          : kind == "paths"    ? words::kLessonPathMore
                                               : words::kLessonGroupMore;
    const std::string_view more = called.in(language);
    place(more);
    if (groups.size() < kWarpSize) {
        if (textButton(context, "more", more, lessonHelp(context, words::kLessonGroupMoreHelp))) {
            group_ = groups.size();
            become(context, lessons::withGroup(answerOf(context)));
        }
        receives(groups.size());
    }
    const f32 row = ImGui::GetItemRectSize().y + ImGui::GetStyle().ItemSpacing.y;
    const f32 below = top + kRows * row - ImGui::GetCursorPosY();
    if (below > 0) ImGui::Dummy({1, below - ImGui::GetStyle().ItemSpacing.y});
    return over;
}

void AnswerInputs::drawGroups(PanelContext& context) {
    const std::vector<LaneMask> groups = lessons::groupsBeingMade(answerOf(context));
    const LaneMask all = stepOf(context).lanes;
    group_ = std::min(group_, groups.size() - 1);
    const auto groupOf = [&](Lane lane) {
        return std::ranges::find_if(groups, [&](LaneMask group) { return group.has(lane); }) - groups.begin();
    };
    const Strip strip{.id = "lanes",
                      .count = kWarpSize,
                      .cell =
                          [&](s64 lane) {
                              const Lane at{u32(lane)};
                              const auto group = std::size_t(groupOf(at));
                              return StripCell{!all.has(at),
                                               group < groups.size()
                                                   ? std::optional(viz::warpRole(Warp{u32(group)}))
                                                   : std::nullopt};
                          },
                      .help = lessonHelp(context, words::kLessonGroupLanesHelp)};
    const auto drag = dragged(context, strip);
    // Below the lanes, which would move under the mouse whenever a group begins a row.
    const bool isInHand = drag && drag->isAway && all.has(Lane{u32(drag->pressed)});
    const std::optional<std::size_t> over = drawGroupButtons(context, groups, isInHand);
    const std::optional<Drop> dropped = std::exchange(drop_, std::nullopt);
    if (!drag) {
        if (dropped && ImGui::IsMouseReleased(ImGuiMouseButton_Left))
            become(context, lessons::withLane(before_, dropped->group, dropped->lane, true));
        return;
    }
    // Held over a group, the lane that was pressed goes there, and what was painted on the way is given back.
    if (isInHand) CellStrip::drawInHand(context, drag->pressed, strip.cell(drag->pressed));
    if (over) {
        drop_ = Drop{*over, Lane{u32(drag->pressed)}};
        return become(context, before_);
    }
    // A lane of another group changes over; one of this group leaves it.
    const std::vector<LaneMask> then = lessons::groupsBeingMade(before_);
    const bool leaves =
        drag->first == drag->last && group_ < then.size() && then[group_].has(Lane{u32(drag->first)});
    std::string text = before_;
    for (s64 lane = drag->first; lane <= drag->last; ++lane)
        if (all.has(Lane{u32(lane)})) text = lessons::withLane(text, group_, Lane{u32(lane)}, !leaves);
    become(context, std::move(text));
}

void AnswerInputs::drawSectors(PanelContext& context) {
    const std::set<s64> chosen = lessons::sectorsBeingChosen(answerOf(context));
    const s64 count = std::min(stepOf(context).sectors, kMostCells);
    if (count == 0) return;
    const Strip strip{.id = "sectors",
                      .count = count,
                      .columns = 12,
                      .cell =
                          [&](s64 sector) {
                              return StripCell{false, chosen.contains(sector)
                                                          ? std::optional(viz::role(RoleKind::Load))
                                                          : std::nullopt};
                          },
                      .help = lessonHelp(context, words::kLessonSectorsHelp)};
    const auto drag = dragged(context, strip);
    if (!drag) return;
    std::string text = before_;
    for (s64 sector = drag->first; sector <= drag->last; ++sector)
        text = lessons::withSector(text, sector, drag->in);
    become(context, std::move(text));
}

void AnswerInputs::drawLines(PanelContext& context) {
    constexpr f32 kLine = 16, kPadding = 3, kNumberWide = 30;
    const viz::Canvas canvas({}, context.metrics);
    const TextLook look{.size = viz::type::kCode, .face = viz::Face::Mono},
        number{.size = viz::type::kCode, .face = viz::Face::Mono, .role = RoleKind::TextThird};
    const f32 room = ImGui::GetContentRegionAvail().x - kNumberWide - 6;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 1));
    for (const lessons::CodeLine& line : stepOf(context).code) {
        const std::string text = std::to_string(line.number), id = "line" + text;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const std::vector<std::string> parts =
            canvas.wrap(line.text, room, {.size = look.size, .mono = true});
        const f32 height = kLine * f32(std::max<std::size_t>(1, parts.size())) + 2 * kPadding;
        if (rowButton(context, id.c_str(), height, answerOf(context) == text,
                      lessonHelp(context, words::kLessonLineHelp)))
            become(context, text);
        f32 y = at.y + kPadding + kLine / 2;
        drawText(context, list, {at.x + 4, y}, text, number);
        for (const std::string& part : parts) {
            drawText(context, list, {at.x + kNumberWide, y}, part, look);
            y += kLine;
        }
    }
    ImGui::PopStyleVar();
    ImGui::Dummy({1, 1});
}

void AnswerInputs::drawCells(PanelContext& context) {
    lessons::CellParts cell = lessons::cellOf(answerOf(context));
    std::vector<std::string_view> names;
    int on = -1;
    for (const lessons::ArrayShape& array : stepOf(context).arrays) {
        if (array.name == cell.array) on = int(names.size());
        names.emplace_back(array.name);
    }
    if (names.empty()) return;
    const int chosen = segments(context, "array", names, on, {lessonHelp(context, words::kLessonCellHelp)});
    if (chosen < 0) return;
    const lessons::ArrayShape& array = stepOf(context).arrays[std::size_t(chosen)];
    cell.array = array.name;
    cell.indices.resize(array.dimensions, "0");
    become(context, lessons::textOf(cell));
}

void AnswerInputs::drawChoices(PanelContext& context) {
    constexpr f32 kPadding = 8;
    const lessons::StepWords& words = stepOf(context).in(context.state.language);
    const f32 width = ImGui::GetContentRegionAvail().x - 2 * kPadding;
    for (const lessons::Option& option : stepOf(context).step().question.options) {
        const std::string& text = words.meaningOf(option.name);
        const ImVec2 at = ImGui::GetCursorPos();
        const f32 height = heightOfMarkdown(context, text, width) + 2 * kPadding;
        const std::string id = "choice " + option.name;
        if (rowButton(context, id.c_str(), height, answerOf(context) == option.name,
                      lessonHelp(context, words::kLessonChoiceHelp)))
            become(context, option.name);
        const ImVec2 next = ImGui::GetCursorPos();
        ImGui::SetCursorPos({at.x + kPadding, at.y + kPadding});
        drawMarkdown(context, text, width);
        ImGui::SetCursorPos(next);
    }
}

void AnswerInputs::drawOrder(PanelContext& context) {
    const lessons::Question& question = stepOf(context).step().question;
    const lessons::StepWords& words = stepOf(context).in(context.state.language);
    const std::vector<std::string> names = lessons::orderOf(question, answerOf(context));
    const auto move = [&](std::size_t from, std::size_t to) {
        become(context, lessons::moved(question, answerOf(context), from, to));
    };
    paragraph(context, words::kLessonOrderHelp.in(context.state.language), {.role = RoleKind::TextSecond});
    for (std::size_t i = 0; i < names.size(); ++i) {
        ImGui::PushID(names[i].c_str());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const f32 wide = ImGui::GetContentRegionAvail().x - 2 * (kButtonWidth + viz::space::kGrid);
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGrid, viz::space::kGrid));
        ImGui::InvisibleButton("row", {wide, kControlHeight});
        helped(context, lessonHelp(context, words::kLessonOrderHelp));
        // Dragged over its neighbor.
        if (ImGui::IsItemActive() && !ImGui::IsItemHovered()) {
            const f32 mouse = ImGui::GetIO().MousePos.y;
            if (mouse < at.y && i > 0) move(i, i - 1);
            if (mouse > at.y + kControlHeight && i + 1 < names.size()) move(i, i + 1);
        }
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddRectFilled(at, {at.x + wide, at.y + kControlHeight}, ink(context, RoleKind::Raised),
                           viz::radius::kControl);
        drawText(context, list, {at.x + 10, at.y + kControlHeight / 2},
                 std::to_string(i + 1) + ".  " + words.meaningOf(names[i]));
        ImGui::SameLine();
        if (iconButton(context, "up", Icon::Up, lessonHelp(context, words::kLessonUpHelp)) && i > 0)
            move(i, i - 1);
        ImGui::SameLine();
        if (iconButton(context, "down", Icon::Down, lessonHelp(context, words::kLessonDownHelp)) &&
            i + 1 < names.size())
            move(i, i + 1);
        ImGui::PopStyleVar();
        ImGui::PopID();
    }
}

void AnswerInputs::drawChanges(PanelContext& context) {
    constexpr std::array<std::string_view, 3> kChanges{"less", "same", "more"};
    const Language language = context.state.language;
    const lessons::Question& question = stepOf(context).step().question;
    const std::array<std::string_view, 3> texts{
        words::kLessonLess.in(language), words::kLessonSame.in(language), words::kLessonMore.in(language)};
    for (const std::string& quantity : question.changes) {
        paragraph(context, stepOf(context).in(language).meaningOf(quantity));
        const std::optional<std::string> said = lessons::changeOf(answerOf(context), quantity);
        const auto on = std::ranges::find(kChanges, said ? std::string_view(*said) : std::string_view());
        const int chosen =
            segments(context, quantity.c_str(), texts, on == kChanges.end() ? -1 : int(on - kChanges.begin()),
                     {lessonHelp(context, words::kLessonChangeHelp)});
        if (chosen >= 0)
            become(context,
                   lessons::withChange(question, answerOf(context), quantity, kChanges[std::size_t(chosen)]));
        ImGui::Dummy({1, 1});  // the row of buttons leaves no room below itself
    }
}

void AnswerInputs::drawSums(PanelContext& context) {
    constexpr f32 kFieldWide = 56;
    const std::vector<std::string> sums = lessons::sumsBeingWritten(answerOf(context));
    const f32 room = ImGui::GetContentRegionAvail().x;
    f32 used = 0;
    withBodyFont(context, viz::Face::Mono);
    for (std::size_t i = 0; i <= std::min<std::size_t>(sums.size(), 63); ++i) {
        if (used > 0 && used + viz::space::kGrid + kFieldWide <= room)
            ImGui::SameLine(0, viz::space::kGrid), used += viz::space::kGrid + kFieldWide;
        else
            used = kFieldWide;
        std::string text = i < sums.size() ? sums[i] : std::string();
        const std::string id = "##sum" + std::to_string(i + 1);
        ImGui::SetNextItemWidth(kFieldWide);
        ImGui::InputText(id.c_str(), &text, ImGuiInputTextFlags_CharsNoBlank);
        helped(context, lessonHelp(context, words::kLessonSumHelp));
        if (ImGui::IsItemDeactivatedAfterEdit())
            become(context, lessons::withSum(answerOf(context), i, text));
    }
    ImGui::PopFont();
}

}  // namespace lockstep::app
