#include "program/operation_log.h"

#include "program/runtime_error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::program {
namespace {

using cudart::OperationKind;
using operations::Kind;
using operations::Operation;
using operations::Operations;
using operations::Side;
using operations::StreamKind;

constexpr std::size_t kMostOfName = 100;  // no function of the runtime has more

std::optional<Kind> kindOf(u64 told) {
    switch (OperationKind(u32(std::min<u64>(told, 0xff)))) {
        case OperationKind::Copy: return Kind::Copy;
        case OperationKind::Fill: return Kind::Fill;
        case OperationKind::EventRecord: return Kind::EventRecord;
        case OperationKind::StreamWait: return Kind::StreamWait;
        case OperationKind::Synchronize: return Kind::Synchronize;
        case OperationKind::HostFunction: return Kind::HostFunction;
        case OperationKind::MakeStream:
        case OperationKind::MakeEvent: break;
    }
    return {};
}

operations::Memory memoryOf(const HeapBlock& block) {
    constexpr std::array kMemories{operations::Memory::Device, operations::Memory::Managed,
                                   operations::Memory::Pinned, operations::Memory::Registered};
    return block.module ? operations::Memory::Variable : kMemories[std::size_t(block.memory)];
}

bool isOfHost(const HeapBlock& block) {
    return !block.module &&
           (block.memory == cudart::Memory::Host || block.memory == cudart::Memory::Registered);
}

u64 findingsIn(const ProgramRecord& record, u64 launch) {
    if (launch == 0 || launch > record.firstLaunches) return 0;
    return u64(std::ranges::count(record.launches[launch - 1].findings, false, &ProgramFinding::isRemark));
}
std::map<CodePlace, u64> findingsOfHostCode(const ProgramRecord& record) {
    std::map<CodePlace, u64> counts;
    for (const ProgramFinding& finding : record.findings)
        if (finding.kernel.empty() && !finding.isRemark && finding.place.line) ++counts[finding.place];
    return counts;
}

}  // namespace

std::optional<u32> OperationLog::Numbers::indexOf(u64 number, u64 caller, StreamKind kind) {
    if (number == cudart::kNone) return {};
    const auto found = indices_.find(number);
    if (found != indices_.end()) return found->second;
    if (made_.size() == Operations::kMostStreams) return {};
    made_.push_back({caller, kind});
    return indices_[number] = u32(made_.size() - 1);
}

OperationLog::OperationLog(const DeviceHeap& heap) : heap_(heap) {}

std::optional<u32> OperationLog::streamAt(u64 number) {
    return streams_.indexOf(number, 0,
                            number == cudart::kDefaultStream     ? StreamKind::Default
                            : number == cudart::kPerThreadStream ? StreamKind::PerThread
                                                                 : StreamKind::Made);
}

std::optional<u32> OperationLog::blockAt(u64 address) const {
    const HeapBlock* const block = heap_.find(address);
    if (!block || block->isFreed || address - block->address > block->bytes) return {};
    return u32(block - heap_.blocks().data());
}

std::optional<Side> OperationLog::sideAt(u64 address) const {
    if (!address) return {};
    const std::optional<u32> block = blockAt(address);
    return block ? Side{block, address - heap_.blocks()[*block].address} : Side{};
}

bool OperationLog::isHostAlone(const Side& side) const {
    return !side.buffer || isOfHost(heap_.blocks()[*side.buffer]);
}

void OperationLog::lookForNew() {
    while (blocks_.size() < heap_.blocks().size())
        blocks_.push_back({.begin = count_});
}

void OperationLog::freed(u32 block) {
    lookForNew();
    blocks_[block].end = count_;
}

void OperationLog::freedAll() {
    lookForNew();
    for (std::size_t i = 0; i < blocks_.size(); ++i)
        if (heap_.blocks()[i].module)
            ++blocks_[i].writes;
        else if (!heap_.blocks()[i].isFreed)
            blocks_[i].end = count_;
}

void OperationLog::note(const cudart::Question& question, const std::string& function) {
    const u64* const n = question.numbers;
    if (n[0] == u64(OperationKind::MakeStream)) {
        streams_.indexOf(n[1], question.caller, StreamKind::Made);
        return;
    }
    if (n[0] == u64(OperationKind::MakeEvent)) {
        events_.indexOf(n[2], question.caller, StreamKind::Made);
        return;
    }
    const std::optional<Kind> kind = kindOf(n[0]);
    if (!kind) return;
    add({.kind = *kind,
         .function = function.substr(0, kMostOfName),
         .stream = streamAt(n[1]),
         .event = events_.indexOf(n[2], 0, StreamKind::Made),
         .from = sideAt(n[4]),
         .to = sideAt(n[3]),
         .bytes = n[5],
         .isAsynchronous = n[7] != 0,
         .error = n[6] ? nameOfError(s64(n[6])) : std::string()},
        question.caller);
}

