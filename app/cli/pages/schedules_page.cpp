#include "app/cli/pages/schedules_page.h"

#include "app/cli/terminal/output.h"
#include "base/text/counted.h"
#include "explain/order/order_text.h"

#include <span>

namespace lockstep::cli {
namespace {

constexpr std::size_t kMostResults = 10;

Message verdictOf(const run::OrderResult& result) {
    if (!result.ended) return english("does not end: what it waits for never comes");
    if (!result.correct) return english("not compared with a reference");
    return *result.correct ? english("the result", "right") : english("the result", "wrong");
}

// "out[32] is 0, not 21", and of how many more elements the same is true.
Message changeOf(const run::OrderResult& result, std::span<const Buffer> buffers) {
    const auto [name, recorded, changed] = run::textsOf(*result.element, buffers);
    if (result.changedElements == 1) return Message(english("{0} is {1}, not {2}"), name, changed, recorded);
    return Message(english("{0} is {1}, not {2}, and {3} more {3:element differs|elements differ}"), name,
                   changed, recorded, grouped(result.changedElements - 1));
}

void printResults(const run::OrderSearch& search, std::span<const Buffer> buffers, Language language) {
    const std::vector<const run::OrderResult*> sorted = run::byFrequency(search);
    u64 left = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const run::OrderResult& result = *sorted[i];
        if (i >= kMostResults) {
            left += result.count;
            continue;
        }
        const Words which = i == 0 ? english("{0} {0:order|orders}: the recorded result, {1}")
                            : result.ended && !result.changed
                                ? english("{0} {0:order|orders}: the same result, rounded otherwise")
                            : result.ended && !result.correct
                                ? english("{0} {0:order|orders}: another result")
                                : english("{0} {0:order|orders}: another result, {1}");
        printOut("  {}{}\n", say(language, which, grouped(result.count), verdictOf(result)),
                 result.element ? say(language, english(": {0}"), changeOf(result, buffers)) : "");
    }
    if (left > 0)
        printOut("  {}\n",
                 say(language,
                     english("... and {0} more {0:result|results} of {1} {1:order|orders} (--json FILE "
                             "lists them)"),
                     grouped(sorted.size() - kMostResults), grouped(left)));
}

}  // namespace

void printSchedules(const run::Run& run, const run::OrderSearch& search, Language language) {
    printOut("\n");
    if (search.isCancelled)
        printLine(language, english("canceled after {0} of {1} orders"), grouped(search.tried),
                  grouped(search.wanted));
    if (search.isOutOfTime)
        printLine(language, english("the time limit stopped the search after {0} of {1} orders (--limit)"),
                  grouped(search.tried), grouped(search.wanted));
    for (const auto& [launch, blocks] : search.chosen)
        printLine(
            language,
            english("launch {0}: {1} {1:block that races was|blocks that race were} run in other orders, "
                    "since its blocks do not depend on each other"),
            launch, grouped(blocks.size()));
    if (search.tried > 0 && search.changed == 0) {
        printLine(language,
                  search.hasRace
                      ? english("None of {0} {0:order|orders} changed the result; the race stays.")
                      : english("None of {0} {0:order|orders} changed the result; no race was found before."),
                  grouped(search.tried));
    } else if (search.tried > 0) {
        printLine(language,
                  english("{0} {0:order|orders}: {1} {1:result|results}; {2} {2:differs|differ} from the "
                          "recorded run"),
                  grouped(search.tried), grouped(search.results.size()), grouped(search.changed));
    }
    if (search.results.size() > 1) printResults(search, run.recording.final, language);
    if (search.bad) {
        printLine(language, english("The first order that changes the result is order {0}, seed {1}: {2}."),
                  search.bad->number, search.seed, explain::textOf(search.bad->order, run));
        if (const Message cause = run::causeOf(*search.bad, run); !cause.empty())
            printOut("  {}\n", cause.in(language));
    }
    printLine(language, explain::ordersOnly());
    printLine(language, explain::provesNothing());
}

}  // namespace lockstep::cli
