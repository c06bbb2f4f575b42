#include "app/panels/editor/indentation.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace lockstep::app {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view indentOf(std::string_view line) {
    return line.substr(0, std::min(line.find_first_not_of(kBlanks), line.size()));
}

bool isBlank(std::string_view line) { return indentOf(line).size() == line.size(); }

// Without one level of it.
std::string_view lessIndented(std::string_view indent, std::size_t level) {
    if (indent.ends_with('\t')) return indent.substr(0, indent.size() - 1);
    return indent.substr(0, indent.size() - std::min(level, indent.size()));
}

void dedentBrace(TextEditor& editor) {
    const TextEditor::DocPos at = editor.GetMainCursorPosition();
    const std::string line = editor.GetLineText(at.line);
    const std::string_view indent = indentOf(line);
    if (at.index <= indent.size() || line.find('}') != indent.size()) return;  // it does not begin its line
    std::size_t above = at.line;
    std::string last;
    while (above > 0 && isBlank(last))
        last = editor.GetLineText(--above);
    if (isBlank(last)) return;
    const std::string_view lastIndent = indentOf(last);
    const bool opens = last.find_last_not_of(kBlanks) == last.rfind('{');
    const std::string wanted(opens ? lastIndent : lessIndented(lastIndent, editor.GetTabSize()));
    if (wanted.size() >= indent.size()) return;
    editor.ReplaceSectionText({at.line, 0}, {at.line, indent.size()}, wanted);
    editor.SetCursor({at.line, at.index - (indent.size() - wanted.size())});
}

}  // namespace

void Indentation::note(const std::vector<TextEditor::Change>& changes) {
    const bool isInsertion = changes.size() == 1 && changes.front().insert;
    isNewLine_ |= isInsertion && changes.front().text.starts_with('\n') &&
                  isBlank(std::string_view(changes.front().text).substr(1));
    isBrace_ |= isInsertion && changes.front().text == "}";
}

void Indentation::correct(TextEditor& editor) {
    const bool wasNewLine = isNewLine_, wasBrace = isBrace_;
    isNewLine_ = isBrace_ = false;
    if (ImGui::GetIO().KeyCtrl || editor.GetNumberOfCursors() > 1) return;  // undone, done again, pasted
    if (wasBrace) return dedentBrace(editor);
    if (!wasNewLine) return;
    const TextEditor::DocPos at = editor.GetMainCursorPosition();
    const std::string line = editor.GetLineText(at.line);
    if (const std::size_t begin = indentOf(line).size(); at.index < begin) editor.SetCursor({at.line, begin});
}

void indentAs(TextEditor& editor, const std::string& text) {
    editor.SetInsertSpacesOnTabs(text.find('\t') == std::string::npos);
}

}  // namespace lockstep::app
