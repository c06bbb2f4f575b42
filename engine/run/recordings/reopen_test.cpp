// A recording is accepted only if it matches its own PTX.
#include "run/run.h"

#include <gtest/gtest.h>

#include <functional>

namespace lockstep::run {
namespace {

constexpr const char* kPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry twice(.param .u64 data, .param .u32 n) {
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r2, [%rd3];
    add.u32 %r3, %r2, %r2;
    st.global.u32 [%rd3], %r3;
    ret;
}
)";

trace::Recording recorded() {
    Expected<ptx::Module> module = ptx::parse(kPtx, "twice.ptx");
    if (!module) {
        ADD_FAILURE() << describe(module.error());
        return {};
    }
    Experiment experiment;
    experiment.module = std::make_shared<ptx::Module>(std::move(*module));
    experiment.buffers = {
        {.name = "data", .type = ElementType::U32, .shape = {64}, .bytes = std::vector<std::byte>(256)}};
    experiment.launches = {{.entry = "twice",
                            .grid = {2, 1, 1},
                            .block = {32, 1, 1},
                            .dynamicSharedBytes = 0,
                            .arguments = {BufferArgument{0}, ScalarArgument{std::vector<std::byte>(4)}}}};
    experiment.entry = "twice";
    Expected<Run> run = run::run(std::move(experiment), {});
    if (!run) {
        ADD_FAILURE() << describe(run.error());
        return {};
    }
    return std::move(run->recording);
}

TEST(Reopen, TakesARecordingOfItsOwnPtx) {
    const auto run = reopen(recorded(), "cc90");
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_EQ(run->report.sites.size(), 2u);
    EXPECT_EQ(run->profile.name, "cc90");
}

TEST(Reopen, RefusesARecordingOfAnotherModule) {
    struct Case {
        const char* what;
        std::function<void(trace::Recording&)> change;
        const char* saying;
    };
    constexpr Pc kLoad{4}, kAdd{5};
    const Case cases[] = {
        {"no PTX", [](trace::Recording& r) { r.ptx = "hello"; }, "hello"},
        {"one instruction less", [](trace::Recording& r) { r.ptx.replace(r.ptx.find("add.u32"), 0, "//"); },
         "another program"},
        {"a kernel less", [](trace::Recording& r) { r.ptx.replace(r.ptx.find("twice"), 5, "thrice"); },
         "kernel"},
        {"an argument less", [](trace::Recording& r) { r.launches[0].arguments.pop_back(); },
         "number of arguments"},
        {"a longer argument", [](trace::Recording& r) { r.launches[0].arguments[1] = BufferArgument{0}; },
         "another size"},
        {"no launch", [](trace::Recording& r) { r.launches.clear(), r.counts.clear(); }, "no launch"},
        {"counts of one launch more", [](trace::Recording& r) { r.counts.push_back(r.counts[0]); },
         "not counted"},
        {"an access that adds", [=](trace::Recording& r) { r.counts[0].sites[0].pc = kAdd; }, "makes none"},
        {"a step beyond",
         [](trace::Recording& r) { r.counts.clear(), r.trace.blocks[0].warps[0].steps[0].pc = Pc{8}; },
         "not there"},
        {"a stored access that adds",
         [=](trace::Recording& r) { r.trace.blocks[0].warps[0].accesses[0].pc = kAdd; }, "makes none"},
        {"a finding beyond",
         [](trace::Recording& r) {
             r.findings.emplace_back();
             r.findings[0].who.pc = Pc{8};
         },
         "not there"},
    };
    const trace::Recording good = recorded();
    ASSERT_EQ(good.counts.at(0).sites.at(0).pc, kLoad);
    for (const Case& c : cases) {
        trace::Recording changed = good;
        c.change(changed);
        const auto run = reopen(std::move(changed), "cc90");
        ASSERT_FALSE(run) << c.what;
        EXPECT_NE(describe(run.error()).find(c.saying), std::string::npos)
            << c.what << ": " << describe(run.error());
    }
}

TEST(ProfileNamed, TakesANameOrAFileAndSuggestsTheNearest) {
    EXPECT_EQ(profileNamed("cc80")->major, 8u);
    const Expected<model::Profile> shipped = profileNamed(LOCKSTEP_SOURCE_DIR "/assets/profiles/cc12.toml");
    ASSERT_TRUE(shipped) << describe(shipped.error());
    EXPECT_EQ(shipped->name, "cc12");
    const Expected<model::Profile> unknown = profileNamed("cc1000"), missing = profileNamed("missing.toml");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.english().find("did you mean 'cc100'?"), std::string::npos)
        << unknown.error().message.english();
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().place.file, "missing.toml");
}

TEST(RunOptions, PlaysTheDeviceOfItsProfile) {
    const trace::Recording good = recorded();
    Experiment experiment;
    experiment.module = std::make_shared<ptx::Module>(std::move(*ptx::parse(kPtx, "twice.ptx")));
    experiment.buffers = good.initial;
    experiment.launches = good.launches;
    experiment.launches[0].block = {768, 1, 1};
    Options options;
    options.profile = "cc10";  // at most 512 threads per block
    EXPECT_FALSE(run::run(experiment, options));
    options.profile = "cc20";
    EXPECT_TRUE(run::run(experiment, options)) << "1024 threads";
}

}  // namespace
}  // namespace lockstep::run
