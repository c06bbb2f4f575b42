#include "run/sweep/sweep_range.h"

#include "base/text/counted.h"
#include "catalog/values/number_text.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace lockstep::run {
namespace {

std::vector<std::string_view> split(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(by, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

Unexpected wrong(std::string_view name, std::string_view values, const Message& what) {
    return fail(FaultKind::Usage, Message(english("--set {0}={1}: {2}"), name, values, what));
}

Message forms() {
    return english(
        "write the values of a sweep as FIRST:LAST:xFACTOR, FIRST:LAST:+STEP or A,B,C; for "
        "example --set width=64:4096:x2");
}

}  // namespace

bool isRange(std::string_view values) { return values.find(':') != std::string_view::npos; }
bool isSwept(std::string_view values) { return values.find_first_of(":,") != std::string_view::npos; }

Expected<std::vector<std::string>> sweptValues(std::string_view name, std::string_view values) {
    const auto tooMany = [&] {
        return wrong(name, values,
                     Message(english("a sweep takes at most {0} values"), grouped(kMostSweptValues)));
    };
    std::vector<std::string> all;
    if (!isRange(values)) {
        for (const std::string_view item : split(values, ',')) {
            if (item.empty()) return wrong(name, values, forms());
            if (std::ranges::find(all, item) == all.end()) all.emplace_back(item);
        }
        if (all.size() > kMostSweptValues) return tooMany();
        return all;
    }
    const std::vector<std::string_view> parts = split(values, ':');
    if (parts.size() != 3 || parts[2].empty()) return wrong(name, values, forms());
    const bool multiplies = parts[2].front() == 'x';
    const std::string_view by = parts[2].substr(multiplies || parts[2].front() == '+' ? 1 : 0);
    const std::optional<s64> first = catalog::parseWhole(parts[0]), last = catalog::parseWhole(parts[1]),
                             step = catalog::parseWhole(by);
    if (!first || !last || !step) return wrong(name, values, forms());
    if (*first > *last) return wrong(name, values, english("the first value is greater than the last one"));
    if (multiplies && *step < 2) return wrong(name, values, english("the factor must be 2 or more"));
    if (multiplies && *first < 1)
        return wrong(name, values, english("with a factor, the first value must be 1 or more"));
    if (*step < 1) return wrong(name, values, english("the step must be 1 or more"));
    for (s64 value = *first;;) {
        if (all.size() == kMostSweptValues) return tooMany();
        all.push_back(std::to_string(value));
        s64 next = 0;
        const bool overflows = multiplies ? __builtin_mul_overflow(value, *step, &next)
                                          : __builtin_add_overflow(value, *step, &next);
        if (overflows || next > *last) return all;
        value = next;
    }
}

}  // namespace lockstep::run
