// The recorder of the GPU, run on the emulator: what it writes, decoded, is the emulator's own trace of the
// plain text.
#include "catalog/catalog.h"
#include "catalog/prebuilt.h"
#include "simt/opcodes/same_results.h"
#include "simt/opcodes/truth_cases.h"
#include "support/record_on_emulator.h"
#include "support/shipped_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lockstep {
namespace {

std::string firstDifference(const trace::Trace& own, const trace::Trace& recorded) {
    simt::ResultComparison c;
    c.same(own.blocks.size() == recorded.blocks.size(), "number of focus blocks");
    for (std::size_t i = 0; i < own.blocks.size() && c.difference.empty(); ++i) {
        const trace::FocusBlock &a = own.blocks[i], &b = recorded.blocks[i];
        c.same(a.launch == b.launch && a.block == b.block && a.threads == b.threads &&
                   a.truncated == b.truncated,
               "what focus block " + std::to_string(i) + " is");
        for (std::size_t w = 0; w < a.warps.size() && c.difference.empty(); ++w)
            simt::compareWarps(c, a.warps[w], b.warps[w],
                               "focus block " + std::to_string(i) + ", warp " + std::to_string(w) + ", ");
    }
    return c.difference;
}

constexpr u64 kFirstBytes = u64{1} << 20;
u32 repeated = 0;  // launches, of all tests

// Records the focus blocks in both modes.
std::string difference(const ptx::Module& module, std::span<const Launch> launches,
                       const std::vector<Buffer>& initial) {
    std::vector<Buffer> own = initial;
    simt::Options options;
    options.counts = false;
    options.sequential = true;
    const Expected<simt::Result> result = simt::run(module, launches, own, options);
    if (!result) return describe(result.error());
    run::GpuRecordOptions record;
    for (const Launch& launch : launches)
        record.focus.push_back(simt::defaultFocus(launch.grid));
    record.firstBytes = kFirstBytes;  // filled by some, which are recorded a second time
    const Expected<run::GpuRecord> recorded =
        run::recordOnGpu(module, launches, initial, record, runOnEmulator);
    if (!recorded) return describe(recorded.error());
    repeated += recorded->repeated;
    for (std::size_t i = 0; i < own.size(); ++i)
        if (own[i].bytes != recorded->final[i].bytes) return "buffer " + std::to_string(i);
    return firstDifference(result->trace, recorded->trace);
}

TEST(Record, IsTheEmulatorsTraceForTheWholeCatalogue) {
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants) {
            const Expected<catalog::Values> values = catalog::resolve(family, variant, {});
            ASSERT_TRUE(values);
            const Expected<catalog::Experiment> experiment =
                catalog::makeExperiment(family, variant, *values);
            ASSERT_TRUE(experiment);
            const std::filesystem::path file = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "assets/ptx" /
                                               catalog::prebuiltPath(family, variant, *values);
            std::ifstream in(file, std::ios::binary);
            const Expected<ptx::Module> module =
                ptx::parse(std::string(std::istreambuf_iterator<char>(in), {}), file.string());
            ASSERT_TRUE(module);
            std::vector<Launch> launches = experiment->launches;
            for (Launch& launch : launches)
                for (const ptx::Function& function : module->functions)
                    if (function.isEntry && ptx::shortName(function.name) == launch.entry)
                        launch.entry = function.name;
            EXPECT_EQ(difference(*module, launches, experiment->buffers), "")
                << family.name << "/" << variant.name;
        }
}

TEST(Record, IsTheEmulatorsTraceForKernelsThatRanOnAGpu) {
    for (const simt::Case& c : simt::cases()) {
        if (c.id == "wmma_half" || c.id == "endless_loop" || c.id == "double_math")
            continue;  // tensor cores; no end; calls
        const simt::Experiment experiment = simt::experimentOf(c);
        EXPECT_EQ(difference(experiment.module, {&experiment.launch, 1}, experiment.buffers), "") << c.id;
    }
    EXPECT_GT(repeated, 0u) << "no region filled up";
}

constexpr const char* kHead = ".version 6.0\n.target sm_70\n.address_size 64\n";

ptx::Module parsed(const std::string& body, const std::string& functions = "") {
    Expected<ptx::Module> module =
        ptx::parse(kHead + functions + (".visible .entry k(.param .u64 p) {\n" + body + "}\n"), "test.ptx");
    EXPECT_TRUE(module) << describe(module.error());
    return std::move(*module);
}

