// A step as it is asked once: its varied values drawn, its experiments run, its expressions and texts with
// figures of those runs.
#pragma once

#include "lessons/place_on_show.h"
#include "lessons/quantities.h"

#include <map>
#include <string>
#include <string_view>

namespace lockstep::lessons {

// Names that an expression may have besides quantities and parameters: of a wrong answer `answer` and
// `count`.
using Extra = std::map<std::string, s64, std::less<>>;

// Where a step looks with the varied values that this seed draws; 0: the first of each list.
Place drawnPlace(const LessonStep& step, u64 seed);

class AskedStep {
public:
    // seed 0: the first of each list of varied values. Fault: a place that the run does not have, without
    // file and line.
    static Expected<AskedStep> ask(const LessonStep& step, LessonRuns& runs, u64 seed);

    const LessonStep& step() const { return *step_; }
    const Place& place() const { return place_; }  // with the drawn values
    const PlaceOnShow& on() const { return on_; }
    const PlaceOnShow* other(std::string_view name) const;
    const Place* otherPlace(std::string_view name) const;  // with the drawn values
    const Question& question() const { return step_->question; }

    // Names: quantities of the place, "NAME_quantity" of another place of the step, parameters likewise;
    // `time` of the place.
    Expected<s64> number(std::string_view expression, const Extra& extra = {}) const;
    Expected<LaneMask> lanes(std::string_view name) const;
    Expected<std::string> name(std::string_view name) const;
    Expected<std::vector<u32>> lines(std::string_view name) const;

    // A quantity by its name, and the place that it is of; null: it is none.
    struct Named {
        const Quantity* quantity = nullptr;
        const PlaceOnShow* place = nullptr;
        std::string other{};  // the place's name, if it is not the step's own
    };
    Named named(std::string_view name) const;
    // Those in an expression, as they come there, each once.
    std::vector<Named> quantitiesIn(std::string_view expression) const;

    // Markdown with {figures} filled in. A Fault says which.
    Expected<std::string> filled(std::string_view text, Language language) const;
    // All that cannot be filled in, each with its line of the text, from 0.
    std::vector<Fault> mistakesIn(std::string_view text, Language language) const;

private:
    std::string fill(std::string_view text, Language language, std::vector<Fault>& mistakes) const;
    Expected<s64> valueOf(const std::string& name, const Extra& extra) const;
    Expected<std::string> figure(std::string_view inside, Language language) const;

    const LessonStep* step_ = nullptr;
    Place place_;
    PlaceOnShow on_;
    std::map<std::string, Place, std::less<>> otherPlaces_;
    std::map<std::string, PlaceOnShow, std::less<>> others_;
    catalog::Values values_;                                 // of the place's kernel
    std::map<std::string, std::string, std::less<>> words_;  // values that are no numbers; "padded_word"
    std::map<std::string, catalog::Values, std::less<>> otherValues_;
};

}  // namespace lockstep::lessons
