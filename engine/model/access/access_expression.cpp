#include "model/access/access_expression.h"

#include <array>
#include <charconv>
#include <optional>

namespace lockstep::model {
namespace {

using enum AccessExpression::Operator;
using Operator = AccessExpression::Operator;

struct BinaryRow {
    std::string_view text;
    Operator what;
    int strength;  // C's precedence: the higher number binds tighter
};
// Longer spellings before their own prefixes.
constexpr std::array kBinary = {
    BinaryRow{"<<", ShiftLeft, 8},    BinaryRow{">>", ShiftRight, 8}, BinaryRow{"<=", LessEqual, 7},
    BinaryRow{">=", GreaterEqual, 7}, BinaryRow{"==", Equal, 6},      BinaryRow{"!=", NotEqual, 6},
    BinaryRow{"&&", And, 2},          BinaryRow{"||", Or, 1},         BinaryRow{"*", Multiply, 10},
    BinaryRow{"/", Divide, 10},       BinaryRow{"%", Remainder, 10},  BinaryRow{"+", Add, 9},
    BinaryRow{"-", Subtract, 9},      BinaryRow{"<", Less, 7},        BinaryRow{">", Greater, 7},
    BinaryRow{"&", BitAnd, 5},        BinaryRow{"^", BitXor, 4},      BinaryRow{"|", BitOr, 3},
};

constexpr std::size_t kMostCharacters = 1000;  // bounds the depth of every recursion here

Unexpected wrong(Message message, u32 column) {
    return fail(FaultKind::Usage, std::move(message), {.file = {}, .line = 0, .column = column});
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameCharacter(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

}  // namespace

class AccessExpressionParser {
public:
    explicit AccessExpressionParser(std::string_view text) : text_(text) {}

    Expected<AccessExpression> parse() {
        const Expected<u32> root = choice();
        if (!root) return Unexpected{root.error()};
        if (at_ < text_.size()) return unexpectedHere(english("an operator"));
        result_.root_ = *root;
        return std::move(result_);
    }

private:
    using Node = AccessExpression::Node;

    // condition ? a : b
    Expected<u32> choice() {
        Expected<u32> condition = binary(1);
        if (!condition || !take("?")) return condition;
        const u32 column = u32(at_);
        Expected<u32> a = choice();
        if (!a) return a;
        if (!take(":")) return unexpectedHere(english("':' of '? :'"));
        Expected<u32> b = choice();
        if (!b) return b;
        return add({.what = Choose, .a = *condition, .b = *a, .c = *b, .column = column});
    }

    Expected<u32> binary(int least) {
        Expected<u32> left = unary();
        while (left) {
            const BinaryRow* row = operatorHere();
            if (!row || row->strength < least) break;
            const u32 column = u32(at_) + 1;
            at_ += row->text.size();
            Expected<u32> right = binary(row->strength + 1);
            if (!right) return right;
            left = add({.what = row->what, .a = *left, .b = *right, .column = column});
        }
        return left;
    }

    Expected<u32> unary() {
        skipSpace();
        const u32 column = u32(at_) + 1;
        for (auto [sign, what] : {std::pair{"-", Negate}, std::pair{"!", Not}, std::pair{"~", Complement}})
            if (take(sign)) {
                const Expected<u32> operand = unary();
                return operand ? Expected<u32>(add({.what = what, .a = *operand, .column = column}))
                               : operand;
            }
        if (take("+")) return unary();
        if (take("(")) {
            Expected<u32> inner = choice();
            if (inner && !take(")")) return unexpectedHere(english("')'"));
            return inner;
        }
        return atom();
    }

    Expected<u32> atom() {
        const u32 column = u32(at_) + 1;
        std::size_t end = at_;
        while (end < text_.size() && isNameCharacter(text_[end]))
            ++end;
        const std::string_view word = text_.substr(at_, end - at_);
        if (word.empty()) return unexpectedHere(english("a number, tid or '('"));
        if (word == "tid" || word == "threadIdx.x") {
            at_ = end;
            return add({.what = Tid, .column = column});
        }
        if (!isDigit(word.front()))
            return wrong(Message(english("'{0}' is not known here: the only names are tid and threadIdx.x, "
                                         "the lane's number from 0 to 31"),
                                 word),
                         column);
        const std::optional<s64> number = numberOf(word);
        if (!number)
            return wrong(Message(english("'{0}' is not a whole number of at most 63 bits"), word), column);
        at_ = end;
        return add({.what = Number, .number = *number, .column = column});
    }

    // 12, 0x1f, 017, 0b101, with C's suffixes u and l.
    static std::optional<s64> numberOf(std::string_view word) {
        while (!word.empty() && std::string_view("uUlL").find(word.back()) != std::string_view::npos)
            word.remove_suffix(1);
        int base = 10;
        if (word.starts_with("0x") || word.starts_with("0X"))
            base = 16, word.remove_prefix(2);
        else if (word.starts_with("0b") || word.starts_with("0B"))
            base = 2, word.remove_prefix(2);
        else if (word.size() > 1 && word.front() == '0')
            base = 8;
        s64 number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
        if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
        return number;
    }

    const BinaryRow* operatorHere() {
        skipSpace();
        for (const BinaryRow& row : kBinary)
            if (text_.substr(at_).starts_with(row.text)) return &row;
        return nullptr;
    }
    bool take(std::string_view what) {
        skipSpace();
        if (!text_.substr(at_).starts_with(what)) return false;
        at_ += what.size();
        return true;
    }
    void skipSpace() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            ++at_;
    }
    u32 add(Node node) {
        result_.nodes_.push_back(node);
        return u32(result_.nodes_.size() - 1);
    }
    Unexpected unexpectedHere(const Words& wanted) {
        skipSpace();
        if (at_ >= text_.size())
            return wrong(Message(english("the expression ends where {0} should be"), wanted), u32(at_) + 1);
        return wrong(Message(english("there is '{0}' where {1} should be"),
                             text_.substr(at_, characterBytes()), wanted),
                     u32(at_) + 1);
    }

    // Length of the UTF-8 character here.
    std::size_t characterBytes() const {
        std::size_t end = at_ + 1;
        while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80)
            ++end;
        return end - at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    AccessExpression result_;
};

Expected<AccessExpression> AccessExpression::parse(std::string_view text) {
    if (text.size() > kMostCharacters)
        return wrong(Message(english("the expression has more than {0} characters; write a shorter one"),
                             kMostCharacters),
                     0);
    return AccessExpressionParser(text).parse();
}

Expected<s64> AccessExpression::at(s64 tid) const { return evaluate(root_, tid); }

Expected<s64> AccessExpression::evaluate(u32 index, s64 tid) const {
    const Node& node = nodes_[index];
    if (node.what == Number) return node.number;
    if (node.what == Tid) return tid;

    Expected<s64> a = evaluate(node.a, tid);
    if (!a) return a;
    switch (node.what) {
        case Negate: return s64(-u64(*a));
        case Not: return s64{*a == 0};
        case Complement: return ~*a;
        case Choose: return evaluate(*a ? node.b : node.c, tid);
        case And:
            if (*a == 0) return 0;
            break;
        case Or:
            if (*a != 0) return 1;
            break;
        default: break;
    }
    Expected<s64> b = evaluate(node.b, tid);
    if (!b) return b;
    const bool divides = node.what == Divide || node.what == Remainder;
    const bool shifts = node.what == ShiftLeft || node.what == ShiftRight;
    if (divides && *b == 0)
        return wrong(Message(english("division by zero where tid is {0}"), tid), node.column);
    if (shifts && (*b < 0 || *b > 63))
        return wrong(Message(english("shift by {0} where tid is {1}: 0 to 63 are possible"), *b, tid),
                     node.column);
    switch (node.what) {
        case Multiply: return s64(u64(*a) * u64(*b));
        case Divide:
            return *b == -1 ? s64(-u64(*a))
                            : *a / *b;  // the most negative number has no positive counterpart: it wraps
        case Remainder: return *b == -1 ? 0 : *a % *b;
        case Add: return s64(u64(*a) + u64(*b));
        case Subtract: return s64(u64(*a) - u64(*b));
        case ShiftLeft: return s64(u64(*a) << *b);
        case ShiftRight: return *a >> *b;
        case Less: return s64{*a < *b};
        case LessEqual: return s64{*a <= *b};
        case Greater: return s64{*a > *b};
        case GreaterEqual: return s64{*a >= *b};
        case Equal: return s64{*a == *b};
        case NotEqual: return s64{*a != *b};
        case BitAnd: return *a & *b;
        case BitXor: return *a ^ *b;
        case BitOr: return *a | *b;
        default: return s64{*b != 0};  // && and ||, not decided by their left side
    }
}

}  // namespace lockstep::model
