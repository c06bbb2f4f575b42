#include "viz/stages/transpose/transpose_sheet.h"

#include "base/text/punctuation.h"
#include "viz/messages.h"

namespace lockstep::viz {

using namespace message;

std::string linesText(Language language, const std::set<s64>& lines, bool areRows) {
    constexpr std::size_t kFew = 4;
    const s64 first = *lines.begin(), last = *lines.rbegin();
    if (lines.size() == 1) return say(language, areRows ? kOneRow : kOneColumn, first);
    if (u64(last - first) + 1 == lines.size())
        return say(language, areRows ? kRowsTo : kColumnsTo, first, last);
    const s64 each = *std::next(lines.begin()) - first;
    if (lines.size() > kFew && each * s64(lines.size() - 1) == last - first &&
        std::ranges::all_of(lines, [&](s64 line) { return (line - first) % each == 0; }))
        return say(language, areRows ? kRowsEvery : kColumnsEvery, first, first + each, last);
    if (lines.size() > kFew)
        return say(language, areRows ? kRowsAmong : kColumnsAmong, first, last, lines.size());
    std::string list;
    for (const s64 line : lines) {
        if (!list.empty())
            list += line == last ? say(language, english("last of a list", " and ")) : listComma(language);
        list += std::to_string(line);
    }
    return say(language, areRows ? kFewRows : kFewColumns, list);
}

}  // namespace lockstep::viz
