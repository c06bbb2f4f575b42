#include "explain/register_flow.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

// The last writer of each byte of a parameter, or of a register as a whole.
struct Frame {
    LaneMask lanes;                           // that are in it
    std::vector<Code> registers;              // by RegisterId; the last is the carry
    std::map<u32, std::vector<Code>> passed;  // by VariableId, then by byte
};

class Follower final : public simt::ReplayObserver {
public:
    Follower(simt::WarpReplay& replay, const ptx::Module& module, InstructionFlows& flows,
             const trace::FocusBlock& block, Warp warp)
        : replay_(replay), module_(module), flows_(flows), trace_(block.warps[warp.value]) {
        const u32 first = warp.value * kWarpSize;
        threads_ = LaneMask::firstLanes(block.threads > first ? block.threads - first : 0);
        flow_.first.assign(trace_.steps.size(), kNone);
        flow_.numbers.reserve(trace_.steps.size() * 3);
    }

    RegisterFlow follow() {
        replay_.observe(this);
        replay_.seek(u32(trace_.steps.size()));
        replay_.observe(nullptr);
        return std::move(flow_);
    }

    void executes(u32 step, simt::RegisterFrame of) override {
        const trace::Step& at = trace_.steps[step];
        const InstructionFlow& flow = flows_.at(at.pc);
        Frame& frame = frameOf(of);
        flow_.first[step] = u32(flow_.numbers.size());
        for (const InstructionFlow::Read& read : flow.reads)
            flow_.numbers.push_back(registerOf(frame, read));
        if (flow.extra) note(flow, frame, of, at);
        if (flow.effect == Effect::PassOn)
            write(passedOf(frame, *flow.parameter), flow, frame, at.active, step);
        for (const InstructionFlow::Written& written : flow.writes)
            write(frame.registers[written.id.value], frame, at.active, step);
        if (flow.writesCarry) write(frame.registers.back(), frame, at.active, step);
        if (flow.effect == Effect::Shuffle || flow.effect == Effect::Exchange)
            for (const Lane lane : at.active)
                arrivedAt_[lane.value] = step;
    }

    void exchanges(Pc pc, simt::RegisterFrame of, LaneMask together) override {
        const InstructionFlow& flow = flows_.at(pc);
        if (flow.effect != Effect::Shuffle && flow.effect != Effect::Exchange) return;
        RegisterFlow::Exchange exchange{.together = together, .steps = arrivedAt_};
        if (flow.effect == Effect::Shuffle) exchange.from = sources(pc, of, flow.shuffle, together);
        for (const Lane lane : together) {
            const u32 step = arrivedAt_[lane.value];
            u32& number = flow_.numbers[flow_.first[step] + flow.reads.size()];
            if (number != kNone && flow_.exchanges[number].together == together) continue;
            // Where the lanes of one step exchange in groups, each lane's own group is asked for by its lane.
            if (number != kNone) {
                RegisterFlow::Exchange& all = flow_.exchanges[number];
                for (const Lane other : together)
                    all.from[other.value] = exchange.from[other.value],
                    all.steps[other.value] = arrivedAt_[other.value];
                all.together = all.together | together;
                continue;
            }
            number = u32(flow_.exchanges.size());
            flow_.exchanges.push_back(exchange);
        }
    }

    void enters(Pc call, simt::RegisterFrame caller, simt::RegisterFrame callee, LaneMask lanes) override {
        Frame& into = frameOf(callee);
        into.lanes = into.lanes | lanes;
        for (Code& code : into.registers)
            write(code, into, lanes, kNone);
        for (auto& [variable, bytes] : into.passed)
            for (Code& code : bytes)
                write(code, into, lanes, kNone);
        const ptx::Function& function = module_.functions[callee.function.value];
        pass(frameOf(caller), passedBy(call, true), into, function.parameters, lanes);
    }
    void leaves(Pc call, simt::RegisterFrame callee, simt::RegisterFrame caller, LaneMask lanes) override {
        Frame& from = frameOf(callee);
        const ptx::Function& function = module_.functions[callee.function.value];
        pass(from, function.results, frameOf(caller), passedBy(call, false), lanes);
        from.lanes = from.lanes & ~lanes;
    }
    void ends(LaneMask lanes) override {
        for (auto& [name, frame] : frames_)
            frame.lanes = frame.lanes & ~lanes;
        threads_ = threads_ & ~lanes;
    }

private:
    Frame& frameOf(simt::RegisterFrame of) {
        if (last_ && lastName_ == of) return *last_;
        const auto [found, isNew] = frames_.try_emplace(of);
        if (isNew) {
            found->second.registers.assign(module_.functions[of.function.value].registers.size() + 1, kNone);
            if (of.depth == 0) found->second.lanes = threads_;
        }
        last_ = &found->second, lastName_ = of;
        return *last_;
    }
    static Code registerOf(const Frame& frame, const InstructionFlow::Read& read) {
        return read.operand == InstructionFlow::kCarry ? frame.registers.back()
                                                       : frame.registers[read.id.value];
    }
    std::vector<Code>& passedOf(Frame& frame, ptx::VariableId id) {
        std::vector<Code>& bytes = frame.passed[id.value];
        if (bytes.empty()) bytes.assign(std::max<u64>(1, module_.variables[id.value].sizeBytes), kNone);
        return bytes;
    }

