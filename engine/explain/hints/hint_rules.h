// The rules of the hints, a row each, and what they look at.
#pragma once

#include "explain/hints/hint.h"
#include "explain/hints/recorded_accesses.h"
#include "model/caches/cache_counts.h"
#include "model/report.h"

#include <span>

namespace lockstep::explain {

struct HintInput {
    const ptx::Module& module;
    const trace::Recording& recording;
    const model::Report& report;
    const model::Profile& profile;
    const RecordedAccesses& recorded;

    u64 issueSlots() const;  // warp instructions of all blocks that ran
};

struct HintRule {
    std::string_view name;  // "bank_conflict", in JSON
    Words title;            // "Bank conflicts"
    // Below this share of the grid's total the rule is silent: what is not worth a change of the code.
    f64 leastShare;
    // The resource of model::Bounds that the excess takes; empty: none of them.
    std::string_view resource;
    std::string_view source;  // the document that says so
    // Everything it finds, one for each line, whatever its share.
    std::vector<Hint> (*find)(const HintInput&);
};
std::span<const HintRule> hintRules();
const HintRule* findHintRule(std::string_view name);

// Of one place of the source, which may be several instructions.
struct HintPlace {
    LaunchId launch;
    Pc pc = kNoPc;
    SourceLine line;
};
HintPlace placeOf(const ptx::Module& module, LaunchId launch, Pc pc);

// access_hints.cpp
std::vector<Hint> bankConflicts(const HintInput& in);
std::vector<Hint> sharedAtomics(const HintInput& in);
std::vector<Hint> uncoalesced(const HintInput& in);
std::vector<Hint> partialSectors(const HintInput& in);
std::vector<Hint> misaligned(const HintInput& in);
std::vector<Hint> localMemory(const HintInput& in);
// recorded_hints.cpp
std::vector<Hint> reloaded(const HintInput& in);
std::vector<Hint> storedAgain(const HintInput& in);
std::vector<Hint> contendedAtomics(const HintInput& in);
std::vector<Hint> unneededBarriers(const HintInput& in);
std::vector<Hint> unusedSharedMemory(const HintInput& in);
// work_hints.cpp
std::vector<Hint> divergence(const HintInput& in);
std::vector<Hint> partialWarps(const HintInput& in);
std::vector<Hint> idleThreads(const HintInput& in);
std::vector<Hint> fewBlocks(const HintInput& in);
std::vector<Hint> accidentalDoubles(const HintInput& in);

}  // namespace lockstep::explain
