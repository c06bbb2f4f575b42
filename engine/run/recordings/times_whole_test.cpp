#include "run/recordings/times_whole.h"

#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

struct Recorded {
    catalog::Variant variant;
    RecordedRun run;
    TimedKernel kernel;
    Recorded() {
        run.measured.timing.emplace();
        run.measured.timing->toDevice = KernelTiming::Copy{1000, 3.0};
        run.measured.timing->toHost = KernelTiming::Copy{1000, 1.0};
        kernel.variant = &variant;
        kernel.run = &run;
        kernel.milliseconds = 1;
    }
};

TEST(TimesWhole, AddsTheCopiesBothWays) {
    const Recorded recorded;
    EXPECT_EQ(withCopiesMs(recorded.kernel), 5.0);
    TimedKernel loop = recorded.kernel;
    loop.variant = nullptr;
    loop.milliseconds = 50;
    EXPECT_EQ(withCopiesMs(loop), 50.0) << "nothing is copied for it";
    EXPECT_EQ(
        wholeTimeText(recorded.kernel, &loop, Language::English),
        "Kernel and transfers together: 5.00 ms. Speedup over the CPU loop (50.0 ms): 10.0; without the "
        "transfers 50.0. Warm-up: the time of the first launch is not recorded.");
}

TEST(TimesWhole, SaysWhatTheFirstExecutionTookOrThatNobodyRecordedIt) {
    Recorded recorded;
    EXPECT_EQ(firstExecutionCell(recorded.kernel, {"ms", 1}, Language::English), "not rec.");
    recorded.run.host = RecordedRun::HostClock{2.5, 0.02};
    EXPECT_EQ(firstExecutionCell(recorded.kernel, {"ms", 1}, Language::English), "2.50");
    EXPECT_NE(wholeTimeText(recorded.kernel, nullptr, Language::Chinese)
                  .find("第一次启动还要装载代码，用时 2.50 ms"),
              std::string::npos);
    TimedKernel none;
    EXPECT_EQ(withCopiesCell(none, {"ms", 1}), "–");
    EXPECT_EQ(wholeTimeText(none, nullptr, Language::English), "");
}

}  // namespace
}  // namespace lockstep::run
