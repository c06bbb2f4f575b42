#include "app/shell/runner.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <future>

namespace lockstep::shell {
namespace {

TEST(Runner, LeavesTheProcessorToTheFrames) {
    const catalog::Catalog catalog;
    std::promise<int> ofItsThread;
    Runner runner({.catalog = catalog, .resources = {}, .gpuWorker = {}, .machines = {}},
                  [&] { ofItsThread.set_value(getpriority(PRIO_PROCESS, 0)); });
    runner.lookForGpus();
    EXPECT_GT(ofItsThread.get_future().get(), getpriority(PRIO_PROCESS, 0));
}

}  // namespace
}  // namespace lockstep::shell
