#include "model/memory_tables.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

Report reportOf(std::map<std::string, u64> counters) {
    Report report;
    report.counters = std::move(counters);
    return report;
}

const MemoryRow* rowOf(const MemoryTables& tables, MemoryRow::Level level, MemoryRow::Operation operation) {
    for (const MemoryRow& row : tables.rows)
        if (row.level == level && row.operation == operation) return &row;
    return nullptr;
}

TEST(MemoryTables, ShowHitRatesAndWhatGoesOn) {
    CacheCounts caches;
    caches.loadHits = 25;
    caches.l2Reads = 60;
    caches.localLoads = 8, caches.localLoadHits = 6;
    Report report = reportOf({{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 30},
                              {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 100}});
    report.counters.merge(caches.counters());
    const MemoryTables tables = memoryTables(report, caches, nullptr);
    const MemoryRow* loads = rowOf(tables, MemoryRow::Level::L1, MemoryRow::Operation::Load);
    ASSERT_TRUE(loads);
    EXPECT_EQ(loads->predictedHitRate(), 0.25);
    EXPECT_EQ(loads->find(MemoryFigure::What::Onward)->predicted, 75u);
    EXPECT_EQ(loads->find(MemoryFigure::What::Onward)->measured, std::nullopt);
    EXPECT_FALSE(rowOf(tables, MemoryRow::Level::L1, MemoryRow::Operation::Store));  // no stores
    EXPECT_EQ(rowOf(tables, MemoryRow::Level::L2, MemoryRow::Operation::Load)
                  ->find(MemoryFigure::What::Sectors)
                  ->predicted,
              60u);
    EXPECT_EQ(rowOf(tables, MemoryRow::Level::Local, MemoryRow::Operation::Load)->predictedHitRate(), 0.75);
}

TEST(MemoryTables, GiveAReasonWhereAMeasurementDiffers) {
    const Report report = reportOf({{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 1000},
                                    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld", 0},
                                    {"lts__t_sectors_srcunit_tex_op_write", 64}});
    const Readings measured{{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 1020},
                            {"lts__t_sectors_srcunit_tex_op_write", 64}};
    const MemoryTables tables = memoryTables(report, {}, &measured);
    const MemoryFigure& wavefronts = *rowOf(tables, MemoryRow::Level::Shared, MemoryRow::Operation::Load)
                                          ->find(MemoryFigure::What::Wavefronts);
    EXPECT_EQ(wavefronts.difference(), 20);
    EXPECT_NE(wavefronts.reason.english().find("wait for each other"), std::string::npos);
    EXPECT_NE(wavefronts.reason.in(Language::Chinese), wavefronts.reason.english());
    const MemoryFigure& writes =
        *rowOf(tables, MemoryRow::Level::L2, MemoryRow::Operation::Store)->find(MemoryFigure::What::Sectors);
    EXPECT_EQ(writes.difference(), 0);
    EXPECT_TRUE(writes.reason.empty());
}

