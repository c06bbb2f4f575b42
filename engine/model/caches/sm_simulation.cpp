#include "model/caches/sm_simulation.h"

#include "base/check.h"
#include "model/access/sector_count.h"
#include "model/caches/block_ages.h"

#include <bit>

namespace lockstep::model {

using trace::AccessKind;

namespace {

// Lines per request from which prefetching pays: SMs take turns, and all their caches together exceed the
// host's.
constexpr std::size_t kScattered = 4;

// How many of 256 L1 load misses cost their warp its next turn. A choice: with none, warps that store
// neighboring words do so in succession and more of their stores are merged than measured (copy_offset), with
// 192 fewer.
constexpr u64 kLate = 80;
constexpr u32 kRoundsLate = 2;  // this one, in which it had its turn, and the next

// SMs begin together; after so many L1 load misses, each is behind by up to so many lookups. A choice: SMs in
// lockstep send L2 fewer requests than measured (matmul/tiled 64 x 64), SMs never in step send more in the
// smallest grids.
constexpr u32 kInStep = 8;
constexpr u64 kBehind = 48;

// From then on an SM's older blocks also get ahead at random: of n blocks, the one with r older ones skips
// its turn in kYounger * r / n of 65,536 rounds; if its warps meet at barriers in kYoungerMeeting * r / n^3,
// beside turnsOfBlock. Choices: with none, blocks stay in step and send L2 fewer requests than measured
// (matmul/naive 512 x 512, tiles of 32 at 1024 x 1024); with four times as many, more.
constexpr u64 kYounger = 12800, kYoungerMeeting = 51200;
// For blocks with barriers, skipped rounds come in pairs. A choice: singly, many coincide with rounds that a
// block waits through anyway, and the sixth of eight reaches 0.64 of its progress where 0.49 was measured; in
// fours all eight keep the measured pace, but send L2 more requests than measured.
constexpr u64 kTogether = 2;
constexpr u64 kOf = 65536;  // denominator of probabilities

}  // namespace

SmSimulation::SmSimulation(u32 number, u32 cluster, u32 blocks)
    : blocks_(blocks),
      cluster_(u8(cluster)),
      random_((number + 1) * 0x9e3779b97f4a7c15u) {  // 2^64 / golden ratio
    behind_ = (random_ >> 33) % kBehind;
}

void SmSimulation::start(DealtBlock&& dealt, u64 now, u64 l1Bytes, std::size_t sites) {
    if (!l1_) l1_.emplace(l1Bytes);
    Block& block = blocks_[dealt.slot];
    block.linear = dealt.linear;
    block.requests = std::move(dealt.requests);
    block.running = block.requests.warps;
    warpsPerBlock_ = block.running;  // of every block
    CHECK_LE(blocks_.size() * warpsPerBlock_, WarpTurns::kMost, "no SM holds more warps");
    block.waiting = 0;
    warps_.resize(blocks_.size() * warpsPerBlock_);
    for (u32 number = 0; number < block.running; ++number) {
        Warp& warp = warps_[dealt.slot * warpsPerBlock_ + number];
        warp.reader.begin(block.requests.ofWarp(number), sites);
        warp.slot = dealt.slot;
        warp.number = number;
        warp.waits = false;
        warp.localLine = dealt.localLine + number * kLocalLinesPerWarp;
        turns_.join(indexOf(warp));
    }
    clock_ = std::max(clock_, now);
    byAge_.push_back(dealt.slot);
}

// Called at the start of a round of turns.
u64 SmSimulation::youngerSitOut() {
    ++rounds_;
    const bool inStep = missed_ < kInStep;
    if (inStep && !meet_) return 0;
    const u64 block = ~u64{0} >> (64 - warpsPerBlock_), blocks = byAge_.size();
    u64 out = 0;
    for (u64 rank = 1; rank < blocks; ++rank) {
        const u64 unlucky =
            meet_ ? kYoungerMeeting * rank / (blocks * blocks * blocks) : kYounger * rank / blocks;
        const u64 turns = meet_ ? turnsOfBlock(rank, warpsPerBlock_) : kAllTurns;
        // Spread evenly, and so the same on all SMs, whose blocks of equal age stay in step.
        const u64 at = rounds_ / kTogether;
        const bool hasTurn = (at + 1) * turns / kAllTurns > at * turns / kAllTurns;
        if (!hasTurn || (!inStep && chance() % kOf < unlucky)) out |= block << byAge_[rank] * warpsPerBlock_;
    }
    return out;
}

inline void SmSimulation::expectNext() const {
    const u64 rest = turns_.rest();
    if (!rest) return;
    warps_[u32(std::countr_zero(rest))].reader.expect();
    if (const u64 behind = rest & (rest - 1)) __builtin_prefetch(&warps_[u32(std::countr_zero(behind))], 1);
}

void SmSimulation::run(u64 until, std::span<const SiteRule> rules, SmScratch& scratch, PassedOn& passedOn) {
    while (clock_ < until && !turns_.empty()) {
        Warp& warp = warps_[turns_.next([this] { return youngerSitOut(); })];
        expectNext();
        const auto mayBeLate = [&](bool waits) {
            if (!waits) return;
            if (++missed_ == kInStep) clock_ += behind_;
            if (chance() % 256 < kLate) turns_.late(indexOf(warp), kRoundsLate);
        };
        if (const trace::RequestForecast::Site* foretold = warp.reader.nextForetold()) {
            if (foretold->shape) {
                mayBeLate(serveInOrder(rules, warp.reader.site(), warp, *foretold->shape, foretold->address,
                                       scratch, passedOn));
            } else {
                waitAtBarrier(warp);
            }
            continue;
        }
        const trace::RequestReader::Item item = warp.reader.next();
        using enum trace::RequestReader::Kind;
        switch (item.kind) {
            case Request:
                mayBeLate(serveInOrder(rules, item.site, warp, *item.shape, item.address, scratch, passedOn));
                break;
            case Lines:
                scratch.unpacked.clear();
                for (std::size_t i = 0; i < item.lines.size() / 2; ++i)
                    scratch.unpacked.push_back(trace::RequestReader::unpackLine(item.lines, i));
                mayBeLate(serve(rules[item.site], item.site, warp,
                                rules[item.site].site.local ? warp.localLine : 0, scratch.unpacked, false,
                                scratch.counts, passedOn));
                break;
            case Fence: l1_->clear(); break;
            case Barrier: waitAtBarrier(warp); break;
            case End: end(warp); break;
        }
    }
}

inline bool SmSimulation::serveInOrder(std::span<const SiteRule> rules, u32 site, const Warp& warp,
                                       const trace::RequestShape& shape, u64 address, SmScratch& scratch,
                                       PassedOn& passedOn) {
    const SiteRule& rule = rules[site];
    const u64 first = rule.site.local ? warp.localLine + address / 4 : address / 128;
    return serve(rule, site, warp, first, scratch.lines.of(shape, address, rule.site), true, scratch.counts,
                 passedOn);
}

// first: the line that the others are relative to.
inline bool SmSimulation::serve(const SiteRule& rule, u32 site, const Warp& warp, u64 first,
                                std::span<const trace::LineSectors> lines, bool areKept, CacheCounts& counts,
                                PassedOn& passedOn) {
    const bool local = rule.site.local;
    bool waits = false;
    u64 sectors = 0, hits = 0;
    if (lines.size() >= kScattered)
        for (const trace::LineSectors& part : lines)
            l1_->expect(first + part.line);
    switch (rule.site.kind) {
        case AccessKind::Load:
        case AccessKind::AsyncCopy:
            for (const trace::LineSectors& part : lines) {
                const u64 line = first + part.line;
                const u32 found = rule.pastL1 ? 0 : l1_->load(line, part.sectors);
                sectors += sectorCount(part.sectors);
                hits += sectorCount(found);
                if (found == part.sectors) continue;
                waits = true;
                passedOn.add({.line = line,
                              .clock = clock_,
                              .sectors = u8(part.sectors & ~found),
                              .cluster = cluster_,
                              .kind = L2Request::Kind::Read});
            }
            (local ? counts.localLoads : counts.loads) += sectors;
            (local ? counts.localLoadHits : counts.loadHits) += hits;
            break;
        case AccessKind::Store: {
            stores_.begin({.block = blocks_[warp.slot].linear,
                           .warp = warp.number,
                           .site = site,
                           .stretch = rule.stretch},
                          clock_);
            u64 sent = 0;
            for (const trace::LineSectors& part : lines) {
                const u64 line = first + part.line;
                // Other threads' bytes of local memory are not used.
                hits += sectorCount(l1_->store(line, part.sectors, local ? part.sectors : part.whole()));
                sectors += sectorCount(part.sectors);
                sent += sectorCount(local ? part.sectors : stores_.add(line, part.sectors));
                if (!areKept)
                    passedOn.add({.line = line,
                                  .clock = clock_,
                                  .words = part.words,
                                  .sectors = part.sectors,
                                  .cluster = cluster_,
                                  .kind = L2Request::Kind::LineStore});
            }
            if (areKept)
                passedOn.addStore(
                    {.line = first, .clock = clock_, .cluster = cluster_, .kind = L2Request::Kind::WarpStore},
                    lines);
            (local ? counts.localStores : counts.stores) += sectors;
            if (!local) counts.storeHits += hits;
            counts.l2Writes += sent;
            counts.l2WritesMost += sectors;
            break;
        }
        case AccessKind::Atomic:
        case AccessKind::Reduction:
            for (const trace::LineSectors& part : lines) {
                const u64 line = first + part.line;
                sectors += sectorCount(part.sectors);
                l1_->drop(line, part.sectors);
                passedOn.add({.line = line,
                              .clock = clock_,
                              .sectors = part.sectors,
                              .cluster = cluster_,
                              .kind = L2Request::Kind::Atomic});
            }
            (rule.site.kind == AccessKind::Atomic ? counts.atomics : counts.reductions) += sectors;
            break;
    }
    clock_ += lines.size();
    ++counts.requests;
    return waits;
}

void SmSimulation::waitAtBarrier(Warp& warp) {
    meet_ = true;
    warp.waits = true;
    turns_.leave(indexOf(warp));
    ++blocks_[warp.slot].waiting;
    meet(warp.slot);
}

void SmSimulation::end(const Warp& warp) {
    const u32 slot = warp.slot;
    turns_.leave(indexOf(warp));
    Block& block = blocks_[slot];
    if (--block.running > 0) return meet(slot);
    ended_.push_back(slot);
    std::erase(byAge_, slot);
}

void SmSimulation::meet(u32 slot) {
    Block& block = blocks_[slot];
    if (block.waiting < block.running) return;
    block.waiting = 0;
    for (Warp& warp : std::span(warps_).subspan(slot * warpsPerBlock_, warpsPerBlock_))
        if (std::exchange(warp.waits, false)) turns_.join(indexOf(warp));
}

}  // namespace lockstep::model
