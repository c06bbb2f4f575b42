// `lockstep validate` without a GPU: the emulator takes its place, and does wrong what a test wants it to.
#include "run/validate.h"

#include "base/text/counted.h"
#include "catalog/prebuilt.h"
#include "support/record_on_emulator.h"
#include "support/shipped_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

run::Experiment experimentOf(const std::string& name) {
    const auto found = shipped().lookUp(name);
    EXPECT_TRUE(found) << name;
    const Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, {});
    Expected<run::Experiment> experiment =
        run::open({LOCKSTEP_SOURCE_DIR}, *found->first, *found->second, *values);
    EXPECT_TRUE(experiment) << describe(experiment.error());
    return std::move(*experiment);
}

run::Validation validated(const std::string& name, const run::RunJob& runJob) {
    const Expected<run::Validation> validation =
        run::validate(name, experimentOf(name),
                      {.backend = "emulator", .profile = "cc90", .emulator = {}, .gpu = {}}, runJob);
    EXPECT_TRUE(validation) << describe(validation.error());
    return *validation;
}

// Counts as the model does, for one launch.
cuda::JobReport countingGpu(const cuda::Job& job) {
    cuda::JobReport report = runOnEmulator(job);
    if (job.metrics.empty()) return report;
    run::Options options;
    options.backend = "emulator";
    const run::Run own = *run::run(experimentOf("matmul/tiled"), options);
    report.counted.emplace();
    for (const auto& [metric, value] : own.report.counters)
        report.counted->counters.resize(1), report.counted->counters[0][metric + ".sum"] = f64(value);
    return report;
}

TEST(Validate, AgreesWithAGpuThatDoesWhatTheEmulatorDoes) {
    const run::Validation v = validated("matmul/tiled", countingGpu);
    EXPECT_EQ(v.verdict(), run::Verdict::Agrees)
        << (v.differences.empty() ? v.explanations[0].english() : v.differences[0].english());
    ASSERT_TRUE(v.trace);
    EXPECT_EQ(v.trace->blocks, 4u);
    EXPECT_GT(v.trace->steps, 1000u);
    EXPECT_EQ(v.differingElements, 0u);
    EXPECT_GE(v.counters.size(), 6u);
}

TEST(Validate, HasTheCyclesOfTheGpuBesideThoseOfTheModel) {
    constexpr f64 kCycles = 4321;
    const run::RunJob gpu = [&](const cuda::Job& job) {
        cuda::JobReport report = countingGpu(job);
        if (report.counted) report.counted->counters[0]["sm__cycles_active.max"] = kCycles;
        return report;
    };
    const run::TimeOf timeOf = [](const run::Run& run) -> Expected<run::TimedRun> {
        if (run.recording.counts.empty()) return fail(FaultKind::Unsupported, english("no time"));
        run::TimedRun timed;
        timed.activeCycles = 4000;
        return timed;
    };
    const run::Validation v =
        *run::validate("matmul/tiled", experimentOf("matmul/tiled"), {}, gpu, nullptr, timeOf);
    EXPECT_EQ(v.cycles.measured, kCycles);
    ASSERT_TRUE(v.cycles.modeled && *v.cycles.modeled);
    EXPECT_EQ((*v.cycles.modeled)->activeCycles, 4000u);
    EXPECT_EQ(v.verdict(), run::Verdict::Agrees);  // whatever they are
    EXPECT_FALSE(validated("matmul/tiled", countingGpu).cycles.measured);
}

TEST(Validate, SaysWhichCounterTheModelMisses) {
    const run::Validation v = validated("matmul/tiled", [](const cuda::Job& job) {
        cuda::JobReport report = countingGpu(job);
        if (report.counted) {
            report.counted->counters[0]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] += 1;  // exact
            report.counted->counters[0]["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] *=
                1.02;  // within its tolerance
        }
        return report;
    });
    EXPECT_EQ(v.verdict(), run::Verdict::Differs);
    ASSERT_EQ(v.differences.size(), 1u);
    EXPECT_TRUE(
        v.differences[0].english().starts_with("l1tex__t_sectors_pipe_lsu_mem_global_op_ld: the model says "))
        << v.differences[0].english();
}

