// What the tests that look at pictures by geometry share: the places in a run where something happens, and
// what may be wrong with a text.
#pragma once

#include "../support/run_shipped.h"
#include "explain/cursor/navigation.h"
#include "run/machine/code_archive.h"
#include "run/machine/issue_run.h"
#include "viz/cursor/opening.h"
#include "viz/issues_on_show.h"
#include "viz/orders_on_show.h"
#include "viz/testing/test_tidy.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

// Where a run is first shown, its worst bank conflict, its first divergence; then the others, each place
// once.
inline std::vector<viz::Cursor> placesToLookAt(const run::Run& run,
                                               const std::vector<std::optional<viz::Cursor>>& others) {
    const viz::Cursor initial = viz::initialCursor(run);
    std::vector<std::optional<viz::Cursor>> wanted{
        initial, explain::worstBankConflict(run, run.profile, initial),
        explain::forward(run, run.profile, explain::toStart(run, initial), explain::Stride::Divergence)};
    wanted.insert(wanted.end(), others.begin(), others.end());
    std::vector<viz::Cursor> places;
    for (const std::optional<viz::Cursor>& cursor : wanted)
        if (cursor && std::ranges::find(places, *cursor) == places.end()) places.push_back(*cursor);
    return places;
}

// What the cycle model says, with the machine code that is shipped.
inline viz::IssuesOnShow issuesAt(const run::Run& run, const viz::Cursor& cursor) {
    constexpr u32 kComputeCapability = 90;
    const auto code = run::shippedCode({LOCKSTEP_SOURCE_DIR}, *run.module, kComputeCapability);
    EXPECT_TRUE(code) << (code ? "" : describe(code.error()));
    if (!code) return viz::IssuesOnShow(cursor);
    viz::IssuesOnShow shown(cursor, run::issueRun(run, **code, cursor.launch, cursor.block));
    shown.set(run::waitsOfRun(run, **code));
    return shown;
}

// Some orders of the threads of a run that races; of another none are tried.
inline viz::OrdersOnShow ordersOf(const run::Run& run) {
    constexpr u32 kOrders = 6;
    const bool races = std::ranges::any_of(run.recording.findings, [](const trace::Finding& finding) {
        return finding.kind == trace::FindingKind::Race;
    });
    if (!races || !viz::canTryOrders(run)) return {};
    run::OrderOptions options;
    options.orders = kOrders;
    options.threads = 1;
    return viz::OrdersOnShow(run::searchOrders(run, options));
}

// A family's variant by its place in the list, the last where there are fewer: "matmul/naive".
inline std::string nameOfVariant(const catalog::Family& family, std::size_t place) {
    return family.name + "/" + family.variants[std::min(place, family.variants.size() - 1)].name;
}

// Texts that run into others, leave the picture, are cut off or struck through, as sentences.
inline std::vector<std::string> wrongTexts(const viz::Scene& scene, const viz::TextMetrics& metrics) {
    std::vector<std::string> wrong = viz::untidyTexts(scene, metrics);
    std::ranges::move(viz::cutWords(scene), std::back_inserter(wrong));
    std::ranges::move(viz::struckTexts(scene, metrics), std::back_inserter(wrong));
    return wrong;
}

inline const char* nameOfLanguage(Language language) { return rowOf(language).code.data(); }

}  // namespace lockstep
