// A rule that does not hold says where, how much, and what it allows.
#include "exercises/rules.h"

#include "exercises/exercise.h"

#include <gtest/gtest.h>

namespace lockstep::exercises {
namespace {

// A run of `launches` blocks of 64 threads with these memory instructions and nothing else.
struct MadeRun {
    Exercise exercise;
    run::Run ran;

    explicit MadeRun(std::vector<model::SiteReport> sites) {
        exercise = *parseExercise(
            "title = 'a'\ntask = 'a'\nsizes = [{ n = 256 }]\nrules = ['correct']\n"
            "result = { out = 'in[i]' }\n"
            "launches = [{ entry = 'k', grid = ['4'], block = ['64'], arguments = "
            "['in', 'out', 'n'] }]\n"
            "buffers = [{ name = 'in', type = 'f32', shape = ['n'] }, { name = 'out', "
            "type = 'f32', shape = ['n'], output = true }]\n",
            "e.toml");
        auto made = *catalog::makeExperiment(*exercise.family, exercise.variant(), exercise.sizes[0].values);
        ran.recording.initial = made.buffers;
        ran.recording.launches = made.launches;
        made.buffers.clear();
        ran.catalog = std::move(made);
        ran.report.sites = std::move(sites);
    }

    RuleResult apply(const std::string& rule) const {
        const Expected<Rule> parsed = parseRule(rule, {"n"});
        EXPECT_TRUE(parsed) << rule << (parsed ? "" : describe(parsed.error()));
        const Expected<RuleResult> result = exercises::apply(*parsed, ran);
        EXPECT_TRUE(result) << rule << (result ? "" : describe(result.error()));
        return *result;
    }
};

model::SiteReport shared(u32 line, u64 executions, u64 wavefronts) {
    model::SiteReport site;
    site.file = "a.cu", site.line = line;
    site.space = trace::Space::Shared, site.kind = trace::AccessKind::Load;
    site.executions = site.idealWavefronts = executions;
    site.activeLanes = 32 * executions;
    site.wavefronts = wavefronts;
    return site;
}
model::SiteReport global(u32 line, trace::AccessKind kind, u64 requests, u64 sectors) {
    model::SiteReport site;
    site.file = "a.cu", site.line = line;
    site.space = trace::Space::Global, site.kind = kind;
    site.executions = site.requests = requests;
    site.activeLanes = 32 * requests;
    site.sectors = sectors;
    return site;
}

TEST(Rules, SayWhereAndHowMuchAndWhatIsAllowed) {
    using trace::AccessKind;
    const MadeRun made(
        {shared(14, 32, 1024), global(9, AccessKind::Load, 8, 32), global(16, AccessKind::Store, 8, 256)});
    struct Case {
        const char* rule;
        bool holds;
        f64 value, limit;
        const char* sentence;
    };
    const Case cases[] = {
        {"bank_conflicts = 0", false, 992, 0,
         "line 14: 32-way bank conflict, 992 extra wavefronts; the rule allows 0"},
        {"bank_conflicts <= 992", true, 992, 992, ""},
        {"bank_conflicts < 992", false, 992, 992,
         "line 14: 32-way bank conflict, 992 extra wavefronts; the rule asks for less than 992"},
        {"bank_conflicts > 1000", false, 992, 1000,
         "line 14: 32-way bank conflict, 992 extra wavefronts; the rule asks for more than 1,000"},
        {"load_sectors <= least", true, 32, 32, ""},
        {"store_sectors <= least", false, 256, 32,
         "line 16: 256 sectors, 32 per request where 4 would hold its bytes; the rule allows at most 32"},
        {"sectors <= 1.1 * least", false, 288, 70.4,
         "line 16: 256 sectors, 32 per request where 4 would hold its bytes; 288 sectors in all, the rule "
         "allows "
         "at most 70.4"},
        {"sectors <= 72 * blocks", true, 288, 288, ""},
        {"sectors >= 2 * n", false, 288, 512,
         "line 16: 256 sectors, 32 per request where 4 would hold its bytes; 288 sectors in all, the rule "
         "asks "
         "for at least 512"},
        {"store_requests == load_requests", true, 8, 8, ""},
        {"shared_requests <= 0.5 * warps", false, 32, 4,
         "line 14: 32 accesses of warps to shared memory; the rule allows at most 4"},
        {"local_memory = 0", true, 0, 0, ""},
        {"global_atomics >= 1", false, 0, 1, "0 atomic operations by threads; the rule asks for at least 1"},
    };
    for (const Case& c : cases) {
        const RuleResult result = made.apply(c.rule);
        EXPECT_EQ(result.holds, c.holds) << c.rule;
        EXPECT_DOUBLE_EQ(result.measured.value, c.value) << c.rule;
        EXPECT_NEAR(result.limit, c.limit, 1e-9) << c.rule;
        EXPECT_EQ(result.sentence.english(), c.sentence) << c.rule;
        EXPECT_EQ(result.sentence.in(Language::Chinese).empty(), c.holds) << c.rule;
    }
}

// Stores and shared memory do not count.
TEST(Rules, TheBusiestWarpIsTheOneThatLoadsMost) {
    using trace::AccessKind, trace::Space;
    MadeRun made({});
    EXPECT_FALSE(made.apply("busiest_warp_loads >= 1").holds);
    const auto warp = [](u64 loads, u64 others) {
        trace::WarpTrace trace;
        const auto add = [&](u64 times, Space space, AccessKind kind) {
            for (u64 i = 0; i < times; ++i) {
                trace::StoredAccess& access = trace.accesses.emplace_back();
                access.pc = kNoPc, access.space = space, access.kind = kind;
            }
        };
        add(loads, Space::Global, AccessKind::Load);
        add(others, Space::Global, AccessKind::Store);
        add(others, Space::Shared, AccessKind::Load);
        return trace;
    };
    made.ran.recording.trace.blocks = {
        {.launch = LaunchId{0}, .block = {0, 0, 0}, .warps = {warp(2, 9), warp(3, 0)}, .threads = 64},
        {.launch = LaunchId{0}, .block = {1, 0, 0}, .warps = {warp(1, 0), warp(7, 1)}, .threads = 64}};
    const RuleResult result = made.apply("busiest_warp_loads <= 4");
    EXPECT_FALSE(result.holds);
    EXPECT_DOUBLE_EQ(result.measured.value, 7);
    EXPECT_EQ(result.sentence.english(),
              "7 requests: warp 1 of block 1 makes 7 requests; the rule allows at most 4");
    EXPECT_TRUE(made.apply("busiest_warp_loads <= 7").holds);
}

TEST(Rules, CompareTheResultElementByElement) {
    MadeRun made({});
    made.ran.recording.final = made.ran.recording.initial;
    made.ran.comparison = catalog::Comparison{};
    EXPECT_TRUE(made.apply("correct").holds);
    made.ran.comparison = catalog::Comparison{
        .correct = false,
        .wrongCount = 1234,
        .first = catalog::Comparison::First{.buffer = "out", .index = 3, .got = 2.5, .want = 7}};
    EXPECT_EQ(made.apply("correct").sentence.english(),
              "1,234 elements are wrong, first out[3] = 2.5 instead of 7: no thread has stored another value "
              "there");
    made.ran.recording.final[1].as<float>()[3] = 2.5f;
    EXPECT_EQ(made.apply("correct").sentence.english(),
              "1,234 elements are wrong, first out[3] = 2.5 instead of 7");
    made.ran.comparison.reset();
    EXPECT_FALSE(made.apply("correct").holds);
}

TEST(Rules, AreSaidInWordsOfTheLanguage) {
    const auto words = [](const char* rule, Language language = Language::English) {
        return inWords(*parseRule(rule, {"n"})).in(language);
    };
    EXPECT_EQ(words("races = 0"),
              "Data races, also within a warp (the same one in many threads counts once): 0");
    EXPECT_EQ(words("shared_bytes <= 4352"), "Shared memory of a block, in bytes: at most 4352");
    EXPECT_EQ(words("sectors <= 1.1 * least"),
              "Sectors of global memory, of all accesses: at most 1.1 times the least that is possible");
    EXPECT_EQ(words("load_sectors <= least"),
              "Sectors of loads from global memory: at most the least that is possible");
    EXPECT_EQ(words("correct").find("correct"), std::string::npos);
    for (const char* rule : {"races = 0", "sectors <= 1.1 * least", "correct", "bank_conflicts = 0"})
        EXPECT_EQ(words(rule, Language::Chinese).find('_'), std::string::npos);
    EXPECT_EQ(words("races = 0", Language::Chinese).find("races"), std::string::npos);
}

TEST(Rules, ALimitWithoutAValueIsAMistakeOfTheExercise) {
    const MadeRun made({});
    const Expected<Rule> rule = parseRule("sectors <= n / (n - 256)", {"n"});
    ASSERT_TRUE(rule);
    const Expected<RuleResult> result = apply(*rule, made.ran);
    ASSERT_FALSE(result);
    EXPECT_NE(describe(result.error()).find("division by zero"), std::string::npos);
}

TEST(Rules, EveryQuantityHasWordsAndAName) {
    for (const Quantity& quantity : quantities()) {
        EXPECT_EQ(findQuantity(quantity.name), &quantity);
        EXPECT_FALSE(quantity.what.empty()) << quantity.name;
        EXPECT_TRUE(quantity.measure) << quantity.name;
        EXPECT_TRUE(isRuleWord(std::string(quantity.name)));
    }
    EXPECT_EQ(findQuantity("sektors"), nullptr);
}

}  // namespace
}  // namespace lockstep::exercises
