#include "app/panels/widgets.h"

#include "app/panels/terms.h"
#include "app/panels/words.h"
#include "base/text/typed_number.h"
#include "viz/painters/imgui/imgui_painter.h"
#include "viz/scene/canvas.h"

#include <imgui.h>
#include <imgui_internal.h>  // whether a tooltip has begun in this frame

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <misc/cpp/imgui_stdlib.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::app {
namespace {

using viz::RoleKind;

ImVec4 vector(viz::Color c, f32 alpha = 1) {
    return {f32(c.r) / 255, f32(c.g) / 255, f32(c.b) / 255, c.alpha * alpha};
}

// Pushes a face at a size for ImGui's own widgets.
class WithFont {
public:
    WithFont(const PanelContext& context, viz::Face face, f32 size) {
        ImGui::PushFont(context.fonts.font(face), context.fonts.size(face, size));
    }
    ~WithFont() { ImGui::PopFont(); }
    WithFont(const WithFont&) = delete;
    WithFont& operator=(const WithFont&) = delete;
};

// A slider's track is a line, not a box: drawn here, while ImGui's own frame is not.
class ThinTrack {
public:
    ThinTrack(PanelContext& context, f32 width) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const f32 y = at.y + ImGui::GetFrameHeight() / 2;
        ImGui::GetWindowDrawList()->AddRectFilled({at.x, y - 1}, {at.x + width, y + 1},
                                                  ink(context, RoleKind::Edge), 1);
        for (const ImGuiCol slot : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
            ImGui::PushStyleColor(slot, ImVec4(0, 0, 0, 0));
    }
    ~ThinTrack() { ImGui::PopStyleColor(3); }
    ThinTrack(const ThinTrack&) = delete;
    ThinTrack& operator=(const ThinTrack&) = delete;
};

void drawTriangle(ImDrawList& list, viz::Point c, f32 x, f32 width, f32 height,
                  u32 color) {  // width < 0: points left
    list.AddTriangleFilled({c.x + x, c.y - height / 2}, {c.x + x + width, c.y}, {c.x + x, c.y + height / 2},
                           color);
}
void drawBar(ImDrawList& list, viz::Point c, f32 x, f32 width, f32 height, u32 color) {
    list.AddRectFilled({c.x + x, c.y - height / 2}, {c.x + x + width, c.y + height / 2}, color, 1);
}

}  // namespace

void applyStyle(const viz::Theme& t) {
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowPadding = {viz::space::kInset, viz::space::kGap};
    style.FramePadding = {10, 6};
    style.ItemSpacing = {viz::space::kGap, viz::space::kGap};
    style.ItemInnerSpacing = {viz::space::kGap, viz::space::kGap};
    style.WindowRounding = style.ChildRounding = 0;
    style.FrameRounding = style.PopupRounding = style.GrabRounding = style.TabRounding =
        viz::radius::kControl;
    style.WindowBorderSize = style.FrameBorderSize = style.ChildBorderSize = 0;
    style.PopupBorderSize = 1;
    style.ScrollbarSize = 10;
    style.GrabMinSize = 8;
    style.TabBarBorderSize = style.TabBorderSize = 0;
    style.TabBarOverlineSize = 0;
    style.TabMinWidthShrink =
        std::numeric_limits<f32>::max();  // names are whole: what has no room is scrolled to
    style.DockingSeparatorSize = 1;
    style.WindowMenuButtonPosition = ImGuiDir_None;

    const auto set = [&](ImGuiCol slot, viz::Color color, f32 alpha = 1) {
        style.Colors[slot] = vector(color, alpha);
    };
    set(ImGuiCol_Text, t.text);
    set(ImGuiCol_TextDisabled, t.textThird);
    set(ImGuiCol_WindowBg, t.panel);
    set(ImGuiCol_ChildBg, t.panel);
    set(ImGuiCol_PopupBg, t.panel);
    set(ImGuiCol_Border, t.line);
    set(ImGuiCol_FrameBg, t.raised);
    set(ImGuiCol_FrameBgHovered, viz::mix(t.raised, t.edge, 0.25f));
    set(ImGuiCol_FrameBgActive, viz::mix(t.raised, t.edge, 0.4f));
    set(ImGuiCol_TitleBg, t.panel);
    set(ImGuiCol_TitleBgActive, t.panel);
    set(ImGuiCol_TitleBgCollapsed, t.panel);
    set(ImGuiCol_MenuBarBg, t.panel);
    set(ImGuiCol_ScrollbarBg, t.panel, 0);
    set(ImGuiCol_ScrollbarGrab, viz::mix(t.line, t.edge, 0.5f));
    set(ImGuiCol_ScrollbarGrabHovered, t.edge);
    set(ImGuiCol_ScrollbarGrabActive, t.edge);
    set(ImGuiCol_CheckMark, t.text);
    set(ImGuiCol_SliderGrab, t.textSecond);
    set(ImGuiCol_SliderGrabActive, t.text);
    set(ImGuiCol_Button, t.raised);
    set(ImGuiCol_ButtonHovered, viz::mix(t.raised, t.edge, 0.25f));
    set(ImGuiCol_ButtonActive, viz::mix(t.raised, t.edge, 0.5f));
    set(ImGuiCol_Header, t.raised);
    set(ImGuiCol_HeaderHovered, viz::mix(t.raised, t.edge, 0.25f));
    set(ImGuiCol_HeaderActive, viz::mix(t.raised, t.edge, 0.5f));
    set(ImGuiCol_Separator, t.line);
    set(ImGuiCol_SeparatorHovered, t.edge);
    set(ImGuiCol_SeparatorActive, t.text);
    set(ImGuiCol_ResizeGrip, t.line);
    set(ImGuiCol_ResizeGripHovered, t.edge);
    set(ImGuiCol_ResizeGripActive, t.text);
    set(ImGuiCol_Tab, t.panel);
    set(ImGuiCol_TabHovered, viz::mix(t.raised, t.edge, 0.25f));
    set(ImGuiCol_TabSelected, t.raised);
    set(ImGuiCol_TabDimmed, t.panel);
    set(ImGuiCol_TabDimmedSelected, t.raised);
    set(ImGuiCol_UnsavedMarker, t.text);
    set(ImGuiCol_DockingPreview, t.edge, 0.6f);
    set(ImGuiCol_DockingEmptyBg, t.ground);
    set(ImGuiCol_TextSelectedBg, t.edge, 0.5f);
    set(ImGuiCol_DragDropTarget, t.text);
    set(ImGuiCol_NavCursor, t.cursor);
    set(ImGuiCol_ModalWindowDimBg, t.ground, 0.6f);
}

viz::Color colorOf(const PanelContext& context, RoleKind kind) {
    return viz::colorOf(viz::role(kind), context.theme);
}

u32 ink(const PanelContext& context, RoleKind kind, f32 alpha) {
    return viz::packed(viz::colorOf(viz::role(kind, alpha), context.theme));
}

f32 widthOf(const PanelContext& context, std::string_view text, TextLook look) {
    return context.metrics.width(text, look.size, look.face);
}

namespace {

// Text on a highlighted control: black or white, whichever is more readable.
u32 inkOnEdge(const PanelContext& context) {
    return viz::packed(viz::colorOf(viz::inkOn(viz::role(RoleKind::Edge)), context.theme));
}

}  // namespace

void drawTextIn(PanelContext& context, u32 color, ImDrawList& list, viz::Point at, std::string_view text,
                TextLook look) {
    ImFont* font = context.fonts.font(look.face);
    const f32 size = context.fonts.size(look.face, look.size);
    const f32 top = at.y + viz::type::kMiddle * look.size - font->GetFontBaked(size)->Ascent;
    list.AddText(font, size, {at.x, top}, color, text.data(), text.data() + text.size());
    if (!context.texts) return;
    const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
    context.texts->push_back(
        {.window = list._OwnerName ? list._OwnerName : "",
         .text = std::string(text),
         .box = {at.x, at.y - viz::type::kMiddle * look.size, widthOf(context, text, look), 0.9f * look.size},
         .clip = {low.x, low.y, high.x - low.x, high.y - low.y}});
}

void drawText(PanelContext& context, ImDrawList& list, viz::Point at, std::string_view text, TextLook look) {
    drawTextIn(context, ink(context, look.role), list, at, text, look);
}

f32 label(PanelContext& context, std::string_view text, TextLook look) {
    const f32 width = widthOf(context, text, look), height = std::round(look.size * viz::type::kLineHeight);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawText(context, *ImGui::GetWindowDrawList(), {at.x, at.y + height / 2}, text, look);
    ImGui::Dummy({width, height});
    underlineTerms(context, {at.x, at.y + height / 2}, text, look);
    return width;
}

void controlLabel(PanelContext& context, std::string_view text, TextLook look) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawText(context, *ImGui::GetWindowDrawList(), {at.x, at.y + kControlHeight / 2}, text, look);
    ImGui::Dummy({widthOf(context, text, look), kControlHeight});
}

