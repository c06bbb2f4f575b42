// The exact flow of values through a recorded block: which instruction wrote the register that an instruction
// reads, which store left what a load brings, and so where a stored value came from. It follows from what the
// instructions do and from the record's addresses, never from values: a block that works on zeros has the
// same flow as one that works on numbers.
//
// Where the record does not tell (a predicate that is not known, the result of a barrier or of an instruction
// that the emulator does not have, several lanes that write one place at once), the answer says so.
//
// Cost: linear in the block's steps, below half a microsecond a step; 20 to 60 bytes a step are kept. Made
// once a block, memory's part of it when it is first asked for: not for several threads at once. Asking is a
// look-up, a walk where values were moved.
#pragma once

#include "base/expected.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockstep::explain {

// What one thread does in one step of its warp.
struct ThreadStep {
    Warp warp;
    Lane lane;
    u32 step = 0;  // of the warp
    auto operator<=>(const ThreadStep&) const = default;
};

// Where a value was made, behind all that merely moved it: moves, conversions that keep it, selections,
// shuffles, packing and unpacking, arguments and results of functions.
struct Origin {
    enum class Kind : u8 {
        Load,       // memory held it: a load, the old value of an atomic, or cp.async, which stores it, too
        Computed,   // an instruction made it from others
        Immediate,  // the kernel's text has it, or it is the zero that cp.async fills in
        Parameter,  // of the kernel
        Special,    // %tid.x and the like
        Address,    // of a variable or a function
        Nothing,    // a register that this thread never wrote
        Unknown,    // the record does not tell
    };
    Kind kind = Kind::Unknown;
    ThreadStep at;   // that loads, computes or names it
    u8 element = 0;  // Load: of a vector
    // The bytes of that element, or of what was computed: less than all of it where it was cut or unpacked.
    u8 byte = 0, bytes = 0;
    bool operator==(const Origin&) const = default;
    // The kernel's own: no memory and no computation is behind it.
    bool isMadeUp() const {
        return kind == Kind::Immediate || kind == Kind::Parameter || kind == Kind::Special ||
               kind == Kind::Address;
    }
};

// What an operand's register was written by.
struct Definition {
    enum class Kind : u8 {
        Step,        // an instruction of this thread
        NoRegister,  // the operand is an immediate, a special register, an address ...
        Nothing,     // the thread never wrote it
        Unknown      // the step executed nothing, or did not execute in this lane
    };
    Kind kind = Kind::Unknown;
    u32 step = 0;
    bool operator==(const Definition&) const = default;
};

// Who left in memory what a load brings.
struct WrittenBy {
    enum class Kind : u8 {
        Store,    // or an atomic, or cp.async
        Nothing,  // not this block: what the buffer held, another block's, or (shared memory) nothing
        Several,  // its bytes come from several stores, or from lanes that wrote them at once
        Unknown,  // it is no load of this lane
    };
    Kind kind = Kind::Unknown;
    ThreadStep at;
    bool operator==(const WrittenBy&) const = default;
};

// How a selection counts (selp): as what it took, or, where what memory holds decides, as computed from both.
enum class Choices : u8 { Taken, Open };

class BlockFlow {
public:
    // Of a recorded block, which stays the caller's, as the module does. buffers: how many the run has. A
    // Fault names the kernel that is not there, or an argument that does not fit.
    static Expected<BlockFlow> of(const ptx::Module& module, const Launch& launch, std::size_t buffers,
                                  const trace::FocusBlock& block);
    BlockFlow(BlockFlow&&) noexcept;
    BlockFlow& operator=(BlockFlow&&) noexcept;
    ~BlockFlow();

    // operand: as written, the result is 0; element: of a vector or a list.
    Definition definitionOf(ThreadStep at, u32 operand, u32 element = 0) const;
    Definition definitionOfGuard(ThreadStep at) const;
    WrittenBy writtenBy(ThreadStep load, u32 element = 0) const;

    // Whose register a shuffle brings: the lane and the step with which it came. None: it is no shuffle, or
    // it is not known.
    std::optional<ThreadStep> shuffledFrom(ThreadStep shuffle) const;

    // Of an operand that is read.
    Origin originOf(ThreadStep at, u32 operand, u32 element = 0, Choices choices = Choices::Taken) const;
    // The same of its guard; Unknown where it has none.
    Origin originOfGuard(ThreadStep at) const;
    // Of what a store, an atomic (its first operand) or cp.async writes: of these bytes of the lane's access,
    // counted from its address. Bytes that come from different places are Computed by the store itself.
    Origin originOfStored(ThreadStep store, u32 firstByte, u32 bytes, Choices choices = Choices::Taken) const;
    // Of what lies behind a load: what the store was given that left it. None: no store of this block.
    std::optional<Origin> originOfLoaded(const Origin& load, Choices choices = Choices::Taken) const;
    // The same of these bytes of a lane's load, counted from its address.
    std::optional<Origin> originOfLoaded(ThreadStep load, u32 firstByte, u32 bytes) const;

    // All loads from memory that a value is made of, through any arithmetic: each once, latest first; the
    // load itself of one that was merely moved. Steps of the warp before `since` are not looked at.
    // Loads of which an unknown selection takes one are all named.
    std::vector<Origin> loadsBehind(const Origin& value, u32 since = 0) const;

    // Where a load's bytes lay. None: it is no load.
    struct Place {
        trace::Space space = trace::Space::Global;
        u64 address = 0;
    };
    std::optional<Place> loadedFrom(const Origin& load) const;

    std::size_t bytesKept() const;

private:
    class Inside;
    explicit BlockFlow(std::unique_ptr<Inside> inside);
    std::unique_ptr<Inside> inside_;
};

}  // namespace lockstep::explain
