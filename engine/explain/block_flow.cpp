#include "explain/block_flow.h"

#include "explain/memory_flow.h"
#include "explain/register_flow.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockstep::explain {
namespace {

using Kind = Origin::Kind;
using trace::Space;

// Bytes of an operand, or of a result.
struct Bytes {
    u32 first = 0, count = 0;
    Choices choices = Choices::Taken;
    bool operator==(const Bytes&) const = default;
};

}  // namespace

class BlockFlow::Inside {
public:
    Inside(const ptx::Module& module, const trace::FocusBlock& block, std::vector<simt::WarpReplay>& replays)
        : module_(module), block_(block), flows_(module) {
        for (u32 w = 0; w < block.warps.size(); ++w)
            warps_.push_back(followRegisters(replays[w], module, flows_, block, Warp{w}));
    }

    Definition definitionOf(ThreadStep at, u32 operand, u32 element) const {
        if (!executed(at)) return {};
        const std::optional<u32> read = flowOf(at).readOf(operand, element);
        if (!read) return {.kind = Definition::Kind::NoRegister};
        const u32 step = stepOf(at, *read);
        if (step == kNone) return {.kind = Definition::Kind::Nothing};
        return {Definition::Kind::Step, step};
    }

    WrittenBy writtenBy(ThreadStep at, u32 element) const {
        if (!executed(at)) return {};
        const InstructionFlow& flow = flowOf(at);
        if (flow.effect != Effect::Load || element >= flow.elements || !accessIn(at, false)) return {};
        const MemoryFlow& memory = this->memory();
        const u32 store = memory.storeOf(numberOf(at, u32(flow.reads.size()) + element), at.lane);
        if (store == MemoryFlow::kNoStore) return {.kind = WrittenBy::Kind::Nothing, .at = {}};
        if (store == MemoryFlow::kSeveral) return {.kind = WrittenBy::Kind::Several, .at = {}};
        const StoreStep step = memory.stepOf(store);
        return {WrittenBy::Kind::Store, {step.warp, MemoryFlow::laneOf(store), step.step}};
    }

    std::optional<ThreadStep> shuffledFrom(ThreadStep at) const {
        if (!executed(at) || flowOf(at).effect != Effect::Shuffle) return std::nullopt;
        const RegisterFlow::Exchange* exchange = exchangeOf(at, flowOf(at));
        const u8 from = exchange ? exchange->from[at.lane.value] : RegisterFlow::Exchange::kUnknownLane;
        if (from == RegisterFlow::Exchange::kUnknownLane) return std::nullopt;
        return ThreadStep{at.warp, Lane{from}, exchange->steps[from]};
    }

    Origin originOf(ThreadStep at, u32 operand, u32 element, Choices choices) const {
        if (!executed(at)) return {};
        return operandOf(at, operand, element, {0, widthOf(at, operand), choices});
    }

    Origin originOfStored(ThreadStep at, Bytes bytes) const {
        if (!executed(at)) return {};
        if (last_.holds && last_.at.step == at.step && last_.at.warp == at.warp && last_.bytes == bytes) {
            Origin origin = last_.origin;
            origin.at.lane = at.lane;
            return origin;
        }
        isAlike_ = true;
        const Origin origin = originInLane(at, bytes);
        last_ = {isAlike_ && origin.at.lane == at.lane, at, bytes, origin};
        return origin;
    }

    std::optional<Origin> originOfLoaded(const Origin& load, Choices choices) const {
        if (load.kind != Kind::Load || !executed(load.at)) return std::nullopt;
        const WrittenBy store = writtenBy(load.at, load.element);
        if (store.kind == WrittenBy::Kind::Several) return Origin{};
        if (store.kind != WrittenBy::Kind::Store) return std::nullopt;
        const InstructionFlow& flow = flowOf(store.at);
        if (flow.effect == Effect::Atomic) return Origin{Kind::Computed, store.at, 0, load.byte, load.bytes};
        const auto from = loadedFrom(load);
        const trace::StoredAccess* access = accessIn(store.at, true);
        if (!from || !access) return Origin{};
        return originOfStored(
            store.at,
            {u32(from->address - warpOf(store.at).address(*access, store.at.lane)), load.bytes, choices});
    }

