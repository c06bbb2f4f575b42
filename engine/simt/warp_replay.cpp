#include "simt/warp_replay.h"

#include "ptx/opcodes.h"
#include "simt/decode/decode.h"
#include "simt/decode/frame_layout.h"
#include "simt/memory/address_space.h"
#include "simt/opcodes/lane_helpers.h"
#include "simt/warp_state.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

namespace lockstep::simt {
namespace {

// Values that the emulator invents and every machine has differently.
bool isTheMachines(ptx::Special special) {
    using enum ptx::Special;
    return special == SmId || special == NSmId || special == WarpId || special == NWarpId ||
           special == GridId || isClock(special) || special == EnvReg1 || special == EnvReg2;
}

}  // namespace

class WarpReplay::Inside {
public:
    Inside(std::shared_ptr<const Program> program, GridShape shape, const trace::FocusBlock& block, Warp warp)
        : shared_(std::move(program)),
          program_(*shared_),
          block_(block),
          trace_(block.warps[warp.value]),
          state_(program_, shape, warp.value) {
        for (u32 i = 0; i < program_.functions.size(); ++i)
            findInstructions(i);
        restart();
    }

    void seek(u32 steps) {
        steps = std::min(steps, u32(trace_.steps.size()));
        if (steps < done_) restart();
        for (; done_ < steps; ++done_)
            execute(trace_.steps[done_]);
    }

    ptx::FunctionId kernel() const { return ptx::FunctionId{program_.functions[0].function}; }
    LaneMask lanesIn(ptx::FunctionId function) const {
        LaneMask lanes;
        for (const Lane lane : LaneMask{state_.lanes() & ~ended_})
            if (depthIn(lane.value, function)) lanes = lanes | LaneMask::of(lane);
        return lanes;
    }

    LaneValues valuesOf(ptx::FunctionId function, ptx::RegisterId id) const {
        LaneValues values;
        const std::optional<Place> place = placeOf(function, id);
        if (!place) return values;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            if (const std::optional<u32> depth =
                    place->function == 0 ? std::optional(0u) : depthIn(lane, function))
                if (const auto frame = frames_.find({place->function, *depth}); frame != frames_.end())
                    take(frame->second, place->at, place->storage, lane, values);
        return values;
    }

    LaneValues valuesIn(RegisterFrame of, ptx::RegisterId id) const {
        LaneValues values;
        const std::optional<Place> place = placeOf(of.function, id);
        if (!place) return values;
        const auto frame = frames_.find({place->function, of.depth});
        if (frame == frames_.end()) return values;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            take(frame->second, place->at, place->storage, lane, values);
        return values;
    }

    void observe(ReplayObserver* observer) { observer_ = observer; }

    // By pc, from the kernel's first: the instructions that these registers depend on.
    using Wanted = std::vector<bool>;
    // Null: all are computed.
    std::shared_ptr<const Wanted> dependenciesOf(std::span<const ptx::RegisterId> ids) const {
        if (program_.functions.size() != 1 || !program_.calls.empty()) return nullptr;
        const std::vector<RegisterUse>& uses = program_.functions[0].uses;
        std::vector<bool> isWanted(program_.functions[0].frameBytes / 4 + 1);
        for (const ptx::RegisterId id : ids)
            if (const std::optional<Place> place = placeOf(kernel(), id)) isWanted[place->at / 4] = true;
        auto wanted = std::make_shared<Wanted>(uses.size());
        bool carries = false;
        const auto depends = [&](u32 i) {
            const Instruction& instruction = instructions_[0][i];
            const bool meets =
                instruction.main != kNoOp && program_.ops[instruction.main].kind == OpKind::WarpSync;
            return meets || (carries && instruction.writesCarry) ||
                   std::ranges::any_of(uses[i].writes, [&](u32 at) { return bool(isWanted[at / 4]); });
        };
        for (bool isNew = true; isNew;) {
            isNew = false;
            for (u32 i = u32(uses.size()); i-- > 0;) {
                if ((*wanted)[i] || !depends(i)) continue;
                isNew = (*wanted)[i] = true;
                carries = carries || instructions_[0][i].readsCarry;
                for (const u32 at : uses[i].reads)
                    isWanted[at / 4] = true;
            }
        }
        return wanted;
    }
    void computeOnly(std::shared_ptr<const Wanted> wanted) { wanted_ = std::move(wanted); }

private:
    // The ops of one instruction: its own and the helpers around it.
    struct Instruction {
        u32 first = 0, end = 0, main = kNoOp;
        bool unknowable = false;  // it reads a machine-dependent value
        bool readsCarry = false, writesCarry = false;
    };
    struct RegisterState {
        u32 written = 0, known = 0;
    };
    // Of a register: its function's index in Program::functions, and its frame offset.
    struct Place {
        u32 function, at;
        Storage storage;
    };
    // The registers of a function at one depth of calls: each lane has its own part.
    struct Frame {
        u32 function = 0;  // index into Program::functions
        u32 depth = 0;
        std::byte* at = nullptr;
        std::vector<RegisterState> registers;  // by place in the frame / 4
        std::map<u32, u32>
            passed;     // bytes stored to parameters, by offset in lane 0: lanes in which they are known
        u32 carry = 0;  // lanes whose carry is known
    };
    // A function that a lane is in.
    struct Call {
        u32 function = 0, operation = 0;
        Pc at;
    };
    // Lanes that have reached an instruction which the warp executes together.
    struct Waiting {
        Frame* frame;
        const Instruction* at;
        u32 members, lanes;
    };

