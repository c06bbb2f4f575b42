// The hints of a run: every rule's, ranked.
#pragma once

#include "explain/cursor/recorded.h"
#include "explain/hints/hint.h"
#include "model/caches/cache_counts.h"
#include "model/report.h"

#include <optional>

namespace lockstep::explain {

// report: of the recording, by the rules of `profile`. caches: their simulation's, for what bounds the
// kernel; none: they are unknown. Nothing is said of a run that did not complete. Takes a tenth of a second
// at most.
Hints hintsOf(const ptx::Module& module, const trace::Recording& recording, const model::Report& report,
              const std::optional<model::CacheCounts>& caches, const model::Profile& profile);
// Of run::Run, which this folder does not know.
template <class Run>
    requires requires(const Run& run) { run.report.sites, run.caches, run.profile; }
Hints hintsOf(const Run& run) {
    return hintsOf(*run.module, run.recording, run.report, run.caches, run.profile);
}

// The excess of a rule, all lines together, and the total of its unit.
struct RuleSum {
    u64 excess = 0, total = 0;
};
RuleSum sumOf(std::string_view rule, const ptx::Module& module, const trace::Recording& recording,
              const model::Report& report, const model::Profile& profile);
template <class Run> RuleSum sumOf(std::string_view rule, const Run& run) {
    return sumOf(rule, *run.module, run.recording, run.report, run.profile);
}

// "94% of all wavefronts could be saved."
Message shareText(const Hint& hint);
// All that is to be said: the cost, its share, the cure, and what else bounds the kernel.
Message textOf(const Hint& hint);
// "Compare with shared-padded: 128 wavefronts in all, 2,112 here". The hint must have a fix.
Message fixText(const Hint& hint);

}  // namespace lockstep::explain
