// What if? The launch with one thing changed in the cycle model, as bars; and, where a variant of the family
// changes exactly that, the time that a GPU took for it, beside.
#pragma once

#include "run/machine/changed_times.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::viz {

// Recorded on the modeled device, at the size of the run.
struct RecordedCures {
    struct Time {
        const catalog::Variant* variant = nullptr;
        f64 milliseconds = 0;
    };
    std::optional<Time> own{};  // of the run's variant; none: nothing stands beside
    std::map<time::Change, Time>
        fixed{};  // of the variant that comes after it and has none of what is changed
};
RecordedCures recordedCures(const ViewInput& in);

class ChangeBars {
public:
    ChangeBars(Canvas& canvas, Language language, const run::ChangedTimes& times, u32 clockMhz,
               const RecordedCures& recorded);

    f32 height() const;
    f32 leastWidth() const;
    // Leaves out the recorded times, then the changes without a time, which say least.
    bool makeRoom();
    void draw(const Rect& area);

private:
    // One bar: modeled, as it is or changed, or recorded.
    struct Bar {
        const run::ChangedTime* changed = nullptr;  // null: as it is
        std::optional<RecordedCures::Time> recorded{};
    };
    std::vector<Bar> bars() const;
    std::string nameOf(const Bar& bar) const;
    std::string figureOf(const Bar& bar) const;
    std::string hoverOf(const Bar& bar) const;
    f64 cyclesOf(const Bar& bar) const;
    f32 namesWidth() const;
    f32 figuresWidth() const;
    void drawBar(const Bar& bar, const Rect& row, f32 names, f32 figures, f64 most);

    Canvas& canvas_;
    const Language language_;
    const run::ChangedTimes& times_;
    const u32 clockMhz_;
    const RecordedCures& recorded_;
    std::vector<const run::ChangedTime*> changes_;
    bool showsRecorded_ = true;
};

}  // namespace lockstep::viz
