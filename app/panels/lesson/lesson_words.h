// The window's texts around lessons; what a lesson says stands in its own files.
#pragma once

#include "base/text/words.h"

namespace lockstep::app::words {

inline constexpr Words kLessons = english("Lessons");
inline constexpr Words kLessonsHelp = english("Lessons that ask, beside the views (F2)");
inline constexpr Words kKeyLessons = english("Lessons that ask");
inline constexpr Words kEntryLesson = english("Lesson: {0}");
inline constexpr Words kLessonsIntro =
    english("Each lesson shows places of a run and asks what happens there; the run answers.");
inline constexpr Words kLessonSteps = english("{0} {0:step|steps}");
inline constexpr Words kLessonMinutes = english("about {0} {0:minute|minutes}");
inline constexpr Words kLessonDone = english("{0} of {1} {1:step|steps}");
inline constexpr Words kLessonFirst = english("{0} at the first try");
inline constexpr Words kLessonLater = english("{0} after another try");
inline constexpr Words kLessonHelped = english("{0} with the hint");
inline constexpr Words kLessonShownCount = english("{0} shown");
inline constexpr Words kLessonRowHelp = english("Opens the lesson where it was left");
inline constexpr Words kLessonNextStep = english("Step {0}: {1}");
inline constexpr Words kLessonVisited = english("last visited {0}");
inline constexpr Words kLessonGoOn = english("Go on with"), kLessonBegin = english("Begin with");
inline constexpr Words kLessonGoOnHelp = english("Opens this step of the lesson");
inline constexpr Words kLessonsDone =
    english("All steps of all lessons are done; the exercises are what comes next.");
inline constexpr Words kExercises = english("Exercises: {0} of {1} passed");
inline constexpr Words kExercisesIntro =
    english("Write a kernel; the run of it is judged by the rules of the exercise.");
inline constexpr Words kExerciseRowHelp =
    english("Shows or hides the exercise's task, and judges a file of yours");
inline constexpr Words kExerciseNew = english("not tried yet"),
                       kExerciseTried = english("tried, not passed yet"), kExercisePassed = english("passed");
inline constexpr Words kExerciseFile = english("path of your .cu file");
inline constexpr Words kExerciseFileHelp = english("The file with your kernel; Enter judges it");
inline constexpr Words kExerciseBegin = english("Create start file");
inline constexpr Words kExerciseBeginHelp =
    english("Writes the kernel to begin with to this path, for any editor; never over a file that is there");
inline constexpr Words kExerciseCheckHelp = english("Judges the file, as lockstep check does");
inline constexpr Words kExerciseUnderWay = english("Judging the file at each size of the exercise ...");
inline constexpr Words kExerciseVerdict = english("{0} of {1} {1:rule holds|rules hold}");
inline constexpr Words kExerciseNotJudged = english("not judged, since the kernel did not come that far");
inline constexpr Words kLessonOwn = english("Lessons of your own");
inline constexpr Words kLessonLost = english("cannot be opened: {0}");
inline constexpr Words kLessonLostHelp =
    english("It was begun earlier; a click tries to open its folder again");
inline constexpr Words kLessonFolder = english("path of a lesson's folder");
inline constexpr Words kLessonFolderHelp =
    english("Opens a lesson of your own: a folder with en.md or zh-CN.md; it can be dropped here, too");
inline constexpr Words kLessonOpen = english("Open");
inline constexpr Words kLessonProgress = english("Progress");
inline constexpr Words kLessonProgressFile = english("path of a file");
inline constexpr Words kLessonProgressHelp =
    english("A file for your progress, to take it to another computer; its name ends in .lessons");
inline constexpr Words kLessonExport = english("Export");
inline constexpr Words kLessonExportHelp = english(
    "Writes which steps have been answered, and how; a file that is there is replaced only when you say so");
inline constexpr Words kLessonExportExists = english("This file has other progress in it.");
inline constexpr Words kLessonLeftOut =
    english("{0} damaged {0:line|lines} of the progress {0:was|were} left out:");
inline constexpr Words kLessonLeftOutMore = english("and {0} more");
inline constexpr Words kLessonImport = english("Import");
inline constexpr Words kLessonImportHelp =
    english("Adds the answers in this file to yours; the better one counts");

inline constexpr Words kLessonAllHelp = english("All lessons; the earlier experiment comes back");
inline constexpr Words kLessonCloseHelp =
    english("Closes the lessons; the earlier experiment comes back (F2)");
inline constexpr Words kLessonPreparing = english("Running the step's experiment");
inline constexpr Words kLessonBack = english("Back");
inline constexpr Words kLessonBackHelp = english("Previous step of the lesson");
inline constexpr Words kLessonNext = english("Next");
inline constexpr Words kLessonNextHelp = english("Next step of the lesson");
inline constexpr Words kLessonStepOf = english("Step {0} of {1}");
inline constexpr Words kLessonStepNew = english("{0}. {1}: not answered yet");
inline constexpr Words kLessonStepFirst = english("{0}. {1}: right at the first try");
inline constexpr Words kLessonStepLater = english("{0}. {1}: right after another try");
inline constexpr Words kLessonStepHelped = english("{0}. {1}: right with the hint");
inline constexpr Words kLessonStepShown = english("{0}. {1}: answer shown");
inline constexpr Words kLessonStepSeen = english("{0}. {1}: seen");
inline constexpr Words kLessonCheck = english("Check");
inline constexpr Words kLessonCheckHelp = english("Lets the run judge the answer (Enter in the field)");
inline constexpr Words kLessonHint = english("Hint");
inline constexpr Words kLessonHintHelp =
    english("Says where to look; the step then counts as answered with the hint");
inline constexpr Words kLessonShow = english("Show");
inline constexpr Words kLessonShowHelp = english("Shows the right answer and what follows from it");
inline constexpr Words kLessonAgain = english("Try again");
inline constexpr Words kLessonAgainHelp = english("Asks the same with other figures");
inline constexpr Words kLessonPlace = english("Back to the place");
inline constexpr Words kLessonPlaceHelp =
    english("Shows the experiment and the place that the step asks about");
inline constexpr Words kLessonAnswer = english("Answer: {0}");
inline constexpr Words kLessonAnswerTitle = english("Your answer");
inline constexpr Words kLessonAnswerHelp = english("The answer in words: {0}. Enter checks it.");
inline constexpr Words kLessonSuchAs = english("such as {0}");
inline constexpr Words kLessonCellHint = english("click it in the picture, or write it");
inline constexpr Words kLessonLanesHelp = english("A click chooses a lane, dragging a range of them.");
inline constexpr Words kLessonGroupLanesHelp = english(
    "A click puts a lane into the chosen group, dragging a range of them. Dragged onto a group's "
    "button, the lane moves there.");
inline constexpr Words kLessonGroup = english("{0}: {1} {1:lane|lanes}");
inline constexpr Words kLessonGroupHelp =
    english("Lanes that are clicked go into this group, and a lane that is dropped here, too.");
inline constexpr Words kLessonGroupMore = english("+ group"), kLessonWavefrontMore = english("+ wavefront"),
                       kLessonPathMore = english("+ path");
inline constexpr Words kLessonGroupMoreHelp = english("One more group, empty at first");
inline constexpr Words kLessonSectorsHelp =
    english("Sectors of 32 bytes from the start of the array; a click chooses one, dragging a range.");
inline constexpr Words kLessonLineHelp = english("Chooses this line of the source");
inline constexpr Words kLessonCellHelp = english("An element of this array; then write its indices");
inline constexpr Words kLessonChoiceHelp = english("Chooses this explanation");
inline constexpr Words kLessonOrderHelp =
    english("From the least to the greatest: drag a row, or use the arrows");
inline constexpr Words kLessonUpHelp = english("Moves it up, towards the least");
inline constexpr Words kLessonDownHelp = english("Moves it down, towards the greatest");
inline constexpr Words kLessonLess = english("less");
inline constexpr Words kLessonSame = english("same");
inline constexpr Words kLessonMore = english("more");
inline constexpr Words kLessonChangeHelp = english("After the change it is less, the same or more");
inline constexpr Words kLessonSumHelp =
    english("The new values in ascending order of their places, one a field");
inline constexpr Words kLessonCovered =
    english("Covered until the question is answered: this view has the answer.");
inline constexpr Words kLessonNoSentence =
    english("Answer the question first; then the views show what happens.");
inline constexpr Words kLessonMistakes = english("{0} {0:mistake|mistakes} in the lesson's files");
inline constexpr Words kLessonChecking = english("Checking every step with several seeds ...");
inline constexpr Words kLessonFaultless = english("No mistake found in the lesson's files.");
inline constexpr Words kLessonListMistakes = english("Show them"), kLessonHideMistakes = english("Hide them");
inline constexpr Words kLessonMistakesHelp =
    english("What lockstep lesson check finds in this lesson, with file and line");
inline constexpr Words kLessonCannot = english("This step cannot be shown.");
inline constexpr Words kLessonEnd = english("That was the last step.");
inline constexpr Words kLessonNextLesson = english("Next lesson");
inline constexpr Words kLessonNextLessonHelp = english("Goes on with the lesson \"{0}\"");
inline constexpr Words kLessonNowShown = english("Now on show: {0}");
inline constexpr Words kLessonFresh = english("With other figures: {0}");

}  // namespace lockstep::app::words
