#include "model/caches/code_sectors.h"

#include "model/test_kernel.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

sass::MachineCode codeOf(std::size_t instructions, const std::string& name) {
    return {
        .compiler = "ptxas 13.0.88",
        .computeCapability = 90,
        .functions = {
            {.name = name, .instructions = std::vector<sass::Instruction>(instructions), .registers = {}}}};
}

ptx::Module moduleWith(const std::string& body) {
    return *ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n.reg .u32 %r<9>;\n" + body +
            "ret;\n}\n",
        "k.ptx");
}

TEST(CodeSectors, OfMachineCodeAreWholeLinesOfTheInstructionCache) {
    const ptx::Module module = moduleWith("");
    const ptx::Function& kernel = *module.findEntry("k");
    EXPECT_EQ(codeSectors(module, kernel, codeOf(1, "k")), 4u);
    EXPECT_EQ(codeSectors(module, kernel, codeOf(8, "k")), 4u);
    EXPECT_EQ(codeSectors(module, kernel, codeOf(9, "k")), 8u);
    EXPECT_EQ(codeSectors(module, kernel, codeOf(9, "another")), std::nullopt);
}

TEST(CodeSectors, OfPtxAreAnInstructionEachAndMoreOfADivision) {
    const auto of = [](const std::string& body) {
        const ptx::Module module = moduleWith(body);
        return codeSectors(module, *module.findEntry("k"));
    };
    EXPECT_EQ(of("add.u32 %r0, %r1, %r2;\n"), 4u);
    EXPECT_EQ(of("div.u32 %r0, %r1, %r2;\n"), 24u) << "46 instructions in 6 lines";
    EXPECT_EQ(of("div.u32 %r0, %r1, %r2;\nrem.s32 %r3, %r1, %r2;\n"), 48u);
}

}  // namespace
}  // namespace lockstep::model
