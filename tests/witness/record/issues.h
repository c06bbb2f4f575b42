// The record of an SM, cycle by cycle, added up by the witness itself: what warps wait for, when no warp of a
// sub-core issues, what pipes and queues hold.
#pragma once

#include "run/machine/issue_run.h"
#include "witness/record/facts.h"

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace lockstep::witness {

using Numbers = std::vector<f64>;
// All numbers of a text, coordinates among them.
Numbers numbersIn(std::string_view text);
Numbers sortedNumbers(Numbers numbers);

struct CycleRange {
    u64 begin = 0, end = 0;
    u64 cycles() const { return end - begin; }
};

class IssueFacts {
public:
    IssueFacts(const run::IssueRun& issues, const RunFacts& run, Dim3 grid);

    const run::IssueRun& issues() const { return issues_; }
    const time::WarpRecord& warp(u32 w) const { return issues_.sm.warps[w]; }
    u64 end() const;  // the last cycle of any warp

    // ---- Numbers of sentences
    Numbers nameOf(u32 w) const;             // "warp 3", and of another block its coordinates
    Numbers placeOf(u32 instruction) const;  // "line 21"
    Numbers numbersOf(u32 w, const time::WaitRecord& wait) const;
    Numbers numbersOf(u32 w, const time::IssueRecord& issue) const;
    Numbers numbersOf(const time::RequestRecord& request) const;
    bool isWait(const Numbers& numbers) const { return waits_.contains(sortedNumbers(numbers)); }
    bool isWaitIn(const Numbers& numbers, CycleRange range) const;  // from its first to its last cycle
    bool isIssueIn(const Numbers& numbers, u64 cycle) const;
    bool isRequest(const Numbers& numbers) const { return requests_.contains(sortedNumbers(numbers)); }
    bool isRequestIn(const Numbers& numbers, CycleRange range) const;
    bool isText(std::string_view instruction) const { return texts_.contains(instruction); }

    // ---- Sums
    std::map<time::Stall, u64> waited(u32 w, CycleRange range) const;
    u64 issued(u32 w, CycleRange range) const;
    // A wait of so many cycles of one of the sub-core's warps, some of them in the range.
    bool isSomeWait(u32 subcore, CycleRange range, f64 cycles) const;
    u64 warpsAtOnce(u32 subcore) const;  // at most
    // Of each warp the instructions that it issues there and its cycles by reason.
    bool isSums(const Numbers& numbers, CycleRange range) const;
    // Stretches in which no warp of the sub-core issues, though it has some; and in which it has none.
    std::vector<CycleRange> idle(u32 subcore, CycleRange range) const;
    std::vector<CycleRange> without(u32 subcore, CycleRange range) const;
    // All its cycles in which none issues, each under what most warps wait for then.
    const std::map<time::Stall, u64>& exposed(u32 subcore) const;

    // ---- Pipes, queues and memory
    struct Occupied {
        std::set<u64> most;  // at once
        std::set<u64> busy;  // cycles
    };
    // Of every group of pipes that a strip may show, and of every level of memory.
    Occupied occupied(u32 subcore, CycleRange range) const;

private:
    // How many warps of the sub-core are there, by cycle of the range.
    std::vector<u32> warpsIn(u32 subcore, CycleRange range) const;
    static void add(Numbers& to, const Numbers& more) { to.insert(to.end(), more.begin(), more.end()); }

    const run::IssueRun& issues_;
    const RunFacts& run_;
    const Dim3 grid_;
    std::set<Numbers> waits_, requests_;
    std::multimap<u64, std::pair<u32, u32>> waitsByBegin_;  // warp and wait
    std::multimap<u64, u32> requestsByBegin_;
    std::vector<std::set<u64>> issuing_ = std::vector<std::set<u64>>(4);  // cycles, by sub-core
    std::set<std::string, std::less<>> texts_;
    mutable std::map<u32, std::map<time::Stall, u64>> exposed_;  // by sub-core, once asked for
};

}  // namespace lockstep::witness
