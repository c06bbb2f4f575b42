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
    OpcodeRow{"ATOM", Opcode::Atomg, GlobalAtomic, "atomic by an address of any memory"},
    OpcodeRow{"ATOMG", Opcode::Atomg, GlobalAtomic, "atomic on global memory, gives the old value"},
    OpcodeRow{"ATOMS", Opcode::Atoms, SharedAtomic, "atomic on shared memory"},
    OpcodeRow{"BAR", Opcode::Bar, Barrier, "barrier of the block"},
    OpcodeRow{"BRA", Opcode::Bra, Branch, "branch"},
    OpcodeRow{"BREAK", Opcode::Break, Convergence, "leaves those that reconverge"},
    OpcodeRow{"BREV", Opcode::Brev, Special, "bits reversed"},
    OpcodeRow{"BSSY", Opcode::Bssy, Convergence, "begins a region whose lanes reconverge"},
    OpcodeRow{"BSYNC", Opcode::Bsync, Convergence, "waits for the lanes of the region"},
    OpcodeRow{"CALL", Opcode::Call, Branch, "calls a function"},
    OpcodeRow{"CCTL", Opcode::Cctl, Fence, "invalidates lines of L1"},
    OpcodeRow{"CGAERRBAR", Opcode::CgaErrBar, Fence, "waits for errors of the cluster"},
    OpcodeRow{"CS2R", Opcode::Cs2r, Clock, "copies a clock or zero to a pair of registers"},
    OpcodeRow{"DADD", Opcode::Dadd, Double, "double addition"},
    OpcodeRow{"DEPBAR", Opcode::DepBar, Fence, "waits for a counter to fall to a number"},
    OpcodeRow{"DFMA", Opcode::Dfma, Double, "double multiply-add"},
    OpcodeRow{"DMUL", Opcode::Dmul, Double, "double multiplication"},
    OpcodeRow{"DSETP", Opcode::Dsetp, Double, "compares doubles"},
    OpcodeRow{"ENDCOLLECTIVE", Opcode::EndCollective, Convergence, "ends what a warp does together"},
    OpcodeRow{"ERRBAR", Opcode::ErrBar, Fence, "waits for errors of memory"},
    OpcodeRow{"EXIT", Opcode::Exit, Branch, "ends threads"},
    OpcodeRow{"F2F", Opcode::F2f, Special, "converts between float types"},
    OpcodeRow{"F2FP", Opcode::F2fp, Integer, "two floats to a pair of halves"},
    OpcodeRow{"F2I", Opcode::F2i, Special, "float to integer"},
    OpcodeRow{"FADD", Opcode::Fadd, Float, "float addition"},
    OpcodeRow{"FCHK", Opcode::Fchk, Special, "whether a division needs its slow path"},
    OpcodeRow{"FFMA", Opcode::Ffma, Float, "float multiply-add"},
    OpcodeRow{"FLO", Opcode::Flo, Special, "highest bit that is set"},
    OpcodeRow{"FMNMX", Opcode::Fmnmx, Integer, "lesser or greater float"},
    OpcodeRow{"FMUL", Opcode::Fmul, Float, "float multiplication"},
    OpcodeRow{"FRND", Opcode::Frnd, Special, "float to a whole number"},
    OpcodeRow{"FSEL", Opcode::Fsel, Integer, "one of two floats, by a predicate"},
    OpcodeRow{"FSETP", Opcode::Fsetp, Predicate, "compares floats"},
    OpcodeRow{"HADD2", Opcode::Hadd2, HalfPair, "addition of pairs of halves, or of halves to a float"},
    OpcodeRow{"HFMA2", Opcode::Hfma2, HalfPair,
              "multiply-add of pairs of halves; the compiler uses it for constants"},
    OpcodeRow{"HFMA2.MMA", Opcode::Hfma2, HalfMatrix,
              "the same in the matrix unit: the compiler alternates the two"},
    OpcodeRow{"HMMA", Opcode::Hmma, Matrix, "matrix multiply-add of halves"},
    OpcodeRow{"HMNMX2", Opcode::Hmnmx2, Integer, "lesser or greater halves of pairs"},
    OpcodeRow{"HMUL2", Opcode::Hmul2, HalfPair, "multiplication of pairs of halves"},
    OpcodeRow{"HSET2", Opcode::Hset2, Integer, "compares pairs of halves, gives numbers or masks"},
    OpcodeRow{"HSETP2", Opcode::Hsetp2, Predicate, "compares pairs of halves"},
    OpcodeRow{"I2F", Opcode::I2f, Special, "integer to float"},
    OpcodeRow{"I2FP", Opcode::I2fp, Integer, "integer to float, 32 bits each"},
    OpcodeRow{"IABS", Opcode::Iabs, Integer, "absolute value"},
    OpcodeRow{"IADD3", Opcode::Iadd3, Integer, "adds three integers"},
    OpcodeRow{"IDP", Opcode::Idp, IntegerMultiply, "dot product of bytes"},
    OpcodeRow{"IMAD", Opcode::Imad, IntegerMultiply, "integer multiply-add; also moves, adds and shifts"},
    OpcodeRow{"IMAD.HI", Opcode::Imad, WideMultiply, "upper half of an integer multiply-add"},
    OpcodeRow{"IMAD.WIDE", Opcode::Imad, WideMultiply, "integer multiply-add of 64 bits"},
    OpcodeRow{"ISETP", Opcode::Isetp, Predicate, "compares integers"},
    OpcodeRow{"LD", Opcode::Ldg, GlobalLoad, "loads by an address of any memory"},
    OpcodeRow{"LDC", Opcode::Ldc, Constant, "loads a constant"},
    OpcodeRow{"LDG", Opcode::Ldg, GlobalLoad, "loads from global memory"},
    OpcodeRow{"LDGDEPBAR", Opcode::LdgDepBar, Fence, "groups the asynchronous copies so far"},
    OpcodeRow{"LDGSTS", Opcode::Ldgsts, AsyncCopy, "copies from global to shared memory"},
    OpcodeRow{"LDL", Opcode::Ldl, LocalLoad, "loads from local memory"},
    OpcodeRow{"LDS", Opcode::Lds, SharedLoad, "loads from shared memory"},
    OpcodeRow{"LEA", Opcode::Lea, Integer, "shifts and adds: an address"},
    OpcodeRow{"LOP3", Opcode::Lop3, Integer, "any logic function of three operands"},
    OpcodeRow{"MATCH", Opcode::Match, InstructionClass::Match, "lanes with the same value"},
    OpcodeRow{"MEMBAR", Opcode::MemBar, Fence, "orders memory accesses"},
    OpcodeRow{"MOV", Opcode::Mov, Integer, "copies a register"},
    OpcodeRow{"MOVM", Opcode::Movm, Shuffle, "transposes a matrix of a warp"},
    OpcodeRow{"MUFU", Opcode::Mufu, Special, "reciprocal, root, exponential, logarithm, sine"},
    OpcodeRow{"NANOSLEEP", Opcode::NanoSleep, Nothing, "lets others go first for a while"},
    OpcodeRow{"NOP", Opcode::Nop, Nothing, "nothing"},
    OpcodeRow{"P2R", Opcode::P2r, Integer, "predicates to a register"},
    OpcodeRow{"PLOP3", Opcode::Plop3, Predicate, "any logic function of three predicates"},
    OpcodeRow{"POPC", Opcode::Popc, Special, "number of bits that are set"},
    OpcodeRow{"PRMT", Opcode::Prmt, Integer, "picks bytes of two registers"},
    OpcodeRow{"R2P", Opcode::R2p, Predicate, "register to predicates"},
    OpcodeRow{"R2UR", Opcode::R2ur, Integer, "register to uniform register"},
    OpcodeRow{"REDG", Opcode::Redg, GlobalStore, "atomic on global memory without a result"},
    OpcodeRow{"REDUX", Opcode::Redux, WarpReduction, "reduces a value over a warp"},
    OpcodeRow{"RET", Opcode::Ret, Branch, "returns from a function"},
    OpcodeRow{"S2R", Opcode::S2r, SpecialRegister, "reads a special register"},
    OpcodeRow{"S2UR", Opcode::S2ur, SpecialRegister, "reads a special register to a uniform one"},
    OpcodeRow{"SEL", Opcode::Sel, Integer, "one of two registers, by a predicate"},
    OpcodeRow{"SHF", Opcode::Shf, Integer, "shifts a pair of registers"},
    OpcodeRow{"SHFL", Opcode::Shfl, Shuffle, "values of other lanes"},
    OpcodeRow{"ST", Opcode::Stg, GlobalStore, "stores by an address of any memory"},
    OpcodeRow{"STG", Opcode::Stg, GlobalStore, "stores to global memory"},
    OpcodeRow{"STL", Opcode::Stl, LocalStore, "stores to local memory"},
    OpcodeRow{"STS", Opcode::Sts, SharedStore, "stores to shared memory"},
    OpcodeRow{"SYNCS", Opcode::Syncs, SharedAtomic, "barriers that are objects in shared memory"},
    OpcodeRow{"UFLO", Opcode::Uflo, InstructionClass::Uniform, "highest bit that is set"},
    OpcodeRow{"UIADD3", Opcode::Uiadd3, InstructionClass::Uniform, "adds three integers"},
    OpcodeRow{"UIMAD", Opcode::Uimad, InstructionClass::Uniform, "integer multiply-add"},
    OpcodeRow{"UISETP", Opcode::Uisetp, InstructionClass::Uniform, "compares integers"},
    OpcodeRow{"ULDC", Opcode::Uldc, UniformConstant, "loads a constant"},
    OpcodeRow{"ULEA", Opcode::Ulea, InstructionClass::Uniform, "shifts and adds: an address"},
    OpcodeRow{"ULOP3", Opcode::Ulop3, InstructionClass::Uniform, "any logic function of three operands"},
    OpcodeRow{"UMOV", Opcode::Umov, InstructionClass::Uniform, "copies a register"},
    OpcodeRow{"USEL", Opcode::Usel, InstructionClass::Uniform, "one of two registers, by a predicate"},
    OpcodeRow{"USHF", Opcode::Ushf, InstructionClass::Uniform, "shifts a pair of registers"},
    OpcodeRow{"VABSDIFF", Opcode::Vabsdiff, Integer, "absolute difference, and adds"},
    OpcodeRow{"VIADD", Opcode::Viadd, IntegerMultiply, "adds two integers"},
    OpcodeRow{"VIADDMNMX", Opcode::Viaddmnmx, Integer, "adds, then lesser or greater"},
    OpcodeRow{"VIMNMX", Opcode::Vimnmx, Integer, "lesser or greater integer"},
    OpcodeRow{"VIMNMX3", Opcode::Vimnmx3, Integer, "least or greatest of three integers"},
    OpcodeRow{"VOTE", Opcode::Vote, Integer, "lanes for which a predicate holds"},
    OpcodeRow{"VOTEU", Opcode::Voteu, Integer, "lanes for which a predicate holds, to a uniform register"},
    OpcodeRow{"WARPSYNC", Opcode::WarpSync, Convergence, "waits for lanes of the warp"},
    OpcodeRow{"YIELD", Opcode::Yield, Nothing, "lets other paths of the warp go first"},
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
