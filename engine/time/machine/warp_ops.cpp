// Instructions that concern a whole warp: special registers, votes, shuffles, reductions; and those that
// compute nothing.
#include "ptx/shuffle_lanes.h"
#include "time/machine/block_state.h"
#include "time/machine/op_builder.h"

#include <algorithm>
#include <bit>

namespace lockstep::time {
namespace {

using sass::Modifier;
using sass::Opcode;
using sass::SpecialRegisterName;

u32 specialOf(SpecialRegisterName name, const WarpState& warp, u32 lane) {
    const Dim3 block = warp.program->geometry.block;
    const Dim3 thread = coordinatesOf(u64{warp.number} * kWarpSize + lane, block);
    switch (name) {
        case SpecialRegisterName::TidX: return thread.x;
        case SpecialRegisterName::TidY: return thread.y;
        case SpecialRegisterName::TidZ: return thread.z;
        case SpecialRegisterName::CtaidX: return warp.block->at.x;
        case SpecialRegisterName::CtaidY: return warp.block->at.y;
        case SpecialRegisterName::CtaidZ: return warp.block->at.z;
        case SpecialRegisterName::NctaidX: return warp.program->geometry.grid.x;
        case SpecialRegisterName::LaneId: return lane;
        case SpecialRegisterName::EqMask: return 1u << lane;
        case SpecialRegisterName::LtMask: return (1u << lane) - 1;
        case SpecialRegisterName::LeMask: return (2u << lane) - 1;
        case SpecialRegisterName::GtMask: return ~((2u << lane) - 1);
        case SpecialRegisterName::GeMask: return ~((1u << lane) - 1);
        case SpecialRegisterName::ClockLo:
        case SpecialRegisterName::GlobalTimerLo: return u32(warp.clock);
        case SpecialRegisterName::Zero:
        case SpecialRegisterName::CgaCtaId:  // a launch without clusters
        case SpecialRegisterName::VirtualId: return 0;
    }
    return 0;
}

void readSpecial(const Op& op, WarpState& warp, u32 mask) {
    Lanes result;
    for (u32 i = 0; i < kWarpSize; ++i)
        result[i] = specialOf(SpecialRegisterName(op.extra), warp, i);
    write(op, warp, mask, result);
}
void readClock(const Op& op, WarpState& warp, u32 mask) {
    WideLanes result{};
    const auto name = SpecialRegisterName(op.extra);
    if (name != SpecialRegisterName::Zero) result.at.fill(warp.clock);
    writeWide(op, warp, mask, result);
}
bool buildSpecial(OpBuilder& b) {
    if (!b.destination()) return false;
    const sass::Operand* const from = b.take();
    if (!from || from->kind != sass::OperandKind::SpecialRegister) return false;
    b.op.extra = u32(from->special);
    const bool isPair = b.opcode() == Opcode::Cs2r && !b.has(Modifier::N32);
    b.op.execute = isPair ? readClock : readSpecial;
    return b.left() == 0;
}

void toUniform(const Op& op, WarpState& warp, u32 mask) {
    Lanes scratch;
    const Lanes& from = lanesOf<Reads::Integer>(op.sources[0], warp, scratch);
    if (mask && op.destination != sass::kZeroUniformRegister)
        warp.uniform[op.destination] = from[LaneMask{mask}.lowest().value];
}
bool buildToUniform(OpBuilder& b) {
    if (!b.destination() || !b.op.toUniform) return false;
    b.op.toUniform = false;  // it asks which lanes are active
    b.op.execute = toUniform;
    return b.source(0) && b.left() == 0;
}

// All predicates of a lane as the bits of a word, those of a mask alone; the other bits come from an operand.
void predicatesToRegister(const Op& op, WarpState& warp, u32 mask) {
    Lanes scratch, result;
    const Lanes& rest = lanesOf<Reads::Integer>(op.sources[0], warp, scratch);
    for (u32 i = 0; i < kWarpSize; ++i) {
        u32 bits = 0;
        for (u32 p = 0; p < sass::kTruePredicate; ++p)
            bits |= (warp.predicates[p] >> i & 1) << p;
        result[i] = (bits & op.extra) | (rest[i] & ~op.extra);
    }
    write(op, warp, mask, result);
}
bool buildPredicatesToRegister(OpBuilder& b) {
    if (!b.destination()) return false;
    const sass::Operand* const from = b.take();
    if (!from || from->kind != sass::OperandKind::PredicateFile) return false;
    b.op.execute = predicatesToRegister;
    return b.source(0) && b.immediate(b.op.extra) && b.left() == 0;
}
void registerToPredicates(const Op& op, WarpState& warp, u32 mask) {
    Lanes scratch;
    const Lanes& from = lanesOf<Reads::Integer>(op.sources[0], warp, scratch);
    for (u32 p = 0; p < sass::kTruePredicate; ++p) {
        if (!(op.extra >> p & 1)) continue;
        u32 lanes = 0;
        for (u32 i = 0; i < kWarpSize; ++i)
            lanes |= (from[i] >> p & 1) << i;
        warp.predicates[p] = (warp.predicates[p] & ~mask) | (lanes & mask);
    }
}
bool buildRegisterToPredicates(OpBuilder& b) {
    const sass::Operand* const to = b.take();
    if (!to || to->kind != sass::OperandKind::PredicateFile) return false;
    b.op.execute = registerToPredicates;
    return b.source(0) && b.immediate(b.op.extra) && b.left() == 0;
}

// extra: 0 any, 1 all, 2 all equal.
void vote(const Op& op, WarpState& warp, u32 mask) {
    const u32 lanes = conditionLanes(op.conditions[0], warp) & mask;
    const bool holds = op.extra == 0   ? lanes != 0
                       : op.extra == 1 ? lanes == mask
                                       : lanes == 0 || lanes == mask;
    if (op.votesUniform) {
        if (op.destination != sass::kZeroUniformRegister && op.destination != sass::kZeroRegister)
            warp.uniform[op.destination] = lanes;
        if (op.predicates[0] != sass::kTruePredicate)
            warp.uniformPredicates[op.predicates[0]] = holds ? ~0u : 0;
        return;
    }
    Lanes result;
    broadcast(lanes, result);
    writeLanes(warp, op.destination, mask, result);
    writePredicate(op, warp, mask, 0, holds ? ~0u : 0);
}
bool buildVote(OpBuilder& b) {
    const sass::Operand* const first = b.peek();
    if (!first) return false;
    const bool isRegister =
        first->kind == sass::OperandKind::Register || first->kind == sass::OperandKind::UniformRegister;
    if (isRegister && !b.destination()) return false;
    const sass::Operand* const holds = b.take();
    if (!holds) return false;
    b.op.predicates[0] = holds->number;
    b.op.toUniform = false;  // it asks which lanes are active
    b.op.votesUniform = b.opcode() == Opcode::Voteu;
    b.op.extra = b.has(Modifier::All) ? 1 : b.has(Modifier::Eq) ? 2 : 0;
    b.op.execute = vote;
    return b.condition(0) && b.left() == 0;
}

template <bool Wide, bool All> void match(const Op& op, WarpState& warp, u32 mask) {
    WideLanes values{};
    if constexpr (Wide) {
        wideLanesOf<Reads::Integer>(op.sources[0], warp, values);
    } else {
        Lanes scratch;
        const Lanes& narrow = lanesOf<Reads::Integer>(op.sources[0], warp, scratch);
        for (u32 i = 0; i < kWarpSize; ++i)
            values[i] = narrow[i];
    }
    Lanes result{};
    u32 all = 0;
    for (const Lane lane : LaneMask{mask}) {
        u32 same = 0;
        for (const Lane other : LaneMask{mask})
            same |= u32(values[other.value] == values[lane.value]) << other.value;
        if (same == mask) all |= 1u << lane.value;
        result[lane.value] = All && same != mask ? 0 : same;
    }
    writeLanes(warp, op.destination, mask, result);
    if constexpr (All) writePredicate(op, warp, mask, 0, all);
}
bool buildMatch(OpBuilder& b) {
    const bool isAll = b.has(Modifier::All), isWide = b.has(Modifier::U64);
    if (isAll) b.predicates();
    b.op.execute = isAll    ? isWide ? match<true, true> : match<false, true>
                      : isWide ? match<true, false>
                            : match<false, false>;
    return b.destination() && b.source(0, isWide) && b.left() == 0;
}

void shuffle(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, sc, result;
    const Lanes a = lanesOf<Reads::Integer>(op.sources[0], warp, sa);  // a copy: it may be written, too
    const Lanes& b = lanesOf<Reads::Integer>(op.sources[1], warp, sb);
    const Lanes& c = lanesOf<Reads::Integer>(op.sources[2], warp, sc);
    u32 inRange = 0;
    for (u32 i = 0; i < kWarpSize; ++i) {
        const ptx::ShuffleRead read = ptx::shuffleRead(ptx::ShuffleMode(op.extra), i, b[i], c[i]);
        result[i] = a[read.lane];
        inRange |= u32(read.inRange) << i;
    }
    writeLanes(warp, op.destination, mask, result);
    writePredicate(op, warp, mask, 0, inRange);
}
bool buildShuffle(OpBuilder& b) {
    b.predicates();
    const ptx::ShuffleMode mode = b.has(Modifier::Up)     ? ptx::ShuffleMode::Up
                                  : b.has(Modifier::Down) ? ptx::ShuffleMode::Down
                                  : b.has(Modifier::Bfly) ? ptx::ShuffleMode::Butterfly
                                                          : ptx::ShuffleMode::Index;
    b.op.extra = u32(mode);
    b.op.execute = shuffle;
    return b.destination() && b.source(0) && b.source(1) && b.source(2) && b.left() == 0;
}

enum class Reduces : u8 { And, Or, Xor, Sum, MinSigned, MaxSigned, MinUnsigned, MaxUnsigned };
void reduce(const Op& op, WarpState& warp, u32 mask) {
    Lanes scratch;
    const Lanes& from = lanesOf<Reads::Integer>(op.sources[0], warp, scratch);
    std::optional<u32> sum;
    for (const Lane lane : LaneMask{mask}) {
        const u32 x = from[lane.value];
        if (!sum) {
            sum = x;
            continue;
        }
        switch (Reduces(op.extra)) {
            case Reduces::And: *sum &= x; break;
            case Reduces::Or: *sum |= x; break;
            case Reduces::Xor: *sum ^= x; break;
            case Reduces::Sum: *sum += x; break;
            case Reduces::MinSigned: sum = u32(std::min(s32(*sum), s32(x))); break;
            case Reduces::MaxSigned: sum = u32(std::max(s32(*sum), s32(x))); break;
            case Reduces::MinUnsigned: sum = std::min(*sum, x); break;
            case Reduces::MaxUnsigned: sum = std::max(*sum, x); break;
        }
    }
    if (sum && op.destination != sass::kZeroUniformRegister) warp.uniform[op.destination] = *sum;
}
bool buildReduce(OpBuilder& b) {
    const bool isSigned = b.has(Modifier::S32);
    const Reduces what = b.has(Modifier::Or)    ? Reduces::Or
                         : b.has(Modifier::Xor) ? Reduces::Xor
                         : b.has(Modifier::Sum) ? Reduces::Sum
                         : b.has(Modifier::Min) ? isSigned ? Reduces::MinSigned : Reduces::MinUnsigned
                         : b.has(Modifier::Max) ? isSigned ? Reduces::MaxSigned : Reduces::MaxUnsigned
                                                : Reduces::And;
    b.op.extra = u32(what);
    b.op.execute = reduce;
    if (!b.destination() || !b.op.toUniform) return false;
    b.op.toUniform = false;  // it asks which lanes are active
    return b.source(0) && b.left() == 0;
}

bool buildNothing(OpBuilder&) { return true; }

constexpr std::array kRows = {
    ExecuteRow{Opcode::Cctl, buildNothing},
    ExecuteRow{Opcode::CgaErrBar, buildNothing},
    ExecuteRow{Opcode::Cs2r, buildSpecial},
    ExecuteRow{Opcode::DepBar, buildNothing},
    ExecuteRow{Opcode::EndCollective, buildNothing},
    ExecuteRow{Opcode::ErrBar, buildNothing},
    ExecuteRow{Opcode::LdgDepBar, buildNothing},
    ExecuteRow{Opcode::Match, buildMatch},
    ExecuteRow{Opcode::MemBar, buildNothing},
    ExecuteRow{Opcode::NanoSleep, buildNothing},
    ExecuteRow{Opcode::Nop, buildNothing},
    ExecuteRow{Opcode::P2r, buildPredicatesToRegister},
    ExecuteRow{Opcode::R2p, buildRegisterToPredicates},
    ExecuteRow{Opcode::R2ur, buildToUniform},
    ExecuteRow{Opcode::Redux, buildReduce},
    ExecuteRow{Opcode::S2r, buildSpecial},
    ExecuteRow{Opcode::S2ur, buildSpecial},
    ExecuteRow{Opcode::Shfl, buildShuffle},
    ExecuteRow{Opcode::Vote, buildVote},
    ExecuteRow{Opcode::Voteu, buildVote},
    ExecuteRow{Opcode::Yield, buildNothing},
};

}  // namespace

std::span<const ExecuteRow> warpRows() { return kRows; }

}  // namespace lockstep::time
