// One SM in the cache simulation: its resident warps, whose request comes next, and its L1.
#pragma once

#include "model/access/request_lines.h"
#include "model/caches/cache_counts.h"
#include "model/caches/l1_cache.h"
#include "model/caches/l2_slices.h"
#include "model/caches/warp_turns.h"
#include "trace/request_stream.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::model {

// The origin of a store. stretch: of code; instructions in one are close together, none of them slow.
struct Storer {
    u64 block = ~u64{0};
    u32 warp = 0, site = 0, stretch = 0;
    // Soon enough after the other to find its store waiting. A warp that repeats an instruction has iterated
    // a loop.
    bool follows(const Storer& other) const {
        if (block != other.block) return false;
        return warp != other.warp || (stretch == other.stretch && site != other.site);
    }
};

// The write buffer: stores waiting to be sent to L2; a later store to a waiting sector is merged with it.
class StoreBuffer {
public:
    // Begins an instruction's store; the lines it adds next are distinct.
    void begin(const Storer& who, u64 now) {
        if (now - now_ > kWait) used_ = 0;  // the buffer is empty
        who_ = (who_ + 1) % kLines;
        storers_[who_] = who;
        now_ = now;
        searched_ = used_;
    }
    // Returns the sectors that this store causes to be sent.
    u32 add(u64 line, u32 sectors) {
        const auto end = lines_.begin() + searched_, found = std::find(lines_.begin(), end, line);
        const bool isKnown = found != end;
        const std::size_t at = isKnown          ? std::size_t(found - lines_.begin())
                               : used_ < kLines ? used_++
                                                : next_++ % kLines;
        Waiting& waiting = waiting_[at];
        const bool waits =
            isKnown && now_ - waiting.since <= kWait && storers_[who_].follows(storers_[waiting.who]);
        const u32 sent = waits ? sectors & ~waiting.sectors : sectors;
        waiting = {now_, waits ? waiting.sectors | sectors : sectors, who_};
        lines_[at] = line;
        return sent;
    }

private:
    // In L1 lookups. Measured on an H200 (tests/data/caches/README.md): warps in turn that return to their
    // sectors after 20 lines of other warps find them waiting, after 32 they do not.
    static constexpr u64 kWait = 24;
    static constexpr std::size_t kLines = 32;  // more than can arrive in that time
    struct Waiting {
        u64 since = 0;
        u32 sectors = 0, who = 0;
    };
    std::array<u64, kLines> lines_{};
    std::array<Waiting, kLines> waiting_{};
    std::array<Storer, kLines>
        storers_{};  // one per instruction, each at least one lookup: those waiting are among them
    std::size_t used_ = 0, searched_ = 0, next_ = 0;
    u32 who_ = 0;
    u64 now_ = 0;
};

// L1 counts of a site's requests.
struct SiteRule {
    trace::RequestSite site;
    bool pastL1 = false;  // loads that bypass L1
    u32 stretch = 0;      // of the code (Storer)
};

// An SM's request to L2: part of a 128-byte line, or the store of a warp's instruction.
struct L2Request {
    enum class Kind : u8 { Read, LineStore, WarpStore, Atomic };
    u64 line = 0;                               // WarpStore: the one that `lines` are relative to
    u64 clock = 0;                              // of the SM
    const trace::LineSectors* lines = nullptr;  // of WarpStore; valid until all requests have been taken
    u32 words = 0;  // 4-byte words that a store fills; of WarpStore, which of the lines are meant
    u8 sectors = 0;
    u8 cluster = 0;  // of the SM
    Kind kind = Kind::Read;
};

// An SM's requests of one turn, in clock order, in parts: each for the L2 slices whose number equals the
// part's modulo the part count.
class PassedOn {
public:
    // parts: a power of two, kL2Slices at most. Call only when empty.
    void divide(u32 parts) { parts_ = parts; }
    static u32 partOf(u64 line, u32 parts) { return l2SliceOf(line) & (parts - 1); }