TEST(MemoryTables, DoNotExplainReadsByWhatWasWritten) {
    using Level = MemoryRow::Level;
    using Operation = MemoryRow::Operation;
    const Report report = reportOf({{"dram__sectors_read", 10},
                                    {"dram__sectors_write", 10},
                                    {"lts__t_sectors_srcunit_tex_op_read", 10},
                                    {"lts__t_sectors_srcunit_tex_op_write", 10},
                                    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", 10}});
    const Readings measured{{"dram__sectors_read", 12},
                            {"dram__sectors_write", 12},
                            {"lts__t_sectors_srcunit_tex_op_read", 12},
                            {"lts__t_sectors_srcunit_tex_op_write", 12},
                            {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", 12}};
    const MemoryTables tables = memoryTables(report, {}, &measured);
    struct Case {
        Level level;
        Operation operation;
        const char *says, *not_;
    };
    for (const Case& c : {Case{Level::Device, Operation::Load, "parameters", "written"},
                          {Level::Device, Operation::Store, "written", "parameters"},
                          {Level::L2, Operation::Load, "requests of several SMs", "store"},
                          {Level::L2, Operation::Store, "stores", "several SMs"}}) {
        const Words& reason = rowOf(tables, c.level, c.operation)->find(MemoryFigure::What::Sectors)->reason;
        EXPECT_NE(reason.english().find(c.says), std::string::npos) << reason.english();
        EXPECT_EQ(reason.english().find(c.not_), std::string::npos) << reason.english();
        EXPECT_NE(reason.in(Language::Chinese), reason.english());
    }
    EXPECT_TRUE(rowOf(tables, Level::L1, Operation::Store)->find(MemoryFigure::What::Onward)->reason.empty())
        << "stores have no hits";
}

// The figures add up from level to level, each difference explained.
TEST(MemoryTables, FollowFromTheLevelBefore) {
    using Level = MemoryRow::Level;
    using Operation = MemoryRow::Operation;
    CacheCounts caches;
    caches.loadHits = 25, caches.localLoads = 8, caches.localLoadHits = 6;
    caches.l2Reads = 60, caches.l2ReadHits = 21, caches.l2ReadMisses = 40;
    caches.l2Writes = 90;
    caches.codeReads = 44, caches.launchReads = 80, caches.fillReads = 5, caches.atomicReads = 3;
    caches.dramReads = 40 + 44 + 80 + 5 + 3, caches.dramWrites = 10, caches.l2DirtyBytes = 32 << 20;
    Report report = reportOf({{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 100},
                              {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", 100},
                              {"l1tex__t_sectors_pipe_lsu_mem_global_op_red", 7}});
    report.counters.merge(caches.counters());
    const MemoryTables tables = memoryTables(report, caches, nullptr);
    struct Case {
        Level level;
        Operation operation;
        u64 fromBefore;
        const char *en, *zh;
    };
    for (const Case& c :
         {Case{Level::L2, Operation::Load, 77,
               "17 of 77 sectors missed in L1 while a request for the same sector was outstanding, and were "
               "merged "
               "with it.",
               "L1 未命中的 77 个扇区中，有 17 个因同一扇区已有请求在途而与之归并。"},
          {Level::L2, Operation::Store, 100,
           "10 of 100 stored sectors were merged with an earlier store to the same sector, still pending.",
           "写入的 100 个扇区中，有 10 个与先前尚未完成的、对同一扇区的写入归并。"},
          {Level::Device, Operation::Load, 40,
           "An estimated 132 of the predicted sectors do not come from the kernel's own loads: 44 for "
           "machine "
           "code, 80 "
           "for "
           "parameters and "
           "launch "
           "data, 5 for sectors stored in part, 3 for atomics.",
           "预测的扇区中，估计有 132 个与核函数的读取无关：44 个用于机器码，80 "
           "个用于参数和启动数据，5 "
           "个用于只写入一部分的扇区，3 个用于原子操作。"},
          {Level::Device, Operation::Store, 97,
           "According to the cache model, 10 of the 97 sectors written to L2 reached device memory before "
           "the "
           "launch ended: L2 keeps up to 32.0 MiB of what was stored and writes it back later.",
           "按缓存模型，写到 L2 的 97 个扇区中，核函数结束前有 10 个到达设备内存：L2 最多保留 32.0 MiB "
           "写入的数据，稍后再写回。"}}) {
        const MemoryRow* row = rowOf(tables, c.level, c.operation);
        ASSERT_TRUE(row && row->fromBefore && !row->explained.empty());
        EXPECT_EQ(*row->fromBefore, c.fromBefore);
        EXPECT_EQ(row->explained.front().text.english(), c.en);
        EXPECT_EQ(row->explained.front().text.in(Language::Chinese), c.zh);
        EXPECT_FALSE(row->explained.front().brief.empty());
        s64 sum = s64(*row->fromBefore);
        for (const MemoryRow::Explained& part : row->explained)
            sum += part.sectors;
        EXPECT_EQ(sum, s64(*row->find(MemoryFigure::What::Sectors)->predicted)) << c.en;
    }
    ASSERT_EQ(rowOf(tables, Level::L2, Operation::Load)->within.size(), 1u);
    EXPECT_EQ(rowOf(tables, Level::L2, Operation::Load)->within[0].text.english(),
              "1 of the 40 sectors read from device memory was fetched only because the neighboring one was "
              "requested: device memory is read in pairs of sectors.");
    EXPECT_EQ(rowOf(tables, Level::L1, Operation::Load)->fromBefore, std::nullopt);
}

// Without cache simulation, its figures are missing, not zero.
TEST(MemoryTables, LeaveOutWhatIsNotKnown) {
    const MemoryTables tables = memoryTables(reportOf({{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 3},
                                                       {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 12}}),
                                             {}, nullptr);
    const MemoryRow* loads = rowOf(tables, MemoryRow::Level::L1, MemoryRow::Operation::Load);
    ASSERT_TRUE(loads);
    EXPECT_EQ(loads->find(MemoryFigure::What::Hits)->predicted, std::nullopt);
    EXPECT_EQ(loads->predictedHitRate(), std::nullopt);
    EXPECT_FALSE(rowOf(tables, MemoryRow::Level::L2, MemoryRow::Operation::Load));
}

}  // namespace
}  // namespace lockstep::model
