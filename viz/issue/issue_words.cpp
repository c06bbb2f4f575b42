#include "viz/issue/issue_words.h"

#include "base/text/counted.h"
#include "explain/sentences/words.h"
#include "explain/source/source_line.h"

#include <array>

namespace lockstep::viz {
namespace {

using sass::Opcode;
using sass::Pipe;
using time::MemoryLevel;
using time::Stall;

struct ReasonRow {
    WaitLook look;
    Words name;
};
// In the order of time::Stall; names as in Nsight Compute, "Warp Stall Reasons".
constexpr std::array<ReasonRow, time::kStalls> kReasons{{
    {WaitLook::NotSelected, english("selected")},
    {WaitLook::NotSelected, english("not selected")},
    {WaitLook::Fixed, english("the stall reason", "wait")},
    {WaitLook::Fixed, english("branch resolving")},
    {WaitLook::Code, english("no instruction")},
    {WaitLook::Memory, english("long scoreboard")},
    {WaitLook::Result, english("short scoreboard")},
    {WaitLook::Code, english("IMC miss")},
    {WaitLook::Busy, english("dispatch stall")},
    {WaitLook::Busy, english("math pipe throttle")},
    {WaitLook::Busy, english("MIO throttle")},
    {WaitLook::Busy, english("LG throttle")},
    {WaitLook::Others, english("the stall reason", "barrier")},
    {WaitLook::Others, english("membar")},
    {WaitLook::Others, english("drain")},
}};

constexpr std::array<Words, kWaitLooks> kLooks{
    english("long scoreboard: value from memory"),
    english("short scoreboard: other result"),
    english("barrier, membar, drain"),
    english("throttle, dispatch stall: a unit is busy"),
    english("wait, branch resolving: fixed latency"),
    english("no instruction, IMC miss"),
    english("not selected: ready"),
};

constexpr std::array<Words, 5> kKinds{
    english("an instruction", "arithmetic"), english("branch, no operation"),
    english("an instruction", "barrier"),    english("an instruction", "load, atomic, shuffle"),
    english("an instruction", "store"),
};

constexpr std::array<Words, 4> kLevels{english("shared memory"), english("the cache", "L1"),
                                       english("the cache", "L2"), english("device memory")};

constexpr std::array<Words, 13> kPipes{
    english("a pipe", "none"),
    english("a pipe", "FMA"),
    english("a pipe", "FMA heavy"),
    english("a pipe", "ALU"),
    english("a pipe", "XU"),
    english("a pipe", "FP64"),
    english("a pipe", "FMA, both halves"),
    english("a pipe", "Tensor"),
    english("a pipe", "uniform"),
    english("a queue", "MIO queue"),
    english("a queue", "LG queue"),
    english("a queue", "MIO queue (ADU)"),
    english("a pipe", "CBU"),
};

constexpr Words kWarpOfBlock = english("Warp {0} of block {1}"), kWarpAlone = english("Warp {0}");
constexpr Words
    kLoads =
        english("{0} waits {3} {3:cycle|cycles} for the value that {1} loads from {2}; the load takes {4}."),
    kOperandsRead = english("{0} waits until the store of {1} has read its registers: {2} {2:cycle|cycles}."),
    kResult = english("{0} waits for the result of {1} ({2}): {3} {3:cycle|cycles}.");
constexpr Words kLast = english("{0} waits at the barrier for {1}, which comes last: {2} {2:cycle|cycles}."),
                kIsLast = english("{0} comes last to the barrier, which opens after {1} {1:cycle|cycles}."),
                kAtBarrier = english("{0} waits at the barrier: {1} {1:cycle|cycles}.");
// By reason, with the cycles; the pipe or the place is the third.
constexpr Words kWait = english("{0} waits {1} {1:cycle|cycles}, as the compiler set it (fixed latency)."),
                kBranch = english("{0} waits {1} {1:cycle|cycles} until its branch is resolved."),
                kNoInstruction = english(
                    "{0} waits {1} {1:cycle|cycles} for its instructions: they are not "
                    "in the instruction cache yet."),
                kImcMiss = english("{0} waits {1} {1:cycle|cycles} for a constant that is not in the cache."),
                kDispatch = english(
                    "{0} is held up for {1} {1:cycle|cycles}: operands lie in one bank of the "
                    "register file."),
                kPipe = english("{0} waits {1} {1:cycle|cycles} for the pipe {2}, which is busy."),
                kMio = english(
                    "{0} waits {1} {1:cycle|cycles}: the MIO queue (shared memory, shuffles, "
                    "special registers) is full."),
                kLg = english(
                    "{0} waits {1} {1:cycle|cycles}: the LG queue (global and local memory) is full."),
                kMembar = english(
                    "{0} waits {1} {1:cycle|cycles} until its stores are visible (memory "
                    "barrier)."),
                kDrain = english("{0} has ended; its stores leave the SM: {1} {1:cycle|cycles}."),
                kReady = english("{0} is ready for {1} {1:cycle|cycles}, but another warp issues.");
constexpr Words kIssues = english("{0} issues {1} of {2} in cycle {3}, in {4} {4:lane|lanes}."),
                kIssuesWithoutLine = english("{0} issues {1} in cycle {2}, in {3} {3:lane|lanes}.");
constexpr Words kSharedRequest =
                    english("{0}: {1} accesses shared memory, {2} {2:wavefront|wavefronts}, {3} cycles."),
                kStoreRequest = english("{0}: {1} stores {2} {2:sector|sectors}, {3} cycles."),
                kLoadRequest = english(
                    "{0}: {1} loads {2} {2:sector|sectors}: {3} from L1, {4} from L2, {5} "
                    "from device memory; {6} cycles.");
constexpr Words kGoes = english("Go to step {0}");
constexpr Words kCycles = english("Cycles {0} to {1} (modeled)"), kCycle = english("Cycle {0} (modeled)");

// Sets values off from ideographs.
template <class... Values> std::string said(Language language, const Words& words, const Values&... values) {
    return Message(words, values...).in(language);
}

}  // namespace

WaitLook lookOf(Stall reason) { return kReasons[std::size_t(reason)].look; }
const Words& nameOf(WaitLook look) { return kLooks[std::size_t(look)]; }
const Words& reasonName(Stall reason) { return kReasons[std::size_t(reason)].name; }
const Words& nameOf(IssueKind kind) { return kKinds[std::size_t(kind)]; }
const Words& nameOf(MemoryLevel level) { return kLevels[std::size_t(level)]; }
const Words& nameOf(Pipe pipe) { return kPipes[std::size_t(pipe)]; }

IssueKind kindOf(const run::TimedInstruction& instruction) {
    if (instruction.code == Opcode::Bar) return IssueKind::Barrier;
    if (instruction.isStore || instruction.code == Opcode::Redg) return IssueKind::Store;
    switch (instruction.row->pipe) {
        case Pipe::Lsu:
        case Pipe::Global: return IssueKind::Load;
        case Pipe::Cbu:
        case Pipe::None: return IssueKind::Control;
        default: return IssueKind::Arithmetic;
    }
}

std::string withStep(const std::string& text, Language language, const std::optional<Cursor>& go) {
    return go ? text + "\n" + said(language, kGoes, go->step + 1) : text;
}

std::string IssueSentences::warp(u32 smWarp) const {
    const time::WarpRecord& warp = issues_.sm.warps[smWarp];
    const Dim3 grid = run_.recording.launches[issues_.launch.value].grid;
    if (warp.block == linearOf(issues_.block, grid)) return said(language_, kWarpAlone, warp.warpOfBlock);
    return said(language_, kWarpOfBlock, warp.warpOfBlock,
                explain::coordinates(coordinatesOf(warp.block, grid), grid));
}

std::string IssueSentences::place(u32 instruction) const {
    const run::TimedInstruction& of = issues_.code[instruction];
    if (of.pc == kNoPc || of.pc.value >= run_.module->instructions.size()) return of.opcode;
    return explain::lineInWords(*run_.module, of.pc, language_);
}

std::string IssueSentences::cycles(u64 begin, u64 end) const {
    return end > begin + 1 ? said(language_, kCycles, grouped(begin), grouped(end - 1))
                           : said(language_, kCycle, grouped(begin));
}

std::string IssueSentences::scoreboard(u32 smWarp, const time::WaitRecord& wait) const {
    const time::WarpRecord& warp = issues_.sm.warps[smWarp];
    const u64 cycles = wait.end - wait.begin;
    if (wait.issue >= warp.issues.size()) return said(language_, kWait, this->warp(smWarp), cycles);
    const time::IssueRecord& issue = warp.issues[wait.issue];
    const run::TimedInstruction& instruction = issues_.code[issue.instruction];
    const std::string where = place(issue.instruction);
    if (issue.request == time::kNotRecorded)
        return said(language_, kResult, this->warp(smWarp), where, instruction.opcode, cycles);
    const time::RequestRecord& request = issues_.sm.requests[issue.request];
    if (request.isStore) return said(language_, kOperandsRead, this->warp(smWarp), where, cycles);
    if (request.end != wait.end)  // its registers, which are read before its value is there
        return said(language_, kResult, this->warp(smWarp), where, instruction.opcode, cycles);
    return said(language_, kLoads, this->warp(smWarp), where, nameOf(request.level), cycles,
                grouped(request.end - request.begin));
}

std::string IssueSentences::wait(u32 smWarp, const time::WaitRecord& wait) const {
    const std::string who = warp(smWarp);
    const u64 cycles = wait.end - wait.begin;
    switch (wait.reason) {
        case Stall::LongScoreboard:
        case Stall::ShortScoreboard: return scoreboard(smWarp, wait);
        case Stall::Barrier:
            if (wait.warp >= issues_.sm.warps.size()) return said(language_, kAtBarrier, who, cycles);
            return wait.warp == smWarp
                       ? said(language_, kIsLast, who, cycles)
                       : said(language_, kLast, who,
                              said(language_, english("warp {0}"), issues_.sm.warps[wait.warp].warpOfBlock),
                              cycles);
        case Stall::BranchResolving: return said(language_, kBranch, who, cycles);
        case Stall::NoInstruction: return said(language_, kNoInstruction, who, cycles);
        case Stall::ImcMiss: return said(language_, kImcMiss, who, cycles);
        case Stall::DispatchStall: return said(language_, kDispatch, who, cycles);
        case Stall::MathPipeThrottle:
            return said(language_, kPipe, who, cycles, nameOf(issues_.code[wait.instruction].row->pipe));
        case Stall::MioThrottle: return said(language_, kMio, who, cycles);
        case Stall::LgThrottle: return said(language_, kLg, who, cycles);
        case Stall::Membar: return said(language_, kMembar, who, cycles);
        case Stall::Drain: return said(language_, kDrain, who, cycles);
        case Stall::NotSelected: return said(language_, kReady, who, cycles);
        case Stall::Wait:
        case Stall::Selected: break;
    }
    return said(language_, kWait, who, cycles);
}

std::string IssueSentences::issue(u32 smWarp, const time::IssueRecord& issue) const {
    const run::TimedInstruction& instruction = issues_.code[issue.instruction];
    const u32 lanes = u32(LaneMask{issue.lanes}.count());
    if (instruction.pc == kNoPc)
        return said(language_, kIssuesWithoutLine, warp(smWarp), instruction.opcode, grouped(issue.cycle),
                    lanes);
    return said(language_, kIssues, warp(smWarp), instruction.opcode, place(issue.instruction),
                grouped(issue.cycle), lanes);
}

std::string IssueSentences::request(const time::RequestRecord& request) const {
    const std::string who = warp(request.warp),
                      where = place(issues_.sm.warps[request.warp].issues[request.issue].instruction),
                      cycles = grouped(request.end - request.begin);
    if (request.level == MemoryLevel::Shared)
        return said(language_, kSharedRequest, who, where, request.wavefronts, cycles);
    if (request.isStore) return said(language_, kStoreRequest, who, where, request.sectors, cycles);
    return said(language_, kLoadRequest, who, where, request.sectors, request.l1, request.l2, request.dram,
                cycles);
}

}  // namespace lockstep::viz
