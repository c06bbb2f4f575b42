#include "app/panels/editor/typing.h"

#include <imgui.h>
#include <imgui_internal.h>  // whose keys they are

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep::app {
namespace {

using DocPos = TextEditor::DocPos;

class Typing {
public:
    Typing(TextEditor& editor, const Indentation& indentation) : editor_(editor), indentation_(indentation) {}

    void enter() {
        const auto [start, end] = ends();
        const std::string behind = editor_.GetSectionText(end, {end.line, kEndOfLine});
        const NewLine line = newLine(before(start), behind, indentation_);
        editor_.ReplaceSectionText(start, {end.line, end.index + line.skippedBehind}, line.text);
        editor_.SetCursor({start.line + 1, line.index});
    }
    // Alone in its line it stands below the line of the brace that it closes.
    void brace() {
        const auto [start, end] = ends();
        const std::string line = before(start);
        const std::string text = editor_.GetSectionText({0, 0}, start);
        const std::optional<std::string_view> blanks =
            blanksOf(line).size() == line.size() ? blanksOfOpening(text) : std::nullopt;
        if (blanks)
            editor_.ReplaceSectionText({start.line, 0}, end, std::string(*blanks) + "}");
        else
            editor_.ReplaceSectionText(start, end, "}");
    }
    void write(std::string_view text) {
        const auto [start, end] = ends();
        editor_.ReplaceSectionText(start, end, text);
    }
    void tab() {
        const auto [start, end] = ends();
        if (start != end) return indent();
        const std::size_t column = start.index % indentation_.columns;
        write(indentation_.byTabs ? "\t" : std::string(indentation_.columns - column, ' '));
    }
    // All lines of the selection that have something in them.
    void indent() {
        const auto [start, end] = ends();
        const std::size_t last = end.index == 0 && end.line > start.line ? end.line - 1 : end.line;
        const std::string unit = indentation_.unit();
        std::string text;
        for (std::size_t at = start.line; at <= last; ++at) {
            const std::string line = editor_.GetLineText(at);
            text += (line.empty() ? "" : unit) + line + (at < last ? "\n" : "");
        }
        const bool isWithinLast = last == end.line;
        editor_.ReplaceSectionText({start.line, 0}, {last, kEndOfLine}, text);
        editor_.SelectRegion({start.line, start.index ? start.index + unit.size() : 0},
                             {end.line, isWithinLast ? end.index + unit.size() : end.index});
    }

private:
    static constexpr std::size_t kEndOfLine = 1u << 30;  // the widget takes the end of the line for it

    struct Ends {
        DocPos start, end;
    };
    Ends ends() const {
        const TextEditor::DocSelection selection = editor_.GetMainCursorSelection();
        return {selection.start, selection.end};
    }
    std::string before(DocPos at) const { return editor_.GetSectionText({at.line, 0}, at); }

    TextEditor& editor_;
    const Indentation& indentation_;
};

// Pressed in this frame, and from now on not the widget's.
bool takes(ImGuiKeyChord chord) {
    if (!ImGui::IsKeyChordPressed(chord, ImGuiInputFlags_Repeat)) return false;
    ImGui::SetKeyOwner(ImGuiKey(chord & ~ImGuiMod_Mask_), ImGui::GetID("##indentation"),
                       ImGuiInputFlags_LockThisFrame);
    return true;
}

bool isOurs(ImWchar character) { return character == '\n' || character == '}'; }

}  // namespace

void typeIndented(TextEditor& editor, const Indentation& indentation) {
    if (editor.GetNumberOfCursors() != 1) return;
    Typing typing(editor, indentation);
    if (takes(ImGuiKey_Enter) || takes(ImGuiKey_KeypadEnter)) typing.enter();
    if (takes(ImGuiKey_Tab)) typing.tab();
    if (takes(ImGuiMod_Ctrl | ImGuiKey_RightBracket)) typing.indent();
    ImGuiIO& io = ImGui::GetIO();
    ImVector<ImWchar>& typed = io.InputQueueCharacters;
    if ((io.KeyCtrl && !io.KeyAlt) || !std::any_of(typed.begin(), typed.end(), isOurs)) return;
    std::string others;  // between those, written as one
    const auto writeOthers = [&] {
        if (!others.empty()) typing.write(std::exchange(others, {}));
    };
    for (const ImWchar character : typed) {
        if (isOurs(character)) {
            writeOthers();
            character == '\n' ? typing.enter() : typing.brace();
        } else if (character >= 32) {
            std::array<char, 5> bytes{};
            const int count = ImTextCharToUtf8(bytes.data(), character);
            others.append(bytes.data(), std::size_t(count));
        }
    }
    writeOthers();
    typed.resize(0);
}

}  // namespace lockstep::app
