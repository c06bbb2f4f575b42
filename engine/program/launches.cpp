#include "program/launches.h"

#include "base/text/counted.h"
#include "explain/findings/finding_at.h"
#include "explain/sentences/finding_text.h"
#include "model/access/access_cost.h"
#include "model/occupancy/cooperative_launch.h"
#include "model/report.h"
#include "model/source_line.h"
#include "program/runtime_error.h"
#include "ptx/analysis/shared_layout.h"
#include "ptx/demangled_parameters.h"
#include "run/own/argument_types.h"
#include "simt/decode/launch_mistake.h"
#include "simt/emulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

namespace lockstep::program {
namespace {

using cudart::Question;
using trace::FindingKind;

constexpr u64 kMostDetailed = 1000;

Dim3 dim3(const u64* numbers) { return {u32(numbers[0]), u32(numbers[1]), u32(numbers[2])}; }

// What an H200 does: it goes on with a destroyed object, one of the other kind or none, and what it then
// reads is what the old one had, or zeros.
s32 errorOf(trace::ImageFault fault) {
    using enum trace::ImageFault;
    if (fault == Misaligned) return cudaErrorMisalignedAddress;
    return fault == Outside || fault == Freed ? cudaErrorIllegalAddress : cudaSuccess;
}

// The error by which a GPU would end the kernel; 0: it would not.
s32 errorOf(const trace::Finding& finding) {
    switch (finding.kind) {
        case FindingKind::OutOfBounds:
        case FindingKind::InvalidAddress:
            return finding.strayed() || heapFactsOf(finding).fault != trace::HeapFault::None
                       ? cudaSuccess
                       : cudaErrorIllegalAddress;
        // As an H200 does.
        case FindingKind::InvalidFree:
            return heapFactsOf(finding).fault == trace::HeapFault::FreedTwice ? cudaErrorLaunchFailure
                                                                              : cudaSuccess;
        case FindingKind::InvalidTexture: return errorOf(imageFaultOf(finding));
        case FindingKind::Misaligned: return cudaErrorMisalignedAddress;
        case FindingKind::Limit:
            switch (stopReasonOf(finding)) {
                case trace::StopReason::Assertion: return cudaErrorAssert;
                case trace::StopReason::Trap:
                case trace::StopReason::NotCooperative: return cudaErrorLaunchFailure;
                case trace::StopReason::Recursion: return cudaErrorHardwareStackError;
                default: return cudaErrorLaunchTimeout;
            }
        default: return cudaSuccess;
    }
}

// Types of the parameters as C++ has them; empty: not known.
std::vector<std::string> typesOf(std::string_view entry) {
    return run::parametersOf(ptx::demangledParameters(entry));
}

// A variable's elements; PTX does not tell signed ones from others where it says .b32.
ElementType elementOf(const ptx::Variable& variable) {
    switch (ptx::bytesOf(variable.type)) {
        case 2: return ElementType::U16;
        case 4: return variable.type == ptx::Type::F32 ? ElementType::F32 : ElementType::U32;
        case 8: return variable.type == ptx::Type::F64 ? ElementType::F64 : ElementType::U64;
        default: return ElementType::U8;
    }
}

simt::DeviceLimits limitsOf(const model::Profile& profile) {
    return {.threadsPerBlock = profile.threadsPerBlock,
            .sharedBytesPerBlock = profile.sharedBytesPerBlock,
            .sharedBytesOptIn = profile.sharedBytesOptIn,
            .block = profile.largestBlock,
            .grid = profile.largestGrid};
}

u64 pointerIn(const std::vector<std::byte>& bytes) {
    u64 value = 0;
    std::memcpy(&value, bytes.data(), std::min<std::size_t>(bytes.size(), 8));
    return value;
}

std::string valueText(const std::vector<std::byte>& bytes, const std::string& type) {
    const auto as = [&]<class T>(T) {
        T value{};
        std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
        return fmt::format("{}", value);
    };
    if (run::isPointer(type)) return fmt::format("{:#x}", pointerIn(bytes));
    if (const auto element = run::elementOf(type); element && element->count == 1) {
        if (element->name == "f32") return as(f32{});
        if (element->name == "f64") return as(f64{});
        if (element->name == "u32") return as(u32{});
        if (element->name == "u64") return as(u64{});
        if (element->name == "i64") return as(s64{});
        if (element->name == "i32") return as(s32{});
    }
    if (bytes.size() == 4) return as(s32{});
    if (bytes.size() == 8) return as(s64{});
    return fmt::format("{} bytes", bytes.size());
}

// Stores that host code may look at while the kernel runs: of the system's scope, volatile ones, or ordered
// by
// __threadfence_system().
bool talksToHost(const ptx::Module& module, const ptx::Function& entry) {
    const auto talks = [](const ptx::Instruction& instruction) {
        const std::string_view name = instruction.name;
        const auto is = [&](std::string_view begin) { return name.starts_with(begin); };
        if (is("membar") || is("fence")) return name.find(".sys") != std::string_view::npos;
        if (!is("st") && !is("atom") && !is("red")) return false;
        return name.find(".shared") == std::string_view::npos &&
               (instruction.modifiers.scope == ptx::Scope::Sys ||
                instruction.modifiers.ordering == ptx::Ordering::Volatile);
    };
    return std::ranges::any_of(ptx::reachableFunctions(module, entry), [&](ptx::FunctionId id) {
        const ptx::Function& function = module.functions[id.value];
        return std::any_of(module.instructions.begin() + function.first.value,
                           module.instructions.begin() + function.end.value, talks);
    });
}

bool isMappedBy(s64 process, u64 address) {
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long long begin = 0, end = 0;
        if (std::sscanf(line.c_str(), "%llx-%llx", &begin, &end) == 2 && address >= begin && address < end)
            return true;
    }
    return false;
}

// Its parameters from `text`, one behind the other; none: too many.
std::optional<std::vector<Argument>> argumentsFrom(std::string_view text, const ptx::Module& module,
                                                   const ptx::Function& entry) {
    std::vector<Argument> arguments;
    std::size_t at = 0;
    for (ptx::VariableId parameter : entry.parameters) {
        const u64 bytes = module.variables[parameter.value].sizeBytes;
        if (bytes > Launches::kMostParameterBytes) return {};
        ScalarArgument argument{std::vector<std::byte>(bytes)};
        if (at + bytes <= text.size()) std::memcpy(argument.bytes.data(), text.data() + at, bytes);
        at += bytes;
        arguments.emplace_back(std::move(argument));
    }
    return arguments;
}

}  // namespace