    // None: no instruction names the register.
    std::optional<Place> placeOf(ptx::FunctionId function, ptx::RegisterId id) const {
        const auto code = std::ranges::find(program_.functions, function.value, &FunctionCode::function);
        if (code == program_.functions.end() || id.value >= code->registers.size() ||
            code->registers[id.value] == FunctionCode::kNowhere)
            return std::nullopt;
        const ptx::Type type = program_.module->functions[function.value].registers[id.value].type;
        return Place{u32(code - program_.functions.begin()), code->registers[id.value],
                     storageOfType(type, ptx::bytesOf(type))};
    }
    RegisterFrame nameOf(const Frame& frame) const {
        return {ptx::FunctionId{program_.functions[frame.function].function}, frame.depth};
    }

    static u32 word(const std::byte* at) {
        u32 bits;
        std::memcpy(&bits, at, sizeof bits);
        return bits;
    }
    static void take(const Frame& frame, u32 at, Storage storage, u32 lane, LaneValues& values) {
        const RegisterState& state = frame.registers[at / 4];
        const u32 bit = 1u << lane;
        values.written.bits |= state.written & bit;
        values.known.bits |= state.known & bit;
        if (!(state.known & bit)) return;
        const std::byte* from = frame.at + at;
        if (storage == Storage::Predicate)
            values.bits[lane] = word(from) >> lane & 1;
        else if (storage == Storage::Lanes32)
            std::memcpy(&values.bits[lane], from + lane * 4, 4);
        else
            std::memcpy(&values.bits[lane], from + lane * 8, 8);
    }

    void findInstructions(u32 function) {
        const FunctionCode& code = program_.functions[function];
        std::vector<Instruction>& instructions = instructions_.emplace_back(code.uses.size());
        const u32 end = function + 1 < program_.functions.size() ? program_.functions[function + 1].firstOp
                                                                 : u32(program_.ops.size());
        for (u32 i = code.firstOp; i < end; ++i) {
            const Op& op = program_.ops[i];
            if (op.pc - code.firstPc >= instructions.size() || op.kind == OpKind::Segment ||
                op.kind == OpKind::Meeting)
                continue;
            Instruction& instruction = instructions[op.pc - code.firstPc];
            if (instruction.end == 0) instruction.first = i;
            instruction.end = i + 1;
            if (instruction.main == kNoOp && op.kind != OpKind::Hidden) instruction.main = i;
        }
        const ptx::Module& module = *program_.module;
        for (u32 i = 0; i < instructions.size(); ++i) {
            const ptx::Instruction& instruction = module.at(Pc{code.firstPc + i});
            instructions[i].writesCarry = instruction.modifiers.carry;
            const std::string_view name = ptx::opcodeTable()[instruction.opcode].name;
            instructions[i].readsCarry = name == "addc" || name == "subc" || name == "madc";
            for (const ptx::Operand& operand : module.operandsOf(instruction))
                if (const auto* special = std::get_if<ptx::SpecialOperand>(&operand))
                    instructions[i].unknowable |= isTheMachines(special->special);
        }
    }

