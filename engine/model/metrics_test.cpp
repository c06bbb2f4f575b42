// The one table of metrics: every name comes from it.
#include "model/metrics.h"

#include "model/memory_tables.h"
#include "model/tolerances.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep::model {
namespace {

TEST(Metrics, AreEachThereOnceWithWordsInBothLanguages) {
    std::set<std::string> keys;
    for (const Metric& metric : metrics()) {
        EXPECT_TRUE(keys.insert(metric.key).second) << metric.key;
        EXPECT_FALSE(metric.what.empty()) << metric.key;
    }
}

// The hardware counts machine code, the model counts PTX.
TEST(Metrics, SayWhoKnowsThem) {
    for (const Metric& metric : metrics()) {
        EXPECT_EQ(metric.isPredicted(), !metric.key.starts_with("smsp__")) << metric.key;
        EXPECT_FALSE((metric.key.starts_with("ptx__") || metric.key.starts_with("model__")) &&
                     metric.isCounted())
            << metric.key;
        EXPECT_TRUE(metric.isPredicted() || metric.isCounted()) << metric.key;
    }
}

TEST(Metrics, HoldWhateverIsComparedWithAMeasurement) {
    for (const Tolerance& tolerance : tolerances()) {
        const Metric* metric = findMetric(tolerance.metric);
        ASSERT_TRUE(metric) << tolerance.metric;
        EXPECT_EQ(metric->source, Source::Both) << tolerance.metric;
    }
}

TEST(Metrics, HoldWhateverTheMemoryTablesName) {
    Report report;
    for (const Metric& metric : metrics())
        report.counters[metric.key] = 1;
    for (const MemoryRow& row : memoryTables(report, {}, nullptr).rows)
        for (const MemoryFigure& figure : row.figures)
            EXPECT_TRUE(figure.metric.empty() || findMetric(figure.metric)) << figure.metric;
}

}  // namespace
}  // namespace lockstep::model
