#include "viz/views/change_bars.h"

#include "base/text/counted.h"
#include "base/text/quantities.h"
#include "explain/hints/hint.h"
#include "run/machine/saved_by_cure.h"
#include "run/recordings/times_facts.h"
#include "run/sweep/modeled_times.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr Words kChanges = english("What if? The launch with one thing changed in the model"),
                kChangesBrief = english("What if?"), kAsItIs = english("as it is"),
                kSame = english("the same time"), kLess = english("{0}% less time"),
                kMore = english("{0}% more time"), kChangedCycles = english("{0} cycles (modeled)");
constexpr Words kRecorded = english("of a time, below the modeled one", "recorded: {0}"),
                kRecordedOwn = english("of a time, below the modeled one", "recorded"),
                kRecordedHover = english(
                    "\"{0}\" took {1} on the GPU, as recorded; \"{2}\" took {3}. Recorded "
                    "times are of many launches in a row, modeled ones of one from empty "
                    "caches: compare each with its own kind."),
                kRecordedOwnHover = english(
                    "\"{0}\" took {1} on the GPU, as recorded: many launches in a row, whose data may "
                    "still be in L2.");

constexpr f32 kRow = 22, kNote = 20, kBar = 12, kThinBar = 6, kLeastBars = 80;
constexpr f64 kLeastShare = 0.0005;  // below, it rounds to nothing
constexpr f64 kMicroPerMilli = 1000;
const TextStyle kSecond{.size = type::kCode, .role = role(RoleKind::TextSecond)};
const TextStyle kHeading{.size = type::kBody, .bold = true};

std::string percentText(f64 share) { return fmt::format("{:.{}f}", 100 * share, share < 0.1 ? 1 : 0); }

// The nearest variant that has nothing left of what a hint counts, and changes the run's own.
const catalog::Variant* fixedBy(const catalog::Experiment& experiment, const explain::Hint& hint) {
    const catalog::Variant* const variant =
        hint.fix && hint.fix->excess == 0 ? experiment.family->find(hint.fix->variant) : nullptr;
    return variant && variant->after == experiment.variant->name ? variant : nullptr;
}

}  // namespace

RecordedCures recordedCures(const ViewInput& in) {
    RecordedCures cures;
    if (!in.run.catalog || !in.run.catalog->variant || !in.run.hints || !in.machines) return cures;
    const std::optional<run::TimesFacts> facts = run::timesFacts(*in.run.catalog, *in.machines, 0);
    if (!facts || !facts->isTheRuns || facts->machine->recording.device != run::modeledDevice(in.run.profile))
        return cures;
    const auto timeOf = [&](const catalog::Variant* variant) -> std::optional<RecordedCures::Time> {
        const auto found = std::ranges::find(facts->kernels, variant, &run::TimedKernel::variant);
        if (found == facts->kernels.end() || !found->run || found->races) return std::nullopt;
        return RecordedCures::Time{variant, found->milliseconds};
    };
    cures.own = timeOf(in.run.catalog->variant);
    if (!cures.own) return cures;
    for (const explain::Hint& hint : in.run.hints->all) {
        const time::ChangeRow* const row = run::changeFor(hint.rule);
        const catalog::Variant* const variant = row ? fixedBy(*in.run.catalog, hint) : nullptr;
        const auto time = variant ? timeOf(variant) : std::nullopt;
        if (time) cures.fixed.try_emplace(row->change, *time);
    }
    return cures;
}

ChangeBars::ChangeBars(Canvas& canvas, Language language, const run::ChangedTimes& times, u32 clockMhz,
                       const RecordedCures& recorded)
    : canvas_(canvas),
      language_(language),
      times_(times),
      clockMhz_(clockMhz),
      recorded_(recorded),
      showsRecorded_(recorded.own && !recorded.fixed.empty()) {
    for (const run::ChangedTime& changed : times.changes)
        changes_.push_back(&changed);
}

std::vector<ChangeBars::Bar> ChangeBars::bars() const {
    std::vector<Bar> all{{}};
    if (showsRecorded_) all.push_back({nullptr, recorded_.own});
    for (const run::ChangedTime* const changed : changes_) {
        all.push_back({changed});
        const auto fixed = recorded_.fixed.find(changed->row->change);
        if (showsRecorded_ && fixed != recorded_.fixed.end()) all.push_back({changed, fixed->second});
    }
    return all;
}

f32 ChangeBars::height() const { return kNote + kRow * f32(bars().size()); }
f32 ChangeBars::leastWidth() const { return namesWidth() + figuresWidth() + kLeastBars + 16; }

bool ChangeBars::makeRoom() {
    if (std::exchange(showsRecorded_, false)) return true;
    return std::erase_if(changes_, [](const run::ChangedTime* changed) { return changed->why.has_value(); }) >
           0;
}

