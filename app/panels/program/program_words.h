// The texts of the page of a whole program.
#pragma once

#include "base/text/words.h"

namespace lockstep::app::words {

inline constexpr Words kRunProgram = english("Run program"),
                       kRunProgramHelp = english(
                           "Compiles the file as it was saved last, host code and kernels, and runs it in a "
                           "process of its own (F5). Opening a file runs nothing");
inline constexpr Words kProgramPage = english("The program's timeline, output and findings (F4)"),
                       kKeyProgram = english("Show or leave the program"),
                       kKeyRunProgram = english("Run program");
inline constexpr Words kProgramBack = english("Back to the kernel"),
                       kProgramBackHelp = english("Leaves the program's page (Esc, F4); F4 comes back to it");
inline constexpr Words kProgramCancelHelp =
    english("Ends the program and all that it started; what it did until then is shown");
inline constexpr Words
    kProgramArguments = english("Arguments"),
    kProgramArgumentsHelp = english(
        "What the program finds in argv, as behind its name on a command line: parts with a "
        "space between them, in quotes one with spaces. Kept for this file"),
    kProgramNoArguments = english("none");
inline constexpr Words
    kProgramCompile = english("before a field with files and compiler options", "Compile with"),
    kProgramCompileHelp = english(
        "Further source files of the program, and options of the compiler, as on a command line in the "
        "folder of the file: kernels.cu -Iinclude -DWIDTH=64 -O2. Kept for this file"),
    kProgramNoCompile = english("more files, -I, -D");

// How it fares.
inline constexpr Words kProgramNotRun = english(
    "{0} has not been run yet. Run program compiles it with clang and runs it in a process of its own: host "
    "code on this computer, in the folder of the file, kernels on the emulator. It finds an empty standard "
    "input.");
inline constexpr Words kProgramNone =
    english("No program is open. Open a .cu that has a main(): Ctrl O, or drop it onto the window.");
inline constexpr Words kProgramCompiling = english("Compiling, {0} s"),
                       kProgramRunning = english("Running: no launch yet, {0} s"),
                       kProgramLaunch = english("Running: launch {0}, {1} s"),
                       kProgramCanceling = english("Ending the program");
inline constexpr Words kProgramFound = english("{0} {0:problem|problems} found."),
                       kProgramFoundNothing = english("No problems found."),
                       kProgramFoundRemarks = english("No problems found, but {0} {0:remark|remarks}."),
                       kProgramFoundBoth =
                           english("{0} {0:problem|problems} found, and {1} {1:remark|remarks}.");
inline constexpr Words kProgramNoLaunch = english("of a list, where nothing is chosen", "choose one"),
                       kProgramCancelOpening = english("Leaves what is shown as it is");
inline constexpr Words kProgramOpening = english("Opening launch {0}");
inline constexpr Words kProgramHint = english(
    "Click a launch to open it in all views, any other operation to see its line, an allocation to follow "
    "it.");
inline constexpr Words kProgramFollowing =
    english("a buffer that is followed, and what became of it", "Following {0}; {1}.");

inline constexpr Words
    kProgramRounds = english("Open which of {0} launches?"),
    kProgramRound = english("Launch {0}, round {1}"), kProgramTimelineSave = english("Save timeline"),
    kProgramTimelineHelp = english(
        "Saves the timeline as an SVG picture into the folder of your pictures, with what is followed");

// Panes.
inline constexpr Words kProgramSource = english("the program's own text", "Source"),
                       kProgramOutput = english("what the program prints", "Output"),
                       kProgramFindings = english("in a program", "Findings");
inline constexpr Words kProgramNoOutput = english("The program has printed nothing."),
                       kProgramOutputToCome = english("What the program prints stands here."),
                       kProgramOutputCut = english("Only the first {0} of {1} {1:byte|bytes} are shown.");
inline constexpr Words kProgramFindingsToCome =
                           english("What is found stands here once the program has ended."),
                       kProgramNothingRun = english("Nothing was run."),
                       kProgramNoFindings = english("Nothing was found in its launches or its host code.");
inline constexpr Words kProgramFindingTimes = english("{0} times");
inline constexpr Words kProgramFindingHelp = english("Click to see the line");

// A launch on show.
inline constexpr Words
    kProgramOf = english("Launch of a program"),
    kProgramLaunchNumber = english("Launch {0}: {1}"),
    kProgramLaunches = english("before the list of a program\'s launches", "Open launch"),
    kProgramLaunchesHelp = english(
        "Opens a launch of the program in all views, with the arguments and the memory that "
        "it had"),
    kProgramSave = english("Save as .lks"),
    kProgramSaveHelp = english(
        "Saves this launch with its grid, arguments and memory as a recording, which opens "
        "here, in `lockstep show` and in `lockstep compare`"),
    kProgramSaved = english("Saved: {0}"), kProgramReturn = english("Back to the program"),
    kCompareLaunchHelp = english("The launch that is compared with the first one"),
    kCompareFirstLaunchHelp = english("The launch that the others are compared with");

}  // namespace lockstep::app::words
