// Orders of a launch's threads in words: what an order is, and where two runs part.
#pragma once

#include "base/text/message.h"
#include "explain/cursor/recorded.h"
#include "explain/order/parting.h"
#include "simt/order/order.h"

namespace lockstep::explain {

// "each warp runs until it waits, the last one first", "priorities drawn, changed 3 times; each lane by
// itself".
Message textOf(const simt::Order& order, const Recorded& run);

// Where the changed run parts from the recorded one: "Thread 32 of block 0 reads sdata[0] (line 17) before
// thread 0 of the same block writes it (line 15): 0 instead of 36."
Message textOf(const OrderParting& parting, const simt::AccessLog& recorded, const simt::AccessLog& changed,
               const Recorded& run);

// One lane's access of a log: "thread 32 reads sdata[0]: 36".
Message textOf(LaneAccess access, const simt::AccessLog& log, const Recorded& run);

// What every result of a search is to be read with.
Words ordersOnly();
Words provesNothing();

}  // namespace lockstep::explain
