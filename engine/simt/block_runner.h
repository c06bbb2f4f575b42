// Runs one resident block at a time: its warps in turn, each until it waits, spins or ends. One runner per
// resident-block slot, reused for the following blocks.
#pragma once

#include "simt/barriers.h"
#include "simt/decode/printed_text.h"
#include "simt/launch_size.h"
#include "simt/memory/block_memory.h"
#include "simt/script/script_writer.h"
#include "simt/stop.h"
#include "simt/tally.h"
#include "simt/warp_state.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::simt {

class BlockRunner {
public:
    enum class Outcome : u8 {
        Done,
        Waits,    // for another block: every ready path only polled memory
        Stopped,  // by Stop or the BlockWatch
    };

    BlockRunner(const Program& program, const DeviceMemory& device, const GridShape& shape, Tally& tally,
                Stop& stop, bool concurrent);
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;
    ~BlockRunner() { settleScripts(); }

    // watch: outlives the block; may be null.
    void begin(Block block, const Observers& observers, const BlockWatch* watch = nullptr);
    Outcome run();

    // Instead of run(), for orders of a caller's choice (order/order_runner.h): one path of one warp executes
    // the access before which it stopped, and goes on to the next one of `stops` (by pc), or until it waits.
    enum class StepOutcome : u8 {
        Pauses,
        Leaves,  // it ended, waits or joined another path
        Spins,   // in a waiting loop, so that others should run
        Stopped,
    };
    // path: of warps()[warp].paths.others(), and ready. Plain programs only.
    StepOutcome step(u32 warp, std::size_t path, std::span<const u8> stops);
    // Between steps: false once all threads have exited; else some path is ready.
    bool settle();
    std::span<WarpState> warps() { return warps_; }

    Block block() const { return linear_; }
    // Warp instructions since begin().
    u64 issued() const { return issued_; }
    // Output of printf since begin().
    void moveOutputTo(KernelOutput& all) {
        if (!output_.isEmpty()) all.add(std::exchange(output_, {}));
    }
    // Approximate bytes of frames and shared memory.
    u64 bytes() const;

private:
    // Warp instructions between two checks of the clock and the cancel flag: about a millisecond.
    static constexpr u64 kCheckEvery = 1 << 16;

    enum class WarpOutcome : u8 { Waits, Spins, Stopped };
    enum class PathOutcome : u8 {
        Left /* it ended, waits or joined another */,
        Rests /* with the whole warp */,
        Spins,
        Stopped,
        Pauses,  // Stepping: before an access
    };

    enum class Mode : u8 { Plain, Recording, WritingScript, Stepping };

    Outcome runUntilItWaits();
    void tellSteps();

    // ---- warp_runner.cpp
    template <Mode mode> WarpOutcome runWarp(WarpState& warp);
    template <Mode mode> PathOutcome runPath(WarpState& warp);
    bool jumpsBack(WarpState& warp);
    void checkDivisors(const WarpState& warp, const Op& op, const std::byte* frame, u32 mask);
    void fence(const WarpState& warp, const Op& op);  // but for shared memory
    void readClock(const Op& op, std::byte* frame, u32 mask) const;
    void limitReached(const WarpState& warp, u32 pc, u32 lanes);
    void limitReachedWaiting();

    // ---- block_steps.cpp
    void settleWarp(WarpState& warp);

    // ---- script_player.cpp
    bool mayWriteScript() const;
    void beginScript();
    void endScript(bool isDone);
    Script* findScript();
    bool decidesAs(const Script& script);
    void follow(Script& script);
    void accessAt(Script& script, ScriptStep& step, const Accessor& where);
    void accessUnknown(Script& script, ScriptStep& step, const Accessor& where);
    void settleScripts();

    // ---- warp_sync.cpp
    void tellMeeting(const WarpState& warp, const Op& op, const std::byte* frame, u32 group);
    bool syncWarp(WarpState& warp, const Op& op, u32 active);  // true: the path continues
    bool completeWarpSyncs(WarpState& warp, bool force);
    bool completeGroup(WarpState& warp, const Op& op, u32 members, bool force);
    // areRight: nothing was found about who is there.
    void executeTogether(WarpState& warp, const std::vector<std::size_t>& group, bool areRight);
    void warpsMet(const WarpState& warp, u32 lanes);
    bool checkMembers(const WarpState& warp, const Op& op, u32 members, u32 here);
    // lanes: those that execute `op`; at: its operands in `frame`.
    void checkSources(const WarpState& warp, const Op& op, const u32* at, const std::byte* frame, u32 lanes);

    // ---- block_barriers.cpp
    bool arriveAtBarrier(WarpState& warp, const Op& op, u32 active);  // true: the path continues
    void settleBarriers();
    bool rest(WarpState& warp, const Op& op);  // false: not all lanes of the warp have arrived
    void wakeRested();
    void letRestedWait();
    void releaseBarrier(u32 number);
    void reportThoseThatWentRound(const WarpState& waiting, u32 number);
    bool isOneStatement(u32 a, u32 b) const;
    void reportOtherStatements(u32 number);
    bool goesRound(u32 barrierPc, u32 endPc) const;
    // missing: lanes of `of`, or of the same warp.
    void reportDivergence(const WarpState& warp, u32 pc, u32 lanes, u32 missing,
                          const WarpState* of = nullptr);
    bool freeParkedLanes(WarpState& warp);
    void resolveDeadlock();

    // ---- object_barriers.cpp
    void objectBarrier(WarpState& warp, const Op& op, u32 active);

    // ---- calls.cpp
    bool call(WarpState& warp, const Op& op, u32 active);  // true: the path continues
    bool leaveFunction(WarpState& warp, u32 active);
    void manageHeap(const WarpState& warp, const Op& op, u32 active);
    void print(const WarpState& warp, const CallOperation& call, const std::byte* frame, u32 active);
    std::string assertion(const WarpState& warp, const CallOperation& call, const std::byte* frame,
                          u32 active);  // the condition that failed

    const Program& program_;
    GridShape shape_;
    Tally& tally_;
    Stop& stop_;
    BlockMemory memory_;
    BlockBarriers barriers_;
    std::vector<WarpState> warps_;
    Observers observers_;
    const BlockWatch* watch_ = nullptr;
    Block linear_;
    Dim3 at_{0, 0, 0};
    u64 serial_ = 0;
    u32 restingThreads_ = 0, restingAt_ = 0, restingPc_ = 0;  // at this barrier, the first of them here
    u32 threads_, alive_ = 0;                                 // of the block; those that have not exited
    u64 issued_ = 0;     // warp instructions of this block so far: its clock
    u64 nextCheck_ = 0;  // when to check Stop again
    u64 told_ = 0;       // of issued_, to the progress
    KernelOutput output_;
    std::span<const u8> stops_;  // of step()
    std::vector<std::byte> staging_;
    std::vector<std::unique_ptr<Script>> scripts_;
    std::vector<u64> scalars_;              // of the script, in this block
    Script* script_ = nullptr;              // that this block follows
    std::unique_ptr<ScriptWriter> writer_;  // that this block is told to; null mostly
    std::optional<Tally> before_;           // the counts before that
    u64 findingsBefore_ = 0;
    u32 interpreted_ = 0, failures_ = 0;  // blocks; scripts that could not be written
    u64 followed_ = 0, strayed_ = 0;      // blocks that had a script, and those that none was for
    u64 sinceCheck_ = 0;                  // warp instructions of scripts since the last check of Stop
};

}  // namespace lockstep::simt
