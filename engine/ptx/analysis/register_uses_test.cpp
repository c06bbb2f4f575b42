// What instructions read and write, one of each shape.
#include "ptx/analysis/register_uses.h"

#include "ptx/parser/test_texts.h"

#include <gtest/gtest.h>

namespace lockstep::ptx {
namespace {

TEST(RegisterUses, AreTheResultAndWhatIsReadForIt) {
    struct Case {
        const char *instruction, *written, *read;
    };
    const Case cases[] = {
        {"add.u32 %r1, %r2, %r3;", "%r1", "%r2 %r3"},
        {"ld.global.v2.u32 {%r1, %r2}, [%rd1+4];", "%r1 %r2", "%rd1"},
        {"st.global.v2.u32 [%rd1], {%r1, %r2};", "", "%rd1 %r1 %r2"},
        {"atom.global.cas.b32 %r1, [%rd1], %r2, %r3;", "%r1", "%rd1 %r2 %r3"},
        {"red.global.add.u32 [%rd1], %r1;", "", "%rd1 %r1"},
        {"shfl.sync.down.b32 %r1|%p1, %r2, %r3, 31, -1;", "%r1 %p1", "%r2 %r3"},
        {"bar.sync %r1;", "", "%r1"},
        {"bar.red.popc.u32 %r1, 0, %p1;", "%r1", "%p1"},
        {"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2};", "%r1 %r2",
         "%r3 %r4 %r1 %r2"},
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", "%r1", "%r2"},
        {"tex.1d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5}];", "%r1 %r2 %r3 %r4", "%rd1 %r5"},
        {"sust.b.2d.b32.trap [%rd1, {%r1, %r2}], %r3;", "", "%rd1 %r1 %r2 %r3"},
        {"bar.sync 0;", "", ""},
    };
    for (const Case& c : cases) {
        const Expected<Module> module = parse(
            ".version 8.3\n.target sm_90\n.address_size 64\n.entry k() { .reg .b64 %rd<3>; .reg .b32 %r<9>; "
            ".reg .pred %p<3>;\n" +
                std::string(c.instruction) + "\nret; }\n",
            "k.ptx");
        ASSERT_TRUE(module) << describe(module.error());
        const auto listed = [&](std::string& list) {
            return [&](RegisterId id) {
                list +=
                    (list.empty() ? "" : " ") + std::string(module->functions[0].registers[id.value].name);
            };
        };
        std::string written, read;
        forEachWritten(*module, module->instructions[0], listed(written));
        forEachRead(*module, module->instructions[0], listed(read));
        EXPECT_EQ(written, c.written) << c.instruction;
        EXPECT_EQ(read, c.read) << c.instruction;
    }
}

}  // namespace
}  // namespace lockstep::ptx
