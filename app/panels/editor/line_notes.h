// What the editor shows at lines: errors, warnings, findings, where the cursor of the run stands, and in the
// margin the line's share of sectors, wavefronts and divergent branches. Each stays with its line while lines
// are put in or taken out above it.
#pragma once

#include "app/panels/panel.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class TextEditor;

namespace lockstep::viz {
struct ViewInput;  // viz/view.h
}

namespace lockstep::app {

class LineNotes {
public:
    // Again whenever the run, the fault or the cursor changes, as far as they belong to this text.
    void update(PanelContext& context, const EditedText& text, TextEditor& editor);
    // The line, from 1, that the run's cursor has gone to in this frame; 0: it is where it was.
    u32 movedTo() const { return movedTo_; }
    // The sentence of the line under the mouse.
    void hover(PanelContext& context, const TextEditor& editor) const;

private:
    enum class Kind : u8 { Remark, Warning, Finding, Error };
    struct Note {
        std::string text;  // what was found
        Kind kind = Kind::Remark;
        std::string cost;                // the figures
        std::array<f32, 3> shares = {};  // of the grid's sectors, wavefronts and divergent branches
    };
    struct Key {
        std::shared_ptr<const run::Run> run;
        SharedText shown, failed;
        std::optional<u32> faultLine;
        std::string fault;
        u32 line = 0;  // of the run's cursor
        std::string theme, profile;
        Language language = Language::English;
        bool operator==(const Key&) const = default;
    };
    Note& noteAt(TextEditor& editor, u32 line);
    void addCosts(PanelContext& context, const viz::ViewInput& in, u32 file, TextEditor& editor);
    void drawMargin(const Note& note, f32 left, f32 y, f32 width, f32 height) const;
    void drawMark(const Note& note, f32 x, f32 y) const;

    Key key_;
    std::vector<std::unique_ptr<Note>> notes_;  // of lines, which have a pointer to theirs
    u32 movedTo_ = 0;
    u32 ground_ = 0, bar_ = 0, problem_ = 0, remark_ = 0;  // colors of the margin
};

}  // namespace lockstep::app