// A GPU whose counters are the model's, but for one: its readings in order, the last for all that come after
// it. How many were taken, and the row.
struct Repeated {
    u32 readings = 0;
    run::Validation validation;
};
Repeated validatedWith(const std::string& metric, const std::vector<f64>& readings) {
    Repeated repeated;
    const auto next = [&] {
        return readings[std::min<std::size_t>(repeated.readings++, readings.size() - 1)];
    };
    repeated.validation = validated("matmul/tiled", [&](const cuda::Job& job) {
        cuda::JobReport report = countingGpu(job);
        if (!report.counted) return report;
        report.counted->counters[0][metric + ".sum"] = next();
        for (u32 reading = 1; reading < job.readings; ++reading) {
            report.counted->again.push_back(report.counted->counters);
            report.counted->again.back()[0][metric + ".sum"] = next();
        }
        return report;
    });
    return repeated;
}

// Of device memory, 128 sectors more or less than is typical agree.
TEST(Validate, CountsAgainWhatVariesAndDiffers) {
    const std::string metric = "dram__sectors_read";
    const f64 model = f64(run::run(experimentOf("matmul/tiled"), {})->report.counters.at(metric));
    const auto rowOf = [&](const run::Validation& v) {
        return *std::ranges::find_if(
            v.counters, [&](const run::CounterCheck& check) { return check.tolerance->metric == metric; });
    };

    const f64 typical =
        model + std::ranges::find(model::tolerances(), metric, &model::Tolerance::metric)->added;
    const Repeated once = validatedWith(metric, {typical + 100});
    EXPECT_EQ(once.readings, 1u) << "within its tolerance";
    EXPECT_EQ(rowOf(once.validation).readings, std::vector<f64>{typical + 100});

    const Repeated chance =
        validatedWith(metric, {typical + 900, typical + 400, typical + 1700, typical + 100, typical + 350});
    EXPECT_EQ(chance.readings, 9u);
    EXPECT_EQ(chance.validation.verdict(), run::Verdict::Agrees);
    EXPECT_EQ(rowOf(chance.validation).measured, typical + 100) << "what else the machine reads only adds";
    EXPECT_EQ(rowOf(chance.validation).readings.size(), 9u);

    const Repeated wrong =
        validatedWith(metric, {typical + 900, typical + 400, typical + 1700, typical + 800, typical + 700});
    EXPECT_EQ(wrong.validation.verdict(), run::Verdict::Differs);
    ASSERT_EQ(wrong.validation.differences.size(), 1u);
    const auto whole = [](f64 value) { return grouped(u64(value)); };
    EXPECT_EQ(wrong.validation.differences[0].english(),
              metric + ": the model says " + whole(model) + ", the hardware " + whole(typical + 400) +
                  " (least of 9 readings, " + whole(typical + 400) + " to " + whole(typical + 1700) + ")");
    EXPECT_TRUE(validatedWith(metric, {typical + 900})
                    .validation.differences[0]
                    .english()
                    .ends_with(", the hardware " + whole(typical + 900) + " (9 readings)"));
}

TEST(Validate, DoesNotRepeatARuleUntilItFits) {
    const std::string metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld";
    const f64 model = f64(run::run(experimentOf("matmul/tiled"), {})->report.counters.at(metric));
    const Repeated wrong = validatedWith(metric, {model + 1, model});
    EXPECT_EQ(wrong.readings, 1u);
    EXPECT_EQ(wrong.validation.verdict(), run::Verdict::Differs);
}

TEST(Validate, ComparesResultsBitForBitAndForgivesRounding) {
    for (const bool rounds : {true, false}) {
        const run::Validation v = validated("matmul/tiled", [rounds](const cuda::Job& job) {
            cuda::JobReport report = countingGpu(job);
            if (!job.metrics.empty()) report.outcome->buffers[2].as<f32>()[5] *= rounds ? 1.000001f : 1.1f;
            return report;
        });
        EXPECT_EQ(v.differingElements, 1u);
        EXPECT_EQ(v.verdict(), rounds ? run::Verdict::Agrees : run::Verdict::Differs);
    }
}

// A GPU on which the halves of a warp go apart behind the first divergent branch, as far as the recorder can
// tell; its counters are the model's, less what `counted` sets.
run::Validation validatedInHalves(const std::map<std::string, f64>& counted) {
    return validated("divergence/parity", [&](const cuda::Job& job) {
        cuda::Job apart = job;
        const std::string whole = "activemask.b32 %rec_m;";
        const std::string half = whole +
                                 " { .reg .pred %upper; .reg .b32 %lane; mov.u32 %lane, %laneid; setp.ge.u32 "
                                 "%upper, %lane, 16; selp.b32 %lane, 0xffff0000, 0xffff, %upper; "
                                 "and.b32 %rec_m, %rec_m, %lane; }";
        for (std::size_t at = apart.ptx.find(whole); at != std::string::npos;
             at = apart.ptx.find(whole, at + half.size()))
            apart.ptx.replace(at, whole.size(), half);
        cuda::JobReport report = runOnEmulator(apart);
        if (job.metrics.empty()) return report;
        run::Options options;
        options.backend = "emulator";
        report.counted.emplace();
        report.counted->counters.resize(1);
        const run::Run own = *run::run(experimentOf("divergence/parity"), options);
        for (const auto& [metric, value] : own.report.counters)
            report.counted->counters[0][metric + ".sum"] = f64(value);
        for (const auto& [metric, value] : counted)
            report.counted->counters[0][metric + ".sum"] = value;
        return report;
    });
}

