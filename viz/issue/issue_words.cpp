#include "viz/issue/issue_words.h"

#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/sentences/words.h"
#include "explain/source/source_line.h"

#include <algorithm>
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
    Words meaning;
};
// In the order of time::Stall; names as in Nsight Compute, "Warp Stall Reasons".
constexpr std::array<ReasonRow, time::kStalls> kReasons{{
    {WaitLook::NotSelected, english("selected"), english("it issues")},
    {WaitLook::NotSelected, english("not selected"), english("ready, another warp issues")},
    {WaitLook::Fixed, english("the stall reason", "wait"), english("a fixed latency")},
    {WaitLook::Fixed, english("branch resolving"), english("where a branch goes")},
    {WaitLook::Code, english("no instruction"), english("code that is not in the cache")},
    {WaitLook::Memory, english("long scoreboard"), english("a value from memory")},
    {WaitLook::Result, english("short scoreboard"),
     english("a value from shared memory or another slow unit")},
    {WaitLook::Code, english("IMC miss"), english("a constant that is not in the cache")},
    {WaitLook::Busy, english("dispatch stall"), english("a bank of the register file")},
    {WaitLook::Busy, english("math pipe throttle"), english("a pipe that is busy")},
    {WaitLook::Busy, english("MIO throttle"), english("a place in the queue to shared memory")},
    {WaitLook::Busy, english("LG throttle"), english("a place in the queue to global memory")},
    {WaitLook::Others, english("the stall reason", "barrier"), english("other warps of the block")},
    {WaitLook::Others, english("membar"), english("its stores to be visible")},
    {WaitLook::Others, english("drain"), english("its last stores to leave")},
}};

constexpr Words kNameAndMeaning = english("a stall reason, and what is waited for", "{0} ({1})");
// Behind the names of reasons that look so.
constexpr std::array<Words, kWaitLooks> kMeanings{
    english("{0}: value from memory"),
    english("{0}: other result"),
    english("the reasons alone", "{0}"),
    english("{0}: a unit is busy"),
    english("{0}: fixed latency"),
    english("{0}: not in the cache"),
    english("{0}: ready"),
};

constexpr std::array<Words, 5> kKinds{
    english("an instruction", "arithmetic"), english("branch, no operation"),
    english("an instruction", "barrier"),    english("an instruction", "load, atomic, shuffle"),
    english("an instruction", "store"),
};

struct WhatRow {
    Opcode opcode;
    Words name;
};
constexpr std::array kWhat{
    WhatRow{Opcode::Ldg, english("an instruction", "load from global memory")},
    WhatRow{Opcode::Lds, english("an instruction", "load from shared memory")},
    WhatRow{Opcode::Ldl, english("an instruction", "load from local memory")},
    WhatRow{Opcode::Ldc, english("an instruction", "load of a constant")},
    WhatRow{Opcode::Ldgsts, english("an instruction", "copy from global to shared memory")},
    WhatRow{Opcode::Stg, english("an instruction", "store to global memory")},
    WhatRow{Opcode::Sts, english("an instruction", "store to shared memory")},
    WhatRow{Opcode::Stl, english("an instruction", "store to local memory")},
    WhatRow{Opcode::Atomg, english("an instruction", "atomic on global memory")},
    WhatRow{Opcode::Redg, english("an instruction", "atomic on global memory, without a result")},
    WhatRow{Opcode::Atoms, english("an instruction", "atomic on shared memory")},
    WhatRow{Opcode::Shfl, english("an instruction", "shuffle")},
    WhatRow{Opcode::Vote, english("an instruction", "vote")},
    WhatRow{Opcode::S2r, english("an instruction", "read of a special register")},
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
                kAtomicRequest = english("{0}: {1} updates {2} {2:sector|sectors}, {3} cycles."),
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
std::string nameOf(WaitLook look, const Reasons& reasons, Language language) {
    std::string names;
    for (std::size_t i = 0; i < reasons.size(); ++i)
        if (reasons[i] && kReasons[i].look == look)
            names += (names.empty() ? "" : listComma(language)) + Message(kReasons[i].name).in(language);
    return Message(kMeanings[std::size_t(look)], names).in(language);
}
std::string reasonInWords(Stall reason, Language language) {
    const ReasonRow& row = kReasons[std::size_t(reason)];
    return Message(kNameAndMeaning, row.name, row.meaning).in(language);
}
const Words& reasonName(Stall reason) { return kReasons[std::size_t(reason)].name; }
const Words& nameOf(IssueKind kind) { return kKinds[std::size_t(kind)]; }
const Words& whatIs(const run::TimedInstruction& instruction) {
    const auto row = std::ranges::find(kWhat, instruction.code, &WhatRow::opcode);
    return row != kWhat.end() ? row->name : nameOf(kindOf(instruction));
}
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

std::string IssueSentences::placeWithCode(u32 instruction) const {
    const Pc pc = issues_.code[instruction].pc;
    if (pc == kNoPc || pc.value >= run_.module->instructions.size()) return place(instruction);
    const std::string_view code = explain::textOfLine(*run_.module, explain::lineOf(*run_.module, pc));
    return code.empty() ? place(instruction) : place(instruction) + colon(language_) + std::string(code);
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
    const u32 instruction = issues_.sm.warps[request.warp].issues[request.issue].instruction;
    if (request.isStore)
        return said(language_,
                    issues_.code[instruction].code == Opcode::Redg ? kAtomicRequest : kStoreRequest, who,
                    where, request.sectors, cycles);
    return said(language_, kLoadRequest, who, where, request.sectors, request.l1, request.l2, request.dram,
                cycles);
}

}  // namespace lockstep::viz
