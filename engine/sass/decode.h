// A machine instruction as data: its row in the table of opcodes, modifiers, operands, guard and control
// bits.
#pragma once

#include "base/expected.h"
#include "base/indices.h"
#include "sass/control_bits.h"
#include "sass/machine_code.h"
#include "sass/opcodes.h"

#include <array>
#include <bitset>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::sass {

inline constexpr u8 kZeroRegister = 255;        // RZ: reads as 0, drops what is written
inline constexpr u8 kZeroUniformRegister = 63;  // URZ (cc 7.5 to 9.0)
inline constexpr u8 kTruePredicate = 7;         // PT, UPT

// The parts of an opcode behind its name: ".E.128.CONSTANT".
enum class Modifier : u8 {
    A1T0,
    Add,
    All,
    And,
    Any,
    Arrive,
    Arv,
    Bf,
    Bf16,
    Bf16V2,
    Bfly,
    Cas,
    Cast,
    Collective,
    Constant,
    DeferBlocking,
    Div,
    Down,
    E,
    Ef,
    Eq,
    Ex,
    Ex2,
    Exch,
    Exclusive,
    F16,
    F32,
    F64,
    Floor,
    Ftz,
    Ge,
    Geu,
    Gpu,
    Gt,
    Gtu,
    Hi,
    Iadd,
    Idx,
    Inc,
    Ivall,
    L,
    Le,
    Leu,
    Lg2,
    Lo,
    Lt,
    Ltu,
    Lut,
    Max,
    Min,
    Mma,
    Mov,
    Mt88,
    N16,
    N16816,
    N2A,
    N32,
    N4A,
    N64,
    N128,
    Nan,
    Ne,
    Neu,
    Noinc,
    Nodec,
    Ntz,
    Num,
    Or,
    PackAb,
    PhaseChk,
    Popc,
    R,
    Rcp,
    Rcp64h,
    Rel,
    Relu,
    Rm,
    Rn,
    Rp,
    Rsq,
    Rsq64h,
    Rz,
    S16,
    S32,
    S64,
    S8,
    Sat,
    Sc,
    Sh,
    Shl,
    Spin,
    Strong,
    Sum,
    Sx32,
    Sync,
    Sys,
    Sin,
    Cos,
    Sqrt,
    Tanh,
    Dec,
    Ceil,
    U16,
    Trans64,
    Trunc,
    TryWait,
    U32,
    U64,
    U8,
    Up,
    W,
    Wide,
    X,
    Xor,
    XorSign,
    Last,
};

class Modifiers {
public:
    bool has(Modifier m) const { return bits_[std::size_t(m)]; }
    void add(Modifier m) { bits_[std::size_t(m)] = true; }
    bool operator==(const Modifiers&) const = default;

private:
    std::bitset<std::size_t(Modifier::Last)> bits_;
};

enum class OperandKind : u8 {
    Register,          // R12
    UniformRegister,   // UR4
    Predicate,         // !P0
    UniformPredicate,  // UP0
    PredicateFile,     // PR: all of them
    Immediate,         // 0x10, 1.5
    Constant,          // c[0x0][0x210], c[0x0][R3+0x4]
    Address,           // [R4.64+UR4+0x10]; behind desc[UR6], which says nothing about the address
    SpecialRegister,   // SR_TID.X
    Barrier,           // B0: lanes that reconverge
    Counter,           // SB0
    Target,            // offset of an instruction in the function
};

enum class SpecialRegisterName : u8 {
    Zero,
    TidX,
    TidY,
    TidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    LaneId,
    EqMask,
    LtMask,
    LeMask,
    GtMask,
    GeMask,
    CgaCtaId,
    ClockLo,
    GlobalTimerLo,
    VirtualId,
    NctaidX,
};

// Of a pair of halves: one of them may stand for both (R4.H1_H1).
enum class Halves : u8 { Both, Lower, Upper };

struct Operand {
    OperandKind kind = OperandKind::Immediate;
    bool negated = false;   // -R1
    bool absolute = false;  // |R1|, before the sign
    bool inverted = false;  // ~R1, !P0
    bool isWide = false;    // of an Address: its register is a pair
    Halves halves = Halves::Both;
    u8 number = 0;            // of a register, predicate, barrier, counter; of a Constant: the bank
    u8 base = kZeroRegister;  // of an Address or a Constant
    u8 uniformBase = kZeroUniformRegister;  // of an Address or a Constant
    SpecialRegisterName special = SpecialRegisterName::Zero;
    // Bits of an immediate (of a double all 64; of an integer sign-extended); the number of bytes added to an
    // Address or Constant, signed; the offset of a Target.
    u64 value = 0;

    bool operator==(const Operand&) const = default;
};

struct Guard {
    u8 predicate = kTruePredicate;
    bool isInverted = false, isUniform = false;
    bool isAlways() const { return predicate == kTruePredicate && !isInverted; }
    bool operator==(const Guard&) const = default;
};

struct DecodedInstruction {
    static constexpr std::size_t kMostOperands = 8;

    const OpcodeRow* row = nullptr;
    Modifiers modifiers;
    Modifier firstModifier = Modifier::Last;  // where the order counts: F2F.F32.F64; Last: there is none
    Guard guard;
    ControlBits control;
    u32 offsetBytes = 0;  // from the function's start
    Pc pc = kNoPc;        // the PTX instruction it came from
    u8 operandCount = 0;
    std::array<Operand, kMostOperands> storage{};

    std::span<const Operand> operands() const { return {storage.data(), operandCount}; }
};

struct DecodedFunction {
    std::string name;
    std::vector<DecodedInstruction> instructions;
    std::optional<u32> registers;  // of one thread
};

// Fault: an opcode, a modifier or an operand that is not known, named; or a listing without encodings.
Expected<DecodedInstruction> decode(const Instruction& instruction);
Expected<DecodedFunction> decode(const Function& function);

}  // namespace lockstep::sass
