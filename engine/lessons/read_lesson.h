// Reads a lesson's files, en.md and zh-CN.md of its folder: "+++" lines fence the header of a step (TOML),
// what follows is its text, in sections that begin with a line "::: hint", "::: reveal", "::: wrong NAME" or
// "::: choice NAME". The headers stand in the first of the two files; the other has the ids alone.
#pragma once

#include "lessons/lesson.h"

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

// Fault: no such folder, or neither file.
Expected<ReadLesson> readLesson(const std::filesystem::path& folder);

// The lessons below a folder, by their order; a file that cannot be read is left out.
std::vector<Lesson> lessonsIn(const std::filesystem::path& folder);
// Of one of these, named by its folder's name alone. Empty: it is none; it may be the path of another.
std::filesystem::path folderOfLesson(const std::filesystem::path& folder, std::string_view name);

}  // namespace lockstep::lessons
