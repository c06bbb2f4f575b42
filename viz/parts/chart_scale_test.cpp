#include "viz/parts/chart_scale.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace lockstep::viz {
namespace {

std::string ticksOf(const AxisScale& scale) {
    std::string text = scale.isLog ? "log" : "linear";
    for (const f64 tick : scale.ticks)
        text += " " + tickText(tick);
    return text;
}
std::string across(std::vector<f64> values, AxisScaling scaling = AxisScaling::Auto) {
    return ticksOf(parameterScale(values, scaling));
}
std::string upwards(std::vector<f64> values, AxisScaling scaling = AxisScaling::Auto, std::size_t most = 6) {
    return ticksOf(metricScale(values, scaling, most));
}

TEST(ChartScale, AcrossIsLogarithmicWhereTheValuesAreSpreadSo) {
    EXPECT_EQ(across({64, 128, 256, 512, 1024, 2048, 4096}), "log 64 128 256 512 1,024 2,048 4,096");
    EXPECT_EQ(across({0, 4, 8, 12, 16}), "linear 0 4 8 12 16");
    EXPECT_EQ(across({1, 2, 3, 4, 5}), "linear 1 2 3 4 5");
    EXPECT_EQ(across({0, 1, 10, 100, 1000}), "linear 0 1 10 100 1,000") << "0 has no place on the other";
    EXPECT_EQ(across({64, 1024}), "log 64 1,024");
    EXPECT_EQ(across({64, 128}), "linear 64 128");
    EXPECT_EQ(across({7}), "linear 7");
    EXPECT_EQ(across({1, 2, 3, 4, 5}, AxisScaling::Log), "log 1 2 3 4 5");
    EXPECT_EQ(across({64, 128, 256, 512}), "log 64 128 256 512");
    EXPECT_EQ(across({64, 128, 256, 512}, AxisScaling::Linear), "linear 64 128 256 512");
    EXPECT_EQ(across({0, 5, 10}, AxisScaling::Log), "linear 0 5 10");
}

TEST(ChartScale, ManyValuesHaveTicksAtRoundOnes) {
    std::vector<f64> values;
    for (int i = 0; i <= 100; ++i)
        values.push_back(i);
    EXPECT_EQ(across(values), "linear 0 10 20 30 40 50 60 70 80 90 100");
    std::vector<f64> grown;
    for (f64 value = 3; value < 3000; value *= 1.25)
        grown.push_back(std::floor(value));
    EXPECT_EQ(across(grown), "log 3 5 10 20 50 100 200 500 1,000 2,000 2,423");
}

TEST(ChartScale, UpwardsBeginsAt0UnlessTheValuesAreFarApart) {
    EXPECT_EQ(upwards({3, 4, 17}), "linear 0 5 10 15 20");
    EXPECT_EQ(upwards({8, 8, 8}), "linear 0 2 4 6 8");
    EXPECT_EQ(upwards({0, 0}), "linear 0 1");
    EXPECT_EQ(upwards({0.2, 0.9}), "linear 0 0.2 0.4 0.6 0.8 1");
    EXPECT_EQ(upwards({1, 20}), "log 1 2 5 10 20");
    EXPECT_EQ(upwards({0, 20}), "linear 0 5 10 15 20");
    EXPECT_EQ(upwards({3, 5e6}), "log 10 100 1,000 10,000 100 k 1 M");
    EXPECT_EQ(upwards({1, 1e9}), "log 1 100 10,000 1 M 100 M");
    EXPECT_EQ(upwards({3, 4, 17}, AxisScaling::Log), "log 2 5 10 20");
    EXPECT_EQ(upwards({1, 20}, AxisScaling::Linear), "linear 0 5 10 15 20");
    EXPECT_EQ(upwards({1, 1e9}, AxisScaling::Auto, 2), "log 1 100 k");
}

TEST(ChartScale, EveryValueLiesOnTheAxis) {
    for (const std::vector<f64>& values :
         {std::vector<f64>{0.0123, 61.7}, {5, 5}, {1e-7, 3e9}, {99, 101}, {0, 1e12}, {2, 39.9}})
        for (const AxisScaling scaling : {AxisScaling::Auto, AxisScaling::Linear, AxisScaling::Log})
            for (std::size_t most = 2; most < 9; ++most) {
                const AxisScale scale = metricScale(values, scaling, most);
                for (const f64 value : values) {
                    EXPECT_GE(scale.share(value), -1e-9) << value;
                    EXPECT_LE(scale.share(value), 1 + 1e-9) << value;
                }
                EXPECT_LE(scale.ticks.size(), most);
                for (const f64 tick : scale.ticks) {
                    EXPECT_GE(scale.share(tick), -1e-9);
                    EXPECT_LE(scale.share(tick), 1 + 1e-9);
                }
            }
}

TEST(ChartScale, TicksAreReadable) {
    EXPECT_EQ(tickText(65536), "65,536");
    EXPECT_EQ(tickText(100000), "100 k");
    EXPECT_EQ(tickText(2500000), "2.5 M");
    EXPECT_EQ(tickText(5e12), "5 T");
    EXPECT_EQ(tickText(-4), "-4");
    EXPECT_EQ(tickText(0.05), "0.05");
    EXPECT_EQ(parameterTickText(4194304), "4,194,304");
    EXPECT_EQ(parameterTickText(-8), "-8");
    EXPECT_EQ(tickTimeText(0.005), "5 µs");
    EXPECT_EQ(tickTimeText(0.2), "200 µs");
    EXPECT_EQ(tickTimeText(1), "1 ms");
    EXPECT_EQ(tickTimeText(2000), "2 s");
    EXPECT_EQ(tickTimeText(0), "0");
}

}  // namespace
}  // namespace lockstep::viz