constexpr const char* kFunctions = R"(.func (.param .b32 result) sum_to (.param .b32 n, .param .b64 at);
    .func leave () { .reg .b32 %r<3>; .reg .pred %q; mov.u32 %r1, %tid.x; setp.gt.u32 %q, %r1, 40; @%q exit; ret; }
    .func (.param .b32 result) sum_to (.param .b32 n, .param .b64 at) {
        .reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .pred %q;
        ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [at]; mov.u32 %r2, 0; setp.eq.u32 %q, %r1, 0; @%q bra done;
        { .param .b32 m; .param .b64 to; .param .b32 back; sub.u32 %r3, %r1, 1; st.param.b32 [m], %r3; st.param.b64 [to], %rd1;
          call (back), sum_to, (m, to); ld.param.b32 %r2, [back]; }
        ld.global.u32 %r4, [%rd1]; add.u32 %r2, %r2, %r1; st.global.u32 [%rd1], %r2;
        done: st.param.b32 [result], %r2; ret; })";

// Kernels written by hand: what the catalog has none of. All end with what threads wrote to one buffer of 64
// words.
TEST(Record, IsTheEmulatorsTraceForWhatTheCatalogueLacks) {
    struct Hard {
        const char* what;
        const char* body;
    };
    const Hard cases[] = {
        {"generic addresses that lie in three spaces, local arrays, no return of its own",
         R"(.shared .align 8 .b8 s[256]; .local .align 16 .b8 depot[32]; .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
            mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;
            mov.u64 %rd3, s; add.s64 %rd3, %rd3, %rd2; cvta.shared.u64 %rd3, %rd3; mov.u64 %rd4, depot; st.local.u32 [%rd4+4], %r1;
            cvta.local.u64 %rd4, %rd4; add.s64 %rd4, %rd4, 4;
            rem.u32 %r2, %r1, 3; setp.eq.u32 %p1, %r2, 0; setp.eq.u32 %p2, %r2, 1;
            selp.b64 %rd5, %rd1, %rd3, %p1; selp.b64 %rd5, %rd4, %rd5, %p2;
            st.u32 [%rd5], 7; ld.u32 %r3, [%rd5]; st.global.u32 [%rd1], %r3;)"},
        {"a register that is loaded over its own address, guarded accesses, small and wide values",
         R"(.shared .align 16 .b8 s[1024]; .reg .pred %p<4>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f64 %d<5>; .reg .b64 %rd<9>;
            mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p]; shl.b32 %r2, %r1, 4; and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0;
            st.shared.u32 [%r2], %r2; ld.shared.u32 %r2, [%r2]; cvt.u16.u32 %h1, %r1; st.shared.u8 [%r2+3], %h1; ld.shared.s8 %h2, [%r2+3];
            @%p1 st.shared.v2.u16 [%r2+4], {%h1, %h2}; @!%p1 ld.shared.v4.u8 {%h3, %h4, %h5, %h6}, [%r2];
            cvt.rn.f64.u32 %d1, %r1; st.shared.v2.f64 [%r2], {%d1, 0d4000000000000000}; ld.shared.v2.f64 {%d2, %d3}, [%r2];
            mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2; @%p1 st.global.u32 [%rd2], %r2; { .reg .b32 %inner; ld.global.u32 %inner, [%rd2]; }
            ret;)"},
        {"atomics with and without a look at the old value, a loop that lanes leave one by one",
         R"(.global .u32 sum; .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
            mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p]; mov.u32 %r2, 0;
            again: atom.global.add.u32 %r3, [%rd1], 1; red.global.max.u32 [%rd1+4], %r3; atom.global.add.u32 %r4, [sum], %r1;
            add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra again;
            bar.sync 0; @%p1 ret; bar.sync 0; exit;)"},
        {"a function that calls itself, as deep as each lane wants, and one that some lanes do not leave",
         R"(.reg .b32 %r<9>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; and.b32 %r2, %r1, 3;
            { .param .b32 m; .param .b64 to; .param .b32 back; st.param.b32 [m], %r2; st.param.b64 [to], %rd1;
              call.uni (back), sum_to, (m, to); ld.param.b32 %r3, [back]; }
            st.global.u32 [%rd1], %r3; call.uni leave; ld.global.u32 %r4, [%rd1]; ret;)"},
    };
    for (const Hard& hard : cases) {
        const ptx::Module module = parsed(hard.body, kFunctions);
        const Launch launch{.entry = "k",
                            .grid = {2, 1, 1},
                            .block = {48, 1, 1},
                            .dynamicSharedBytes = 0,
                            .arguments = {BufferArgument{0}}};
        EXPECT_EQ(difference(module, {&launch, 1}, {bytesBuffer("p", 256)}), "") << hard.what;
    }
}