Reply Launches::run(const Question& question, const std::string& text, s64 process) {
    ++count_;
    if (options_.launches) *options_.launches = count_;
    Reply reply;
    const std::size_t end = std::min(text.find('\0'), text.size());
    const std::string name = text.substr(0, end);
    Launched launched;
    launched.caller = question.caller;
    launched.code = u32(question.numbers[0]);
    launched.record = {.kernel = ptx::shortName(name),
                       .grid = dim3(question.numbers + 1),
                       .block = dim3(question.numbers + 4),
                       .dynamicSharedBytes = question.numbers[7],
                       .arguments = {},
                       .place = {}};
    int later = cudaSuccess;
    Output output;
    const Message whyNot = modules_.whyNotRead(question.numbers[0], name);
    if (!whyNot.empty()) {
        reply.answer.error = cudaErrorInvalidPtx;
        events_.refuse(launched.record.kernel, question.caller, whyNot);
    } else if (const ptx::Function* const entry = modules_.findEntry(question.numbers[0], name)) {
        const std::string_view bytes = std::string_view(text).substr(std::min(end + 1, text.size()));
        auto arguments = argumentsFrom(bytes, *modules_.find(question.numbers[0]), *entry);
        if (!arguments) return {.answer = {.error = cudaErrorInvalidPtx}};
        const Launch launch{.entry = name,
                            .grid = launched.record.grid,
                            .block = launched.record.block,
                            .dynamicSharedBytes = u32(std::min<u64>(question.numbers[7], 0xffffffff)),
                            .arguments = std::move(*arguments)};
        keepGiven(launch, launched);
        reply.answer.error = refusal(question, *entry, launch, launched);
        if (!reply.answer.error) {
            checkArguments(*entry, launch, launched, process);
            if (usesKernelHeap(*modules_.find(question.numbers[0]), name) && !heap_.makeKernelHeap()) {
                events_.refuse(
                    launched.record.kernel, question.caller,
                    Message(english("there is no room for a heap of {0} MiB for malloc() in kernels"),
                            grouped(heap_.kernelHeapBytes() >> 20)));
                return {.answer = {.error = cudaErrorMemoryAllocation}};
            }
            operations_.lookForNew();
            launched.process = process;
            keeper_.keep(count_, {u32(question.numbers[0]), launch, question.numbers[9] != 0});
            reply.answer.error = start(question, *entry, launch, launched, output, later);
        }
    } else {
        reply.answer.error = cudaErrorInvalidDeviceFunction;
    }
    reply.answer.numbers[0] = u64(later);
    reply.answer.numbers[1] = output.seen.size();
    reply.answer.numbers[2] = output.printed.size();
    reply.text.append(reinterpret_cast<const char*>(output.seen.data()),
                      output.seen.size() * sizeof(cudart::WrittenRange));
    reply.text += output.printed;
    reply.text += output.assertions;
    if (reply.answer.error || later)
        launched.record.error = nameOfError(reply.answer.error ? reply.answer.error : later);
    operations_.launch({.kind = operations::Kind::Launch,
                        .function = launched.record.kernel,
                        .error = launched.record.error,
                        .launch = count_,
                        .grid = launched.record.grid,
                        .block = launched.record.block,
                        .given = launched.given,
                        .written = launched.written},
                       question.caller, question.numbers[10]);
    keep(std::move(launched));
    return reply;
}