std::string ChangeBars::nameOf(const Bar& bar) const {
    if (bar.recorded)
        return bar.changed ? say(language_, kRecorded, bar.recorded->variant->title.in(language_))
                           : say(language_, kRecordedOwn);
    return bar.changed ? say(language_, bar.changed->row->title) : say(language_, kAsItIs);
}

std::string ChangeBars::figureOf(const Bar& bar) const {
    if (!bar.changed) return bar.recorded ? timeText(bar.recorded->milliseconds) : std::string();
    const f64 saved = bar.recorded ? 1 - bar.recorded->milliseconds / recorded_.own->milliseconds
                                   : times_.saved(*bar.changed);
    if (std::abs(saved) < kLeastShare) return say(language_, kSame);
    return say(language_, saved >= 0 ? kLess : kMore, percentText(std::abs(saved)));
}

std::string ChangeBars::hoverOf(const Bar& bar) const {
    if (bar.recorded) {
        const std::string title = bar.recorded->variant->title.in(language_),
                          time = timeText(bar.recorded->milliseconds);
        return bar.changed
                   ? say(language_, kRecordedHover, title, time, recorded_.own->variant->title.in(language_),
                         timeText(recorded_.own->milliseconds))
                   : say(language_, kRecordedOwnHover, title, time);
    }
    if (!bar.changed) return say(language_, kChangedCycles, grouped(times_.elapsedCycles));
    return say(language_, bar.changed->row->meaning) + "\n" +
           (bar.changed->why ? bar.changed->why->in(language_)
                             : say(language_, kChangedCycles, grouped(bar.changed->elapsedCycles)));
}

f64 ChangeBars::cyclesOf(const Bar& bar) const {
    if (bar.recorded) return bar.recorded->milliseconds * kMicroPerMilli * clockMhz_;
    if (!bar.changed) return f64(times_.elapsedCycles);
    return bar.changed->why ? 0 : f64(bar.changed->elapsedCycles);
}

f32 ChangeBars::namesWidth() const {
    f32 names = 0;
    for (const Bar& bar : bars())
        names = std::max(names, canvas_.width(nameOf(bar), kSecond));
    return names;
}

f32 ChangeBars::figuresWidth() const {
    f32 figures = 0;
    for (const Bar& bar : bars())
        if (bar.recorded || (bar.changed && !bar.changed->why))
            figures = std::max(figures, canvas_.width(figureOf(bar), kSecond));
    return figures;
}

void ChangeBars::draw(const Rect& area) {
    canvas_.textWithin({area.x, area.y + kNote / 2}, area.width,
                       firstFitting(canvas_, area.width, kHeading,
                                    {say(language_, kChanges), say(language_, kChangesBrief)}),
                       kHeading);
    f64 most = 1;
    for (const Bar& bar : bars())
        most = std::max(most, cyclesOf(bar));
    const f32 figures = figuresWidth(),
              names = std::min(namesWidth(), area.width - figures - kLeastBars - 16);
    f32 y = area.y + kNote;
    for (const Bar& bar : bars()) {
        drawBar(bar, {area.x, y, area.width, kRow}, names, figures, most);
        y += kRow;
    }
}

void ChangeBars::drawBar(const Bar& bar, const Rect& row, f32 names, f32 figures, f64 most) {
    const f32 middle = row.centre().y, x = row.x + names + 8,
              bars = std::max(kLeastBars, row.right() - x - figures - 8);
    const auto wide = [&](f64 cycles) { return bars * f32(cycles / most); };
    const std::string name = nameOf(bar);
    canvas_.textWithin({row.x, middle}, names, name, shrunkToFit(canvas_, names, kSecond, name));
    canvas_.hit(row, {.hover = hoverOf(bar)});
    if (bar.changed && bar.changed->why && !bar.recorded) {
        const TextStyle style{.size = type::kCode, .role = role(RoleKind::TextThird)};
        const std::string why = bar.changed->why->in(language_);
        canvas_.textWithin({x, middle}, row.right() - x, why,
                           shrunkToFit(canvas_, row.right() - x, style, why));
        return;
    }
    // As long as it is, beside each of its kind.
    const f32 own = wide(cyclesOf({nullptr, bar.recorded ? recorded_.own : std::nullopt}));
    const f32 length = wide(cyclesOf(bar)), thick = bar.recorded ? kThinBar : kBar;
    canvas_.line({x + own, row.y}, {x + own, row.bottom()},
                 {role(bar.recorded ? RoleKind::Store : RoleKind::TextThird), line::kHair, Dash::Dashed});
    const RoleKind fill = bar.recorded ? RoleKind::Store : bar.changed ? RoleKind::Edge : RoleKind::TextThird;
    canvas_.rect({x, middle - thick / 2, length, thick}, {.fill = role(fill)});
    const std::string figure = figureOf(bar);
    if (!figure.empty()) canvas_.text({x + std::max(own, length) + 8, middle}, figure, kSecond);
}

}  // namespace lockstep::viz
