#include "explain/findings/finding_at.h"

#include "explain/arrays/shared_arrays.h"
#include "explain/cursor/lookup.h"
#include "explain/findings/finding_places.h"
#include "explain/sentences/finding_text.h"

#include <algorithm>

namespace lockstep::explain {

const trace::Finding* findingAt(const Recorded& run, const Cursor& cursor) {
    const auto& findings = run.recording.findings;
    if (findings.empty()) return nullptr;
    const CursorContext here = lookUp(run, cursor);
    // The instruction first: to find the step of one that is elsewhere takes long.
    FindingPlaces places(run);
    const auto found = std::ranges::find_if(findings, [&](const trace::Finding& f) {
        return here.step && f.who.pc == here.step->pc && f.who.block == cursor.block &&
               places.of(f) == cursor;
    });
    return found == findings.end() ? nullptr : &*found;
}

Message textOf(const Recorded& run, const trace::Finding& finding) {
    return describe(finding, *run.module, run.recording, arrayShapes(run, finding.launch));
}

Message occurrenceOf(const Recorded& run, const trace::Finding& finding) {
    return occurrence(finding, *run.module, run.recording, arrayShapes(run, finding.launch));
}

std::optional<std::string> findingSentence(const Recorded& run, const Cursor& cursor, Language language) {
    const trace::Finding* finding = run.module ? findingAt(run, cursor) : nullptr;
    return finding ? std::optional(textOf(run, *finding).in(language)) : std::nullopt;
}

}  // namespace lockstep::explain
