#include "run/variant_accesses.h"

#include "model/access/global_sectors.h"
#include "model/profiles/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace lockstep::run {
namespace {

class VariantAccesses : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(catalog_) << describe(catalog_.error());
        family_ = catalog_->find("coalescing");
        ASSERT_TRUE(family_);
    }

    std::map<std::string, VariantAccess> with(
        const std::vector<std::pair<std::string, std::string>>& settings) {
        const auto values = catalog::resolve(*family_, settings);
        if (!values) return ADD_FAILURE() << describe(values.error()), std::map<std::string, VariantAccess>();
        std::map<std::string, VariantAccess> byName;
        for (VariantAccess& access : accessesOfVariants(Resources{LOCKSTEP_SOURCE_DIR}, *family_, *values))
            byName[access.variant] = std::move(access);
        return byName;
    }
    static u32 sectors(const VariantAccess& variant, std::size_t warp) {
        return model::globalCost(variant.ofWarps.at(warp), *model::findProfile("cc90")).sectors;
    }

    Expected<catalog::Catalog> catalog_ = catalog::Catalog::read(Resources{LOCKSTEP_SOURCE_DIR}.kernels());
    const catalog::Family* family_ = nullptr;
};

TEST_F(VariantAccesses, EveryVariantHasTheSectorsThatItTeaches) {
    std::map<std::string, VariantAccess> all = with({});
    EXPECT_EQ(all.size(), family_->variants.size() - 2)
        << "store-whole-sectors and store-part-sectors load nothing";
    EXPECT_EQ(sectors(all["sequential"], 0), 4u);
    EXPECT_EQ(sectors(all["inactive-lanes"], 0), 4u);
    EXPECT_EQ(all["inactive-lanes"].ofWarps[0].active.count(), 24u);
    EXPECT_EQ(sectors(all["swapped-lanes"], 0), 4u);
    EXPECT_EQ(all["swapped-lanes"].ofWarps[0].addresses[3], all["sequential"].ofWarps[0].addresses[4]);
    EXPECT_EQ(sectors(all["offset"], 0), 5u);
    EXPECT_EQ(sectors(all["stride"], 0), 8u);
    EXPECT_EQ(sectors(all["array-of-structures"], 0), 12u);
    EXPECT_GT(sectors(all["scattered"], 0), 16u)
        << "of the words, not of the index that is loaded before them";
    EXPECT_EQ(sectors(all["words"], 0), 16u) << "float4";
    EXPECT_EQ(sectors(all["rows"], 0), 4u);
    EXPECT_EQ(sectors(all["rows"], 1), 5u) << "row 1 begins within a sector";
    EXPECT_EQ(sectors(all["rows-pitched"], 1), 4u);
}

TEST_F(VariantAccesses, FollowTheChosenValuesButNotThoseThatSizeTheGrid) {
    std::map<std::string, VariantAccess> all = with({{"n", "1048576"}, {"stride", "32"}, {"offset", "8"}});
    EXPECT_EQ(sectors(all["stride"], 0), 32u);
    EXPECT_EQ(sectors(all["offset"], 0), 4u);
    EXPECT_EQ(all["sequential"].ofWarps.size(), 4u);
    EXPECT_EQ(all["sequential"].ofWarps[3].addresses, with({})["sequential"].ofWarps[3].addresses);
}

TEST_F(VariantAccesses, LanesWithoutAnElementTakeNoPart) {
    std::map<std::string, VariantAccess> all = with({{"n", "40"}});
    EXPECT_EQ(all["sequential"].ofWarps[1].active.count(), 8u);
    EXPECT_TRUE(all["sequential"].ofWarps[2].active.empty());
    EXPECT_EQ(all["sequential"].threads, 128u);
}

TEST_F(VariantAccesses, OnlyOfFamiliesThatAreToldByThem) {
    EXPECT_TRUE(isToldByAccesses(*family_));
    EXPECT_FALSE(isToldByAccesses(*catalog_->find("matmul")));
}

}  // namespace
}  // namespace lockstep::run
