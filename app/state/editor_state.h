// The part of the window's state that the editor has: the files that are open in it, as they were saved and
// as they stand there, and what of them has been compiled.
#pragma once

#include "base/integers.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::app {

using SharedText = std::shared_ptr<const std::string>;
bool isSameText(const SharedText& a, const SharedText& b);

// A file in the editor.
struct EditedText {
    std::string file;  // its whole path
    SharedText text;   // as it stands in the editor, lines ending in \n alone
    SharedText saved;  // as the file was read or written last; null: there is no such file
    // What another program has written to the file while there was unsaved text: it is asked which one stays.
    SharedText onDisk = {};
    bool endsLinesInTwo = false;  // its lines end in \r\n
    bool isRecovered = false;     // of an earlier start, which ended before it was saved
    bool isClosing = false;       // it is asked what becomes of its unsaved text
    u64 revision = 0;  // counts changes from elsewhere than the keyboard, which the editor takes over

    bool isUnsaved() const { return !isSameText(text, saved); }
};

struct EditorState {
    static constexpr f64 kSecondsUntilRun = 0.4;  // after the last key

    std::vector<EditedText> texts;  // a tab each
    std::string front;              // the file of the one in front
    bool open = false;              // beside the views; closed, it keeps its texts
    std::optional<f64> sinceKey;    // until the text is compiled; none: that has begun, or nothing was typed
    SharedText shown;               // what the run on show was compiled from; null: a file as it was saved
    SharedText failed;              // what could not be compiled or run last; null: nothing
    u32 line = 0;                   // that is looked at
    u32 timesTurnedTo = 0;          // counts requests, so that a repeated one is noticed
    u32 timesFocused = 0;           // likewise, for the keyboard

    const EditedText* find(const std::string& file) const;
    EditedText* find(const std::string& file);
    const EditedText* inFront() const { return find(front); }
    bool hasUnsaved() const;
};

}  // namespace lockstep::app
