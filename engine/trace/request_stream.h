// A launch's requests to global and local memory, block by block, compact enough to pass on every block of a
// grid to the cache simulation. Each warp's requests are in its own order; an access that continues the
// warp's recent pattern takes no space.
#pragma once

#include "trace/request_sink.h"

#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::trace {

// Predicts a warp's next site and address from its last requests. Writer and reader keep the same state.
class RequestForecast {
public:
    struct Site {
        const RequestShape* shape = nullptr;  // of its last request; null: none, or one without a shape
        u64 address = 0;                      // of that request's lowest active lane
        u64 stride = 0;                       // from the one before to that
        u32 next = 0;                         // the site that followed it
    };

    void clear(std::size_t sites) {
        sites_.assign(sites, {});
        last_ = 0;
    }
    u32 lastSite() const { return last_; }
    bool foretells(u32 site, const RequestShape* shape, u64 address) const {
        const Site& known = sites_[site];
        return site == sites_[last_].next && shape == known.shape && address == known.address + known.stride;
    }
    // Prefetch hint for the host's caches: will be used soon.
    void expect() const { __builtin_prefetch(sites_.data() + last_, 1); }
    // The prediction was right.
    const Site& advance() {
        last_ = sites_[last_].next;
        Site& site = sites_[last_];
        site.address += site.stride;
        return site;
    }
    void correct(u32 site, const RequestShape* shape, u64 address) {
        Site& known = sites_[site];
        known.stride = known.shape == shape && shape ? address - known.address : 0;
        known.shape = shape;
        known.address = address;
        sites_[last_].next = site;
        last_ = site;
    }

private:
    std::vector<Site> sites_;
    u32 last_ = 0;
};

// The part of one 128-byte line that a request accesses.
struct LineSectors {
    u64 line = 0;    // address / 128
    u32 words = 0;   // 4-byte words accessed in full
    u8 sectors = 0;  // words accessed in any byte
    // Sectors accessed in full.
    u32 whole() const {
        u32 all = words & words >> 1;  // the lowest bit of each eight becomes that of all of them
        all &= all >> 2;
        all &= all >> 4;
        return (all & 0x01010101u) * 0x10204080u >> 28;  // those four bits side by side
    }
};

// The lines of an access, ascending; local: addresses are offsets in each thread's own memory, whose words
// are interleaved by lane: word w of lane n at 128 * w + 4 * n. (CUDA C++ Programming Guide, "Local Memory".)
void linesOf(LaneMask active, const LaneAddresses& addresses, u32 widthBytes, bool local,
             std::vector<LineSectors>& lines);

// Writes the requests of one block at a time.
class RequestRecorder {
public:
    // sites: their number.
    RequestRecorder(RequestSink& sink, std::size_t sites, std::size_t warps);

    void beginBlock();
    BlockRequests finishBlock();

    // shape: numbered by the caller; the same number, the same lanes and distances.
    void request(u32 warp, u32 site, u32 shape, LaneMask active, const LaneAddresses& distances, u64 lowest) {
        const RequestShape* known = shape < byNumber_.size() ? byNumber_[shape] : nullptr;
        if (!known) [[unlikely]]
            known = keep(shape, active, distances);
        Warp& at = warps_[warp];
        at.asked = true;
        ++requests_;
        if (at.forecast.foretells(site, known, lowest)) [[likely]] {
            at.forecast.advance();
            ++at.run;
        } else {
            write(at, site, known, lowest);
        }
    }
    // A request whose shape has no number.
    void request(u32 warp, u32 site, const WarpAccess& access);
    // Barriers without a request in between are merged.
    void barrier(u32 warp) {
        Warp& at = warps_[warp];
        if (!std::exchange(at.asked, false)) return;
        const u32 site = u32(sites_);
        if (at.forecast.foretells(site, nullptr, 0)) [[likely]] {
            at.forecast.advance();
            ++at.run;
        } else {
            write(at, site, nullptr, 0);
        }
    }
    void fence(u32 warp);
    void barrierOfAll() {
        for (u32 warp = 0; warp < warps_.size(); ++warp)
            barrier(warp);
    }

private:
    struct Warp {
        RequestForecast forecast;
        u64 run = 0;         // predicted requests, not yet written
        bool asked = false;  // since its last barrier
        std::vector<u64> words;
    };
    const RequestShape* keep(u32 number, LaneMask active, const LaneAddresses& distances);
    void write(Warp& warp, u32 site, const RequestShape* shape, u64 lowest);
    static void endRun(Warp& warp);

    RequestSink& sink_;
    std::size_t sites_;
    std::vector<Warp> warps_;
    std::vector<const RequestShape*> byNumber_;
    std::shared_ptr<std::deque<RequestShape>> shapes_;
    std::vector<LineSectors> lines_;
    u64 requests_ = 0;
};

// Reads one warp's words.
class RequestReader {
public:
    enum class Kind : u8 {
        End,
        Request,
        Lines,    // a request without a shape
        Barrier,  // the warp waits for the block's other warps
        Fence,    // invalidates the warp's view of L1: a fence of device scope, an acquiring
                  // load
    };
    struct Item {
        Kind kind = Kind::End;
        u32 site = 0;
        const RequestShape* shape = nullptr;  // of a Request
        u64 address = 0;                      // of its lowest active lane
        std::span<const u64> lines;           // of Lines: two words each, unpackLine()
    };

    static LineSectors unpackLine(std::span<const u64> lines, std::size_t number) {
        const u64* const words = lines.data() + 2 * number;
        return {words[0], u32(words[1] >> 8), u8(words[1])};
    }

    // The words must outlive the reader.
    void begin(std::span<const u64> words, std::size_t sites) {
        words_ = words;
        at_ = 0;
        run_ = 0;
        barrier_ = u32(sites);
        forecast_.clear(sites + 1);
    }
    // The next item if it is predicted: of its site, without a shape if it is a barrier; null: call next().
    const RequestForecast::Site* nextForetold() {
        if (!run_) return nullptr;
        --run_;
        return &forecast_.advance();
    }
    // Of the item that nextForetold() returned.
    u32 site() const { return forecast_.lastSite(); }
    // next() will be called soon.
    void expect() const { forecast_.expect(); }
    Item next() {
        if (const RequestForecast::Site* site = nextForetold()) {
            if (!site->shape) return {.kind = Kind::Barrier, .lines = {}};
            return {.kind = Kind::Request,
                    .site = forecast_.lastSite(),
                    .shape = site->shape,
                    .address = site->address,
                    .lines = {}};
        }
        return decode();
    }

private:
    Item decode();

    std::span<const u64> words_;
    std::size_t at_ = 0;
    u64 run_ = 0;
    u32 barrier_ = 0;  // written as a site of its own, after the others
    RequestForecast forecast_;
};

}  // namespace lockstep::trace
