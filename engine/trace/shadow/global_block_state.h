// State of a block's view of global memory; its parts (single granules, rows, synchronization) have their own
// files.
#pragma once

#include "trace/shadow/global_epochs.h"
#include "trace/shadow/global_pages.h"
#include "trace/shadow/global_releases.h"
#include "trace/shadow/global_shadow.h"

#include <array>
#include <optional>
#include <vector>

namespace lockstep::trace {

struct GlobalBlockShadow::State {
    enum class Verdict : u8 { Nothing, LockStep, Race };
    using Page = GlobalShadow::Page;
    using Buffer = GlobalShadow::Buffer;
    using Tag = Page::Tag;

    struct CachedEpoch {
        u64 stamp = 0;
        u32 syncs = 0, number = 0;
    };
    struct Fence {
        bool was = false;
        u32 phase = 0;
        u64 before = 0;  // what its warp did before this time is ordered before it
    };
    // The current access.
    struct Call {
        const WarpAccess& access;
        Buffer& buffer;
        std::atomic<u16>& flags;
        u64& storeClaims;  // of this view in the buffer
        u32 warp;
        const std::byte *values, *memory;
        u32 number = 0;  // its epoch
        GlobalEpoch epoch{};
        u32 otherNumber = 0;  // the epoch that was looked up last
        GlobalEpoch other{};
        // What the lanes did wrong, each the first of its kind: a vector's other words add nothing new.
        struct Reported {
            u32 lanes = 0;
            std::array<u32, kWarpSize> tags;  // of these lanes

            Reported() {}  // clearing the tags would cost more than a fast access
        };
        Reported raced = {}, reliedOnLockStep = {};
        bool isRun = false;  // addresses follow each other; only that of lane 0 is there

        u32 tagOf(u32 lane) const { return trace::tagOf(number, warp * kWarpSize + lane); }
    };
    // The most severe conflict of one lane at one granule.
    struct Worst {
        Verdict verdict = Verdict::Nothing;
        u32 tag = 0;
        void consider(Verdict candidate, u32 with) {
            if (candidate > verdict) verdict = candidate, tag = with;
        }
    };

    GlobalShadow& shadow;
    FindingCollector& findings;
    u32 generation = 0;  // of the shadow
    bool isParallel = true;
    GlobalEpochs::Chunk chunk;
    std::vector<CachedEpoch> epochs;  // by pc
    u64 stamp = 0;                    // of block and phase
    u32 firstOwner = 0;               // of the block's threads: 1 plus their number in the grid
    GlobalShadow::Claims* claims = nullptr;

    u32 block = 0, phase = 0;
    Dim3 at{0, 0, 0};                    // of the block in the grid
    std::array<u32, kWarpSize> syncs{};  // by warp; counted only if it left tags in between
    u32 warpsWithTags = 0;               // since they synchronized last

    // In sequential mode only.
    GlobalClock clock;
    std::array<Fence, kWarpSize> fences{};  // by warp
    std::vector<u64> flagsRead;             // addresses, until a fence or barrier

    State(GlobalShadow& s, FindingCollector& f) : shadow(s), findings(f), epochs(s.pcs_) {}

    u64 timeOf(u32 warp) const { return u64{phase} << 32 | syncs[warp]; }
    void sync(u32 warp) {
        if (!(warpsWithTags >> warp & 1)) return;
        warpsWithTags &= ~(1u << warp);
        ++syncs[warp];
    }
    void nextPhase() {
        ++phase;
        ++stamp;
        warpsWithTags = 0;
    }

    // Notes the kind of access for the buffer. What it leaves behind there:
    enum class Leaves : u8 { Nothing, Bits, Owners, Tags };
    Leaves announce(Call& call);
    void storeOnce(Call& call, u32 buffer);
    void noteRewritten(std::atomic<u16>& flags);
    // ---- Owners (global_owners.cpp). False, of a run only: the addresses are needed.
    bool own(Call& call);
    bool ownLines(Call& call);
    bool ownsRun(u32 warp, u32 buffer, const WarpAccess& access, u16 flags) const;
    void share(Call& call);
    bool enterEpoch(Call& call, bool isStrong);
    void load(Call& call);
    void store(Call& call);
    void atomic(Call& call);