TEST(Record, IsMadeAgainWithMoreRoomWhereARegionFilledUp) {
    const ptx::Module module =
        parsed(R"(.reg .pred %q; .reg .b32 %r<9>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;
        again: ld.global.u32 %r2, [%rd1]; add.u32 %r1, %r1, 1; setp.lt.u32 %q, %r1, 1000; @%q bra again; ret;)");
    const Launch launch{.entry = "k",
                        .grid = {},
                        .block = {32, 1, 1},
                        .dynamicSharedBytes = 0,
                        .arguments = {BufferArgument{0}}};
    const std::vector<Buffer> buffers{bytesBuffer("p", 256)};
    run::GpuRecordOptions options;
    options.focus = {{Dim3{0, 0, 0}}};
    options.firstBytes = 100'000;
    const auto whole = run::recordOnGpu(module, {&launch, 1}, buffers, options, runOnEmulator);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->repeated, 1u);
    EXPECT_FALSE(whole->trace.blocks[0].truncated);
    EXPECT_EQ(whole->trace.blocks[0].warps[0].accesses.size(), 1000u);

    // A turn takes 7 words of a lane: three of the header, one for the guard, two of the address and the
    // value. In front of the first one the setup takes 3; behind the column there is room for one segment and
    // two words more.
    options.mostBytes = 4 * 32 * (3 + 7 * 20 + 7 + 2);
    const auto beginning = run::recordOnGpu(module, {&launch, 1}, buffers, options, runOnEmulator);
    ASSERT_TRUE(beginning);
    EXPECT_TRUE(beginning->trace.blocks[0].truncated);
    EXPECT_EQ(beginning->trace.blocks[0].warps[0].accesses.size(), 20u);
}

TEST(Record, LeavesValuesAwayWhereNobodyAskedForThem) {
    const ptx::Module module =
        parsed(R"(.shared .align 4 .b8 s[128]; .reg .b32 %r<9>; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2;
        st.shared.u32 [%r2], %r1; ld.shared.u32 %r3, [%r2]; ret;)");
    const auto with = record::planRecord(module, "k", true), without = record::planRecord(module, "k", false);
    ASSERT_TRUE(with && without);
    EXPECT_EQ(with->segments[0].words, 6u);  // header, one address register for both accesses, two values
    EXPECT_EQ(without->segments[0].words, 4u);
}

TEST(Record, SaysWhatItCannotRecordAndWhere) {
    struct Case {
        const char *functions, *body, *instruction, *why;
    };
    constexpr const char* kMemory = "accesses memory in a way that is not recorded on a GPU";
    const Case cases[] = {
        {"",
         ".reg .b32 %r<9>; .shared .b8 s[512];\n ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [s];\n "
         "ret;\n",
         "ldmatrix.sync.aligned.m8n8.x1.shared.b16", kMemory},
        {"",
         ".reg .b32 %r<9>; .shared .b8 s[512];\n wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1, "
         "%r2, %r3, %r4, %r5, %r6, %r7, %r8}, [s];\n ret;\n",
         "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", kMemory},
        {"",
         ".reg .b64 %rd<3>; .shared .b8 s[512]; .shared .b64 m;\n "
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 256, [m];\n ret;\n",
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", kMemory},
        {"", ".reg .b64 %rd<3>;\n proto: .callprototype _ ();\n call %rd1, (), proto;\n ret;\n", "call",
         "calls a function by its address, and that is not recorded on a GPU"},
        {".func own () { .local .b8 depot[16]; ret; }\n", ".reg .b32 %r1;\n call.uni own;\n ret;\n",
         "call.uni", "calls a function with arrays of its own, and that is not recorded on a GPU"},
    };
    for (const Case& c : cases) {
        const auto text = record::recordingText(parsed(c.body, c.functions), "k", true);
        ASSERT_FALSE(text) << c.instruction;
        EXPECT_EQ(text.error().message.english(),
                  "\"" + std::string(c.instruction) + "\" " + c.why +
                      ": what the kernel does can be recorded on the emulator alone");
        EXPECT_FALSE(text.error().message.in(Language::Chinese).empty());
        EXPECT_EQ(text.error().kind, FaultKind::Unsupported);
        EXPECT_GT(text.error().place.line, 4u);
    }
}

TEST(Record, AsksForThePtxVersionThatTheRecorderNeeds) {
    const auto text = record::recordingText(parsed("ret;\n"), "k", true);
    ASSERT_TRUE(text);
    EXPECT_TRUE(text->ptx.starts_with(".version 6.2\n")) << text->ptx;
}

}  // namespace
}  // namespace lockstep
