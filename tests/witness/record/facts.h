// What a text may say, computed from the record: of a run, of a block, of one step, of a line of code.
#pragma once

#include "run/run.h"
#include "witness/record/rules.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockstep::witness {

// What a step accesses: nothing, one thing, or what cp.async reads and then what it writes to shared memory.
std::vector<const trace::StoredAccess*> accessesOf(const trace::WarpTrace& warp, u32 step);

// Numbers by what they are of: "wavefront" -> {1, 4}. Ids and counts apart: "bank 3" is not "3 banks".
struct Facts {
    std::map<std::string, std::set<f64>, std::less<>> ids, counts;
    std::vector<std::pair<std::string, f64>> shares;  // of something: for percentages

    void id(std::string_view noun, f64 value) { ids[std::string(noun)].insert(value); }
    void count(std::string_view noun, f64 value) { counts[std::string(noun)].insert(value); }
    void add(const Facts& other) {
        for (const auto& [noun, values] : other.ids)
            ids[noun].insert(values.begin(), values.end());
        for (const auto& [noun, values] : other.counts)
            counts[noun].insert(values.begin(), values.end());
        shares.insert(shares.end(), other.shares.begin(), other.shares.end());
    }
};

// An array that has a name in the source: a buffer, or a variable in shared memory.
struct Array {
    std::string name;
    trace::Space space = trace::Space::Global;
    u64 address = 0, bytes = 0;  // bytes 0: not known (dynamic shared memory)
    std::vector<u64> shape;      // empty: not known
    u32 elementBytes = 4;
    char type = 'f';  // f, i, u: how bits are read
    s32 buffer = -1;
    u32 components = 1;  // of an element: a float4 has four
    u64 elements() const { return bytes / elementBytes; }
    u32 componentBytes() const { return elementBytes / components; }
    bool has(trace::Space of, u64 at) const { return of == space && at >= address && at < address + bytes; }
};

struct PcSums {
    u64 executions = 0, activeLanes = 0, divergent = 0, sectors = 0, bytes = 0, requests = 0, wavefronts = 0,
        least = 0;
};

// How the bits of an element are read.
f64 readNumber(char type, u32 bytes, const std::byte* from);
// Template parameters and constants by name, and what they stand for in this run's entry.
std::map<std::string, std::string> constantsOf(const run::Run& run, const std::vector<std::string>& source);
std::vector<Array> arraysOf(const run::Run& run, const std::vector<std::string>& source);

// Lines by pc, where `own` has those of the compiler's table and 0 for none (lines.cpp).
std::vector<u32> filledLines(const ptx::Module& module, const std::vector<u32>& own);

std::string squeezed(std::string_view text);  // one blank where there are several

// Of a whole run, under the rules of its device.
class RunFacts {
public:
    RunFacts(const run::Run& run, Capability capability);

    const run::Run& run() const { return run_; }
    Capability capability() const { return capability_; }
    u32 lineOf(Pc pc) const { return pc.value < lines_.size() ? lines_[pc.value] : 0; }
    std::set<u32> linesNear(Pc pc) const;
    // Lines at which lanes go on that jump, the others, and both: the first that a way alone has
    // (branch_ways.cpp).
    std::array<std::optional<u32>, 3> waysOf(Pc branch) const;
    std::string_view sourceLine(u32 line) const {
        return line > 0 && line <= source_.size() ? source_[line - 1] : std::string_view();
    }
    bool isInSource(std::string_view code) const;
    bool isInstruction(std::string_view text) const;  // or the beginning of one, with "…"
    const std::string& sourceOf(u32 line) const {
        static const std::string kNone;
        return line > 0 && line <= source_.size() ? source_[line - 1] : kNone;
    }
    std::optional<s64> constant(const std::string& name) const;
    const std::vector<Array>& arrays() const { return arrays_; }
    const Array* array(std::string_view name, LaunchId launch) const;
    // The element's address, whether it exists or not; none where the array or its shape is not known.
    std::optional<u64> addressOf(const Array& array, const std::vector<s64>& indices) const;
    std::string nameOf(u64 address, trace::Space space) const;
    bool exists(const Array& array, u64 address) const {
        return address >= array.address &&
               (array.bytes == 0 || address + array.elementBytes <= array.address + array.bytes);
    }
    std::optional<f64> initial(const Array& array, u64 address) const;
    std::optional<f64> final(const Array& array, u64 address) const;

