// What is compressed comes back, read by another's program.
#include "viz/painters/raster/deflate.h"

#include <gtest/gtest.h>
#include <stb/stb_image.h>

#include <random>
#include <string>

namespace lockstep::viz {
namespace {

void expectBack(const std::vector<u8>& data, std::size_t rowBytes, const std::string& what) {
    const std::vector<u8> small = zlibCompressed(data, rowBytes);
    int size = 0;
    char* back =
        stbi_zlib_decode_malloc(reinterpret_cast<const char*>(small.data()), int(small.size()), &size);
    ASSERT_NE(back, nullptr) << what;
    EXPECT_EQ(std::vector<u8>(back, back + size), data) << what;
    stbi_image_free(back);
}

TEST(DeflateTest, WhatIsCompressedComesBack) {
    std::mt19937 random(1);
    expectBack({}, 5, "nothing");
    for (const std::size_t size : {1u, 3u, 4u, 7u, 8u, 9u, 257u, 258u, 259u, 262u, 70'000u}) {
        std::vector<u8> one(size, 7), noise(size), steps(size);
        for (std::size_t i = 0; i < size; ++i) {
            noise[i] = u8(random());
            steps[i] = u8(i / 3);
        }
        for (const std::size_t rowBytes :
             {std::size_t{0}, std::size_t{1}, std::size_t{41}, std::size_t{40'001}}) {
            const std::string what = std::to_string(size) + " in rows of " + std::to_string(rowBytes);
            expectBack(one, rowBytes, what + ", one value");
            expectBack(noise, rowBytes, what + ", noise");
            expectBack(steps, rowBytes, what + ", steps");
        }
    }
}

TEST(DeflateTest, LengthsAndDistancesOfEveryCodeComeBack) {
    std::mt19937 random(2);
    for (const std::size_t distance : {5u, 8u, 100u, 1000u, 9000u, 32'768u, 32'769u})
        for (std::size_t length = 4; length < 300; length += 1 + length / 9) {
            std::vector<u8> data(distance);
            for (u8& byte : data)
                byte = u8(random());
            for (std::size_t i = 0; i < length; ++i)
                data.push_back(data[data.size() - distance]);
            expectBack(data, 0, std::to_string(length) + " from " + std::to_string(distance));
        }
}

TEST(DeflateTest, AreasOfOneColorAreSmall) {
    const std::vector<u8> data(1'000'000, 30);
    EXPECT_LT(zlibCompressed(data, 4001).size(), 8000u);
}

}  // namespace
}  // namespace lockstep::viz
