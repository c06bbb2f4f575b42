// The ways that the lanes of one warp go: each lane is on one path, or parked where paths meet, or has ended.
//
// Which path runs: the one that was left most recently, like a stack. After a divergent branch the lanes that
// fall through go on and those that jump wait: compilers put the body of an if, or the way out of a loop,
// behind the branch, so this is the order of the text. A path that only waits for others (spins) goes to the
// far end.
#pragma once

#include "base/lane_mask.h"
#include "simt/decode/program.h"

#include <vector>

namespace lockstep::simt {

inline constexpr u32 kNone = 0xffffffffu;

struct Path {
    u32 op = 0;  // where it goes on
    u32 mask = 0;
    u32 meeting = kNone;  // the innermost one that its lanes are expected at
    u32 activation = 0;   // call that it is in
    enum class State : u8 { Ready, AtWarpSync, AtBarrier } state = State::Ready;
    u32 waitsFor = 0;  // AtWarpSync: member mask; AtBarrier: number of the barrier
};

// Where lanes that went different ways, or into a function, go on together.
struct Meeting {
    u32 op = 0;  // first op behind it
    u32 expected = 0, arrived = 0;
    u32 parent = kNone;
    u32 activation = 0;
    u32 ends = kNone;  // the activation that ends here: a return
};

// A call under way. Number 0 is the entry.
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
    Path running;  // meaningless while nothing runs
    std::vector<Path>& others() { return others_; }
    const std::vector<Path>& others() const { return others_; }
    const Activation& activation() const { return activations_[running.activation]; }
    const Activation& activation(u32 index) const { return activations_[index]; }
    const std::vector<Meeting>& meetings() const { return meetings_; }

    // `taken` lanes of the running path jump to `target`, the rest goes on behind the branch.
    void diverge(u32 taken, u32 target, u32 reconvergence);
    // The running path has come to `op`, where paths may meet. True: it goes on, perhaps with more lanes.
    bool meet(u32 op);
    // Lanes of the running path end. True: some are left.
    bool end(u32 lanes);
    // Lanes of the running path enter a function; the others wait for them behind the call.
    void enter(u32 lanes, u32 next, Activation activation, u32 firstOp);
    // Lanes of the running path return from their function. True: some of the path are left in it.
    bool leave(u32 lanes);
    // The running path steps aside in this state.
    void wait(Path::State state, u32 waitsFor);
    // The running path lets all others go first.
    void yield();
    // Splits lanes off the running path into one of their own that waits.
    void splitWaiting(u32 lanes, Path::State state, u32 waitsFor);
    // Lanes that wait at meetings go on without the others. False: there were none.
    bool breakMeetings();
    // Ready paths at one place become one.
    void merge();
    bool hasReady() const;

private:
    u32 newMeeting(Meeting meeting);
    void arrive(u32 meeting, u32 lanes);
    void depart(u32 meeting, u32 lanes, u32 until);  // lanes are no longer expected, from `meeting` outwards
    void settle(u32 meeting);                        // goes on if all are there
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