    std::optional<Origin> originOfLoaded(ThreadStep at, Bytes bytes) const {
        if (!executed(at) || flowOf(at).effect != Effect::Load) return std::nullopt;
        const u32 width = flowOf(at).elementBytes, element = bytes.first / width;
        bytes.first %= width;
        if (bytes.first + bytes.count > width) return Origin{};
        return originOfLoaded(named(Kind::Load, at, bytes, element), bytes.choices);
    }

    std::vector<Origin> loadsBehind(const Origin& value, u32 since) const {
        std::vector<Origin> loads;
        std::set<std::pair<u32, u32>> seen;  // step and lane of what was computed
        std::vector<Origin> left{value};
        while (!left.empty()) {
            const Origin origin = left.back();
            left.pop_back();
            if (origin.at.step < since) continue;
            if (origin.kind == Kind::Load) {
                Origin whole = origin;
                whole.byte = 0, whole.bytes = u8(flowOf(origin.at).elementBytes);
                if (std::ranges::find(loads, whole) == loads.end()) loads.push_back(whole);
            } else if (origin.kind == Kind::Computed || isOpenChoice(origin)) {
                if (executed(origin.at) && seen.emplace(origin.at.step, origin.at.lane.value).second)
                    addInputs(origin.at, left);
            }
        }
        std::ranges::sort(loads, [](const Origin& a, const Origin& b) {
            return std::tuple(a.at.step, a.at.lane, a.element) > std::tuple(b.at.step, b.at.lane, b.element);
        });
        return loads;
    }

    std::optional<Place> loadedFrom(const Origin& load) const {
        if (load.kind != Kind::Load || !executed(load.at)) return std::nullopt;
        const trace::StoredAccess* access = accessIn(load.at, false);
        if (!access) return std::nullopt;
        return Place{access->space, warpOf(load.at).address(*access, load.at.lane) +
                                        u64{load.element} * flowOf(load.at).elementBytes + load.byte};
    }

    std::size_t bytesKept() const {
        std::size_t all = memory_ ? memory_->bytesKept() : 0;
        for (const RegisterFlow& warp : warps_)
            all += warp.bytesKept();
        return all;
    }

private:
    Origin originInLane(ThreadStep store, Bytes bytes) const {
        const InstructionFlow& flow = flowOf(store);
        if (flow.effect == Effect::Copy) return copied(store, bytes);
        if (flow.effect != Effect::Store && flow.effect != Effect::Atomic) return {};
        return acrossElements(store, flow, bytes);
    }

    // Worked out when it is first asked for: not all ask.
    const MemoryFlow& memory() const {
        if (!memory_) memory_.emplace(flows_, block_, warps_);
        return *memory_;
    }
    // A selection whose predicate is not known: one of both is behind it.
    bool isOpenChoice(const Origin& origin) const {
        return origin.kind == Kind::Unknown && executed(origin.at) &&
               flowOf(origin.at).effect == Effect::Select;
    }
    const trace::WarpTrace& warpOf(ThreadStep at) const { return block_.warps[at.warp.value]; }
    const InstructionFlow& flowOf(ThreadStep at) const { return flows_.known(warpOf(at).steps[at.step].pc); }
    bool executed(ThreadStep at) const {
        return at.warp.value < warps_.size() && at.step < warpOf(at).steps.size() &&
               warpOf(at).steps[at.step].active.has(at.lane) && warps_[at.warp.value].first[at.step] != kNone;
    }
    u32 numberOf(ThreadStep at, u32 index) const {
        const RegisterFlow& warp = warps_[at.warp.value];
        return warp.numbers[warp.first[at.step] + index];
    }
    // The step that wrote what is read.
    u32 stepOf(ThreadStep at, u32 index) const {
        const Code code = numberOf(at, index);
        isAlike_ = isAlike_ && (code == kNone || code < kByLane);
        return warps_[at.warp.value].inLane(code, at.lane);
    }
    // Of a lane's access, of several the one that reads or writes.
    const trace::StoredAccess* accessIn(ThreadStep at, bool writes) const {
        const AccessRange range = accessesOf(warpOf(at), at.step);
        for (u32 a = range.first; a < range.end; ++a) {
            const trace::StoredAccess& access = warpOf(at).accesses[a];
            const bool isCopy = access.kind == trace::AccessKind::AsyncCopy;
            if (access.active.has(at.lane) && (!isCopy || (access.space == Space::Shared) == writes))
                return &access;
        }
        return nullptr;
    }
    u32 widthOf(ThreadStep at, u32 operand) const {
        const InstructionFlow& flow = flowOf(at);
        if (flow.elementBytes && flow.value == operand) return flow.elementBytes;
        const ptx::Instruction& i = module_.at(warpOf(at).steps[at.step].pc);
        const ptx::Type type =
            flow.effect == Effect::Move && i.types[1] != ptx::Type::None ? i.types[1] : i.types[0];
        return std::max(4u, ptx::bytesOf(type));
    }

