#include "viz/stage/sheet_touches.h"

#include <algorithm>

namespace lockstep::viz {

SheetTouches::SheetTouches(const ViewInput& in, const Here& here) : in_(in), here_(here), sources_(sourcesNow()) {}

std::vector<SheetTouches::Source> SheetTouches::sourcesNow() const {
    std::vector<Source> sources;
    constexpr std::size_t kMost = 2048;  // of a loop that only reads, the end
    LaneMask waiting = here_.access && trace::writes(here_.access->kind) ? here_.access->active : LaneMask::firstLanes(lanesOf(*here_.block, in_.cursor.warp));
    for (u32 s = in_.cursor.step; s-- > 0 && !waiting.empty() && sources.size() < kMost;) {
        if (here_.warp->steps[s].access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = here_.warp->accesses[here_.warp->steps[s].access];
        if (access.space != trace::Space::Global && access.space != trace::Space::Shared) continue;
        if (trace::writes(access.kind)) {
            waiting = waiting & ~access.active;
            continue;
        }
        for (const Lane lane : access.active & waiting) sources.push_back({LaneMask::of(lane), access.space, here_.warp->address(access, lane), access.widthBytes});
    }
    return sources;
}

std::map<u64, LaneMask> SheetTouches::readBefore(const Sheet& sheet) const {
    std::map<u64, LaneMask> read;
    for (const Source& source : sources_)
        for (u64 at = source.address; source.space == sheet.space && at < source.address + source.bytes; at += sheet.bytes)
            if (sheet.contains(at)) {
                LaneMask& lanes = read[(at - sheet.base) / sheet.bytes];
                lanes = lanes | source.lanes;
            }
    return read;
}

std::map<u64, LaneMask> SheetTouches::now(const Sheet& sheet) const {
    std::map<u64, LaneMask> touched;
    if (!here_.access || here_.access->space != sheet.space) return touched;
    for (const Lane lane : here_.access->active) {
        const u64 address = here_.warp->address(*here_.access, lane);
        for (u64 at = address; at < address + here_.access->widthBytes; at += sheet.bytes)
            if (sheet.contains(at)) {
                LaneMask& lanes = touched[(at - sheet.base) / sheet.bytes];
                lanes = lanes | LaneMask::of(lane);
            }
    }
    return touched;
}

std::map<u64, SheetTouches::Seen> SheetTouches::before(const Sheet& sheet) const {
    std::map<u64, Seen> seen;
    const u32 now = here_.step->order;
    for (const trace::WarpTrace& warp : here_.block->warps)
        for (const trace::Step& step : warp.steps) {
            if (step.order > now) break;
            if (step.access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = warp.accesses[step.access];
            if (access.space != sheet.space) continue;
            for (const Lane lane : access.active) {
                const u64 address = warp.address(access, lane);
                const auto value = warp.value(access, lane);
                for (u32 at = 0; at + sheet.bytes <= access.widthBytes; at += sheet.bytes) {
                    if (!sheet.contains(address + at)) continue;
                    Seen& s = seen[(address + at - sheet.base) / sheet.bytes];
                    if (s.value.empty() || s.order <= step.order) s = {step.order, value.subspan(at, sheet.bytes), typeOf(sheet, access.pc)};
                }
            }
        }
    return seen;
}

ptx::Type SheetTouches::typeOf(const Sheet& sheet, Pc pc) const {
    if (sheet.buffer) return sheet.type;
    const ptx::Type written = elementType(*in_.run.module, pc);
    return ptx::bytesOf(written) == sheet.bytes ? written : sheet.type;
}

u64 SheetTouches::last(const Sheet& sheet) const {
    for (u32 s = in_.cursor.step + 1; s-- > 0;) {
        if (here_.warp->steps[s].access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = here_.warp->accesses[here_.warp->steps[s].access];
        if (access.space != sheet.space || access.active.empty()) continue;
        if (const u64 address = here_.warp->address(access, access.active.lowest()); sheet.contains(address)) return (address - sheet.base) / sheet.bytes;
    }
    return 0;
}

}  // namespace lockstep::viz
