// Whole lines of 32 granules, in pages where nothing else was accessed: one comparison a line.
#include "trace/shadow/global_block_state.h"

#include <bit>

namespace lockstep::trace {

using State = GlobalBlockShadow::State;

void GlobalShadow::Page::takeApart() {
    State before = State::InLines;
    if (!state_.compare_exchange_strong(before, State::BeingTakenApart)) {
        state_.wait(State::BeingTakenApart);
        return;
    }
    stores = std::make_unique<Tag[]>(kGranules);
    if (planes > 1) readers = std::make_unique<Tag[]>(2 * kGranules);
    for (u32 number = 0; number < kLines; ++number)
        for (u32 plane = 0; plane < planes; ++plane) {
            const LineTag tag = line(Plane(plane), number).exchange(kClosed);
            if (!tag.tag) continue;
            Tag* to = plane == Stores ? &stores[0] : plane == Reader ? &readers[0] : &readers[kGranules];
            for (u32 n = 0; n < kLine; ++n)
                to[number * kLine + n].store(tag.tag + (n >> tag.shift), std::memory_order_relaxed);
        }
    state_.store(State::InPieces, std::memory_order_release);
    state_.notify_all();
}

std::size_t GlobalShadow::Page::bytes() const {
    const std::size_t pieces = isInPieces() ? std::size_t{planes} * kGranules * sizeof(Tag) : 0;
    return sizeof(Page) + std::size_t{planes} * kLines * sizeof(Line) + pieces;
}

// All lanes one after the other, from the start of a line.
std::optional<State::Lines> State::linesOf(const Call& call) {
    constexpr u32 kMostShift = 2;
    const WarpAccess& access = call.access;
    const Buffer& buffer = call.buffer;
    const u32 width = access.widthBytes;
    const u64 offset = access.addresses[0] - buffer.spec.base, bytes = u64{width} * kWarpSize;
    if (access.active != LaneMask::all() || width >> buffer.shift > 1u << kMostShift) return {};
    if (offset % (u64{Page::kLine} << buffer.shift) != 0 || offset > buffer.spec.sizeBytes ||
        buffer.spec.sizeBytes - offset < bytes)
        return {};
    if (!call.isRun) {
        u64 differs = 0;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            differs |= access.addresses[lane] ^ (access.addresses[0] + u64{lane} * width);
        if (differs) return {};
    }
    return Lines{u32(std::countr_zero(width >> buffer.shift)), (offset >> buffer.shift) / Page::kLine};
}

// visit(page, line of the page, tag of its first granule)
template <class Visit> bool State::forEachLine(const Call& call, const Lines& lines, Visit visit) {
    for (u32 i = 0; i < 1u << lines.shift; ++i) {
        Page& page = call.buffer.pageAsItIs((lines.first + i) / Page::kLines);
        const u32 firstLane = i * (Page::kLine >> lines.shift);
        InLine outcome;
        do {
            outcome = page.isInPieces() ? InLine::TakeApart
                                        : visit(page, u32((lines.first + i) % Page::kLines),
                                                Page::LineTag{call.tagOf(firstLane), lines.shift});
        } while (outcome == InLine::Again);
        if (outcome == InLine::TakeApart) return false;  // those before are known to the others' way
    }
    return true;
}

// Of all granules, where it is the same for all of them; else it is taken for that of different threads.
State::Verdict State::examineLine(Call& call, Page::LineTag mine, Page::LineTag found) {
    constexpr u32 kNoThread = 1u << kThreadBits;
    return examine(call, mine.shift == found.shift ? threadOf(mine.tag) : kNoThread, found.tag);
}

bool State::loadLines(Call& call) {
    const std::optional<Lines> lines = linesOf(call);
    return lines && forEachLine(call, *lines, [&](Page& page, u32 line, Page::LineTag mine) {
               return loadLine(call, page, line, mine);
           });
}

State::InLine State::loadLine(Call& call, Page& page, u32 line, Page::LineTag mine) {
    using enum Page::Plane;
    const Page::LineTag stored = page.line(Stores, line).load(std::memory_order_acquire),
                        another = page.line(AnotherReader, line).load(std::memory_order_acquire);
    Page::LineTag reader = page.line(Reader, line).load(std::memory_order_acquire);
    if (stored == Page::kClosed || another == Page::kClosed || reader == Page::kClosed)
        return InLine::TakeApart;
    if (examineLine(call, mine, stored) != Verdict::Nothing) return InLine::TakeApart;
    if (!reader.tag) {
        if (!page.line(Reader, line).compare_exchange_strong(reader, mine)) return InLine::Again;
        page.readClaims.fetch_add(Page::kLine, std::memory_order_relaxed);
        return InLine::Done;
    }
    if (trace::epochOf(reader.tag) == call.number && warpOf(reader.tag) == call.warp) return InLine::Done;
    if (examineLine(call, mine, reader) != Verdict::Nothing ||
        examineLine(call, mine, another) != Verdict::Nothing)
        return InLine::TakeApart;
    const Place place = placeOf(call, mine.tag, reader.tag, another.tag);
    if (place == Place::None) return InLine::Done;
    Page::LineTag replaced = place == Place::First ? reader : another;
    Page::Line& at = page.line(place == Place::First ? Reader : AnotherReader, line);
    return at.compare_exchange_strong(replaced, mine) ? InLine::Done : InLine::Again;
}

bool State::storeLines(Call& call) {
    const std::optional<Lines> lines = linesOf(call);
    return lines && forEachLine(call, *lines, [&](Page& page, u32 line, Page::LineTag mine) {
               return storeLine(call, page, line, mine);
           });
}

State::InLine State::storeLine(Call& call, Page& page, u32 line, Page::LineTag mine) {
    using enum Page::Plane;
    Page::LineTag stored = page.line(Stores, line).load(std::memory_order_acquire);
    if (stored == Page::kClosed) return InLine::TakeApart;
    if (page.planes > 1)
        for (const Page::Plane plane : {Reader, AnotherReader}) {
            const Page::LineTag reader = page.line(plane, line).load(std::memory_order_acquire);
            if (reader == Page::kClosed || examineLine(call, mine, reader) != Verdict::Nothing)
                return InLine::TakeApart;
        }
    if (stored.tag && stored != mine) {
        if (page.planes == 1) noteMixing(call, lookUp(call, stored.tag));
        if (examineLine(call, mine, stored) != Verdict::Nothing) return InLine::TakeApart;
    }
    const bool isFirst = !stored.tag;
    if (!page.line(Stores, line).compare_exchange_strong(stored, mine)) return InLine::Again;
    if (isFirst) call.storeClaims += Page::kLine;
    return InLine::Done;
}

}  // namespace lockstep::trace
