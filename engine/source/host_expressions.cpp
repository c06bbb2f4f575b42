// Expressions: operators by rank, assignments, casts, new and delete.
#include "source/host.h"

#include <array>

namespace lockstep::source {

Value Host::evaluate(std::size_t first, std::size_t last) {
    const Within within(*this, first, last);
    Value value = expression().value;
    if (pos_ < end_) clobberWords(pos_, end_);
    return value;
}

Result Host::expression() {
    Result result = assignment();
    while (take(","))
        result = assignment();
    return result;
}

Result Host::assignment() {
    const Level level(*this);
    Result left = conditional();
    const std::string sign = now().text;
    const u32 where = line();
    if (now().kind != Token::Kind::Sign) return left;
    if (sign == "=") {
        ++pos_;
        Result right = now().is("{") ? braces(left.value.type) : assignment();
        assign(left, right.value, where);
        left.value = right.value;
        return left;
    }
    std::string operation = sign;
    std::size_t length = 1;
    if (sign == ">" && isGluedTo(pos_ + 1, ">=")) operation = ">>=", length = 2;
    if (operation.size() < 2 || operation.back() != '=' || isOneOf(operation, {"==", "!=", "<=", ">="}))
        return left;
    pos_ += length;
    operation.pop_back();
    const Result right = assignment();
    const Value before = left.hasPlace ? state_.read(left.place) : left.value;
    Value value = left.isElement ? notKnown({}, where) : combined(operation, before, right.value);
    value.affine.clear();
    assign(left, value, where);
    left.value = value;
    return left;
}

Result Host::conditional() {
    Result condition = binary(0);
    if (!take("?")) return condition;
    Result yes, no;
    if (condition.value.isNumber()) {
        const bool holds = condition.value.asReal() != 0;
        const auto branch = [&](bool isTaken) {
            if (isTaken) return assignment();
            State kept = copied(state_);
            const u64 dry = dry_++;
            Result result = assignment();
            dry_ = dry;
            state_ = std::move(kept);
            return result;
        };
        yes = branch(holds);
        if (!take(":")) return {};
        no = branch(!holds);
        return holds ? yes : no;
    }
    bool hasBoth = false;
    either(
        condition.value, [&] { yes = assignment(), hasBoth = take(":"); },
        [&] {
            if (hasBoth) no = assignment();
        });
    if (!hasBoth) return {};
    if (isSame(yes.value, no.value) && yes.value.isKnown()) return yes;
    Result result;
    result.value = notKnown(condition.value.cause.variable, condition.value.cause.line);
    result.value.type = yes.value.type;
    return result;
}

int Host::rank(std::string& sign, std::size_t& length) const {
    sign = now().text;
    length = 1;
    if (now().kind != Token::Kind::Sign) return 0;
    if (sign == ">") {
        if (inLaunch_ > 0 && closesLaunch()) return 0;
        if (isGluedTo(pos_ + 1, ">=")) return 0;
        if (isGluedTo(pos_ + 1, ">"))
            sign = ">>", length = 2;
        else if (inAngles_ > 0)
            return 0;
    }
    constexpr std::array<std::pair<std::string_view, int>, 18> kRanks{{{"||", 1},
                                                                       {"&&", 2},
                                                                       {"|", 3},
                                                                       {"^", 4},
                                                                       {"&", 5},
                                                                       {"==", 6},
                                                                       {"!=", 6},
                                                                       {"<", 7},
                                                                       {">", 7},
                                                                       {"<=", 7},
                                                                       {">=", 7},
                                                                       {"<<", 8},
                                                                       {">>", 8},
                                                                       {"+", 9},
                                                                       {"-", 9},
                                                                       {"*", 10},
                                                                       {"/", 10},
                                                                       {"%", 10}}};
    const auto found = std::ranges::find(kRanks, sign, &std::pair<std::string_view, int>::first);
    return found == kRanks.end() ? 0 : found->second;
}

Result Host::binary(int least) {
    Result left = unary();
    while (true) {
        std::string sign;
        std::size_t length = 1;
        const int level = rank(sign, length);
        if (level == 0 || level <= least) return left;
        pos_ += length;
        const bool isLogical = sign == "&&" || sign == "||";
        Result right;
        if (isLogical) {
            State kept = copied(state_);
            right = binary(level);
            if (left.value.isNumber() && (left.value.asReal() != 0) == (sign == "||"))
                state_ = std::move(kept);
            else if (!left.value.isNumber())
                join(std::move(kept));
        } else {
            right = binary(level);
        }
        if (sign == ">>" && !left.value.isNumber() && right.hasPlace &&
            left.value.type.scalar == Scalar::None)
            state_.clobber(right.place, line());  // cin >> n
        if (sign == ">>" && right.isElement && !left.value.isNumber()) writeElement(right, notKnown({}, 0));
        Result result;
        if (isLogical) {
            const bool stops = sign == "||";
            const auto truth = [](const Value& value) {
                return value.isNumber() ? std::optional(value.asReal() != 0) : std::nullopt;
            };
            const auto a = truth(left.value), b = truth(right.value);
            if ((a && *a == stops) || (b && *b == stops))
                result.value = integerValue(stops, Scalar::Bool);
            else if (a && b)
                result.value = integerValue(!stops, Scalar::Bool);
            else
                result.value.cause = !a ? left.value.cause : right.value.cause;
        } else {
            result.value = combined(sign, left.value, right.value);
            if (!result.value.isKnown() && (sign == "<<" || sign == ">>"))
                result.value.type = left.value.type;
        }
        left = std::move(result);
    }
}

Result Host::unary() {
    const Level level(*this);
    ++steps_;
    return unaryInside();
}

Result Host::unaryInside() {
    const u32 where = line();
    Result result;
    if (now().is("++") || now().is("--")) {
        const std::string sign = now().is("++") ? "+" : "-";
        ++pos_;
        Result target = unary();
        Value value =
            combined(sign, target.hasPlace ? state_.read(target.place) : target.value, integerValue(1));
        value.affine.clear();
        assign(target, value, where);
        target.value = value;
        return target;
    }
    if (take("!")) {
        const Value value = unary().value;
        result.value = value.isNumber() ? integerValue(value.asReal() == 0, Scalar::Bool)
                                        : notKnown(value.cause.variable, value.cause.line);
        return result;
    }
    if (take("-")) {
        const Value value = unary().value;
        result.value = value.kind == Value::Kind::Real ? realValue(-value.real, value.type.scalar)
                                                       : combined("-", integerValue(0), value);
        return result;
    }
    if (take("+")) return unary();
    if (take("~")) {
        const Value value = unary().value;
        result.value = value.kind == Value::Kind::Integer ? combined("^", value, integerValue(-1))
                                                          : notKnown(value.cause.variable, value.cause.line);
        return result;
    }
    if (take("*")) {
        const Result inner = unary();
        if (inner.value.kind == Value::Kind::Reference) {
            result.hasPlace = true;
            result.place = inner.value.place;
            result.value = state_.read(result.place);
        } else if (inner.value.kind == Value::Kind::Pointer) {
            result.isElement = true;
            result.element = inner.value;
            result.index = integerValue(0);
            result.value.type = pointee(inner.value.type);
        } else {
            result.value = notKnown(inner.value.cause.variable, inner.value.cause.line);
        }
        return result;
    }
    if (take("&")) {
        Result inner = unary();
        if (inner.value.kind == Value::Kind::Kernel) return inner;
        if (inner.isElement) {
            result.value = combined("+", inner.element, inner.index);
        } else if (inner.hasPlace) {
            result.value.kind = Value::Kind::Reference;
            result.value.place = inner.place;
            result.value.type = inner.value.type;
            ++result.value.type.pointers;
        } else {
            result.value = notKnown(inner.word, where);
        }
        return result;
    }
    if (take("sizeof")) return sizeOfOperand();
    if (now().is("new")) return newExpression();
    if (now().is("delete")) {
        ++pos_;
        if (take("[")) take("]");
        unary();
        return result;
    }
    if (now().is("(")) {
        const std::size_t start = pos_++;
        const bool mayBeVariable = now().isWord() && find(now().text);
        if (!mayBeVariable) {
            if (const std::optional<Type> type = parseType(false); type && take(")")) {
                if (startsOperand()) {
                    Result inner = unary();
                    result.value = cast(inner.value, *type);
                    if (type->pointers && inner.value.kind == Value::Kind::Reference)
                        result.value.place = inner.value.place;
                    result.word = inner.word;
                    return result;
                }
            }
        }
        pos_ = start;
    }
    return postfix();
}

bool Host::startsOperand() const {
    return now().isWord() || now().kind == Token::Kind::Number || now().kind == Token::Kind::Text ||
           now().kind == Token::Kind::Character ||
           isOneOf(now().text, {"(", "&", "*", "-", "+", "!", "~", "++", "--", "::"});
}

Result Host::newExpression() {
    ++pos_;
    Result result;
    std::optional<Type> type = parseType();
    if (!type) return result;
    Value count = integerValue(1);
    bool isSet = false;
    if (take("[")) {
        count = expression().value;
        take("]");
    }
    if (now().is("(") || now().is("{")) isSet = true, pos_ = std::min(behindBracket(tokens_, pos_), end_);
    Type pointer = *type;
    ++pointer.pointers;
    result.value = state_.allocate(bytesFor(count, *type), pointer, isSet);
    return result;
}

}  // namespace lockstep::source
