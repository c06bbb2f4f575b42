#include "witness/forms.h"

#include <cmath>
#include <cstdlib>

namespace lockstep::witness {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// The number at the beginning of the text, with commas between thousands: how long it is. 0: there is none.
std::size_t numberLength(std::string_view text) {
    std::size_t end = text.starts_with('-') ? 1 : 0;
    const std::size_t first = end;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    if (end == first) return 0;
    const auto thousands = [&] {
        return end + 3 < text.size() && text[end] == ',' && isDigit(text[end + 1]) &&
               isDigit(text[end + 2]) && isDigit(text[end + 3]) &&
               (end + 4 == text.size() || !isDigit(text[end + 4]));
    };
    while (end - first <= 15 && thousands())
        end += 4;
    if (end + 1 < text.size() && text[end] == '.' && isDigit(text[end + 1])) {
        ++end;
        while (end < text.size() && isDigit(text[end]))
            ++end;
    }
    return end;
}

bool isOfList(std::string_view text, std::size_t& at) {
    for (const std::string_view piece :
         {std::string_view("、"), std::string_view("…"), std::string_view("–")})
        if (text.substr(at).starts_with(piece)) return at += piece.size(), true;
    if (isDigit(text[at]) || text[at] == ',' || text[at] == ' ' || text[at] == '-') return ++at, true;
    return false;
}

bool matches(std::string_view text, std::string_view form, Slots& slots) {
    while (!form.empty()) {
        if (form.starts_with("**")) {
            for (std::size_t skip = 0; skip <= text.size(); ++skip)
                if (matches(text.substr(skip), form.substr(2), slots)) return true;
            return false;
        }
        if (form[0] == '*') {
            for (std::size_t skip = 0;; ++skip) {
                if (matches(text.substr(skip), form.substr(1), slots)) return true;
                if (skip == text.size() || isDigit(text[skip])) return false;
            }
        }
        if (form[0] != '{') {
            if (text.empty() || text[0] != form[0]) return false;
            text.remove_prefix(1), form.remove_prefix(1);
            continue;
        }
        const std::size_t close = form.find('}');
        std::string name(form.substr(1, close - 1));
        form.remove_prefix(close + 1);
        const std::size_t colon = name.find(':');
        if (colon == std::string::npos) {
            const std::size_t length = numberLength(text);
            if (!length) return false;
            std::string digits;
            for (const char c : text.substr(0, length))
                if (c != ',') digits += c;
            const std::size_t point = digits.find('.');
            slots.numbers[name] = std::strtod(digits.c_str(), nullptr);
            slots.decimals[name] = point == std::string::npos ? 0 : u32(digits.size() - point - 1);
            text.remove_prefix(length);
            continue;
        }
        const bool isList = name.substr(colon + 1) == "list";
        name.resize(colon);
        for (std::size_t length = 0;;) {
            if (matches(text.substr(length), form, slots)) {
                slots.texts[name] = std::string(text.substr(0, length));
                return true;
            }
            if (length == text.size() || (isList ? !isOfList(text, length) : (++length, false))) return false;
        }
    }
    return text.empty();
}

}  // namespace

f64 Slots::operator[](std::string_view name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? NAN : found->second;
}
const std::string& Slots::text(std::string_view name) const {
    static const std::string kNone;
    const auto found = texts.find(name);
    return found == texts.end() ? kNone : found->second;
}

std::optional<Slots> match(std::string_view text, std::string_view form) {
    Slots slots;
    if (!matches(text, form, slots)) return std::nullopt;
    return slots;
}

std::optional<std::set<u32>> lanesIn(std::string_view list) {
    std::set<u32> lanes;
    std::optional<u32> from;
    while (!list.empty()) {
        std::size_t end = 0;
        while (end < list.size() && isDigit(list[end]))
            ++end;
        if (end == 0 || end > 2) return std::nullopt;
        const u32 lane = u32(std::strtoul(std::string(list.substr(0, end)).c_str(), nullptr, 10));
        if (lane > 31 || (from && lane <= *from)) return std::nullopt;
        for (u32 each = from.value_or(lane); each <= lane; ++each)
            lanes.insert(each);
        list.remove_prefix(end);
        from.reset();
        if (constexpr std::string_view kTo = "–"; list.starts_with(kTo))
            from = lane, list.remove_prefix(kTo.size());
        else
            for (const std::string_view gap : {std::string_view(", "), std::string_view("、")})
                if (list.starts_with(gap)) {
                    list.remove_prefix(gap.size());
                    break;
                }
    }
    if (lanes.empty()) return std::nullopt;
    return lanes;
}

std::vector<std::string> linesOf(std::string_view text) {
    std::vector<std::string> lines;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.emplace_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

}  // namespace lockstep::witness
