#include "run/machine/saved_by_cure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lockstep::run {
namespace {

struct Cure {
    std::string_view rule;
    time::Change change;
};
// Rules of explain::hintRules() whose whole excess a change takes away.
constexpr std::array kCures{
    Cure{"bank_conflict", time::Change::NoBankConflicts},
    Cure{"uncoalesced", time::Change::Coalesced},
    Cure{"partial_sectors", time::Change::Coalesced},
    Cure{"misaligned_start", time::Change::Coalesced},
};

constexpr f64 kPercent = 100;

}  // namespace

const time::ChangeRow* changeFor(std::string_view rule) {
    const auto cure = std::ranges::find(kCures, rule, &Cure::rule);
    if (cure == kCures.end()) return nullptr;
    const auto row = std::ranges::find(time::kChanges, cure->change, &time::ChangeRow::change);
    return row == time::kChanges.end() ? nullptr : &*row;
}

std::optional<Message> savingText(const explain::Hint& hint, const WaitsOfRun& waits) {
    const time::ChangeRow* const row = changeFor(hint.rule);
    if (!row || hint.launch != LaunchId{} || !waits.time.errorPercent) return std::nullopt;
    const auto changed = std::ranges::find(waits.changes.changes, row, &ChangedTime::row);
    if (changed == waits.changes.changes.end() || changed->why) return std::nullopt;
    const f64 saved = kPercent * waits.changes.saved(*changed);
    if (saved <= *waits.time.errorPercent) return std::nullopt;
    return Message(english("With this changed, the launch would take {0}% less time in the cycle model: {1} "
                           "(mean error {2}%)."),
                   fmt::format("{:.0f}", saved), row->title, fmt::format("{:.0f}", *waits.time.errorPercent));
}

}  // namespace lockstep::run
