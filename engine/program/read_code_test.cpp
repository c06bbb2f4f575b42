#include "program/read_code.h"

#include <gtest/gtest.h>

namespace lockstep::program {
namespace {

constexpr const char* kHead = ".version 7.0\n.target sm_80\n.address_size 64\n\t.file\t1 \"/src/a.cu\"\n";

std::string kernel(const std::string& name, const std::string& body) {
    return ".visible .entry " + name + "(\n)\n{\n\t.reg .b32 %r<2>;\n\t.loc\t1 12 5\n\t" + body +
           "\n\tret;\n}\n";
}

TEST(ReadCode, OneKernelIsRefusedAndTheOthersStay) {
    const ReadCode read =
        readCode(kHead + kernel("good", "mov.u32 %r1, 1;") + kernel("bad", "frobnicate.s32 %r1, 1;") +
                 kernel("worse", "mov.u32 %r9, 1;") + kernel("last", ""));
    ASSERT_TRUE(read.module);
    for (const char* name : {"good", "bad", "worse", "last"})
        EXPECT_TRUE(read.module->findEntry(name)) << name;
    ASSERT_EQ(read.refused.size(), 2u);
    const std::string why = read.refused.at("bad").in(Language::English);
    EXPECT_TRUE(why.starts_with("/src/a.cu:12: ")) << why;
    EXPECT_NE(why.find("frobnicate"), std::string::npos) << why;
    EXPECT_TRUE(read.refused.contains("worse"));
}

TEST(ReadCode, AFunctionThatKernelsMayCallIsNotLeftOut) {
    std::string text = kernel("helper", "frobnicate.s32 %r1, 1;");
    text.replace(0, std::string(".visible .entry").size(), ".visible .func");
    const ReadCode read = readCode(kHead + text + kernel("good", ""));
    EXPECT_FALSE(read.module);
    EXPECT_NE(read.whyNot.in(Language::English).find("frobnicate"), std::string::npos);
}

TEST(ReadCode, TextThatIsNoPtxIsSaidToBeSo) { EXPECT_FALSE(readCode("}\n{\n").whyNot.empty()); }

}  // namespace
}  // namespace lockstep::program
