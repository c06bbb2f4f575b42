// How far someone has come in each lesson: which steps were answered, and how. Text with one line a step,
// kept by the window and handed on as a file.
#pragma once

#include "base/expected.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::lessons {

enum class Outcome : u8 {
    FirstTry,   // right at once
    LaterTry,   // right after wrong answers
    AfterHint,  // right with the hint
    Shown,      // the answer was shown
    Seen,       // a step that asks nothing
};

class Progress {
public:
    // The better of the two stays.
    void add(std::string_view lesson, std::string_view step, Outcome outcome);
    void add(const Progress& other);
    std::optional<Outcome> of(std::string_view lesson, std::string_view step) const;
    // Where a lesson was looked at last, and when: "2026-11-29 08:15", so that a later time is a greater
    // text.
    struct Visit {
        std::string step, time;
        bool operator==(const Visit&) const = default;
    };
    void visit(std::string_view lesson, std::string_view step, std::string_view time);
    // The same at this moment: what a file with a wrong clock has as later was not later.
    void visitNow(std::string_view lesson, std::string_view step, std::string_view time);
    const Visit* lastVisit(std::string_view lesson) const;
    bool empty() const { return outcomes_.empty() && visits_.empty(); }
    bool operator==(const Progress&) const = default;

    std::vector<std::string> lessons() const;                         // that something is known of
    std::vector<std::string> stepsOf(std::string_view lesson) const;  // with an outcome
    // What is known of one lesson becomes known of another one, too.
    void copy(std::string_view from, std::string_view to);

    std::string text() const;
    // As text() has it. False: it is no such line.
    bool addLine(std::string_view line);

private:
    std::map<std::string, std::map<std::string, Outcome, std::less<>>, std::less<>> outcomes_;
    std::map<std::string, Visit, std::less<>> visits_;
};

struct ParsedProgress {
    Progress progress;
    std::vector<Fault> leftOut{};  // lines that are damaged, each with its place
};
// Fault: it is no such file.
Expected<ParsedProgress> parseProgress(std::string_view text, const std::string& file);

}  // namespace lockstep::lessons