    // ---- From an operand back to what wrote it.

    Origin operandOf(ThreadStep at, u32 operand, u32 element, Bytes bytes) const {
        const InstructionFlow& flow = flowOf(at);
        const std::optional<u32> read = flow.readOf(operand, element);
        if (!read) return unwritten(at, operand, element, bytes);
        const u32 step = stepOf(at, *read);
        if (step == kNone) return named(Kind::Nothing, at, bytes);
        return resultOf({at.warp, at.lane, step}, flow.reads[*read].id, bytes);
    }
    static Origin named(Kind kind, ThreadStep at, Bytes bytes, u32 element = 0) {
        return {kind, at, u8(element), u8(bytes.first), u8(bytes.count)};
    }
    // What is no register.
    Origin unwritten(ThreadStep at, u32 operand, u32 element, Bytes bytes) const {
        const auto operands = module_.operandsOf(module_.at(warpOf(at).steps[at.step].pc));
        if (operand >= operands.size()) return named(Kind::Unknown, at, bytes);
        const ptx::Operand* one = &operands[operand];
        if (const auto* vector = std::get_if<ptx::VectorOperand>(one)) {
            if (element >= vector->elements.size()) return named(Kind::Unknown, at, bytes);
            one = &vector->elements[element];
        }
        const Kind kind = std::holds_alternative<ptx::ImmediateOperand>(*one) ? Kind::Immediate
                          : std::holds_alternative<ptx::SpecialOperand>(*one) ? Kind::Special
                          : std::holds_alternative<ptx::VariableOperand>(*one) ||
                                  std::holds_alternative<ptx::FunctionOperand>(*one) ||
                                  std::holds_alternative<ptx::AddressOperand>(*one)
                              ? Kind::Address
                              : Kind::Unknown;
        return named(kind, at, bytes);
    }