    void restart() {
        state_.beginBlock(block_.block, ++serial_);
        frames_.clear();
        frames_[{0, 0}] = {.function = 0,
                           .depth = 0,
                           .at = state_.paths.activation().frame,
                           .registers = std::vector<RegisterState>(program_.functions[0].frameBytes / 4 + 1),
                           .passed = {}};
        for (std::vector<Call>& calls : calls_)
            calls.clear();
        ended_ = 0;
        waiting_.clear();
        done_ = 0;
    }

    // Call depth of a lane's innermost call of that function; none: not in it.
    std::optional<u32> depthIn(u32 lane, ptx::FunctionId function) const {
        if (program_.functions[0].function == function.value) return 0;
        for (u32 depth = u32(calls_[lane].size()); depth > 0; --depth)
            if (program_.functions[calls_[lane][depth - 1].function].function == function.value) return depth;
        return std::nullopt;
    }
    u32 functionOf(Pc pc) const {
        const auto has = [&](const FunctionCode& code) { return pc.value - code.firstPc < code.uses.size(); };
        return u32(std::ranges::find_if(program_.functions, has) - program_.functions.begin());
    }
    Frame& frameAt(u32 function, u32 depth) {
        Frame& frame = frames_[{function, depth}];
        if (!frame.at)
            frame = {.function = function,
                     .depth = depth,
                     .at = state_.frameOf(function, depth),
                     .registers = std::vector<RegisterState>(program_.functions[function].frameBytes / 4 + 1),
                     .passed = {}};
        return frame;
    }

    // After the lanes have written: marks whether their values are known.
    void settle(Frame& frame, const Instruction& instruction, u32 lanes, u32 known) {
        for (const u32 at : usesOf(frame, instruction).writes) {
            RegisterState& state = frame.registers[at / 4];
            state.written |= lanes;
            state.known = (state.known & ~lanes) | (known & lanes);
        }
        if (instruction.writesCarry) frame.carry = (frame.carry & ~lanes) | (known & lanes);
    }
    const RegisterUse& usesOf(const Frame& frame, const Instruction& instruction) const {
        return program_.functions[frame.function]
            .uses[std::size_t(&instruction - instructions_[frame.function].data())];
    }
    u32 knownSources(const Frame& frame, const Instruction& instruction) const {
        u32 known = instruction.unknowable ? 0 : ~0u;
        for (const u32 at : usesOf(frame, instruction).reads)
            known &= frame.registers[at / 4].known;
        return instruction.readsCarry ? known & frame.carry : known;
    }
    void executeOps(const Frame& frame, const Instruction& instruction, u32 lanes) {
        for (u32 i = instruction.first; i < instruction.end; ++i)
            if (const Op& op = program_.ops[i]; op.execute) op.execute(op.at.data(), frame.at, lanes);
    }

    void execute(const trace::Step& step) {
        const u32 lanes = step.active.bits, function = functionOf(step.pc);
        if (lanes == 0 || function >= program_.functions.size()) return;
        const Instruction& instruction =
            instructions_[function][step.pc.value - program_.functions[function].firstPc];
        if (instruction.main == kNoOp) return;
        Frame& frame = frameAt(function, u32(calls_[std::size_t(std::countr_zero(lanes))].size()));
        giveUpWaiting(lanes);
        if (observer_) observer_->executes(done_, nameOf(frame));
        if (wanted_ && !(*wanted_)[step.pc.value - program_.functions[0].firstPc])
            return skip(instruction, lanes);
        const Op& op = program_.ops[instruction.main];
        switch (op.kind) {
            case OpKind::Lanes:
            case OpKind::LanesGuarded:
            case OpKind::Divide: compute(frame, instruction, op, lanes); break;
            case OpKind::WarpSync: arrive(frame, instruction, op, lanes); break;
            case OpKind::Load:
                take(frame, instruction, program_.memory[op.aux], program_.memory[op.aux].registers, step);
                break;
            case OpKind::Atomic:
                take(frame, instruction, program_.memory[op.aux], program_.memory[op.aux].results, step);
                break;
            case OpKind::Call: call(frame, instruction, op, lanes); break;
            case OpKind::Return: leave(frame, lanes); break;
            case OpKind::Exit:
            case OpKind::Trap: end(lanes); break;
            default:
                settle(frame, instruction, lanes,
                       0);  // results of barriers, clocks and the like are not recorded
        }
    }

    // What is not wanted, but for where lanes end.
    void skip(const Instruction& instruction, u32 lanes) {
        const OpKind kind = program_.ops[instruction.main].kind;
        if (kind == OpKind::Exit || kind == OpKind::Trap || kind == OpKind::Return) end(lanes);
    }

