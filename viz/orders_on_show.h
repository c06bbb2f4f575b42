// What other orders of a run's threads came to, for the view that shows them.
#pragma once

#include "base/text/words.h"
#include "run/orders/order_search.h"

#include <memory>
#include <optional>

namespace lockstep::viz {

inline constexpr Words kOrdersTitle = english("the view of other orders of the threads", "Orders");
inline constexpr u32 kOrdersShown = 1'000;  // tried where nobody says how many

struct OrdersOnShow {
    std::shared_ptr<const run::OrderSearch> search{};  // null: none was made
    std::optional<Fault> why{};                        // the run cannot be repeated in other orders

    OrdersOnShow() = default;
    explicit OrdersOnShow(Expected<run::OrderSearch> made) {
        if (made)
            search = std::make_shared<const run::OrderSearch>(std::move(*made));
        else
            why = made.error();
    }
    bool any() const { return search || why; }
};

// Of a run on the emulator that came to its end, with all of its blocks.
inline bool canTryOrders(const run::Run& run) {
    return run.emulated && run.recording.complete && !run.recording.sample;
}

}  // namespace lockstep::viz
