#include "catalog/expression.h"

#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <optional>

namespace lockstep::catalog {
namespace {

constexpr int kDeepest = 64;  // nested parentheses, calls and ?:, so that no text exhausts the stack

constexpr bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }

using Result = std::optional<s64>;  // none: overflow or division by zero

Result add(s64 a, s64 b) {
    s64 r;
    return __builtin_add_overflow(a, b, &r) ? Result{} : r;
}
Result subtract(s64 a, s64 b) {
    s64 r;
    return __builtin_sub_overflow(a, b, &r) ? Result{} : r;
}
Result multiply(s64 a, s64 b) {
    s64 r;
    return __builtin_mul_overflow(a, b, &r) ? Result{} : r;
}
constexpr bool divides(s64 a, s64 b) { return b != 0 && !(a == std::numeric_limits<s64>::min() && b == -1); }
Result divide(s64 a, s64 b) { return divides(a, b) ? Result{a / b} : Result{}; }
Result modulo(s64 a, s64 b) { return divides(a, b) ? Result{a % b} : Result{}; }
Result ceilDiv(s64 a, s64 b) {
    if (!divides(a, b)) return {};
    const bool roundsUp = a % b != 0 && (a < 0) == (b < 0);
    return a / b + roundsUp;
}

struct Operator {
    std::string_view sign;
    Result (*apply)(s64, s64);
};
struct Function {
    std::string_view name;
    Result (*apply)(s64, s64);
};

constexpr std::array kFunctions{
    Function{"ceil_div", ceilDiv},
    Function{"min", [](s64 a, s64 b) -> Result { return std::min(a, b); }},
    Function{"max", [](s64 a, s64 b) -> Result { return std::max(a, b); }},
};

// Loosest first; a longer sign stands before its own beginning. && and || are apart: they may pass over their
// right side.
constexpr std::array kEqualities{
    Operator{"==", [](s64 a, s64 b) -> Result { return a == b; }},
    Operator{"!=", [](s64 a, s64 b) -> Result { return a != b; }},
};
constexpr std::array kRelations{
    Operator{"<=", [](s64 a, s64 b) -> Result { return a <= b; }},
    Operator{">=", [](s64 a, s64 b) -> Result { return a >= b; }},
    Operator{"<", [](s64 a, s64 b) -> Result { return a < b; }},
    Operator{">", [](s64 a, s64 b) -> Result { return a > b; }},
};
constexpr std::array kSums{Operator{"+", add}, Operator{"-", subtract}};
constexpr std::array kProducts{Operator{"*", multiply}, Operator{"/", divide}, Operator{"%", modulo}};
constexpr std::array<std::span<const Operator>, 4> kLevels{kEqualities, kRelations, kSums, kProducts};

// Reads and computes in one go. What && || ?: pass over is read with live == false and counts as 0.
class Reader {
public:
    Reader(std::string_view text, const Values* values) : text_(text), values_(values) {}