    // What the instruction wrote to that register.
    Origin resultOf(ThreadStep at, ptx::RegisterId id, Bytes bytes) const {
        const InstructionFlow& flow = flowOf(at);
        const std::optional<u32> element = flow.elementOf(id);
        if (!element) return named(Kind::Unknown, at, bytes);
        switch (flow.effect) {
            case Effect::Compute:
            case Effect::Exchange: return named(Kind::Computed, at, bytes);
            case Effect::Load:
            case Effect::Atomic:
                if (bytes.first >= flow.elementBytes) return named(Kind::Computed, at, bytes);
                bytes.count = std::min(bytes.count, flow.elementBytes - bytes.first);
                return named(Kind::Load, at, bytes, *element);
            case Effect::Parameter: return named(Kind::Parameter, at, bytes);
            case Effect::Receive: return received(at, flow, *element, bytes);
            case Effect::Move: return moved(at, flow, bytes);
            case Effect::Select: return selected(at, flow, bytes);
            case Effect::Shuffle: return shuffled(at, flow, *element, bytes);
            case Effect::Pack: return acrossElements(at, flow, bytes);
            case Effect::Unpack:
                return operandOf(at, flow.value, 0,
                                 {bytes.first + *element * flow.elementBytes, bytes.count, bytes.choices});
            default: return named(Kind::Unknown, at, bytes);
        }
    }
    Origin moved(ThreadStep at, const InstructionFlow& flow, Bytes bytes) const {
        if (flow.reshapes)
            return bytes.first == 0 ? operandOf(at, flow.value, 0, {0, flow.valueBytes, bytes.choices})
                                    : named(Kind::Computed, at, bytes);
        if (bytes.first >= flow.valueBytes) return named(Kind::Computed, at, bytes);  // the sign, or zeros
        bytes.count = std::min(bytes.count, flow.valueBytes - bytes.first);
        return operandOf(at, flow.value, 0, bytes);
    }
    Origin selected(ThreadStep at, const InstructionFlow& flow, Bytes bytes) const {
        isAlike_ = false;
        const u32 known = numberOf(at, u32(flow.reads.size())),
                  chosen = numberOf(at, u32(flow.reads.size()) + 1);
        if (bytes.choices == Choices::Open && isByData(at)) return named(Kind::Computed, at, bytes);
        if (!(known >> at.lane.value & 1)) return named(Kind::Unknown, at, bytes);
        return operandOf(at, chosen >> at.lane.value & 1 ? 1 : 2, 0, bytes);
    }
    // Whether what memory holds decides a selection: asked once of each instruction, where it comes first.
    bool isByData(ThreadStep at) const {
        const auto [known, isNew] = byData_.try_emplace(warpOf(at).steps[at.step].pc.value, false);
        if (isNew) known->second = !loadsBehind(operandOf(at, 3, 0, {0, 4}), 0).empty();
        return known->second;
    }
    const RegisterFlow::Exchange* exchangeOf(ThreadStep at, const InstructionFlow& flow) const {
        isAlike_ = false;
        const u32 number = numberOf(at, u32(flow.reads.size()));
        return number == kNone ? nullptr : &warps_[at.warp.value].exchanges[number];
    }
    Origin shuffled(ThreadStep at, const InstructionFlow& flow, u32 element, Bytes bytes) const {
        const RegisterFlow::Exchange* exchange = exchangeOf(at, flow);
        if (element == 1 || !exchange) return named(element == 1 ? Kind::Computed : Kind::Unknown, at, bytes);
        const u8 from = exchange->from[at.lane.value];
        if (from == RegisterFlow::Exchange::kUnknownLane) return named(Kind::Unknown, at, bytes);
        return operandOf({at.warp, Lane{from}, exchange->steps[from]}, flow.value, 0, bytes);
    }
    // Of the elements that the bytes lie in: one value where they are one that was taken apart before.
    Origin acrossElements(ThreadStep at, const InstructionFlow& flow, Bytes bytes) const {
        if (bytes.first + bytes.count > flow.elements * flow.elementBytes)
            return named(Kind::Unknown, at, bytes);
        std::optional<Origin> whole;
        for (u32 first = bytes.first; first < bytes.first + bytes.count;) {
            const u32 element = first / flow.elementBytes,
                      end = std::min((element + 1) * flow.elementBytes, bytes.first + bytes.count);
            const Origin part = operandOf(at, flow.value, element,
                                          {first - element * flow.elementBytes, end - first, bytes.choices});
            if (!whole)
                whole = part;
            else if (whole->kind == part.kind && whole->at == part.at && whole->element == part.element &&
                     whole->byte + whole->bytes == part.byte)
                whole->bytes = u8(whole->bytes + part.bytes);
            else
                return named(Kind::Computed, at, bytes);
            first = end;
        }
        return whole.value_or(Origin{});
    }
    Origin received(ThreadStep at, const InstructionFlow& flow, u32 element, Bytes bytes) const {
        const u32 step = stepOf(at, u32(flow.reads.size()) + element);
        if (step == kNone) return named(Kind::Nothing, at, bytes);
        const ThreadStep given{at.warp, at.lane, step};
        const InstructionFlow& store = flowOf(given);
        if (bytes.first >= flow.elementBytes) return named(Kind::Computed, at, bytes);
        bytes.count = std::min(bytes.count, flow.elementBytes - bytes.first);
        const s64 first =
            flow.offsetBytes + s64(element * flow.elementBytes + bytes.first) - store.offsetBytes;
        if (store.effect != Effect::PassOn || first < 0) return named(Kind::Unknown, at, bytes);
        const u32 of = u32(first) / store.elementBytes, byte = u32(first) % store.elementBytes;
        if (of >= store.elements || byte + bytes.count > store.elementBytes)
            return named(Kind::Unknown, at, bytes);
        return operandOf(given, store.value, of, {byte, bytes.count, bytes.choices});
    }
    // cp.async: bytes beyond those that it reads are zeros.
    Origin copied(ThreadStep at, Bytes bytes) const {
        const InstructionFlow& flow = flowOf(at);
        u32 read = flow.elementBytes;
        if (flow.takesBytes) {
            isAlike_ = false;
            read = warps_[at.warp.value].bytes[numberOf(at, u32(flow.reads.size()))][at.lane.value];
            if (read == RegisterFlow::kUnknownBytes) return named(Kind::Unknown, at, bytes);
        }
        if (bytes.first >= read) return named(Kind::Immediate, at, bytes);
        return named(Kind::Load, at, {bytes.first, std::min(bytes.count, read - bytes.first)});
    }

