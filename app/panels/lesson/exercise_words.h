// The window's texts around exercises; what an exercise says stands in its own file.
#pragma once

#include "base/text/words.h"

namespace lockstep::app::words {

inline constexpr Words kExerciseOwn = english("Exercises of your own");
inline constexpr Words kExerciseFolder = english("path of an exercise's folder");
inline constexpr Words kExerciseFolderHelp =
    english("Opens an exercise of your own: a folder with exercise.toml; it can be dropped here, too");
inline constexpr Words kExerciseFirst = english(
    "Create a start file: without a path of your own it goes to the folder that was last exported to, at "
    "first "
    "the one where Lockstep was started. Its path stands in the field then.");
inline constexpr Words kExerciseHow =
    english("Edit the file, here or in another editor, save it, then press Check.");
inline constexpr Words kExerciseEdit = english("Open in an editor");
inline constexpr Words kExerciseEditHelp =
    english("Opens the file in the program that your desktop has for such files");
inline constexpr Words kExerciseOf = english("Exercise");
inline constexpr Words kExerciseRules = english("Rules");
inline constexpr Words kExerciseRulesHelp =
    english("Shows all rules of the exercise, and which of them hold");
inline constexpr Words kExerciseUnsaved = english("Check judges the file as it was last saved (Ctrl S).");
inline constexpr Words kExerciseChanged =
    english("The file was changed after this result. Press Check to judge it as it is now.");
inline constexpr Words kExerciseNotCompiled = english("The file does not compile.");
inline constexpr Words kExerciseEarlier = english("Earlier result: {0} of {1} {1:rule held|rules held}");
inline constexpr Words kExerciseRuleHelp =
    english("Runs your file with the data and the launch of the exercise, and goes to this line");

}  // namespace lockstep::app::words
