// Where the elements of a matrix stand in a tile, from what was kept there.
#include "explain/matrices/tile_spots.h"

#include <gtest/gtest.h>

#include <functional>

namespace lockstep::explain {
namespace {

using Spot = TileSpots::Spot;

// `rounds` tiles of M, `lines` rows by `depth` columns, as `placeOf` lays them out; what lies beyond `rows`
// rows is filled with zeros.
struct Tile {
    u32 rounds = 2, lines = 4, depth = 2;
    s64 firstLine = 8, rows = 100;
    u64 places = 8;
    std::function<u64(u32 line, u32 k, u32 round)> placeOf;
};
std::optional<TileSpots> spotsOf(const Tile& tile) {
    std::vector<KeptElement> kept;
    std::vector<std::vector<u64>> filled(tile.rounds);
    for (u32 round = 0; round < tile.rounds; ++round)
        for (u32 line = 0; line < tile.lines; ++line)
            for (u32 k = 0; k < tile.depth; ++k) {
                const u64 place = tile.placeOf(line, k, round);
                filled[round].push_back(place);
                if (tile.firstLine + line < tile.rows)
                    kept.push_back({round, place, tile.firstLine + line, s64(round * tile.depth + k)});
            }
    return tileSpots(kept, filled, tile.places, true);
}
void expectAll(const std::optional<TileSpots>& spots, const Tile& tile) {
    ASSERT_TRUE(spots);
    EXPECT_EQ(spots->lines, tile.lines);
    EXPECT_EQ(spots->depth, tile.depth);
    for (u32 round = 0; round < tile.rounds; ++round) {
        EXPECT_EQ(spots->firstK[round], s64(round * tile.depth));
        EXPECT_EQ(spots->firstLine[round], tile.firstLine);
        for (u32 line = 0; line < tile.lines; ++line)
            for (u32 k = 0; k < tile.depth; ++k) {
                const auto spot = spots->at(tile.placeOf(line, k, round));
                ASSERT_TRUE(spot) << line << ", " << k;
                EXPECT_EQ(spot->line, line);
                EXPECT_EQ(spot->k % spots->depth, k);
            }
    }
}

TEST(TileSpotsTest, FollowRowsPaddingAndTransposition) {
    Tile tile{.placeOf = [](u32 line, u32 k, u32) { return u64{line} * 2 + k; }};
    expectAll(spotsOf(tile), tile);
    EXPECT_FALSE(spotsOf(tile)->isTransposed);
    tile.places = 12, tile.placeOf = [](u32 line, u32 k, u32) { return u64{line} * 3 + k; };
    expectAll(spotsOf(tile), tile);
    EXPECT_FALSE(spotsOf(tile)->at(2)) << "padding";
    tile.places = 8, tile.placeOf = [](u32 line, u32 k, u32) { return u64{k} * 4 + line; };
    expectAll(spotsOf(tile), tile);
    EXPECT_TRUE(spotsOf(tile)->isTransposed);
}

TEST(TileSpotsTest, OfTilesThatAreFilledInTurnStandSideBySide) {
    Tile tile{.rounds = 4, .places = 16, .placeOf = [](u32 line, u32 k, u32 round) {
                  return u64{round % 2} * 8 + line * 2 + k;
              }};
    const auto spots = spotsOf(tile);
    expectAll(spots, tile);
    EXPECT_EQ(spots->copies, 2u);
    EXPECT_EQ(*spots->at(8), (Spot{0, 2}));
}

TEST(TileSpotsTest, PlacesOfZerosStandForWhatIsNotThere) {
    Tile tile{.rows = 10, .placeOf = [](u32 line, u32 k, u32) { return u64{line} * 2 + k; }};
    expectAll(spotsOf(tile), tile);  // rows 10 and 11 do not exist
}

TEST(TileSpotsTest, TheLastRowMayBeKeptAgain) {
    // As a kernel does that replaces rows beyond the matrix by its last one.
    std::vector<KeptElement> kept;
    std::vector<std::vector<u64>> filled(1);
    for (u32 line = 0; line < 4; ++line)
        for (u32 k = 0; k < 4; ++k) {
            filled[0].push_back(line * 4 + k);
            kept.push_back({0, line * 4 + k, std::min<s64>(line, 1), k});
        }
    const auto spots = tileSpots(kept, filled, 16, true);
    ASSERT_TRUE(spots);
    EXPECT_EQ(spots->lines, 4u);
    EXPECT_EQ(*spots->at(14), (Spot{3, 2}));
}

TEST(TileSpotsTest, LinesMayChangeFromTileToTile) {
    // As where a block goes over several tiles of N for each of M.
    std::vector<KeptElement> kept;
    std::vector<std::vector<u64>> filled(4);
    for (u32 round = 0; round < 4; ++round)
        for (u32 place = 0; place < 16; ++place) {
            filled[round].push_back(place);
            kept.push_back(
                {round, place, s64(8 * (round % 2) + place / 4), s64(4 * (round / 2) + place % 4)});
        }
    const auto spots = tileSpots(kept, filled, 16, true);
    ASSERT_TRUE(spots);
    EXPECT_EQ(spots->firstLine, (std::vector<s64>{0, 8, 0, 8}));
    EXPECT_EQ(spots->firstK, (std::vector<s64>{0, 0, 4, 4}));
    EXPECT_EQ(spots->copies, 1u);
    EXPECT_EQ(spots->lines, 4u);
}

TEST(TileSpotsTest, ASwizzleIsATable) {
    Tile tile{.lines = 4, .depth = 4, .places = 16, .placeOf = [](u32 line, u32 k, u32) {
                  return u64{line} * 4 + (k ^ line);
              }};
    expectAll(spotsOf(tile), tile);
    // What is kept now here and now there stands for nothing.
    tile.placeOf = [](u32 line, u32 k, u32 round) { return (u64{line} * 4 + (k ^ line) + round * 5) % 16; };
    EXPECT_FALSE(spotsOf(tile));
}

}  // namespace
}  // namespace lockstep::explain
