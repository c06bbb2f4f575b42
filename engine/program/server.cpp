#include "program/server.h"

#include "base/files/whole_file.h"
#include "base/text/counted.h"
#include "cudart/errors.h"
#include "cudart/transfer.h"
#include "explain/findings/finding_at.h"
#include "explain/sentences/finding_groups.h"
#include "explain/sentences/finding_text.h"
#include "model/access/access_cost.h"
#include "model/occupancy/occupancy.h"
#include "model/report.h"
#include "model/source_line.h"
#include "ptx/analysis/shared_layout.h"
#include "ptx/demangled_parameters.h"
#include "run/own/argument_types.h"
#include "simt/decode/decode.h"
#include "simt/decode/launch_mistake.h"
#include "simt/emulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace lockstep::program {
namespace {

using cudart::Ask;
using cudart::Memory;
using cudart::Misuse;
using cudart::Question;
using trace::FindingKind;

// Numbers of cudaError_t.
enum Error : s32 {
    kSuccess = 0,
    kInvalidValue = 1,
    kOutOfMemory = 2,
    kInvalidConfiguration = 9,
    kInvalidSymbol = 13,
    kInvalidDeviceFunction = 98,
    kInvalidPtx = 218,
    kIllegalAddress = 700,
    kTooManyResources = 701,
    kTimeout = 702,
    kAssert = 710,
    kMisalignedAddress = 716,
    kLaunchFailure = 719,
    kCooperativeTooLarge = 720,
    kNotSupported = 801,
};

std::string nameOfError(s64 error) {
    struct Row {
        s64 number;
        const char* name;
    };
#define LOCKSTEP_ROW(number, name, text) {number, #name},
    static constexpr Row kRows[] = {LOCKSTEP_CUDA_ERRORS(LOCKSTEP_ROW)};
#undef LOCKSTEP_ROW
    for (const Row& row : kRows)
        if (row.number == error) return row.name;
    return std::to_string(error);
}

constexpr u64 kMostModules = u64{1} << 30;                        // bytes of PTX in all
constexpr u64 kMostParameters = u64{32} << 10;                    // bytes: more than any GPU takes
constexpr u64 kMostOfSource = u64{16} << 20, kMostOfLine = 1000;  // that are looked at for names

// Longer texts are no question of the runtime library.
u64 mostText(Ask ask) {
    if (ask == Ask::Module) return kMostModules;
    return ask == Ask::Launch ? 2 * kMostParameters : kMostParameters;
}
constexpr u64 kMostDetailed = 1000;

Dim3 dim3(const u64* numbers) { return {u32(numbers[0]), u32(numbers[1]), u32(numbers[2])}; }

// The error by which a GPU would end the kernel; 0: it would not.
s32 errorOf(const trace::Finding& finding) {
    switch (finding.kind) {
        case FindingKind::OutOfBounds: return finding.strayed() ? kSuccess : kIllegalAddress;
        case FindingKind::InvalidAddress: return kIllegalAddress;
        case FindingKind::Misaligned: return kMisalignedAddress;
        case FindingKind::Limit:
            return finding.detail.starts_with("assertion") ? kAssert
                   : finding.detail == "trap"              ? kLaunchFailure
                                                           : kTimeout;
        default: return kSuccess;
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

std::string valueText(const std::vector<std::byte>& bytes, const std::string& type) {
    const auto as = [&]<class T>(T) {
        T value{};
        std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
        return fmt::format("{}", value);
    };
    if (run::isPointer(type)) {
        u64 value = 0;
        std::memcpy(&value, bytes.data(), std::min<std::size_t>(bytes.size(), 8));
        return fmt::format("{:#x}", value);
    }
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

}  // namespace

Server::Server(ServerOptions options, CodeLines& lines)
    : options_(std::move(options)), lines_(lines), heap_(options_.memoryBytes) {}
Server::~Server() = default;

void Server::serve(int socket) {
    for (Question question; cudart::receiveAll(socket, &question, sizeof question);) {
        if (question.textBytes > mostText(question.ask)) return;
        std::string text(question.textBytes, '\0');
        if (!cudart::receiveAll(socket, text.data(), text.size())) return;
        if (!cudart::hasAnswer(question.ask)) {
            note(question, text);
            continue;
        }
        Reply reply = answer(question, text);
        reply.answer.textBytes = u32(reply.text.size());
        if (!cudart::sendAll(socket, &reply.answer, sizeof reply.answer) ||
            !cudart::sendAll(socket, reply.text.data(), reply.text.size()))
            return;
    }
}

Server::Reply Server::answer(const Question& question, const std::string& text) {
    switch (question.ask) {
        case Ask::Hello: process_ = s64(question.numbers[0]); return hello();
        case Ask::Module: return addModule(text);
        case Ask::Variable: return variable(question, text);
        case Ask::Allocate: return allocate(question);
        case Ask::Register:
            return {.answer = {.error = heap_.addRegistered(question.numbers[0], question.numbers[1],
                                                            question.numbers[2], question.caller)
                                            ? kSuccess
                                            : kInvalidValue}};
        case Ask::Free:
            return {.answer = {.error = heap_.free(question.numbers[0], question.caller) ? kSuccess
                                                                                         : kInvalidValue}};
        case Ask::Function: return function(question, text);
        case Ask::Occupancy: return occupancy(question, text);
        case Ask::Launch: return launch(question, text);
        case Ask::Reset:
            heap_.freeAll();
            for (u32 i = 0; i < codes_.size(); ++i)
                placeVariables(i);
            return {};
        case Ask::Room: return {.answer = {.numbers = {heap_.freeBytes(), heap_.mostBytes()}}};
        default: return {.answer = {.error = kInvalidValue}};
    }
}

Server::Reply Server::hello() const {
    const model::Profile& p = options_.profile;
    cudart::Device device{.name = {},
                          .major = p.major,
                          .minor = p.minor,
                          .multiprocessors = p.multiprocessors,
                          .clockKilohertz = p.speed ? p.speed->clockMhz * 1000 : 0,
                          .threadsPerBlock = p.threadsPerBlock,
                          .threadsPerSm = p.threadsPerSm,
                          .blocksPerSm = p.blocksPerSm,
                          .registersPerSm = p.registersPerSm,
                          .block = {p.largestBlock.x, p.largestBlock.y, p.largestBlock.z},
                          .grid = {p.largestGrid.x, p.largestGrid.y, p.largestGrid.z},
                          .memoryBytes = heap_.mostBytes(),
                          .sharedPerBlock = p.sharedBytesPerBlock,
                          .sharedPerSm = p.sharedBytesPerSm,
                          .sharedOptIn = p.sharedBytesOptIn,
                          .sharedReserved = p.sharedReservedPerBlock,
                          .l2Bytes = p.caches ? p.caches->l2Bytes : 0};
    const std::string name = "Lockstep emulator (" + p.card + ")";
    std::memcpy(device.name, name.data(), std::min(name.size(), sizeof device.name - 1));
    return {.text = std::string(reinterpret_cast<const char*>(&device), sizeof device)};
}

Server::Reply Server::addModule(const std::string& text) {
    if (text.size() > kMostModules - moduleBytes_)
        return {.answer = {.error = kOutOfMemory, .numbers = {~u64{0}}}};
    moduleBytes_ += text.size();
    if (codes_.emplace_back(readCode(text)).module) placeVariables(u32(codes_.size() - 1));
    return {.answer = {.numbers = {codes_.size() - 1}}};
}

// A module's variables lie in device memory as long as the program runs. The second time, they get their
// first values again.
void Server::placeVariables(u32 number) {
    const ptx::Module* const module = code(number);
    if (!module) return;
    std::vector<u64> addresses(module->variables.size());
    std::vector<std::byte*> hosts(module->variables.size());
    for (const HeapBlock& block : heap_.blocks())
        if (block.module == number)
            addresses[block.variable] = block.address, hosts[block.variable] = block.bytesOnHost();
    for (u32 id = 0; id < module->variables.size(); ++id) {
        const ptx::Variable& variable = module->variables[id];
        const bool isPlaced =
            variable.space == ptx::StateSpace::Global || variable.space == ptx::StateSpace::Const;
        if (!isPlaced || hosts[id]) continue;
        HeapBlock* const block = heap_.allocate(variable.sizeBytes, Memory::Device, 0);
        if (!block) continue;
        block->module = number;
        block->variable = id;
        addresses[id] = block->address;
        hosts[id] = block->host;
    }
    for (u32 id = 0; id < hosts.size(); ++id)
        if (hosts[id]) simt::initialiseVariable(*module, id, addresses, hosts[id]);
}

Server::Reply Server::variable(const Question& question, const std::string& name) {
    for (std::size_t i = 0; i < heap_.blocks().size(); ++i) {
        HeapBlock& block = heap_[i];
        if (block.module == question.numbers[0] &&
            codes_[*block.module].module->variables[block.variable].name == name) {
            if (question.numbers[1]) {
                if (!heap_.moveTo(block, question.numbers[1], question.numbers[2]))
                    return {.answer = {.error = kOutOfMemory}};
                placeVariables(*block.module);
            }
            return {.answer = {.numbers = {block.address, block.bytes, block.fileOffset}}};
        }
    }
    return {.answer = {.error = kInvalidSymbol}};
}

Server::Reply Server::allocate(const Question& question) {
    if (question.numbers[1] > u64(Memory::Registered)) return {.answer = {.error = kInvalidValue}};
    const auto memory = Memory(u32(question.numbers[1]));
    if (memory == Memory::Registered) {
        const auto offset = heap_.reserve(question.numbers[0]);
        return offset ? Reply{.answer = {.numbers = {0, *offset}}} : Reply{.answer = {.error = kOutOfMemory}};
    }
    const HeapBlock* block = heap_.allocate(question.numbers[0], memory, question.caller);
    if (!block) return {.answer = {.error = kOutOfMemory}};
    return {.answer = {.numbers = {block->address, block->fileOffset, block->mappedBytes}}};
}

Server::Reply Server::function(const Question& question, const std::string& name) const {
    const ptx::Module* const module = code(question.numbers[0]);
    const ptx::Function* const entry = module ? module->findEntry(name) : nullptr;
    if (!entry) return {.answer = {.error = module ? kInvalidDeviceFunction : kInvalidPtx}};
    cudart::FunctionFacts facts{.sharedBytes = ptx::sharedLayout(*module, *entry, 0).staticBytes,
                                .constantBytes = 0,
                                .localBytes = 0,
                                .mostThreads = options_.profile.threadsPerBlock,
                                .registers = 0,
                                .parameters = u32(entry->parameters.size())};
    if (entry->maxThreads)
        facts.mostThreads = std::min<u32>(facts.mostThreads, u32(entry->maxThreads->count()));
    const std::vector<bool> used = ptx::usedVariables(*module, ptx::reachableFunctions(*module, *entry));
    for (u32 id = 0; id < module->variables.size(); ++id) {
        const ptx::Variable& variable = module->variables[id];
        if (variable.space == ptx::StateSpace::Const) facts.constantBytes += variable.sizeBytes;
        if (used[id] && variable.space == ptx::StateSpace::Local) facts.localBytes += variable.sizeBytes;
    }
    Reply reply{.text = std::string(reinterpret_cast<const char*>(&facts), sizeof facts)};
    for (ptx::VariableId parameter : entry->parameters) {
        const u32 bytes = u32(module->variables[parameter.value].sizeBytes);
        reply.text.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    }
    return reply;
}

Server::Reply Server::occupancy(const Question& question, const std::string& name) const {
    const ptx::Module* const module = code(question.numbers[0]);
    const ptx::Function* const entry = module ? module->findEntry(name) : nullptr;
    if (!entry) return {.answer = {.error = kInvalidDeviceFunction}};
    const u64 shared = ptx::sharedLayout(*module, *entry, question.numbers[2]).totalBytes;
    const model::Occupancy found = model::occupancy(
        {.threads = question.numbers[1], .sharedBytes = shared, .registersPerThread = {}, .gridBlocks = 1},
        options_.profile);
    const bool fits = question.numbers[1] <= options_.profile.threadsPerBlock;
    return {.answer = {.numbers = {fits ? found.possibleBlocksPerSm : 0}}};
}

Server::Reply Server::launch(const Question& question, const std::string& text) {
    ++launchCount_;
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
    const ptx::Module* const module = code(question.numbers[0]);
    const ptx::Function* const entry = module ? module->findEntry(name) : nullptr;
    int later = kSuccess;
    const Message whyNot = whyNotRead(question.numbers[0], name);
    if (!whyNot.empty()) {
        reply.answer.error = kInvalidPtx;
        add({.ask = Ask::Launch,
             .function = launched.record.kernel,
             .caller = question.caller,
             .detail = whyNot});
    } else if (entry) {
        Launch launch{.entry = name,
                      .grid = launched.record.grid,
                      .block = launched.record.block,
                      .dynamicSharedBytes = u32(std::min<u64>(question.numbers[7], 0xffffffff)),
                      .arguments = {}};
        std::size_t at = end + 1;
        for (ptx::VariableId parameter : entry->parameters) {
            const u64 bytes = module->variables[parameter.value].sizeBytes;
            if (bytes > kMostParameters) return {.answer = {.error = kInvalidPtx}};
            ScalarArgument argument{std::vector<std::byte>(bytes)};
            if (at + bytes <= text.size()) std::memcpy(argument.bytes.data(), text.data() + at, bytes);
            at += bytes;
            launch.arguments.emplace_back(std::move(argument));
        }
        reply.answer.error = run(question, *entry, launch, launched, reply.text, later);
    } else {
        reply.answer.error = kInvalidDeviceFunction;
    }
    reply.answer.numbers[0] = u64(later);
    if (reply.answer.error || later)
        launched.record.error = nameOfError(reply.answer.error ? reply.answer.error : later);
    // Later ones only if something was found; of very many the details are not kept.
    const bool hasFindings = !launched.recording.findings.empty();
    if (hasFindings && ++launchesWithFindings_ > kMostDetailed)
        launched.recording = {}, launched.blocks.clear();
    if (launched_.size() < ProgramRecord::kMostLaunches ||
        (hasFindings && launchesWithFindings_ <= kMostDetailed))
        launched_.push_back(std::move(launched));
    return reply;
}

// Empty: the kernel could be read.
Message Server::whyNotRead(u64 number, const std::string& kernel) const {
    if (number >= codes_.size()) return {};
    const ReadCode& code = codes_[number];
    if (!code.module) return code.whyNot;
    const auto found = code.refused.find(kernel);
    return found == code.refused.end() ? Message() : found->second;
}

int Server::run(const Question& question, const ptx::Function& entry, const Launch& launch,
                Launched& launched, std::string& printed, int& later) {
    const ptx::Module& module = *code(question.numbers[0]);
    const model::Profile& profile = options_.profile;
    const auto refused = [&](Message why) {
        add({.ask = Ask::Launch,
             .function = launched.record.kernel,
             .caller = question.caller,
             .detail = std::move(why)});
    };
    simt::Options options;
    options.limits = {.threadsPerBlock = profile.threadsPerBlock,
                      .sharedBytesPerBlock = profile.sharedBytesPerBlock,
                      .sharedBytesOptIn = profile.sharedBytesOptIn,
                      .block = profile.largestBlock,
                      .grid = profile.largestGrid};
    if (const auto mistake = simt::launchMistake(module, entry, launch, options.limits)) {
        refused(mistake->message);
        if (mistake->part == simt::LaunchPart::DynamicSharedBytes) return kInvalidValue;
        return mistake->part ? kInvalidConfiguration : kTooManyResources;
    }
    if (question.numbers[7] > question.numbers[8]) {
        refused(Message(
            english("it requests {0} {0:byte|bytes} of dynamic shared memory; more than {1} must be enabled "
                    "first: "
                    "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)"),
            grouped(question.numbers[7]), grouped(question.numbers[8])));
        return kInvalidValue;
    }
    if (question.numbers[9]) {
        const u64 shared = ptx::sharedLayout(module, entry, launch.dynamicSharedBytes).totalBytes;
        const model::Occupancy fits = model::occupancy({.threads = launch.block.count(),
                                                        .sharedBytes = shared,
                                                        .registersPerThread = {},
                                                        .gridBlocks = launch.grid.count()},
                                                       profile);
        if (launch.grid.count() > u64{fits.possibleBlocksPerSm} * profile.multiprocessors) {
            refused(Message(
                english("a cooperative launch of {0} {0:block|blocks}, of which the device holds {1} at a "
                        "time: choose a smaller grid"),
                grouped(launch.grid.count()),
                grouped(u64{fits.possibleBlocksPerSm} * profile.multiprocessors)));
            return kCooperativeTooLarge;
        }
    }
    checkArguments(entry, launch, launched);

    const simt::LastingMemory memory = heap_.memoryFor(u32(question.numbers[0]), module);
    const auto rest = options_.limit - std::chrono::duration_cast<std::chrono::nanoseconds>(
                                           std::chrono::duration<f64>(seconds_));
    options.threads = options_.threads;
    options.limit = std::max(rest, std::chrono::nanoseconds(1'000'000));
    options.focus.emplace();
    options.counts = options_.counts;
    options.events = false;
    options.mostFindings = options_.mostFindings;
    options.overflowCost = [costing = std::make_shared<const model::AccessCosting>(module, profile)](
                               const trace::WarpAccess& access) { return costing->cost(access); };
    options.progress = options_.progress;
    options.memory = &memory;
    options.printed = &printed;
    options.mostThreadInstructions = 0;
    Expected<simt::Result> result = simt::run(module, std::span(&launch, 1), {}, options);
    if (!result) {
        refused(result.error().message);
        return result.error().kind == FaultKind::Unsupported ? kNotSupported : kLaunchFailure;
    }
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
    if (recording.findings.empty()) return kSuccess;
    launched.blocks = heap_.liveBlocks();
    // Elements as the parameters that point there have them.
    const std::vector<std::string> types = typesOf(launch.entry);
    for (u32 number : launched.blocks) {
        const HeapBlock& block = heap_.blocks()[number];
        Buffer buffer{.name = {}, .type = ElementType::U8, .shape = {}, .bytes = {}};
        if (block.module) buffer.type = elementOf(codes_[*block.module].module->variables[block.variable]);
        for (std::size_t i = 0; i < std::min(types.size(), launch.arguments.size()); ++i) {
            u64 pointer = 0;
            const auto& bytes = std::get<ScalarArgument>(launch.arguments[i]).bytes;
            if (!run::isPointer(types[i]) || bytes.size() != 8) continue;
            std::memcpy(&pointer, bytes.data(), 8);
            const auto element = run::elementOf(run::pointeeOf(types[i]));
            const ElementTypeInfo* const info = element ? findElementType(element->name) : nullptr;
            if (info && heap_.find(pointer) == &block) buffer.type = info->type;
        }
        buffer.shape = {block.bytes / info(buffer.type).bytes};
        recording.initial.push_back(std::move(buffer));
    }
    return kSuccess;
}

bool Server::isMappedByProgram(u64 address) const {
    std::ifstream maps("/proc/" + std::to_string(process_) + "/maps");
    for (std::string line; std::getline(maps, line);) {
        u64 begin = 0, end = 0;
        if (std::sscanf(line.c_str(), "%llx-%llx", reinterpret_cast<unsigned long long*>(&begin),
                        reinterpret_cast<unsigned long long*>(&end)) == 2 &&
            address >= begin && address < end)
            return true;
    }
    return false;
}

// Pointers that no kernel can use: to memory of the host, or freed.
void Server::checkArguments(const ptx::Function& entry, const Launch& launch, Launched& launched) {
    const std::vector<std::string> types = typesOf(launch.entry);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const auto& bytes = std::get<ScalarArgument>(launch.arguments[i]).bytes;
        const std::string type =
            i < types.size() && types.size() == entry.parameters.size() ? types[i] : std::string();
        launched.record.arguments.push_back(valueText(bytes, type));
        u64 pointer = 0;
        if (bytes.size() != 8 || !run::isPointer(type)) continue;
        std::memcpy(&pointer, bytes.data(), 8);
        if (!pointer) continue;
        const HeapBlock* const block = heap_.find(pointer);
        HostEvent event{.ask = Ask::Launch, .function = launched.record.kernel, .caller = launched.caller};
        event.numbers[0] = 1 + i;
        event.numbers[1] = pointer;
        if (block && block->isFreed)
            event.numbers[2] = 2;
        else if (!block && isMappedByProgram(pointer))
            event.numbers[2] = 1;
        else
            continue;
        add(std::move(event));
    }
}

void Server::note(const Question& question, const std::string& text) {
    if (question.ask > Ask::Ended) return;
    switch (question.ask) {
        case Ask::Crashed:
            crash_ = {int(question.numbers[0]), question.numbers[1], question.caller};
            lines_.wants(question.caller);
            return;
        case Ask::Ended: lost_ = question.numbers[0]; return;
        default: break;
    }
    HostEvent event{.ask = question.ask, .function = text, .caller = question.caller};
    std::copy_n(question.numbers, 4, event.numbers);
    if (question.ask == Ask::Misused && question.numbers[0] == u64(Misuse::Nowhere)) {
        const HeapBlock* const block = heap_.find(question.numbers[1]);  // later it may be another
        event.numbers[2] = block && block->isFreed;
    }
    add(std::move(event));
}

void Server::add(HostEvent event) {
    for (auto& [known, count] : events_)
        if (known.key() == event.key()) {
            ++count;
            return;
        }
    constexpr std::size_t kMostEvents = 1000;
    if (events_.size() < kMostEvents) events_.emplace_back(std::move(event), 1);
}

// "d_a" from `cudaMalloc(&d_a, n)`, where it was allocated.
std::string Server::nameOf(const HeapBlock& block) {
    if (block.module)
        return std::string(ptx::shortName(codes_[*block.module].module->variables[block.variable].name));
    const CodePlace place = lines_.at(block.caller);
    if (place.line && !sources_.contains(place.file)) {
        std::error_code error;  // the program's word for it: "/dev/zero" has no end
        std::vector<std::string>& read = sources_[place.file];
        if (std::filesystem::is_regular_file(place.file, error) &&
            std::filesystem::file_size(place.file, error) <= kMostOfSource) {
            std::ifstream file(place.file);
            for (std::string line; std::getline(file, line);)
                read.push_back(line.substr(0, kMostOfLine));
        }
    }
    const std::vector<std::string>& lines = sources_[place.file];
    if (place.line && place.line <= lines.size()) {
        static const std::regex kName(
            R"(\(\s*(?:\(\s*void\s*\*\s*\*\s*\)\s*)?&\s*([A-Za-z_][A-Za-z0-9_]*(?:(?:\.|->)[A-Za-z_][A-Za-z0-9_]*|\[[A-Za-z0-9_]+\])*))");
        std::smatch found;
        constexpr std::size_t kLongest = 1000;  // std::regex goes as deep as a line is long
        const std::string line = lines[place.line - 1].substr(0, kLongest);
        const std::size_t from = line.find("cuda");
        const std::string rest = from == std::string::npos ? line : line.substr(from);
        if (std::regex_search(rest, found, kName)) return found[1];
        return fmt::format("memory of line {}", place.line);
    }
    return fmt::format("memory at {:#x}", block.address);
}

void Server::nameBuffers(Launched& launched) {
    for (std::size_t i = 0; i < launched.blocks.size(); ++i)
        launched.recording.initial[i].name = nameOf(heap_.blocks()[launched.blocks[i]]);
}

Message Server::describe(const HostEvent& event) {
    const auto line = [&](u64 caller) -> Message {
        const CodePlace place = lines_.at(caller);
        return place.line ? Message(english("line {0}"), place.line) : Message(english("an unknown line"));
    };
    const auto named = [&](u64 address) -> Message {
        const HeapBlock* const block = heap_.find(address);
        if (!block) return Message::plain(fmt::format("{:#x}", address));
        return Message::plain(nameOf(*block));
    };
    const u64* const n = event.numbers;
    if (event.ask == Ask::Launch && !event.detail.empty())
        return Message(english("The launch of {0} was refused: {1}."), event.function, event.detail);
    if (event.ask == Ask::Launch) {
        if (n[2] == 1)
            return Message(english("Argument {0} of kernel {1} is a pointer to host memory, which a kernel "
                                   "cannot use: copy the data to memory from cudaMalloc() and pass that."),
                           n[0], event.function);
        const HeapBlock* const block = heap_.find(n[1]);
        return Message(english("Argument {0} of kernel {1} points to {2}, which was freed in {3}."), n[0],
                       event.function, named(n[1]), line(block ? block->freedBy : 0));
    }
    switch (Misuse(u32(n[0]))) {
        case Misuse::WrongDirection: {
            if (n[3] > 4)
                return Message(english("{0} is given host memory; it fills device memory."), event.function);
            static constexpr const char* kKinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                                     "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                                     "cudaMemcpyDefault"};
            const bool isDevice = heap_.find(n[2]) != nullptr;
            return Message(n[1] == 0
                               ? (isDevice ? english("{0} with {1}: the destination, {2}, is device memory.")
                                           : english("{0} with {1}: the destination is host memory."))
                               : (isDevice ? english("{0} with {1}: the source, {2}, is device memory.")
                                           : english("{0} with {1}: the source is host memory.")),
                           event.function, kKinds[n[3]], named(n[2]));
        }
        case Misuse::TooLong: {
            const HeapBlock* const block = heap_.find(n[1]);
            const u64 offset = block ? n[1] - block->address : 0;
            return Message(english("{0} of {1} {1:byte|bytes} goes past the end of {2}, of which {3} "
                                   "{3:byte|bytes} are left there."),
                           event.function, grouped(n[2]), named(n[1]),
                           grouped(block && block->bytes > offset ? block->bytes - offset : 0));
        }
        case Misuse::Nowhere: {
            const HeapBlock* const block = heap_.find(n[1]);
            if (n[2] && block && block->isFreed)
                return Message(english("{0} is given {1}, which was freed in {2}."), event.function,
                               named(n[1]), line(block->freedBy));
            return Message(english("{0} is given a pointer ({1}) that no call of cudaMalloc() returned."),
                           event.function, fmt::format("{:#x}", n[1]));
        }
        case Misuse::NotOffered:
            return Message(
                english("{0} is used in a way that is not offered here; it returns cudaErrorNotSupported."),
                event.function);
    }
    return {};
}

void Server::finish(ProgramRecord& record) {
    for (const HeapBlock& block : heap_.blocks())
        lines_.wants(block.caller), lines_.wants(block.freedBy);
    for (const Launched& launched : launched_)
        lines_.wants(launched.caller);
    for (const auto& [event, count] : events_)
        lines_.wants(event.caller);
    lines_.look();

    record.launchCount = launchCount_;
    record.emulatedSeconds = seconds_;
    std::map<std::tuple<std::string, std::string, CodePlace, std::string>, std::size_t> known;
    for (Launched& launched : launched_) {
        launched.record.place = lines_.at(launched.caller);
        if (!launched.recording.findings.empty()) {
            nameBuffers(launched);
            const ptx::Module& module = *codes_[launched.code].module;
            for (const explain::FindingGroup& group :
                 explain::groupFindings(launched.recording.findings, module)) {
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
                const HeapBlock* const block =
                    first.kind == FindingKind::InvalidAddress ? heap_.find(first.address) : nullptr;
                if (block && block->isFreed)
                    finding.message = Message(
                        english("A thread accesses {0}, which was freed in line {1}: use after free."),
                        nameOf(*block), lines_.at(block->freedBy).line);
                launched.record.findings.push_back(finding);
                const auto key =
                    std::tuple(finding.kernel, finding.kind, finding.place,
                               first.buffer >= 0 ? launched.recording.initial[std::size_t(first.buffer)].name
                                                 : first.detail);
                const auto [at, isNew] = known.emplace(key, record.findings.size());
                if (isNew) {
                    record.findings.push_back(std::move(finding));
                } else {
                    record.findings[at->second].count += finding.count;
                    ++record.findings[at->second].launches;
                }
            }
        }
        record.launches.push_back(std::move(launched.record));
    }
    for (const auto& [event, count] : events_) {
        const CodePlace place = lines_.at(event.caller);
        if (event.ask == Ask::Failed) {
            record.failed.push_back(
                {event.function, nameOfError(s64(event.numbers[0])), place, count, event.numbers[1] == 1});
            continue;
        }
        static constexpr const char* kMisuses[] = {"wrong_direction", "copy_out_of_bounds", "bad_pointer",
                                                   "not_offered", "forked"};
        record.findings.push_back({.kind = event.ask != Ask::Launch
                                               ? kMisuses[std::min<u64>(event.numbers[0], 3)]
                                           : !event.detail.empty() ? "launch_refused"
                                           : event.numbers[2] == 1 ? "host_pointer"
                                                                   : "use_after_free",
                                   .message = describe(event),
                                   .place = place,
                                   .count = count});
    }
    if (record.end != End::Exited) return;
    if (lost_)
        record.findings.push_back(
            {.kind = "output_lost",
             .message =
                 Message(english("Kernels printed {0} {0:byte|bytes} that a GPU would never show: the "
                                 "program ends without waiting for them. Call cudaDeviceSynchronize()."),
                         grouped(lost_)),
             .place = {},
             .isRemark = true});
    // Device memory that was never freed, by the line that allocated it.
    std::map<CodePlace, std::pair<u64, u64>> leaks;
    for (const HeapBlock& block : heap_.blocks())
        if (!block.isFreed && !block.module && block.memory != Memory::Registered) {
            auto& [count, bytes] = leaks[lines_.at(block.caller)];
            ++count;
            bytes += block.bytes;
        }
    for (const auto& [place, leak] : leaks)
        record.findings.push_back(
            {.kind = "leak",
             .message = Message(
                 english("{0} {0:allocation|allocations} of device memory, {1} {1:byte|bytes} in all, "
                         "{0:is|are} never freed."),
                 leak.first, grouped(leak.second)),
             .place = place,
             .count = leak.first,
             .isRemark = true});
}

}  // namespace lockstep::program