    void compute(Frame& frame, const Instruction& instruction, const Op& op, u32 lanes) {
        u32 known = knownSources(frame, instruction);
        // Parameters of functions: {register, place of lane 0, stride, bytes, ...}.
        const u32 place = op.at[1], bytes = op.at[3];
        if (op.execute == &loadLaneBytes) {
            known = ~0u;
            for (u32 at = 0; at < bytes; ++at)
                known &= passedAt(frame, place + at);
        }
        executeOps(frame, instruction, lanes);
        if (op.execute == &storeLaneBytes)
            for (u32 at = 0; at < bytes; ++at)
                put(frame, place + at, lanes, known);
        settle(frame, instruction, lanes, known);
    }
    static u32 passedAt(const Frame& frame, u32 place) {
        const auto found = frame.passed.find(place);
        return found == frame.passed.end() ? 0 : found->second;
    }
    static void put(Frame& frame, u32 place, u32 lanes, u32 known) {
        u32& passed = frame.passed[place];
        passed = (passed & ~lanes) | (known & lanes);
    }

    // Copies these bytes from one frame to the other.
    void pass(const LaneBytes& to, Frame& into, const LaneBytes& from, const Frame& outOf, u32 lanes) {
        const u32 bytes = std::min(to.sizeBytes, from.sizeBytes);
        for (const Lane lane : LaneMask{lanes})
            std::memcpy(into.at + to.at + lane.value * to.strideBytes(),
                        outOf.at + from.at + lane.value * from.strideBytes(), bytes);
        for (u32 at = 0; at < bytes; ++at)
            put(into, to.at + at, lanes, passedAt(outOf, from.at + at));
    }

    // The lanes enter, with unwritten registers.
    void call(Frame& caller, const Instruction& instruction, const Op& op, u32 lanes) {
        const CallOperation& call = program_.calls[op.aux];
        settle(caller, instruction, lanes, 0);
        for (const LaneBytes& result : call.results)
            for (u32 at = 0; at < result.sizeBytes; ++at)
                put(caller, result.at + at, lanes, 0);
        if (call.builtin != Builtin::None) return;
        u32 function = call.function;
        if (call.indirect) {
            // As in the emulator: the lanes with the first lane's target; the others execute this call later.
            // If the target register is unknown, the following steps give the target.
            const u64* addresses = reinterpret_cast<const u64*>(caller.at + call.address);
            const u32 first = u32(std::countr_zero(lanes));
            if (lanes & ~caller.registers[call.address / 4].known)
                return enterWhereTheNextStepIs(caller, op.aux, call);
            for (const Lane lane : LaneMask{lanes})
                if (addresses[lane.value] != addresses[first]) lanes &= ~(1u << lane.value);
            function = 0;
            while (function < program_.functions.size() &&
                   kFunctionAddress + program_.functions[function].function != addresses[first])
                ++function;
            if (function == program_.functions.size()) return;
        }
        enter(caller, function, op.aux, call, lanes);
    }
    void enterWhereTheNextStepIs(Frame& caller, u32 operation, const CallOperation& call) {
        if (done_ + 1 >= trace_.steps.size()) return;
        const trace::Step& next = trace_.steps[done_ + 1];
        const u32 function = functionOf(next.pc);
        if (function < program_.functions.size() && next.pc.value == program_.functions[function].firstPc)
            enter(caller, function, operation, call, next.active.bits);
    }
    void enter(Frame& caller, u32 function, u32 operation, const CallOperation& call, u32 lanes) {
        const u32 depth = u32(calls_[std::size_t(std::countr_zero(lanes))].size()) + 1;
        if (depth > WarpState::kMostDepth) return;
        Frame& callee = frameAt(function, depth);
        for (RegisterState& state : callee.registers)
            state.written &= ~lanes, state.known &= ~lanes;
        for (auto& [place, known] : callee.passed)
            known &= ~lanes;
        callee.carry &= ~lanes;
        const FunctionCode& code = program_.functions[function];
        for (std::size_t i = 0; i < std::min(call.arguments.size(), code.parameters.size()); ++i)
            pass(code.parameters[i], callee, call.arguments[i], caller, lanes);
        const Pc at = trace_.steps[done_].pc;
        if (observer_) observer_->enters(at, nameOf(caller), nameOf(callee), {lanes});
        for (const Lane lane : LaneMask{lanes})
            calls_[lane.value].push_back({function, operation, at});
    }

