#include "explain/comparison/difference.h"

#include "model/metrics.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

constexpr const char* kStoreSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st";
constexpr const char* kStoreRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_st";

model::Report reportOf(std::map<std::string, u64> counters, u32 warpsPerSm = 64) {
    model::Report report;
    report.counters = std::move(counters);
    report.occupancy.possibleWarpsPerSm = warpsPerSm;
    return report;
}

TEST(Difference, SaysAChangeAsPeopleDo) {
    struct Case {
        f64 a, b;
        const char *en, *zh;
    };
    for (const Case& c :
         {Case{524288, 65536, "1/8 as many", "为 A 的 1/8"}, Case{100, 200, "twice as many", "为 A 的 2 倍"},
          Case{100, 320, "3.2 times as many", "为 A 的 3.2 倍"},
          Case{32, 136, "4.25 times as many", "为 A 的 4.25 倍"}, Case{1000, 1120, "12% more", "比 A 多 12%"},
          Case{1000, 955, "4.5% fewer", "比 A 少 4.5%"}, Case{100000, 100030, "0.03% more", "比 A 多 0.03%"},
          Case{64, 32, "half as many", "为 A 的一半"}, Case{139, 20, "86% fewer", "比 A 少 86%"},
          Case{1, 1500, "1,500 times as many", "为 A 的 1,500 倍"}}) {
        EXPECT_EQ(changeInWords(c.a, c.b).english(), c.en);
        EXPECT_EQ(changeInWords(c.a, c.b).in(Language::Chinese), c.zh);
    }
}

TEST(Difference, ListsWhatChangedInTheOrderOfTheTable) {
    const model::Report a =
        reportOf({{"ptx__inst_executed", 100}, {kStoreRequests, 16384}, {kStoreSectors, 524288}});
    const model::Report b =
        reportOf({{"ptx__inst_executed", 100}, {kStoreRequests, 16384}, {kStoreSectors, 65536}}, 48);
    const std::vector<Difference> found = differencesOf(a, b);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0].metric, kStoreSectors);
    EXPECT_EQ(found[0].ratio, 0.125);
    EXPECT_EQ(found[0].sentence.english(),
              "1/8 as many global store sectors in B: 65,536 instead of 524,288.");
    EXPECT_EQ(found[0].sentence.in(Language::Chinese),
              "写入全局内存的扇区：A 524,288，B 65,536，为 A 的 1/8。");
    EXPECT_EQ(found[1].metric, "sectors_per_store_request");
    EXPECT_EQ(found[1].sentence.english(), "Sectors per store request in B: 4 instead of 32.");
    EXPECT_EQ(found[2].metric, "warps_per_sm");
    EXPECT_EQ(found[2].sentence.in(Language::Chinese), "一个多处理器可驻留的线程束数：A 64，B 48。");
}

TEST(Difference, SaysWhatCameAndWhatWent) {
    const std::vector<Difference> found =
        differencesOf(reportOf({{"ptx__branches_divergent", 12}, {kStoreSectors, 0}}),
                      reportOf({{"ptx__branches_divergent", 0}, {kStoreSectors, 7}}));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].ratio, std::nullopt);
    EXPECT_EQ(found[0].sentence.english(), "7 instead of 0 global store sectors in B.");
    EXPECT_EQ(found[1].ratio, 0.0);
    EXPECT_EQ(found[1].sentence.english(), "0 instead of 12 divergent PTX branches in B.");
}

TEST(Difference, SaysNothingOfWhatOnlyOneRunCanHave) {
    EXPECT_TRUE(differencesOf(reportOf({{kStoreSectors, 5}}), reportOf({})).empty());
}

TEST(Difference, SaysWhatAGpuCountedWhereThePredictionIsAnother) {
    const auto told = [](u64 predictedA, u64 predictedB, f64 countedA, f64 countedB) {
        const Difference difference = differencesOf(reportOf({{kStoreSectors, predictedA}}),
                                                    reportOf({{kStoreSectors, predictedB}}))[0];
        const std::optional<Counted> counted =
            countedOtherwise(difference, {{kStoreSectors, countedA}}, {{kStoreSectors, countedB}});
        return counted ? predictedAndMeasured(difference, *counted).english() : std::string();
    };
    EXPECT_EQ(told(2950, 3134, 3382, 3272),
              "Predicted: 6.2% more global store sectors in B (3,134 instead of 2,950); measured: 3.3% fewer "
              "(3,272 instead of 3,382). The GPU executes SASS, not this PTX: trust the measurement.")
        << "the other way";
    EXPECT_EQ(told(224, 220, 296, 296),
              "Predicted: 1.8% fewer global store sectors in B (220 instead of 224); measured: 296 in both.");
    EXPECT_EQ(told(1792, 0, 32, 0),
              "Predicted: 0 instead of 1,792 global store sectors in B; measured: 0 instead of 32.")
        << "far off";
    EXPECT_EQ(told(100, 200, 100, 200), "");
    EXPECT_EQ(told(100, 200, 95, 210), "") << "close";
    const Difference difference =
        differencesOf(reportOf({{kStoreSectors, 1}}), reportOf({{kStoreSectors, 2}}))[0];
    EXPECT_FALSE(countedOtherwise(difference, {}, {{kStoreSectors, 9}})) << "not counted of both";
}

}  // namespace
}  // namespace lockstep::explain
