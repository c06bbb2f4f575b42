#include "base/nearest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lockstep {
namespace {

constexpr std::size_t kLongestWord = 64;  // beyond that nobody mistyped a name

// Capital letters are no mistake that counts.
bool isSame(char a, char b) {
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
    return small(a) == small(b);
}

// Optimal string alignment: Levenshtein's distance and swaps of neighbors.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            current[j] = std::min(
                {previous[j] + 1, current[j - 1] + 1, previous[j - 1] + !isSame(a[i - 1], b[j - 1])});
            if (i > 1 && j > 1 && isSame(a[i - 1], b[j - 2]) && isSame(a[i - 2], b[j - 1]))
                current[j] = std::min(current[j], before[j - 2] + 1);
        }
        before.swap(previous);
        previous.swap(current);
    }
    return previous[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
    if (word.empty() || word.size() > kLongestWord) return {};
    std::string best;
    std::size_t fewest = (word.size() == 1 ? 0 : std::max<std::size_t>(1, word.size() / 3)) + 1;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > kLongestWord) continue;
        const std::size_t steps = distance(word, candidate);
        if (steps < fewest) {
            fewest = steps;
            best = candidate;
        }
    }
    if (!best.empty()) return best;
    const auto begins =
        std::ranges::find_if(candidates, [&](const std::string& c) { return c.starts_with(word); });
    return begins == candidates.end() ? std::string{} : *begins;
}

Message didYouMean(std::string_view word, std::span<const std::string> candidates) {
    const std::string best = nearest(word, candidates);
    return best.empty() ? Message() : Message(english("; did you mean '{0}'?"), best);
}

}  // namespace lockstep
