// Puts a lane's number into the index expression and follows it to a bank, or to a sector.
#include "explain/access/address_in_numbers.h"

#include "base/text/words.h"
#include "model/access/access_query.h"
#include "model/access/global_sectors.h"
#include "model/access/shared_wavefronts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lockstep::explain {
namespace {

constexpr Words kAddress = english("Lane {0}: address = base + {1} · {2} = base + {3}");
constexpr Words kElement = english("Lane {0}: element {1} = {2}, row {3}, column {4}");
constexpr Words kAddressOf = english("address = base + {0} · {1} = base + {2}");
constexpr Words kByHand = english("Lane {0}, placed by hand: address = base + {1} · {2} = base + {3}");
constexpr Words kToBank = english("word {0} → bank {0} mod {1} = {2}");
constexpr Words kToBanks = english("words {0} to {1} → banks {2} to {3}");
constexpr Words kToSector = english("sector {0} / 32 = {1}, line {0} / 128 = {2}");

s64 floored(s64 a, s64 b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

bool isOfName(char c) { return std::isalnum(u8(c)) || c == '_' || c == '.'; }

// The expression for one lane, its products with a dot: "(5 & 15) · 17 + 5 / 16".
std::string withNumber(std::string_view expression, Lane lane) {
    std::string text;
    for (std::size_t i = 0; i < expression.size();) {
        std::size_t end = i;
        while (end < expression.size() && isOfName(expression[end]))
            ++end;
        const std::string_view word = expression.substr(i, end - i);
        if (word == "tid" || word == "threadIdx.x")
            text += std::to_string(lane.value);
        else if (!word.empty())
            text += word;
        else if (expression[i] == '*')
            text += "·";
        else
            text += expression[i];
        i = std::max(end, i + 1);
    }
    return text;
}

// In brackets, unless it is a number.
std::string asFactor(const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return std::isdigit(u8(c)); }) ? text : "(" + text + ")";
}

// Where the address leads: of a wide access to its first and last word.
std::string target(const model::AccessPattern& pattern, s64 offset, const model::Profile& profile,
                   Language language) {
    if (pattern.space == trace::Space::Global)
        return say(language, kToSector, offset, floored(offset, model::kSectorBytes),
                   floored(offset, model::kLineBytes));
    const s64 wide = 4 * model::wordsOfABank(profile);  // bytes of a bank
    const s64 word = floored(offset, wide), last = floored(offset + pattern.widthBytes - 1, wide),
              banks = std::max(1u, profile.banks);
    const auto bankOf = [&](s64 w) { return w - floored(w, banks) * banks; };
    return word == last ? say(language, kToBank, word, banks, bankOf(word))
                        : say(language, kToBanks, word, last, bankOf(word), bankOf(last));
}

}  // namespace

std::string addressInNumbers(const model::AccessPattern& pattern, Lane lane, const model::Profile& profile,
                             Language language) {
    const Expected<model::AccessQuery> query = model::queryOf(pattern);
    if (!query || !query->offsets[lane.value]) return {};
    const s64 offset = *query->offsets[lane.value];
    const std::string leadsTo = " → " + target(pattern, offset, profile, language);
    if (pattern.moved[lane.value])
        return say(language, kByHand, lane.value, pattern.widthBytes, *pattern.moved[lane.value], offset) +
               leadsTo;
    const std::string index = withNumber(pattern.expression, lane);
    const model::RowLayout& rows = pattern.rows;
    if (rows.padding == 0 && !rows.swizzled)
        return say(language, kAddress, lane.value, pattern.widthBytes, asFactor(index), offset) + leadsTo;
    const Expected<model::LaneOffsets> elements = model::offsetsOf(pattern.expression, 1);
    if (!elements) return {};
    const s64 element = *(*elements)[lane.value], row = floored(element, rows.elements),
              column = element - row * s64{rows.elements};
    const std::string inRow = rows.swizzled
                                  ? fmt::format("({} xor {})", column, row & (s64{rows.elements} - 1))
                                  : std::to_string(column);
    const std::string place = fmt::format("({} · {} + {})", row, rows.elements + rows.padding, inRow);
    return say(language, kElement, lane.value, index, element, row, column) + " → " +
           say(language, kAddressOf, pattern.widthBytes, place, offset) + leadsTo;
}

}  // namespace lockstep::explain