void labelPair(PanelContext& context, std::string_view left, std::string_view right, TextLook leftLook,
               TextLook rightLook) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const f32 width = ImGui::GetContentRegionAvail().x,
              height = std::round(leftLook.size * viz::type::kLineHeight);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    drawText(context, list, {at.x, at.y + height / 2}, left, leftLook);
    drawText(context, list, {at.x + width - widthOf(context, right, rightLook), at.y + height / 2}, right,
             rightLook);
    underlineTerms(context, {at.x, at.y + height / 2}, left, leftLook);
    ImGui::Dummy({width, height});
}

namespace {

// As viz wraps: Chinese between any two characters but not before a full stop. Line breaks in the text are
// kept.
std::vector<std::string> linesOf(const PanelContext& context, std::string_view text, TextLook look,
                                 f32 width) {
    const viz::Canvas canvas({}, context.metrics);
    const bool bold = look.face == viz::Face::TextBold || look.face == viz::Face::MonoBold,
               mono = look.face == viz::Face::Mono || look.face == viz::Face::MonoBold;
    std::vector<std::string> lines;
    while (true) {
        const std::size_t end = text.find('\n');
        for (std::string& line :
             canvas.wrap(text.substr(0, end), width, {.size = look.size, .bold = bold, .mono = mono}))
            lines.push_back(std::move(line));
        if (end == std::string_view::npos) return lines;
        text.remove_prefix(end + 1);
    }
}

f32 lineHeightOf(TextLook look) { return std::round(look.size * viz::type::kLineHeight); }

void drawLines(PanelContext& context, const std::vector<std::string>& lines, TextLook look) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const viz::Point middle{at.x, at.y + (f32(i) + 0.5f) * lineHeightOf(look)};
        drawText(context, *ImGui::GetWindowDrawList(), middle, lines[i], look);
        underlineTerms(context, middle, lines[i], look,
                       i + 1 < lines.size() ? lines[i + 1] : std::string_view());
    }
}

}  // namespace

