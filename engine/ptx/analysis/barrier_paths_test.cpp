#include "ptx/analysis/barrier_paths.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::ptx {
namespace {

// Two accesses, "st.shared.u32" and "ld.shared.u32", in a body.
struct Both {
    bool storeFirst, loadFirst;  // from the store to the load, from the load to the store
    bool operator==(const Both&) const = default;
};

Both reach(const std::string& body) {
    const Expected<Module> module = parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.func f();\n.visible .entry k() { .shared .align 4 "
        ".b8 s[64]; .reg .pred %p<4>; .reg .b32 %r<9>;\n" +
            body + "\nret; }",
        "paths.ptx");
    EXPECT_TRUE(module) << describe(module.error());
    if (!module) return {};
    Pc store = kNoPc, load = kNoPc;
    for (u32 pc = 0; pc < module->instructions.size(); ++pc) {
        if (module->at(Pc(pc)).name.starts_with("st.shared")) store = Pc(pc);
        if (module->at(Pc(pc)).name.starts_with("ld.shared")) load = Pc(pc);
    }
    return {reachesWithoutBarrier(store, load, *module), reachesWithoutBarrier(load, store, *module)};
}

TEST(BarrierPaths, GoAlongBranchesUntilABarrier) {
    const std::string store = "st.shared.u32 [s], %r1; ", load = "ld.shared.u32 %r2, [s+4]; ",
                      barrier = "bar.sync 0; ";
    const std::string again = "setp.lt.u32 %p1, %r2, 9; @%p1 bra A; ";
    EXPECT_EQ(reach(store + load), (Both{true, false}));
    EXPECT_EQ(reach(store + barrier + load), (Both{false, false}));
    EXPECT_EQ(reach("A: " + store + barrier + load + again), (Both{false, true}))
        << "the second barrier left out";
    EXPECT_EQ(reach("A: " + store + load + barrier + again), (Both{true, false}))
        << "the first barrier left out";
    EXPECT_EQ(reach("A: " + store + load + again), (Both{true, true}));
    EXPECT_EQ(reach("A: " + store + barrier + load + barrier + again), (Both{false, false}));
    EXPECT_EQ(reach("@%p2 bra B; " + store + "bra C; B: " + load + "C: "), (Both{false, false}))
        << "two arms meet only behind both";
    EXPECT_EQ(reach(store + "@%p2 bra B; " + barrier + "B: " + load), (Both{true, false}))
        << "a way around the barrier";
    EXPECT_EQ(reach(store + "bar.arrive 1, 64; membar.cta; " + load), (Both{true, false}))
        << "neither waits for the block";
}

}  // namespace
}  // namespace lockstep::ptx
