// L2 and the device memory behind it, for one launch that begins with empty caches. Several threads may use
// it concurrently, each for the lines of its own slices (l2_slices.h).
#pragma once

#include "base/zeroed_array.h"
#include "model/caches/cache_figures.h"
#include "model/caches/l2_slices.h"

#include <array>
#include <deque>
#include <unordered_map>
#include <vector>

namespace lockstep::model {

class L2Cache {
public:
    explicit L2Cache(const CacheFigures& figures);

    struct Counts {
        u64 readHits = 0, readMisses = 0;   // sectors; misses: fetched from device memory by reads
        u64 distinctReads = 0;              // distinct sectors read
        u64 dramReads = 0, dramWrites = 0;  // sectors
        u64 fillReads = 0;    // of dramReads: fills of partially stored sectors that no read requested
        u64 atomicReads = 0;  // of dramReads: because of atomics

        void add(const Counts& other);
    };

private:
    // How a line with partially stored sectors waits to be filled (cache_figures.h).
    enum class Waits : u8 { No, Alone, Together };
    struct Line {
        u32 words = 0;    // 4-byte words stored to partial sectors
        u8 present = 0;   // sectors at least partially present
        u8 dirty = 0;     // dirty sectors
        u8 partial = 0;   // sectors of which only the stored part is present
        u8 read : 4 = 0;  // sectors that were ever read
        Waits waits : 3 = Waits::No;
        bool isFilled : 1 = false;  // and not written since
    };
    struct Entry {
        u64 tag = 0;  // line + 1; 0: none
        Line line;
    };
    // Most recently used first.
    static constexpr u32 kWays = 16;
    using Set = std::array<Entry, kWays>;

public:
    // Enough that prefetching pays.
    static constexpr u64 kManyRequests = 1u << 14;
    void expectMany() { sets_.wantLargePages(); }

    // Where a 128-byte line is looked up. Computed some requests ahead, so that the host's caches can fetch
    // it.
    class Place {
        friend class L2Cache;
        u64 line = 0;
        Set* set = nullptr;
    };
    Place placeOf(u64 line);

    // Sectors of the line. Returns how many it read from device memory.
    u32 read(const Place& at, u32 sectors);
    // words: of 4 bytes, all of which are stored. isAlone: the request reaches this line only.
    void store(const Place& at, u32 sectors, u32 words, bool isAlone);
    // Reads and modifies the sectors.
    void atomic(const Place& at, u32 sectors);
    u32 read(u64 line, u32 sectors) { return read(placeOf(line), sectors); }
    void store(u64 line, u32 sectors, u32 words, bool isAlone) {
        store(placeOf(line), sectors, words, isAlone);
    }
    void atomic(u64 line, u32 sectors) { atomic(placeOf(line), sectors); }
    // Sectors that device memory has read and written so far, of the slice that a line belongs to.
    u64 dramSectorsOfSlice(u64 line) const {
        const Counts& counts = slices_[l2SliceOf(line)].counts;
        return counts.dramReads + counts.dramWrites;
    }
    // Sum over all slices; only while no other thread uses any.
    Counts counts() const;

private:
    struct Queue {
        std::deque<u64> lines;  // oldest first; some entries are stale
        u64 count = 0;          // that are not stale
    };
    struct alignas(64) Slice {  // a cache line of the host, at least
        Queue dirty, alone, together, filled;
        std::unordered_map<u64, u8> readBefore;  // sectors of evicted lines
        Counts counts;
    };

    Set& setOf(u64 line) { return sets_[placeOfLine(line, setCount_)]; }
    Slice& sliceOf(u64 line) { return slices_[l2SliceOf(line)]; }
    Line& touch(const Place& at);
    Line* find(u64 line);
    u32 bring(Slice& slice, Line& line,
              u32 sectors) const;  // from device memory, with their neighbors; returns how many
    static void giveUp(Slice& slice, Entry& old);
    static Line brought(const Slice& slice, u64 line);
    static u32 fill(Slice& slice, Line& line, u32 sectors);  // how many
    static void writeBack(Slice& slice, Line& line);
    static void wait(Slice& slice, Line& line, u64 number, bool isAlone);
    static void waitNoMore(Slice& slice, Line& line);
    void keepLimits(Slice& slice);

    u64 dirtyLimit_, aloneLimit_, togetherLimit_, filledLimit_;  // lines of a slice
    u32 dramSectors_;
    u64 setCount_;  // a multiple of the slices: a set is of one
    ZeroedArray<Set> sets_;
    std::array<Slice, kL2Slices> slices_;
};

}  // namespace lockstep::model
