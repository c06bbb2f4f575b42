#include "explain/findings/conflicting_thread.h"

#include "base/text/words.h"
#include "explain/cursor/lookup.h"
#include "explain/findings/finding_at.h"
#include "explain/findings/finding_places.h"
#include "explain/sentences/words.h"

namespace lockstep::explain {
namespace {

constexpr Words kReadBy = english("read by thread {0}");
constexpr Words kWrittenBy = english("written by thread {0}");
constexpr Words kChangedBy = english("changed by thread {0}");

const Words& whatIt(trace::AccessKind does) {
    switch (does) {
        case trace::AccessKind::Load: return kReadBy;
        case trace::AccessKind::Store: return kWrittenBy;
        default: return kChangedBy;
    }
}

}  // namespace

std::optional<ConflictingThread> conflictingThreadAt(const Recorded& run, const Cursor& cursor,
                                                     Language language) {
    const trace::Finding* finding = run.module ? findingAt(run, cursor) : nullptr;
    if (!finding || !finding->other || !(finding->other->block == cursor.block)) return std::nullopt;
    const std::string name = say(language, whatIt(finding->other->kind),
                                 coordinates(finding->other->thread, launchOf(run, finding->launch).block));
    return ConflictingThread{finding->space,
                             finding->address,
                             name,
                             textOf(run, *finding).in(language),
                             cursorOf(run, *finding, *finding->other),
                             trace::isRemark(finding->kind)};
}

}  // namespace lockstep::explain
