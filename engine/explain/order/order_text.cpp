#include "explain/order/order_text.h"

#include "explain/access/access_values.h"
#include "explain/arrays/shared_arrays.h"
#include "explain/cursor/lookup.h"
#include "explain/numbers.h"
#include "explain/sentences/address_names.h"
#include "explain/sentences/words.h"
#include "model/source_line.h"

namespace lockstep::explain {
namespace {

using simt::AccessLog;
using simt::LoggedAccess;
using simt::Order;

Message lineName(Pc pc, const ptx::Module& module) {
    if (const u32 line = model::sourceLineOf(pc, module).line) return Message(english("line {0}"), line);
    return Message(english("line {0} of the PTX"), module.at(pc).line);
}

// One lane's access of a log, in words.
class Told {
public:
    Told(const AccessLog& log, LaneAccess lane, const Recorded& run)
        : log_(log), lane_(lane), access_(log.all()[lane.at]), run_(run) {}

    Dim3 block() const { return access_.block; }
    u32 launch() const { return access_.launch; }
    Warp warp() const { return access_.warp; }
    Words verb() const { return explain::verb(access_.kind); }
    Message line() const { return lineName(access_.pc, *run_.module); }
    const Launch& launched() const { return run_.recording.launches[access_.launch]; }

    Dim3 thread() const {
        u32 index = lane_.index;
        Lane of{};
        for (Lane lane : access_.lanes) {
            of = lane;
            if (index-- == 0) break;
        }
        return coordinatesOf(u64{access_.warp.value} * kWarpSize + of.value, launched().block);
    }
    Message subject() const {
        return Message(english("Thread {0} of block {1}"), coordinates(thread(), launched().block),
                       coordinates(block(), launched().grid));
    }
    // Seen from another one.
    Message after(const Told& first) const {
        if (launch() != first.launch() || block() != first.block())
            return threadOfBlock(thread(), launched().block, block(), launched().grid);
        return Message(warp() == first.warp() ? english("thread {0} of the same warp")
                                              : english("thread {0} of the same block"),
                       coordinates(thread(), launched().block));
    }
    Message place() const {
        trace::WarpAccess access{.pc = access_.pc,
                                 .active = {1},
                                 .space = access_.space,
                                 .kind = access_.kind,
                                 .widthBytes = access_.widthBytes};
        access.addresses[0] = log_.address(access_, lane_.index);
        const std::string name = nameOfAddress(access, Lane{0}, *run_.module, run_.recording,
                                               arrayShapes(run_, LaunchId{access_.launch}));
        return name.empty() ? Message(english("memory")) : placeText(name);
    }
    std::string value() const {
        const MovedElements elements =
            movedElements(run_, LaunchId{access_.launch}, access_.space, log_.address(access_, lane_.index),
                          access_.widthBytes, access_.pc);
        return movedText(elements, log_.value(access_, lane_.index), kInSentence);
    }

private:
    const AccessLog& log_;
    LaneAccess lane_;
    const LoggedAccess& access_;
    Recorded run_;
};

Message turnsOf(const Order& order) {
    using Turns = Order::Turns;
    switch (order.turns) {
        case Turns::UntilItWaits:
            return order.highestFirst ? english("each warp runs until it waits, the last one first")
                                      : english("each warp runs until it waits, the first one first");
        case Turns::AfterEachAccess:
            return order.highestFirst ? english("one access each in turn, the last warp first")
                                      : english("one access each in turn, the first warp first");
        case Turns::Drawn: return english("who makes the next access is drawn");
        case Turns::Priorities:
            return Message(english("priorities are drawn, and lowered {0} {0:time|times}"), order.changes);
    }
    return {};
}

Message partsOf(const Order& order) {
    using Parts = Order::Parts;
    switch (order.parts) {
        case Parts::Whole: return {};
        case Parts::Halves: return english("the halves of each warp apart");
        case Parts::OneLane: return Message(english("lane {0} of each warp apart"), order.lane);
        case Parts::EachLane: return english("each lane apart");
        case Parts::EvenAndOdd: return english("even and odd lanes apart");
        case Parts::Drawn: return english("drawn lanes of each warp apart");
    }
    return {};
}

}  // namespace

Message textOf(const Order& order, const Recorded& run) {
    if (order.isRecorded()) return english("the recorded order");
    Message text = turnsOf(order);
    if (order.delayed != kNoPc)
        text = Message(english("{0}, but the access of {1} waits until nothing else can run"), text,
                       lineName(order.delayed, *run.module));
    if (const Message parts = partsOf(order); !parts.empty())
        text = Message(english("an order", "{0}; {1}"), text, parts);
    return text;
}

Message textOf(const OrderParting& parting, const AccessLog& recorded, const AccessLog& changed,
               const Recorded& run) {
    const Told before(recorded, parting.recorded, run), now(changed, parting.changed, run);
    using Kind = OrderParting::Kind;
    if (parting.kind == Kind::LastStore)
        return Message(english("{0} {1} {2} ({3}) after {4} {5} it ({6}), which was the last one in the "
                               "recorded order: {7} stays instead of {8}."),
                       now.subject(), now.verb(), now.place(), now.line(), before.after(now), before.verb(),
                       before.line(), now.value(), before.value());
    if (parting.kind == Kind::UpdatesFirst)
        return Message(english("{0} {1} {2} ({3}) before {4} ({5}), which was the first one in the recorded "
                               "order."),
                       now.subject(), now.verb(), now.place(), now.line(), before.after(now), before.line());
    if (!parting.other || parting.kind == Kind::ReadsOther)
        return Message(english("{0} {1} {2} ({3}): {4} instead of {5}."), now.subject(), now.verb(),
                       now.place(), now.line(), now.value(), before.value());
    const Told other(parting.otherIsChanged ? changed : recorded, *parting.other, run);
    if (parting.kind == Kind::OtherWins) {
        const Told instead(recorded, *parting.instead, run);
        return Message(english("{0} {1} {2} after {3} {4} it ({5}), which {6} ({7}) did last in the recorded "
                               "order: {8} instead of {9}."),
                       now.subject(), now.verb(), Message(english("{0} ({1})"), now.place(), now.line()),
                       other.after(now), other.verb(), other.line(), instead.after(now), instead.line(),
                       now.value(), before.value());
    }
    if (!parting.comparesValues)
        return Message(parting.kind == Kind::ReadsBefore
                           ? english("{0} {1} {2} ({3}) before {4} {5} it ({6}).")
                           : english("{0} {1} {2} ({3}) after {4} {5} it ({6}), not before."),
                       now.subject(), now.verb(), now.place(), now.line(), other.after(now), other.verb(),
                       other.line());
    return Message(parting.kind == Kind::ReadsBefore
                       ? english("{0} {1} {2} ({3}) before {4} {5} it ({6}): {7} instead of {8}.")
                       : english("{0} {1} {2} ({3}) after {4} {5} it ({6}), not before: {7} instead of {8}."),
                   now.subject(), now.verb(), now.place(), now.line(), other.after(now), other.verb(),
                   other.line(), now.value(), before.value());
}

Message textOf(LaneAccess access, const AccessLog& log, const Recorded& run) {
    const Told told(log, access, run);
    return Message(english("an access", "thread {0} {1} {2}: {3}"),
                   coordinates(told.thread(), told.launched().block), told.verb(), told.place(),
                   told.value());
}

Words ordersOnly() {
    return english(
        "Only the order of accesses was varied: weak memory, which may show a thread writes of "
        "others in yet another order, was not.");
}

Words provesNothing() {
    return english(
        "Orders that change nothing prove nothing: a kernel is right because its accesses are "
        "synchronized.");
}

}  // namespace lockstep::explain