f32 heightOf(const PanelContext& context, std::string_view text, TextLook look, f32 width) {
    return f32(linesOf(context, text, look, width).size()) * lineHeightOf(look);
}

void paragraph(PanelContext& context, std::string_view text, TextLook look, f32 width) {
    if (width <= 0) width = ImGui::GetContentRegionAvail().x;
    const std::vector<std::string> lines = linesOf(context, text, look, width);
    drawLines(context, lines, look);
    ImGui::Dummy({width, f32(lines.size()) * lineHeightOf(look)});
}

u32 paragraphWithin(PanelContext& context, std::string_view text, TextLook look, f32 height) {
    const f32 width = ImGui::GetContentRegionAvail().x;
    std::vector<std::string> lines = linesOf(context, text, look, width);
    const u32 fit = u32(height / lineHeightOf(look));
    if (fit == 0) return 0;
    if (lines.size() > fit) {
        lines.resize(fit);
        const viz::Canvas canvas({}, context.metrics);
        lines.back() = canvas.cut(lines.back() + " …………", width, {.size = look.size});
        while (lines.back().ends_with("……"))
            lines.back().resize(lines.back().size() - std::string_view("…").size());
    }
    drawLines(context, lines, look);
    ImGui::Dummy({width, f32(lines.size()) * lineHeightOf(look)});
    return u32(lines.size());
}

namespace {

// Of the tooltip as the last frame drew it: one that is new is laid out before it is seen.
std::optional<ImVec2> sizeOfTooltip() {
    char name[16];
    ImFormatString(name, sizeof name, "##Tooltip_%02d", ImGui::GetCurrentContext()->TooltipOverrideCount);
    const ImGuiWindow* tooltip = ImGui::FindWindowByName(name);
    return tooltip && tooltip->WasActive ? std::optional(tooltip->Size) : std::nullopt;
}

}  // namespace

bool explainsNothing(const PanelContext& context) {
    const std::string_view window = ImGui::GetCurrentWindow()->Name;
    return context.explainsNothing || (context.state.showKeys && window != "##keys") ||
           (context.state.showSaid && window != "##said");
}

namespace {

// Of the welcome or the tour, which a tooltip of something else does not cover.
std::optional<viz::Rect> cardInTheWay() {
    for (const char* name : {"##tour", "##hint"}) {
        const ImGuiWindow* card = ImGui::FindWindowByName(name);
        if (card && card->WasActive && card != ImGui::GetCurrentWindow()->RootWindow)
            return viz::Rect{card->Pos.x, card->Pos.y, card->Size.x, card->Size.y};
    }
    return std::nullopt;
}

// Beside the card, above it or below it: where it is moved least, and does not lie under the mouse.
ImVec2 besideCard(ImVec2 at, ImVec2 size, const viz::Rect& card, ImVec2 low, ImVec2 high) {
    constexpr f32 kGap = 6;
    const auto lies = [&](ImVec2 place, const viz::Rect& on) {
        return place.x < on.right() && place.x + size.x > on.x && place.y < on.bottom() &&
               place.y + size.y > on.y;
    };
    if (!lies(at, card)) return at;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto moved = [&](ImVec2 place) { return std::fabs(place.x - at.x) + std::fabs(place.y - at.y); };
    const std::array<ImVec2, 4> places{{{card.x - kGap - size.x, at.y},
                                        {card.right() + kGap, at.y},
                                        {at.x, card.y - kGap - size.y},
                                        {at.x, card.bottom() + kGap}}};
    const ImVec2* best = nullptr;
    for (const ImVec2& place : places) {
        const bool isInside =
            place.x >= low.x && place.y >= low.y && place.x + size.x <= high.x && place.y + size.y <= high.y;
        if (!isInside || lies(place, {mouse.x - 1, mouse.y - 1, 2, 2})) continue;
        if (!best || moved(place) < moved(*best)) best = &place;
    }
    return best ? *best : at;
}

}  // namespace

