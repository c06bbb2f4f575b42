// The texts of the editor.
#pragma once

#include "base/text/words.h"

namespace lockstep::app::words {

inline constexpr Words kEditor = english("Editor"), kEdit = english("Edit"),
                       kEditHelp = english(
                           "Edits the file here, beside the views: it is compiled and run as you "
                           "type (F6)"),
                       kEditCopyHelp = english(
                           "Edits a copy of this kernel, in a new file, with this launch and "
                           "checked against the same reference (F6)"),
                       kKeyEdit = english("Edit the file, or a copy of the kernel"),
                       kKeyNewKernel = english("New kernel from a template, in the editor"),
                       kNewKernelHelp = english(
                           "Writes a kernel to begin with into a new file, in the folder "
                           "of your pictures, and opens it in the editor"),
                       kKeyEditCopy = english("Edit a copy of this kernel"),
                       kKeySave = english("Save the file in the editor"),
                       kEntryEditText = english("Edit {0}");
inline constexpr Words kSave = english("Save"),
                       kSaveHelp = english(
                           "Writes the file (Ctrl S). What is not saved is kept all the same, "
                           "from one start to the next"),
                       kTextTabHelp = english("A file in the editor; the dot marks text that is not saved");
inline constexpr Words kFind = english("Find"), kFindHelp = english("Finds text in the file (Ctrl F)"),
                       kFindNext = english("of a search", "Next"),
                       kFindNextHelp = english("The next place (Enter, Ctrl G)"),
                       kFindPreviousHelp = english("The place before (Shift Enter, Ctrl Shift G)"),
                       kFindPlace = english("of a search", "{0} of {1}"),
                       kFindCount = english("{0} {0:place|places}"), kFindCase = english("Aa"),
                       kFindCaseHelp = english("Tells capitals from small letters"),
                       kReplaceWith = english("Replace with"),
                       kReplaceWithHelp = english("What takes the place of the text that is found"),
                       kReplace = english("Replace"),
                       kReplaceHelp = english("Replaces this place and goes to the next one"),
                       kReplaceAll = english("Replace all"),
                       kReplaceAllHelp = english("Replaces all places in the file; Ctrl Z undoes it"),
                       kFindClose = english("Closes the search (Esc)"), kFindNone = english("not found");
inline constexpr Words
    kTextChanged = english("Another program has changed {0}, and here it has text that is not saved."),
    kTextOurs = english("Keep this text"),
    kTextOursHelp = english("Stays with the text of the editor; saving it then replaces the file's"),
    kTextTheirs = english("Take the file's"),
    kTextTheirsHelp = english("Takes over what is in the file; Ctrl Z in the editor brings this text back"),
    kTextClosing = english("{0} has text that is not saved."), kTextDiscard = english("Discard"),
    kTextDiscardHelp = english("Closes it; what is not saved is lost"), kTextKeep = english("Go on editing"),
    kTextKeepHelp = english("Closes nothing"),
    kTextRecovered = english("{0} was not saved when the window was last closed: here is its text."),
    kTextAccept = english("Go on with it"),
    kTextAcceptHelp = english("Hides this line; the text stays here, not saved yet");
inline constexpr Words
    kTextPlace = english("line {0}, column {1}"),
    kTextRunning = english("Compiling and running"),
    kTextWaiting = english("The pictures are of an earlier text"),
    kTextOfAnother = english("The pictures are of another experiment"),
    kTextUpToDate = english("The pictures are of this text"), kTextFault = english("Line {0}: {1}"),
    kTextWarning = english("Warning: {0}"), kTextErrors = english("{0} {0:error|errors}"),
    kTextWarnings = english("{0} {0:warning|warnings}"),
    kTextNoticesHelp = english("Lists what the compiler says; a click goes to the line"),
    kTextFaultHelp = english("Goes to the line"), kTextElsewhere = english("Not the kernel on show"),
    kTextOpen = english("Open as experiment"),
    kTextOpenHelp =
        english("Asks how it is launched, and shows what it does: the text as it stands here, saved or not"),
    kTextNoCompiler = english("It is not compiled here: there is no CUDA compiler"),
    kTextCompiled = english("It is compiled and run as you type."),
    kEarlierTextOnShow = english("Still on screen: the run of an earlier text");
inline constexpr Words kMarginBars =
    english("The bars: this line's share of all sectors, wavefronts and divergent branches of the grid.");
inline constexpr Words kFaultEdit = english("Edit"),
                       kFaultEditHelp = english("Opens the file in the editor, at this line");

}  // namespace lockstep::app::words
