// Launches: their configuration and arguments, and what is recorded of each.
#include "source/host.h"

#include <array>

namespace lockstep::source {
namespace {

constexpr std::size_t kMostLaunches = 200;

std::optional<Dim3> extentsOf(const Value& value, NotKnown& cause) {
    std::array<u32, 3> parts{1, 1, 1};
    const auto set = [&](std::size_t i, const Value& part) {
        const Value whole = converted(part, {.scalar = Scalar::Long, .name = "long"});
        if (whole.kind != Value::Kind::Integer || whole.integer < 1 || whole.integer > 0x7fffffff) {
            cause = part.cause;
            return false;
        }
        parts[i] = u32(whole.integer);
        return true;
    };
    if (value.kind == Value::Kind::Extents) {
        for (std::size_t i = 0; i < 3; ++i)
            if (!set(i, value.parts[i])) return std::nullopt;
    } else if (!set(0, value)) {
        return std::nullopt;
    }
    return Dim3{parts[0], parts[1], parts[2]};
}

LaunchArgument argumentOf(State& state, const Result& given, bool isRead) {
    LaunchArgument argument;
    const Value& value = given.value;
    argument.type = value.type.written();
    if (value.kind == Value::Kind::Integer) {
        argument.kind = LaunchArgument::Kind::Integer;
        argument.integer = value.integer;
    } else if (value.kind == Value::Kind::Real) {
        argument.kind = LaunchArgument::Kind::Real;
        argument.real = value.real;
    } else if (const Allocation* allocation = state.allocationOf(value)) {
        const s64 offset = value.kind == Value::Kind::Pointer ? value.offsetBytes : 0;
        argument.cause = allocation->cause;
        if (allocation->bytes && offset >= 0 && u64(offset) < *allocation->bytes) {
            argument.kind = LaunchArgument::Kind::Buffer;
            argument.bytes = *allocation->bytes - u64(offset);
            argument.contents = allocation->contents;
            argument.real = allocation->constant;
            if (!allocation->isWritten)
                argument.contents = allocation->isOfAKernel && isRead ? Contents::Random : Contents::Zero;
            if (offset > 0 && argument.contents == Contents::Iota) argument.contents = Contents::Random;
        }
    } else {
        argument.cause = value.cause;
    }
    if (argument.kind == LaunchArgument::Kind::NotKnown && argument.cause.variable.empty())
        argument.cause.variable = given.word.empty() ? given.place.name : given.word;
    return argument;
}

bool isAlike(const HostLaunch& a, const HostLaunch& b) {
    const auto same = [](const LaunchArgument& x, const LaunchArgument& y) {
        return x.kind == y.kind && x.bytes == y.bytes && x.integer == y.integer && x.real == y.real &&
               x.contents == y.contents;
    };
    return a.file == b.file && a.launch.line == b.launch.line && a.launch.entry == b.launch.entry &&
           a.launch.grid == b.launch.grid && a.launch.block == b.launch.block &&
           a.launch.sharedBytes == b.launch.sharedBytes &&
           std::ranges::equal(a.launch.arguments, b.launch.arguments, same);
}

}  // namespace

Result Host::launch(const Result& kernel) {
    Result result;
    const std::size_t sign = pos_;
    ++pos_;
    std::vector<Value> configuration;
    ++inLaunch_;
    while (pos_ < end_ && !isExhausted() && !closesLaunch()) {
        const std::size_t before = pos_;
        configuration.push_back(now().is("{") ? braces({.name = "dim3"}).value : assignment().value);
        if (closesLaunch()) break;
        if (!take(",")) {
            configuration.back() = {};
            while (pos_ < end_ && !now().is(",") && !closesLaunch() && !now().is(";"))
                ++pos_;
            if (!take(",")) break;
        }
        if (pos_ == before) ++pos_;
    }
    --inLaunch_;
    if (!closesLaunch()) return result;
    pos_ += 3;
    if (!now().is("(")) return result;
    const std::vector<Result> arguments = argumentList();
    record(kernel, configuration, arguments, sign);
    return result;
}

void Host::launchByCall(const std::string& name, const std::vector<Result>& arguments) {
    const bool isExtended = name.starts_with("cudaLaunchKernelEx");
    if (arguments.size() < (isExtended ? 2u : 4u)) return;
    std::vector<Value> configuration;
    std::vector<Result> given;
    const Result& kernel = arguments[isExtended ? 1 : 0];
    if (isExtended) {
        Value config = arguments[0].value.kind == Value::Kind::Reference
                           ? state_.read(arguments[0].value.place)
                           : arguments[0].value;
        for (const char* part : {"gridDim", "blockDim", "dynamicSmemBytes"}) {
            Value* value = config.part(part);
            configuration.push_back(value ? *value
                                    : std::string_view(part) == "dynamicSmemBytes"
                                        ? integerValue(0)
                                        : notKnown(arguments[0].value.place.name, 0));
        }
        given.assign(arguments.begin() + 2, arguments.end());
    } else {
        configuration = {arguments[1].value, arguments[2].value};
        configuration.push_back(arguments.size() > 4 ? arguments[4].value : integerValue(0));
        Value list = arguments[3].value;
        if (list.kind == Value::Kind::Pointer) list = state_.read(arguments[3].place);
        for (const Value& part : list.parts) {
            Result one;
            one.value = part.kind == Value::Kind::Reference ? state_.read(part.place) : part;
            given.push_back(std::move(one));
        }
    }
    record(kernel, configuration, given, pos_ > 0 ? pos_ - 1 : 0,
           name.find("Cooperative") != std::string::npos);
}

void Host::record(Result kernel, const std::vector<Value>& configuration,
                  const std::vector<Result>& arguments, std::size_t sign, bool isCooperative) {
    if (kernel.value.kind == Value::Kind::Kernel)
        kernel.word = kernel.value.place.name;  // through a variable
    const std::string name = unqualified(kernel.word);
    const auto found = kernels_.find(name);
    HostLaunch one;
    Launch& launch = one.launch;
    one.file = tokens_[std::min(sign, tokens_.size() - 1)].file;
    launch.line = tokens_[std::min(sign, tokens_.size() - 1)].line;
    launch.kernel = launch.entry = kernel.word;
    launch.isCooperative = isCooperative;
    if (found != kernels_.end()) setEntry(launch, found->second, kernel, arguments);
    if (!configuration.empty()) launch.grid = extentsOf(configuration[0], launch.gridCause);
    if (configuration.size() > 1) launch.block = extentsOf(configuration[1], launch.blockCause);
    if (configuration.size() > 2) {
        const Value shared = converted(configuration[2], {.scalar = Scalar::Long, .name = "long"});
        launch.sharedBytes =
            shared.kind == Value::Kind::Integer && shared.integer >= 0 && shared.integer <= 0x7fffffff
                ? std::optional(u32(shared.integer))
                : std::nullopt;
        launch.sharedCause = configuration[2].cause;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool isRead = found != kernels_.end() && i < found->second.parameters.size() &&
                            found->second.parameters[i].hasConstant;
        launch.arguments.push_back(argumentOf(state_, arguments[i], isRead));
        if (Allocation* allocation = state_.allocationOf(arguments[i].value); allocation && !isRead)
            allocation->isOfAKernel = true;
    }
    // Parameters that have a value of their own.
    if (found != kernels_.end())
        for (std::size_t i = arguments.size(); i < found->second.parameters.size(); ++i) {
            const Parameter& parameter = found->second.parameters[i];
            if (!parameter.defaultFirst) break;
            const Within within(*this, parameter.defaultFirst, parameter.last);
            launch.arguments.push_back(argumentOf(state_, assignment(), false));
        }
    if (dry_ > 0 || state_.hasEnded || findings_.launches.size() >= kMostLaunches || kernel.word.empty())
        return;
    if (std::ranges::none_of(findings_.launches,
                             [&](const HostLaunch& other) { return isAlike(other, one); }))
        findings_.launches.push_back(std::move(one));
}

void Host::setEntry(Launch& launch, const Function& kernel, const Result& written,
                    const std::vector<Result>& arguments) {
    if (kernel.templateParameters.empty()) return;
    std::string list;
    for (std::size_t i = 0; i < kernel.templateParameters.size(); ++i) {
        const Parameter& parameter = kernel.templateParameters[i];
        std::string text;
        NotKnown cause{parameter.name, launch.line};
        TokenRange range = i < written.templateArguments.size() ? written.templateArguments[i] : TokenRange{};
        if (range.first == range.last && !parameter.isTemplateType && parameter.defaultFirst) break;
        if (range.first == range.last && parameter.isTemplateType && parameter.defaultFirst &&
            !deduced(kernel, parameter.name, arguments))
            break;
        const Within within(*this, range.first, range.last);
        if (parameter.isTemplateType) {
            std::optional<Type> type;
            if (range.first < range.last) {
                type = parseType();
                if (type && pos_ != end_) type.reset();
            } else {
                type = deduced(kernel, parameter.name, arguments);
            }
            if (type && !type->name.empty() && isConcrete(*type)) text = type->written();
        } else if (range.first < range.last) {
            const Value value = inAngles();
            cause = value.cause;
            if (value.kind == Value::Kind::Integer)
                text = value.type.scalar == Scalar::Bool ? (value.integer ? "true" : "false")
                                                         : std::to_string(value.integer);
        }
        if (text.empty()) {
            launch.isEntryKnown = false;
            launch.entryCause = cause;
            text = "?";
        }
        list += (list.empty() ? "" : ", ") + text;
    }
    if (!list.empty()) launch.entry += "<" + list + ">";
}

}  // namespace lockstep::source