    // Lanes that are not in the frame read nothing there: what is noted of them does not matter.
    void write(Code& code, const Frame& frame, LaneMask lanes, u32 step) {
        if ((frame.lanes & ~lanes).empty()) {
            code = step;
            return;
        }
        if (code == step) return;
        RegisterFlow::Lanes values;
        if (code == kNone || code < kByLane)
            values.fill(code);
        else
            values = flow_.lanes[code - kByLane];
        for (const Lane lane : lanes)
            values[lane.value] = step;
        code = kByLane + u32(flow_.lanes.size());
        flow_.lanes.push_back(values);
    }
    void write(std::vector<Code>& bytes, const InstructionFlow& flow, const Frame& frame, LaneMask lanes,
               u32 step) {
        const u64 first = u64(flow.offsetBytes), end = first + u64{flow.elements} * flow.elementBytes;
        for (u64 at = first; at < std::min<u64>(end, bytes.size()); ++at) {
            // Neighbors mostly have the same history.
            if (at > first && before_ == bytes[at]) {
                bytes[at] = bytes[at - 1];
                continue;
            }
            before_ = bytes[at];
            write(bytes[at], frame, lanes, step);
        }
    }

    // Beside what is read.
    void note(const InstructionFlow& flow, Frame& frame, simt::RegisterFrame of, const trace::Step& at) {
        switch (flow.effect) {
            case Effect::Select: {
                const std::optional<u32> read = flow.readOf(3);
                const simt::LaneValues values =
                    read ? replay_.valuesIn(of, flow.reads[*read].id) : simt::LaneValues{};
                u32 chosen = 0;
                for (const Lane lane : at.active)
                    chosen |= u32(values.bits[lane.value] & 1) << lane.value;
                if (isNegated(at.pc, 3)) chosen = ~chosen;
                flow_.numbers.push_back(values.known.bits);
                flow_.numbers.push_back(chosen);
                return;
            }
            case Effect::Receive: {
                const std::vector<Code>& bytes = passedOf(frame, *flow.parameter);
                for (u32 e = 0; e < flow.elements; ++e) {
                    const u64 byte = u64(flow.offsetBytes) + u64{e} * flow.elementBytes;
                    flow_.numbers.push_back(byte < bytes.size() ? bytes[byte] : kNone);
                }
                return;
            }
            case Effect::Copy: {
                std::array<u8, kWarpSize>& bytes = flow_.bytes.emplace_back();
                const simt::LaneValues values = replay_.valuesIn(of, flow.reads[*flow.readOf(3)].id);
                for (u32 lane = 0; lane < kWarpSize; ++lane)
                    bytes[lane] = values.known.has(Lane{lane})
                                      ? u8(std::min<u64>(u32(values.bits[lane]), flow.elementBytes))
                                      : RegisterFlow::kUnknownBytes;
                flow_.numbers.push_back(u32(flow_.bytes.size() - 1));
                return;
            }
            default:
                for (u32 i = 0; i < flow.extra; ++i)
                    flow_.numbers.push_back(kNone);
        }
    }
    bool isNegated(Pc pc, u32 operand) const {
        const auto* predicate =
            std::get_if<ptx::RegisterOperand>(&module_.operandsOf(module_.at(pc))[operand]);
        return predicate && predicate->negated;
    }

