// Variables that statements declare, arrays and std::vector with their memory among them.
#include "source/host.h"

namespace lockstep::source {

bool Host::declarationStatement(std::size_t first, std::size_t last) {
    const Within within(*this, first, last);
    return declarationInside();
}

bool Host::declarationInside() {
    const std::size_t first = pos_;
    if (!now().isWord() || isOneOf(now().text, {"return", "delete", "new", "else", "using", "goto"}))
        return false;
    if (at(pos_ + 1).is("(") || at(pos_ + 1).is("=") || at(pos_ + 1).is(".") || at(pos_ + 1).is("<<<"))
        return false;
    const bool isVariable = find(now().text).has_value() && !knownType(now().text);
    if (isVariable) return false;
    std::optional<Type> type = parseType();
    if (!type || !now().isWord()) {
        if (type && now().is("[")) return structuredBinding();
        pos_ = first;
        return false;
    }
    const Token& behind = at(pos_ + 1);
    const bool isDeclarator = pos_ + 1 >= end_ || isOneOf(behind.text, {"=", ";", ",", "(", "[", "{", ":"}) ||
                              behind.kind == Token::Kind::End;
    if (!isDeclarator) {
        pos_ = first;
        return false;
    }
    // `const float* p` may change; `float* const p` and `const int n` may not.
    bool isStatic = false;
    for (std::size_t i = first; i < pos_; ++i)
        isStatic = isStatic || tokens_[i].is("static");
    Type base = *type;
    const u32 firstPointers = base.pointers;
    base.pointers = 0;
    bool isFirst = true;
    while (pos_ < end_ && !isExhausted()) {
        Type one = base;
        one.pointers = isFirst ? firstPointers : 0;
        if (!isFirst) one.isConstant = one.isConstant && one.pointers == 0;
        isFirst = false;
        while (now().is("*") || now().is("&") || now().is("const") || now().is("__restrict__")) {
            if (now().is("*")) ++one.pointers, one.isConstant = false;
            if (now().is("&")) one.isReference = true;
            ++pos_;
        }
        if (!now().isWord()) break;
        if (isStatic && !one.isConstant && !stack_.empty() && one.pointers == 0)
            declareStatic(one);
        else
            declarator(one);
        if (!take(",")) break;
    }
    take(";");
    if (pos_ < end_) clobberWords(pos_, end_);
    return true;
}

void Host::declareStatic(const Type& type) {  // its value is that of the call before
    const std::string name = now().text;
    const u32 where = line();
    declarator(type);
    state_.scopes.back()[name].value = notKnown(name, where);
}

bool Host::structuredBinding() {
    const std::size_t behind = std::min(behindBracket(tokens_, pos_), end_);
    for (std::size_t i = pos_; i < behind; ++i)
        if (tokens_[i].isWord())
            state_.scopes.back()[tokens_[i].text] = {
                .type = {}, .value = notKnown(tokens_[i].text, tokens_[i].line), .line = tokens_[i].line};
    pos_ = behind;
    if (take("=") || take(":")) expression();
    pos_ = end_;
    return true;
}

void Host::declarator(const Type& type) {
    const std::string name = now().text;
    const u32 where = line();
    ++pos_;
    Variable variable{.type = type, .value = notKnown(name, where), .line = where};
    variable.value.type = type;
    const bool isVector = type.pointers == 0 &&
                          isOneOf(type.name, {"vector", "device_vector", "host_vector"}) &&
                          !type.arguments.empty();
    if (now().is("[")) {
        array(variable, name, where);
    } else if (isVector) {
        vector(variable, where);
    } else if (now().is("(") || now().is("{")) {
        const bool isBrace = now().is("{");
        std::vector<Result> arguments;
        Value value;
        if (isBrace)
            value = braces(type).value;
        else
            arguments = argumentList(), value = type.name == "dim3" && type.pointers == 0
                                                    ? dimensionsOf(arguments)
                                                : arguments.size() == 1 ? arguments[0].value
                                                                        : notKnown(name, where);
        if (!isBrace && type.scalar == Scalar::None && type.pointers == 0 && type.name != "dim3" &&
            type.name != "auto" && value.kind != Value::Kind::Pointer)
            value = notKnown(name, where);
        variable.value = cast(value, type);
    } else if (take("=")) {
        Result given = now().is("{") ? braces(type) : assignment();
        if (type.isReference && given.hasPlace) {
            variable.isAlias = true;
            variable.value = {};
            variable.value.place = given.place;
        } else {
            variable.value = cast(given.value, type);
            if (!variable.value.isKnown() && variable.value.cause.variable.empty())
                variable.value.cause = {name, where};
            if (type.name == "auto" || type.name.empty())
                variable.type = {.name = "auto", .isConstant = type.isConstant};
        }
    } else if (type.name == "dim3" && type.pointers == 0) {
        variable.value = extentsValue(integerValue(1), integerValue(1), integerValue(1));
    } else {
        variable.isUnset = true;
        if (type.scalar == Scalar::None && type.pointers == 0)
            variable.value.kind = Value::Kind::Object, variable.isUnset = false,
            variable.value.cause = {name, where};
        if (state_.scopes.size() == 1 && stack_.empty() && type.scalar != Scalar::None && type.pointers == 0)
            variable.isUnset = false, variable.value = converted(integerValue(0), type);
    }
    if (!variable.value.isKnown() && variable.value.cause.variable.empty() && !variable.isAlias)
        variable.value.cause = {name, where};
    arrays_.erase(name);
    if (variable.type.pointers && tokens_[pos_ > 0 ? pos_ - 1 : 0].is("]")) arrays_.insert(name);
    state_.scopes.back()[name] = std::move(variable);
}

void Host::array(Variable& variable, const std::string& name, u32 where) {
    Value count = integerValue(1, Scalar::ULong);
    bool isOpen = false;
    while (take("[")) {
        if (now().is("]"))
            isOpen = true;
        else
            count = combined("*", count, expression().value);
        take("]");
    }
    const Type element = variable.type;
    const std::size_t bracket = pos_;
    std::optional<Value> list;
    if (take("=") || now().is("{")) {
        if (now().is("{"))
            list = braces({}).value;
        else
            assignment();
    }
    if (element.pointers > 0 ||
        (element.scalar == Scalar::None && element.name != "auto" && sizeOf(element) == 0)) {
        // Of pointers: each has a place of its own.
        variable.value = list ? *list : Value{};
        variable.value.kind = Value::Kind::Object;
        variable.value.cause = {name, where};
        variable.type = {.name = "auto"};
        return;
    }
    if (isOpen && list)
        count = integerValue(list->integer, Scalar::ULong);
    else if (isOpen)
        count = notKnown(name, where);
    ++variable.type.pointers;
    const bool isZero =
        list && (list->parts.empty() || std::ranges::all_of(list->parts, [](const Value& part) {
                     return part.isNumber() && part.asReal() == 0;
                 }));
    variable.value = state_.allocate(bytesFor(count, element), variable.type, list.has_value(),
                                     list && !isZero ? Contents::Random : Contents::Zero);
    variable.type.isConstant = true;  // an array stays where it is
    arrays_.insert(name);
    if (!list) pos_ = bracket;
}

void Host::vector(Variable& variable, u32 where) {
    const Type element = variable.type.arguments.front();
    Type pointer = element;
    ++pointer.pointers;
    Value data;
    if (now().is("{")) {
        const Value list = braces({}).value;
        data = state_.allocate(bytesFor(integerValue(list.integer), element), pointer, true,
                               list.parts.empty() ? Contents::Zero : Contents::Random);
    } else if (now().is("(") || now().is("=")) {
        std::vector<Result> arguments;
        if (take("="))
            arguments.push_back(now().is("{") ? braces({}) : assignment());
        else
            arguments = argumentList();
        const Allocation* other = arguments.empty() ? nullptr : state_.allocationOf(arguments[0].value);
        if (other) {
            const Allocation copy = *other;
            data = state_.allocate(integerValue(s64(copy.bytes.value_or(0)), Scalar::ULong), pointer,
                                   copy.isWritten, copy.contents, copy.constant);
            if (Allocation* own = state_.allocationOf(data)) own->bytes = copy.bytes, own->cause = copy.cause;
            const bool isWhole = arguments.size() == 1 || (arguments[1].value.cause.variable == "end()");
            if (Allocation* own = state_.allocationOf(data);
                own && (!isWhole || arguments[0].value.offsetBytes != 0))
                own->bytes.reset(), own->cause = {"size()", where};
        } else if (!arguments.empty() && arguments[0].value.kind == Value::Kind::Object &&
                   arguments[0].value.names.empty() == arguments[0].value.parts.empty() &&
                   arguments[0].value.type.name.empty()) {
            data = state_.allocate(bytesFor(integerValue(arguments[0].value.integer), element), pointer, true,
                                   Contents::Random);
        } else {
            const Value with = arguments.size() > 1 ? arguments[1].value : integerValue(0);
            const Value count = arguments.empty() ? integerValue(0) : arguments[0].value;
            data = state_.allocate(bytesFor(count, element), pointer, true,
                                   !with.isNumber()     ? Contents::Random
                                   : with.asReal() == 0 ? Contents::Zero
                                                        : Contents::Constant,
                                   with.isNumber() ? with.asReal() : 0);
        }
    } else {
        data = state_.allocate(integerValue(0, Scalar::ULong), pointer, true);
    }
    variable.value = {};
    variable.value.kind = Value::Kind::Object;
    variable.value.names = {"#data"};
    variable.value.parts = {data};
    variable.value.type = variable.type;
}

}  // namespace lockstep::source