bool isAnyPopupOpen() {
    return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

void placeTooltip(PanelContext& context, viz::Rect explained, viz::Size least) {
    // A place that no tooltip takes would be that of the next window.
    if (explainsNothing(context)) return;
    constexpr f32 kGap = 6, kBehindMouse = 12, kTallest = 120, kAroundMouse = 14, kBeside = 24;
    if (ImGui::GetCurrentContext()->TooltipPreviousWindow) return;  // it has its place
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const ImVec2 mouse = ImGui::GetIO().MousePos, low = viewport.WorkPos,
                 high{low.x + viewport.WorkSize.x, low.y + viewport.WorkSize.y},
                 size = sizeOfTooltip().value_or(ImVec2(least.width, least.height));
    // Of what is tall, what lies around the mouse.
    if (explained.height > kTallest)
        explained.y = mouse.y - kAroundMouse, explained.height = 2 * kAroundMouse;
    // Within the window, from its upper left corner on if it is larger than that.
    const auto within = [](f32 at, f32 size, f32 low, f32 high) {
        return std::max(low, std::min(at, high - size));
    };
    const f32 above = explained.y - kGap - low.y, below = high.y - explained.bottom() - kGap;
    const bool isBelow = below >= std::max(size.y, least.height) || below >= above,
               toTheLeft = mouse.x > viewport.GetCenter().x;
    ImVec2 at{toTheLeft ? mouse.x + kBehindMouse - size.x : mouse.x - kBehindMouse,
              isBelow ? explained.bottom() + kGap : explained.y - kGap - size.y};
    if ((isBelow ? below : above) < size.y) {  // no room for it there: beside the mouse
        at.x = toTheLeft ? mouse.x - kBeside - size.x : mouse.x + kBeside;
        at.y = mouse.y - size.y / 2;
    }
    // Of what is wide, as a line of the source is, no farther than that: beside it lie other views.
    if (explained.width >= size.x)
        at.x = within(std::max(at.x, explained.x), size.x, explained.x, explained.right());
    at = {within(at.x, size.x, low.x, high.x), within(at.y, size.y, low.y, high.y)};
    if (const std::optional<viz::Rect> card = cardInTheWay()) at = besideCard(at, size, *card, low, high);
    ImGui::SetNextWindowPos(at);
}

namespace {

viz::Rect previousItem() {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

}  // namespace

void tooltip(PanelContext& context, std::string_view text) { tooltip(context, text, previousItem()); }

void tooltip(PanelContext& context, std::string_view text, viz::Rect explained, f32 scale) {
    if (explainsNothing(context)) return;
    placeTooltip(context, explained);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10 * scale, 8 * scale));
    if (ImGui::BeginTooltip()) {
        constexpr f32 kWidest = 360;
        const TextLook look{.size = viz::type::kBody * scale};
        paragraph(context, text, look, std::min(kWidest * scale, widthOf(context, text, look) + 2));
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar();
}

void helpOn(PanelContext& context, std::string_view text, std::string_view page) {
    if (explainsNothing(context)) return;
    tooltip(context, text);
    const TextLook note{.size = viz::type::kAxis, .role = RoleKind::TextThird};
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10, 8));
    if (ImGui::BeginTooltip()) {
        label(context, say(context.state.language, words::kMorePage, page), note);
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar();
    if (!context.termExplained && ImGui::IsMouseClicked(ImGuiMouseButton_Right))
        context.send(OpenPage{std::string(page)});
}

void helped(PanelContext& context, const Help& help) { helped(context, help, ImGui::GetItemID()); }

namespace {

// Sliders can be written into, too, but are not when they are reached.
void addFocusStop(PanelContext& context, bool isText) {
    if (!context.stops || !ImGui::GetItemID()) return;
    context.stops->push_back({.id = ImGui::GetItemID(),
                              .window = ImGui::GetCurrentWindow(),
                              .place = previousItem(),
                              .isText = isText});
}

bool isTextField() {
    return (ImGui::GetItemFlags() & ImGuiItemFlags_Inputable) != 0 &&
           !ImGui::GetCurrentContext()->TempInputId;
}

}  // namespace