    // Of each lane the one whose register a shuffle reads.
    std::array<u8, kWarpSize> sources(Pc pc, simt::RegisterFrame of, ptx::ShuffleMode mode,
                                      LaneMask together) const {
        const std::array b = valuesOf(pc, of, 2), c = valuesOf(pc, of, 3);
        std::array<u8, kWarpSize> from;
        from.fill(RegisterFlow::Exchange::kUnknownLane);
        for (const Lane lane : together)
            if (b[lane.value] && c[lane.value]) {
                const u32 read = ptx::shuffleRead(mode, lane.value, *b[lane.value], *c[lane.value]).lane;
                if (together.has(Lane{read})) from[lane.value] = u8(read);
            }
        return from;
    }
    std::array<std::optional<u32>, kWarpSize> valuesOf(Pc pc, simt::RegisterFrame of, u32 operand) const {
        std::array<std::optional<u32>, kWarpSize> values;
        const ptx::Operand& named = module_.operandsOf(module_.at(pc))[operand];
        if (const auto* immediate = std::get_if<ptx::ImmediateOperand>(&named)) {
            values.fill(u32(immediate->bits));
        } else if (const auto* id = std::get_if<ptx::RegisterOperand>(&named)) {
            const simt::LaneValues held = replay_.valuesIn(of, id->id);
            for (const Lane lane : held.known)
                values[lane.value] = u32(held.bits[lane.value]);
        }
        return values;
    }

    // The variables that a call passes, or gets back.
    std::vector<ptx::VariableId> passedBy(Pc call, bool arguments) const {
        std::vector<ptx::VariableId> variables;
        bool isBehind = false;
        for (const ptx::Operand& operand : module_.operandsOf(module_.at(call))) {
            const auto* list = std::get_if<ptx::VectorOperand>(&operand);
            if (!list) isBehind = true;
            if (!list || isBehind != arguments) continue;
            for (const ptx::Operand& element : list->elements)
                if (const auto* variable = std::get_if<ptx::VariableOperand>(&element))
                    variables.push_back(variable->id);
        }
        return variables;
    }
    void pass(Frame& from, const std::vector<ptx::VariableId>& given, Frame& to,
              const std::vector<ptx::VariableId>& taken, LaneMask lanes) {
        for (std::size_t i = 0; i < std::min(given.size(), taken.size()); ++i) {
            const std::vector<Code>& source = passedOf(from, given[i]);
            std::vector<Code>& into = passedOf(to, taken[i]);
            for (std::size_t byte = 0; byte < std::min(source.size(), into.size()); ++byte)
                copy(source[byte], into[byte], to, lanes);
        }
    }
    void copy(Code source, Code& into, const Frame& frame, LaneMask lanes) {
        if ((frame.lanes & ~lanes).empty()) {
            into = source;
            return;
        }
        RegisterFlow::Lanes values;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            values[lane] = flow_.inLane(lanes.has(Lane{lane}) ? source : into, Lane{lane});
        into = kByLane + u32(flow_.lanes.size());
        flow_.lanes.push_back(values);
    }

    simt::WarpReplay& replay_;
    const ptx::Module& module_;
    InstructionFlows& flows_;
    const trace::WarpTrace& trace_;
    LaneMask threads_;  // that have not ended
    RegisterFlow flow_;
    std::map<simt::RegisterFrame, Frame> frames_;
    Frame* last_ = nullptr;
    simt::RegisterFrame lastName_;
    RegisterFlow::Lanes arrivedAt_{};  // by lane: the step of its latest exchange
    Code before_ = kNone;
};

}  // namespace

InstructionFlows::InstructionFlows(const ptx::Module& module)
    : module_(module), flows_(module.instructions.size()) {}

std::size_t RegisterFlow::bytesKept() const {
    return first.capacity() * sizeof first[0] + numbers.capacity() * sizeof numbers[0] +
           lanes.capacity() * sizeof(Lanes) + exchanges.capacity() * sizeof(Exchange) +
           bytes.capacity() * kWarpSize;
}

std::vector<ptx::RegisterId> registersThatDirect(const ptx::Module& module, std::string_view kernel) {
    std::vector<ptx::RegisterId> registers;
    const ptx::Function* const entry = module.findEntry(kernel);
    for (u32 pc = entry ? entry->first.value : 0; entry && pc < entry->end.value; ++pc) {
        const InstructionFlow flow = instructionFlow(module, Pc{pc});
        if (flow.effect == Effect::Select || flow.effect == Effect::Copy)
            if (const std::optional<u32> read = flow.readOf(3)) registers.push_back(flow.reads[*read].id);
        if (flow.effect == Effect::Shuffle)
            for (const u32 operand : {2u, 3u})
                if (const auto* named =
                        std::get_if<ptx::RegisterOperand>(&module.operandsOf(module.at(Pc{pc}))[operand]))
                    registers.push_back(named->id);
    }
    return registers;
}

RegisterFlow followRegisters(simt::WarpReplay& replay, const ptx::Module& module, InstructionFlows& flows,
                             const trace::FocusBlock& block, Warp warp) {
    return Follower(replay, module, flows, block, warp).follow();
}

}  // namespace lockstep::explain
