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
    : dirtyLimit_(figures.l2DirtyBytes / kSectorBytes), partialLimit_(figures.l2PartialBytes / kSectorBytes),
      dramSectors_(figures.dramSectors), setCount_(std::max<u64>(figures.l2Bytes / kLineBytes / kWays, 1)),
      perSet_(~u64{0} / setCount_), sets_(setCount_) {}

// Neighbours go to neighbouring sets; lines a power of two apart to different ones.
L2Cache::Set& L2Cache::setOf(u64 line) {
    const u64 folded = line ^ line >> 13 ^ line >> 26;
    // folded % setCount_ without a division: the quotient is at most two too small.
    u64 set = folded - u64(static_cast<unsigned __int128>(folded) * perSet_ >> 64) * setCount_;
    while (set >= setCount_) set -= setCount_;
    return sets_[set];
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
    if (moved.tag) giveUp(moved);
    return (set[0] = {.tag = line + 1, .line = brought(line)}).line;
}

void L2Cache::giveUp(Entry& old) {
    if (old.line.dirty) writeBack(old.line);
    if (old.line.read) readBefore_[old.tag - 1] = old.line.read;
}

// As it comes: empty.
L2Cache::Line L2Cache::brought(u64 line) const {
    Line fresh;
    if (readBefore_.empty()) return fresh;
    if (const auto before = readBefore_.find(line); before != readBefore_.end()) fresh.read = before->second;
    return fresh;
}

u32 L2Cache::bring(Line& line, u32 sectors) {
    u32 wanted = sectors & ~u32{line.present};
    if (!wanted) return 0;
    for (u32 at = 0; at < 4; at += dramSectors_) {
        const u32 together = ((1u << dramSectors_) - 1) << at;
        if (wanted & together) wanted |= together;
    }
    wanted &= ~u32{line.present};
    line.present |= u8(wanted);
    counts_.dramReads += sectorCount(wanted);
    return sectorCount(wanted);
}

// The rest of sectors that were stored in part.
void L2Cache::fill(Line& line, u32 sectors) {
    const u32 filled = sectors & line.partial;
    line.partial &= u8(~filled);
    partialSectors_ -= sectorCount(filled);
    counts_.dramReads += sectorCount(filled);
}

void L2Cache::writeBack(Line& line) {
    fill(line, line.dirty);
    counts_.dramWrites += sectorCount(line.dirty);
    dirtySectors_ -= sectorCount(line.dirty);
    line.dirty = 0;
}

void L2Cache::read(const Place& at, u32 sectors) {
    Line& line = touch(at);
    counts_.distinctReads += sectorCount(sectors & ~u32{line.read});
    line.read |= u8(sectors);
    const u32 missing = sectorCount(sectors & ~u32{line.present}) + sectorCount(sectors & line.partial);
    counts_.readHits += sectorCount(sectors) - missing;
    counts_.readMisses += sectorCount(sectors & line.partial) + bring(line, sectors);
    fill(line, sectors);
}

void L2Cache::store(const Place& at, u32 sectors, u32 words) {
    Line& line = touch(at);
    u32 isNew = sectors & ~u32{line.present};
    for (u32 left = sectors & (line.partial | isNew); left; left &= left - 1) {
        const u32 sector = u32(std::countr_zero(left)), bit = 1u << sector, eight = 0xffu << 8 * sector;
        line.words = isNew & bit ? (line.words & ~eight) | (words & eight) : line.words | (words & eight);
        if ((line.words & eight) != eight) continue;
        isNew &= ~bit;
        partialSectors_ -= line.partial >> sector & 1;
        line.partial &= u8(~bit);
    }
    if (isNew) {
        if (!line.partial) partialLines_.push_back(at.line);
        line.partial |= u8(isNew);
        partialSectors_ += sectorCount(isNew);
    }
    line.present |= u8(sectors);
    if (!line.dirty) dirtyLines_.push_back(at.line);
    dirtySectors_ += sectorCount(sectors & ~u32{line.dirty});
    line.dirty |= u8(sectors);
    while (partialSectors_ > partialLimit_ && !partialLines_.empty()) {
        if (Line* old = find(partialLines_.front())) fill(*old, old->partial);
        partialLines_.pop_front();
    }
    while (dirtySectors_ > dirtyLimit_ && !dirtyLines_.empty()) {
        if (Line* old = find(dirtyLines_.front())) writeBack(*old);
        dirtyLines_.pop_front();
    }
}

void L2Cache::atomic(const Place& at, u32 sectors) {
    Line& line = touch(at);
    bring(line, sectors);
    fill(line, sectors);
    store(at, sectors, 0);
}

}  // namespace lockstep::model
