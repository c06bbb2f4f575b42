// Searches the orders in which a run's warps, blocks and lanes may take turns for one that changes the
// result.
#pragma once

#include "explain/order/parting.h"
#include "run/run.h"
#include "simt/order/access_log.h"
#include "simt/order/order.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::run {

struct OrderOptions {
    u32 orders = 1000;
    u64 seed = 1;
    u32 threads = 0;                                // 0: all cores
    std::optional<std::chrono::nanoseconds> limit;  // then what was tried by then is the outcome
    Progress* progress = nullptr;                   // in orders; a canceled search keeps what it has
    bool cooperative = false;
    std::atomic<u32>* changedAt = nullptr;  // told at once: an order that changes the result; 0: none yet
};

// An element of a result that another order leaves otherwise.
struct ChangedElement {
    std::string buffer;
    u64 index = 0;
    f64 recorded = 0, changed = 0;
};

// Orders that left the same contents in the buffers that are compared.
struct OrderResult {
    u64 hash = 0;
    u64 count = 0;
    std::optional<bool> correct = {};  // none: nothing to compare with
    bool ended = true;                 // false: some threads wait for ever
    bool changed = false;              // it is not the recorded result, rounding of sums apart
    u32 first = 0;                     // the first of these orders
    std::optional<ChangedElement> element =
        {};                   // the first that differs; none: no bit does, or it does not end
    u64 changedElements = 0;  // all of them
};

struct BadOrder {
    u32 number = 0;  // 0 is the recorded order
    simt::Order order;
    f64 seconds = 0;         // from the beginning of the search
    std::size_t result = 0;  // of OrderSearch::results
    // Both runs; recorded first. The logs may hold the beginnings only.
    std::shared_ptr<const simt::AccessLog> recorded = {}, changed = {};
    std::optional<explain::OrderParting> parting = {};
    Pc lanesAt = kNoPc;  // no access tells, and here the kernel asks which lanes are active
    std::vector<ChangedElement> elements = {};  // at the end, the first few
    u64 changedElements = 0;                    // all of them
};

struct OrderSearch {
    u32 wanted = 0, tried = 0;  // the recorded order is one of them
    bool isCancelled = false, isOutOfTime = false;
    u64 seed = 1;
    bool lanesPart = false;
    bool hasRace = false;              // the run has findings that name racing accesses
    std::vector<OrderResult> results;  // the recorded one first, the others as they were found
    u64 changed = 0;                   // orders whose result is not the recorded one
    std::optional<BadOrder> bad;       // the first of these
    std::vector<std::pair<u32, std::vector<u64>>> chosen;  // launch and its blocks, where not all were run
    f64 seconds = 0;
};

// What led to the other result, and at which instruction; empty and kNoPc: nothing tells.
Message causeOf(const BadOrder& bad, const Run& run);
Pc placeOf(const BadOrder& bad);

// As a sentence names it: "out[32]", with both of its values.
struct ElementTexts {
    std::string name, recorded, changed;
};
ElementTexts textsOf(const ChangedElement& element, std::span<const Buffer> buffers);

// The recorded one first, the others by how often they occurred.
std::vector<const OrderResult*> byFrequency(const OrderSearch& search);

// Of a run on the emulator that came to its end.
Expected<OrderSearch> searchOrders(const Run& run, const OrderOptions& options);

}  // namespace lockstep::run
