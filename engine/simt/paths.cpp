#include "simt/paths.h"

#include "base/check.h"

#include <algorithm>

namespace lockstep::simt {

void WarpPaths::start(u32 lanes, u32 op, std::byte* frame) {
    others_.clear();
    meetings_.clear();
    freeMeetings_.clear();
    activations_.assign(1, {.frame = frame});
    freeActivations_.clear();
    alive_ = lanes;
    if (lanes) others_.push_back({.op = op, .mask = lanes});
}

bool WarpPaths::hasReady() const {
    return std::ranges::any_of(others_, [](const Path& p) { return p.state == Path::State::Ready; });
}

bool WarpPaths::next() {
    if (!others_.empty() && others_.back().state == Path::State::Ready) [[likely]] {
        running = others_.back();
        others_.pop_back();
        return true;
    }
    for (std::size_t i = others_.size(); i-- > 0;) {
        if (others_[i].state != Path::State::Ready) continue;
        running = others_[i];
        others_.erase(others_.begin() + std::ptrdiff_t(i));
        return true;
    }
    return false;
}

void WarpPaths::choose(std::size_t path) {
    running = others_[path];
    others_.erase(others_.begin() + std::ptrdiff_t(path));
}

void WarpPaths::part(std::size_t path, u32 lanes) {
    Path parted = others_[path];
    CHECK(parted.state == Path::State::Ready && (parted.mask & lanes) == lanes && parted.mask != lanes,
          "some lanes of a ready path");
    others_[path].mask &= ~lanes;
    const u32 from = parted.meeting;
    parted.mask = lanes;
    while (parted.meeting != kNone && meetings_[parted.meeting].ends == kNone)
        parted.meeting = meetings_[parted.meeting].parent;
    const u32 until = parted.meeting;
    others_.push_back(parted);
    depart(from, lanes, until);
}

u32 WarpPaths::newMeeting(Meeting meeting) {
    if (freeMeetings_.empty()) {
        meetings_.push_back(meeting);
        return u32(meetings_.size() - 1);
    }
    const u32 index = freeMeetings_.back();
    freeMeetings_.pop_back();
    meetings_[index] = meeting;
    return index;
}

void WarpPaths::freeMeeting(u32 meeting) {
    if (meetings_[meeting].ends != kNone) freeActivations_.push_back(meetings_[meeting].ends);
    meetings_[meeting] = {};
    freeMeetings_.push_back(meeting);
}

void WarpPaths::settle(u32 index) {
    const Meeting meeting = meetings_[index];
    if (meeting.arrived != meeting.expected) return;
    if (meeting.arrived)
        others_.push_back({.op = meeting.op,
                           .mask = meeting.arrived,
                           .meeting = meeting.parent,
                           .activation = meeting.activation});
    freeMeeting(index);
}

void WarpPaths::arrive(u32 index, u32 lanes) {
    meetings_[index].arrived |= lanes;
    settle(index);
}

void WarpPaths::depart(u32 meeting, u32 lanes, u32 until) {
    while (meeting != until) {
        CHECK_NE(meeting, kNone, "the outer meeting is one of the inner one's parents");
        const u32 parent = meetings_[meeting].parent;
        meetings_[meeting].expected &= ~lanes;
        settle(meeting);
        meeting = parent;
    }
}

void WarpPaths::diverge(u32 taken, u32 target, u32 reconvergence) {
    u32 meeting = running.meeting;
    if (reconvergence != kNone) {
        const bool same = meeting != kNone && meetings_[meeting].op == reconvergence &&
                          meetings_[meeting].activation == running.activation &&
                          meetings_[meeting].ends == kNone;
        if (!same)
            meeting = newMeeting({.op = reconvergence,
                                  .expected = running.mask,
                                  .parent = running.meeting,
                                  .activation = running.activation});
    }
    if (target == reconvergence)
        meetings_[meeting].arrived |= taken;
    else
        others_.push_back(
            {.op = target, .mask = taken, .meeting = meeting, .activation = running.activation});
    running.mask &= ~taken;
    running.meeting = meeting;
}

bool WarpPaths::meet(u32 op) {
    while (running.meeting != kNone) {
        Meeting& meeting = meetings_[running.meeting];
        if (meeting.op != op || meeting.activation != running.activation || meeting.ends != kNone)
            return true;
        meeting.arrived |= running.mask;
        if (meeting.arrived != meeting.expected) return false;
        running.mask = meeting.arrived;
        const u32 parent = meeting.parent;
        freeMeeting(running.meeting);
        running.meeting = parent;
    }
    return true;
}

bool WarpPaths::end(u32 lanes) {
    alive_ &= ~lanes;
    running.mask &= ~lanes;
    depart(running.meeting, lanes, kNone);
    return running.mask != 0;
}

void WarpPaths::enter(u32 lanes, u32 next, Activation activation, u32 firstOp) {
    activation.caller = running.activation;
    activation.depth = activations_[running.activation].depth + 1;
    u32 index;
    if (freeActivations_.empty()) {
        index = u32(activations_.size());
        activations_.push_back(activation);
    } else {
        index = freeActivations_.back();
        freeActivations_.pop_back();
        activations_[index] = activation;
    }
    const u32 meeting = newMeeting({.op = next,
                                    .expected = running.mask,
                                    .arrived = running.mask & ~lanes,
                                    .parent = running.meeting,
                                    .activation = running.activation,
                                    .ends = index});
    activations_[index].meeting = meeting;
    running.activation = index;
    running.meeting = meeting;
    running.mask = lanes;
    running.op = firstOp;
}

bool WarpPaths::leave(u32 lanes) {
    const u32 meeting = activations_[running.activation].meeting;
    running.mask &= ~lanes;
    depart(running.meeting, lanes, meeting);
    arrive(meeting, lanes);
    return running.mask != 0;
}

void WarpPaths::wait(Path::State state, u32 waitsFor) {
    running.state = state;
    running.waitsFor = waitsFor;
    others_.push_back(running);
}

void WarpPaths::yield() { others_.insert(others_.begin(), running); }

void WarpPaths::splitWaiting(u32 lanes, Path::State state, u32 waitsFor) {
    Path path = running;
    path.mask = lanes;
    path.state = state;
    path.waitsFor = waitsFor;
    others_.push_back(path);
    running.mask &= ~lanes;
}

bool WarpPaths::breakMeetings() {
    bool any = false;
    for (u32 i = 0; i < meetings_.size(); ++i) {
        Meeting& meeting = meetings_[i];
        if (!meeting.arrived) continue;
        any = true;
        others_.push_back({.op = meeting.op,
                           .mask = meeting.arrived,
                           .meeting = meeting.parent,
                           .activation = meeting.activation});
        meeting.expected &= ~meeting.arrived;
        meeting.arrived = 0;
    }
    return any;
}

u32 WarpPaths::depthOf(u32 meeting) const {
    u32 depth = 0;
    for (; meeting != kNone; meeting = meetings_[meeting].parent)
        ++depth;
    return depth;
}

void WarpPaths::merge() {
    for (std::size_t i = 0; i < others_.size(); ++i) {
        for (std::size_t j = i + 1; j < others_.size();) {
            Path &a = others_[i], &b = others_[j];
            if (a.state != Path::State::Ready || b.state != Path::State::Ready || a.op != b.op ||
                a.activation != b.activation) {
                ++j;
                continue;
            }
            u32 common = a.meeting, other = b.meeting;  // the innermost point that both are expected at
            while (common != other) {
                if (depthOf(common) >= depthOf(other))
                    common = meetings_[common].parent;
                else
                    other = meetings_[other].parent;
            }
            const Path first = a, second = b;
            others_[i].mask |= second.mask;
            others_[i].meeting = common;
            others_.erase(others_.begin() + std::ptrdiff_t(j));
            depart(first.meeting, first.mask, common);
            depart(second.meeting, second.mask, common);
        }
    }
}

}  // namespace lockstep::simt