namespace {

bool& inUse(ImGuiID item) {
    constexpr ImGuiID kOfHelp = 0x48656c70;
    return *ImGui::GetStateStorage()->GetBoolRef(item ^ kOfHelp);
}

// Whoever has just clicked it, or writes in it, looks at what comes of that, which the help would cover;
// until the mouse has left it.
bool isInUse() {
    bool& isInUse = inUse(ImGui::GetItemID());
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        isInUse = false;
    else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsItemActive())
        isInUse = true;
    return isInUse;
}

}  // namespace

void helped(PanelContext& context, const Help& help, u32 id) {
    const bool isText = isTextField() && !context.isSlider;
    const bool isOff = (ImGui::GetItemFlags() & (ImGuiItemFlags_Disabled | ImGuiItemFlags_NoNav)) != 0;
    if (!isOff) addFocusStop(context, isText);
    if (context.controls) context.controls->push_back({id, help.text, std::string(help.page)});
    if (!isInUse() && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip) && !ImGui::IsItemActive())
        helpOn(context, help.text, help.page);
}

void closeOnEscape() {
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) ImGui::CloseCurrentPopup();
}

bool beginMenu(const char* id) {
    constexpr f32 kBelow = 4;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    // In the right half of the window it reaches to the left.
    const bool toTheLeft = (low.x + high.x) / 2 > ImGui::GetMainViewport()->GetCenter().x;
    ImGui::SetNextWindowPos({toTheLeft ? high.x : low.x, high.y + kBelow}, ImGuiCond_Appearing,
                            {toTheLeft ? 1.0f : 0.0f, 0});
    if (!ImGui::BeginPopup(id)) return false;
    closeOnEscape();
    return true;
}

void drawIcon(ImDrawList& list, Icon icon, viz::Point c, u32 color) {
    switch (icon) {
        case Icon::First: drawBar(list, c, -6, 2, 11, color), drawTriangle(list, c, 5, -8, 10, color); break;
        case Icon::Last: drawBar(list, c, 4, 2, 11, color), drawTriangle(list, c, -5, 8, 10, color); break;
        case Icon::PhaseBack:
            drawTriangle(list, c, 0, -7, 10, color), drawTriangle(list, c, 7, -7, 10, color);
            break;
        case Icon::Phase:
            drawTriangle(list, c, 0, 7, 10, color), drawTriangle(list, c, -7, 7, 10, color);
            break;
        case Icon::StepBack: drawTriangle(list, c, 3, -7, 10, color); break;
        case Icon::Step: drawTriangle(list, c, -3, 7, 10, color); break;
        case Icon::Play: drawTriangle(list, c, -5, 11, 14, color); break;
        case Icon::Pause:
            drawBar(list, c, -5, 3.5f, 12, color), drawBar(list, c, 1.5f, 3.5f, 12, color);
            break;
        case Icon::Check: {
            const ImVec2 points[]{{c.x - 5, c.y}, {c.x - 1.5f, c.y + 4}, {c.x + 5, c.y - 4}};
            list.AddPolyline(points, 3, color, 1.75f);
            break;
        }
        case Icon::Cross:
            list.AddLine({c.x - 4, c.y - 4}, {c.x + 4, c.y + 4}, color, 1.75f);
            list.AddLine({c.x - 4, c.y + 4}, {c.x + 4, c.y - 4}, color, 1.75f);
            break;
        case Icon::Warning:
            list.AddTriangle({c.x, c.y - 6}, {c.x + 6.5f, c.y + 5}, {c.x - 6.5f, c.y + 5}, color, 1.5f);
            list.AddLine({c.x, c.y - 2}, {c.x, c.y + 1.5f}, color, 1.5f);
            list.AddRectFilled({c.x - 0.8f, c.y + 2.6f}, {c.x + 0.8f, c.y + 4.0f}, color);
            break;
        case Icon::Clock:
            list.AddCircle({c.x, c.y}, 6, color, 24, 1.5f);
            list.AddLine({c.x, c.y - 3.5f}, {c.x, c.y}, color, 1.5f);
            list.AddLine({c.x, c.y}, {c.x + 2.5f, c.y + 1.5f}, color, 1.5f);
            break;
        case Icon::Theme:
            list.AddCircle({c.x, c.y}, 6, color, 24, 1.5f);
            list.PathArcTo({c.x, c.y}, 6, -1.5708f, 1.5708f, 16);
            list.PathFillConvex(color);
            break;
        case Icon::Export: {  // an arrow out of a tray
            const ImVec2 tray[]{
                {c.x - 6, c.y + 1.5f}, {c.x - 6, c.y + 6}, {c.x + 6, c.y + 6}, {c.x + 6, c.y + 1.5f}},
                head[]{{c.x - 3.5f, c.y - 3}, {c.x, c.y - 6.5f}, {c.x + 3.5f, c.y - 3}};
            list.AddPolyline(tray, 4, color, 1.5f);
            list.AddPolyline(head, 3, color, 1.5f);
            list.AddLine({c.x, c.y - 6}, {c.x, c.y + 2}, color, 1.5f);
            break;
        }
        case Icon::Enlarge:  // two corners, apart or turned to each other
        case Icon::Restore: {
            const f32 tip = icon == Icon::Enlarge ? 5.0f : 1.5f, from = icon == Icon::Enlarge ? 0.0f : 6.0f;
            for (const f32 side : {-1.0f, 1.0f}) {
                const ImVec2 corner[]{{c.x + side * tip, c.y - side * from},
                                      {c.x + side * tip, c.y - side * tip},
                                      {c.x + side * from, c.y - side * tip}};
                list.AddPolyline(corner, 3, color, 1.5f);
            }
            break;
        }
        case Icon::Up:
        case Icon::Down: {
            const f32 tip = icon == Icon::Up ? -4.0f : 4.0f;
            list.AddTriangleFilled({c.x - 5, c.y - tip}, {c.x + 5, c.y - tip}, {c.x, c.y + tip}, color);
            break;
        }
        case Icon::More:
            for (const f32 x : {-5.0f, 0.0f, 5.0f})
                list.AddCircleFilled({c.x + x, c.y}, 1.6f, color);
            break;
        case Icon::Logo:  // warps in lockstep: three bars, each a step further
            for (int i = 0; i < 3; ++i)
                list.AddRectFilled({c.x - 10 + f32(i) * 5, c.y - 6 + f32(i) * 5},
                                   {c.x + f32(i) * 5, c.y - 3 + f32(i) * 5}, color, 1);
            break;
    }
}