// 4 warps; each stores once with all its lanes, which halves do twice, each to 2 sectors of the 4.
TEST(Validate, ExplainsLanesThatMeetElsewhereAndTheRequestsThatThisCosts) {
    const std::string requests = "l1tex__t_requests_pipe_lsu_mem_global_op_st",
                      sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st";
    const run::Validation apart = validatedInHalves({{requests, 8}});
    EXPECT_EQ(apart.verdict(), run::Verdict::Explained);
    ASSERT_TRUE(apart.trace);
    EXPECT_TRUE(apart.trace->isSame());
    EXPECT_GT(apart.trace->regrouped, 4u);
    ASSERT_EQ(apart.explanations.size(), 2u);
    EXPECT_NE(apart.explanations[0].english().find("executed by other lanes together"), std::string::npos)
        << apart.explanations[0].english();
    EXPECT_EQ(apart.explanations[1].english(),
              requests +
                  ": the model says 4, the hardware 8: lanes that diverged reconverge elsewhere in machine "
                  "code; with the GPU's own groups of lanes the model says 8");
    EXPECT_EQ(validatedInHalves({}).verdict(), run::Verdict::Explained);
    const run::Validation tooMany = validatedInHalves({{requests, 9}});
    EXPECT_EQ(tooMany.verdict(), run::Verdict::Differs);
    ASSERT_EQ(tooMany.differences.size(), 1u);
    EXPECT_EQ(tooMany.differences[0].english(), requests + ": the model says 4, the hardware 9");
    EXPECT_EQ(validatedInHalves({{requests, 8}, {sectors, 17}}).verdict(), run::Verdict::Differs);
}

TEST(Validate, ForgivesAFaultyKernelAndSaysWhy) {
    const run::Validation v = validated("matmul/missing-second-barrier", [](const cuda::Job& job) {
        cuda::JobReport report = runOnEmulator(job);
        if (job.settings.empty()) report.outcome->buffers[2].as<f32>()[5] *= 1.1f;
        return report;
    });
    EXPECT_EQ(v.verdict(), run::Verdict::Explained);
    ASSERT_EQ(v.explanations.size(), 2u);
    EXPECT_EQ(v.explanations[0].english(),
              "1 element of the results differs; the kernel is faulty (race), so that this is not defined");
    EXPECT_EQ(v.explanations[1].english(), "not counted: the hardware's counters were not read");
}