    const std::map<u32, PcSums>& ofPc() const { return ofPc_; }  // all launches
    const std::map<u32, PcSums>& ofLine() const { return ofLine_; }
    u64 lanesComingTo(Pc pc) const;  // to its block, in the whole grid (paths.cpp)
    const std::map<u32, PcSums>& ofPtxLine() const { return ofPtxLine_; }
    std::string_view ptxLine(u32 line) const {
        return line > 0 && line <= ptx_.size() ? ptx_[line - 1] : std::string_view();
    }
    const PcSums& total() const { return total_; }
    // By space and kind of access: sums of the grid.
    const PcSums& of(trace::Space space, trace::AccessKind kind) const;
    const Facts& grid() const { return grid_; }

private:
    const run::Run& run_;
    Capability capability_;
    std::vector<u32> lines_, ownLines_;  // by pc; own: as the compiler has them
    std::vector<std::string> source_;
    std::set<std::string, std::less<>> instructions_;  // blanks squeezed
    std::map<std::string, std::string> constants_;
    std::vector<Array> arrays_;
    std::map<u32, PcSums> ofPc_, ofLine_, ofPtxLine_;
    std::vector<std::string_view> ptx_;  // the module's text by line
    std::map<std::pair<int, int>, PcSums> bySpace_;
    PcSums total_;
    Facts grid_;
};

// By step, how many lanes come there, whatever the instruction's guard says (paths.cpp).
std::vector<LaneMask> arrivingLanes(const ptx::Module& module, const trace::WarpTrace& warp, u32 exist);

// Of one recorded block: every value that was seen at a place.
class BlockFacts {
public:
    BlockFacts(const RunFacts& run, const trace::FocusBlock& block);
    const trace::FocusBlock& block() const { return block_; }
    // Values at this address, read or written by this block, and what was there at first and at last.
    std::vector<f64> valuesAt(const Array& array, u64 address) const;
    // What lanes of this block did at a place, in turn (touches.cpp).
    struct Touch {
        u64 place = 0;  // address; of shared memory with bit 63
        u32 order = 0, step = 0;
        u16 warp = 0;
        u8 lane = 0;
        trace::AccessKind kind = trace::AccessKind::Load;
        bool writes = false;
        std::optional<f64> value;  // after it; none: the record does not tell
    };
    std::span<const Touch> touchesAt(const Array& array, u64 address) const;
    u64 instructionsAt(const Array& array,
                       u64 address) const;  // of warps; several lanes of one are one access
    // What stands there once the block has come to this step; as it began where the block has not been there.
    std::optional<f64> valueBy(const Array& array, u64 address, u32 order) const;
    const Facts& step(u32 warp, u32 step) const;
    // Executions of a line's instructions in this block: of all (-1), and of those that access a space.
    const std::map<int, u64>& executionsOf(u32 line) const;
    struct Sums {
        u64 lanes = 0, came = 0, steps = 0, laneSlotsOfBranches = 0;
    };
    const Sums& sums(u32 warp) const { return sums_[warp]; }
    LaneMask pathMask(u32 warp, u32 step) const;  // lanes that came to the step, whatever its guard
    u32 path(u32 warp, u32 step) const;
    const Facts& whole() const { return whole_; }
    u32 lanesOf(u32 warp) const;
    u32 phaseOf(u32 warp, u32 step) const;
    const RunFacts& run() const { return run_; }
    f64 read(const Array& array, const std::byte* bytes) const;

private:
    const RunFacts& run_;
    const trace::FocusBlock& block_;
    std::unordered_map<u64, std::vector<f64>> seen_;  // shared addresses have bit 63
    mutable std::vector<Touch> touches_;              // by place and order, once they are asked for
    mutable bool touchesKnown_ = false;
    const Array* arrayAt(u64 address, trace::Space space) const;
    void gatherTouches() const;
    Facts whole_;
    Facts made(u32 warp, u32 step) const;
    mutable std::unordered_map<u64, Facts> steps_;
    std::map<u32, std::map<int, u64>> executions_;
    std::vector<Sums> sums_;
    mutable std::vector<std::vector<LaneMask>> arriving_;  // by warp; empty: not asked for yet
};

}  // namespace lockstep::witness
