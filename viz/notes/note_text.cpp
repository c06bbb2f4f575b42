#include "viz/notes/note_text.h"

#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/quantities.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr int kDeepest = 20;  // brackets within brackets

Unexpected noText(std::string_view text, const Message& why) {
    return fail(FaultKind::Syntax,
                Message(english("'{0}' is no figure: {1}"), fmt::format("{{{}}}", text), why));
}

// One expression, read from left to right. A value that is not known makes the whole unknown.
class Reader {
public:
    Reader(std::string_view text, const FigureLookup& figures) : text_(text), figures_(figures) {}

    Expected<std::optional<f64>> read() {
        Expected<std::optional<f64>> value = sum();
        if (value && !atEnd())
            return noText(text_, Message(english("'{0}' is left over"), text_.substr(at_)));
        return value;
    }

private:
    void skip() {
        while (at_ < text_.size() && text_[at_] == ' ')
            ++at_;
    }
    bool atEnd() {
        skip();
        return at_ == text_.size();
    }
    bool take(char c) {
        skip();
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    Expected<std::optional<f64>> sum() {
        if (++depth_ > kDeepest) return noText(text_, english("too many brackets"));
        Expected<std::optional<f64>> left = product();
        while (left) {
            const bool plus = take('+'), minus = !plus && take('-');
            if (!plus && !minus) break;
            Expected<std::optional<f64>> right = product();
            if (!right) return right;
            if (!*left || !*right)
                left = std::optional<f64>{};
            else
                left = std::optional(plus ? **left + **right : **left - **right);
        }
        --depth_;
        return left;
    }

    Expected<std::optional<f64>> product() {
        Expected<std::optional<f64>> left = operand();
        while (left) {
            const bool times = take('*'), over = !times && take('/');
            if (!times && !over) break;
            Expected<std::optional<f64>> right = operand();
            if (!right) return right;
            if (!*left || !*right || (over && **right == 0))
                left = std::optional<f64>{};
            else
                left = std::optional(times ? **left * **right : **left / **right);
        }
        return left;
    }

    Expected<std::optional<f64>> operand() {
        if (take('(')) {
            Expected<std::optional<f64>> inner = sum();
            if (inner && !take(')')) return noText(text_, english("a bracket is not closed"));
            return inner;
        }
        skip();
        const std::string_view rest = text_.substr(at_);
        if (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
            f64 number = 0;
            const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
            if (error != std::errc{}) return noText(text_, english("a number is out of range"));
            at_ += std::size_t(end - rest.data());
            return std::optional(number);
        }
        const std::size_t length = std::min(
            rest.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
            rest.size());
        if (length == 0) return noText(text_, english("a figure or a number is missing"));
        at_ += length;
        if (rest.substr(0, length) == "round" && take('(')) {
            Expected<std::optional<f64>> inner = sum();
            if (inner && !take(')')) return noText(text_, english("a bracket is not closed"));
            if (inner && *inner) inner = std::optional(std::round(**inner));
            return inner;
        }
        if (rest.substr(0, length) == "log2" && take('(')) {
            Expected<std::optional<f64>> inner = sum();
            if (inner && !take(')')) return noText(text_, english("a bracket is not closed"));
            if (inner && *inner)
                inner = **inner > 0 ? std::optional(std::log2(**inner)) : std::optional<f64>{};
            return inner;
        }
        std::string_view variant;
        if (take('[')) {
            const std::size_t close = text_.find(']', at_);
            if (close == std::string_view::npos) return noText(text_, english("a bracket is not closed"));
            variant = text_.substr(at_, close - at_);
            at_ = close + 1;
        }
        return figures_(rest.substr(0, length), variant);
    }

    std::string_view text_;
    const FigureLookup& figures_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

// A factor or a rate, which may be whole: "10" rounds.
std::string figure(f64 value) {
    return value == std::floor(value) && value >= 0 ? grouped(u64(value)) : threeDigits(value);
}

std::optional<std::string> written(std::string_view kind, f64 value) {
    if (kind == "n") return grouped(u64(std::llround(value)));
    if (kind == "x") return figure(value);
    if (kind == "pct") return percentOfShare(value) + "%";
    if (kind == "bytes") return capacityText(value);
    if (kind == "time") return timeText(value);
    if (kind == "rate") return figure(value / 1e9) + " GB/s";
    return std::nullopt;
}

}  // namespace

Expected<std::optional<std::string>> noteText(std::string_view text, const FigureLookup& figures) {
    std::string said;
    bool known = true;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != '{') {
            said += text[at++];
            continue;
        }
        const std::size_t close = text.find('}', at);
        const std::string_view inside =
            text.substr(at + 1, close == std::string_view::npos ? close : close - at - 1);
        const std::size_t colon = inside.find(':');
        if (close == std::string_view::npos || colon == std::string_view::npos)
            return noText(inside, Message(english("write {0}"), "{n: expression}"));
        const Expected<std::optional<f64>> value = Reader(inside.substr(colon + 1), figures).read();
        if (!value) return Unexpected{value.error()};
        const bool isNumber = *value && std::isfinite(**value) && **value >= 0 && **value < 1e18;
        const std::optional<std::string> figure = written(inside.substr(0, colon), isNumber ? **value : 0);
        if (!figure) return noText(inside, english("the kinds are n, x, pct, bytes, time and rate"));
        known = known && isNumber;
        said += *figure;
        at = close + 1;
    }
    if (!known) return std::optional<std::string>{};
    return std::optional(std::move(said));
}

}  // namespace lockstep::viz