bool iconButton(PanelContext& context, const char* id, Icon icon, const Help& help, f32 width, bool raised) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (raised) ImGui::PushStyleColor(ImGuiCol_Button, ink(context, RoleKind::Edge));
    ImGui::PushID(id);
    const bool clicked = ImGui::Button("##icon", {width, kControlHeight});
    ImGui::PopID();
    if (raised) ImGui::PopStyleColor();
    drawIcon(*ImGui::GetWindowDrawList(), icon, {at.x + width / 2, at.y + kControlHeight / 2},
             raised ? inkOnEdge(context) : ink(context, RoleKind::Text));
    helped(context, help);
    return clicked;
}

namespace {
constexpr const char* kButtonText = "##text";
}  // namespace

void comesUnderMouse(const char* button) {
    ImGui::PushID(button);
    inUse(ImGui::GetID(kButtonText)) = true;
    ImGui::PopID();
}

bool textButton(PanelContext& context, const char* id, std::string_view text, const Help& help, f32 width,
                f32 height) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (width <= 0) width = widthOf(context, text) + 24;
    ImGui::PushID(id);
    const bool clicked = ImGui::Button(kButtonText, {width, height});
    ImGui::PopID();
    drawText(context, *ImGui::GetWindowDrawList(),
             {at.x + (width - widthOf(context, text)) / 2, at.y + height / 2}, text);
    helped(context, help);
    return clicked;
}

f32 widthOfFetchButton(const PanelContext& context) {
    const State& state = context.state;
    if (state.hasCompiler || !state.canFetchCompiler || state.fetching) return 0;
    return widthOf(context, words::kFetchCompiler.in(state.language)) + 24 + viz::space::kGap;
}

void drawFetchButton(PanelContext& context, f32 width, f32 height) {
    const Language language = context.state.language;
    if (textButton(context, "fetch compiler", words::kFetchCompiler.in(language),
                   {words::kFetchCompilerHelp.in(language), "guide/own-programs.md"}, width, height))
        context.send(FetchCompiler{});
}

