// The CPU references of scan, histogram, stencil and row reduction, against results computed by hand.
#include "catalog/references/reference_histogram.h"
#include "catalog/references/reference_row_reduction.h"
#include "catalog/references/reference_scan.h"
#include "catalog/references/reference_stencil.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::catalog {
namespace {

template <class T>
Buffer bufferOf(const char* name, ElementType type, std::vector<u64> shape, std::vector<T> elements) {
    Buffer buffer{.name = name, .type = type, .shape = std::move(shape), .bytes = {}};
    buffer.bytes.resize(elements.size() * sizeof(T));
    std::memcpy(buffer.bytes.data(), elements.data(), buffer.bytes.size());
    return buffer;
}

Experiment experimentOf(std::vector<Buffer> buffers) {
    Experiment experiment;
    experiment.buffers = std::move(buffers);
    return experiment;
}

template <class T> std::vector<T> resultOf(const Reference& reference, const Experiment& experiment) {
    EXPECT_EQ(reference.check(experiment).english(), "");
    const std::map<u32, Buffer> results = reference.compute(experiment, nullptr);
    EXPECT_EQ(results.size(), 1u);
    EXPECT_EQ(results.begin()->first, 1u);
    const std::span<const T> elements = results.begin()->second.as<T>();
    Buffer taught = experiment.buffers[1];
    for (const char* const time : {"first", "second"}) {
        EXPECT_TRUE(reference.asTaught(experiment, taught, nullptr));
        EXPECT_EQ(taught.bytes, results.begin()->second.bytes)
            << "the loop that is timed, for the " << time << " time";
    }
    const std::atomic<bool> cancelled{true};
    EXPECT_FALSE(reference.asTaught(experiment, taught, &cancelled));
    return {elements.begin(), elements.end()};
}

TEST(ScanReference, AddsUpFromTheStartAndWrapsAround) {
    constexpr s32 kMost = 2147483647;
    const Experiment experiment =
        experimentOf({bufferOf<s32>("in", ElementType::I32, {5}, {3, 1, 7, -2, kMost}),
                      bufferOf<s32>("out", ElementType::I32, {5}, {0, 0, 0, 0, 0})});
    EXPECT_EQ(resultOf<s32>(scanReference(), experiment), (std::vector<s32>{3, 4, 11, 9, -kMost + 7}));
    const Experiment uneven = experimentOf({bufferOf<s32>("in", ElementType::I32, {2}, {1, 2}),
                                            bufferOf<s32>("out", ElementType::I32, {1}, {0})});
    EXPECT_EQ(scanReference().check(uneven).english(),
              "in has 2 elements and out has 1: a scan needs as many");
}

TEST(HistogramReference, CountsModuloTheNumberOfBins) {
    const Experiment experiment =
        experimentOf({bufferOf<u8>("values", ElementType::U8, {6}, {0, 3, 4, 254, 1, 3}),
                      bufferOf<s32>("counts", ElementType::I32, {3}, {0, 0, 0})});
    EXPECT_EQ(resultOf<s32>(histogramReference(), experiment),
              (std::vector<s32>{3, 2, 1}));  // 254 = 3 * 84 + 2
}

TEST(StencilReference, MovesInnerCellsTowardsTheirNeighbors) {
    // 3 x 4: the inner cells are 8 and 0. 8 + (1 + 4 + 0 + 3 - 32) / 8 = 5, and 0 + (2 + 8 + 2 + 4 - 0) / 8
    // = 2.
    const std::vector<f32> plate{9, 1, 2, 9, 4, 8, 0, 2, 9, 3, 4, 9};
    const Experiment experiment = experimentOf({bufferOf<f32>("in", ElementType::F32, {3, 4}, plate),
                                                bufferOf<f32>("out", ElementType::F32, {3, 4}, plate)});
    EXPECT_EQ(resultOf<f32>(stencilReference(), experiment),
              (std::vector<f32>{9, 1, 2, 9, 4, 5, 2, 2, 9, 3, 4, 9}));
}

Family familyWith(const char* operation) {
    Family family;
    Parameter parameter;
    parameter.name = "op";
    parameter.choices = {operation};
    family.parameters = {parameter};
    return family;
}

template <class T>
std::vector<T> reduced(const char* operation, ElementType type, const std::vector<T>& elements) {
    const Family family = familyWith(operation);
    Experiment experiment = experimentOf({bufferOf<T>("rows", type, {2, elements.size() / 2}, elements),
                                          bufferOf<T>("results", type, {2}, {0, 0})});
    experiment.family = &family;
    experiment.values = {{"op", 0}};
    return resultOf<T>(rowReductionReference(), experiment);
}

TEST(RowReductionReference, FoldsEachRowWithTheOperation) {
    const std::vector<s32> rows{12, 10, 7, -1, 5, 3};
    struct Case {
        const char* operation;
        std::vector<s32> results;
    };
    const Case cases[] = {{"sum", {29, 7}}, {"product", {840, -15}}, {"min", {7, -1}}, {"max", {12, 5}},
                          {"and", {0, 1}},  {"or", {15, -1}},        {"xor", {1, -7}}};
    for (const Case& c : cases)
        EXPECT_EQ(reduced<s32>(c.operation, ElementType::I32, rows), c.results) << c.operation;
    EXPECT_EQ(reduced<s64>("product", ElementType::I64, {1 << 20, 1 << 20, 3, 5}),
              (std::vector<s64>{s64{1} << 40, 15}));
    EXPECT_EQ(reduced<s32>("product", ElementType::I32, {1 << 20, 1 << 20, 3, 5}), (std::vector<s32>{0, 15}));
    EXPECT_EQ(reduced<f32>("sum", ElementType::F32, {0.5f, 0.25f, 1e8f, 1}), (std::vector<f32>{0.75f, 1e8f}));
    EXPECT_EQ(reduced<f64>("min", ElementType::F64, {0.5, -0.25, 1e8, 1}), (std::vector<f64>{-0.25, 1}));
}

TEST(RowReductionReference, RefusesWhatCannotBeReduced) {
    const Family family = familyWith("xor");
    Experiment reals = experimentOf({bufferOf<f32>("rows", ElementType::F32, {1, 2}, {1, 2}),
                                     bufferOf<f32>("results", ElementType::F32, {1}, {0})});
    reals.family = &family;
    reals.values = {{"op", 0}};
    EXPECT_EQ(rowReductionReference().check(reals).english(), "'xor' works on whole numbers only");
    reals.buffers[1].shape = {2};
    EXPECT_EQ(rowReductionReference().check(reals).english(),
              "there are 1 rows of f32 and 2 results of f32: a row has one result, of its own type");
}

}  // namespace
}  // namespace lockstep::catalog
