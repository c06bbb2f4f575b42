#include "model/caches/l2_cache.h"

#include "model/access/sector_count.h"
#include "trace/sector_size.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lockstep::model {
namespace {

u64 linesOfSlice(u64 bytes) { return bytes / trace::kLineBytes / kL2Slices; }

}  // namespace

L2Cache::L2Cache(const CacheFigures& figures)
    : dirtyLimit_(linesOfSlice(figures.l2DirtyBytes)),
      aloneLimit_(linesOfSlice(figures.l2PartialAloneBytes)),
      togetherLimit_(linesOfSlice(figures.l2PartialBytes)),
      filledLimit_(linesOfSlice(figures.l2FilledBytes)),
      dramSectors_(figures.dramSectors),
      setCount_(std::max<u64>(figures.l2Bytes / trace::kLineBytes / kWays / kL2Slices, 1) * kL2Slices),
      sets_(setCount_) {}

void L2Cache::Counts::add(const Counts& other) {
    readHits += other.readHits;
    readMisses += other.readMisses;
    distinctReads += other.distinctReads;
    dramReads += other.dramReads;
    dramWrites += other.dramWrites;
    fillReads += other.fillReads;
    atomicReads += other.atomicReads;
}

L2Cache::Counts L2Cache::counts() const {
    Counts sum;
    for (const Slice& slice : slices_)
        sum.add(slice.counts);
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
    if (set[0].tag == line + 1) [[likely]]
        return set[0].line;
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

// Initial state: empty.
L2Cache::Line L2Cache::brought(const Slice& slice, u64 line) {
    Line fresh;
    if (slice.readBefore.empty()) return fresh;
    if (const auto before = slice.readBefore.find(line); before != slice.readBefore.end())
        fresh.read = before->second;
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

// Fills partially stored sectors.
u32 L2Cache::fill(Slice& slice, Line& line, u32 sectors) {
    const u32 filled = sectors & line.partial;
    if (!filled) return 0;
    line.partial &= u8(~filled);
    if (!line.partial) waitNoMore(slice, line);
    slice.counts.dramReads += sectorCount(filled);
    return sectorCount(filled);
}

void L2Cache::writeBack(Slice& slice, Line& line) {
    if (!line.dirty) return;
    slice.counts.fillReads += fill(slice, line, line.dirty);
    slice.counts.dramWrites += sectorCount(line.dirty);
    line.dirty = 0;
    --slice.dirty.count;
    if (line.isFilled) --slice.filled.count;
    line.isFilled = false;
}

void L2Cache::wait(Slice& slice, Line& line, u64 number, bool isAlone) {
    if (line.waits != Waits::No) return;
    line.waits = isAlone ? Waits::Alone : Waits::Together;
    Queue& queue = isAlone ? slice.alone : slice.together;
    queue.lines.push_back(number);
    ++queue.count;
}

void L2Cache::waitNoMore(Slice& slice, Line& line) {
    if (line.waits != Waits::No) --(line.waits == Waits::Alone ? slice.alone : slice.together).count;
    line.waits = Waits::No;
}

// Evicts the oldest lines first. Lines of single-line requests are written as they are filled; those of
// multi-line requests are filled first and written later, because device memory is busy.
void L2Cache::keepLimits(Slice& slice) {
    const auto keep = [&](Queue& queue, u64 limit, auto end) {
        for (; queue.count > limit && !queue.lines.empty(); queue.lines.pop_front())
            if (Line* old = find(queue.lines.front())) end(*old, queue.lines.front());
    };
    keep(slice.alone, aloneLimit_, [&](Line& line, u64) {
        if (line.waits == Waits::Alone) writeBack(slice, line);
    });
    keep(slice.together, togetherLimit_, [&](Line& line, u64 number) {
        if (line.waits != Waits::Together) return;
        slice.counts.fillReads += fill(slice, line, line.partial);
        if (line.isFilled) return;
        line.isFilled = true;
        slice.filled.lines.push_back(number);
        ++slice.filled.count;
    });
    keep(slice.filled, filledLimit_, [&](Line& line, u64) {
        if (line.isFilled) writeBack(slice, line);
    });
    keep(slice.dirty, dirtyLimit_, [&](Line& line, u64) { writeBack(slice, line); });
}

u32 L2Cache::read(const Place& at, u32 sectors) {
    Line& line = touch(at);
    Slice& slice = sliceOf(at.line);
    slice.counts.distinctReads += sectorCount(sectors & ~u32{line.read});
    line.read |= u8(sectors);
    const u32 halves = sectorCount(sectors & line.partial),
              missing = sectorCount(sectors & ~u32{line.present}) + halves;
    slice.counts.readHits += sectorCount(sectors) - missing;
    const u32 asked = halves + bring(slice, line, sectors);
    slice.counts.readMisses += asked;
    fill(slice, line, sectors);
    return asked;
}

void L2Cache::store(const Place& at, u32 sectors, u32 words, bool isAlone) {
    Line& line = touch(at);
    Slice& slice = sliceOf(at.line);
    u32 isNew = sectors & ~u32{line.present};
    for (u32 left = sectors & (line.partial | isNew); left; left &= left - 1) {
        const u32 sector = u32(std::countr_zero(left)), bit = 1u << sector, eight = 0xffu << 8 * sector;
        line.words = isNew & bit ? (line.words & ~eight) | (words & eight) : line.words | (words & eight);
        if ((line.words & eight) != eight) continue;
        isNew &= ~bit;
        line.partial &= u8(~bit);
    }
    line.partial |= u8(isNew);
    if (line.partial)
        wait(slice, line, at.line, isAlone);
    else
        waitNoMore(slice, line);
    line.present |= u8(sectors);
    if (!line.dirty) {
        slice.dirty.lines.push_back(at.line);
        ++slice.dirty.count;
    }
    line.dirty |= u8(sectors);
    keepLimits(slice);
}

void L2Cache::atomic(const Place& at, u32 sectors) {
    Line& line = touch(at);
    Slice& slice = sliceOf(at.line);
    slice.counts.atomicReads += bring(slice, line, sectors);
    slice.counts.atomicReads += fill(slice, line, sectors);
    store(at, sectors, 0, false);
}

}  // namespace lockstep::model
