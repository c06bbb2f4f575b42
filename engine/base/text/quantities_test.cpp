#include "base/text/quantities.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(QuantitiesTest, TimesHaveTheUnitThatSuits) {
    EXPECT_EQ(timeText(0.000853), "853 ns");
    EXPECT_EQ(timeText(0.00222), "2.22 µs");
    EXPECT_EQ(timeText(0.412), "412 µs");
    EXPECT_EQ(timeText(0.9996), "1.00 ms") << "not 1,000 µs";
    EXPECT_EQ(timeText(16.94), "16.9 ms");
    EXPECT_EQ(timeText(1200), "1.20 s");
    EXPECT_EQ(timeText(0.0000005), "0.500 ns");
    EXPECT_EQ(timeText(0), "0 ns");
}

TEST(QuantitiesTest, BytesHaveTheUnitThatSuits) {
    EXPECT_EQ(bytesText(128), "128 B");
    EXPECT_EQ(bytesText(9999), "9,999 B");
    EXPECT_EQ(bytesText(16 * 1024), "16.4 KB");
    EXPECT_EQ(bytesText(300.4e3), "300 KB");
    EXPECT_EQ(bytesText(999.6e3), "1.00 MB") << "not 1,000 KB";
    EXPECT_EQ(bytesText(32 * 1024 * 1024), "33.6 MB");
    EXPECT_EQ(bytesText(0), "0 B");
    EXPECT_EQ(bytesBeside(5.6e6, 22.8e6), "5.60 MB");
    EXPECT_EQ(bytesBeside(7040, 14848), "7.04 KB");
    EXPECT_EQ(bytesBeside(2816, 22.8e6), "2,816 B") << "0.00 MB says nothing";
    EXPECT_EQ(bytesBeside(0, 22.8e6), "0 B");
}

TEST(QuantitiesTest, BytesAndRatesAreOfOneUnit) {
    constexpr f64 kBytes = 32 * 1024 * 1024, kSeconds = 3.48e-3;
    EXPECT_EQ(bytesText(kBytes), "33.6 MB");
    EXPECT_EQ(bytesPerSecondText(kBytes / kSeconds), "9.64 GB/s") << "33.6 MB in 3.48 ms";
}

TEST(QuantitiesTest, CapacitiesAreBinary) {
    EXPECT_EQ(capacityText(128), "128 B");
    EXPECT_EQ(capacityText(1024), "1 KiB");
    EXPECT_EQ(capacityText(2816), "2,816 B");
    EXPECT_EQ(capacityText(227 * 1024), "227 KiB");
    EXPECT_EQ(capacityText(26.4 * 1024 * 1024), "26.4 MiB");
    EXPECT_EQ(capacityText(300.4 * 1024), "300 KiB");
}

TEST(QuantitiesTest, RatesAreAsDataSheetsGiveThem) {
    EXPECT_EQ(bytesPerSecondText(4.8e12), "4.80 TB/s");
    EXPECT_EQ(bytesPerSecondText(958e9), "958 GB/s");
    EXPECT_EQ(bytesPerSecondText(12.5e6), "12.5 MB/s");
}

TEST(QuantitiesTest, ThreeDigitsCount) {
    EXPECT_EQ(threeDigits(0.0636), "0.0636");
    EXPECT_EQ(threeDigits(8.054), "8.05");
    EXPECT_EQ(threeDigits(412.3), "412");
    EXPECT_EQ(threeDigits(1234567), "1,234,567");
}

}  // namespace
}  // namespace lockstep