    void end(u32 lanes) {
        ended_ |= lanes;
        if (observer_) observer_->ends({lanes});
    }

    // Back to the caller, or out of the kernel.
    void leave(Frame& callee, u32 lanes) {
        const std::vector<Call>& calls = calls_[std::size_t(std::countr_zero(lanes))];
        if (calls.empty()) return end(lanes);
        const CallOperation& call = program_.calls[calls.back().operation];
        const u32 depth = u32(calls.size()) - 1, caller = depth ? calls[depth - 1].function : 0;
        const FunctionCode& code = program_.functions[callee.function];
        Frame& into = frameAt(caller, depth);
        for (std::size_t i = 0; i < std::min(call.results.size(), code.results.size()); ++i)
            pass(call.results[i], into, code.results[i], callee, lanes);
        if (observer_) observer_->leaves(calls.back().at, nameOf(callee), nameOf(into), {lanes});
        for (const Lane lane : LaneMask{lanes})
            calls_[lane.value].pop_back();
    }

    void take(Frame& frame, const Instruction& instruction, const MemoryOperation& operation,
              const std::array<ElementSlot, 8>& slots, const trace::Step& step) {
        const u32 width = operation.widthBytes();
        const trace::StoredAccess* access =
            step.access == trace::Step::kNone ? nullptr : &trace_.accesses[step.access];
        if (!access || access->kind == trace::AccessKind::Reduction || access->widthBytes != width)
            return settle(frame, instruction, step.active.bits, 0);
        std::array<u64, kWarpSize> offsets{};
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            offsets[lane] = u64{lane} * width;
        for (Lane lane : access->active)
            std::ranges::copy(trace_.value(*access, lane),
                              values_.begin() + std::ptrdiff_t(offsets[lane.value]));
        for (u32 i = 0; i < operation.elements; ++i)
            if (slots[i].moves.load)
                slots[i].moves.load(frame.at + slots[i].at, values_.data() + i * operation.elementBytes,
                                    offsets.data(), access->active.bits);
        settle(frame, instruction, step.active.bits, access->active.bits);
    }

    // Executed once all members that have not exited have arrived; each group of lanes by its member mask.
    void arrive(Frame& frame, const Instruction& instruction, const Op& op, u32 lanes) {
        if (!op.execute) return;
        const std::byte* masks = frame.at + op.at[op.operands - 1];
        while (lanes) {
            const u32 lane = u32(std::countr_zero(lanes)), members = word(masks + lane * 4);
            u32 group = 0;
            for (Lane other : LaneMask{lanes})
                group |= u32(word(masks + other.value * 4) == members) << other.value;
            lanes &= ~group;
            auto here = std::ranges::find_if(waiting_, [&](const Waiting& w) {
                return w.frame == &frame && w.at == &instruction && w.members == members;
            });
            if (here == waiting_.end()) here = waiting_.insert(here, {&frame, &instruction, members, 0});
            here->lanes |= group;
            if (members & state_.lanes() & ~ended_ & ~here->lanes) continue;
            const u32 together = here->lanes,
                      allKnown = together & ~knownSources(frame, instruction) ? 0 : together;
            waiting_.erase(here);
            if (observer_) observer_->exchanges(Pc{op.pc}, nameOf(frame), {together});
            executeOps(frame, instruction, together);
            settle(frame, instruction, together, allKnown);
        }
    }

    // Lanes that went on before all had reached this instruction: they met the others at another one.
    void giveUpWaiting(u32 lanes) {
        std::erase_if(waiting_, [&](const Waiting& waiting) {
            if (!(waiting.lanes & lanes)) return false;
            settle(*waiting.frame, *waiting.at, waiting.lanes, 0);
            return true;
        });
    }

