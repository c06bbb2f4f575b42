// A lesson as its files have it: steps that each show a place of an experiment and ask about it. Nothing here
// has been run. docs/guide/lessons.md explains every key.
#pragma once

#include "base/dim3.h"
#include "base/expected.h"
#include "catalog/catalog.h"

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::lessons {

// How a file of the lesson's folder is launched, in the words of `lockstep run`. What is left empty is taken
// from the file's own host code.
struct FileLaunch {
    std::filesystem::path file;
    std::string entry{}, grid{}, block{};
    std::optional<u32> sharedBytes{};
    std::vector<std::string> arguments{}, references{};
};

// Where the keys of a header stand in its file: "view", "set.width", "choices.luck".
struct KeyLines {
    std::map<std::string, u32, std::less<>> lines{};
    u32 of(std::string_view key, u32 otherwise) const {
        const auto found = lines.find(key);
        return found == lines.end() ? otherwise : found->second;
    }
};

// Where a step looks: an experiment, a view, and a cursor in it.
struct Place {
    std::string kernel;  // "banks/stride", or a file: "scale.cu"
    std::vector<std::pair<std::string, std::string>>
        settings{};                   // over the variant's defaults; macros of a file
    std::optional<FileLaunch> own{};  // none: the kernel is the catalog's
    std::string profile = "cc90";
    std::string view = "stage";  // a row of viz/views.cpp
    u32 launch = 0;              // of a kernel that is launched several times
    Dim3 block{0, 0, 0};
    u32 warp = 0;
    std::optional<u32> lane{};  // none: the lowest active one
    // The step: the `time`-th at which the warp comes to a line that has the text `at` and does what `does`
    // says; or by number, from 1; else the warp's first.
    std::string at{};
    catalog::Opening::Does does = catalog::Opening::Does::Anything;
    u32 time = 1;
    std::optional<u32> step{};
    // Names of settings that another place has from the step's own: its kernel may lack such a parameter.
    std::vector<std::string> inherited{};
    // Values that recorded figures are of, in place of the run's: sizes that no emulator would finish.
    std::vector<std::pair<std::string, std::string>> recorded{};
    u32 fileLine = 0;  // of its kernel, or else its header
    KeyLines keyLines{};
    u32 lineOf(std::string_view key) const { return keyLines.of(key, fileLine); }
};

// A part of where the cursor stands that `vary` may choose.
struct CursorPart {
    std::string_view name;
    std::optional<u32> (*of)(const Place&);
    void (*put)(Place&, u32);
};
const CursorPart* findCursorPart(std::string_view name);

// A value that is different in each practice: of a parameter, as `set` has it, or a whole number for a part
// of the cursor.
struct Varied {
    std::string name;
    std::vector<std::string> values;
};

// A usual mistake. One of two: the answer that it gives, in the terms of the question's kind; or a condition
// on `answer` (a number) and `count` (groups, lanes or sectors named).
struct WrongAnswer {
    std::string is{}, condition{};
    std::string says{};  // section of the body: "::: wrong NAME"
    u32 belief = 0;      // in docs/guide/lessons.md; 0: none
    u32 fileLine = 0;
};

// An option of a choice, a term of an order: its name, and the expression that decides.
struct Option {
    std::string name, expression;
};

struct Question {
    std::string kind;  // a row of questionKinds(); empty: the step only shows
    std::string answer{};
    std::vector<Option> options{};
    std::vector<std::string> changes{};  // of a difference: quantities
    std::string to{};                    // of a difference: the other place
    std::string then{};                  // the other place that is shown once it is answered; empty: none is
    u32 round = 1;                       // of a reduction
    std::vector<WrongAnswer> wrong{};
    std::vector<u32> beliefs{};  // that the step asks about and refutes
    u32 fileLine = 0;
    KeyLines keyLines{};
    u32 lineOf(std::string_view key) const { return keyLines.of(key, fileLine); }
};

// What a step says in one language: Markdown with {figures} of the run.
struct StepText {
    std::string title, body, hint, reveal;
    std::string notes{};  // of a playlist's entry: for the lecturer alone
    std::vector<std::pair<std::string, std::string>> wrong{}, choices{};  // by name
    // Lines in the file, from 1.
    u32 fileLine = 0;
    std::map<std::string, u32> sectionLines{};

    std::string plainTitle() const;  // without the marks of code and emphasis
    const std::string* findWrong(std::string_view name) const;
    const std::string* findChoice(std::string_view name) const;
};

inline constexpr std::array kLessonLanguages{Language::English, Language::Chinese};

struct LessonStep {
    std::string id;
    Place place;
    std::map<std::string, Place, std::less<>> others{};  // by name, for questions that compare
    std::vector<Varied> varied{};
    Question question{};
    std::map<Language, StepText> texts{};
    bool hasMistake = false;  // its header has one: what else is wrong with it may only follow from that

    // In this language; else in the one that there is.
    const StepText& text(Language language) const;
};

struct Lesson {
    std::string name;  // of its folder
    std::filesystem::path folder{};
    std::map<Language, std::string> files{};  // as they are named in messages
    s64 order = 0;                            // among lessons
    std::map<Language, std::string> titles{}, introductions{};
    std::vector<LessonStep> steps{};

    const std::string& title(Language language) const;
    const LessonStep* find(std::string_view id) const;
    std::size_t indexOf(const LessonStep& step) const { return std::size_t(&step - steps.data()); }
    std::size_t minutes() const;  // that it takes in class, about
    // Where the headers of the steps stand: the first of its files.
    std::string mainFile() const;
    std::string fileOf(Language language) const;
};

}  // namespace lockstep::lessons
