#include "witness/record/issues.h"

#include "sass/opcodes.h"
#include "witness/tokens.h"

#include <algorithm>
#include <array>

namespace lockstep::witness {
namespace {

using sass::Pipe;
using time::Stall;

u64 common(CycleRange a, CycleRange b) {
    const u64 begin = std::max(a.begin, b.begin), end = std::min(a.end, b.end);
    return end > begin ? end - begin : 0;
}

}  // namespace

Numbers numbersIn(std::string_view text) {
    Numbers numbers;
    for (const Token& token : tokensOf(text))
        if (token.kind == Token::Kind::Pair || token.kind == Token::Kind::Element)
            for (const s64 index : token.indices)
                numbers.push_back(f64(index));
        else
            numbers.push_back(token.value);
    return numbers;
}

Numbers sortedNumbers(Numbers numbers) {
    std::ranges::sort(numbers);
    return numbers;
}

IssueFacts::IssueFacts(const run::IssueRun& issues, const RunFacts& run, Dim3 grid)
    : issues_(issues), run_(run), grid_(grid) {
    for (u32 w = 0; w < issues.sm.warps.size(); ++w) {
        for (u32 i = 0; i < warp(w).waits.size(); ++i) {
            waits_.insert(sortedNumbers(numbersOf(w, warp(w).waits[i])));
            waitsByBegin_.emplace(warp(w).waits[i].begin, std::pair(w, i));
        }
        for (const time::IssueRecord& issue : warp(w).issues)
            issuing_[warp(w).subcore].insert(issue.cycle);
    }
    for (u32 r = 0; r < issues.sm.requests.size(); ++r) {
        requests_.insert(sortedNumbers(numbersOf(issues.sm.requests[r])));
        requestsByBegin_.emplace(issues.sm.requests[r].begin, r);
    }
    for (const run::TimedInstruction& instruction : issues.code)
        texts_.insert(instruction.text);
}

namespace {

void addCycle(std::vector<CycleRange>& stretches, u64 cycle) {
    if (!stretches.empty() && stretches.back().end == cycle)
        ++stretches.back().end;
    else
        stretches.push_back({cycle, cycle + 1});
}

}  // namespace

u64 IssueFacts::end() const {
    u64 last = 0;
    for (const time::WarpRecord& warp : issues_.sm.warps)
        last = std::max(last, warp.end);
    return last;
}

Numbers IssueFacts::nameOf(u32 w) const {
    Numbers numbers{f64(warp(w).warpOfBlock)};
    if (warp(w).block == linearOf(issues_.block, grid_)) return numbers;
    const Dim3 at = coordinatesOf(warp(w).block, grid_);
    numbers.push_back(at.x);
    if (grid_.y > 1 || grid_.z > 1) numbers.push_back(at.y);
    if (grid_.z > 1) numbers.push_back(at.z);
    return numbers;
}

Numbers IssueFacts::placeOf(u32 instruction) const {
    const Pc pc = issues_.code[instruction].pc;
    if (pc == kNoPc) return numbersIn(issues_.code[instruction].opcode);
    const u32 line = run_.lineOf(pc);
    return {line ? f64(line) : f64(pc.value)};
}

Numbers IssueFacts::numbersOf(u32 w, const time::WaitRecord& wait) const {
    Numbers numbers = nameOf(w);
    const f64 cycles = f64(wait.end - wait.begin);
    const bool isScoreboard = wait.reason == Stall::LongScoreboard || wait.reason == Stall::ShortScoreboard;
    if (isScoreboard && wait.issue < warp(w).issues.size()) {
        const time::IssueRecord& issue = warp(w).issues[wait.issue];
        add(numbers, placeOf(issue.instruction));
        const bool isRequest = issue.request != time::kNotRecorded;
        const auto* request = isRequest ? &issues_.sm.requests[issue.request] : nullptr;
        if (!request || (!request->isStore && request->end != wait.end)) {
            add(numbers, numbersIn(issues_.code[issue.instruction].opcode));
        } else if (!request->isStore) {
            numbers.push_back(f64(request->end - request->begin));
        }
    }
    if (wait.reason == Stall::Barrier && wait.warp < issues_.sm.warps.size() && wait.warp != w)
        numbers.push_back(warp(wait.warp).warpOfBlock);
    numbers.push_back(cycles);
    return numbers;
}

Numbers IssueFacts::numbersOf(u32 w, const time::IssueRecord& issue) const {
    Numbers numbers = nameOf(w);
    add(numbers, numbersIn(issues_.code[issue.instruction].opcode));
    if (issues_.code[issue.instruction].pc != kNoPc) add(numbers, placeOf(issue.instruction));
    add(numbers, {f64(issue.cycle), f64(LaneMask{issue.lanes}.count())});
    return numbers;
}

Numbers IssueFacts::numbersOf(const time::RequestRecord& request) const {
    Numbers numbers = nameOf(request.warp);
    add(numbers, placeOf(warp(request.warp).issues[request.issue].instruction));
    const bool isShared = request.level == time::MemoryLevel::Shared;
    numbers.push_back(isShared ? request.wavefronts : request.sectors);
    if (!isShared && !request.isStore) add(numbers, {f64(request.l1), f64(request.l2), f64(request.dram)});
    numbers.push_back(f64(request.end - request.begin));
    return numbers;
}

bool IssueFacts::isWaitIn(const Numbers& numbers, CycleRange range) const {
    const Numbers wanted = sortedNumbers(numbers);
    const auto [first, last] = waitsByBegin_.equal_range(range.begin);
    return std::any_of(first, last, [&](const auto& found) {
        const auto [w, i] = found.second;
        const time::WaitRecord& wait = warp(w).waits[i];
        return wait.end == range.end && sortedNumbers(numbersOf(w, wait)) == wanted;
    });
}

bool IssueFacts::isIssueIn(const Numbers& numbers, u64 cycle) const {
    const Numbers wanted = sortedNumbers(numbers);
    for (u32 w = 0; w < issues_.sm.warps.size(); ++w) {
        const auto found = std::ranges::lower_bound(warp(w).issues, cycle, {}, &time::IssueRecord::cycle);
        if (found != warp(w).issues.end() && found->cycle == cycle &&
            sortedNumbers(numbersOf(w, *found)) == wanted)
            return true;
    }
    return false;
}

bool IssueFacts::isRequestIn(const Numbers& numbers, CycleRange range) const {
    const Numbers wanted = sortedNumbers(numbers);
    const auto [first, last] = requestsByBegin_.equal_range(range.begin);
    return std::any_of(first, last, [&](const auto& found) {
        const time::RequestRecord& request = issues_.sm.requests[found.second];
        return request.end == range.end && sortedNumbers(numbersOf(request)) == wanted;
    });
}

std::map<Stall, u64> IssueFacts::waited(u32 w, CycleRange range) const {
    std::map<Stall, u64> sums;
    const std::vector<time::WaitRecord>& waits = warp(w).waits;
    auto wait = std::ranges::upper_bound(waits, range.begin, {}, &time::WaitRecord::end);
    for (; wait != waits.end() && wait->begin < range.end; ++wait)
        if (const u64 cycles = common({wait->begin, wait->end}, range)) sums[wait->reason] += cycles;
    return sums;
}

u64 IssueFacts::issued(u32 w, CycleRange range) const {
    const auto cycle = [&](u64 at) {
        return std::ranges::lower_bound(warp(w).issues, at, {}, &time::IssueRecord::cycle);
    };
    return u64(cycle(range.end) - cycle(range.begin));
}

bool IssueFacts::isSums(const Numbers& numbers, CycleRange range) const {
    const Numbers wanted = sortedNumbers(numbers);
    for (u32 w = 0; w < issues_.sm.warps.size(); ++w) {
        if (range.begin < warp(w).begin || range.end > warp(w).end) continue;
        Numbers own = nameOf(w);
        own.push_back(f64(issued(w, range)));
        for (const auto& [reason, cycles] : waited(w, range))
            own.push_back(f64(cycles));
        if (sortedNumbers(own) == wanted) return true;
    }
    return false;
}

std::vector<u32> IssueFacts::warpsIn(u32 subcore, CycleRange range) const {
    std::vector<u32> warps(range.cycles());
    for (const time::WarpRecord& warp : issues_.sm.warps)
        if (warp.subcore == subcore)
            for (u64 cycle = std::max(warp.begin, range.begin); cycle < std::min(warp.end, range.end);
                 ++cycle)
                ++warps[cycle - range.begin];
    return warps;
}

std::vector<CycleRange> IssueFacts::idle(u32 subcore, CycleRange range) const {
    const std::set<u64>& issuing = issuing_[subcore];
    const std::vector<u32> warps = warpsIn(subcore, range);
    std::vector<CycleRange> stretches;
    for (u64 cycle = range.begin; cycle < range.end; ++cycle)
        if (warps[cycle - range.begin] && !issuing.contains(cycle)) addCycle(stretches, cycle);
    return stretches;
}

std::vector<CycleRange> IssueFacts::without(u32 subcore, CycleRange range) const {
    const std::vector<u32> warps = warpsIn(subcore, range);
    std::vector<CycleRange> stretches;
    for (u64 cycle = range.begin; cycle < range.end; ++cycle)
        if (!warps[cycle - range.begin]) addCycle(stretches, cycle);
    return stretches;
}

bool IssueFacts::isSomeWait(u32 subcore, CycleRange range, f64 cycles) const {
    return std::ranges::any_of(issues_.sm.warps, [&](const time::WarpRecord& warp) {
        return warp.subcore == subcore && std::ranges::any_of(warp.waits, [&](const time::WaitRecord& wait) {
                   return wait.begin < range.end && wait.end > range.begin &&
                          f64(wait.end - wait.begin) == cycles;
               });
    });
}

u64 IssueFacts::warpsAtOnce(u32 subcore) const {
    u64 most = 0;
    for (const time::WarpRecord& first : issues_.sm.warps) {
        if (first.subcore != subcore) continue;
        most = std::max(most, u64(std::ranges::count_if(issues_.sm.warps, [&](const time::WarpRecord& warp) {
                            return warp.subcore == subcore && warp.begin <= first.begin &&
                                   warp.end > first.begin;
                        })));
    }
    return most;
}

const std::map<Stall, u64>& IssueFacts::exposed(u32 subcore) const {
    const auto [kept, isNew] = exposed_.try_emplace(subcore);
    std::map<Stall, u64>& sums = kept->second;
    if (!isNew) return sums;
    const std::vector<CycleRange> stretches = idle(subcore, {0, end()});
    std::map<Stall, std::vector<u32>> waiting;  // warps, by cycle
    for (const time::WarpRecord& warp : issues_.sm.warps)
        if (warp.subcore == subcore)
            for (const time::WaitRecord& wait : warp.waits) {
                std::vector<u32>& warps = waiting[wait.reason];
                warps.resize(end() + 1);
                for (u64 cycle = wait.begin; cycle < std::min(wait.end, end()); ++cycle)
                    ++warps[cycle];
            }
    for (const CycleRange& stretch : stretches)
        for (u64 cycle = stretch.begin; cycle < stretch.end; ++cycle) {
            std::optional<Stall> most;
            u32 warps = 0;
            for (const auto& [reason, count] : waiting)  // of as many, what the compiler set comes last
                if (count[cycle] > warps || (count[cycle] && count[cycle] == warps && most == Stall::Wait))
                    most = reason, warps = count[cycle];
            if (most) ++sums[*most];
        }
    return sums;
}

IssueFacts::Occupied IssueFacts::occupied(u32 subcore, CycleRange range) const {
    // What stands in one strip.
    static const std::vector<std::set<Pipe>> kGroups{{Pipe::Fma, Pipe::FmaHeavy, Pipe::Half},
                                                     {Pipe::Alu},
                                                     {Pipe::Xu},
                                                     {Pipe::Fp64},
                                                     {Pipe::Tensor},
                                                     {Pipe::Uniform},
                                                     {Pipe::Lsu, Pipe::Adu},
                                                     {Pipe::Global}};
    std::vector<std::vector<CycleRange>> spans(kGroups.size() + 4);
    for (const time::WarpRecord& warp : issues_.sm.warps) {
        if (warp.subcore != subcore) continue;
        for (const time::IssueRecord& issue : warp.issues)
            for (std::size_t g = 0; g < kGroups.size(); ++g)
                if (kGroups[g].contains(issues_.code[issue.instruction].row->pipe))
                    spans[g].push_back({issue.cycle, issue.busyUntil});
    }
    for (const time::RequestRecord& request : issues_.sm.requests)
        if (warp(request.warp).subcore == subcore)
            spans[kGroups.size() + std::size_t(request.level)].push_back({request.begin, request.end});
    Occupied all;
    for (const std::vector<CycleRange>& group : spans) {
        std::map<u64, s64> changes;
        for (const CycleRange& span : group)
            if (span.end > range.begin && span.begin < range.end && span.end > span.begin)
                ++changes[span.begin], --changes[span.end];
        s64 now = 0, most = 0;
        u64 busy = 0, since = 0;
        for (const auto& [cycle, change] : changes) {
            if (now > 0) busy += common({since, cycle}, range);
            now += change, since = cycle;
            most = std::max(most, now);
        }
        all.most.insert(u64(most)), all.busy.insert(busy);
    }
    return all;
}

}  // namespace lockstep::witness
