// What operators work on: names, numbers, parentheses, braces and lambdas, and what may follow them.
#include "source/host.h"
#include "source/number.h"

namespace lockstep::source {

Result Host::postfix() {
    Result result = primary();
    while (!isExhausted()) {
        if (now().is("<<<")) {
            result = launch(result);
        } else if (now().is("(")) {
            std::vector<Result> arguments = argumentList();
            result = callNamed(result, arguments);
        } else if (now().is("[")) {
            ++pos_;
            const Value index = expression().value;
            take("]");
            result = elementOf(result, index);
        } else if (now().is(".") || now().is("->")) {
            const bool isArrow = now().is("->");
            ++pos_;
            if (!now().isWord()) return {};
            const std::string member = now().text;
            ++pos_;
            if (now().is("<") && behindAngles(tokens_, pos_) > pos_ &&
                at(behindAngles(tokens_, pos_)).is("("))
                pos_ = behindAngles(tokens_, pos_);
            if (now().is("("))
                result = method(result, member);
            else
                result = memberOf(result, member, isArrow);
        } else if (now().is("++") || now().is("--")) {
            const std::string sign = now().is("++") ? "+" : "-";
            const u32 where = line();
            ++pos_;
            const Value before = result.hasPlace ? state_.read(result.place) : result.value;
            Value after = combined(sign, before, integerValue(1));
            after.affine.clear();
            assign(result, after, where);
            result = {};
            result.value = before;
        } else {
            return result;
        }
    }
    return result;
}

Result Host::primary() {
    Result result;
    const Token token = now();
    const u32 where = line();
    if (token.kind == Token::Kind::Number) {
        ++pos_;
        if (const std::optional<Number> number = readNumber(token.text)) {
            if (number->isReal)
                result.value = realValue(number->real, number->isFloat ? Scalar::Float : Scalar::Double);
            else
                result.value = integerValue(
                    s64(number->integer), number->isLong ? (number->isUnsigned ? Scalar::ULong : Scalar::Long)
                                          : number->isUnsigned ? Scalar::UInt
                                                               : Scalar::Int);
        }
        return result;
    }
    if (token.kind == Token::Kind::Text || token.kind == Token::Kind::Character) {
        ++pos_;
        while (now().kind == Token::Kind::Text)
            ++pos_;
        if (token.kind == Token::Kind::Character && token.text.size() == 3)
            result.value = integerValue(token.text[1], Scalar::Char);
        else
            result.value.type = {.scalar = Scalar::Char, .name = "char", .pointers = 1};
        return result;
    }
    if (token.is("(")) {
        const u32 keptLaunch = std::exchange(inLaunch_, 0), keptAngles = std::exchange(inAngles_, 0);
        ++pos_;
        result = expression();
        take(")");
        inLaunch_ = keptLaunch, inAngles_ = keptAngles;
        return result;
    }
    if (token.is("{")) return braces({});
    if (token.is("[")) return lambda();
    if (token.is("::")) {
        while (now().is("::"))
            ++pos_;
        return primary();
    }
    if (!token.isWord()) return result;
    if (isOneOf(token.text, {"true", "false"})) {
        ++pos_;
        result.value = integerValue(token.is("true"), Scalar::Bool);
        return result;
    }
    if (isOneOf(token.text, {"NULL", "nullptr"})) {
        ++pos_;
        result.value = integerValue(0, Scalar::Long);
        result.value.type = {.scalar = Scalar::None, .name = "nullptr_t", .pointers = 1};
        return result;
    }
    if (isOneOf(token.text, {"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"}) &&
        at(pos_ + 1).is("<"))
        return namedCast();
    std::string name = token.text, qualified = token.text;
    ++pos_;
    while (now().is("::") && at(pos_ + 1).isWord()) {
        name = at(pos_ + 1).text;
        qualified += "::" + name;
        pos_ += 2;
    }
    result.word = qualified;
    const std::optional<Place> place =
        name == qualified || kernels_.contains(name) ? find(name) : std::optional<Place>();
    const bool mayBeTemplate = !place && now().is("<");
    if (mayBeTemplate) {
        const std::size_t behind = behindAngles(tokens_, pos_);
        if (behind > pos_ && behind <= end_) {
            for (const TokenRange& range : listIn(tokens_, pos_ + 1, behind - 1))
                result.templateArguments.push_back(range);
            result.hasTemplateArguments = true;
            pos_ = behind;
        }
    }
    if (place) {
        result.hasPlace = true;
        result.place = *place;
        result.value = state_.read(*place);
        return result;
    }
    // A type's name with parentheses or braces makes a value.
    const bool isConstructed = now().is("(") || now().is("{");
    if (isConstructed && isTypeName(name) && !functions_.contains(name)) {
        Type type;
        type.name = name;
        if (const auto alias = aliases_.find(name); alias != aliases_.end())
            type = alias->second;
        else if (const auto bound = frames_.back().types.find(name); bound != frames_.back().types.end())
            type = bound->second;
        else if (const auto known = knownType(name))
            type.scalar = known->scalar;
        if (now().is("{")) return braces(type);
        const std::vector<Result> arguments = argumentList();
        if (type.name == "dim3")
            result.value = dimensionsOf(arguments);
        else if (arguments.size() == 1 && type.scalar != Scalar::None)
            result.value = cast(arguments[0].value, type);
        else
            result.value.type = type;
        result.word.clear();
        return result;
    }
    result.value = notKnown(name, where);
    if (kernels_.contains(name) && !result.hasTemplateArguments) {
        result.value.kind = Value::Kind::Kernel;
        result.value.place.name = qualified;
    }
    if (isOneOf(name, {"RAND_MAX", "INT_MAX"})) result.value = integerValue(2147483647);
    if (name == "EXIT_SUCCESS" || name == "cudaSuccess") result.value = integerValue(0);
    return result;
}

Result Host::elementOf(const Result& of, const Value& index) {
    Result result;
    Value base = of.value;
    if (base.kind == Value::Kind::Object && !base.names.empty() && base.names.front() == "#data")
        base = base.parts.front();
    if (base.kind == Value::Kind::Pointer) {
        result.isElement = true;
        result.element = base;
        result.index = index;
        result.value = notKnown(of.word, line());
        result.value.type = pointee(base.type);
        return result;
    }
    if (of.hasPlace && index.kind == Value::Kind::Integer) {
        result.hasPlace = true;
        result.place = of.place;
        result.place.path.push_back(std::to_string(index.integer));
        result.value = state_.read(result.place);
        return result;
    }
    if (of.hasPlace && !of.place.path.empty()) state_.clobber(of.place, line());
    result.value =
        notKnown(of.value.cause.variable.empty() ? of.word : of.value.cause.variable, of.value.cause.line);
    return result;
}

Result Host::memberOf(const Result& of, const std::string& member, bool isArrow) {
    Result result;
    if (isArrow && of.value.kind == Value::Kind::Reference) {
        result.place = of.value.place;
    } else if (of.hasPlace) {
        result.place = of.place;
    } else {
        Value value = of.value;
        if (const Value* part = value.part(member))
            result.value = *part;
        else
            result.value = notKnown(of.value.cause.variable.empty() ? of.word : of.value.cause.variable,
                                    of.value.cause.line);
        return result;
    }
    result.hasPlace = true;
    result.place.path.push_back(member);
    result.value = state_.read(result.place);
    return result;
}

Result Host::braces(const Type& type) {
    const Level level(*this);
    Result result;
    const std::size_t behind = std::min(behindBracket(tokens_, pos_), end_);
    std::vector<Result> items;
    for (const TokenRange& range : listIn(tokens_, pos_ + 1, behind > pos_ + 1 ? behind - 1 : behind)) {
        const Within within(*this, range.first, range.last);
        if (now().is(".")) {  // a designator
            while (pos_ < end_ && !now().is("="))
                ++pos_;
            ++pos_;
        }
        items.push_back(now().is("{") ? braces({}) : assignment());
    }
    pos_ = behind;
    if (type.name == "dim3" && type.pointers == 0) {
        result.value = dimensionsOf(items);
    } else if (items.size() == 1 && type.scalar != Scalar::None && type.pointers == 0) {
        result.value = items.front().value;
    } else if (items.empty() && type.scalar != Scalar::None && type.pointers == 0) {
        result.value = integerValue(0);
    } else {
        result.value.kind = Value::Kind::Object;
        for (std::size_t i = 0; i < std::min<std::size_t>(items.size(), 256); ++i) {
            result.value.names.push_back(std::to_string(i));
            result.value.parts.push_back(items[i].value);
        }
        result.value.integer = s64(items.size());
    }
    return result;
}

std::vector<Result> Host::argumentList() {
    std::vector<Result> arguments;
    const std::size_t open = pos_, behind = std::min(behindBracket(tokens_, open), end_), keptEnd = end_;
    const u32 keptLaunch = std::exchange(inLaunch_, 0), keptAngles = std::exchange(inAngles_, 0);
    pos_ = open + 1;
    end_ = behind > open + 1 ? behind - 1 : behind;
    while (pos_ < end_ && !isExhausted()) {
        const std::size_t before = pos_;
        arguments.push_back(now().is("{") ? braces({}) : assignment());
        if (pos_ < end_ && !now().is(",")) {  // not understood: up to the next argument
            clobberWords(before, end_);
            while (pos_ < end_ && !now().is(","))
                pos_ =
                    now().is("(") || now().is("[") || now().is("{") ? behindBracket(tokens_, pos_) : pos_ + 1;
            arguments.back() = {};
        }
        take(",");
        if (pos_ == before) ++pos_;
    }
    end_ = keptEnd;
    pos_ = behind;
    inLaunch_ = keptLaunch, inAngles_ = keptAngles;
    return arguments;
}

Result Host::namedCast() {
    Result result;
    ++pos_;
    const std::size_t behind = behindAngles(tokens_, pos_), keptEnd = end_;
    if (behind <= pos_ || behind > end_) return result;
    ++pos_;
    end_ = behind - 1;
    const std::optional<Type> type = parseType();
    end_ = keptEnd;
    pos_ = behind;
    if (!now().is("(")) return result;
    std::vector<Result> arguments = argumentList();
    if (arguments.empty()) return result;
    result.value = type ? cast(arguments.front().value, *type) : arguments.front().value;
    result.word = arguments.front().word;
    return result;
}

Value Host::inAngles() {
    ++inAngles_;
    Value value = assignment().value;
    --inAngles_;
    return value;
}

template <class Body> void Host::nested(Body body, std::size_t depth) {
    Frame frame;
    frame.scopes = frames_.back().scopes;
    frame.types = frames_.back().types;
    frames_.push_back(std::move(frame));
    returnDepth_.push_back(depth);
    {
        const Within within(*this, pos_, tokens_.size());
        body();
    }
    returnDepth_.pop_back();
    if (frames_.back().returned) {
        state_.scopes.resize(std::min(state_.scopes.size(), depth));
        join(std::move(*frames_.back().returned));
    }
    frames_.pop_back();
    state_.scopes.resize(std::min(state_.scopes.size(), depth));
}

Result Host::lambda() {
    Result result;
    const std::size_t start = pos_;
    pos_ = std::min(behindBracket(tokens_, pos_), end_);
    std::size_t parameters = 0;
    if (now().is("(")) parameters = pos_, pos_ = std::min(behindBracket(tokens_, pos_), end_);
    while (pos_ < end_ && !now().is("{") && !now().is(";") && !now().is(","))
        ++pos_;
    if (!now().is("{")) {
        pos_ = start + 1;
        return result;
    }
    const std::size_t open = pos_, behind = std::min(behindBracket(tokens_, pos_), end_);
    State before = copied(state_);
    state_.scopes.emplace_back();
    if (parameters)
        for (std::size_t i = parameters; i < open; ++i)
            if (tokens_[i].isWord())
                state_.scopes.back()[tokens_[i].text] = {
                    .type = {}, .value = notKnown(tokens_[i].text, tokens_[i].line), .line = tokens_[i].line};
    nested([&] { block(open + 1, behind - 1); }, before.scopes.size());
    join(std::move(before));
    pos_ = behind;
    return result;
}

}  // namespace lockstep::source
