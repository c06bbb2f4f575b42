#include "sass/opcodes.h"

#include "base/check.h"

#include <algorithm>
#include <array>

namespace lockstep::sass {
namespace {

using enum InstructionClass;

// Pipes: measured on an H200 with ncu's pipe counters; counters or stalls: 60,135 instructions of ptxas 13.0
// (docs/internals/time.md).
constexpr std::array kClasses = {
    ClassRow{Float, "float", Pipe::Fma, false},
    ClassRow{IntegerMultiply, "integer_multiply", Pipe::FmaHeavy, false},
    ClassRow{WideMultiply, "wide_multiply", Pipe::FmaHeavy, false},
    ClassRow{Integer, "integer", Pipe::Alu, false},
    ClassRow{Predicate, "predicate", Pipe::Alu, false},
    ClassRow{Special, "special", Pipe::Xu, true},
    ClassRow{Double, "double", Pipe::Fp64, false},
    ClassRow{HalfPair, "half_pair", Pipe::Half, false},
    ClassRow{HalfMatrix, "half_matrix", Pipe::Tensor, false},
    ClassRow{Matrix, "matrix", Pipe::Tensor, false},
    ClassRow{InstructionClass::Uniform, "uniform", Pipe::Uniform, false},
    ClassRow{Clock, "clock", Pipe::Alu, false},
    ClassRow{Constant, "constant", Pipe::Adu, true},
    ClassRow{UniformConstant, "uniform_constant", Pipe::Uniform, false},
    ClassRow{SpecialRegister, "special_register", Pipe::Adu, true},
    ClassRow{WarpReduction, "warp_reduction", Pipe::Adu, true},
    ClassRow{InstructionClass::Match, "match", Pipe::Adu, true},
    ClassRow{Shuffle, "shuffle", Pipe::Lsu, true},
    ClassRow{SharedLoad, "shared_load", Pipe::Lsu, true},
    ClassRow{SharedStore, "shared_store", Pipe::Lsu, true},
    ClassRow{SharedAtomic, "shared_atomic", Pipe::Lsu, true},
    ClassRow{GlobalLoad, "global_load", Pipe::Global, true},
    ClassRow{GlobalStore, "global_store", Pipe::Global, true},
    ClassRow{GlobalAtomic, "global_atomic", Pipe::Global, true},
    ClassRow{AsyncCopy, "async_copy", Pipe::Global, true},
    ClassRow{LocalLoad, "local_load", Pipe::Global, true},
    ClassRow{LocalStore, "local_store", Pipe::Global, true},
    ClassRow{Barrier, "barrier", Pipe::Adu, false},
    ClassRow{Branch, "branch", Pipe::Cbu, false},
    ClassRow{Convergence, "convergence", Pipe::Cbu, false},
    ClassRow{Fence, "fence", Pipe::Global, false},
    ClassRow{Nothing, "nothing", Pipe::None, false},
};

static_assert([] {
    for (std::size_t i = 0; i < kClasses.size(); ++i)
        if (std::size_t(kClasses[i].of) != i) return false;
    return kClasses.size() == std::size_t(Nothing) + 1;
}());

constexpr std::array kOpcodes = {
    OpcodeRow{"ATOM", Opcode::Atomg, GlobalAtomic,
              english("updates memory atomically, by an address of any space")},
    OpcodeRow{"ATOMG", Opcode::Atomg, GlobalAtomic,
              english("updates global memory atomically and gives the old value")},
    OpcodeRow{"ATOMS", Opcode::Atoms, SharedAtomic, english("updates shared memory atomically")},
    OpcodeRow{"BAR", Opcode::Bar, Barrier, english("waits at a barrier of the block")},
    OpcodeRow{"BRA", Opcode::Bra, Branch, english("jumps")},
    OpcodeRow{"BREAK", Opcode::Break, Convergence, english("takes lanes out of those that reconverge")},
    OpcodeRow{"BREV", Opcode::Brev, Special, english("reverses the bits of a register")},
    OpcodeRow{"BSSY", Opcode::Bssy, Convergence,
              english("begins a region at whose end the lanes reconverge")},
    OpcodeRow{"BSYNC", Opcode::Bsync, Convergence, english("waits for the lanes of the region")},
    OpcodeRow{"CALL", Opcode::Call, Branch, english("calls a function")},
    OpcodeRow{"CCTL", Opcode::Cctl, Fence, english("invalidates lines of L1")},
    OpcodeRow{"CGAERRBAR", Opcode::CgaErrBar, Fence, english("waits for errors of the cluster")},
    OpcodeRow{"CS2R", Opcode::Cs2r, Clock, english("copies a clock or zero to a pair of registers")},
    OpcodeRow{"DADD", Opcode::Dadd, Double, english("adds doubles")},
    OpcodeRow{"DEPBAR", Opcode::DepBar, Fence, english("waits for a counter to fall to a number")},
    OpcodeRow{"DFMA", Opcode::Dfma, Double, english("multiplies and adds doubles")},
    OpcodeRow{"DMUL", Opcode::Dmul, Double, english("multiplies doubles")},
    OpcodeRow{"DSETP", Opcode::Dsetp, Double, english("compares doubles")},
    OpcodeRow{"ENDCOLLECTIVE", Opcode::EndCollective, Convergence, english("ends what a warp does together")},
    OpcodeRow{"ERRBAR", Opcode::ErrBar, Fence, english("waits for errors of memory")},
    OpcodeRow{"EXIT", Opcode::Exit, Branch, english("ends threads")},
    OpcodeRow{"F2F", Opcode::F2f, Special, english("converts between float types")},
    OpcodeRow{"F2FP", Opcode::F2fp, Integer, english("converts two floats to a pair of halves")},
    OpcodeRow{"F2I", Opcode::F2i, Special, english("converts a float to an integer")},
    OpcodeRow{"FADD", Opcode::Fadd, Float, english("adds floats")},
    OpcodeRow{"FCHK", Opcode::Fchk, Special, english("tells whether a division needs its slow path")},
    OpcodeRow{"FFMA", Opcode::Ffma, Float, english("multiplies and adds floats")},
    OpcodeRow{"FLO", Opcode::Flo, Special, english("finds the highest bit that is set")},
    OpcodeRow{"FMNMX", Opcode::Fmnmx, Integer, english("takes the minimum or maximum of two floats")},
    OpcodeRow{"FMUL", Opcode::Fmul, Float, english("multiplies floats")},
    OpcodeRow{"FRND", Opcode::Frnd, Special, english("rounds a float to a whole number")},
    OpcodeRow{"FSEL", Opcode::Fsel, Integer, english("picks one of two floats by a predicate")},
    OpcodeRow{"FSETP", Opcode::Fsetp, Predicate, english("compares floats")},
    OpcodeRow{"HADD2", Opcode::Hadd2, HalfPair, english("adds pairs of halves, or halves to a float")},
    OpcodeRow{"HFMA2", Opcode::Hfma2, HalfPair,
              english("multiplies and adds pairs of halves; the compiler also uses it for constants")},
    OpcodeRow{
        "HFMA2.MMA", Opcode::Hfma2, HalfMatrix,
        english(
            "multiplies and adds pairs of halves in the matrix unit; the compiler alternates the two forms")},
    OpcodeRow{"HMMA", Opcode::Hmma, Matrix, english("multiplies matrices of halves and adds")},
    OpcodeRow{"HMNMX2", Opcode::Hmnmx2, Integer, english("takes the minimum or maximum of pairs of halves")},
    OpcodeRow{"HMUL2", Opcode::Hmul2, HalfPair, english("multiplies pairs of halves")},
    OpcodeRow{"HSET2", Opcode::Hset2, Integer,
              english("compares pairs of halves and gives numbers or masks")},
    OpcodeRow{"HSETP2", Opcode::Hsetp2, Predicate, english("compares pairs of halves")},
    OpcodeRow{"I2F", Opcode::I2f, Special, english("converts an integer to a float")},
    OpcodeRow{"I2FP", Opcode::I2fp, Integer, english("converts an integer of 32 bits to a float")},
    OpcodeRow{"IABS", Opcode::Iabs, Integer, english("takes the absolute value of an integer")},
    OpcodeRow{"IADD3", Opcode::Iadd3, Integer, english("adds three integers")},
    OpcodeRow{"IDP", Opcode::Idp, IntegerMultiply, english("adds a dot product of bytes")},
    OpcodeRow{"IMAD", Opcode::Imad, IntegerMultiply,
              english("multiplies and adds integers; also used to move, add and shift")},
    OpcodeRow{"IMAD.HI", Opcode::Imad, WideMultiply,
              english("multiplies and adds integers, and gives the upper half")},
    OpcodeRow{"IMAD.WIDE", Opcode::Imad, WideMultiply,
              english("multiplies and adds integers, with a result of 64 bits")},
    OpcodeRow{"ISETP", Opcode::Isetp, Predicate, english("compares integers")},
    OpcodeRow{"LD", Opcode::Ldg, GlobalLoad, english("loads by an address of any space")},
    OpcodeRow{"LDC", Opcode::Ldc, Constant, english("loads a constant")},
    OpcodeRow{"LDG", Opcode::Ldg, GlobalLoad, english("loads from global memory")},
    OpcodeRow{"LDGDEPBAR", Opcode::LdgDepBar, Fence, english("groups the asynchronous copies so far")},
    OpcodeRow{"LDGSTS", Opcode::Ldgsts, AsyncCopy,
              english("copies from global to shared memory, asynchronously")},
    OpcodeRow{"LDL", Opcode::Ldl, LocalLoad, english("loads from local memory")},
    OpcodeRow{"LDS", Opcode::Lds, SharedLoad, english("loads from shared memory")},
    OpcodeRow{"LEA", Opcode::Lea, Integer, english("shifts and adds, as for an address")},
    OpcodeRow{"LOP3", Opcode::Lop3, Integer, english("computes any logic function of three operands")},
    OpcodeRow{"MATCH", Opcode::Match, InstructionClass::Match,
              english("finds the lanes with the same value")},
    OpcodeRow{"MEMBAR", Opcode::MemBar, Fence, english("orders memory accesses")},
    OpcodeRow{"MOV", Opcode::Mov, Integer, english("copies a register")},
    OpcodeRow{"MOVM", Opcode::Movm, Shuffle, english("transposes a matrix of a warp")},
    OpcodeRow{"MUFU", Opcode::Mufu, Special,
              english("computes a reciprocal, root, exponential, logarithm or sine")},
    OpcodeRow{"NANOSLEEP", Opcode::NanoSleep, Nothing, english("lets other warps go first for a while")},
    OpcodeRow{"NOP", Opcode::Nop, Nothing, english("does nothing")},
    OpcodeRow{"P2R", Opcode::P2r, Integer, english("copies predicates to a register")},
    OpcodeRow{"PLOP3", Opcode::Plop3, Predicate, english("computes any logic function of three predicates")},
    OpcodeRow{"POPC", Opcode::Popc, Special, english("counts the bits that are set")},
    OpcodeRow{"PRMT", Opcode::Prmt, Integer, english("picks bytes of two registers")},
    OpcodeRow{"R2P", Opcode::R2p, Predicate, english("copies a register to predicates")},
    OpcodeRow{"R2UR", Opcode::R2ur, Integer, english("copies a register to a uniform one")},
    OpcodeRow{"REDG", Opcode::Redg, GlobalStore,
              english("updates global memory atomically, without a result")},
    OpcodeRow{"REDUX", Opcode::Redux, WarpReduction, english("reduces a value over a warp")},
    OpcodeRow{"RET", Opcode::Ret, Branch, english("returns from a function")},
    OpcodeRow{"S2R", Opcode::S2r, SpecialRegister, english("reads a special register")},
    OpcodeRow{"S2UR", Opcode::S2ur, SpecialRegister, english("reads a special register to a uniform one")},
    OpcodeRow{"SEL", Opcode::Sel, Integer, english("picks one of two registers by a predicate")},
    OpcodeRow{"SHF", Opcode::Shf, Integer, english("shifts a pair of registers")},
    OpcodeRow{"SHFL", Opcode::Shfl, Shuffle, english("exchanges values between lanes")},
    OpcodeRow{"ST", Opcode::Stg, GlobalStore, english("stores by an address of any space")},
    OpcodeRow{"STG", Opcode::Stg, GlobalStore, english("stores to global memory")},
    OpcodeRow{"STL", Opcode::Stl, LocalStore, english("stores to local memory")},
    OpcodeRow{"STS", Opcode::Sts, SharedStore, english("stores to shared memory")},
    OpcodeRow{"SYNCS", Opcode::Syncs, SharedAtomic, english("works on a barrier object in shared memory")},
    OpcodeRow{"UFLO", Opcode::Uflo, InstructionClass::Uniform, english("finds the highest bit that is set")},
    OpcodeRow{"UIADD3", Opcode::Uiadd3, InstructionClass::Uniform, english("adds three integers")},
    OpcodeRow{"UIMAD", Opcode::Uimad, InstructionClass::Uniform, english("multiplies and adds integers")},
    OpcodeRow{"UISETP", Opcode::Uisetp, InstructionClass::Uniform, english("compares integers")},
    OpcodeRow{"ULDC", Opcode::Uldc, UniformConstant, english("loads a constant")},
    OpcodeRow{"ULEA", Opcode::Ulea, InstructionClass::Uniform, english("shifts and adds, as for an address")},
    OpcodeRow{"ULOP3", Opcode::Ulop3, InstructionClass::Uniform,
              english("computes any logic function of three operands")},
    OpcodeRow{"UMOV", Opcode::Umov, InstructionClass::Uniform, english("copies a register")},
    OpcodeRow{"USEL", Opcode::Usel, InstructionClass::Uniform,
              english("picks one of two registers by a predicate")},
    OpcodeRow{"USHF", Opcode::Ushf, InstructionClass::Uniform, english("shifts a pair of registers")},
    OpcodeRow{"VABSDIFF", Opcode::Vabsdiff, Integer, english("adds the absolute difference of two integers")},
    OpcodeRow{"VIADD", Opcode::Viadd, IntegerMultiply, english("adds two integers")},
    OpcodeRow{"VIADDMNMX", Opcode::Viaddmnmx, Integer, english("adds, then takes the minimum or maximum")},
    OpcodeRow{"VIMNMX", Opcode::Vimnmx, Integer, english("takes the minimum or maximum of two integers")},
    OpcodeRow{"VIMNMX3", Opcode::Vimnmx3, Integer, english("takes the minimum or maximum of three integers")},
    OpcodeRow{"VOTE", Opcode::Vote, Integer, english("tells for which lanes a predicate holds")},
    OpcodeRow{"VOTEU", Opcode::Voteu, Integer,
              english("tells a uniform register for which lanes a predicate holds")},
    OpcodeRow{"WARPSYNC", Opcode::WarpSync, Convergence, english("waits for lanes of the warp")},
    OpcodeRow{"YIELD", Opcode::Yield, Nothing, english("lets other paths of the warp go first")},
};

static_assert(std::ranges::is_sorted(kOpcodes, {}, &OpcodeRow::name));

}  // namespace

std::span<const ClassRow> instructionClasses() { return kClasses; }

const ClassRow& info(InstructionClass of) {
    CHECK_LT(std::size_t(of), kClasses.size(), "every class has a row");
    return kClasses[std::size_t(of)];
}

const ClassRow* findInstructionClass(std::string_view name) {
    const auto found = std::ranges::find(kClasses, name, &ClassRow::name);
    return found == kClasses.end() ? nullptr : &*found;
}

std::span<const OpcodeRow> opcodes() { return kOpcodes; }

const OpcodeRow* findOpcode(std::string_view withModifiers) {
    for (std::string_view name = withModifiers;;) {
        const auto found = std::ranges::lower_bound(kOpcodes, name, {}, &OpcodeRow::name);
        if (found != kOpcodes.end() && found->name == name) return &*found;
        const std::size_t point = name.rfind('.');
        if (point == std::string_view::npos) return nullptr;
        name = name.substr(0, point);
    }
}

}  // namespace lockstep::sass
