// What the user can do in the editor, what arrives from the disk, and what is asked of it.
#pragma once

#include "app/state/state.h"

#include <variant>

namespace lockstep::app {

// By the user.
struct EditFile {
    std::string file = {};  // empty: that of the experiment
    u32 line = 0;           // 0: where it was left
};
struct ShowEditor {
    bool open = true;
};
struct TypeText {
    std::string file;
    SharedText text;
};
struct SaveText {};  // of the file in front
struct TurnToText {
    std::string file;
};
struct CloseText {
    std::string file;
};  // asks first where it is not saved
enum class Unsaved : u8 { Save, Discard, Keep };
struct CloseUnsaved {
    std::string file;
    Unsaved what = Unsaved::Keep;
};
// Of a text that another program has changed meanwhile.
struct ChooseText {
    std::string file;
    bool isOurs = true;
};
struct AcceptRecovered {
    std::string file;
};                    // it stays as it is
struct EditCopy {};   // of the catalog's kernel that is chosen
struct NewKernel {};  // from a template
// In the user's own editor: $VISUAL or $EDITOR.
struct EditElsewhere {
    std::string file = {};  // empty: that in front of the editor, else that of the experiment
    u32 line = 0;           // 0: that of the cursor, where it is in this file
};

// From the disk.
struct TextRead {
    std::string file;
    std::shared_ptr<const std::string> text;  // null: there is none to be read
    bool runs = false;                        // it was saved: the experiment runs again
    std::optional<Fault> fault = {};
    bool behind = false;  // another file stays in front
};
struct TextSaved {
    std::string file;
    SharedText text;
};
struct FileChanged {
    std::string file;
};
struct TextsRecovered {
    std::vector<EditedText> texts;
};
struct TextCreated {
    OwnKernel kernel;  // how it is launched
    std::shared_ptr<const std::string> text;
    bool isWritten = true;  // else there is no such file until it is saved
};

using EditorAction =
    std::variant<EditFile, ShowEditor, TypeText, SaveText, TurnToText, CloseText, CloseUnsaved, ChooseText,
                 AcceptRecovered, EditCopy, NewKernel, EditElsewhere, TextRead, TextSaved, FileChanged,
                 TextsRecovered, TextCreated>;

// For the background; each is answered by one of the actions above.
struct ReadText {
    std::string file;
    bool runs = false;
    bool behind = false;
};
// Not over what another program has written meanwhile: that is then read.
struct WriteText {
    std::string file;
    SharedText text, before;  // before: as it was read or written last
    bool endsLinesInTwo = false;
};
// A new file, which becomes the experiment. Never over one that is there.
struct CreateText {
    OwnKernel kernel;       // its file, and how that is launched
    std::string from = {};  // a file to be copied; empty: newKernelText()
};
struct OpenElsewhere {
    std::string file;
    u32 line = 0;
};
using EditorTask = std::variant<ReadText, WriteText, CreateText, OpenElsewhere>;

}  // namespace lockstep::app
