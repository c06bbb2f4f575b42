// Which variable a register's address is made from.
#include "ptx/analysis/variable_origins.h"

#include "ptx/parser/test_texts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::ptx {
namespace {

TEST(VariableOrigins, AreKeptThroughDistancesAndLostWhereTwoMeet) {
    struct Case {
        const char *body, *want;  // of %r1
    };
    const Case cases[] = {
        {"mov.u32 %r1, a;", "a"},
        {"mov.u32 %r1, a+8;", "a"},
        {"mov.u32 %r2, %tid.x; shl.b32 %r2, %r2, 2; mov.u32 %r3, b; add.u32 %r1, %r3, %r2;", "b"},
        {"mov.u32 %r2, %tid.x; mov.u32 %r3, b; mad.lo.u32 %r1, %r2, 4, %r3;", "b"},
        {"mov.u32 %r3, b; sub.u32 %r1, %r3, 4;", "b"},
        {"mov.u32 %r3, b; xor.b32 %r1, %r3, 512;", "b"},
        {"cvta.shared.u64 %rd1, a; add.u64 %rd1, %rd1, 4; cvta.to.shared.u64 %rd1, %rd1; cvt.u32.u64 %r1, "
         "%rd1;",
         "a"},
        {"mov.u32 %r1, a; L: add.u32 %r1, %r1, 64; setp.lt.u32 %p1, %r1, 512; @%p1 bra L;", "a"},
        {"ld.shared.u32 %r2, [a]; mov.u32 %r3, b; add.u32 %r1, %r3, %r2;", "b"},
        {"mov.u32 %r1, 16;", ""},
        {"ld.shared.u32 %r1, [a];", ""},
        {"mov.u32 %r2, a; mov.u32 %r3, b; selp.u32 %r1, %r2, %r3, %p1;", ""},
        {"mov.u32 %r1, a; @%p1 mov.u32 %r1, b;", ""},
        {"mov.u32 %r1, a; @%p1 mov.u32 %r1, 0;", ""},
        {"mov.u32 %r2, a; mov.u32 %r3, b; sub.u32 %r4, %r3, %r2; add.u32 %r1, %r2, %r4;", ""},
        {"mov.u32 %r2, a; shr.u32 %r1, %r2, 2;", ""},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.body);
        const Module module = parsed(kHead +
                                     ".entry k() { .reg .b64 %rd<3>; .reg .b32 %r<9>; .reg .pred %p<3>; "
                                     ".shared .b8 a[1024]; .shared .b8 b[1024];\n" +
                                     std::string(c.body) + "\nret; }\n");
        ASSERT_FALSE(module.functions.empty());
        const Function& function = module.functions[0];
        const std::vector<std::optional<VariableId>> origins = variableOrigins(module, function);
        const auto r1 = std::ranges::find(function.registers, "%r1", &Register::name);
        ASSERT_NE(r1, function.registers.end());
        const std::optional<VariableId> origin = origins[std::size_t(r1 - function.registers.begin())];
        EXPECT_EQ(origin ? std::string(module.variables[origin->value].name) : "", c.want);
    }
}

}  // namespace
}  // namespace lockstep::ptx
