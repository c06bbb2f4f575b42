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
    Report report = reportOf({{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 30}, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 100}});
    report.counters.merge(caches.counters());
    const MemoryTables tables = memoryTables(report, caches, nullptr);
    const MemoryRow* loads = rowOf(tables, MemoryRow::Level::L1, MemoryRow::Operation::Load);
    ASSERT_TRUE(loads);
    EXPECT_EQ(loads->predictedHitRate(), 0.25);
    EXPECT_EQ(loads->find(MemoryFigure::What::Onward)->predicted, 75u);
    EXPECT_EQ(loads->find(MemoryFigure::What::Onward)->measured, std::nullopt);
    EXPECT_FALSE(rowOf(tables, MemoryRow::Level::L1, MemoryRow::Operation::Store));  // nobody stores
    EXPECT_EQ(rowOf(tables, MemoryRow::Level::L2, MemoryRow::Operation::Load)->find(MemoryFigure::What::Sectors)->predicted, 60u);
    EXPECT_EQ(rowOf(tables, MemoryRow::Level::Local, MemoryRow::Operation::Load)->predictedHitRate(), 0.75);
}

TEST(MemoryTables, GiveAReasonWhereAMeasurementDiffers) {
    const Report report = reportOf({{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 1000},
                                    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld", 0}, {"lts__t_sectors_srcunit_tex_op_write", 64}});
    const Readings measured{{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 1020}, {"lts__t_sectors_srcunit_tex_op_write", 64}};
    const MemoryTables tables = memoryTables(report, {}, &measured);
    const MemoryFigure& wavefronts = *rowOf(tables, MemoryRow::Level::Shared, MemoryRow::Operation::Load)->find(MemoryFigure::What::Wavefronts);
    EXPECT_EQ(wavefronts.difference(), 20);
    EXPECT_NE(wavefronts.reason.en.find("wait for each other"), std::string::npos);
    EXPECT_FALSE(wavefronts.reason.zh.empty());
    const MemoryFigure& writes = *rowOf(tables, MemoryRow::Level::L2, MemoryRow::Operation::Store)->find(MemoryFigure::What::Sectors);
    EXPECT_EQ(writes.difference(), 0);
    EXPECT_TRUE(writes.reason.en.empty());
}

TEST(MemoryTables, DoNotExplainReadsByWhatWasWritten) {
    using Level = MemoryRow::Level;
    using Operation = MemoryRow::Operation;
    const Report report = reportOf({{"dram__sectors_read", 10}, {"dram__sectors_write", 10}, {"lts__t_sectors_srcunit_tex_op_read", 10}, {"lts__t_sectors_srcunit_tex_op_write", 10},
                                    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", 10}});
    const Readings measured{{"dram__sectors_read", 12}, {"dram__sectors_write", 12}, {"lts__t_sectors_srcunit_tex_op_read", 12}, {"lts__t_sectors_srcunit_tex_op_write", 12},
                            {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", 12}};
    const MemoryTables tables = memoryTables(report, {}, &measured);
    struct Case { Level level; Operation operation; const char *says, *not_; };
    for (const Case& c : {Case{Level::Device, Operation::Load, "parameters", "written"}, {Level::Device, Operation::Store, "written", "parameters"},
                          {Level::L2, Operation::Load, "requests of several SMs", "store"}, {Level::L2, Operation::Store, "stores", "several SMs"}}) {
        const Text& reason = rowOf(tables, c.level, c.operation)->find(MemoryFigure::What::Sectors)->reason;
        EXPECT_NE(reason.en.find(c.says), std::string::npos) << reason.en;
        EXPECT_EQ(reason.en.find(c.not_), std::string::npos) << reason.en;
        EXPECT_FALSE(reason.zh.empty());
    }
    EXPECT_TRUE(rowOf(tables, Level::L1, Operation::Store)->find(MemoryFigure::What::Onward)->reason.en.empty()) << "stores have no hits";
}

// Without caches simulated, their figures are missing and not zero.
TEST(MemoryTables, LeaveOutWhatIsNotKnown) {
    const MemoryTables tables = memoryTables(reportOf({{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 3}, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 12}}), {}, nullptr);
    const MemoryRow* loads = rowOf(tables, MemoryRow::Level::L1, MemoryRow::Operation::Load);
    ASSERT_TRUE(loads);
    EXPECT_EQ(loads->find(MemoryFigure::What::Hits)->predicted, std::nullopt);
    EXPECT_EQ(loads->predictedHitRate(), std::nullopt);
    EXPECT_FALSE(rowOf(tables, MemoryRow::Level::L2, MemoryRow::Operation::Load));
}

}  // namespace
}  // namespace lockstep::model
