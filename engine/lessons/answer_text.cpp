#include "lessons/answer_text.h"

#include "base/text/trimmed.h"
#include "explain/sentences/lane_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace lockstep::lessons {
namespace {

struct Wide {
    std::string_view wide, plain;
};
constexpr std::array kWide{
    Wide{"，", ","}, Wide{"、", ","}, Wide{"；", "|"}, Wide{";", "|"}, Wide{"｜", "|"}, Wide{"–", "-"},
    Wide{"—", "-"},  Wide{"－", "-"}, Wide{"～", "-"}, Wide{"~", "-"}, Wide{"　", " "}, Wide{"−", "-"},
    Wide{"：", ":"}, Wide{"＝", "="}, Wide{"＋", "+"}, Wide{"→", "<"}, Wide{"->", "<"}};

void replaceAll(std::string& text, std::span<const Wide> rows) {
    for (const Wide& row : rows)
        for (std::size_t at = 0; (at = text.find(row.wide, at)) != std::string::npos; at += row.plain.size())
            text.replace(at, row.wide.size(), row.plain);
}

// Full-width forms of ASCII (U+FF01 to U+FF5E), as Chinese keyboards give them.
std::string narrowed(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = [&](std::size_t at) { return i + at < text.size() ? u8(text[i + at]) : 0; };
        const bool isFullWidth = byte(0) == 0xef && (byte(1) == 0xbc || byte(1) == 0xbd) && byte(2) >= 0x80 &&
                                 byte(2) <= (byte(1) == 0xbc ? 0xbf : 0x9e);
        if (!isFullWidth) {
            plain += text[i];
            continue;
        }
        plain += char((byte(1) == 0xbc ? 0x20 : 0x60) + (byte(2) - 0x80));
        i += 2;
    }
    return plain;
}

