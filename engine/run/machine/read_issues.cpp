#include "run/machine/read_issues.h"

namespace lockstep::run {

Expected<IssueRun> readIssues(const Resources& resources, cuda::Disassembler& disassembler, const Run& run,
                              LaunchId launch, Dim3 block, Progress* progress) {
    if (const Expected<void> possible = canBeTimed(run); !possible) return Unexpected{possible.error()};
    const auto code =
        shippedOrRead(resources, disassembler, run, {.cancelled = progress ? &progress->cancelled : nullptr});
    if (!code) return Unexpected{code.error()};
    return issueRun(run, **code, launch, block, {.progress = progress});
}

}  // namespace lockstep::run
