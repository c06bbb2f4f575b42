// What the issue timeline says: why a warp does not issue, in ncu's words and in a plain sentence, and what
// its instructions and requests are.
#pragma once

#include "base/text/message.h"
#include "run/machine/issue_run.h"
#include "viz/view.h"

#include <array>
#include <string>

namespace lockstep::viz {

// Reasons that look alike.
enum class WaitLook : u8 {
    Memory,       // the value of a load
    Result,       // another result that takes long
    Others,       // other warps, or its stores
    Busy,         // a pipe or a queue
    Fixed,        // the cycles that the compiler set
    Code,         // instructions or constants
    NotSelected,  // ready, another warp issues
};
inline constexpr std::size_t kWaitLooks = 7;
WaitLook lookOf(time::Stall reason);
// "long scoreboard"
const Words& reasonName(time::Stall reason);
// "long scoreboard (a value from memory)"
std::string reasonInWords(time::Stall reason, Language language);
// A set of reasons.
using Reasons = std::array<bool, time::kStalls>;
// What looks so among these: "barrier, drain"; "long scoreboard: value from memory".
std::string nameOf(WaitLook look, const Reasons& reasons, Language language);

enum class IssueKind : u8 { Arithmetic, Control, Barrier, Load, Store };
IssueKind kindOf(const run::TimedInstruction& instruction);
const Words& nameOf(IssueKind kind);
// "load from shared memory"; of what needs no closer word, its kind.
const Words& whatIs(const run::TimedInstruction& instruction);
const Words& nameOf(time::MemoryLevel level);
const Words& nameOf(sass::Pipe pipe);

// With the step that a click goes to, if to any.
std::string withStep(const std::string& text, Language language, const std::optional<Cursor>& go);

// Sentences of one run.
class IssueSentences {
public:
    IssueSentences(const run::Run& run, const run::IssueRun& issues, Language language)
        : run_(run), issues_(issues), language_(language) {}

    // "Warp 3"; of another block of the SM "Warp 3 of block (x 1, y 0)".
    std::string warp(u32 smWarp) const;
    // "line 21"; the opcode of an instruction that came from no line.
    std::string place(u32 instruction) const;
    // "line 21: out[i] = 0;"
    std::string placeWithCode(u32 instruction) const;
    // "Warp 3 waits for the value that line 21 loads from L2: 212 of 265 cycles."
    std::string wait(u32 smWarp, const time::WaitRecord& wait) const;
    // "Warp 3 issues LDG.E of line 21 in cycle 1,204, in 32 lanes."
    std::string issue(u32 smWarp, const time::IssueRecord& issue) const;
    // "Line 21 of warp 3 loads 4 sectors: 4 from L2. 265 cycles."
    std::string request(const time::RequestRecord& request) const;
    std::string cycles(u64 begin, u64 end) const;

private:
    std::string scoreboard(u32 smWarp, const time::WaitRecord& wait) const;

    const run::Run& run_;
    const run::IssueRun& issues_;
    Language language_;
};

}  // namespace lockstep::viz
