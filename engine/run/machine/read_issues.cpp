#include "run/machine/read_issues.h"

namespace lockstep::run {
namespace {

cuda::Disassembler::Answer codeOf(const Resources& resources, cuda::Disassembler& disassembler,
                                  const Run& run, Progress* progress) {
    if (const Expected<void> possible = canBeTimed(run); !possible) return Unexpected{possible.error()};
    return shippedOrRead(resources, disassembler, run,
                         {.cancelled = progress ? &progress->cancelled : nullptr});
}

}  // namespace

Expected<IssueRun> readIssues(const Resources& resources, cuda::Disassembler& disassembler, const Run& run,
                              LaunchId launch, Dim3 block, Progress* progress) {
    const auto code = codeOf(resources, disassembler, run, progress);
    if (!code) return Unexpected{code.error()};
    return issueRun(run, **code, launch, block, {.progress = progress});
}

Expected<TimedRun> readTime(const Resources& resources, cuda::Disassembler& disassembler, const Run& run,
                            Progress* progress) {
    const auto code = codeOf(resources, disassembler, run, progress);
    if (!code) return Unexpected{code.error()};
    return timeRun(run, **code, {.model = {}, .progress = progress});
}

Expected<WaitsOfRun> readWaits(const Resources& resources, cuda::Disassembler& disassembler, const Run& run,
                               Progress* progress) {
    const auto code = codeOf(resources, disassembler, run, progress);
    if (!code) return Unexpected{code.error()};
    return waitsOfRun(run, **code, progress);
}

}  // namespace lockstep::run
