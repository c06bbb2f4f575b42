// The divergent paths of one warp: each lane is on one path, or parked at a reconvergence point, or has
// exited.
//
// Which path runs: the most recently suspended one, like a stack. After a divergent branch the lanes that
// fall through continue and those that take the branch wait: compilers place the body of an if, or the exit
// of a loop, after the branch, so this follows the order of the text. A path that only spins goes to the far
// end, behind all others.
#pragma once

#include "base/lane_mask.h"
#include "simt/decode/program.h"

#include <vector>

namespace lockstep::simt {

inline constexpr u32 kNone = 0xffffffffu;

struct Path {
    u32 op = 0;  // where it continues
    u32 mask = 0;
    u32 meeting = kNone;  // the innermost reconvergence point its lanes are expected at
    u32 activation = 0;   // call that it is in
    enum class State : u8 { Ready, AtWarpSync, AtBarrier } state = State::Ready;
    u32 waitsFor = 0;  // AtWarpSync: member mask; AtBarrier: number of the barrier
};

// A reconvergence point: where lanes that diverged, or entered a function, continue together.
struct Meeting {
    u32 op = 0;  // first op after it
    u32 expected = 0, arrived = 0;
    u32 parent = kNone;
    u32 activation = 0;
    u32 ends = kNone;  // the activation that ends here: a return
};

// An active call. Number 0 is the entry.
struct Activation {
    u32 function = 0;  // index into Program::functions
    u32 caller = kNone, meeting = kNone, depth = 0;
    u32 call = kNone;  // index into Program::calls
    std::byte* frame = nullptr;
};

class WarpPaths {
public:
    // One path of all `lanes` at the entry's first op.
    void start(u32 lanes, u32 op, std::byte* frame);

    u32 alive() const { return alive_; }
    // Makes a ready path the running one. False: none is ready.
    bool next();
    // Makes this one of the others, which is ready, the running one.
    void choose(std::size_t path);
    Path running;  // undefined while nothing runs
    std::vector<Path>& others() { return others_; }
    const std::vector<Path>& others() const { return others_; }
    const Activation& activation() const { return activations_[running.activation]; }
    const Activation& activation(u32 index) const { return activations_[index]; }
    const std::vector<Meeting>& meetings() const { return meetings_; }

    // `taken` lanes of the running path jump to `target`, the others fall through.
    void diverge(u32 taken, u32 target, u32 reconvergence);
    // The running path has reached `op`, where paths may reconverge. True: it continues, perhaps with more
    // lanes.
    bool meet(u32 op);
    // Lanes of the running path exit. True: some are left.
    bool end(u32 lanes);
    // Lanes of the running path enter a function; the others wait for them after the call.
    void enter(u32 lanes, u32 next, Activation activation, u32 firstOp);
    // Lanes of the running path return from their function. True: some of the path are left in it.
    bool leave(u32 lanes);
    // Suspends the running path in this state.
    void wait(Path::State state, u32 waitsFor);
    // The running path yields to all others.
    void yield();
    // Splits lanes off the running path into one of their own that waits.
    void splitWaiting(u32 lanes, Path::State state, u32 waitsFor);
    // Splits lanes off a ready path into one of their own, which reconverges with no other but where a call
    // returns: since compute capability 7.0 a warp may part anywhere.
    void part(std::size_t path, u32 lanes);
    // Lanes waiting at reconvergence points continue without the others. False: there were none.
    bool breakMeetings();
    // Merges ready paths at the same op.
    void merge();
    bool hasReady() const;

private:
    u32 newMeeting(Meeting meeting);
    void arrive(u32 meeting, u32 lanes);
    void depart(u32 meeting, u32 lanes, u32 until);  // lanes are no longer expected, from `meeting` outward
    void settle(u32 meeting);                        // continues if all have arrived
    void freeMeeting(u32 meeting);
    u32 depthOf(u32 meeting) const;

    std::vector<Path> others_;
    std::vector<Meeting> meetings_;
    std::vector<u32> freeMeetings_;
    std::vector<Activation> activations_;
    std::vector<u32> freeActivations_;
    u32 alive_ = 0;
};

}  // namespace lockstep::simt
