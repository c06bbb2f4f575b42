#include "program/server.h"

#include "base/text/counted.h"
#include "cudart/transfer.h"
#include "model/occupancy/occupancy.h"
#include "program/buffer_names.h"
#include "program/runtime_error.h"
#include "ptx/analysis/shared_layout.h"
#include "simt/decode/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace lockstep::program {
namespace {

using cudart::Ask;
using cudart::Memory;
using cudart::Question;

// Longer texts are no question of the runtime library.
u64 mostText(Ask ask) {
    if (ask == Ask::Module) return Modules::kMostBytes;
    return ask == Ask::Launch ? 2 * Launches::kMostParameterBytes : Launches::kMostParameterBytes;
}

}  // namespace

Server::Server(ServerOptions options, CodeLines& lines)
    : options_(std::move(options)),
      lines_(lines),
      heap_(options_.memoryBytes),
      events_(heap_),
      operations_(heap_),
      launches_(options_, modules_, images_, heap_, events_, operations_) {}
Server::~Server() = default;

void Server::serve(int socket) {
    if (isGreeted(socket)) answerAll(socket);
    notePending();
}

bool Server::isGreeted(int socket) {
    cudart::Greeting greeting, ours;
    std::memcpy(ours.version, cudart::kProtocolVersion, sizeof ours.version);
    if (!cudart::receiveAll(socket, &greeting, sizeof greeting)) return false;
    speaksOtherwise_ = std::memcmp(&greeting, &ours, sizeof ours) != 0;
    if (speaksOtherwise_) shutdown(socket, SHUT_RDWR);
    return !speaksOtherwise_;
}

void Server::answerAll(int socket) {
    for (Question question; cudart::receiveAll(socket, &question, sizeof question);) {
        if (question.textBytes > mostText(question.ask)) return;
        std::string text(question.textBytes, '\0');
        if (!cudart::receiveAll(socket, text.data(), text.size())) return;
        if (!cudart::hasAnswer(question.ask)) {
            note(question, text);
            continue;
        }
        Reply reply = answer(question, text);
        operations_.lookForNew();
        reply.answer.textBytes = u32(reply.text.size());
        if (!cudart::sendAll(socket, &reply.answer, sizeof reply.answer) ||
            !cudart::sendAll(socket, reply.text.data(), reply.text.size()))
            return;
    }
}

Reply Server::answer(const Question& question, const std::string& text) {
    switch (question.ask) {
        case Ask::Hello: process_ = s64(question.numbers[0]); return hello();
        case Ask::Module: return addModule(text);
        case Ask::Variable: return variable(question, text);
        case Ask::Allocate: return allocate(question);
        case Ask::Register:
            return {.answer = {.error = heap_.addRegistered(question.numbers[0], question.numbers[1],
                                                            question.numbers[2], question.caller)
                                            ? cudaSuccess
                                            : cudaErrorInvalidValue}};
        case Ask::Free: return free(question);
        case Ask::Function: return function(question, text);
        case Ask::Occupancy: return occupancy(question, text);
        case Ask::Launch: return launches_.run(question, text, process_);
        case Ask::Reset:
            operations_.freedAll();
            heap_.freeAll();
            images_.destroyAll();
            for (u32 i = 0; i < modules_.size(); ++i)
                placeVariables(i);
            return {};
        case Ask::Kept: notePending(); return {};
        case Ask::MakeImage: return makeImage(question, text);
        case Ask::DestroyImage:
            return {.answer = {.error = images_.destroy(question.numbers[0], question.caller)
                                            ? cudaSuccess
                                            : cudaErrorInvalidValue}};
        case Ask::Room: return {.answer = {.numbers = {heap_.freeBytes(), heap_.mostBytes()}}};
        case Ask::KernelHeap:
            if (question.numbers[0] && !heap_.setKernelHeapBytes(question.numbers[0]))
                return {.answer = {.error = cudaErrorInvalidValue}};
            return {.answer = {.numbers = {heap_.kernelHeapBytes()}}};
        default: return {.answer = {.error = cudaErrorInvalidValue}};
    }
}

// What the program had done, and not told of when it ended.
void Server::notePending() {
    const std::string questions = heap_.pendingQuestions();
    for (std::size_t at = 0; at + sizeof(Question) <= questions.size();) {
        Question question;
        std::memcpy(&question, questions.data() + at, sizeof question);
        at += sizeof question;
        if (question.ask != Ask::Operation || question.textBytes > questions.size() - at) return;
        note(question, questions.substr(at, question.textBytes));
        at += question.textBytes;
    }
}

Reply Server::hello() const {
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
                          .l2Bytes = p.caches ? p.caches->l2Bytes : 0,
                          .memoryMegabytesPerSecond = p.speed ? u64(p.speed->memoryMBPerSecond) : 0};
    const std::string name = "Lockstep emulator (" + p.card + ")";
    std::memcpy(device.name, name.data(), std::min(name.size(), sizeof device.name - 1));
    return {.text = std::string(reinterpret_cast<const char*>(&device), sizeof device)};
}

