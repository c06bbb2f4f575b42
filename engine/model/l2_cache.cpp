#include "model/l2_cache.h"

#include <algorithm>
#include <array>
#include <bit>

namespace lockstep::model {
namespace {

constexpr u64 kLineBytes = 128, kSectorBytes = 32;

u32 count(u32 sectors) {
    constexpr std::array<u8, 16> kCounts{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return kCounts[sectors];
}

}  // namespace

L2Cache::L2Cache(const CacheFigures& figures)
    : dirtyLimit_(figures.l2DirtyBytes / kSectorBytes), partialLimit_(figures.l2PartialBytes / kSectorBytes),
      dramSectors_(figures.dramSectors), setCount_(std::max<u64>(figures.l2Bytes / kLineBytes / kWays, 1)), sets_(setCount_ / kSetsTogether + 1) {}

// Neighbours go to neighbouring sets; lines a power of two apart to different ones.
L2Cache::Set& L2Cache::setOf(u64 line) {
    const u64 set = (line ^ line >> 13 ^ line >> 26) % setCount_;
    std::vector<Set>& together = sets_[set / kSetsTogether];
    if (together.empty()) [[unlikely]] together.resize(kSetsTogether);
    return together[set % kSetsTogether];
}

L2Cache::Line* L2Cache::find(u64 line) {
    Set& set = setOf(line);
    for (u32 way = 0; way < kWays; ++way)
        if (set.tags[way] == line) return &set.lines[way];
    return nullptr;
}

L2Cache::Line& L2Cache::touch(u64 line) {
    Set& set = setOf(line);
    u32 found = 0;
    for (u32 way = 0; way < kWays; ++way) found |= u32(set.tags[way] == line) << way;
    u32 way = u32(std::countr_zero(found));
    if (!found) [[unlikely]] {
        way = u32(std::ranges::min_element(set.used) - set.used.begin());
        replace(set, way, line);
    }
    set.used[way] = ++now_;
    return set.lines[way];
}

void L2Cache::replace(Set& set, u32 way, u64 line) {
    Line& old = set.lines[way];
    if (old.dirty) writeBack(old);
    if (set.tags[way] != kNone && old.read) readBefore_[set.tags[way]] = old.read;
    set.tags[way] = line;
    old = {};
    if (readBefore_.empty()) return;
    if (const auto before = readBefore_.find(line); before != readBefore_.end()) old.read = before->second;
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
    counts_.dramReads += count(wanted);
    return count(wanted);
}

// The rest of sectors that were stored in part.
void L2Cache::fill(Line& line, u32 sectors) {
    const u32 filled = sectors & line.partial;
    line.partial &= u8(~filled);
    partialSectors_ -= count(filled);
    counts_.dramReads += count(filled);
}

void L2Cache::writeBack(Line& line) {
    fill(line, line.dirty);
    counts_.dramWrites += count(line.dirty);
    dirtySectors_ -= count(line.dirty);
    line.dirty = 0;
}

void L2Cache::read(u64 at, u32 sectors) {
    Line& line = touch(at);
    counts_.distinctReads += count(sectors & ~u32{line.read});
    line.read |= u8(sectors);
    const u32 missing = count(sectors & ~u32{line.present}) + count(sectors & line.partial);
    counts_.readHits += count(sectors) - missing;
    counts_.readMisses += count(sectors & line.partial) + bring(line, sectors);
    fill(line, sectors);
}

void L2Cache::store(u64 at, u32 sectors, u32 words) {
    Line& line = touch(at);
    u32 isNew = sectors & ~u32{line.present};
    for (u32 sector = 0; sector < 4; ++sector) {
        const u32 bit = 1u << sector, eight = 0xffu << 8 * sector;
        if (!(sectors & (line.partial | isNew) & bit)) continue;
        line.words = isNew & bit ? (line.words & ~eight) | (words & eight) : line.words | (words & eight);
        if ((line.words & eight) != eight) continue;
        isNew &= ~bit;
        partialSectors_ -= line.partial >> sector & 1;
        line.partial &= u8(~bit);
    }
    if (isNew) {
        if (!line.partial) partialLines_.push_back(at);
        line.partial |= u8(isNew);
        partialSectors_ += count(isNew);
    }
    line.present |= u8(sectors);
    if (!line.dirty) dirtyLines_.push_back(at);
    dirtySectors_ += count(sectors & ~u32{line.dirty});
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

void L2Cache::atomic(u64 at, u32 sectors) {
    Line& line = touch(at);
    bring(line, sectors);
    fill(line, sectors);
    store(at, sectors, 0);
}

}  // namespace lockstep::model
