#include "simt/warp_replay.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ptx/opcodes.h"
#include "simt/decode.h"
#include "simt/frame_layout.h"
#include "simt/lane_helpers.h"
#include "simt/warp_state.h"

namespace lockstep::simt {
namespace {

// What the emulator makes up where every machine has its own.
bool isTheMachines(ptx::Special special) {
    using enum ptx::Special;
    return special == SmId || special == NSmId || special == WarpId || special == NWarpId || special == GridId || isClock(special) || special == EnvReg1 || special == EnvReg2;
}

}  // namespace

class WarpReplay::Inside {
public:
    Inside(Program program, GridShape shape, const trace::FocusBlock& block, Warp warp)
        : program_(std::move(program)), code_(program_.functions[0]), block_(block), trace_(block.warps[warp.value]), state_(program_, shape, warp.value) {
        findInstructions();
        restart();
    }

    void seek(u32 steps) {
        steps = std::min(steps, u32(trace_.steps.size()));
        if (steps < done_) restart();
        for (; done_ < steps; ++done_) execute(trace_.steps[done_]);
    }

    LaneValues valuesOf(ptx::RegisterId id) const {
        LaneValues values;
        if (id.value >= code_.registers.size() || code_.registers[id.value] == FunctionCode::kNowhere) return values;
        const u32 at = code_.registers[id.value];
        values.written = {stateAt(at).written};
        values.known = {stateAt(at).known};
        const Storage storage = layoutOf(id);
        for (Lane lane : values.known) {
            const std::byte* from = frame_ + at;
            if (storage == Storage::Predicate) values.bits[lane.value] = word(from) >> lane.value & 1;
            else if (storage == Storage::Lanes32) std::memcpy(&values.bits[lane.value], from + lane.value * 4, 4);
            else std::memcpy(&values.bits[lane.value], from + lane.value * 8, 8);
        }
        return values;
    }

private:
    // What stands for one instruction: its own op and the helpers around it.
    struct Instruction {
        u32 first = 0, end = 0, main = kNoOp;
        bool unknowable = false;  // it reads what every machine has of its own
        bool readsCarry = false, writesCarry = false;
    };
    struct RegisterState { u32 written = 0, known = 0; };
    // Lanes that have come to an instruction which the warp executes together.
    struct Waiting { const Instruction* at; u32 members, lanes; };

    static u32 word(const std::byte* at) {
        u32 bits;
        std::memcpy(&bits, at, sizeof bits);
        return bits;
    }
    RegisterState& stateAt(u32 at) { return states_[at / 4]; }
    const RegisterState& stateAt(u32 at) const { return states_[at / 4]; }
    Storage layoutOf(ptx::RegisterId id) const {
        const ptx::Type type = program_.module->functions[code_.function].registers[id.value].type;
        return storageOfType(type, ptx::bytesOf(type));
    }

    void findInstructions() {
        instructions_.resize(code_.uses.size());
        const u32 end = program_.functions.size() > 1 ? program_.functions[1].firstOp : u32(program_.ops.size());
        for (u32 i = code_.firstOp; i < end; ++i) {
            const Op& op = program_.ops[i];
            if (op.pc - code_.firstPc >= instructions_.size() || op.kind == OpKind::Segment || op.kind == OpKind::Meeting) continue;
            Instruction& instruction = instructions_[op.pc - code_.firstPc];
            if (instruction.end == 0) instruction.first = i;
            instruction.end = i + 1;
            if (instruction.main == kNoOp && op.kind != OpKind::Hidden) instruction.main = i;
        }
        const ptx::Module& module = *program_.module;
        for (u32 i = 0; i < instructions_.size(); ++i) {
            const ptx::Instruction& instruction = module.at(Pc{code_.firstPc + i});
            instructions_[i].writesCarry = instruction.modifiers.carry;
            const std::string_view name = ptx::opcodeTable()[instruction.opcode].name;
            instructions_[i].readsCarry = name == "addc" || name == "subc" || name == "madc";
            for (const ptx::Operand& operand : module.operandsOf(instruction))
                if (const auto* special = std::get_if<ptx::SpecialOperand>(&operand)) instructions_[i].unknowable |= isTheMachines(special->special);
        }
    }

    void restart() {
        state_.beginBlock(block_.block, ++serial_);
        frame_ = state_.paths.activation().frame;
        states_.assign(code_.frameBytes / 4 + 1, {});
        carry_ = ended_ = 0;
        waiting_.clear();
        done_ = 0;
    }

    // After the lanes have written: their values follow from what is known, or do not.
    void settle(const Instruction& instruction, u32 lanes, u32 known) {
        for (const u32 at : usesOf(instruction).writes) {
            RegisterState& state = stateAt(at);
            state.written |= lanes;
            state.known = (state.known & ~lanes) | (known & lanes);
        }
        if (instruction.writesCarry) carry_ = (carry_ & ~lanes) | (known & lanes);
    }
    const RegisterUse& usesOf(const Instruction& instruction) const { return code_.uses[std::size_t(&instruction - instructions_.data())]; }
    u32 knownSources(const Instruction& instruction) const {
        u32 known = instruction.unknowable ? 0 : ~0u;
        for (const u32 at : usesOf(instruction).reads) known &= stateAt(at).known;
        return instruction.readsCarry ? known & carry_ : known;
    }
    void executeOps(const Instruction& instruction, u32 lanes) {
        for (u32 i = instruction.first; i < instruction.end; ++i)
            if (const Op& op = program_.ops[i]; op.execute) op.execute(op.at.data(), frame_, lanes);
    }

