#include "ptx/analysis/constants.h"

#include "base/half.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace lockstep::ptx {
namespace {

constexpr u32 kDeepestNesting = 64;  // of parentheses and signs; more than anybody writes

f64 asDouble(const Constant& c) {
    switch (c.kind) {
        case Constant::Kind::Signed: return f64(s64(c.bits));
        case Constant::Kind::Unsigned: return f64(c.bits);
        case Constant::Kind::Single: return f64(std::bit_cast<f32>(u32(c.bits)));
        case Constant::Kind::Double: return std::bit_cast<f64>(c.bits);
    }
    return 0;
}

Constant fromDouble(f64 value) { return {Constant::Kind::Double, std::bit_cast<u64>(value)}; }
Constant fromBool(bool value) { return {Constant::Kind::Signed, value}; }

enum class Operator : u8 {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    Ne,
    Le,
    Ge,
    Lt,
    Gt,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem
};
struct OperatorRow {
    std::string_view text;
    Operator op;
    u8 precedence;  // as in C, higher binds tighter
};
// Longer texts before their prefixes.
constexpr auto kOperators = std::to_array<OperatorRow>({
    {"||", Operator::Or, 1},
    {"&&", Operator::And, 2},
    {"==", Operator::Eq, 6},
    {"!=", Operator::Ne, 6},
    {"<<", Operator::Shl, 8},
    {">>", Operator::Shr, 8},
    {"<=", Operator::Le, 7},
    {">=", Operator::Ge, 7},
    {"<", Operator::Lt, 7},
    {">", Operator::Gt, 7},
    {"|", Operator::BitOr, 3},
    {"^", Operator::BitXor, 4},
    {"&", Operator::BitAnd, 5},
    {"+", Operator::Add, 9},
    {"-", Operator::Sub, 9},
    {"*", Operator::Mul, 10},
    {"/", Operator::Div, 10},
    {"%", Operator::Rem, 10},
});

class Expression {
public:
    explicit Expression(Lexer& in) : in_(in) {}

    Constant conditional() {
        const Constant condition = binary(1);
        if (in_.peek() != '?') return condition;
        in_.advance();
        enter();
        const Constant yes = conditional();
        in_.expect(':', english("in a conditional constant"));
        const Constant no = conditional();
        leave();
        return asDouble(condition) != 0 ? yes : no;
    }

    Constant literal() {
        in_.peek();
        const Place place = in_.place();
        const std::string_view text = numberText();
        if (text == "WARP_SZ") return {Constant::Kind::Signed, 32};
        if (text.empty() || text[0] < '0' || text[0] > '9') {
            if (text.empty())
                in_.fail(FaultKind::Syntax, Message(english("expected a number, found {0}"), in_.found()),
                         place);
            in_.fail(FaultKind::Syntax, Message(english("expected a number, found '{0}'"), text), place);
        }
        if (text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'F'))
            return exact(text, 8, Constant::Kind::Single, place);
        if (text.size() > 2 && text[0] == '0' && (text[1] == 'd' || text[1] == 'D'))
            return exact(text, 16, Constant::Kind::Double, place);
        const bool isHex = text.starts_with("0x") || text.starts_with("0X");
        if (!isHex && text.find_first_of(".eE") != std::string_view::npos) {
            f64 value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (error != std::errc{} || end != text.data() + text.size()) malformed(text, place);
            return fromDouble(value);
        }
        return integer(text, place);
    }

private:
    Constant binary(u8 least) {
        Constant left = unary();
        for (;;) {
            const OperatorRow* row = nextOperator();
            if (!row || row->precedence < least) return left;
            const Place place = in_.place();
            for (std::size_t i = 0; i < row->text.size(); ++i)
                in_.advance();
            enter();
            const Constant right = binary(u8(row->precedence + 1));
            leave();
            left = left.isFloat() || right.isFloat()
                       ? applyFloat(row->op, asDouble(left), asDouble(right), place)
                       : applyInteger(row->op, left, right, place);
        }
    }

    const OperatorRow* nextOperator() {
        in_.peek();
        for (const OperatorRow& row : kOperators)
            if (std::string_view(in_.position(), 1) == row.text.substr(0, 1) &&
                (row.text.size() == 1 || in_.position()[1] == row.text[1]))
                return &row;
        return nullptr;
    }

    Constant unary() {
        const char c = in_.peek();
        if (c != '-' && c != '+' && c != '~' && c != '!' && c != '(') return literal();
        in_.advance();
        enter();
        Constant value;
        if (c == '(') {
            if (in_.peek() == '.') {
                value = cast();
            } else {
                value = conditional();
                in_.expect(')', english("to close the parenthesis"));
            }
        } else {
            value = unary();
            if (c == '-') value = negated(value);
            if (c == '~') value.bits = ~value.bits;
            if (c == '!') value = fromBool(asDouble(value) == 0);
        }
        leave();
        return value;
    }

