#include "sass/pc_lines.h"

#include <gtest/gtest.h>

namespace lockstep::sass {
namespace {

TEST(PcLines, StandBeforeEveryInstructionInPlaceOfTheOldTable) {
    const Expected<ptx::Module> module = ptx::parse(
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry f()\n{\n    .reg .pred %p<2>;\n"
        "    .loc 1 7 5\n    mov.pred %p1, 1; @%p1 bra $L;\n    .loc 1 9 5\n$L: ret;\n}\n.file 1 \"f.cu\"\n",
        "f.ptx");
    ASSERT_TRUE(module) << describe(module.error());
    EXPECT_EQ(withPcLines(*module),
              ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry f()\n{\n    .reg .pred %p<2>;\n"
              "    \n.loc 1 1 0\nmov.pred %p1, 1; \n.loc 1 2 0\n@%p1 bra $L;\n$L: \n.loc 1 3 0\nret;\n}\n"
              "\n.file 1 \"lockstep.pc\"\n");
}

}  // namespace
}  // namespace lockstep::sass
