// Runs commands at their keys, and shows the table of keys.
#include "app/panels/commands.h"
#include "app/panels/keys_page.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::app {
namespace {

// What a text field does not use itself: function keys, and Ctrl with anything but the keys for editing.
bool worksWhileTyping(ImGuiKeyChord chord) {
    constexpr std::array kEditing{
        ImGuiKey_A,       ImGuiKey_C,         ImGuiKey_V,         ImGuiKey_X,         ImGuiKey_Y,
        ImGuiKey_Z,       ImGuiKey_Home,      ImGuiKey_End,       ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
        ImGuiKey_UpArrow, ImGuiKey_DownArrow, ImGuiKey_Backspace, ImGuiKey_Delete};
    const auto key = ImGuiKey(chord & ~ImGuiMod_Mask_);
    if (key >= ImGuiKey_F1 && key <= ImGuiKey_F24) return true;
    return (chord & ImGuiMod_Ctrl) && std::ranges::find(kEditing, key) == kEditing.end();
}

// What the editor's text uses besides: the next place with what is selected.
bool isOfEditor(ImGuiKeyChord chord) { return chord == (ImGuiMod_Ctrl | ImGuiKey_D); }

// A letter or a digit, soon after a field has taken what was typed: still meant for that.
bool typesOn(const PanelContext& context, ImGuiKeyChord chord) {
    const auto isWritten = [&](ImGuiKey first, ImGuiKey last) {
        const auto key = ImGuiKey(chord & ~ImGuiMod_Shift);
        return key >= first && key <= last;
    };
    return context.typesOn && (isWritten(ImGuiKey_A, ImGuiKey_Z) || isWritten(ImGuiKey_0, ImGuiKey_9));
}

// While two runs are compared, the view of both; one that cannot be that stays where it is.
void bringUp(PanelContext& context, const viz::ViewRow& view) {
    if (!context.state.compared.open) return context.send(BringUp{std::string(view.name)});
    if (!view.inCompare) return;
    const auto kept = context.state.views.find("compare");
    viz::ViewState state = kept == context.state.views.end() ? viz::ViewState{} : kept->second;
    state.options =
        viz::CompareOptions{view.name, viz::optionsAs<viz::CompareOptions>(state.options).tie, {}};
    context.send(SetView{"compare", state});
}

// What a control that has the focus is moved and pressed by.
bool isOfControls(ImGuiKeyChord chord) {
    constexpr std::array kTheirs{
        ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,  ImGuiKey_DownArrow, ImGuiKey_Space,
        ImGuiKey_Enter,     ImGuiKey_PageUp,     ImGuiKey_PageDown, ImGuiKey_Home,      ImGuiKey_End};
    return std::ranges::find(kTheirs, ImGuiKey(chord & ~ImGuiMod_Mask_)) != kTheirs.end() &&
           !(chord & ImGuiMod_Ctrl);
}

// The launch form alone is asked, and of a file that can be run as it is.
bool isAboutAProgram(const State& state) {
    return state.dialog && !state.exporting.open && !state.showPalette && !state.browsing &&
           state.program.files.contains(state.dialog->kernel.file);
}

constexpr Words kSearchHint = english("of the table of keys", "Search: step, warp, save, Ctrl …");
constexpr Words kSearchHelp = english(
    "Lists the keys whose name, group or key has each of these words. Entries with Ctrl P in gray have no "
    "key "
    "of their own: the palette finds them by name.");

constexpr Words kOfSteps = english("of the table of keys", "Stepping"),
                kOfThreads = english("of the table of keys", "Warps, blocks, lanes"),
                kOfViews = english("of the table of keys", "Views"),
                kOfExperiment = english("of the table of keys", "Experiment and files"),
                kOfEditor = english("of the table of keys", "In the editor"),
                kOfLecture = english("of the table of keys", "Presenting and lectures"),
                kOfWindow = english("of the table of keys", "Window and help");

struct Group {
    const Words* title;
    std::string_view ids;  // of its commands, or how they begin, each between spaces
};
// A command that is in none is the last one's.
constexpr std::array kGroups{
    Group{&kOfSteps, " play step. instruction. line. phase. select. access. conflict. divergence. finding. "},
    Group{&kOfThreads, " warp. block. lane. "},
    Group{&kOfViews, " enlarge view. stage.next read export copy.picture playground.take sweep task. "},
    Group{&kOfExperiment, " run program. edit edit.copy edit.new edit.elsewhere undo redo open "},
    Group{&kOfEditor, " edit.save "},
    Group{&kOfLecture, " present present. playlist. playlists lessons "},
    Group{&kOfWindow, ""}};

std::size_t groupOf(std::string_view id) {
    const std::string whole = " " + std::string(id) + " ",
                      start = " " + std::string(id.substr(0, id.find('.') + 1)) + " ";
    for (std::size_t i = 0; i + 1 < kGroups.size(); ++i)
        if (kGroups[i].ids.find(whole) != std::string_view::npos ||
            (id.find('.') != std::string_view::npos && kGroups[i].ids.find(start) != std::string_view::npos))
            return i;
    return kGroups.size() - 1;
}

struct FurtherKey {
    std::size_t group;
    std::string_view keys;
    Words does;
};
// Keys that are no commands: of the text in the editor, of its search, of the controls.
constexpr std::size_t kEditorGroup = 4, kWindowGroup = 6;
constexpr std::array kFurther{
    FurtherKey{kEditorGroup, "Ctrl F", english("Find and replace in the text")},
    FurtherKey{kEditorGroup, "Enter  Ctrl G", english("Next match")},
    FurtherKey{kEditorGroup, "Ctrl Z  Ctrl Y", english("Undo or redo typing")},
    FurtherKey{kEditorGroup, "Ctrl D", english("Add the next match to the selection")},
    FurtherKey{kEditorGroup, "Ctrl ]  Ctrl [", english("Indent lines, or unindent")},
    FurtherKey{kEditorGroup, "Ctrl /", english("Comment lines, or uncomment")},
    FurtherKey{kEditorGroup, "Alt ↑  Alt ↓", english("Move lines up or down")},
    FurtherKey{kEditorGroup, "Esc", english("Give the keys back to the views, then close the editor")},
    FurtherKey{kWindowGroup, "Tab  Shift Tab", english("Go through all controls")},
    FurtherKey{kWindowGroup, "Enter  Space", english("Press the control that has the focus")},
};

std::string lowered(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return out;
}

bool hasEachWord(const std::string& text, std::string_view query) {
    const std::string in = lowered(text);
    std::istringstream words{lowered(query)};
    for (std::string word; words >> word;)
        if (in.find(word) == std::string::npos) return false;
    return true;
}

constexpr std::size_t kNumberedViews = 9;

// "Views: 1 Stage · 2 Banks ..."
std::string viewKeys(Language language) {
    std::string all;
    const std::span<const viz::ViewRow> views = viz::views();
    for (std::size_t i = 0; i < std::min(views.size(), kNumberedViews); ++i)
        all += fmt::format("{}{} {}", i ? " · " : "", i + 1, views[i].title.in(language));
    return say(language, words::kKeyViews, all);
}

}  // namespace