    // "(.s64) x", the parenthesis already taken.
    Constant cast() {
        const Place place = in_.place();
        const std::string_view type = in_.dottedWord();
        in_.expect(')', english("after the type of a cast"));
        Constant value = unary();
        if (value.isFloat() || (type != ".s64" && type != ".u64"))
            in_.fail(FaultKind::Syntax,
                     english("a constant can only be cast to .s64 or .u64, and only an integer"), place);
        value.kind = type == ".s64" ? Constant::Kind::Signed : Constant::Kind::Unsigned;
        return value;
    }

    static Constant negated(Constant c) {
        if (c.kind == Constant::Kind::Single) return {c.kind, c.bits ^ 0x80000000u};
        if (c.kind == Constant::Kind::Double) return {c.kind, c.bits ^ 0x8000000000000000u};
        return {c.kind, u64{0} - c.bits};
    }

    Constant applyInteger(Operator op, Constant a, Constant b, Place place) {
        const bool isUnsigned = a.kind == Constant::Kind::Unsigned || b.kind == Constant::Kind::Unsigned;
        const auto kind = isUnsigned ? Constant::Kind::Unsigned : Constant::Kind::Signed;
        const s64 x = s64(a.bits), y = s64(b.bits);
        switch (op) {
            case Operator::Or: return fromBool(x || y);
            case Operator::And: return fromBool(x && y);
            case Operator::BitOr: return {kind, a.bits | b.bits};
            case Operator::BitXor: return {kind, a.bits ^ b.bits};
            case Operator::BitAnd: return {kind, a.bits & b.bits};
            case Operator::Eq: return fromBool(x == y);
            case Operator::Ne: return fromBool(x != y);
            case Operator::Le: return fromBool(isUnsigned ? a.bits <= b.bits : x <= y);
            case Operator::Ge: return fromBool(isUnsigned ? a.bits >= b.bits : x >= y);
            case Operator::Lt: return fromBool(isUnsigned ? a.bits < b.bits : x < y);
            case Operator::Gt: return fromBool(isUnsigned ? a.bits > b.bits : x > y);
            case Operator::Shl: return {a.kind, b.bits < 64 ? a.bits << b.bits : 0};
            case Operator::Shr: {
                const u64 count = b.bits < 64 ? b.bits : 63;
                if (a.kind == Constant::Kind::Signed) return {a.kind, u64(x >> count)};
                return {a.kind, b.bits < 64 ? a.bits >> count : 0};
            }
            case Operator::Add: return {kind, a.bits + b.bits};
            case Operator::Sub: return {kind, a.bits - b.bits};
            case Operator::Mul: return {kind, a.bits * b.bits};
            case Operator::Div:
            case Operator::Rem: {
                if (b.bits == 0) in_.fail(FaultKind::Syntax, english("this constant divides by zero"), place);
                const bool quotient = op == Operator::Div;
                if (isUnsigned) return {kind, quotient ? a.bits / b.bits : a.bits % b.bits};
                if (y == -1)
                    return {kind,
                            quotient ? u64{0} - a.bits : 0};  // the one signed division that can overflow
                return {kind, u64(quotient ? x / y : x % y)};
            }
        }
        return {};
    }

    Constant applyFloat(Operator op, f64 a, f64 b, Place place) {
        switch (op) {
            case Operator::Add: return fromDouble(a + b);
            case Operator::Sub: return fromDouble(a - b);
            case Operator::Mul: return fromDouble(a * b);
            case Operator::Div: return fromDouble(a / b);
            case Operator::Eq: return fromBool(a == b);
            case Operator::Ne: return fromBool(a != b);
            case Operator::Le: return fromBool(a <= b);
            case Operator::Ge: return fromBool(a >= b);
            case Operator::Lt: return fromBool(a < b);
            case Operator::Gt: return fromBool(a > b);
            default: in_.fail(FaultKind::Syntax, english("this operator needs integers"), place);
        }
    }

    // The characters that a number may consist of, a sign after a decimal exponent included.
    std::string_view numberText() {
        const char* start = in_.position();
        const bool isHex = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
        auto isExponentSign = [&](const char* c) {
            return !isHex && (*c == '+' || *c == '-') && (c[-1] == 'e' || c[-1] == 'E') && start[0] >= '0' &&
                   start[0] <= '9' &&
                   !(start[0] == '0' &&
                     (start[1] == 'f' || start[1] == 'F' || start[1] == 'd' || start[1] == 'D'));
        };
        const char* stop = start;
        while ((isWordCharacter(*stop) && *stop != '%' && *stop != '$') || *stop == '.' ||
               (stop > start && isExponentSign(stop))) {
            ++stop;
            in_.advance();
        }
        return {start, std::size_t(stop - start)};
    }