    void add(const L2Request& request) { of_[partOf(request.line, parts_)].push_back(request); }
    // A WarpStore of all these lines: each part gets its own.
    void addStore(L2Request request, std::span<const trace::LineSectors> lines) {
        for (; !lines.empty();
             lines = lines.subspan(std::min<std::size_t>(
                 lines.size(), kWarpSize))) {  // vectors may reach more lines than there are lanes
            request.lines = lines.data();
            const u32 count = u32(std::min<std::size_t>(lines.size(), kWarpSize));
            std::array<u32, kL2Slices> meant{};
            if (parts_ == 1)
                meant[0] = ~u32{0} >> (32 - count);
            else
                for (u32 i = 0; i < count; ++i)
                    meant[partOf(request.line + lines[i].line, parts_)] |= 1u << i;
            for (u32 part = 0; part < parts_; ++part) {
                if (!meant[part]) continue;
                request.words = meant[part];
                of_[part].push_back(request);
            }
        }
    }
    std::vector<L2Request>& ofPart(u32 part) { return of_[part]; }
    u64 requests() const {
        u64 sum = 0;
        for (u32 part = 0; part < parts_; ++part)
            sum += of_[part].size();
        return sum;
    }

private:
    u32 parts_ = 1;
    std::array<std::vector<L2Request>, kL2Slices> of_;
};

// A block assigned to an SM.
struct DealtBlock {
    u64 linear = 0;
    u32 slot = 0;       // of the SM
    u64 localLine = 0;  // start of its first warp's local memory
    trace::BlockRequests requests;
};

// One host thread's scratch state for running SMs.
struct SmScratch {
    RequestLines lines;
    CacheCounts counts;
    std::vector<trace::LineSectors> unpacked;
};

// An SM's warps issue one request each, in the order of their numbers. A warp whose load misses L1 may lose
// its next turn, pseudo-randomly per SM but the same in each run; blocks that began earlier lose fewer.
// Nothing behind L1 changes this, so SMs can be simulated independently.
class SmSimulation {
public:
    static constexpr u64 kLocalLinesPerWarp = 1u << 18;

    // number: of the SM, which shares its path to L2 with others of the cluster.
    SmSimulation(u32 number, u32 cluster, u32 blocks);

    // now: no earlier than this.
    void start(DealtBlock&& block, u64 now, u64 l1Bytes, std::size_t sites);
    // Runs until the clock reaches this, or no warp is ready. Appends to `passedOn`.
    void run(u64 until, std::span<const SiteRule> rules, SmScratch& scratch, PassedOn& passedOn);

    bool isReady() const { return !turns_.empty(); }
    // Slots whose blocks have ended since the last call, in order.
    std::vector<u32> takeEnded() { return std::exchange(ended_, {}); }

private:
    struct Warp {
        trace::RequestReader reader;
        u64 localLine = 0;         // start of its local memory
        u32 slot = 0, number = 0;  // of its block, in its block
        bool waits = false;        // at a barrier
    };
    struct Block {
        trace::BlockRequests requests;
        u64 linear = 0;
        u32 running = 0, waiting = 0;
    };

    // True: a load that misses L1 at least in part. areKept: the lines stay valid.
    bool serve(const SiteRule& rule, u32 site, const Warp& warp, u64 first,
               std::span<const trace::LineSectors> lines, bool areKept, CacheCounts& counts,
               PassedOn& passedOn);
    bool serveInOrder(std::span<const SiteRule> rules, u32 site, const Warp& warp,
                      const trace::RequestShape& shape, u64 address, SmScratch& scratch, PassedOn& passedOn);
    u32 indexOf(const Warp& warp) const { return warp.slot * warpsPerBlock_ + warp.number; }
    // Prefetch for the warps whose turn is next: all SMs together exceed the host's caches.
    void expectNext() const;
    void waitAtBarrier(Warp& warp);
    void end(const Warp& warp);
    void meet(u32 slot);
    u64 youngerSitOut();  // warps that skip the round that begins
    u64 chance() {
        random_ = random_ * 6364136223846793005u + 1442695040888963407u;  // Knuth, MMIX
        return random_ >> 32;
    }

    std::optional<L1Cache> l1_;  // from its first block on
    StoreBuffer stores_;
    std::vector<Block> blocks_;  // by slot
    std::vector<Warp> warps_;    // by indexOf()
    WarpTurns turns_;            // of ready warps
    u32 warpsPerBlock_ = 0;
    std::vector<u32> ended_;  // slots
    std::vector<u32> byAge_;  // slots, the oldest first
    u64 clock_ = 0;           // looked up lines
    u8 cluster_;
    u64 random_;         // another sequence on each SM
    u64 behind_;         // other SMs, once it is out of step
    u32 missed_ = 0;     // loads that missed L1
    u64 rounds_ = 0;     // of turns
    bool meet_ = false;  // warps of a block meet at barriers
};

}  // namespace lockstep::model