    std::shared_ptr<const Program> shared_;  // by the warps of a block
    const Program& program_;
    const trace::FocusBlock& block_;
    const trace::WarpTrace& trace_;
    WarpState state_;
    std::vector<std::vector<Instruction>> instructions_;  // by function; by pc, from the function's first
    std::map<std::pair<u32, u32>, Frame> frames_;         // by function and call depth; addresses are stable
    std::array<std::vector<Call>, kWarpSize> calls_;      // active calls, by lane
    u32 ended_ = 0;
    std::vector<Waiting> waiting_;
    std::array<std::byte, 32 * kWarpSize> values_{};
    u32 done_ = 0;
    u64 serial_ = 0;
    ReplayObserver* observer_ = nullptr;
    std::shared_ptr<const Wanted> wanted_;  // null: all
};

WarpReplay::WarpReplay(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
WarpReplay::WarpReplay(WarpReplay&&) noexcept = default;
WarpReplay& WarpReplay::operator=(WarpReplay&&) noexcept = default;
WarpReplay::~WarpReplay() = default;

namespace {

struct Decoded {
    std::shared_ptr<const Program> program;
    GridShape shape;
};
Expected<Decoded> decodeFor(const ptx::Module& module, const Launch& launch, std::size_t buffers,
                            const trace::FocusBlock& block, Missing missing) {
    const ptx::Function* entry = module.findEntry(launch.entry);
    if (!entry)
        return fail(FaultKind::NotFound, Message(english("there is no kernel \"{0}\""), launch.entry));
    const Expected<std::vector<std::byte>> parameters = parameterBlock(module, *entry, launch, buffers);
    if (!parameters) return Unexpected{parameters.error()};
    std::vector<Buffer> places(buffers);  // buffer addresses depend on their number, not on their contents
    const DeviceMemory memory(module, places);
    Expected<Program> program = decode(
        module, *entry, {launch.grid, launch.block, launch.dynamicSharedBytes, *parameters}, memory, missing);
    if (!program) return Unexpected{program.error()};
    const GridShape shape{.grid = launch.grid,
                          .block = launch.block,
                          .dynamicSharedBytes = launch.dynamicSharedBytes,
                          .totalSharedBytes = program->ownSharedBytes,
                          .launch = block.launch.value,
                          .reservedSharedAt = program->reservedSharedAt};
    return Decoded{std::make_shared<const Program>(std::move(*program)), shape};
}

}  // namespace

Expected<WarpReplay> WarpReplay::of(const ptx::Module& module, const Launch& launch, std::size_t buffers,
                                    const trace::FocusBlock& block, Warp warp) {
    const Expected<Decoded> decoded = decodeFor(module, launch, buffers, block, Missing::Refused);
    if (!decoded) return Unexpected{decoded.error()};
    return WarpReplay(std::make_unique<Inside>(decoded->program, decoded->shape, block, warp));
}
Expected<std::vector<WarpReplay>> WarpReplay::ofBlock(const ptx::Module& module, const Launch& launch,
                                                      std::size_t buffers, const trace::FocusBlock& block) {
    const Expected<Decoded> decoded = decodeFor(module, launch, buffers, block, Missing::LeftOut);
    if (!decoded) return Unexpected{decoded.error()};
    std::vector<WarpReplay> warps;
    for (u32 w = 0; w < block.warps.size(); ++w)
        warps.push_back(
            WarpReplay(std::make_unique<Inside>(decoded->program, decoded->shape, block, Warp{w})));
    return warps;
}

Expected<std::vector<WarpReplay>> WarpReplay::ofBlock(const ptx::Module& module, const Launch& launch,
                                                      std::size_t buffers, const trace::FocusBlock& block,
                                                      std::span<const ptx::RegisterId> askedFor) {
    Expected<std::vector<WarpReplay>> warps = ofBlock(module, launch, buffers, block);
    if (!warps || warps->empty()) return warps;
    const std::shared_ptr<const Inside::Wanted> wanted = warps->front().inside_->dependenciesOf(askedFor);
    for (WarpReplay& warp : *warps)
        warp.inside_->computeOnly(wanted);
    return warps;
}

void WarpReplay::seek(u32 steps) { inside_->seek(steps); }
LaneValues WarpReplay::valuesOf(ptx::RegisterId id) const { return inside_->valuesOf(inside_->kernel(), id); }
LaneValues WarpReplay::valuesOf(ptx::FunctionId function, ptx::RegisterId id) const {
    return inside_->valuesOf(function, id);
}
LaneMask WarpReplay::lanesIn(ptx::FunctionId function) const { return inside_->lanesIn(function); }
LaneValues WarpReplay::valuesIn(RegisterFrame frame, ptx::RegisterId id) const {
    return inside_->valuesIn(frame, id);
}
void WarpReplay::observe(ReplayObserver* observer) { inside_->observe(observer); }

}  // namespace lockstep::simt