// Later ones only if something was found; of very many the details are not kept.
void Launches::keep(Launched launched) {
    const bool hasFindings = !launched.recording.findings.empty();
    if (hasFindings && ++withFindings_ > kMostDetailed) launched.recording = {}, launched.blocks.clear();
    if (launched_.size() < ProgramRecord::kMostLaunches) ++first_;
    if (launched_.size() < ProgramRecord::kMostLaunches || (hasFindings && withFindings_ <= kMostDetailed))
        launched_.push_back(std::move(launched));
}

int Launches::refusal(const Question& question, const ptx::Function& entry, const Launch& launch,
                      const Launched& launched) {
    const ptx::Module& module = *modules_.find(question.numbers[0]);
    const model::Profile& profile = options_.profile;
    const auto refused = [&](Message why) {
        events_.refuse(launched.record.kernel, question.caller, std::move(why));
    };
    if (const auto mistake = simt::launchMistake(module, entry, launch, limitsOf(profile))) {
        refused(mistake->message);
        if (mistake->part == simt::LaunchPart::DynamicSharedBytes) return cudaErrorInvalidValue;
        return mistake->part ? cudaErrorInvalidConfiguration : cudaErrorLaunchOutOfResources;
    }
    if (question.numbers[7] > question.numbers[8]) {
        refused(Message(
            english("it requests {0} {0:byte|bytes} of dynamic shared memory; more than {1} must be enabled "
                    "first: "
                    "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)"),
            grouped(question.numbers[7]), grouped(question.numbers[8])));
        return cudaErrorInvalidValue;
    }
    if (!question.numbers[9]) return cudaSuccess;
    if (std::optional<Message> mistake = model::cooperativeMistake(module, entry, launch, profile)) {
        refused(std::move(*mistake));
        return profile.major < 6 ? cudaErrorNotSupported : cudaErrorCooperativeLaunchTooLarge;
    }
    return cudaSuccess;
}

