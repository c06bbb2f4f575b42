// One PTX instruction as parsed: what it is, on which operands, under which guard, from which source line.
#pragma once

#include "base/indices.h"
#include "ptx/types.h"

#include <array>
#include <string_view>
#include <variant>
#include <vector>

namespace lockstep::ptx {

using RegisterId = Index<struct RegisterTag>;  // within its Function
using VariableId =
    Index<struct VariableTag>;  // within its Module (locals and parameters of functions included)
using FunctionId = Index<struct FunctionTag>;  // within its Module

enum class Special : u8 {
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    LaneId,
    WarpId,
    NWarpId,
    SmId,
    NSmId,
    GridId,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    Clock,
    ClockHi,
    Clock64,
    GlobalTimer,
    GlobalTimerLo,
    GlobalTimerHi,
    DynamicSharedSize,
    TotalSharedSize,
    ClusterIdX,
    ClusterCtaRank,
    ClusterNCtaRank,
    ClusterIdY,
    ClusterIdZ,
    NClusterIdX,
    NClusterIdY,
    NClusterIdZ,
    ClusterCtaIdX,
    ClusterCtaIdY,
    ClusterCtaIdZ,
    ClusterNCtaIdX,
    ClusterNCtaIdY,
    ClusterNCtaIdZ,
    IsExplicitCluster,
    ReservedSharedBegin,
    ReservedSharedEnd,
    ReservedSharedCap,
    ReservedShared0,
    ReservedShared1,  // offsets, cc 8.0 on
    EnvReg1,
    EnvReg2,              // where cooperative groups find the workspace of a grid-wide barrier
    AggregateSharedSize,  // with what is reserved
};
std::string_view nameOf(Special special);  // "%tid.x"
Type typeOf(Special special);              // U32 or U64; Pred for IsExplicitCluster

// ---- Operands. Immediates hold the bits of the type that the instruction gives them at that place.
struct RegisterOperand {
    RegisterId id;
    bool negated = false;       // !%p1, a predicate source
    std::string_view selector;  // "b0", "h1", "b3210" of the video instructions
};
struct ImmediateOperand {
    u64 bits = 0;
    Type type = Type::None;
};
struct SpecialOperand {
    Special special;
};
struct VariableOperand {
    VariableId id;
    s64 offsetBytes = 0;
};                       // the address of a variable: mov.u32 %r1, tile+4
struct AddressOperand {  // [%rd1+8], [tile+4], [param_0], [16]
    std::variant<std::monostate, RegisterId, VariableId> base;
    s64 offsetBytes = 0;
};
struct LabelOperand {
    Pc target;
};
struct FunctionOperand {
    FunctionId id;
};
struct DiscardOperand {};  // "_": the value is not used
struct VectorOperand;      // {a, b, c, d}; also a call's (list)
struct PairOperand {
    RegisterId value, predicate;
};  // shfl's and match.all's  %r1|%p1
using Operand =
    std::variant<RegisterOperand, ImmediateOperand, SpecialOperand, VariableOperand, AddressOperand,
                 LabelOperand, FunctionOperand, DiscardOperand, PairOperand, VectorOperand>;
struct VectorOperand {
    std::vector<Operand> elements;
};

// ---- Modifiers, sorted into kinds. Cache operators, eviction hints and the like change nothing here and
// stand only in `text`.
enum class Rounding : u8 { None, Rn, Rz, Rm, Rp, Rna, Rni, Rzi, Rmi, Rpi, Rs };
enum class Comparison : u8 {
    None,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Lo,
    Ls,
    Hi,
    Hs,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Num,
    Nan
};
enum class BooleanOp : u8 { None, And, Or, Xor };
enum class AtomicOp : u8 { None, Add, Min, Max, And, Or, Xor, Exch, Cas, Inc, Dec };
enum class Scope : u8 { None, Cta, Cluster, Gpu, Sys };
enum class Ordering : u8 { None, Weak, Relaxed, Acquire, Release, AcqRel, SeqCst, Volatile };

struct Modifiers {
    Rounding rounding = Rounding::None;
    Comparison comparison = Comparison::None;
    BooleanOp boolean = BooleanOp::None;
    AtomicOp atomic = AtomicOp::None;
    Scope scope = Scope::None;
    Ordering ordering = Ordering::None;
    StateSpace space =
        StateSpace::None;  // of memory instructions, cvta and isspacep; Generic where none is written
    u8 vector = 1;         // .v2, .v4, .v8
    bool ftz : 1 = false, sat : 1 = false, uniform : 1 = false, sync : 1 = false, carry : 1 = false /* .cc */,
               to : 1 = false /* cvta.to */, nonCoherent : 1 = false /* .nc */;
};

// A row of the opcode table (opcodes.h): what kind of thing an instruction is.
enum class OpcodeClass : u8 {
    Arithmetic,
    Move,
    Memory,
    Atomic,
    Control,
    Barrier,
    Warp /* shfl, vote, match, redux */,
    Other
};

struct Guard {  // @%p1 or @!%p1
    bool present = false, negated = false;
    RegisterId predicate;
};

struct Instruction {
    u16 opcode = 0;  // row of opcodeTable()
    Modifiers modifiers;
    std::array<Type, 4> types{};  // type suffixes in the order written: cvt.f32.s32 -> {F32, S32}
    Guard guard;
    u32 firstOperand = 0;  // into Module::operands; destinations first, as written
    u8 operandCount = 0;
    u32 line = 0, column = 0;  // in the PTX text, 1-based
    u32 location = 0;          // into Module::locations; 0 = no source line known
    std::string_view name;     // as written, guard and operands left out: "ld.global.nc.v4.f32"
    // What decides the meaning: name without cache operators and hints, scopes, orderings, .uni, .aligned,
    // .nc and .volatile; .shared::cta is .shared, barrier.cta is bar, and a video instruction with selectors
    // ends in ".selected". Keys of the emulator's table: "ld.global.v4.f32", "bar.sync", "membar", "fence",
    // "fence.proxy.async", "mbarrier.arrive.shared.b64".
    std::string_view form;
};

}  // namespace lockstep::ptx