    // What an instruction computes from, whose origin comes next.
    void addInputs(ThreadStep at, std::vector<Origin>& inputs) const {
        const InstructionFlow& flow = flowOf(at);
        const auto add = [&](ThreadStep from) {
            for (const InstructionFlow::Read& read : flow.reads) {
                if (read.operand == InstructionFlow::kGuard) continue;
                if (flow.effect == Effect::Select && read.operand == 3) continue;
                if (flow.effect == Effect::Shuffle && read.operand != flow.value) continue;
                inputs.push_back(inputOf(from, read));
            }
        };
        if (flow.effect != Effect::Exchange) return add(at);
        if (const RegisterFlow::Exchange* exchange = exchangeOf(at, flow))
            for (const Lane lane : exchange->together)
                add({at.warp, lane, exchange->steps[lane.value]});
    }
    Origin inputOf(ThreadStep at, const InstructionFlow::Read& read) const {
        if (read.operand != InstructionFlow::kCarry)
            return operandOf(at, read.operand, read.element, {0, widthOf(at, read.operand)});
        const u32 step = stepOf(at, u32(flowOf(at).reads.size()) - 1);
        return step == kNone ? Origin{} : named(Kind::Computed, {at.warp, at.lane, step}, {0, 4});
    }

    const ptx::Module& module_;
    const trace::FocusBlock& block_;
    InstructionFlows flows_;
    mutable std::vector<RegisterFlow> warps_;  // the memory's numbers are among theirs
    mutable std::optional<MemoryFlow> memory_;
    mutable std::map<u32, bool> byData_;  // by pc of a selection
    // Whether what has been looked at since it was set is the same in all lanes.
    mutable bool isAlike_ = true;
    // What was asked for last: where it is alike, the other lanes of the store have the same, each its own.
    struct Stored {
        bool holds = false;
        ThreadStep at;
        Bytes bytes;
        Origin origin;
    };
    mutable Stored last_;
};

BlockFlow::BlockFlow(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
BlockFlow::BlockFlow(BlockFlow&&) noexcept = default;
BlockFlow& BlockFlow::operator=(BlockFlow&&) noexcept = default;
BlockFlow::~BlockFlow() = default;

Expected<BlockFlow> BlockFlow::of(const ptx::Module& module, const Launch& launch, std::size_t buffers,
                                  const trace::FocusBlock& block) {
    Expected<std::vector<simt::WarpReplay>> replays =
        simt::WarpReplay::ofBlock(module, launch, buffers, block, registersThatDirect(module, launch.entry));
    if (!replays) return Unexpected{replays.error()};
    return BlockFlow(std::make_unique<Inside>(module, block, *replays));
}

Definition BlockFlow::definitionOf(ThreadStep at, u32 operand, u32 element) const {
    return inside_->definitionOf(at, operand, element);
}
Definition BlockFlow::definitionOfGuard(ThreadStep at) const {
    return inside_->definitionOf(at, InstructionFlow::kGuard, 0);
}
WrittenBy BlockFlow::writtenBy(ThreadStep load, u32 element) const {
    return inside_->writtenBy(load, element);
}
std::optional<ThreadStep> BlockFlow::shuffledFrom(ThreadStep shuffle) const {
    return inside_->shuffledFrom(shuffle);
}
Origin BlockFlow::originOf(ThreadStep at, u32 operand, u32 element, Choices choices) const {
    return inside_->originOf(at, operand, element, choices);
}
Origin BlockFlow::originOfGuard(ThreadStep at) const {
    return inside_->originOf(at, InstructionFlow::kGuard, 0, Choices::Taken);
}
Origin BlockFlow::originOfStored(ThreadStep store, u32 firstByte, u32 bytes, Choices choices) const {
    return inside_->originOfStored(store, {firstByte, bytes, choices});
}
std::optional<Origin> BlockFlow::originOfLoaded(const Origin& load, Choices choices) const {
    return inside_->originOfLoaded(load, choices);
}
std::optional<Origin> BlockFlow::originOfLoaded(ThreadStep load, u32 firstByte, u32 bytes) const {
    return inside_->originOfLoaded(load, {firstByte, bytes});
}
std::vector<Origin> BlockFlow::loadsBehind(const Origin& value, u32 since) const {
    return inside_->loadsBehind(value, since);
}
std::optional<BlockFlow::Place> BlockFlow::loadedFrom(const Origin& load) const {
    return inside_->loadedFrom(load);
}
std::size_t BlockFlow::bytesKept() const { return inside_->bytesKept(); }

}  // namespace lockstep::explain
