// What functions of the C, C++ and CUDA libraries do, as far as it matters for launches.
#include "source/host.h"
#include "source/host_mathematics.h"

namespace lockstep::source {

bool Host::library(const std::string& name, const Result& callee, std::vector<Result>& arguments,
                   Result& result, u32 where) {
    const std::size_t count = arguments.size();
    const auto argument = [&](std::size_t i) { return i < count ? arguments[i].value : Value{}; };
    if (isOneOf(name, {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc",
                       "cudaMallocAsync", "cuMemAlloc", "posix_memalign"}) &&
        count >= 2) {
        const Value bytes = converted(argument(name == "posix_memalign" ? 2 : 1),
                                      {.scalar = Scalar::ULong, .name = "size_t"});
        Type element;
        store(arguments[0], state_.allocate(bytes, element, false), where);
        result.value = notKnown({}, where);
        return true;
    }
    if (name == "cudaMallocPitch" && count >= 4) {
        store(arguments[0], state_.allocate(notKnown("pitch", where), {}, false), where);
        if (arguments[1].value.kind == Value::Kind::Reference)
            state_.write(arguments[1].value.place, notKnown("pitch", where), where);
        return true;
    }
    if (name == "malloc" || name == "aligned_alloc" || name == "calloc" || name == "alloca") {
        Value bytes = argument(0);
        if (name == "aligned_alloc") bytes = argument(1);
        if (name == "calloc") bytes = combined("*", argument(0), argument(1));
        result.value = state_.allocate(bytes, {.name = "void", .pointers = 1}, name == "calloc");
        return true;
    }
    if ((name == "memset" || name == "cudaMemset" || name == "cudaMemsetAsync" || name == "memcpy" ||
         name == "cudaMemcpy" || name == "cudaMemcpyAsync") &&
        count >= 3) {
        copyOrSet(name.find("set") != std::string::npos, arguments);
        return true;
    }
    if (name.starts_with("cudaMemcpyToSymbol") && count >= 2) {
        if (dry_ == 0)
            noteSymbol(arguments[0].word.empty() ? arguments[0].place.name : arguments[0].word, where);
        return true;
    }
    if (name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel" || name == "cudaLaunchKernelEx" ||
        name == "cudaLaunchKernelExC") {
        launchByCall(name, arguments);
        return true;
    }
    if (isOneOf(name, {"exit", "abort", "quick_exit", "_exit", "terminate"})) {
        state_.hasEnded = true;
        return true;
    }
    if (name == "raw_pointer_cast" && count == 1) {
        result.value = argument(0);
        return true;
    }
    if (isOneOf(name, {"move", "forward", "ref", "cref"}) && count == 1) {
        result = arguments[0];
        return true;
    }
    if (isOneOf(name, {"make_unique", "make_shared"}) && callee.templateArguments.size() == 1) {
        std::optional<Type> type;
        bool isArray = false;
        {
            const Within within(*this, callee.templateArguments[0].first, callee.templateArguments[0].last);
            type = parseType();
            isArray = now().is("[");
        }
        if (type && isArray) {
            Type pointer = *type;
            ++pointer.pointers;
            result.value = state_.allocate(bytesFor(argument(0), *type), pointer, true);
        }
        return true;
    }
    if (isOneOf(name, {"fill", "fill_n", "iota", "sequence", "generate", "generate_n", "copy", "copy_n",
                       "transform", "sort", "shuffle"}) &&
        count >= 2) {
        fill(name, arguments);
        return true;
    }
    if (name == "make_dim3" || name == "make_uint3") {
        result.value = dimensionsOf(arguments);
        return true;
    }
    std::vector<Value> values;
    for (const Result& one : arguments)
        values.push_back(one.value);
    if (std::optional<Value> value = mathematics(name, values)) {
        result.value = std::move(*value);
        return true;
    }
    // Takes what it needs by value, or fills what it gets by &.
    const bool isHarmless =
        isCudaCall(name) ||
        isOneOf(
            name,
            {"printf",        "fprintf",   "puts",     "free",        "srand",  "assert",       "fflush",
             "atoi",          "atof",      "atol",     "strtol",      "stoi",   "strcmp",       "fabsf",
             "rand",          "clock",     "time",     "fopen",       "fclose", "fwrite",       "sprintf",
             "snprintf",      "sinf",      "cosf",     "sin",         "cos",    "make_float2",  "make_float3",
             "make_float4",   "make_int2", "cudaFree", "min_element", "usleep", "setprecision", "setw",
             "duration_cast", "to_string"});
    if (isHarmless) {
        const bool reads = isOneOf(name, {"printf", "fprintf", "puts", "free", "fwrite", "cudaFree"});
        for (const Result& one : arguments)
            if (one.value.kind == Value::Kind::Reference && !reads && name != "cudaEventRecord")
                state_.clobber(one.value.place, where);
        result.value = notKnown({}, where);
        return true;
    }
    return false;
}

void Host::noteSymbol(const std::string& symbol, u32 where) {
    for (const SymbolCopy& copy : findings_.symbols)
        if (copy.symbol == symbol) return;
    const u32 file = pos_ > 0 && pos_ - 1 < tokens_.size() ? tokens_[pos_ - 1].file : 0;
    if (!symbol.empty()) findings_.symbols.push_back({symbol, file, where});
}

void Host::copyOrSet(bool isSet, const std::vector<Result>& arguments) {
    Allocation* target = state_.allocationOf(arguments[0].value);
    if (!target) {
        if (arguments[0].value.kind == Value::Kind::Reference && !isSet)
            state_.clobber(arguments[0].value.place, line());
        if (arguments[0].isElement) writeElement(arguments[0], notKnown({}, 0));
        return;
    }
    const Value& bytes = arguments[2].value;
    const bool isWhole = arguments[0].value.offsetBytes == 0 && bytes.kind == Value::Kind::Integer &&
                         target->bytes && u64(bytes.integer) == *target->bytes;
    target->isOfAKernel = false;
    if (isSet) {
        const bool isZero = arguments[1].value.isNumber() && arguments[1].value.asReal() == 0;
        return target->setContents(isWhole && isZero ? Contents::Zero : Contents::Random);
    }
    const Allocation* source = state_.allocationOf(arguments[1].value);
    const bool isSame = source && isWhole && source->bytes == target->bytes &&
                        arguments[1].value.offsetBytes == 0 && source->isWritten;
    if (isSame)
        target->setContents(source->contents, source->constant);
    else
        target->setContents(Contents::Random);
}

void Host::fill(const std::string& name, const std::vector<Result>& arguments) {
    Allocation* target = state_.allocationOf(arguments[0].value);
    if (name.starts_with("copy") || name == "transform")
        target = state_.allocationOf(arguments.back().value),
        target = target                 ? target
                 : arguments.size() > 2 ? state_.allocationOf(arguments[2].value)
                                        : nullptr;
    if (!target) return;
    const bool isFromBegin = arguments[0].value.offsetBytes == 0 && arguments.size() >= 2;
    const bool isToEnd =
        arguments[1].value.kind == Value::Kind::NotKnown && arguments[1].value.cause.variable == "end()";
    const Value last = arguments.size() >= 3 ? arguments[2].value : Value{};
    if (name == "fill" && isFromBegin && isToEnd && last.isNumber())
        target->setContents(Contents::Constant, last.asReal());
    else if ((name == "iota" || name == "sequence") && isFromBegin && isToEnd &&
             (arguments.size() == 2 || (last.isNumber() && last.asReal() == 0)))
        target->setContents(Contents::Iota);
    else
        target->setContents(Contents::Random);
}

Result Host::method(const Result& of, const std::string& name) {
    Result result;
    const u32 where = line();
    std::vector<Result> arguments = argumentList();
    const Value& value = of.value;
    const bool isVector =
        value.kind == Value::Kind::Object && !value.names.empty() && value.names.front() == "#data";
    if (isVector) {
        const Value data = value.parts.front();
        Allocation* allocation = state_.allocationOf(data);
        if (isOneOf(name, {"data", "begin", "cbegin"})) return result.value = data, result;
        if (isOneOf(name, {"end", "cend"})) return result.value = notKnown("end()", where), result;
        if (name == "size") {
            const u64 bytes = sizeOf(pointee(data.type));
            if (allocation && allocation->bytes && bytes)
                result.value = integerValue(s64(*allocation->bytes / bytes), Scalar::ULong);
            else
                result.value =
                    allocation
                        ? notKnown(allocation->cause.variable.empty() ? of.word : allocation->cause.variable,
                                   allocation->cause.line)
                        : Value{};
            return result;
        }
        if ((name == "resize" || name == "assign") && of.hasPlace && !arguments.empty()) {
            const Value& with = arguments.size() > 1 ? arguments[1].value : integerValue(0);
            Value object = value;
            object.parts.front() =
                state_.allocate(bytesFor(arguments[0].value, pointee(data.type)), data.type, true,
                                with.isNumber() && with.asReal() != 0 ? Contents::Constant
                                : with.isNumber()                     ? Contents::Zero
                                                                      : Contents::Random,
                                with.isNumber() ? with.asReal() : 0);
            state_.write(of.place, object, where);
            return result;
        }
        if (isOneOf(name, {"push_back", "emplace_back", "insert", "clear", "pop_back", "erase"}) &&
            allocation) {
            allocation->bytes.reset();
            allocation->cause = {of.word, where};
            allocation->setContents(Contents::Random);
        }
        return result.value = notKnown(of.word, where), result;
    }
    if (value.kind == Value::Kind::Pointer && name == "get") return result.value = value, result;
    const bool isHarmless =
        isOneOf(name, {"count", "write", "str", "c_str", "open", "close", "is_open", "get", "at",
                       "time_since_epoch", "size", "data", "begin", "end", "length"});
    for (const Result& argument : arguments)
        if (!isHarmless || argument.value.kind == Value::Kind::Reference) clobberArgument(argument, where);
    if (of.hasPlace && !isHarmless) state_.clobber(of.place, where);
    result.value = notKnown(value.cause.variable.empty() ? of.word : value.cause.variable, where);
    return result;
}

}  // namespace lockstep::source
