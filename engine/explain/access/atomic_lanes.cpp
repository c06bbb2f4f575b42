#include "explain/access/atomic_lanes.h"

#include "base/text/words.h"
#include "explain/access/access_values.h"

namespace lockstep::explain {
namespace {

constexpr Words kOperation = english("{0} on {1} with operand {2}");
constexpr Words kOperationOnly = english("{0} on {1}");
constexpr Words kCompareAndSwap = english("{0} on {1}: compares with {2}, stores {3} where they are equal");
constexpr Words kOldAndNew = english("; old value {0}, new value {1}.");
constexpr Words kOldOnly = english("; old value {0}.");
constexpr Words kOldUnused = english("; the result (the old value) is unused.");

}  // namespace

AtomicLanes::AtomicLanes(const Recorded& run, const Cursor& cursor, const CursorContext& here)
    : run_(run),
      launch_(cursor.launch),
      here_(here),
      facts_(*run.module, launchOf(run, cursor.launch), run.recording.initial.size(), *here.block,
             cursor.warp, cursor.step) {}

std::string AtomicLanes::text(const AtomicOperands::Bytes& bytes, Lane lane, u32 maxCharacters) const {
    return bytes ? movedText(movedElements(run_, launch_, *here_.warp, *here_.access, lane), *bytes,
                             maxCharacters)
                 : std::string();
}

std::string AtomicLanes::operand(u32 number, Lane lane, u32 maxCharacters) const {
    return text(facts_.operand(number, lane), lane, maxCharacters);
}
std::string AtomicLanes::oldValue(Lane lane, u32 maxCharacters) const {
    return text(facts_.oldValue(lane), lane, maxCharacters);
}
std::string AtomicLanes::newValue(Lane lane, u32 maxCharacters) const {
    return text(facts_.newValue(lane), lane, maxCharacters);
}

std::string AtomicLanes::sentence(Language language, Lane lane, const std::string& place) const {
    const std::string first = operand(0, lane), second = facts_.isCas() ? operand(1, lane) : std::string(),
                      old = oldValue(lane), after = newValue(lane);
    std::string text = first.empty() || (facts_.isCas() && second.empty())
                           ? say(language, kOperationOnly, facts_.function(), place)
                       : facts_.isCas()
                           ? say(language, kCompareAndSwap, facts_.function(), place, first, second)
                           : say(language, kOperation, facts_.function(), place, first);
    if (!facts_.returnsOld()) return text + say(language, kOldUnused);
    return text + (after.empty() ? say(language, kOldOnly, old) : say(language, kOldAndNew, old, after));
}

}  // namespace lockstep::explain