int Launches::start(const Question& question, const ptx::Function& entry, const Launch& launch,
                    Launched& launched, Output& output, int& later) {
    const ptx::Module& module = *modules_.find(question.numbers[0]);
    const model::Profile& profile = options_.profile;
    simt::LastingMemory memory = heap_.memoryFor(u32(question.numbers[0]), module);
    images_.addTo(memory, heap_);
    memory.pool = &saved_;
    guessHabits(memory, entry);
    std::vector<simt::WrittenRange> written;
    memory.written = talksToHost(module, entry) ? nullptr : &written;
    std::vector<u32> changed;
    memory.changed = &changed;
    const auto rest = options_.limit - std::chrono::duration_cast<std::chrono::nanoseconds>(
                                           std::chrono::duration<f64>(seconds_));
    simt::Options options;
    options.limits = limitsOf(profile);
    options.threads = options_.threads;
    options.limit = std::max(rest, std::chrono::nanoseconds(1'000'000));
    options.focus.emplace();
    options.counts = options_.counts;
    options.events = false;
    options.mostFindings = options_.mostFindings;
    options.overflowCost = [costing = std::make_shared<const model::AccessCosting>(module, profile)](
                               const trace::WarpAccess& access) { return costing->cost(access); };
    options.progress = options_.progress;
    options.cooperative = question.numbers[9] != 0;
    options.memory = &memory;
    options.printed = &output.printed;
    options.assertions = &output.assertions;
    options.mostThreadInstructions = 0;
    Expected<simt::Result> result = simt::run(module, std::span(&launch, 1), {}, options);
    if (!result) {
        events_.refuse(launched.record.kernel, question.caller, result.error().message);
        return result.error().kind == FaultKind::Unsupported ? cudaErrorNotSupported : cudaErrorLaunchFailure;
    }
    if (result->statistics.complete) learnHabits(result->habits, entry);
    const std::vector<u32> live = heap_.liveBlocks();
    for (u32 allocation : changed)
        launched.written.push_back(live[allocation]);
    for (const simt::WrittenRange& range : written)
        output.seen.push_back({memory.allocations[range.allocation].base + range.bytes.first,
                               range.bytes.end - range.bytes.first});
    constexpr std::size_t kMostRanges = 4096;  // others are not watched
    output.seen.resize(std::min(output.seen.size(), kMostRanges));
    seconds_ += result->statistics.seconds;
    launched.record.seconds = result->statistics.seconds;
    if (!result->statistics.complete && std::chrono::duration<f64>(options_.limit).count() <= seconds_ + 0.01)
        isTimeUp_ = true;
    for (const trace::Finding& finding : result->findings)
        if (const s32 error = errorOf(finding); error && !later) later = error;

    trace::Recording& recording = launched.recording;
    recording.entry = launched.record.kernel;
    recording.backend = "emulator";
    recording.profile = profile.name;
    recording.launches = {launch};
    recording.counts = std::move(result->counts);
    if (options_.counts && result->statistics.complete)
        for (const auto& [metric, value] : model::makeReport(module, recording, profile).counters)
            launched.record.counters[metric] = f64(value);
    recording.counts.clear();
    recording.findings = std::move(result->findings);
    if (!recording.findings.empty()) keepBuffers(launch, launched);
    for (const trace::Finding& finding : recording.findings)
        if (finding.kind == FindingKind::InvalidAddress && !heap_.find(finding.address) &&
            isMappedBy(launched.process, finding.address))
            launched.ofHost.insert(finding.address);
    return cudaSuccess;
}

