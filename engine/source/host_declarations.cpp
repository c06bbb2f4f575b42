// What a file declares: types with their sizes, enumerators, functions and kernels with their parameters.
#include "source/host.h"

namespace lockstep::source {

void Host::declare(const Declaration& d) {
    if (d.kind == Declaration::Kind::Using && tokens_[d.first].is("using")) {
        for (std::size_t i = d.first; i + 1 < d.last; ++i)
            if (tokens_[i].is("=")) setAlias(d, i + 1);
    } else if (d.kind == Declaration::Kind::Using && tokens_[d.first].is("typedef")) {
        if (contains(tokens_, d.first, d.last, {"{"}))
            declareStruct(d);
        else
            setAlias(d, d.first + 1);
    } else if (d.kind == Declaration::Kind::Type) {
        declareStruct(d);
        for (const TokenRange& member : hostMembersOf(tokens_, d))
            declareMember(member);
    } else if (d.kind == Declaration::Kind::Function && !d.names.empty()) {
        declareFunction(d);
    }
}

void Host::setAlias(const Declaration& d, std::size_t from) {
    pos_ = from, end_ = d.last;
    const std::optional<Type> type = parseType();
    if (type && !d.names.empty()) setAlias(d.names.back(), *type);
    end_ = tokens_.size();
}

void Host::setAlias(const std::string& name, const Type& type) {
    if (now().is(name)) ++pos_;
    if (!now().is("[")) {
        if (!now().is("(")) aliases_[name] = type;  // no pointer to a function
        return;
    }
    u64 bytes = sizeOf(type);
    while (take("[")) {
        const Value extent = expression().value;
        take("]");
        const bool isKnown = extent.kind == Value::Kind::Integer && extent.integer > 0 &&
                             extent.integer < (1 << 20) && bytes < (u64{1} << 40);
        bytes = isKnown ? bytes * u64(extent.integer) : 0;
    }
    structs_[name] = {bytes, layoutOf(type).alignment};
}

void Host::declareStruct(const Declaration& d) {
    std::size_t open = d.first;
    bool isEnum = false, isUnion = false;
    for (; open < d.last && !tokens_[open].is("{"); ++open)
        isEnum = isEnum || tokens_[open].is("enum"), isUnion = isUnion || tokens_[open].is("union");
    if (open == d.last) return;
    const std::size_t close = behindBracket(tokens_, open);
    if (isEnum) return declareEnum(d, open, close);
    u64 bytes = 0, alignment = 1;
    bool isKnown = !isUnion && !d.isTemplate;
    for (std::size_t i = d.first; i < open; ++i)  // alignas(16), __align__(16)
        if (isOneOf(tokens_[i].text, {"alignas", "__align__"}) && tokens_[i + 1].is("(")) {
            const Within within(*this, i + 2, behindBracket(tokens_, i + 1) - 1);
            const Value asked = expression().value;
            if (asked.kind == Value::Kind::Integer && asked.integer > 0 && asked.integer <= 1024)
                alignment = u64(asked.integer);
            else
                isKnown = false;
        }
    for (std::size_t i = open + 1; i + 1 < close && isKnown;) {
        std::size_t behind = i;
        bool isFunction = false;
        for (; behind + 1 < close && !tokens_[behind].is(";"); ++behind) {
            if (tokens_[behind].is("(")) isFunction = true;
            if (tokens_[behind].is("(") || tokens_[behind].is("{")) {
                behind = behindBracket(tokens_, behind) - 1;
                if (tokens_[behind].is("}") && isFunction) break;
            }
        }
        if (isOneOf(tokens_[i].text, {"public", "private", "protected"})) {
            i += 2;
            continue;
        }
        if (!isFunction && !tokens_[i].is(";") && !tokens_[i].is("static")) {
            pos_ = i, end_ = behind;
            const std::optional<Type> type = parseType();
            while (type && pos_ < end_) {
                Type member = *type;
                while (take("*"))
                    ++member.pointers;
                ++pos_;  // its name
                u64 count = 1;
                while (take("[")) {
                    const Result extent = expression();
                    take("]");
                    if (extent.value.kind != Value::Kind::Integer)
                        isKnown = false;
                    else
                        count *= u64(extent.value.integer);
                }
                const auto [size, aligned] = layoutOf(member);
                if (size == 0 || count > (1u << 20))
                    isKnown = false;
                else {
                    alignment = std::max(alignment, aligned);
                    bytes = (bytes + aligned - 1) / aligned * aligned + size * count;
                }
                if (take("=")) assignment();
                if (!take(",")) break;
            }
            if (!type || pos_ != end_) isKnown = false;
            end_ = tokens_.size();
        }
        i = behind + 1;
    }
    for (const std::string& name : d.names)
        structs_[name] = {isKnown ? (bytes + alignment - 1) / alignment * alignment : 0, alignment};
}

void Host::declareEnum(const Declaration& d, std::size_t open, std::size_t close) {
    for (const std::string& name : d.names)
        structs_.try_emplace(name, Layout{4, 4});
    s64 next = 0;
    bool isKnown = true;
    for (std::size_t i = open + 1; i + 1 < close;) {
        const Token& name = tokens_[i];
        std::size_t behind = i + 1;
        while (behind + 1 < close && !tokens_[behind].is(","))
            ++behind;
        if (tokens_[i + 1].is("=")) {
            pos_ = i + 2, end_ = behind;
            const Value value = assignment().value;
            end_ = tokens_.size();
            isKnown = value.kind == Value::Kind::Integer;
            next = value.integer;
        }
        if (name.isWord())
            state_.scopes.back()[name.text] = {
                .type = {.scalar = Scalar::Int, .name = "int", .isConstant = true},
                .value = isKnown ? integerValue(next) : notKnown(name.text, name.line),
                .line = name.line};
        next = s64(u64(next) + 1);
        i = behind + 1;
    }
}

void Host::declareMember(const TokenRange& member) {
    for (std::size_t i = member.first; i + 1 < member.last; ++i) {
        if (!tokens_[i].isWord() || !tokens_[i + 1].is("(")) continue;
        const std::size_t behind = behindBracket(tokens_, i + 1);
        Declaration d{.kind = Declaration::Kind::Function,
                      .names = {"." + tokens_[i].text},
                      .first = member.first,
                      .last = member.last,
                      .parameters = i + 1};
        for (std::size_t k = behind; k < member.last && !d.hasBody; ++k)
            if (tokens_[k].is("{")) d.headEnd = k, d.hasBody = true;
        if (d.hasBody) declareFunction(d);
        return;
    }
}

void Host::declareFunction(const Declaration& d) {
    Function function{.name = d.names.front(), .declaration = d};
    std::size_t i = d.first;
    while (i < d.last && tokens_[i].is("template") && tokens_[i + 1].is("<")) {
        const std::size_t behind = behindAngles(tokens_, i + 1);
        if (behind <= i + 1) break;
        for (const TokenRange& range : listIn(tokens_, i + 2, behind - 1)) {
            Parameter parameter{.type = {}, .name = {}, .first = range.first, .last = range.last};
            parameter.isTemplateType =
                tokens_[range.first].is("typename") || tokens_[range.first].is("class");
            for (std::size_t k = range.first; k < range.last && !parameter.defaultFirst; ++k) {
                if (tokens_[k].is("="))
                    parameter.defaultFirst = k + 1;
                else if (tokens_[k].isWord())
                    parameter.name = tokens_[k].text;
            }
            function.templateParameters.push_back(std::move(parameter));
        }
        i = behind;
    }
    if (d.parameters)
        for (const TokenRange& range :
             listIn(tokens_, d.parameters + 1, behindBracket(tokens_, d.parameters) - 1)) {
            if (range.first + 1 == range.last && tokens_[range.first].is("void")) continue;
            Parameter parameter{.type = {}, .name = {}, .first = range.first, .last = range.last};
            pos_ = range.first, end_ = range.last;
            if (std::optional<Type> type = parseType()) parameter.type = *type;
            for (std::size_t k = range.first; k < range.last; ++k) {
                if (tokens_[k].is("const")) parameter.hasConstant = true;
                if (tokens_[k].is("=") && !parameter.defaultFirst) parameter.defaultFirst = k + 1;
                if (tokens_[k].is("[") && !parameter.defaultFirst) {
                    ++parameter.type.pointers;
                    k = behindBracket(tokens_, k) - 1;
                }
            }
            if (now().isWord()) parameter.name = now().text;
            end_ = tokens_.size();
            function.parameters.push_back(std::move(parameter));
        }
    if (d.isKernel) {
        if (d.hasBody || !kernels_.contains(function.name))
            kernels_.insert_or_assign(function.name, std::move(function));
    } else if (!d.isForDevice || !d.hasBody || contains(tokens_, d.first, d.headEnd, {"__host__"})) {
        functions_[function.name].push_back(std::move(function));
    }
}

}  // namespace lockstep::source