void handleKeys(PanelContext& context) {
    if (context.state.showKeys && ImGui::IsKeyPressed(ImGuiKey_Escape)) return context.send(ShowKeys{false});
    if (context.state.showSaid && ImGui::IsKeyPressed(ImGuiKey_Escape)) return context.send(ShowSaid{false});
    if (!context.state.term.empty() && !isAsked(context.state) && !context.escapeTaken &&
        ImGui::IsKeyPressed(ImGuiKey_Escape))
        return context.send(ShowTerm{});
    // As the launch form's button does.
    if (isAboutAProgram(context.state) && ImGui::IsKeyChordPressed(ImGuiKey_F5))
        return context.send(ProgramAction{RunProgram{}});
    if (isAsked(context.state) || context.escapeTaken) return;
    // A list or a menu that is open takes the keys as a field does.
    const bool isTyping =
        ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    for (const Command& command : commands()) {
        if (!isOffered(command, context.state)) continue;
        for (const int chord : command.chords)
            if (chord && (!isTyping || worksWhileTyping(chord)) &&
                !(context.isEditing && isOfEditor(chord)) && !isTaken(chord, command, context.state) &&
                !(context.hasFocus && isOfControls(chord)) && !typesOn(context, chord) &&
                ImGui::IsKeyChordPressed(chord))
                context.send(command.action(context.state));
    }
    if (isTyping) return;
    const std::span<const viz::ViewRow> views = viz::views();
    for (std::size_t i = 0; i < std::min(views.size(), kNumberedViews); ++i)
        if (ImGui::IsKeyChordPressed(ImGuiKey_1 + int(i)) && !typesOn(context, ImGuiKey_1))
            bringUp(context, views[i]);
}