    // Neighboring lanes at neighboring granules of one page.
    struct Row {
        Page* page = nullptr;
        u32 at = 0, lane = 0;  // of the first
    };
    // A whole warp's access: rows of 32, 16 or 8 lanes that do not overlap. count 0: not of this form.
    struct Rows {
        std::array<Row, 4> rows;
        u32 count = 0, lanes = 0;
        std::span<const Row> all() const { return std::span(rows).first(count); }
    };
    enum class Found : u8 { Nothing, Harmless, Others };
    static Rows rowsOf(const Call& call);
    Found lookAt(Call& call, const Tag* tags, u32 firstLane, u32 lanes) const;
    static void leaveTags(const Call& call, Tag* tags, u32 firstLane, u32 lanes);
    bool loadRows(Call& call);
    bool storeRows(Call& call);
    // ---- Pages in lines (global_lines.cpp). False: some page has to be taken apart, or is.
    struct Lines {
        u32 shift = 0;  // a lane accesses 1 << shift granules
        u64 first = 0;  // line of the buffer
    };
    static std::optional<Lines> linesOf(const Call& call);
    enum class InLine : u8 { Done, TakeApart, Again };
    template <class Visit> bool forEachLine(const Call& call, const Lines& lines, Visit visit);
    bool loadLines(Call& call);
    bool storeLines(Call& call);
    InLine loadLine(Call& call, Page& page, u32 line, Page::LineTag mine);
    InLine storeLine(Call& call, Page& page, u32 line, Page::LineTag mine);
    Verdict examineLine(Call& call, Page::LineTag mine, Page::LineTag found);

    // granule: of both accesses; none: not known.
    Verdict examine(Call& call, u32 thread, u32 tag, std::optional<u64> granule = {});
    bool isPoisoned(const Call& call, const std::byte* value) const;
    const GlobalEpoch& lookUp(Call& call, u32 tag) const;
    bool isOfThisCall(const Call& call, u32 lane, u64 granule, u32 tag) const;
    bool isOver(const GlobalEpoch& now, const GlobalEpoch& old, u32 tag, u32 warp) const;
    enum class Place : u8 { None, First, Second };
    // Which of two known readers (the second may be none) a new one replaces.
    Place placeOf(const Call& call, u32 mine, u32 one, u32 two) const;
    u32 addReader(Call& call, u32 mine, Tag& first, Tag& second);
    static u32 claim(Call& call, u32 mine, Tag& tag, u32& found);
    void noteMixing(Call& call, const GlobalEpoch& other);
    static void report(Call& call, u32 lane, const Worst& worst) {
        if (worst.verdict == Verdict::Nothing) return;
        Call::Reported& reported = worst.verdict == Verdict::Race ? call.raced : call.reliedOnLockStep;
        if (reported.lanes >> lane & 1) return;
        reported.lanes |= 1u << lane;
        reported.tags[lane] = worst.tag;
    }
    void tell(Call& call, FindingKind kind, const Call::Reported& reported);

    void synchronize(Call& call, Strength strength);
    void acquire(const GlobalClock& released, u32 warp);
    void acquireFlagsRead(u32 warp);

    // visit(lane, its first granule)
    template <class Visit> static void forEachAccess(const Call& call, Visit visit) {
        const Buffer& buffer = call.buffer;
        const u32 width = call.access.widthBytes;
        if (width > buffer.spec.sizeBytes) return;
        const u64 last = buffer.spec.sizeBytes - width;
        for (Lane lane : call.access.active) {
            const u64 offset = call.access.addresses[lane.value] - buffer.spec.base;
            if (offset > last || offset & (width - 1)) [[unlikely]]
                continue;
            visit(lane.value, offset >> buffer.shift);
        }
    }
    template <class Visit> static void forEachGranule(const Call& call, Visit visit) {
        const u32 perLane = u32{call.access.widthBytes} >> call.buffer.shift;
        forEachAccess(call, [&](u32 lane, u64 first) {
            for (u32 i = 0; i < perLane; ++i)
                visit(lane, first + i);
        });
    }
    // visit(lane, granule, page, index in the page) returns the number of tags it claimed.
    enum class Claims : u8 { OfStores, OfReaders };
    template <class Visit> static void forEachTag(const Call& call, Claims claims, Visit visit) {
        Page* page = nullptr;
        u64 pageIndex = ~u64{0};
        u32 claimed = 0;
        const auto addClaims = [&] {
            if (claims == Claims::OfStores)
                call.storeClaims += claimed;
            else if (claimed)
                page->readClaims.fetch_add(claimed, std::memory_order_relaxed);
            claimed = 0;
        };
        forEachGranule(call, [&](u32 lane, u64 granule) {
            if (granule / Page::kGranules != pageIndex) {
                addClaims();
                pageIndex = granule / Page::kGranules;
                page = &call.buffer.page(pageIndex);
            }
            claimed += visit(lane, granule, *page, u32(granule % Page::kGranules));
        });
        addClaims();
    }
};

}  // namespace lockstep::trace
