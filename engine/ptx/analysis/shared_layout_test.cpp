#include "ptx/analysis/shared_layout.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::ptx {
namespace {

// The kernel calls helper(), which has an array of its own; stranger() is called by nobody.
constexpr const char* kText = R"(
.version 8.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.shared .align 4 .b8 ofModule[20];
.shared .align 4 .b8 unused[400];
.func helper() {
    .reg .b32 %r<2>;
    .shared .align 8 .b8 ofHelper[24];
    ld.shared.u32 %r1, [ofHelper];
    ret;
}
.func stranger() {
    .shared .align 4 .b8 ofStranger[8];
    ret;
}
.visible .entry kernel() {
    .reg .b32 %r<4>;
    .shared .align 4 .b8 own[6];
    mov.u32 %r1, own;
    ld.shared.u32 %r2, [ofModule+4];
    ld.shared.u32 %r3, [dynamic];
    call.uni helper, ();
    ret;
}
.visible .entry small() {
    ret;
}
.func second() {
    .shared .align 4 .b8 ofSecond[12];
    ret;
}
.global .align 8 .u64 table[2] = {helper, second};
.global .align 8 .u64 pointer[1] = {table};
.visible .entry through() {
    .reg .b64 %rd<2>;
    ld.global.u64 %rd1, [pointer];
    ret;
}
)";

std::string text(const SharedLayout& layout, const Module& module) {
    std::string result;
    for (const SharedLayout::Placed& placed : layout.variables)
        result += std::string(module.variables[placed.variable.value].name) + "@" +
                  std::to_string(placed.offsetBytes) + "+" + std::to_string(placed.sizeBytes) + " ";
    return result + std::to_string(layout.staticBytes) + " " + std::to_string(layout.totalBytes);
}

TEST(SharedLayout, PlacesWhatTheKernelReachesInOrderAndDynamicArraysBehind) {
    const Expected<Module> module = parse(kText, "layout.ptx");
    ASSERT_TRUE(module) << describe(module.error());
    const Function &kernel = *module->findEntry("kernel"), &small = *module->findEntry("small");
    EXPECT_EQ(text(sharedLayout(*module, kernel, 64), *module),
              "ofModule@0+20 ofHelper@24+24 own@48+6 dynamic@64+64 54 128");
    EXPECT_EQ(text(sharedLayout(*module, kernel, 0), *module),
              "ofModule@0+20 ofHelper@24+24 own@48+6 dynamic@64+0 54 54");
    EXPECT_EQ(text(sharedLayout(*module, small, 8), *module), "0 8");
    EXPECT_EQ(reachableFunctions(*module, kernel).size(), 2u);
}

TEST(SharedLayout, FunctionsAreReachedThroughTablesOfTheirAddresses) {
    const Expected<Module> module = parse(kText, "layout.ptx");
    ASSERT_TRUE(module) << describe(module.error());
    const Function& through = *module->findEntry("through");
    std::string names;
    for (const FunctionId id : reachableFunctions(*module, through))
        names += std::string(module->functions[id.value].name) + " ";
    EXPECT_EQ(names, "through helper second ");
    EXPECT_EQ(text(sharedLayout(*module, through, 0), *module), "ofHelper@0+24 ofSecond@24+12 36 36");
}

}  // namespace
}  // namespace lockstep::ptx