std::vector<KeyRow> keyRows(const State& state, std::string_view query) {
    const Language language = state.language;
    std::array<std::vector<KeyRow>, kGroups.size()> groups;
    const auto add = [&](std::size_t group, std::string_view keys, const Words& does) {
        KeyRow row{.keys = std::string(keys),
                   .does = std::string(does.in(language)),
                   .english = std::string(does.english())};
        const Words& title = *kGroups[group].title;
        const std::string all = row.keys + " " + row.does + " " + row.english + " " +
                                std::string(title.in(language)) + " " + std::string(title.english());
        if (hasEachWord(all, query)) groups[group].push_back(std::move(row));
    };
    for (const Command& command : commands())
        add(groupOf(command.id), command.keys, *command.name);
    add(2, "Ctrl C", words::kKeyCopy);
    for (const FurtherKey& further : kFurther)
        add(further.group, further.keys, further.does);
    std::vector<KeyRow> rows;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i].empty()) continue;
        rows.push_back({.isTitle = true,
                        .keys = {},
                        .does = std::string(kGroups[i].title->in(language)),
                        .english = std::string(kGroups[i].title->english())});
        std::ranges::move(groups[i], std::back_inserter(rows));
    }
    return rows;
}

namespace {

struct Columns {
    std::vector<std::size_t> begins{0};  // the first row of each
    std::size_t rows = 0;                // of the tallest
    f32 keys = 0, width = 0;             // of one
};

// Groups stay whole: each column begins with a title. About equally tall.
void breakInto(std::size_t count, const std::vector<KeyRow>& rows, Columns& columns) {
    const std::size_t each = (rows.size() + count - 1) / count;
    for (std::size_t i = 1; i < rows.size() && columns.begins.size() < count; ++i) {
        if (!rows[i].isTitle) continue;
        const auto next =
            std::ranges::find(rows.begin() + std::ptrdiff_t(i) + 1, rows.end(), true, &KeyRow::isTitle);
        const std::size_t tall = i - columns.begins.back(),
                          withGroup = std::size_t(next - rows.begin()) - columns.begins.back();
        if (tall >= each || (withGroup > each && withGroup - each > each - tall)) columns.begins.push_back(i);
    }
    for (std::size_t i = 0; i < columns.begins.size(); ++i) {
        const std::size_t end = i + 1 < columns.begins.size() ? columns.begins[i + 1] : rows.size();
        columns.rows = std::max(columns.rows, end - columns.begins[i]);
    }
}

Columns columnsFor(const PanelContext& context, const std::vector<KeyRow>& rows, f32 room,
                   const TextLook& text, const TextLook& keys) {
    constexpr f32 kGap = 16, kBetween = 28;
    Columns out;
    f32 does = 0;
    for (const KeyRow& row : rows) {
        out.keys = std::max(out.keys, widthOf(context, row.keys, keys) + kGap);
        does = std::max(does, widthOf(context, row.does, text));
    }
    out.width = out.keys + does + kBetween;
    breakInto(std::clamp(std::size_t(room / out.width), std::size_t{1}, std::size_t{3}), rows, out);
    return out;
}

// A command without a key has that of the palette, where its name finds it.
constexpr std::string_view kByPalette = "Ctrl P";

void drawRow(PanelContext& context, viz::Point middle, const KeyRow& row, f32 ofKeys, const TextLook& text,
             TextLook keys) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (row.isTitle)
        return drawText(context, list, middle, row.does,
                        {.size = text.size, .face = viz::Face::TextBold, .role = viz::RoleKind::TextSecond});
    if (row.keys.empty()) keys.face = viz::Face::Mono, keys.role = viz::RoleKind::TextThird;
    drawText(context, list, middle, row.keys.empty() ? kByPalette : row.keys, keys);
    drawText(context, list, {middle.x + ofKeys, middle.y}, row.does, text);
}

}  // namespace