Reply Server::addModule(const std::string& text) {
    const std::optional<u32> number = modules_.add(text);
    if (!number) return {.answer = {.error = cudaErrorMemoryAllocation, .numbers = {~u64{0}}}};
    placeVariables(*number);
    return {.answer = {.numbers = {*number}}};
}

// A module's variables lie in device memory as long as the program runs. The second time, they get their
// first values again.
void Server::placeVariables(u32 number) {
    const ptx::Module* const module = modules_.find(number);
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

Reply Server::variable(const Question& question, const std::string& name) {
    for (std::size_t i = 0; i < heap_.blocks().size(); ++i) {
        HeapBlock& block = heap_[i];
        if (block.module == question.numbers[0] &&
            modules_.find(*block.module)->variables[block.variable].name == name) {
            if (question.numbers[1]) {
                if (!heap_.moveTo(block, question.numbers[1], question.numbers[2]))
                    return {.answer = {.error = cudaErrorMemoryAllocation}};
                placeVariables(*block.module);
            }
            return {.answer = {.numbers = {block.address, block.bytes, block.fileOffset}}};
        }
    }
    return {.answer = {.error = cudaErrorInvalidSymbol}};
}

Reply Server::allocate(const Question& question) {
    if (question.numbers[1] > u64(Memory::Registered)) return {.answer = {.error = cudaErrorInvalidValue}};
    const auto memory = Memory(u32(question.numbers[1]));
    if (memory == Memory::Registered) {
        const auto offset = heap_.reserve(question.numbers[0]);
        return offset ? Reply{.answer = {.numbers = {0, *offset}}}
                      : Reply{.answer = {.error = cudaErrorMemoryAllocation}};
    }
    HeapBlock* const block = heap_.allocate(question.numbers[0], memory, question.caller);
    if (!block) return {.answer = {.error = cudaErrorMemoryAllocation}};
    block->rowBytes = question.numbers[2];
    return {.answer = {.numbers = {block->address, block->fileOffset, block->mappedBytes}}};
}

Reply Server::free(const Question& question) {
    const std::optional<u32> block = operations_.blockAt(question.numbers[0]);
    if (!heap_.free(question.numbers[0], question.caller))
        return {.answer = {.error = cudaErrorInvalidValue}};
    if (block) operations_.freed(*block);
    return {};
}

Reply Server::makeImage(const Question& question, const std::string& text) {
    cudart::ImageFacts facts;
    if (text.size() != sizeof facts) return {.answer = {.error = cudaErrorInvalidValue}};
    std::memcpy(&facts, text.data(), sizeof facts);
    const std::optional<u64> number = images_.add(facts, heap_, question.caller);
    return number ? Reply{.answer = {.numbers = {*number}}}
                  : Reply{.answer = {.error = cudaErrorInvalidValue}};
}

Reply Server::function(const Question& question, const std::string& name) const {
    const ptx::Module* const module = modules_.find(question.numbers[0]);
    const ptx::Function* const entry = modules_.findEntry(question.numbers[0], name);
    if (!entry) return {.answer = {.error = module ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidPtx}};
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

Reply Server::occupancy(const Question& question, const std::string& name) const {
    const ptx::Module* const module = modules_.find(question.numbers[0]);
    const ptx::Function* const entry = modules_.findEntry(question.numbers[0], name);
    if (!entry) return {.answer = {.error = cudaErrorInvalidDeviceFunction}};
    const u64 shared = ptx::sharedLayout(*module, *entry, question.numbers[2]).totalBytes;
    const model::Occupancy found = model::occupancy(
        {.threads = question.numbers[1], .sharedBytes = shared, .registersPerThread = {}, .gridBlocks = 1},
        options_.profile);
    const bool fits = question.numbers[1] <= options_.profile.threadsPerBlock;
    return {.answer = {.numbers = {fits ? found.possibleBlocksPerSm : 0}}};
}

void Server::note(const Question& question, const std::string& text) {
    switch (question.ask) {
        case Ask::Crashed:
            crash_ = {int(question.numbers[0]), question.numbers[1], question.caller};
            lines_.wants(question.caller);
            return;
        case Ask::Ended: lost_ = question.numbers[0]; return;
        case Ask::Failed:
        case Ask::Misused:
        case Ask::Asked: events_.note(question, text); return;
        case Ask::Operation: operations_.note(question, text); return;
        default: return;
    }
}

void Server::finish(ProgramRecord& record) {
    events_.want(lines_);
    launches_.want(lines_);
    operations_.want(lines_);
    images_.want(lines_);
    lines_.look();
    BufferNames names(modules_, lines_, heap_.blocks());
    launches_.finish(record, lines_, names);
    events_.finish(record, lines_, names);
    operations_.finish(record, lines_, names);
    if (record.end == End::Exited && lost_)
        record.findings.push_back(
            {.kind = "output_lost",
             .message =
                 Message(english("Kernels printed {0} {0:byte|bytes} that a GPU would never show: the "
                                 "program ends without waiting for them. Call cudaDeviceSynchronize()."),
                         grouped(lost_)),
             .place = {},
             .isRemark = true});
}

}  // namespace lockstep::program
