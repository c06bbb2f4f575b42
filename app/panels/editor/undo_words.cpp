#include "app/panels/editor/undo_words.h"

#include <imgui.h>

#include <cctype>

namespace lockstep::app {

void UndoWords::begin(const TextEditor& editor) {
    before_ = editor.GetUndoIndex();
    typed_.clear();
}

void UndoWords::note(const std::vector<TextEditor::Change>& changes) {
    Typed typed;
    if (changes.size() == 1 && changes.front().insert && changes.front().text.size() == 1) {
        const auto letter = static_cast<unsigned char>(changes.front().text.front());
        typed = {.isLetter = std::isalnum(letter) != 0 || letter == '_',
                 .start = changes.front().start,
                 .end = changes.front().end};
    }
    typed_.push_back(typed);
}

void UndoWords::end(TextEditor& editor) {
    constexpr int kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift;
    const std::size_t now = editor.GetUndoIndex();
    const auto goesOn = [&](std::size_t number) { return number < goesOn_.size() && goesOn_[number]; };
    if (now < before_ && ImGui::IsKeyChordPressed(kCtrl | ImGuiKey_Z)) {
        for (std::size_t number = before_; goesOn(number); --number)
            editor.Undo();
        last_ = {};
    } else if (now > before_ && (ImGui::IsKeyChordPressed(kCtrl | ImGuiKey_Y) ||
                                 ImGui::IsKeyChordPressed(kCtrl | kShift | ImGuiKey_Z))) {
        for (std::size_t number = now + 1; goesOn(number) && editor.CanRedo(); ++number)
            editor.Redo();
        last_ = {};
    } else if (now > before_) {
        goesOn_.resize(before_ + 1);
        for (const Typed& typed : typed_) {
            goesOn_.push_back(typed.isLetter && last_.isLetter && typed.start == last_.end);
            last_ = typed;
        }
        goesOn_.resize(now + 1);
    }
}

}  // namespace lockstep::app
