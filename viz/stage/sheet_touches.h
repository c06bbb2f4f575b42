// What is done to the elements of a sheet at the cursor's step, and what was before it.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "viz/lookup.h"
#include "viz/stage/sheet.h"

namespace lockstep::viz {

class SheetTouches {
public:
    // Both must outlive this.
    SheetTouches(const ViewInput& in, const Here& here);

    // What the block last saw there.
    struct Seen { u32 order = 0; std::span<const std::byte> value{}; ptx::Type type = ptx::Type::F32; };

    // By element: the lanes that touch it at the cursor's step; what the block has touched up to it; the lanes of the cursor's warp that have
    // read it since they last wrote: at a store of theirs, what they write comes of it.
    std::map<u64, LaneMask> now(const Sheet& sheet) const;
    std::map<u64, Seen> before(const Sheet& sheet) const;
    std::map<u64, LaneMask> readBefore(const Sheet& sheet) const;
    // Where the cursor's warp touched the sheet last, at the cursor or before it; else its first element.
    u64 last(const Sheet& sheet) const;

private:
    struct Source { LaneMask lanes; trace::Space space; u64 address = 0; u32 bytes = 0; };
    std::vector<Source> sourcesNow() const;
    ptx::Type typeOf(const Sheet& sheet, Pc pc) const;

    const ViewInput& in_;
    const Here& here_;
    std::vector<Source> sources_;
};

}  // namespace lockstep::viz