int segments(PanelContext& context, const char* id, std::span<const std::string_view> texts, int on,
             const std::vector<Help>& helps, int enabled) {
    int clicked = -1;
    ImGui::PushID(id);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    const ImVec2 start = ImGui::GetCursorScreenPos();
    f32 total = 0;
    for (const std::string_view text : texts)
        total += widthOf(context, text) + 24;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(start, {start.x + total, start.y + kControlHeight}, ink(context, RoleKind::Raised),
                       viz::radius::kControl);
    for (int i = 0; i < int(texts.size()); ++i) {
        if (i) ImGui::SameLine();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const f32 width = widthOf(context, texts[std::size_t(i)]) + 24;
        ImGui::PushID(i);
        const bool isOff = i >= enabled;
        if (ImGui::InvisibleButton("##segment", {width, kControlHeight}, ImGuiButtonFlags_EnableNav) &&
            !isOff)
            clicked = i;
        ImGui::PopID();
        helped(context, helps[std::min(std::size_t(i), helps.size() - 1)]);
        if (i == on || (ImGui::IsItemHovered() && !isOff))
            list.AddRectFilled({at.x + 2, at.y + 2}, {at.x + width - 2, at.y + kControlHeight - 2},
                               ink(context, RoleKind::Edge, i == on ? 1.0f : 0.3f),
                               viz::radius::kControl - 1);
        const u32 color =
            i == on ? inkOnEdge(context) : ink(context, isOff ? RoleKind::TextThird : RoleKind::TextSecond);
        drawTextIn(context, color, list, {at.x + 12, at.y + kControlHeight / 2}, texts[std::size_t(i)],
                   {.face = i == on ? viz::Face::TextBold : viz::Face::Text});
    }
    ImGui::PopStyleVar();
    ImGui::PopID();
    return clicked;
}

namespace {

// The rows of an open list and, right of the longest, the note for each. Returns the one chosen, or -1.
int listRows(PanelContext& context, std::span<const std::string> texts, int on,
             std::span<const std::string> notes) {
    constexpr f32 kNotesWide = 420;
    int chosen = -1;
    closeOnEscape();
    f32 notesFrom = 24;
    for (const std::string& text : texts)
        notesFrom = std::max(notesFrom, widthOf(context, text) + 24);
    for (int i = 0; i < int(texts.size()); ++i) {
        const f32 wide = notes.empty() ? 0 : notesFrom + kNotesWide;
        if (ImGui::Selectable(texts[std::size_t(i)].c_str(), i == on, ImGuiSelectableFlags_None, {wide, 0}))
            chosen = i;
        if (i == on) ImGui::SetItemDefaultFocus();
        if (notes.empty()) continue;
        ImGui::SameLine(notesFrom);
        const TextLook look{.role = RoleKind::TextThird};
        const bool isHovered = ImGui::IsItemHovered();
        const std::string cut = viz::Canvas({}, context.metrics).cut(notes[std::size_t(i)], kNotesWide, {});
        label(context, cut, look);
        if (isHovered && cut != notes[std::size_t(i)]) tooltip(context, notes[std::size_t(i)]);
    }
    return chosen;
}

constexpr Words kNoneChosen = english("of a list, where nothing is chosen", "choose one");

std::string textOf(std::span<const std::string> texts, int on) {
    return on >= 0 && on < int(texts.size()) ? texts[std::size_t(on)] : std::string();
}

// The selected value of a drop-down list.
f32 roomIn(f32 width, f32 frame) {
    constexpr f32 kBeforeArrow = 4;
    return width - frame - ImGui::GetStyle().FramePadding.x - kBeforeArrow;
}

// A choice that does not fit on one line has a smaller font.
struct WrappedChoice {
    TextLook look;
    std::vector<std::string> lines;
    f32 height = 0;  // of the list when it is closed
};
WrappedChoice wrappedChoice(const PanelContext& context, std::string_view chosen, f32 width, f32 frame) {
    const f32 room = roomIn(width, frame);
    if (widthOf(context, chosen) <= room) return {{}, {std::string(chosen)}, frame};
    const TextLook look{.size = viz::type::kCode};
    std::vector<std::string> lines = linesOf(context, chosen, look, room);
    const f32 height = frame + f32(lines.size() - 1) * lineHeightOf(look);
    return {look, std::move(lines), height};
}

}  // namespace

int dropDown(PanelContext& context, const char* id, std::span<const std::string> texts, int on,
             const Help& help, f32 width) {
    const WithFont font(context, viz::Face::Text, viz::type::kBody);
    if (width <= 0) width = ImGui::GetContentRegionAvail().x;
    ImGui::SetNextItemWidth(width);
    const std::string chosenText = textOf(texts, on);
    const std::string shown =
        viz::Canvas({}, context.metrics).cut(chosenText, roomIn(width, ImGui::GetFrameHeight()), {});
    if (!ImGui::BeginCombo(id, shown.c_str(), ImGuiComboFlags_HeightLarge)) {
        helped(context, shown == chosenText ? help : Help(chosenText + "\n" + help.text, help.page));
        return -1;
    }
    const int chosen = listRows(context, texts, on, {});
    ImGui::EndCombo();
    return chosen;
}

f32 wrappingDropDownHeight(const PanelContext& context, std::string_view chosen, f32 width, f32 frame) {
    return wrappedChoice(context, chosen, width, frame).height;
}

