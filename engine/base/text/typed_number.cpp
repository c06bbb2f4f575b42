#include "base/text/typed_number.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace lockstep {
namespace {

constexpr u64 kMost = u64(std::numeric_limits<s64>::max());

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::optional<u64> product(u64 a, u64 b) {
    if (b != 0 && a > kMost / b) return std::nullopt;
    return a * b;
}

std::optional<u64> power(u64 base, u64 exponent) {
    constexpr u64 kMostFactors = 63;
    if (exponent > kMostFactors && base > 1) return std::nullopt;
    std::optional<u64> result = 1;
    for (u64 i = 0; i < std::min(exponent, kMostFactors) && result; ++i)
        result = product(*result, base);
    return result;
}

// factor {* factor}; factor: number ["^" digits]; number: digits in groups of three or not, with decimals, an
// exponent or a suffix.
class TypedNumber {
public:
    TypedNumber(std::string_view text, bool isGrouped) : rest_(text), isGrouped_(isGrouped) {}

    std::optional<s64> read() {
        skipBlanks();
        const bool isNegative = take("-");
        std::optional<u64> result = factor();
        while (result && (take("*") || take("×"))) {
            const std::optional<u64> next = factor();
            result = next ? product(*result, *next) : std::nullopt;
        }
        if (!result || !rest_.empty()) return std::nullopt;
        return isNegative ? -s64(*result) : s64(*result);
    }

private:
    void skipBlanks() {
        while (rest_.starts_with(' ') || rest_.starts_with('\t'))
            rest_.remove_prefix(1);
    }
    bool take(std::string_view what) {
        if (!rest_.starts_with(what)) return false;
        rest_.remove_prefix(what.size());
        skipBlanks();
        return true;
    }
    std::string_view digits() {
        std::size_t count = 0;
        while (count < rest_.size() && isDigit(rest_[count]))
            ++count;
        const std::string_view found = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return found;
    }
    std::optional<u64> valueOf(std::string_view text) const {
        std::optional<u64> value = 0;
        for (const char c : text) {
            value = product(*value, 10);
            if (!value || *value > kMost - u64(c - '0')) return std::nullopt;
            *value += u64(c - '0');
        }
        return text.empty() ? std::nullopt : value;
    }
    std::optional<u64> factor() {
        const std::optional<u64> base = number();
        if (!base || !(take("^") || take("**"))) return base;
        const std::optional<u64> exponent = valueOf(digits());
        skipBlanks();
        return exponent ? power(*base, *exponent) : std::nullopt;
    }
    // "1,000,000": groups of three behind the first one, all of them.
    std::optional<std::string> grouped() {
        std::string all(digits());
        const bool isWritten = isGrouped_ && rest_.starts_with(',');
        if (isWritten && (all.empty() || all.size() > 3)) return std::nullopt;
        while (isGrouped_ && rest_.starts_with(',')) {
            rest_.remove_prefix(1);
            const std::string_view group = digits();
            if (group.size() != 3) return std::nullopt;
            all += group;
        }
        if (!isGrouped_ && all.size() > 1 && all.front() == '0') return std::nullopt;  // the end of "1,024"
        return all;
    }
    u64 suffix() {
        constexpr std::array<std::string_view, 3> kLetters{"Kk", "Mm", "Gg"};
        for (std::size_t i = 0; i < kLetters.size() && !rest_.empty(); ++i) {
            if (kLetters[i].find(rest_.front()) == std::string_view::npos) continue;
            rest_.remove_prefix(1);
            if (rest_.starts_with("iB"))
                rest_.remove_prefix(2);
            else if (rest_.starts_with('i'))
                rest_.remove_prefix(1);
            return u64{1} << (10 * (i + 1));
        }
        return 1;
    }
    std::optional<u64> number() {
        std::optional<std::string> whole = grouped();
        if (!whole || whole->empty()) return std::nullopt;
        u64 parts = 1;  // the decimals are so many of one
        if (rest_.starts_with('.')) {
            rest_.remove_prefix(1);
            const std::string_view decimals = digits();
            const std::optional<u64> scale = power(10, decimals.size());
            if (decimals.empty() || !scale) return std::nullopt;
            *whole += decimals, parts = *scale;
        }
        std::optional<u64> value = valueOf(*whole), by = 1;
        if (rest_.starts_with('e') || rest_.starts_with('E')) {
            rest_.remove_prefix(1);
            if (rest_.starts_with('+')) rest_.remove_prefix(1);
            const std::optional<u64> exponent = valueOf(digits());
            by = exponent ? power(10, *exponent) : std::nullopt;
            skipBlanks();
        } else {
            skipBlanks();
            by = suffix();
            skipBlanks();
        }
        if (!value || !by) return std::nullopt;
        const std::optional<u64> all = product(*value, *by);
        return all && *all % parts == 0 ? std::optional(*all / parts) : std::nullopt;
    }

    std::string_view rest_;
    bool isGrouped_;
};

}  // namespace

std::optional<s64> typedNumber(std::string_view text) { return TypedNumber(text, true).read(); }
std::optional<s64> typedNumberInList(std::string_view text) { return TypedNumber(text, false).read(); }

}  // namespace lockstep
