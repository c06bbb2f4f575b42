#include "explain/branches.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::RunBuilder;

TEST(Branches, AreWhatJumps) {
    RunBuilder b("jump.cu", "");
    struct Case {
        const char* text;
        bool isBranch, isConditional;
    };
    constexpr Case cases[] = {{"@%p1 bra L", true, true},
                              {"bra.uni L", true, false},
                              {"brev.b32 %r1, %r2", false, false},
                              {"@%p1 mov.u32 %r1, 0", false, false},
                              {"ret", false, false}};
    b.launch({1, 1, 1}, {32, 1, 1});
    for (const Case& c : cases)
        b.instruction(c.text, 1);
    b.label("L");
    const run::Run run = b.finish();
    for (u32 i = 0; i < std::size(cases); ++i) {
        EXPECT_EQ(isBranch(*run.module, Pc{i}), cases[i].isBranch) << cases[i].text;
        EXPECT_EQ(isConditionalBranch(*run.module, Pc{i}), cases[i].isConditional) << cases[i].text;
    }
    EXPECT_FALSE(isBranch(*run.module, kNoPc));
}

}  // namespace
}  // namespace lockstep::explain
