// What is done to the elements of a sheet at the cursor's step, and what was before it.
#pragma once

#include "explain/arrays/sheet.h"
#include "explain/cursor/lookup.h"

#include <array>
#include <map>
#include <span>
#include <vector>

namespace lockstep::explain {

class SheetTouches {
public:
    // Both must outlive this.
    SheetTouches(const Recorded& run, const Cursor& cursor, const CursorContext& here);

    // What the block last saw there, or left there: of an atomic the value after it. No bytes: it cannot be
    // told from this block's record.
    struct Seen {
        u32 order = 0;
        u8 size = 0;
        std::array<std::byte, 8> bytes{};
        ptx::Type type = ptx::Type::F32;
        std::span<const std::byte> value() const { return std::span(bytes).first(size); }
    };

    // By element: the lanes that touch it at the cursor's step; what the block has touched up to it; the
    // lanes of the cursor's warp that have read it since they last wrote: at a store of theirs, what they
    // write comes of it.
    std::map<u64, LaneMask> now(const Sheet& sheet) const;
    std::map<u64, Seen> before(const Sheet& sheet) const;
    std::map<u64, LaneMask> readBefore(const Sheet& sheet) const;
    // Where the cursor's warp touched the sheet last, at the cursor or before it; else its first element.
    u64 last(const Sheet& sheet) const;

private:
    struct Source {
        LaneMask lanes;
        trace::Space space;
        u64 address = 0;
        u32 bytes = 0;
    };
    std::vector<Source> sourcesNow() const;
    ptx::Type typeOf(const Sheet& sheet, Pc pc) const;
    void seeAtomic(const Sheet& sheet, const trace::WarpTrace& warp, const trace::StoredAccess& access,
                   u32 order, std::map<u64, Seen>& seen) const;

    Recorded run_;
    Cursor cursor_;
    const CursorContext& here_;
    std::vector<Source> sources_;
};

}  // namespace lockstep::explain
