#include "viz/finding_at.h"

#include <algorithm>

#include "model/report.h"
#include "viz/lookup.h"
#include "viz/navigation.h"

namespace lockstep::viz {

const trace::Finding* findingAt(const run::Run& run, const Cursor& cursor) {
    const auto& findings = run.recording.findings;
    if (findings.empty()) return nullptr;
    const Here here = lookUp(run, cursor);
    // The instruction first: to find the step of one that is elsewhere takes long.
    const auto found = std::ranges::find_if(findings, [&](const trace::Finding& f) { return here.step && f.who.pc == here.step->pc && f.who.block == cursor.block && cursorOf(run, f) == cursor; });
    return found == findings.end() ? nullptr : &*found;
}

std::optional<std::string> findingSentence(const run::Run& run, const Cursor& cursor, Language language) {
    const trace::Finding* finding = run.module ? findingAt(run, cursor) : nullptr;
    return finding ? std::optional(model::describe(*finding, *run.module, run.recording).in(language)) : std::nullopt;
}

}  // namespace lockstep::viz