void KeysPage::draw(PanelContext& context) {
    if (!context.state.showKeys) {
        wasOpen_ = false;
        return;
    }
    const bool opening = !std::exchange(wasOpen_, true);
    if (opening) query_.clear();
    const Language language = context.state.language;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos({viewport.GetCenter().x, viewport.GetCenter().y}, ImGuiCond_Always, {0.5f, 0.5f});
    // In a low window the rows are closer; in one that is lower still they scroll.
    constexpr f32 kLow = 960, kMargin = 8, kClosest = 14, kLowRow = 16, kRow = 20, kField = 300;
    const bool isLow = viewport.WorkSize.y < kLow;
    const f32 side = isLow ? 16.0f : 24.0f, above = isLow ? 8.0f : 16.0f;
    const TextLook text{.size = isLow ? viz::type::kCode : viz::type::kBody},
        keys{.size = viz::type::kCode, .face = viz::Face::MonoBold};
    const f32 most = viewport.WorkSize.x - 2 * kMargin, tallest = viewport.WorkSize.y - 2 * kMargin;
    const std::vector<KeyRow> all = keyRows(context.state);
    const Columns columns = columnsFor(context, all, most - 2 * side - 16, text, keys);
    const f32 wide = std::min(most, f32(columns.begins.size()) * columns.width + 2 * side),
              around = 2 * above + kControlHeight + 2 * viz::space::kGap +
                       heightOf(context, viewKeys(language), text, wide - 2 * side);
    const f32 high =
        std::clamp(std::floor((tallest - around) / f32(columns.rows)), kClosest, isLow ? kLowRow : kRow);
    ImGui::SetNextWindowSize({wide, std::min(tallest, f32(columns.rows) * high + around)});
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(side, above));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, viz::radius::kPanel);
    if (ImGui::Begin("##keys", nullptr,
                     ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                         ImGuiWindowFlags_NoSavedSettings)) {
        const TextLook title{.size = viz::type::kTitle, .face = viz::Face::TextBold};
        const f32 ofClose = widthOf(context, words::kClose.in(language)) + 24,
                  ofTitle = widthOf(context, words::kKeys.in(language), title) + 2 * viz::space::kGap;
        controlLabel(context, words::kKeys.in(language), title);
        ImGui::SameLine(side + ofTitle);
        if (opening) ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(
            std::min(kField, ImGui::GetWindowWidth() - 2 * side - ofTitle - ofClose - 2 * viz::space::kGap));
        ImGui::InputTextWithHint("##query", kSearchHint.in(language).data(), &query_);
        helped(context, {kSearchHelp.in(language), "guide/window.md"});
        ImGui::SameLine(ImGui::GetWindowWidth() - side - ofClose);
        if (textButton(context, "close", words::kClose.in(language),
                       {words::kCloseHelp.in(language), "guide/window.md"}))
            context.send(ShowKeys{false});
        paragraph(context, viewKeys(language), {.size = text.size, .role = viz::RoleKind::TextSecond},
                  ImGui::GetWindowWidth() - 2 * side);
        const std::vector<KeyRow> rows = keyRows(context.state, query_);
        if (ImGui::BeginChild("rows")) {
            if (rows.empty())
                label(context, words::kPaletteNothing.in(language), {.role = viz::RoleKind::TextSecond});
            const ImVec2 from = ImGui::GetCursorScreenPos();
            // What is found stands in one column, as far as it has room there.
            const bool isAll = rows.size() == all.size();
            std::size_t column = 0, at = 0, most = 0;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const bool isFull = at + (rows[i].isTitle ? 2 : 1) > columns.rows;
                if (column + 1 < columns.begins.size() && (isAll ? i == columns.begins[column + 1] : isFull))
                    ++column, at = 0;
                drawRow(context, {from.x + f32(column) * columns.width, from.y + (f32(at) + 0.5f) * high},
                        rows[i], columns.keys, text, keys);
                most = std::max(most, ++at);
            }
            ImGui::Dummy({1, f32(most) * high});
        }
        ImGui::EndChild();
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
}

}  // namespace lockstep::app
