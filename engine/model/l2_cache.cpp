#include "model/l2_cache.h"

#include "model/sector_count.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lockstep::model {
namespace {

constexpr u64 kLineBytes = 128, kSectorBytes = 32;

}  // namespace

L2Cache::L2Cache(const CacheFigures& figures)
    : dirtyLimit_(figures.l2DirtyBytes / kSectorBytes / kL2Slices), partialLimit_(figures.l2PartialBytes / kSectorBytes / kL2Slices),
      dramSectors_(figures.dramSectors), setCount_(std::max<u64>(figures.l2Bytes / kLineBytes / kWays / kL2Slices, 1) * kL2Slices),
      sets_(setCount_) {}

void L2Cache::Counts::add(const Counts& other) {
    readHits += other.readHits;
    readMisses += other.readMisses;
    distinctReads += other.distinctReads;
    dramReads += other.dramReads;
    dramWrites += other.dramWrites;
}

L2Cache::Counts L2Cache::counts() const {
    Counts sum;
    for (const Slice& slice : slices_) sum.add(slice.counts);
    return sum;
}

L2Cache::Line* L2Cache::find(u64 line) {
    for (Entry& entry : setOf(line))
        if (entry.tag == line + 1) return &entry.line;
    return nullptr;
}

L2Cache::Place L2Cache::placeOf(u64 line) {
    Place place;
    place.line = line;
    place.set = &setOf(line);
    __builtin_prefetch(place.set, 1);
    return place;
}

L2Cache::Line& L2Cache::touch(const Place& at) {
    const u64 line = at.line;
    Set& set = *at.set;
    if (set[0].tag == line + 1) [[likely]] return set[0].line;
    Entry moved = set[0];
    for (u32 way = 1; way < kWays; ++way) {
        const Entry here = std::exchange(set[way], moved);
        if (here.tag == line + 1) return (set[0] = here).line;
        moved = here;
        if (!here.tag) break;
    }
    Slice& slice = sliceOf(line);
    if (moved.tag) giveUp(slice, moved);
    return (set[0] = {.tag = line + 1, .line = brought(slice, line)}).line;
}

void L2Cache::giveUp(Slice& slice, Entry& old) {
    if (old.line.dirty) writeBack(slice, old.line);
    if (old.line.read) slice.readBefore[old.tag - 1] = old.line.read;
}

// As it comes: empty.
L2Cache::Line L2Cache::brought(const Slice& slice, u64 line) {
    Line fresh;
    if (slice.readBefore.empty()) return fresh;
    if (const auto before = slice.readBefore.find(line); before != slice.readBefore.end()) fresh.read = before->second;
    return fresh;
}

u32 L2Cache::bring(Slice& slice, Line& line, u32 sectors) const {
    u32 wanted = sectors & ~u32{line.present};
    if (!wanted) return 0;
    for (u32 at = 0; at < 4; at += dramSectors_) {
        const u32 together = ((1u << dramSectors_) - 1) << at;
        if (wanted & together) wanted |= together;
    }
    wanted &= ~u32{line.present};
    line.present |= u8(wanted);
    slice.counts.dramReads += sectorCount(wanted);
    return sectorCount(wanted);
}

// The rest of sectors that were stored in part.
void L2Cache::fill(Slice& slice, Line& line, u32 sectors) {
    const u32 filled = sectors & line.partial;
    line.partial &= u8(~filled);
    slice.partialSectors -= sectorCount(filled);
    slice.counts.dramReads += sectorCount(filled);
}

void L2Cache::writeBack(Slice& slice, Line& line) {
    fill(slice, line, line.dirty);
    slice.counts.dramWrites += sectorCount(line.dirty);
    slice.dirtySectors -= sectorCount(line.dirty);
    line.dirty = 0;
}

u32 L2Cache::read(const Place& at, u32 sectors) {
    Line& line = touch(at);
    Slice& slice = sliceOf(at.line);
    slice.counts.distinctReads += sectorCount(sectors & ~u32{line.read});
    line.read |= u8(sectors);
    const u32 halves = sectorCount(sectors & line.partial), missing = sectorCount(sectors & ~u32{line.present}) + halves;
    slice.counts.readHits += sectorCount(sectors) - missing;
    const u32 asked = halves + bring(slice, line, sectors);
    slice.counts.readMisses += asked;
    fill(slice, line, sectors);
    return asked;
}

void L2Cache::store(const Place& at, u32 sectors, u32 words) {
    Line& line = touch(at);
    Slice& slice = sliceOf(at.line);
    u32 isNew = sectors & ~u32{line.present};
    for (u32 left = sectors & (line.partial | isNew); left; left &= left - 1) {
        const u32 sector = u32(std::countr_zero(left)), bit = 1u << sector, eight = 0xffu << 8 * sector;
        line.words = isNew & bit ? (line.words & ~eight) | (words & eight) : line.words | (words & eight);
        if ((line.words & eight) != eight) continue;
        isNew &= ~bit;
        slice.partialSectors -= line.partial >> sector & 1;
        line.partial &= u8(~bit);
    }
    if (isNew) {
        if (!line.partial) slice.partialLines.push_back(at.line);
        line.partial |= u8(isNew);
        slice.partialSectors += sectorCount(isNew);
    }
    line.present |= u8(sectors);
    if (!line.dirty) slice.dirtyLines.push_back(at.line);
    slice.dirtySectors += sectorCount(sectors & ~u32{line.dirty});
    line.dirty |= u8(sectors);
    while (slice.partialSectors > partialLimit_ && !slice.partialLines.empty()) {
        if (Line* old = find(slice.partialLines.front())) fill(slice, *old, old->partial);
        slice.partialLines.pop_front();
    }
    while (slice.dirtySectors > dirtyLimit_ && !slice.dirtyLines.empty()) {
        if (Line* old = find(slice.dirtyLines.front())) writeBack(slice, *old);
        slice.dirtyLines.pop_front();
    }
}

void L2Cache::atomic(const Place& at, u32 sectors) {
    Line& line = touch(at);
    Slice& slice = sliceOf(at.line);
    bring(slice, line, sectors);
    fill(slice, line, sectors);
    store(at, sectors, 0);
}

}  // namespace lockstep::model