std::optional<s64> whole(std::string_view text) {
    text = trimmed(text);
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    s64 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

std::vector<std::string_view> cutAt(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(at);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

Unexpected notAList(std::string_view part) {
    return fail(FaultKind::Usage,
                Message(english("'{0}' is no number and no range such as 0-7 or 0-30/2"), part));
}

}  // namespace

std::string plainAnswer(std::string_view text) {
    std::string plain(text);
    replaceAll(plain, kWide);
    return std::string(trimmed(narrowed(plain)));
}

std::string lowered(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return small;
}

std::optional<s64> numberIn(std::string_view text) {
    std::string plain = plainAnswer(text);
    // Thousands: every comma has three digits behind it.
    for (std::size_t at = plain.find(','); at != std::string::npos; at = plain.find(',', at)) {
        const std::size_t digits = plain.find_first_not_of("0123456789", at + 1);
        if (at == 0 || std::min(digits, plain.size()) - at != 4) return {};
        plain.erase(at, 1);
    }
    return whole(plain);
}

std::optional<s64> numberAmongWords(std::string_view text) {
    const std::string plain = plainAnswer(text);
    constexpr std::string_view kDigits = "0123456789";
    const std::size_t first = plain.find_first_of(kDigits), last = plain.find_last_of(kDigits);
    if (first == std::string::npos) return {};
    const auto isSign = [](char c) { return c == '-' || c == '+' || c == '.' || c == ','; };
    const std::size_t begin = first > 0 && isSign(plain[first - 1]) ? first - 1 : first;
    if (last + 1 < plain.size() && (isSign(plain[last + 1]) || plain[last + 1] == '/')) return {};
    return numberIn(std::string_view(plain).substr(begin, last + 1 - begin));
}

std::optional<std::vector<s64>> numbersIn(std::string_view text) {
    std::vector<s64> numbers;
    for (const std::string& word : wordsIn(text)) {
        const std::optional<s64> number = whole(word);
        if (!number) return {};
        numbers.push_back(*number);
    }
    return numbers;
}

namespace {

// "{1, 3}", "lanes 1 and 3", "1到3": what stands around the numbers of a list, or between them.
constexpr std::array kOfLists{
    Wide{"lanes", " "}, Wide{"lane", " "}, Wide{"sectors", " "}, Wide{"sector", " "}, Wide{"通道", " "},
    Wide{"扇区", " "},  Wide{"{", " "},    Wide{"}", " "},       Wide{"[", " "},      Wide{"]", " "},
    Wide{"(", " "},     Wide{")", " "},    Wide{"and", ","},     Wide{"和", ","},     Wide{"与", ","},
    Wide{"to", "-"},    Wide{"到", "-"},   Wide{"至", "-"},      Wide{"..", "-"}};

// Braces and the like only where they are closed: a half of a pair belongs to something else.
bool areClosed(std::string_view text, char open, char close) {
    return std::ranges::count(text, open) == std::ranges::count(text, close);
}

std::string plainList(std::string_view text) {
    std::string plain = lowered(plainAnswer(text));
    if (areClosed(plain, '{', '}') && areClosed(plain, '[', ']') && areClosed(plain, '(', ')'))
        replaceAll(plain, kOfLists);
    return std::string(trimmed(plain));
}

}  // namespace

Expected<std::vector<s64>> listIn(std::string_view text, s64 most) {
    std::vector<s64> list;
    const std::string plain = plainList(text);
    if (plain.empty() || plain == "none" || plain == "无" || plain == "没有") return list;
    std::string separated = plain;
    for (std::size_t i = 0; i + 1 < separated.size(); ++i)  // a blank between numbers separates, too
        if (separated[i] == ' ' && separated[i + 1] != '-' && (i == 0 || separated[i - 1] != '-'))
            separated[i] = ',';
    for (const std::string_view part : cutAt(separated, ',')) {
        if (part.empty()) continue;
        const std::size_t slash = part.find('/'), dash = part.find('-', 1);
        const std::optional<s64> first = whole(part.substr(0, std::min(dash, slash)));
        const std::optional<s64> last = dash == std::string_view::npos
                                            ? first
                                            : whole(part.substr(dash + 1, slash - std::min(slash, dash) - 1));
        const std::optional<s64> stride = slash == std::string_view::npos ? 1 : whole(part.substr(slash + 1));
        if (!first || !last || !stride || *stride < 1 || *last < *first) return notAList(part);
        if (*first < 0 || *last > most)
            return fail(FaultKind::Usage, Message(english("'{0}': they go from 0 to {1}"), part, most));
        for (s64 value = *first; value <= *last; value += *stride)
            list.push_back(value);
    }
    return list;
}

Expected<LaneMask> lanesIn(std::string_view text) {
    const Expected<std::vector<s64>> list = listIn(text, kWarpSize - 1);
    if (!list) return Unexpected{list.error()};
    LaneMask mask;
    for (const s64 lane : *list)
        mask = mask | LaneMask::of(Lane{u32(lane)});
    return mask;
}

Expected<std::vector<LaneMask>> groupsIn(std::string_view text) {
    std::vector<LaneMask> groups;
    std::string plain = plainAnswer(text);
    if (plain.find('|') == std::string::npos && std::ranges::count(plain, '{') > 1)  // {0-15}, {16-31}
        std::ranges::replace(plain, '}', '|'), std::ranges::replace(plain, '{', ' ');
    for (std::string_view part : cutAt(plain, '|')) {
        while (part.starts_with(','))
            part = trimmed(part.substr(1));
        if (part.empty()) continue;
        const Expected<LaneMask> lanes = lanesIn(part);
        if (!lanes) return Unexpected{lanes.error()};
        groups.push_back(*lanes);
    }
    return groups;
}

std::vector<std::string> wordsIn(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : plainAnswer(text) + ' ')
        if (c == ' ' || c == ',' || c == '<' || c == '>' || c == '|' || c == '\t') {
            if (!word.empty()) words.push_back(std::move(word));
            word.clear();
        } else
            word += c;
    return words;
}

std::string textOf(LaneMask lanes) {
    if (const std::optional<u32> stride = explain::strideOf(lanes)) {
        const u32 first = lanes.lowest().value;
        return fmt::format("{}-{}/{}", first, first + *stride * u32(lanes.count() - 1), *stride);
    }
    std::string text;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        if (!lanes.has(Lane{lane})) continue;
        u32 last = lane;
        while (last + 1 < kWarpSize && lanes.has(Lane{last + 1}))
            ++last;
        text += (text.empty() ? "" : ", ") + std::to_string(lane) +
                (last > lane ? "-" + std::to_string(last) : "");
        lane = last;
    }
    return text.empty() ? "none" : text;
}

std::string textOf(const std::vector<LaneMask>& groups) {
    std::string text;
    for (const LaneMask group : groups)
        text += (text.empty() ? "" : " | ") + textOf(group);
    return text;
}

}  // namespace lockstep::lessons