int wrappingDropDown(PanelContext& context, const char* id, std::span<const std::string> texts, int on,
                     const Help& help, f32 width, std::span<const std::string> notes) {
    const WithFont font(context, viz::Face::Text, viz::type::kBody);
    const f32 frame = ImGui::GetFrameHeight();
    const std::string text = on < 0 ? say(context.state.language, kNoneChosen) : textOf(texts, on);
    const auto [look, lines, height] = wrappedChoice(context, text, width, frame);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::SetNextItemWidth(width);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2(ImGui::GetStyle().FramePadding.x, (height - ImGui::GetFontSize()) / 2));
    const bool open = ImGui::BeginCombo(id, "", ImGuiComboFlags_HeightLarge | ImGuiComboFlags_NoArrowButton);
    ImGui::PopStyleVar();
    const f32 left = at.x + ImGui::GetStyle().FramePadding.x,
              top = at.y + (height - f32(lines.size()) * lineHeightOf(look)) / 2;
    for (std::size_t i = 0; i < lines.size(); ++i)
        drawText(context, list, {left, top + (f32(i) + 0.5f) * lineHeightOf(look)}, lines[i], look);
    const viz::Point tip{at.x + width - frame / 2, at.y + height / 2};
    list.AddTriangleFilled({tip.x - 5.5f, tip.y - 5}, {tip.x + 5.5f, tip.y - 5}, {tip.x, tip.y + 5},
                           ink(context, RoleKind::Text));
    if (!open) {
        helped(context, help);
        return -1;
    }
    const int chosen = listRows(context, texts, on, notes);
    ImGui::EndCombo();
    return chosen;
}

bool speedSlider(PanelContext& context, const char* id, f32& value, f32 min, f32 max, f32 width,
                 const Help& help) {
    ImGui::SetNextItemWidth(width);
    bool changed = false;
    {
        const ThinTrack track(context, width);
        changed = ImGui::SliderFloat(id, &value, min, max, "", ImGuiSliderFlags_Logarithmic);
    }
    context.isSlider = true;
    helped(context, help);
    context.isSlider = false;
    return changed;
}

namespace {

// Wide enough for the largest value.
f32 fieldWidth(s64 max) {
    constexpr f32 kLeast = 60;
    return std::max(
        kLeast, ImGui::CalcTextSize(std::to_string(max).c_str()).x + 2 * ImGui::GetStyle().FramePadding.x);
}

bool typedField(PanelContext& context, s64& value, s64 max, const Help& help) {
    return numberField(context, "##field", value, fieldWidth(max), help);
}

}  // namespace

bool numberField(PanelContext& context, const char* id, s64& value, f32 width, const Help& help) {
    std::string text = std::to_string(value);
    ImGui::SetNextItemWidth(width);
    ImGui::InputText(id, &text, ImGuiInputTextFlags_AutoSelectAll);
    helped(context, help);
    if (!ImGui::IsItemDeactivatedAfterEdit()) return false;
    const std::optional<s64> typed = typedNumber(text);
    if (!typed) return context.send(Say{Message(kNoTypedNumber, text)}), false;
    value = *typed;  // the receiver says what it makes of a value out of range
    return true;
}

bool intField(PanelContext& context, const char* id, s64& value, s64 max, const Help& help) {
    const WithFont font(context, viz::Face::Mono, viz::type::kBody);
    ImGui::PushID(id);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - fieldWidth(max));
    const bool changed = typedField(context, value, max, help);
    ImGui::PopID();
    return changed;
}

bool intSlider(PanelContext& context, const char* id, s64& value, s64 min, s64 max, bool logarithmic,
               bool& dragging, const Help& help) {
    const WithFont font(context, viz::Face::Mono, viz::type::kBody);
    ImGui::PushID(id);
    const f32 field = fieldWidth(max);
    s64 sliderValue = value;
    const f32 width = ImGui::GetContentRegionAvail().x;
    ImGui::SetNextItemWidth(width - field - viz::space::kGap);
    bool changed = false;
    {
        const ThinTrack track(context, width - field - viz::space::kGap);
        changed = ImGui::SliderScalar(
            "##slider", ImGuiDataType_S64, &sliderValue, &min, &max, "",
            (logarithmic ? ImGuiSliderFlags_Logarithmic : 0) | ImGuiSliderFlags_AlwaysClamp);
    }
    dragging = ImGui::IsItemActive();
    changed = changed || ImGui::IsItemDeactivated();
    context.isSlider = true;
    std::vector<FocusStop>* const stops = std::exchange(context.stops, nullptr);
    helped(context, help);  // the keyboard has the field
    context.stops = stops;
    context.isSlider = false;
    if (changed) value = sliderValue;
    ImGui::SameLine();
    changed = typedField(context, value, max, help) || changed;
    ImGui::PopID();
    return changed;
}

}  // namespace lockstep::app