    // 0f and 8 hexadecimal digits, 0d and 16: the bits themselves.
    Constant exact(std::string_view text, std::size_t digits, Constant::Kind kind, Place place) {
        Constant result{kind, 0};
        const auto [end, error] =
            std::from_chars(text.data() + 2, text.data() + text.size(), result.bits, 16);
        if (text.size() != digits + 2 || error != std::errc{} || end != text.data() + text.size())
            in_.fail(FaultKind::Syntax,
                     Message(english("'{0}' is no {1} number; write {2} and {3} hexadecimal digits"), text,
                             digits == 8 ? "f32" : "f64", text.substr(0, 2), digits),
                     place);
        return result;
    }

    Constant integer(std::string_view text, Place place) {
        const std::string_view whole = text;
        const bool isUnsigned = text.ends_with('U');
        if (isUnsigned) text.remove_suffix(1);
        int base = 10;
        if (text.size() > 1 && text[0] == '0') {
            const char c = text[1];
            base = c == 'x' || c == 'X' ? 16 : c == 'b' || c == 'B' ? 2 : 8;
            text.remove_prefix(base == 8 ? 1 : 2);
        }
        u64 value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
        if (error == std::errc::result_out_of_range)
            in_.fail(FaultKind::Syntax,
                     Message(english("'{0}' is too large; a constant has at most 64 bits"), whole), place);
        if (error != std::errc{} || end != text.data() + text.size()) malformed(whole, place);
        return {isUnsigned || value >> 63 ? Constant::Kind::Unsigned : Constant::Kind::Signed, value};
    }

    [[noreturn]] void malformed(std::string_view text, Place place) {
        in_.fail(FaultKind::Syntax, Message(english("'{0}' is no number"), text.substr(0, 40)), place);
    }

    void enter() {
        if (++depth_ > kDeepestNesting)
            in_.fail(
                FaultKind::Syntax,
                Message(english("this constant is nested more than {0} deep; simplify it"), kDeepestNesting));
    }
    void leave() { --depth_; }

    Lexer& in_;
    u32 depth_ = 0;
};

u16 floatToBfloat(f32 value) {
    const u32 bits = std::bit_cast<u32>(value);
    if (std::isnan(value)) return 0x7fff;
    return u16((bits + 0x7fff + (bits >> 16 & 1)) >> 16);  // to nearest, ties to even
}

}  // namespace

bool startsConstant(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '~' || c == '('; }

Constant parseConstant(Lexer& in) { return Expression(in).conditional(); }

u64 parseCount(Lexer& in, const Words& what) {
    in.peek();
    const Place place = in.place();
    const Constant c = parseConstant(in);
    if (c.isFloat() || (c.kind == Constant::Kind::Signed && s64(c.bits) < 0))
        in.fail(FaultKind::Syntax, Message(english("{0} must be a whole number that is not negative"), what),
                place);
    return c.bits;
}

u64 parseNumber(Lexer& in, const Words& what, u64 most) {
    in.peek();
    const Place place = in.place();
    const Constant c = Expression(in).literal();
    if (c.isFloat()) in.fail(FaultKind::Syntax, Message(english("{0} must be a whole number"), what), place);
    if (c.bits > most)
        in.fail(FaultKind::Syntax, Message(english("{0} must be at most {1}, not {2}"), what, most, c.bits),
                place);
    return c.bits;
}

u64 bitsAs(const Constant& c, Type type, Lexer& in, Place place) {
    const u32 bytes = type == Type::Pred ? 0 : bytesOf(type);
    if (c.isFloat()) {
        switch (type) {
            case Type::F16: return floatToHalf(f32(asDouble(c)));
            case Type::BF16: return floatToBfloat(f32(asDouble(c)));
            default: break;
        }
        if (!isFloat(type) && type != Type::B32 && type != Type::B64 && type != Type::B16 &&
            type != Type::None)
            in.fail(FaultKind::Syntax,
                    Message(english("a floating-point number where .{0} is expected; write an integer"),
                            nameOf(type)),
                    place);
        if (bytes == 4)
            return c.kind == Constant::Kind::Single ? c.bits : std::bit_cast<u32>(f32(asDouble(c)));
        if (bytes == 2) return floatToHalf(f32(asDouble(c)));
        return c.kind == Constant::Kind::Double ? c.bits : std::bit_cast<u64>(asDouble(c));
    }
    if (type == Type::Pred) return c.bits != 0;
    if (type == Type::F32 || type == Type::F64)
        in.fail(FaultKind::Syntax,
                Message(english("an integer where .{0} is expected; write 1.0 or {1}"), nameOf(type),
                        type == Type::F32 ? "0f3F800000" : "0d3FF0000000000000"),
                place);
    return bytes == 0 || bytes >= 8 ? c.bits : c.bits & ((u64{1} << (8 * bytes)) - 1);
}

}  // namespace lockstep::ptx