// A launch that does more than was guessed of it has to be run again. Allocations are the live blocks in
// their order.
void Launches::guessHabits(simt::LastingMemory& memory, const ptx::Function& entry) const {
    for (u32 number : heap_.liveBlocks()) {
        const auto known = keeps_.find({&entry, number});
        memory.habits.push_back({.elementBytes = heap_.blocks()[number].smallestAccess,
                                 .keeps = known == keeps_.end() ? trace::Keeps::Bits : known->second});
    }
}

void Launches::learnHabits(std::span<const trace::BufferHabit> habits, const ptx::Function& entry) {
    constexpr std::size_t kMostKnown = 1'000'000;
    const std::vector<u32> live = heap_.liveBlocks();
    for (std::size_t i = 0; i < std::min(live.size(), habits.size()); ++i) {
        HeapBlock& block = heap_[live[i]];
        block.smallestAccess = std::min(block.smallestAccess, habits[i].elementBytes);
        if (habits[i].keeps != trace::Keeps::Bits && keeps_.size() < kMostKnown)
            keeps_[{&entry, live[i]}] = habits[i].keeps;
    }
}

// Pointers among the arguments, in structures too.
void Launches::keepGiven(const Launch& launch, Launched& launched) const {
    for (const Argument& argument : launch.arguments) {
        const std::vector<std::byte>& bytes = std::get<ScalarArgument>(argument).bytes;
        for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
            u64 pointer = 0;
            std::memcpy(&pointer, bytes.data() + at, sizeof pointer);
            const std::optional<u32> block = operations_.blockAt(pointer);
            if (block && std::ranges::find(launched.given, *block) == launched.given.end())
                launched.given.push_back(*block);
        }
    }
}

// What the findings speak of. Elements as the parameters that point there have them.
void Launches::keepBuffers(const Launch& launch, Launched& launched) {
    launched.blocks = heap_.liveBlocks();
    const std::vector<std::string> types = typesOf(launch.entry);
    for (u32 number : launched.blocks) {
        const HeapBlock& block = heap_.blocks()[number];
        Buffer buffer{.name = {}, .type = ElementType::U8, .shape = {}, .bytes = {}};
        if (block.module) buffer.type = elementOf(modules_.find(*block.module)->variables[block.variable]);
        for (std::size_t i = 0; i < std::min(types.size(), launch.arguments.size()); ++i) {
            const auto& bytes = std::get<ScalarArgument>(launch.arguments[i]).bytes;
            if (!run::isPointer(types[i]) || bytes.size() != 8) continue;
            const auto element = run::elementOf(run::pointeeOf(types[i]));
            const ElementTypeInfo* const info = element ? findElementType(element->name) : nullptr;
            if (info && heap_.find(pointerIn(bytes)) == &block) buffer.type = info->type;
        }
        buffer.shape = {block.bytes / info(buffer.type).bytes};
        launched.recording.initial.push_back(std::move(buffer));
    }
}

// Pointers that no kernel can use: to memory of the host, or freed.
void Launches::checkArguments(const ptx::Function& entry, const Launch& launch, Launched& launched,
                              s64 process) {
    using enum HostEvents::BadPointer;
    const std::vector<std::string> types = typesOf(launch.entry);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const auto& bytes = std::get<ScalarArgument>(launch.arguments[i]).bytes;
        const std::string type =
            i < types.size() && types.size() == entry.parameters.size() ? types[i] : std::string();
        launched.record.arguments.push_back(valueText(bytes, type));
        if (bytes.size() != 8 || !run::isPointer(type)) continue;
        const u64 pointer = pointerIn(bytes);
        if (!pointer) continue;
        const HeapBlock* const block = heap_.find(pointer);
        const auto kind = block && block->isFreed                  ? Freed
                          : !block && isMappedBy(process, pointer) ? OfHost
                                                                   : None;
        if (kind != None) events_.givePointer(launched.record.kernel, launched.caller, 1 + i, pointer, kind);
    }
}

