#include "explain/glossary/glossary.h"

#include "explain/glossary/banks.h"
#include "explain/glossary/caches.h"
#include "explain/glossary/control.h"
#include "explain/glossary/execution.h"
#include "explain/glossary/memory.h"
#include "explain/glossary/patterns.h"
#include "explain/glossary/performance.h"
#include "explain/glossary/stalls.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

constexpr std::array kChapters{GlossaryChapter{english("Threads, blocks and the machine"), kExecutionTerms},
                               GlossaryChapter{english("Branches and waiting"), kControlTerms},
                               GlossaryChapter{english("Memory and access"), kMemoryTerms},
                               GlossaryChapter{english("Shared memory and its banks"), kBankTerms},
                               GlossaryChapter{english("Caches"), kCacheTerms},
                               GlossaryChapter{english("Speed and measuring"), kPerformanceTerms},
                               GlossaryChapter{english("Why a warp does not issue"), kStallTerms},
                               GlossaryChapter{english("Patterns of kernels"), kPatternTerms}};

constexpr std::size_t countOfTerms() {
    std::size_t count = 0;
    for (const GlossaryChapter& chapter : kChapters)
        count += chapter.terms.size();
    return count;
}

constexpr auto kTerms = [] {
    std::array<const Term*, countOfTerms()> terms{};
    std::size_t next = 0;
    for (const GlossaryChapter& chapter : kChapters)
        for (const Term& term : chapter.terms)
            terms[next++] = &term;
    return terms;
}();

constexpr int timesNamed(std::string_view id) {
    int times = 0;
    for (const GlossaryChapter& chapter : kChapters)
        for (const Term& term : chapter.terms)
            times += term.id == id;
    return times;
}

// A copy of the term: g++ 12 takes empty places of one that lies in a table for no constants.
constexpr bool isConsistent(Term term) {
    for (const std::string_view other : term.see)
        if (!other.empty() && (other == term.id || timesNamed(other) != 1)) return false;
    return timesNamed(term.id) == 1;
}

constexpr bool areConsistent() {
    for (const GlossaryChapter& chapter : kChapters)
        for (const Term& term : chapter.terms)
            if (!isConsistent(term)) return false;
    return true;
}
static_assert(areConsistent(), "ids are unique, and every term that another one refers to exists");

}  // namespace

std::span<const GlossaryChapter> glossaryChapters() { return kChapters; }

std::span<const Term* const> glossary() { return kTerms; }

const Term* findTerm(std::string_view id) {
    const auto found = std::ranges::find(kTerms, id, [](const Term* term) { return term->id; });
    return found == kTerms.end() ? nullptr : *found;
}

}  // namespace lockstep::explain
