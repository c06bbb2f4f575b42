// A step of a lesson, ready to be shown in all languages: its run made, its figures filled in. Made once, in
// the background; then only read.
#pragma once

#include "lessons/answer_form.h"
#include "lessons/answer_step.h"

#include <map>
#include <memory>

namespace lockstep::lessons {

// Texts of a step in one language, with the figures of the run.
struct StepWords {
    std::string title, body, hint, reveal, notes, howToAnswer;
    std::string drawn;  // what was varied: "stride = 7, lane 25"
    std::string after;  // what is shown once it is answered, if that is another place: "stride = 7"
    // What each option of a choice or an order says, what each quantity of a difference is: by its name.
    std::map<std::string, std::string, std::less<>> meanings{};

    const std::string& meaningOf(const std::string& name) const;  // else the name itself
};

struct CodeLine {
    u32 number = 0;
    std::string text;
};

// What the window shows of a step: an experiment, and a place of it.
struct Picture {
    std::string family, variant;  // where the experiment is the catalog's
    catalog::Values values;
    std::optional<OwnExperiment> own{};  // where it is a file of the lesson's folder
    std::string view, profile;
    std::shared_ptr<const run::Run> run{};
    Cursor cursor{};
};

struct StepOnShow {
    std::shared_ptr<const Lesson> lesson;
    std::size_t number = 0;  // of the step, from 0
    u64 seed = 0;
    AskedStep asked;
    Picture asksAbout;               // the place that the question is about
    std::optional<Picture> after{};  // what is shown once it is answered, if that is another place
    std::map<Language, StepWords> words;
    std::string answer;  // a right one; empty: it asks nothing
    // What can be chosen from.
    LaneMask lanes;                  // of groups: those that come there; otherwise those of the warp
    s64 sectors = 0;                 // of the array that the step accesses
    std::vector<ArrayShape> arrays;  // of the experiment
    std::vector<CodeLine> code;      // of its kernel
    std::shared_ptr<const run::Run> before{};  // what is shown until the question is answered
    Cursor hidden{};                           // the first step of the place's warp that it lacks

    const LessonStep& step() const { return lesson->steps[number]; }
    bool asks() const { return !step().question.kind.empty(); }
    const Picture& picture(bool isSettled) const { return isSettled && after ? *after : asksAbout; }
    AnswerInput input() const { return inputOf(step().question.kind); }
    const StepWords& in(Language language) const { return words.at(language); }
};

// seed: as in AskedStep::ask. other: figures that differ from this one's, where the step has others.
// Fault: with its place in the lesson's file.
Expected<std::shared_ptr<const StepOnShow>> showStep(std::shared_ptr<const Lesson> lesson, std::size_t number,
                                                     LessonRuns& runs, u64 seed,
                                                     const StepOnShow* other = nullptr);

// An answer, judged, in all languages.
struct Reply {
    Verdict verdict = Verdict::Wrong;
    std::map<Language, std::string> words;
};
Expected<Reply> reply(const StepOnShow& step, std::string_view answer);

}  // namespace lockstep::lessons
