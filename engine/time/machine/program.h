// A kernel's machine code made ready to execute for one launch: an Op per instruction, its operands resolved,
// constants of the launch among them.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"
#include "sass/decode.h"

#include <array>
#include <span>
#include <vector>

namespace lockstep::time {

struct Op;
struct WarpState;

// What one lane-wise or warp-wide instruction does to the lanes of `mask`.
using Execute = void (*)(const Op& op, WarpState& warp, u32 mask);

struct Source {
    enum class Kind : u8 { Value, Register, Uniform };
    Kind kind = Kind::Value;
    u8 number = sass::kZeroRegister;
    bool negated = false, absolute = false, inverted = false;
    sass::Halves halves = sass::Halves::Both;
    u64 value = 0;  // of a Value: 32 bits, or both registers of a pair
};

struct PredicateSource {
    u8 number = sass::kTruePredicate;
    bool isUniform = false, isInverted = false;
};

// What an instruction does to the path of its lanes.
enum class Flow : u8 {
    Next,
    Branch,
    BranchIfDiverged,
    Call,
    Return,
    Exit,
    Begin,
    Join,
    Leave,
    WarpSync,
    BlockBarrier
};

enum class MemorySpace : u8 { None, Shared, Global, Local };
enum class MemoryAction : u8 { Load, Store, Atomic, Reduction, AsyncCopy };

struct Op {
    const sass::DecodedInstruction* instruction = nullptr;
    Execute execute = nullptr;  // null: only its flow does something
    Flow flow = Flow::Next;
    u8 destination = sass::kZeroRegister;
    bool toUniform = false;  // its destinations are uniform registers and predicates
    std::array<u8, 2> predicates{sass::kTruePredicate, sass::kTruePredicate};  // destinations
    std::array<Source, 3> sources;
    std::array<PredicateSource, 3> conditions;
    u32 extra = 0;  // of an opcode's own: a shift, a table of truth, an action
    sass::Guard guard;
    u32 target = 0;  // index of an instruction
    u8 barrier = 0;  // which lanes reconverge; which barrier of the block
    u8 constantBank = 0;
    bool votesUniform = false;  // of a vote: the result goes to uniform registers

    MemorySpace space = MemorySpace::None;
    MemoryAction action = MemoryAction::Load;
    u8 widthBytes = 0;  // of a lane
    bool isSignExtended = false;
    bool isPairAddress = false;  // 64 bits in two registers
    u8 uniformBase = sass::kZeroUniformRegister;
    s64 offsetBytes = 0;
    // Of a copy to shared memory: where to; the register is sources[1].
    u8 copyUniformBase = sass::kZeroUniformRegister;
    s64 copyOffsetBytes = 0;
};

// Everything of a launch that constants and special registers show.
struct LaunchGeometry {
    Dim3 grid, block;
    u32 sharedBytes = 0;  // of a block, without what the system reserves
};

// Where shared memory of a block begins in its window: the system's own 1,024 bytes come first (cc 9.0; CUDA
// C++ Programming Guide 13.0, "Compute Capabilities", and in every listing of ptxas).
inline constexpr u32 kSharedBase = 1024;
// Local memory of a thread. ptxas' stack pointer starts at its end.
inline constexpr u32 kLocalBytes = 16 * 1024;

inline constexpr u32 kConstantBanks = 5;  // 0 to 4

struct Program {
    std::string name;
    std::vector<sass::DecodedInstruction> code;
    std::vector<Op> ops;
    u32 registers = 0;  // of a thread, at least those that the code names
    bool usesLocal = false;
    std::vector<std::byte> constants;          // bank 0
    std::vector<std::byte> userConstants;      // bank 3: the module's constants
    std::vector<std::byte> variableAddresses;  // bank 4: of the module's variables
    LaunchGeometry geometry;

    const std::vector<std::byte>* bank(u32 number) const;  // null: there is none
};

// Contents of the banks that belong to the module (sass::ConstantBank), addresses filled in.
struct ModuleConstants {
    std::vector<std::byte> user, variableAddresses;
};

// parameters: as the kernel expects them (simt's parameterBlock). Fault: an instruction that cannot be
// executed, named.
Expected<Program> makeProgram(const sass::DecodedFunction& function, const LaunchGeometry& geometry,
                              std::span<const std::byte> parameters, ModuleConstants constants = {});

// The names of opcodes that are in the table of sass and not executed.
std::vector<std::string_view> opcodesNotExecuted();

}  // namespace lockstep::time
