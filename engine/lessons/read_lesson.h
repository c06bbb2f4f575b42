// Reads a lesson's files, en.md and zh-CN.md of its folder: "+++" lines fence the header of a step (TOML),
// what follows is its text, in sections that begin with a line "::: hint", "::: reveal", "::: wrong NAME" or
// "::: choice NAME". The headers stand in the first of the two files; the other has the ids alone.
#pragma once

#include "lessons/step_header.h"

#include <span>

namespace lockstep::lessons {

struct LessonFile {
    Language language = Language::English;
    std::string name, text;  // name: for messages
};

// The mistakes are the files', each with file:line; the lesson is what could be read of them.
struct ReadLesson {
    Lesson lesson;
    std::vector<Fault> mistakes{};
};
ReadLesson parseLesson(std::string name, std::span<const LessonFile> files);

// What the files of another list of steps have that a lesson's do not: a playlist is read by the same rules.
struct ListRules {
    StepKeys step{};
    std::function<void(catalog::TomlReader&)> readList{};  // further keys of the header of the list itself
    std::span<const std::string_view> sections{};          // "reveal", "wrong NAME"
    Words badSection, noTitle, noStep, noStepTitle, twice, unknown, missing, elsewhere;
};
const ListRules& rulesOfLessons();
ReadLesson parseSteps(std::string name, std::span<const LessonFile> files, const ListRules& rules);

// Fault: no such folder, or neither file.
Expected<ReadLesson> readLesson(const std::filesystem::path& folder);

// The lessons below a folder, by their order; a file that cannot be read is left out.
std::vector<Lesson> lessonsIn(const std::filesystem::path& folder);
// Of one of these, named by its folder's name alone. Empty: it is none; it may be the path of another.
std::filesystem::path folderOfLesson(const std::filesystem::path& folder, std::string_view name);

}  // namespace lockstep::lessons
