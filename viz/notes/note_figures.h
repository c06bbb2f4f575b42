// The figures that notes may name: of the run on show, of its device, and of recordings of its variant and of
// others at the same size.
#pragma once

#include "run/recordings/times_facts.h"
#include "viz/notes/note_text.h"
#include "viz/view.h"

#include <string>
#include <vector>

namespace lockstep::viz {

class NoteFigures {
public:
    explicit NoteFigures(const ViewInput& in) : in_(in) {}

    // A parameter of the run; else one of names(). A Fault where there is neither.
    Expected<std::optional<f64>> at(std::string_view name, std::string_view variant) const;
    FigureLookup lookup() const {
        return [this](std::string_view name, std::string_view variant) { return at(name, variant); };
    }

    // Of the run: those that stand alone. Of a variant: those that need one in brackets.
    static std::vector<std::string> namesOfRun();
    static std::vector<std::string> namesOfVariant();

private:
    const run::TimesFacts* times() const;  // of the run's own size; null: it was not recorded

    const ViewInput& in_;
    // Looked for in the recordings once a note names one of their figures: most notes do not.
    mutable std::optional<std::optional<run::TimesFacts>> times_;
};

}  // namespace lockstep::viz
