// The opcodes of machine code (cc 9.0) that Lockstep knows, a row each: which unit runs it, how its result is
// waited for, and what it does. How long that takes is a device's figure (engine/time).
#pragma once

#include "base/integers.h"
#include "base/text/words.h"

#include <span>
#include <string_view>

namespace lockstep::sass {

// Names: CUDA Binary Utilities, "Instruction Set Reference", Hopper. Forms of one opcode that are other
// instructions to the machine (IMAD.WIDE) are modifiers here and rows of their own in the table.
enum class Opcode : u8 {
    Atomg,
    Atoms,
    Bar,
    Bra,
    Break,
    Brev,
    Bssy,
    Bsync,
    Call,
    Cctl,
    CgaErrBar,
    Cs2r,
    Dadd,
    DepBar,
    Dfma,
    Dmul,
    Dsetp,
    EndCollective,
    ErrBar,
    Exit,
    F2f,
    F2i,
    Fadd,
    Fchk,
    Ffma,
    Flo,
    Fmnmx,
    Fmul,
    Frnd,
    Fsel,
    Fsetp,
    F2fp,
    Hadd2,
    Hfma2,
    Hmma,
    Hmnmx2,
    Hmul2,
    Hset2,
    Hsetp2,
    I2f,
    I2fp,
    Iabs,
    Iadd3,
    Idp,
    Imad,
    Isetp,
    Ldc,
    Ldg,
    LdgDepBar,
    Ldgsts,
    Ldl,
    Lds,
    Lea,
    Lop3,
    Match,
    MemBar,
    Mov,
    Movm,
    Mufu,
    NanoSleep,
    Nop,
    P2r,
    Plop3,
    Popc,
    Prmt,
    R2p,
    R2ur,
    Redg,
    Redux,
    Ret,
    S2r,
    S2ur,
    Sel,
    Shf,
    Shfl,
    Stg,
    Stl,
    Sts,
    Syncs,
    Uflo,
    Uiadd3,
    Uimad,
    Uisetp,
    Uldc,
    Ulea,
    Ulop3,
    Umov,
    Usel,
    Ushf,
    Vabsdiff,
    Viadd,
    Viaddmnmx,
    Vimnmx,
    Vimnmx3,
    Vote,
    Voteu,
    WarpSync,
    Yield,
};

// The unit of the SM that an instruction occupies.
enum class Pipe : u8 {
    None,      // no unit: NOP, and what only waits
    Fma,       // single precision: the heavy or the lite half, whichever is free
    FmaHeavy,  // integer multiplication: the heavy half alone
    Alu,       // integers, logic, comparisons
    Xu,        // special functions and conversions
    Fp64,
    Half,  // both halves of Fma together
    Tensor,
    Uniform,  // the scalar unit of a sub-core
    Lsu,      // shared memory and shuffles, by the MIO queue
    Global,   // global and local memory, by the LG queue
    Adu,      // constants, special registers, reductions, barriers: one of an SM
    Cbu,      // branches
};

// How long a result takes is known per class. A class is a row of a device's time profile.
enum class InstructionClass : u8 {
    Float,
    IntegerMultiply,
    WideMultiply,
    Integer,
    Predicate,
    Special,
    Double,
    HalfPair,
    HalfMatrix,
    Matrix,
    Uniform,
    Clock,
    Constant,
    UniformConstant,
    SpecialRegister,
    WarpReduction,
    Match,
    Shuffle,
    SharedLoad,
    SharedStore,
    SharedAtomic,
    GlobalLoad,
    GlobalStore,
    GlobalAtomic,
    AsyncCopy,
    LocalLoad,
    LocalStore,
    Barrier,
    Branch,
    Convergence,
    Fence,
    Nothing,
};

struct ClassRow {
    InstructionClass of;
    std::string_view name;  // as a time profile names it: "integer_multiply"
    Pipe pipe;
    bool usesCounter;  // its result is waited for by a counter; else by the compiler's stall count
};
std::span<const ClassRow> instructionClasses();
const ClassRow& info(InstructionClass of);
const ClassRow* findInstructionClass(std::string_view name);

struct OpcodeRow {
    std::string_view name;  // "IMAD.WIDE": with the modifiers that make it a row of its own
    Opcode opcode;
    InstructionClass timing;
    Words does;  // in a few words
};
// In the order of their names; a longer name follows the shorter that it begins with.
std::span<const OpcodeRow> opcodes();
// The longest row whose name the opcode begins with, at a point: "IMAD.WIDE.U32" -> IMAD.WIDE. nullptr:
// unknown.
const OpcodeRow* findOpcode(std::string_view withModifiers);

}  // namespace lockstep::sass
