// A kernel decoded for one launch: a compact list of ops whose operands are byte offsets into a warp's frame.
// Larger data (memory operations, calls, barriers) is in tables beside it. Immutable while the launch runs.
#pragma once

#include "base/dim3.h"
#include "base/indices.h"
#include "ptx/module.h"
#include "simt/images/image.h"
#include "simt/memory/lane_memory.h"
#include "simt/opcodes/atomic_functions.h"
#include "simt/opcodes/opcode.h"
#include "trace/access.h"
#include "trace/shadow/memory_order.h"

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::simt {

enum class OpKind : u8 {
    Segment,  // not an instruction: a straight run of at[0] instructions begins here (counting, the clock)
    Meeting,  // a Segment where paths may reconverge
    Hidden,   // not an instruction: prepares the next one (a narrowed source, a negated predicate)
    Lanes,    // execute() over the lanes of the path
    LanesGuarded,  // the same under a guard
    Divide,        // Lanes, but the last source must not be zero
    WarpSync,      // execute() once all lanes of the member mask (the last source) have come
    Load,
    Store,
    Atomic,
    AsyncCopy,
    Branch,
    BranchIndexed,
    Call,
    Return,
    Exit,
    Trap,
    BlockBarrier,
    ObjectBarrier /* mbarrier */,
    Fence,
    Clock,
    Image,  // a texture or surface
    Nothing,
    // Only in accelerated programs (accelerate.h).
    Known,        // its result was there from the start (Program::prologue)
    Jump,         // to at[0]: not an instruction
    Forget,       // the register of an AddressSlot has changed
    SharedGroup,  // checks and logs the loads that follow; if that fails, continues at at[0]
    SharedLoad,   // a load of a group
    SharedStore,
    MultiplyAdd,  // several of them with the loads of their factors
    GlobalLoad,
    GlobalStore,
    GlobalLoadIndexed,  // fused with the two before it, which compute its address (execute(): both)
                        // and nothing else
    WholeSync,          // a BlockBarrier that whole warps usually reach together
};

struct Op {
    Execute execute = nullptr;
    std::array<u32, kMostOperands> at{};  // frame offsets: results, then sources
    u32 guard = 0;                        // frame offset of the predicate; of all ones if there is none
    u32 guardFlip = 0;                    // all ones: @!%p
    u32 pc = 0;
    u32 aux = 0;  // branch: op index of the target; else an index into the table of its kind
    OpKind kind = OpKind::Nothing;
    u8 results = 0, operands = 0;  // of at
    bool guarded = false;
    u8 knownBefore = 0;  // instructions before it, in a row, whose results were there from the start
};

// Lanes of the mask whose guard is true.
inline u32 guarded(const Op& op, const std::byte* frame, u32 mask) {
    u32 lanes;
    std::memcpy(&lanes, frame + op.guard, sizeof lanes);
    return mask & (lanes ^ op.guardFlip);
}

inline constexpr u32 kNoOp = 0xffffffffu;

// A straight run of ops that a path executes as a whole; one Segment op begins it.
struct Segment {
    u32 firstPc = 0, instructions = 0;  // consecutive pcs
};

struct BranchOperation {
    u32 target = kNoOp;
    u32 reconvergence = kNoOp;  // op where the two paths reconverge; kNoOp: at the function's end
    bool backward = false;
    bool spins = false;  // a backward branch around code that reads what others write
};

struct IndexedBranchOperation {
    std::vector<u32> targets;
    u32 reconvergence = kNoOp;
};

// How a memory element maps to a lane of a register.
struct ElementSlot {
    u32 at = 0;  // frame offset of the register; kDiscard: unused
    Storage storage = Storage::Lanes32;
    u8 registerBytes = 4;     // of the register as declared
    ElementMoves moves;       // null if there is no register
    bool loadsWords = false;  // an element of memory fills the register: 4 or 8 bytes, nothing to extend
    static constexpr u32 kDiscard = 0xffffffffu;
};

// One of several shared arrays of a block: the bounds for an access through a pointer into it.
struct SharedArray {
    ptx::VariableId variable{};
    u64 offsetBytes = 0, sizeBytes = 0;  // in the block's shared memory
};

struct MemoryOperation {
    ptx::StateSpace space = ptx::StateSpace::Generic;
    trace::AccessKind kind = trace::AccessKind::Load;
    u8 elementBytes = 4, elements = 1;
    bool isVectorOfWords = false;  // two words of 4 or 8 bytes, or four of 4, each in a register
    bool isSigned = false;         // loads narrower than the register extend the sign
    trace::Strength strength;
    std::array<ElementSlot, 8> registers{};  // destinations of a load, sources of a store
    u32 address = 0;                         // frame offset of the base register; constants are registers too
    bool address64 = true;
    s64 offsetBytes = 0;
    u32 site = 0;          // number of this instruction among the counted ones
    u32 array = kNoArray;  // of Program::sharedArrays: the array the address is based on, if known
    static constexpr u32 kNoArray = ~0u;
    // Atomics and reductions.
    AtomicFunction atomic = nullptr;
    bool commutes = false;                 // the result does not depend on their order
    bool exchanges = false;                // a reduction that does is a store: it reads nothing
    std::array<ElementSlot, 8> results{};  // the old values; `registers` are the first operands
    ElementSlot second;
    // Asynchronous copies: from `address` (global) to this shared address; `sourceBytes` (or all) are read.
    u32 sharedAddress = 0, sourceBytes = 0;
    bool sharedAddress64 = true, hasSourceBytes = false;
    s64 sharedOffsetBytes = 0;
    // GlobalLoadIndexed: the address is base + index * scale, with a warp-uniform base.
    struct Index {
        u32 at = 0, baseAt = 0;  // frame offsets: of 32-bit words, of 64-bit ones
        u32 scale = 0;
        bool isSigned = false;
    } index;

    u32 widthBytes() const { return u32{elementBytes} * elements; }
};

// An instruction for textures or surfaces. Frame offsets, where nothing else is said.
struct ImageOperation {
    enum class Kind : u8 {
        Fetch,
        Gather,  // one component of four texels
        Query,
        Load,  // of a surface, as the other two
        Store,
        Reduce,
    } kind = Kind::Fetch;
    enum class Property : u8 { Width, Height, Depth, Layers } property = Property::Width;  // Query
    u32 handle = 0;                                                                        // 64 bits
    u8 dimensions = 1;  // of the coordinates, without a layer
    bool isLayered = false;
    bool isFloat = false;  // the coordinates are
    u8 component = 0;      // Gather
    Boundary boundary = Boundary::Trap;
    std::array<u32, 3> coordinates{};
    u32 layer = 0;
    u8 elementBytes = 4, elements = 4;  // of the values
    std::array<u32, 4> values{};        // results, or what is stored: 64 bits if an element has 8 bytes
    AtomicFunction atomic = nullptr;    // Reduce

    bool isOfSurface() const { return kind == Kind::Load || kind == Kind::Store || kind == Kind::Reduce; }
    bool writes() const { return kind == Kind::Store || kind == Kind::Reduce; }
    u32 accessBytes() const { return u32{elementBytes} * elements; }
};

// A parameter of a device function: each lane's bytes are contiguous, lanes are strideBytes apart.
struct LaneBytes {
    u32 at = 0, sizeBytes = 0;
    u32 strideBytes() const { return (sizeBytes + 7) / 8 * 8; }
};

enum class Builtin : u8 { None, Printf, AssertFail, Mathematics, Malloc, Free };

struct MathFunction;  // math_functions.h

struct CallOperation {
    u32 function = 0;  // index into Program::functions, if direct
    bool indirect = false;
    u32 address = 0;  // frame offset of the register with the function's address, if indirect
    Builtin builtin = Builtin::None;
    const MathFunction* mathematics = nullptr;  // if it is one
    std::vector<LaneBytes> arguments, results;  // in the caller's frame
    u32 next = kNoOp;                           // op after the call
};

struct BarrierOperation {
    enum class Kind : u8 { Sync, Arrive, Reduce } kind = Kind::Sync;
    enum class Reduction : u8 { None, And, Or, Count } reduction = Reduction::None;
    bool aligned = true;        // all lanes of the warp must arrive together
    u32 number = 0, count = 0;  // frame offsets
    bool hasCount = false;
    u32 result = 0, predicate = 0;  // frame offsets
};

struct ObjectBarrierOperation {  // mbarrier: a barrier in a word of shared memory
    enum class Kind : u8 {
        Init,
        Invalidate,
        Arrive,
        ExpectBytes,
        CompleteBytes,
        Wait,
        PendingCount
    } kind = Kind::Init;
    bool drops = false;   // Arrive: the count of later phases falls too
    bool parity = false;  // Wait: the operand is the parity of a phase, not a state
    bool generic = false;
    u32 address = 0;  // frame offset
    bool address64 = true;
    s64 offsetBytes = 0;
    u32 result = ElementSlot::kDiscard;   // state (64 bits), predicate or count
    u32 operand = ElementSlot::kDiscard;  // count, state or parity
    bool operand64 = false;
    u32 bytes = ElementSlot::kDiscard;  // still to be copied
};

// Registers that the emulator writes per warp or block.
// What the system reserves of a block's shared memory from cc 8.0 on (CUDA C++ Programming Guide, "Compute
// Capability 8.x"), where cooperative groups of several warps keep their barriers.
inline constexpr u32 kReservedSharedBytes = 1024;

struct SpecialSlot {
    ptx::Special special;
    u32 at;
    bool changesWithBlock;
};

// What one instruction does to registers, as frame offsets.
struct RegisterUse {
    std::vector<u32> reads, writes;
};

// A function's frame: registers, constants, special registers and parameters, all as vectors of 32 lanes.
struct FunctionCode {
    u32 function = 0;  // FunctionId
    u32 firstOp = 0;
    u32 firstPc = 0;
    std::vector<RegisterUse> uses;  // by pc - firstPc
    std::vector<u32> registers;     // by RegisterId: frame offset, or kNowhere if no instruction names it
    static constexpr u32 kNowhere = 0xffffffffu;
    u32 frameBytes = 0;
    std::vector<std::byte> initialFrame;  // constants in place, the rest zero
    std::vector<u32> constants;           // their frame offsets: the same in all lanes, never written
    std::vector<SpecialSlot> specials;
    struct Range {
        u32 at, bytes;
    };
    std::vector<Range> clearedAtStart;  // registers that may be read before they are written
    std::vector<LaneBytes> parameters, results;
    u32 localBytes = 0;
    struct LocalAddress {
        u32 at;
        u32 offsetBytes;
        bool generic;
    };
    std::vector<LocalAddress> localAddresses;  // constants that depend on the stack frame's address
};

// One memory instruction that is counted and recorded.
struct Site {
    u32 pc = 0;
    trace::Space space = trace::Space::Global;  // of a generic access: set when it first executes
    trace::AccessKind kind = trace::AccessKind::Load;
    u8 widthBytes = 4;
};

// How the requests of a site are numbered (trace/request_stream.h): a generic access may reach both spaces.
constexpr u32 requestSite(u32 site, bool local) { return 2 * site + local; }

// A register that holds shared-memory addresses and rarely changes.
struct AddressSlot {
    u32 at = 0;  // frame offset
    bool is64 = true;
    std::vector<u32> groups;  // groups that use it
};

// Shared loads, or one shared store, whose address registers do not change in between: checked and reported
// together.
struct SharedGroup {
    struct Use {
        u32 slot = 0;            // index into Program::slots
        s64 least = 0, end = 0;  // of all bytes accessed, relative to the address in the register
        s64 from = 0, to = 0;    // the bytes of shared memory that it should stay in
        u64 misaligned = 0;      // bits that must be 0 in the address
    };
    struct Member {
        u32 operation = 0;  // index into Program::memory
        u32 use = 0;
        u32 pc = 0;
    };
    std::vector<Use> uses;
    std::vector<Member> members;
    u32 noteAt = 0;  // in SlotStates::notes
    u32 noteWords() const { return u32(1 + 2 * uses.size()); }
};

// A chain of multiply-adds with the loads of their factors: the unrolled inner loop of a matrix multiply.
struct MultiplyAddOperation {
    struct Side {  // source of all first, or all second, factors: shared memory or registers
        bool isShared = false;
        u32 slot = 0;
        bool operator==(const Side&) const = default;
    };
    struct Load {
        u32 operation = 0, slot = 0, pc = 0;
    };
    using Offsets = std::array<s64, 2>;  // of both factors, in bytes: from the slot's address, or of the
                                         // register in the frame
    struct Step {
        std::array<u32, kMostOperands> at{};  // of the plain instruction
        u32 pc = 0;
        std::array<Load, 2> loads{};  // as the kernel has them
        u32 loadCount = 0;
    };
    std::array<Side, 2> sides;
    std::vector<Step> steps;
    std::vector<Offsets> offsets;  // by step: all that is read when nothing is recorded, kept close together
};

struct Program {
    const ptx::Module* module = nullptr;
    std::vector<Op> ops;
    std::vector<Segment> segments;
    std::vector<FunctionCode> functions;  // functions[0] is the entry
    std::vector<BranchOperation> branches;
    std::vector<IndexedBranchOperation> indexedBranches;
    std::vector<MemoryOperation> memory;
    std::vector<SharedArray> sharedArrays;  // none if there is only one
    std::vector<CallOperation> calls;
    std::vector<BarrierOperation> barriers;
    std::vector<ObjectBarrierOperation> objectBarriers;
    std::vector<ImageOperation> images;
    std::vector<Site> sites;
    std::vector<const OpcodeRow*> rows;  // of ops that execute an opcode, not a helper
    std::vector<AddressSlot> slots;
    std::vector<SharedGroup> groups;
    u32 noteWords = 0;  // of all groups together
    std::vector<MultiplyAddOperation> multiplyAdds;
    std::vector<Op>
        prologue;  // of Lanes: what is the same in every block, computed once a warp in the entry's frame
    u32 localBytesPerCall = 0;   // the largest localBytes, rounded up: offset of a callee's stack frame
    u32 sharedBytes = 0;         // of a block, with what is reserved
    u32 ownSharedBytes = 0;      // static and dynamic
    u32 reservedSharedAt = 0;    // behind them; 0: the kernel does not ask for it
    bool usesWorkspace = false;  // synchronizes the grid, or asks whether it can
    std::vector<std::byte> parameters;  // of the entry, as the ABI lays them out
    bool callsFunctions = false;
    bool isAccelerated = false;      // accelerate.h: blocks may follow scripts, too
    bool mustRunInOrder = false;     // the result can depend on the order of blocks
    bool blocksCommunicate = false;  // so that it does not only print: atomics whose old values are used,
                                     // loads that wait for others
};

}  // namespace lockstep::simt