void Launches::want(CodeLines& lines) const {
    for (const Launched& launched : launched_)
        lines.wants(launched.caller);
}

void Launches::finish(ProgramRecord& record, const CodeLines& lines, BufferNames& names) {
    record.launchCount = count_;
    record.firstLaunches = first_;
    record.kept = keeper_.finish(names);
    record.emulatedSeconds = seconds_;
    struct Known {
        std::size_t finding;
        const Launched* last;  // a line may have several groups in one launch
    };
    std::map<std::tuple<std::string, std::string, CodePlace, std::string>, Known> known;
    for (Launched& launched : launched_) {
        launched.record.place = lines.at(launched.caller);
        std::vector<Buffer>& buffers = launched.recording.initial;
        for (std::size_t i = 0; i < launched.blocks.size(); ++i)
            buffers[i].name = names.of(heap_.blocks()[launched.blocks[i]]);
        const std::vector<trace::Finding>& found = launched.recording.findings;
        if (!found.empty())
            for (const explain::FindingGroup& group :
                 explain::groupFindings(found, *modules_.find(launched.code))) {
                ProgramFinding finding = findingOf(group, launched, lines, names);
                launched.record.findings.push_back(finding);
                const trace::Finding& first = group.first();
                const auto key =
                    std::tuple(finding.kernel, finding.kind, finding.place,
                               first.buffer >= 0 ? buffers[std::size_t(first.buffer)].name : first.detail);
                const auto [at, isNew] = known.emplace(key, Known{record.findings.size(), &launched});
                if (isNew) {
                    record.findings.push_back(std::move(finding));
                } else {
                    ProgramFinding& same = record.findings[at->second.finding];
                    same.count += finding.count;
                    if (std::exchange(at->second.last, &launched) != &launched) ++same.launches;
                }
            }
        record.launches.push_back(std::move(launched.record));
    }
}

ProgramFinding Launches::findingOf(const explain::FindingGroup& group, const Launched& launched,
                                   const CodeLines& lines, BufferNames& names) const {
    const ptx::Module& module = *modules_.find(launched.code);
    const trace::Finding& first = group.first();
    ProgramFinding finding{.kind = std::string(trace::nameOf(first.kind)),
                           .message = explain::describe(first, module, launched.recording),
                           .place = {},
                           .count = 0,
                           .isRemark = trace::isRemark(first.kind),
                           .kernel = launched.record.kernel};
    for (const trace::Finding* each : group.findings)
        finding.count += each->count;
    if (first.who.pc != kNoPc) {
        const model::SourceLine at = model::sourceLineOf(first.who.pc, module);
        finding.place = {fromHere(module.files[at.file]), at.line};
    }
    const bool isFreedImage =
        first.kind == FindingKind::InvalidTexture && imageFaultOf(first) == trace::ImageFault::Freed;
    const HeapBlock* const block =
        first.kind == FindingKind::InvalidAddress || isFreedImage ? heap_.find(first.address) : nullptr;
    if (first.kind == FindingKind::InvalidTexture && imageFaultOf(first) == trace::ImageFault::Destroyed)
        if (const MadeImage* const image = images_.find(first.address); image && image->destroyedBy)
            finding.message =
                Message(image->facts.isTexture
                            ? english("A thread uses a texture object that was destroyed in line {0}.")
                            : english("A thread uses a surface object that was destroyed in line {0}."),
                        lines.at(image->destroyedBy).line);
    if (block && block->isFreed)
        finding.message =
            Message(english("A thread accesses {0}, which was freed in line {1}: use after free."),
                    names.of(*block), lines.at(block->freedBy).line);
    if (!block && launched.ofHost.contains(first.address))
        finding.message = Message(
            english("A thread accesses host memory ({0}), which a kernel cannot use: copy the data to memory "
                    "from cudaMalloc() and pass that."),
            fmt::format("{:#x}", first.address));
    return finding;
}

}  // namespace lockstep::program
