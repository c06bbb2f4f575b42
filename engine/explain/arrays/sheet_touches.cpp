#include "explain/arrays/sheet_touches.h"

#include "explain/access/atomic_lanes.h"

#include <algorithm>

namespace lockstep::explain {

SheetTouches::SheetTouches(const Recorded& run, const Cursor& cursor, const CursorContext& here)
    : run_(run), cursor_(cursor), here_(here), sources_(sourcesNow()) {}

std::vector<SheetTouches::Source> SheetTouches::sourcesNow() const {
    std::vector<Source> sources;
    constexpr std::size_t kMost = 2048;  // of a loop that only reads, the end
    LaneMask waiting = here_.access && trace::writes(here_.access->kind)
                           ? here_.access->active
                           : LaneMask::firstLanes(lanesOf(*here_.block, cursor_.warp));
    for (u32 s = cursor_.step; s-- > 0 && !waiting.empty() && sources.size() < kMost;) {
        if (here_.warp->steps[s].access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = here_.warp->accesses[here_.warp->steps[s].access];
        if (access.space != trace::Space::Global && access.space != trace::Space::Shared) continue;
        if (access.kind == trace::AccessKind::AsyncCopy) continue;  // past the registers
        if (trace::writes(access.kind)) {
            waiting = waiting & ~access.active;
            continue;
        }
        for (const Lane lane : access.active& waiting)
            sources.push_back(
                {LaneMask::of(lane), access.space, here_.warp->address(access, lane), access.widthBytes});
    }
    return sources;
}

std::map<u64, LaneMask> SheetTouches::readBefore(const Sheet& sheet) const {
    std::map<u64, LaneMask> read;
    for (const Source& source : sources_)
        for (u64 at = source.address; source.space == sheet.space && at < source.address + source.bytes;
             at += sheet.bytes)
            if (sheet.contains(at)) {
                LaneMask& lanes = read[(at - sheet.base) / sheet.bytes];
                lanes = lanes | source.lanes;
            }
    return read;
}

std::map<u64, LaneMask> SheetTouches::now(const Sheet& sheet) const {
    std::map<u64, LaneMask> touched;
    for (const trace::StoredAccess* access : {here_.access, copiedTo(*here_.warp, cursor_.step)}) {
        if (!access || access->space != sheet.space) continue;
        for (const Lane lane : access->active) {
            const u64 address = here_.warp->address(*access, lane);
            for (u64 at = address; at < address + access->widthBytes; at += sheet.bytes)
                if (sheet.contains(at)) {
                    LaneMask& lanes = touched[(at - sheet.base) / sheet.bytes];
                    lanes = lanes | LaneMask::of(lane);
                }
        }
    }
    return touched;
}

std::map<u64, SheetTouches::Seen> SheetTouches::before(const Sheet& sheet) const {
    struct At {
        const trace::WarpTrace* warp;
        const trace::StoredAccess* access;
        u32 order;
    };
    std::vector<At> accesses;
    bool hasAtomics = false;
    for (const trace::WarpTrace& warp : here_.block->warps)
        for (u32 s = 0; s < warp.steps.size() && warp.steps[s].order <= here_.step->order; ++s)
            for (const trace::StoredAccess* access : {accessOf(warp, s), copiedTo(warp, s)}) {
                if (!access || access->space != sheet.space) continue;
                accesses.push_back({&warp, access, warp.steps[s].order});
                hasAtomics = hasAtomics || trace::isAtomic(access->kind);
            }
    if (hasAtomics) std::ranges::sort(accesses, {}, &At::order);  // each takes what the one before it left
    std::map<u64, Seen> seen;
    for (const auto& [warp, access, order] : accesses) {
        if (trace::isAtomic(access->kind)) {
            seeAtomic(sheet, *warp, *access, order, seen);
            continue;
        }
        for (const Lane lane : access->active) {
            const u64 address = warp->address(*access, lane);
            const auto value = warp->value(*access, lane);
            for (u32 at = 0; at + sheet.bytes <= access->widthBytes; at += sheet.bytes) {
                if (!sheet.contains(address + at)) continue;
                Seen& s = seen[(address + at - sheet.base) / sheet.bytes];
                if (s.size > 0 && s.order > order) continue;
                s.order = order, s.size = u8(std::min<std::size_t>(sheet.bytes, s.bytes.size())),
                s.type = typeOf(sheet, access->pc);
                std::ranges::copy(value.subspan(at, s.size), s.bytes.begin());
            }
        }
    }
    return seen;
}

// Lane by lane, in the order in which the emulator does them. The record has what an atomic found, and of a
// reduction what it was given.
void SheetTouches::seeAtomic(const Sheet& sheet, const trace::WarpTrace& warp,
                             const trace::StoredAccess& access, u32 order, std::map<u64, Seen>& seen) const {
    const ptx::Module& module = *run_.module;
    const bool isReduction = access.kind == trace::AccessKind::Reduction,
               isWhole = access.widthBytes == sheet.bytes && sheet.bytes <= Seen{}.bytes.size();
    // Of a buffer, other blocks may have changed it meanwhile.
    const bool isOurs =
        sheet.space == trace::Space::Shared || launchOf(run_, cursor_.launch).grid.count() == 1;
    const auto first = immediateOperand(module, access.pc, 0, access.widthBytes),
               second = immediateOperand(module, access.pc, 1, access.widthBytes);
    for (const Lane lane : access.active) {
        const u64 address = warp.address(access, lane);
        for (u64 at = address; at < address + access.widthBytes; at += sheet.bytes) {
            if (!sheet.contains(at)) continue;
            const u64 element = (at - sheet.base) / sheet.bytes;
            const auto known = seen.find(element);
            Seen next{.order = order, .size = 0, .bytes = {}, .type = typeOf(sheet, access.pc)};
            const std::span<const std::byte> recorded = warp.value(access, lane);
            std::vector<std::byte> old;
            if (!isReduction)
                old.assign(recorded.begin(), recorded.end());
            else if (isOurs && known != seen.end())
                old.assign(known->second.value().begin(), known->second.value().end());
            else if (isOurs && sheet.buffer && element < sheet.buffer->count())
                old.assign(sheet.buffer->bytes.begin() + s64(element * sheet.bytes),
                           sheet.buffer->bytes.begin() + s64((element + 1) * sheet.bytes));
            const std::span<const std::byte> operand = isReduction ? recorded
                                                       : first     ? std::span<const std::byte>(*first)
                                                                   : std::span<const std::byte>();
            if (isWhole && old.size() == sheet.bytes)
                if (const auto after = afterAtomic(
                        module.at(access.pc), old, operand,
                        second ? std::span<const std::byte>(*second) : std::span<const std::byte>())) {
                    next.size = u8(sheet.bytes);
                    std::ranges::copy(*after, next.bytes.begin());
                }
            seen[element] = next;
        }
    }
}

ptx::Type SheetTouches::typeOf(const Sheet& sheet, Pc pc) const {
    if (sheet.buffer || sheet.type != ptx::bitsType(sheet.bytes))
        return sheet.type;  // as declared: an int stays one, whatever the store calls it
    const ptx::Type written = elementType(*run_.module, pc);
    return ptx::bytesOf(written) == sheet.bytes ? written : sheet.type;
}

u64 SheetTouches::last(const Sheet& sheet) const {
    for (u32 s = cursor_.step + 1; s-- > 0;) {
        for (const trace::StoredAccess* access : {accessOf(*here_.warp, s), copiedTo(*here_.warp, s)}) {
            if (!access || access->space != sheet.space || access->active.empty()) continue;
            if (const u64 at = here_.warp->address(*access, access->active.lowest()); sheet.contains(at))
                return (at - sheet.base) / sheet.bytes;
        }
    }
    return 0;
}

}  // namespace lockstep::explain
