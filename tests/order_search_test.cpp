// The search for an order that changes a result: what it tells while it goes on.
#include "run/orders/order_search.h"

#include "catalog/prebuilt.h"
#include "support/shipped_catalog.h"

#include <gtest/gtest.h>

#include <atomic>

namespace lockstep {
namespace {

run::Run runOf(const char* name) {
    const auto found = shipped().lookUp(name);
    EXPECT_TRUE(found) << name;
    const Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, {});
    Expected<run::Experiment> experiment =
        run::open({LOCKSTEP_SOURCE_DIR}, *found->first, *found->second, *values);
    EXPECT_TRUE(experiment) << describe(experiment.error());
    Expected<run::Run> run =
        run::run(std::move(*experiment), {.backend = "emulator", .emulator = {}, .gpu = {}});
    EXPECT_TRUE(run) << describe(run.error());
    return std::move(*run);
}

// With one thread the orders are tried one after the other.
TEST(OrderSearch, TellsAtOnceWhichOrderChangesTheResult) {
    constexpr u32 kOrders = 20;
    std::atomic<u32> changedAt = 0;
    const Expected<run::OrderSearch> racy = run::searchOrders(
        runOf("scan/in-place"), {.orders = kOrders, .threads = 1, .limit = {}, .changedAt = &changedAt});
    ASSERT_TRUE(racy && racy->bad);
    EXPECT_EQ(changedAt, racy->bad->number);
    changedAt = 0;
    ASSERT_TRUE(run::searchOrders(runOf("scan/hillis-steele"),
                                  {.orders = kOrders, .threads = 1, .limit = {}, .changedAt = &changedAt}));
    EXPECT_EQ(changedAt, 0u);
}

}  // namespace
}  // namespace lockstep