void OperationLog::launch(Operation operation, u64 caller, u64 stream) {
    operation.stream = streamAt(stream);
    operation.isAsynchronous = true;
    add(std::move(operation), caller);
}

void OperationLog::add(Operation operation, u64 caller) {
    lookForNew();
    const LastUse use{{.operation = count_,
                       .kind = operation.kind,
                       .function = operation.function,
                       .launch = operation.launch},
                      caller};
    const auto write = [&](u32 block) {
        blocks_[block].written = use;
        ++blocks_[block].writes;
    };
    const bool isDone = operation.error.empty() && operation.bytes;
    if (isDone && operation.to && operation.to->buffer) write(*operation.to->buffer);
    if (isDone && operation.from && operation.from->buffer && operation.to && isHostAlone(*operation.to) &&
        !isHostAlone(*operation.from))
        blocks_[*operation.from->buffer].copiedToHost = use;
    for (u32 block : operation.written)
        write(block);
    if (kept_.size() < Operations::kMost) kept_.push_back({std::move(operation), caller});
    ++count_;
}

void OperationLog::want(CodeLines& lines) const {
    for (const Kept& kept : kept_)
        lines.wants(kept.caller);
    for (const Numbers* numbers : {&streams_, &events_})
        for (const Made& made : numbers->made())
            lines.wants(made.caller);
    for (const Block& block : blocks_)
        for (const auto* use : {&block.written, &block.copiedToHost})
            if (*use) lines.wants((*use)->caller);
}

void OperationLog::finish(ProgramRecord& record, const CodeLines& lines, BufferNames& names) const {
    Operations& all = record.operations;
    all.count = count_;
    for (const Made& made : streams_.made())
        all.streams.push_back({made.kind, names.at(lines.at(made.caller)), lines.at(made.caller)});
    for (const Made& made : events_.made())
        all.events.push_back({names.at(lines.at(made.caller)), lines.at(made.caller)});

    std::vector<std::optional<u32>> numbers(blocks_.size());  // of buffers, by the block's
    const auto useOf = [&](const std::optional<LastUse>& last) {
        std::optional<operations::Use> use;
        if (last) {
            use = last->use;
            use->place = lines.at(last->caller);
        }
        return use;
    };
    std::vector<bool> isNamed(blocks_.size());
    for (const Kept& kept : kept_) {
        for (const auto* side : {&kept.operation.from, &kept.operation.to})
            if (*side && (*side)->buffer) isNamed[*(*side)->buffer] = true;
        for (const auto* blocks : {&kept.operation.given, &kept.operation.written})
            for (u32 block : *blocks)
                isNamed[block] = true;
    }
    for (u32 i = 0; i < blocks_.size() && all.buffers.size() < Operations::kMostBuffers; ++i) {
        const HeapBlock& block = heap_.blocks()[i];
        if ((block.module || block.isKernelHeap) && !isNamed[i]) continue;
        numbers[i] = u32(all.buffers.size());
        all.buffers.push_back({.name = names.of(block),
                               .memory = memoryOf(block),
                               .bytes = block.bytes,
                               .allocated = lines.at(block.caller),
                               .freed = lines.at(block.freedBy),
                               .begin = blocks_[i].begin,
                               .end = blocks_[i].end,
                               .lastWritten = useOf(blocks_[i].written),
                               .lastCopiedToHost = useOf(blocks_[i].copiedToHost)});
    }
    const auto renumber = [&](std::vector<u32>& blocks) {
        std::vector<u32> buffers;
        for (u32 block : blocks)
            if (numbers[block]) buffers.push_back(*numbers[block]);
        blocks = std::move(buffers);
    };
    const std::map<CodePlace, u64> ofHostCode = findingsOfHostCode(record);
    for (const Kept& kept : kept_) {
        Operation operation = kept.operation;
        operation.place = lines.at(kept.caller);
        for (auto* side : {&operation.from, &operation.to})
            if (*side && (*side)->buffer) (*side)->buffer = numbers[*(*side)->buffer];
        renumber(operation.given);
        renumber(operation.written);
        const auto here = ofHostCode.find(operation.place);
        operation.findings =
            findingsIn(record, operation.launch) + (here == ofHostCode.end() ? 0 : here->second);
        all.list.push_back(std::move(operation));
    }
}

}  // namespace lockstep::program
