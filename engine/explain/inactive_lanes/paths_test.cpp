// Which lanes are on a step's path, in a trace written by hand.
#include "explain/inactive_lanes/paths.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::RunBuilder;

TEST(PathsTest, APathIsKnownFromWhatFollowsAGuard) {
    RunBuilder b("ifs.cu", "");
    const Pc set = b.instruction("setp.lt.s32 %p1, %r1, %r2", 1), first = b.instruction("@%p1 bra DONE", 1),
             second = b.instruction("@%p2 bra DONE", 1),
             guarded = b.instruction("@%p3 add.s32 %r1, %r1, 1", 2),
             add = b.instruction("add.s32 %r1, %r1, 1", 2);
    b.label("DONE");
    const Pc after = b.instruction("mov.u32 %r3, %r1", 3);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    b.step(0, set, LaneMask::all());
    b.step(0, first, LaneMask{0xff});       // 24 go on
    b.step(0, second, LaneMask{0xff00});    // 16 of them go on
    b.step(0, guarded, LaneMask{0x10000});  // one of these
    b.step(0, add, LaneMask{0xffff0000});
    b.step(0, after, LaneMask::all());
    const run::Run run = b.finish();
    const trace::WarpTrace& warp = run.recording.trace.blocks[0].warps[0];
    EXPECT_EQ(pathAt(*run.module, warp, 0), LaneMask::all());
    EXPECT_EQ(pathAt(*run.module, warp, 1), LaneMask::all());
    EXPECT_EQ(pathAt(*run.module, warp, 2), LaneMask{0xffffff00});
    EXPECT_EQ(pathAt(*run.module, warp, 3), LaneMask{0xffff0000});
    EXPECT_EQ(pathAt(*run.module, warp, 4), LaneMask{0xffff0000});
}

}  // namespace
}  // namespace lockstep::explain
