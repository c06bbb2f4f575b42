// The memory tables of every kernel of the catalog add up: what a level is asked for is what the one before
// passes on, more or less what the row says in words.
#include "model/memory_tables.h"
#include "support/run_shipped.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using model::MemoryFigure, model::MemoryRow;

void expectToAddUp(const run::Run& run, const std::string& name) {
    const model::MemoryTables tables = model::memoryTables(run.report, run.caches, nullptr);
    u32 followed = 0;
    for (const MemoryRow& row : tables.rows) {
        const MemoryFigure *sectors = row.find(MemoryFigure::What::Sectors),
                           *hits = row.find(MemoryFigure::What::Hits),
                           *onward = row.find(MemoryFigure::What::Onward);
        const std::string what = name + ", " + std::string(model::nameOf(row.level)) + " " +
                                 std::string(model::nameOf(row.operation));
        const bool isBehindL1 = row.level == MemoryRow::Level::L2 || row.level == MemoryRow::Level::Device;
        ASSERT_EQ(row.fromBefore.has_value(), isBehindL1) << what;
        if (!isBehindL1) continue;
        ++followed;
        s64 sum = s64(*row.fromBefore), found = s64(*sectors->predicted);
        for (const MemoryRow::Explained& part : row.explained)
            sum += part.sectors;
        EXPECT_EQ(sum, found) << what;
        EXPECT_TRUE(row.explained.empty() || !row.explained.front().text.empty()) << what << ": no words";
        for (const MemoryRow::Explained& part : row.explained)
            EXPECT_EQ(part.text.english().find(" other"), std::string::npos)
                << what << ": " << part.text.english();
        for (const MemoryRow::Explained& part : row.within)
            found += part.sectors;
        if (hits && onward) {
            EXPECT_EQ(*hits->predicted + *onward->predicted, u64(found)) << what;
        }
    }
    EXPECT_TRUE(followed == 4 || tables.rows.empty()) << name;
}

TEST(MemoryFlow, OfEveryKernelOfTheCatalogAddsUp) {
    u32 kernels = 0;
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants) {
            const std::string name = family.name + "/" + variant.name;
            const Expected<run::Run> run = runShipped(name, {});
            if (!run) continue;  // one asks for more shared memory than there is
            ++kernels;
            if (run->caches) expectToAddUp(*run, name);
        }
    EXPECT_GT(kernels, 75u);
}

TEST(MemoryFlow, OfLargeAndAwkwardOnesAddsUp) {
    const std::pair<const char*, Settings> cases[] = {
        {"coalescing/store-part-sectors", {{"sectors", "1048576"}}},
        {"histogram/global-atomics", {{"n", "65536"}}},
        {"transpose/registers-4x4", {{"rows", "1024"}, {"columns", "2048"}}},
        {"matmul/naive", {{"width", "257"}}},
        {"stencil/tiled", {{"rows", "1021"}, {"columns", "509"}}},
        {"reduction/v0", {{"n", "1048576"}}}};
    for (const auto& [name, settings] : cases) {
        const Expected<run::Run> run = runShipped(name, settings);
        ASSERT_TRUE(run) << name << ": " << describe(run.error());
        ASSERT_TRUE(run->caches) << name;
        expectToAddUp(*run, name);
    }
}

}  // namespace
}  // namespace lockstep