    Expected<s64> whole() {
        const s64 value = choice(values_ != nullptr);
        skipBlanks();
        if (!fault_ && at_ < text_.size()) complain(fmt::format("'{}' is not expected here", text_[at_]));
        if (fault_) return fail(FaultKind::Syntax, std::move(*fault_));
        return value;
    }
    std::set<std::string> names;

private:
    s64 choice(bool live) {
        if (++depth_ > kDeepest) return complain("the expression is nested too deeply");
        const s64 condition = disjunction(live);
        s64 value = condition;
        if (take("?")) {
            const s64 ifTrue = choice(live && condition);
            if (!take(":")) return complain("':' is expected");
            const s64 ifFalse = choice(live && !condition);
            value = condition ? ifTrue : ifFalse;
        }
        --depth_;
        return value;
    }
    s64 disjunction(bool live) {
        s64 value = conjunction(live);
        while (take("||")) {
            const s64 right = conjunction(live && !value);
            value = value || right;
        }
        return value;
    }
    s64 conjunction(bool live) {
        s64 value = binary(0, live);
        while (take("&&")) {
            const s64 right = binary(0, live && value);
            value = value && right;
        }
        return value;
    }
    s64 binary(std::size_t level, bool live) {
        if (level == kLevels.size()) return unary(live);
        s64 value = binary(level + 1, live);
        for (const Operator* op = takeOperator(level); op; op = takeOperator(level)) {
            const std::size_t place = at_;
            value = apply(op->apply, value, binary(level + 1, live), live, place);
        }
        return value;
    }
    s64 unary(bool live) {
        if (++depth_ > kDeepest) return complain("the expression is nested too deeply");
        s64 value = 0;
        if (take("-"))
            value = apply(subtract, 0, unary(live), live, at_);
        else if (take("!"))
            value = !unary(live);
        else
            value = primary(live);
        --depth_;
        return value;
    }
    s64 primary(bool live) {
        if (take("(")) {
            const s64 value = choice(live);
            if (!take(")")) return complain("')' is expected");
            return value;
        }
        skipBlanks();
        if (at_ < text_.size() && isDigit(text_[at_])) return number();
        if (at_ < text_.size() && isNameStart(text_[at_])) return name(live);
        return complain(at_ < text_.size() ? fmt::format("'{}' is not expected here", text_[at_])
                                           : std::string("a number or a parameter is expected"));
    }
    s64 number() {
        s64 value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc{}) return complain("this number is too large");
        at_ = std::size_t(end - text_.data());
        return value;
    }
    s64 name(bool live) {
        const std::size_t start = at_;
        while (at_ < text_.size() && (isNameStart(text_[at_]) || isDigit(text_[at_])))
            ++at_;
        const std::string word(text_.substr(start, at_ - start));
        if (take("(")) return call(word, live);
        names.insert(word);
        if (!live) return 0;
        const auto found = values_->find(word);
        if (found != values_->end()) return found->second;
        std::vector<std::string> known;
        for (const auto& [known_name, value] : *values_)
            known.push_back(known_name);
        return complain(fmt::format("there is no parameter '{}'{}", word, didYouMean(word, known)));
    }
    s64 call(const std::string& word, bool live) {
        const std::size_t place = at_;
        const auto function = std::ranges::find(kFunctions, word, &Function::name);
        if (function == kFunctions.end())
            return complain(fmt::format("there is no function '{}'; there are ceil_div, min and max", word));
        const s64 first = choice(live);
        if (!take(",")) return complain(fmt::format("',' is expected: {} takes two numbers", word));
        const s64 second = choice(live);
        if (!take(")")) return complain("')' is expected");
        return apply(function->apply, first, second, live, place);
    }

    s64 apply(Result (*operation)(s64, s64), s64 a, s64 b, bool live, std::size_t place) {
        if (!live || fault_) return 0;
        if (const Result result = operation(a, b)) return *result;
        at_ = place;
        const bool isDivision = operation == divide || operation == modulo || operation == ceilDiv;
        return complain(isDivision && b == 0 ? "division by zero" : "the result does not fit in 64 bits");
    }
    const Operator* takeOperator(std::size_t level) {
        for (const Operator& op : kLevels[level])
            if (take(op.sign)) return &op;
        return nullptr;
    }
    bool take(std::string_view sign) {
        skipBlanks();
        if (fault_ || !text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    void skipBlanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
            ++at_;
    }
    s64 complain(std::string what) {
        if (!fault_) fault_ = fmt::format("{} (column {} of '{}')", what, at_ + 1, text_);
        at_ = text_.size();
        return 0;
    }

    std::string_view text_;
    const Values* values_;  // none: only the form is checked
    std::size_t at_ = 0;
    int depth_ = 0;
    std::optional<std::string> fault_;
};

}  // namespace

Expected<s64> evaluate(std::string_view expression, const Values& values) {
    return Reader(expression, &values).whole();
}

Expected<std::set<std::string>> namesIn(std::string_view expression) {
    Reader reader(expression, nullptr);
    if (const Expected<s64> read = reader.whole(); !read) return Unexpected{read.error()};
    return std::move(reader.names);
}

}  // namespace lockstep::catalog
