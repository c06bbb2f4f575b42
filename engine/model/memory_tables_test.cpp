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