// Measured on an H200: 188 requests where the PTX asks for 140, since ptxas makes 29 loads of the 5 in the
// text.
TEST(Validate, ExplainsALoopThatLanesLeaveAtDifferentTurns) {
    const auto counting = [](f64 requests) {
        return [requests](const cuda::Job& job) {
            cuda::JobReport report = runOnEmulator(job);
            if (!job.metrics.empty())
                report.counted.emplace().counters = {
                    {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", requests}}};
            return report;
        };
    };
    const run::Validation more = validated("divergence/trip-counts", counting(188));
    EXPECT_EQ(more.verdict(), run::Verdict::Explained);
    ASSERT_EQ(more.explanations.size(), 1u);
    EXPECT_TRUE(more.explanations[0].english().starts_with(
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld: the model says 140, the hardware 188: ptxas unrolls"))
        << more.explanations[0].english();
    EXPECT_EQ(validated("divergence/trip-counts", counting(140)).verdict(), run::Verdict::Agrees);
    EXPECT_EQ(validated("divergence/trip-counts", counting(139)).verdict(),
              run::Verdict::Differs);  // fewer has no reason
}

// A kernel of tests/ptx/order.ptx on a GPU that does what the emulator does and counts as said.
run::Validation validatedOrder(const std::string& entry, Dim3 grid, Dim3 block,
                               const std::vector<std::string>& arguments,
                               const std::map<std::string, f64>& counted) {
    run::FileRequest request;
    request.file = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/ptx/order.ptx";
    request.entry = entry;
    request.grid = grid;
    request.block = block;
    request.arguments = arguments;
    const Expected<run::Experiment> experiment = run::open(request);
    EXPECT_TRUE(experiment) << describe(experiment.error());
    const Expected<run::Validation> validation = run::validate(
        entry, *experiment, {.backend = "emulator", .profile = "cc90", .emulator = {}, .gpu = {}},
        [&](const cuda::Job& job) {
            cuda::JobReport report = runOnEmulator(job);
            if (!job.metrics.empty()) {
                report.counted.emplace().counters.resize(1);
                for (const auto& [metric, value] : counted)
                    report.counted->counters[0][metric + ".sum"] = value;
            }
            return report;
        });
    EXPECT_TRUE(validation) << describe(validation.error());
    return *validation;
}

// Two warps on one float and four 64-bit words: 176 wavefronts if neither lost a round to the other, measured
// on an H200: 342.
TEST(Validate, ExplainsLoopsOfAtomicsThatWarpsLoseToEachOther) {
    const std::string metric = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom";
    const auto verdict = [&](u32 threads, f64 measured) {
        return validatedOrder("shat", {1, 1, 1}, {threads, 1, 1}, {"u64[4]=zero"}, {{metric, measured}})
            .verdict();
    };
    EXPECT_EQ(verdict(64, 176), run::Verdict::Agrees);
    EXPECT_EQ(verdict(64, 342), run::Verdict::Explained);
    EXPECT_EQ(verdict(64, 400), run::Verdict::Differs);  // more than a loss for every round of the other
    EXPECT_EQ(verdict(64, 120), run::Verdict::Differs);
    EXPECT_EQ(verdict(32, 170), run::Verdict::Differs);  // one warp has no other to lose to
}

// out[atomicAdd(&next, 1)] = x: whose elements lie together is a matter of order.
TEST(Validate, ExplainsSectorsOfAddressesThatAtomicsDecide) {
    const std::string stores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
                      loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld";
    const auto validation = [&](const std::string& metric, f64 measured) {
        return validatedOrder("compact", {4, 1, 1}, {64, 1, 1},
                              {"i32[256]=zero", "u32[1]=zero", "i32[256]=iota"}, {{metric, measured}});
    };
    // 8 warps keep 16 elements each, and store 64 bytes in a row: 2 sectors, or 3 where they do not begin
    // with one
    EXPECT_EQ(validation(stores, 16).verdict(), run::Verdict::Agrees);
    const run::Validation more = validation(stores, 23);
    EXPECT_EQ(more.verdict(), run::Verdict::Explained);
    ASSERT_EQ(more.explanations.size(), 1u);
    EXPECT_NE(more.explanations[0].english().find("the results of atomic operations decide where"),
              std::string::npos)
        << more.explanations[0].english();
    EXPECT_EQ(validation(stores, 7).verdict(), run::Verdict::Differs);    // less than one for each warp
    EXPECT_EQ(validation(stores, 129).verdict(), run::Verdict::Differs);  // more than one for each element
    EXPECT_EQ(validation(loads, 40).verdict(), run::Verdict::Differs);    // no atomic decides where it loads
}

// 64 x 64 floats change, 512 sectors. The simulation has some stores wait for each other, and some not.
TEST(Validate, AllowsStoresToMeetOnTheirWayToL2AndNoMoreThanThat) {
    const run::Run own = *run::run(experimentOf("matmul/register-2d"), {});
    ASSERT_TRUE(own.caches);
    const auto verdict = [&](f64 writes) {
        return validated("matmul/register-2d",
                         [&](const cuda::Job& job) {
                             cuda::JobReport report = runOnEmulator(job);
                             if (!job.metrics.empty())
                                 report.counted.emplace().counters = {
                                     {{"lts__t_sectors_srcunit_tex_op_write.sum", writes}}};
                             return report;
                         })
            .verdict();
    };
    EXPECT_EQ(verdict(608), run::Verdict::Explained);  // measured on an H200
    EXPECT_EQ(verdict(300), run::Verdict::Differs);
    EXPECT_EQ(verdict(f64(own.caches->l2WritesMost) * 2 + 1000), run::Verdict::Differs);
}

TEST(Validate, TellsOfAGpuThatFails) {
    const run::Validation v = validated("matmul/tiled", [](const cuda::Job&) {
        cuda::JobReport report;
        report.fault.emplace().message = Message::plain("the GPU is lost");
        return report;
    });
    EXPECT_EQ(v.verdict(), run::Verdict::Differs);
    EXPECT_EQ(v.differences[0].english(), "the GPU is lost");
    EXPECT_FALSE(v.trace);
}

// A kernel in PTX on one buffer of 32-bit integers, with limits.
run::Experiment ownKernel(const std::string& body) {
    Expected<ptx::Module> module = ptx::parse(
        ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out) {\n.reg .b64 "
        "%d<9>; .reg .b32 %r<9>; .reg .f32 %f<4>;\n"
        "ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x;\n" +
            body + "\nret; }\n",
        "own.ptx");
    EXPECT_TRUE(module) << describe(module.error());
    return {.module = std::make_shared<ptx::Module>(std::move(*module)),
            .launches = {{.entry = "k",
                          .grid = {1, 1, 1},
                          .block = {32, 1, 1},
                          .dynamicSharedBytes = 0,
                          .arguments = {BufferArgument{0}}}},
            .buffers = {{.name = "out",
                         .type = ElementType::I32,
                         .shape = {64},
                         .bytes = std::vector<std::byte>(256)}},
            .catalog = {},
            .entry = "k",
            .source = "own.ptx"};
}

TEST(Validate, EndsWhereTheEmulatorDoesNotAndSaysSo) {
    run::Options options;
    options.emulator.limit = std::chrono::milliseconds(200);
    const run::Experiment endless = ownKernel("again: bra again;");
    const auto gpuThatEnds = [](const cuda::Job& job) {
        cuda::JobReport report;
        report.outcome.emplace().buffers = job.buffers;
        return report;
    };
    const Expected<run::Validation> ends = run::validate("k", endless, options, gpuThatEnds);
    ASSERT_TRUE(ends);
    EXPECT_EQ(ends->verdict(), run::Verdict::Explained);
    ASSERT_EQ(ends->explanations.size(), 1u);
    EXPECT_EQ(ends->explanations[0].english(),
              "nothing is compared: the emulator was stopped after 0.2 s, before the kernel's end (--limit); "
              "on the GPU, it came to its end");
    const Expected<run::Validation> hangs = run::validate("k", endless, options, [](const cuda::Job&) {
        cuda::JobReport report;
        report.fault.emplace().message = Message::plain("the kernel was still running");
        report.timedOut = true;
        return report;
    });
    ASSERT_TRUE(hangs);
    EXPECT_TRUE(hangs->explanations[0].english().ends_with("on the GPU, the kernel was still running"))
        << hangs->explanations[0].english();
}

// out[atomicAdd(out[32], 1)] = thread: another GPU, another order, but no other numbers.
TEST(Validate, ExplainsAnotherOrderOfAtomicOperationsAndNoOtherNumbers) {
    constexpr const char* kCompact =
        "atom.global.add.u32 %r2, [%d1+128], 1; mul.wide.u32 %d2, %r2, 4; add.u64 %d3, %d1, %d2; add.u32 "
        "%r3, %r1, 1; st.global.u32 [%d3], %r3;";
    constexpr const char* kPlain =
        "mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2; add.u32 %r3, %r1, 1; st.global.u32 [%d3], %r3;";
    const auto verdict = [](const char* body, bool isOtherNumber) {
        const Expected<run::Validation> v =
            run::validate("k", ownKernel(body), {}, [&](const cuda::Job& job) {
                cuda::JobReport report = runOnEmulator(job);
                const std::span<s32> out = report.outcome->buffers[0].as<s32>();
                if (job.settings.empty()) std::swap(out[3], out[9]);
                if (job.settings.empty() && isOtherNumber) out[3] = 99;
                return report;
            });
        EXPECT_TRUE(v);
        EXPECT_EQ(v->differingElements, 2u);
        return v->verdict();
    };
    EXPECT_EQ(verdict(kCompact, false), run::Verdict::Explained);
    EXPECT_EQ(verdict(kCompact, true), run::Verdict::Differs);
    EXPECT_EQ(verdict(kPlain, false), run::Verdict::Differs) << "no atomic operation decides where";
}

TEST(Validate, StopsWhereTheGpuIsLost) {
    const Expected<run::Validation> v = run::validate("k", ownKernel(""), {}, [](const cuda::Job&) {
        cuda::JobReport report;
        report.fault.emplace().message = Message::plain("the GPU does not answer");
        report.gpuIsLost = true;
        return report;
    });
    ASSERT_FALSE(v);
    EXPECT_EQ(v.error().message.english(), "the GPU does not answer");
}

}  // namespace
}  // namespace lockstep