    void execute(const trace::Step& step) {
        const u32 lanes = step.active.bits, number = step.pc.value - code_.firstPc;
        if (lanes == 0 || number >= instructions_.size()) return;
        const Instruction& instruction = instructions_[number];
        if (instruction.main == kNoOp) return;
        giveUpWaiting(lanes);
        const Op& op = program_.ops[instruction.main];
        switch (op.kind) {
            case OpKind::Lanes: case OpKind::LanesGuarded: case OpKind::Divide: {
                const u32 known = op.execute == &loadLaneBytes ? 0 : knownSources(instruction);  // of these, what a function gave back
                executeOps(instruction, lanes);
                settle(instruction, lanes, known);
                break;
            }
            case OpKind::WarpSync: arrive(instruction, op, lanes); break;
            case OpKind::Load: take(instruction, program_.memory[op.aux], program_.memory[op.aux].registers, step); break;
            case OpKind::Atomic: take(instruction, program_.memory[op.aux], program_.memory[op.aux].results, step); break;
            case OpKind::Return: case OpKind::Exit: case OpKind::Trap: ended_ |= lanes; break;
            default: settle(instruction, lanes, 0);  // what a barrier, a clock or the like brought was not recorded
        }
    }

    void take(const Instruction& instruction, const MemoryOperation& operation, const std::array<ElementSlot, 8>& slots, const trace::Step& step) {
        const u32 width = operation.widthBytes();
        const trace::StoredAccess* access = step.access == trace::Step::kNone ? nullptr : &trace_.accesses[step.access];
        if (!access || access->kind == trace::AccessKind::Reduction || access->widthBytes != width) return settle(instruction, step.active.bits, 0);
        std::array<u64, kWarpSize> offsets{};
        for (u32 lane = 0; lane < kWarpSize; ++lane) offsets[lane] = u64{lane} * width;
        for (Lane lane : access->active) std::ranges::copy(trace_.value(*access, lane), values_.begin() + std::ptrdiff_t(offsets[lane.value]));
        for (u32 i = 0; i < operation.elements; ++i)
            if (slots[i].moves.load) slots[i].moves.load(frame_ + slots[i].at, values_.data() + i * operation.elementBytes, offsets.data(), access->active.bits);
        settle(instruction, step.active.bits, access->active.bits);
    }

    // Executed once all members that have not ended have come; each group of lanes by the mask that it names.
    void arrive(const Instruction& instruction, const Op& op, u32 lanes) {
        if (!op.execute) return;
        const std::byte* masks = frame_ + op.at[op.operands - 1];
        while (lanes) {
            const u32 lane = u32(std::countr_zero(lanes)), members = word(masks + lane * 4);
            u32 group = 0;
            for (Lane other : LaneMask{lanes}) group |= u32(word(masks + other.value * 4) == members) << other.value;
            lanes &= ~group;
            auto here = std::ranges::find_if(waiting_, [&](const Waiting& w) { return w.at == &instruction && w.members == members; });
            if (here == waiting_.end()) here = waiting_.insert(here, {&instruction, members, 0});
            here->lanes |= group;
            if (members & state_.lanes() & ~ended_ & ~here->lanes) continue;
            const u32 together = here->lanes, allKnown = together & ~knownSources(instruction) ? 0 : together;
            waiting_.erase(here);
            executeOps(instruction, together);
            settle(instruction, together, allKnown);
        }
    }

    // Lanes that went on although not all had come to this very instruction: they met the others at another one.
    void giveUpWaiting(u32 lanes) {
        std::erase_if(waiting_, [&](const Waiting& waiting) {
            if (!(waiting.lanes & lanes)) return false;
            settle(*waiting.at, waiting.lanes, 0);
            return true;
        });
    }

    Program program_;
    const FunctionCode& code_;
    const trace::FocusBlock& block_;
    const trace::WarpTrace& trace_;
    WarpState state_;
    std::byte* frame_ = nullptr;
    std::vector<Instruction> instructions_;  // by pc, from the function's first
    std::vector<RegisterState> states_;      // by place in the frame / 4
    u32 carry_ = 0, ended_ = 0;              // lanes whose carry is known; that have ended
    std::vector<Waiting> waiting_;
    std::array<std::byte, 32 * kWarpSize> values_{};
    u32 done_ = 0;
    u64 serial_ = 0;
};

WarpReplay::WarpReplay(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
WarpReplay::WarpReplay(WarpReplay&&) noexcept = default;
WarpReplay& WarpReplay::operator=(WarpReplay&&) noexcept = default;
WarpReplay::~WarpReplay() = default;

Expected<WarpReplay> WarpReplay::of(const ptx::Module& module, const Launch& launch, std::size_t buffers, const trace::FocusBlock& block, Warp warp) {
    const ptx::Function* entry = module.findEntry(launch.entry);
    if (!entry) return fail(FaultKind::NotFound, "there is no kernel \"" + launch.entry + "\"");
    const Expected<std::vector<std::byte>> parameters = parameterBlock(module, *entry, launch, buffers);
    if (!parameters) return Unexpected{parameters.error()};
    std::vector<Buffer> places(buffers);  // where buffers lie depends on how many there are, not on what they hold
    const DeviceMemory memory(module, places);
    Expected<Program> program = decode(module, *entry, {launch.grid, launch.block, launch.dynamicSharedBytes, *parameters}, memory);
    if (!program) return Unexpected{program.error()};
    const GridShape shape{launch.grid, launch.block, launch.dynamicSharedBytes, program->sharedBytes, block.launch.value};
    return WarpReplay(std::make_unique<Inside>(std::move(*program), shape, block, warp));
}

void WarpReplay::seek(u32 steps) { inside_->seek(steps); }
LaneValues WarpReplay::valuesOf(ptx::RegisterId id) const { return inside_->valuesOf(id); }

}  // namespace lockstep::simt
