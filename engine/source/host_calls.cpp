// Calls of the file's own functions: parameters, template arguments, what they return and leave.
#include "source/host.h"

namespace lockstep::source {
namespace {

constexpr u32 kMostCalls = 12;  // within each other
constexpr u64 kStepsOfACall = 16;

Type withTypeOf(const Type& written, const Type& bound) {
    Type type = bound;
    type.pointers += written.pointers;
    type.isReference = written.isReference;
    type.isConstant = written.isConstant;
    return type;
}

}  // namespace

Result Host::callNamed(const Result& callee, std::vector<Result>& arguments) {
    Result result;
    const u32 where = line();
    const std::string name = unqualified(callee.word);
    if (name.empty() || callee.hasPlace) {
        clobberArguments(arguments, where);
        result.value = notKnown({}, where);
        return result;
    }
    if (const auto found = functions_.find(name); found != functions_.end() && !isCudaCall(name)) {
        for (Function& function : found->second)
            if (function.declaration.hasBody && acceptsArguments(function, arguments.size()))
                return call(function, arguments, callee.templateArguments, callee.hasTemplateArguments);
        // Declared only: what it takes by value stays as it is.
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const std::vector<Parameter>& parameters = found->second.front().parameters;
            const bool isByValue = i < parameters.size() && !parameters[i].type.isReference;
            if (!isByValue)
                clobberArgument(arguments[i], where);
            else if (arguments[i].value.kind == Value::Kind::Reference ||
                     state_.allocationOf(arguments[i].value))
                clobberArgument(arguments[i], where, true);
        }
        result.value = notKnown({}, where);
        result.value.type = {};
        return result;
    }
    if (library(name, callee, arguments, result, where)) return result;
    clobberArguments(arguments, where);
    result.value = notKnown({}, where);
    return result;
}

Result Host::call(Function& function, std::vector<Result>& arguments,
                  const std::vector<TokenRange>& templates, bool hasTemplates) {
    Result result;
    const u32 where = line();
    const bool isRecursive = std::ranges::count(stack_, function.declaration.first) > 0;
    if (isRecursive || stack_.size() >= kMostCalls || isExhausted() || state_.hasEnded) {
        entered_.insert(function.declaration.first);
        clobberArguments(arguments, where);
        result.value = notKnown({}, where);
        return result;
    }
    entered_.insert(function.declaration.first);
    steps_ += kStepsOfACall;
    Frame frame;
    std::vector<std::pair<std::string, Value>> constants;
    for (std::size_t i = 0; i < function.templateParameters.size(); ++i) {
        const Parameter& parameter = function.templateParameters[i];
        TokenRange range = hasTemplates && i < templates.size() ? templates[i] : TokenRange{};
        if (range.first == range.last && parameter.defaultFirst)
            range = {parameter.defaultFirst, parameter.last};
        const Within within(*this, range.first, range.last);
        if (parameter.isTemplateType) {
            std::optional<Type> type =
                range.first < range.last ? parseType() : deduced(function, parameter.name, arguments);
            if (type) frame.types[parameter.name] = *type;
        } else {
            constants.emplace_back(parameter.name,
                                   range.first < range.last ? inAngles() : notKnown(parameter.name, where));
        }
    }
    const std::size_t depth = state_.scopes.size();
    frame.scopes = depth;
    std::map<std::string, Variable, std::less<>> scope;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const Parameter& parameter = function.parameters[i];
        if (parameter.name.empty()) continue;
        Variable variable{.type = parameter.type, .value = {}, .line = tokens_[parameter.first].line};
        if (const auto bound = frame.types.find(parameter.type.name); bound != frame.types.end())
            variable.type = withTypeOf(parameter.type, bound->second);
        if (i < arguments.size()) {
            if (parameter.type.isReference && arguments[i].hasPlace) {
                variable.isAlias = true;
                variable.value.place = arguments[i].place;
            } else {
                variable.value = cast(arguments[i].value, variable.type);
            }
        } else if (parameter.defaultFirst) {
            const Within within(*this, parameter.defaultFirst, parameter.last);
            variable.value = assignment().value;
        }
        if (!variable.value.isKnown() && variable.value.cause.variable.empty())
            variable.value.cause = {parameter.name, variable.line};
        scope[parameter.name] = std::move(variable);
    }
    for (auto& [name, value] : constants)
        scope[name] = {.type = {.isConstant = true}, .value = value, .line = where};
    state_.scopes.push_back(std::move(scope));
    const Type returnType = returnTypeOf(function);
    frames_.push_back(std::move(frame));
    stack_.push_back(function.declaration.first);
    returnDepth_.push_back(depth);
    const u32 keptLaunch = std::exchange(inLaunch_, 0), keptAngles = std::exchange(inAngles_, 0),
              keptDepth = depth_;
    std::vector<Target> keptTargets = std::exchange(targets_, {});
    {
        const Within within(*this, pos_, tokens_.size());
        block(function.declaration.headEnd + 1, function.declaration.last - 1);
    }
    targets_ = std::move(keptTargets);
    inLaunch_ = keptLaunch, inAngles_ = keptAngles, depth_ = keptDepth;
    returnDepth_.pop_back();
    stack_.pop_back();
    state_.scopes.resize(std::min(state_.scopes.size(), depth));
    if (frames_.back().returned) join(std::move(*frames_.back().returned));
    if (frames_.back().value)
        result.value = *frames_.back().value;
    else
        result.value = notKnown({}, where);
    frames_.pop_back();
    if (returnType.name != "auto" && !returnType.name.empty()) result.value = cast(result.value, returnType);
    return result;
}

}  // namespace lockstep::source
