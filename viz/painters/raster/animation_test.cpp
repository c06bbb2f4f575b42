// Animations, read back by another program's decoder: stb_image's GIF reader, and its PNG reader for each
// frame of an APNG.
#include "viz/painters/raster/animation.h"

#include "viz/painters/raster/animation_writer.h"
#include "viz/painters/raster/png_chunks.h"

#include <gtest/gtest.h>
#include <stb/stb_image.h>

#include <cstring>

namespace lockstep::viz {
namespace {

constexpr u32 kWidth = 40, kHeight = 24;

Image plain(std::array<u8, 3> color) {
    Image image{kWidth, kHeight, {}};
    for (u32 i = 0; i < kWidth * kHeight; ++i)
        image.rgba.insert(image.rgba.end(), {color[0], color[1], color[2], 255});
    return image;
}

void fill(Image& image, const ImageBox& box, std::array<u8, 3> color) {
    for (u32 y = box.y; y < box.y + box.height; ++y)
        for (u32 x = box.x; x < box.x + box.width; ++x)
            std::memcpy(&image.rgba[(std::size_t{y} * image.width + x) * 4], color.data(), 3);
}

constexpr std::array<u8, 3> kGround{0x14, 0x17, 0x1C}, kWarp{0x6F, 0xAF, 0xF9}, kCursor{0xFF, 0xFF, 0xFF};

// A box that stands at two places, one after another, then rests.
std::vector<Image> walk() {
    std::vector<Image> frames;
    for (const u32 x : {2u, 14u, 14u, 30u}) {
        frames.push_back(plain(kGround));
        fill(frames.back(), {x, 5, 6, 7}, kWarp);
        fill(frames.back(), {x, 5, 1, 1}, kCursor);
    }
    return frames;
}

struct Decoded {
    std::vector<Image> frames;
    std::vector<int> milliseconds;
};

Decoded decodeGif(const std::vector<u8>& file) {
    Decoded decoded;
    int *delays = nullptr, width = 0, height = 0, count = 0, channels = 0;
    u8* pixels = stbi_load_gif_from_memory(file.data(), int(file.size()), &delays, &width, &height, &count,
                                           &channels, 4);
    if (!pixels) return decoded;
    const std::size_t bytes = std::size_t(width) * std::size_t(height) * 4;
    for (int i = 0; i < count; ++i) {
        const u8* begin = pixels + std::size_t(i) * bytes;
        decoded.frames.push_back({u32(width), u32(height), std::vector<u8>(begin, begin + bytes)});
        decoded.milliseconds.push_back(delays[i]);
    }
    stbi_image_free(delays);
    stbi_image_free(pixels);
    return decoded;
}

u32 number(std::span<const u8> at) { return u32{at[0]} << 24 | u32{at[1]} << 16 | u32{at[2]} << 8 | at[3]; }

// Each frame as a PNG file of its own, laid over the one before.
Decoded decodeApng(const std::vector<u8>& file) {
    Decoded decoded;
    std::vector<u8> header;
    u32 sequence = 0, announced = 0;
    ImageBox box;
    for (const PngChunk& chunk : pngChunks(file)) {
        if (chunk.type == "IHDR") header.assign(chunk.data.begin(), chunk.data.end());
        if (chunk.type == "acTL") announced = number(chunk.data);
        if (chunk.type == "fcTL") {
            EXPECT_EQ(number(chunk.data), sequence++);
            box = {number(chunk.data.subspan(12)), number(chunk.data.subspan(16)),
                   number(chunk.data.subspan(4)), number(chunk.data.subspan(8))};
            decoded.milliseconds.push_back((chunk.data[20] << 8 | chunk.data[21]) * 1000 /
                                           (chunk.data[22] << 8 | chunk.data[23]));
        }
        if (chunk.type != "IDAT" && chunk.type != "fdAT") continue;
        std::span<const u8> data = chunk.data;
        if (chunk.type == "fdAT") {
            EXPECT_EQ(number(data), sequence++);
            data = data.subspan(4);
        }
        std::vector<u8> single(kPngSignature.begin(), kPngSignature.end()), own = {};
        appendBigEndian(own, box.width);
        appendBigEndian(own, box.height);
        own.insert(own.end(), header.begin() + 8, header.end());
        appendChunk(single, "IHDR", own);
        appendChunk(single, "IDAT", data);
        appendChunk(single, "IEND", {});
        int width = 0, height = 0, channels = 0;
        u8* pixels = stbi_load_from_memory(single.data(), int(single.size()), &width, &height, &channels, 4);
        EXPECT_NE(pixels, nullptr) << stbi_failure_reason();
        if (!pixels) return decoded;
        Image canvas =
            decoded.frames.empty()
                ? Image{box.width, box.height, std::vector<u8>(std::size_t{box.width} * box.height * 4)}
                : decoded.frames.back();
        for (u32 y = 0; y < box.height; ++y)
            std::memcpy(&canvas.rgba[((std::size_t{box.y} + y) * canvas.width + box.x) * 4],
                        pixels + std::size_t{y} * box.width * 4, std::size_t{box.width} * 4);
        stbi_image_free(pixels);
        decoded.frames.push_back(std::move(canvas));
    }
    EXPECT_EQ(announced, decoded.frames.size());
    return decoded;
}

void expectTheWalk(const Decoded& decoded) {
    const std::vector<Image> frames = walk();
    ASSERT_EQ(decoded.frames.size(), 3u) << "two frames that are alike are one";
    EXPECT_EQ(decoded.frames[0].rgba, frames[0].rgba);
    EXPECT_EQ(decoded.frames[1].rgba, frames[1].rgba);
    EXPECT_EQ(decoded.frames[2].rgba, frames[3].rgba);
    EXPECT_EQ(decoded.milliseconds, (std::vector<int>{40, 540, 1000}));
}

void addTheWalk(Animation& animation) {
    const std::vector<Image> frames = walk();
    const u32 milliseconds[] = {40, 40, 500, 1000};
    for (std::size_t i = 0; i < frames.size(); ++i)
        animation.add(frames[i], milliseconds[i]);
}

TEST(AnimationTest, AGifComesBackWithItsPicturesAndTimes) {
    const auto gif = gifAnimation({kGround, kWarp, kCursor}, "lockstep matmul/tiled --step 3");
    addTheWalk(*gif);
    const std::vector<u8> file = gif->finish();
    expectTheWalk(decodeGif(file));
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    EXPECT_NE(text.find("lockstep matmul/tiled --step 3"), std::string_view::npos);
    EXPECT_NE(text.find("NETSCAPE2.0"), std::string_view::npos);
}

TEST(AnimationTest, AnApngComesBackWithItsPicturesAndTimes) {
    const auto apng = apngAnimation("lockstep matmul/tiled --step 3");
    addTheWalk(*apng);
    const std::vector<u8> file = apng->finish();
    expectTheWalk(decodeApng(file));
    int width = 0, height = 0, channels = 0;
    u8* pixels = stbi_load_from_memory(file.data(), int(file.size()), &width, &height, &channels, 4);
    ASSERT_NE(pixels, nullptr) << "whoever knows PNG only sees the first frame";
    EXPECT_EQ(std::memcmp(pixels, walk().front().rgba.data(), walk().front().rgba.size()), 0);
    stbi_image_free(pixels);
}

TEST(AnimationTest, HundredthsAreRoundedFromTheStart) {
    const auto gif = gifAnimation({kGround, kWarp, kCursor}, "");
    std::vector<Image> frames = walk();
    for (int i = 0; i < 10; ++i)
        gif->add(frames[i % 2 ? 0 : 3], 33);
    const Decoded decoded = decodeGif(gif->finish());
    int sum = 0;
    for (const int ms : decoded.milliseconds)
        sum += ms;
    EXPECT_EQ(sum, 330);
}

TEST(AnimationTest, FewColorsAreKeptExactlyAndOfManyTheFrequentOnes) {
    ColorCount few;
    for (const Image& frame : walk())
        few.add(frame);
    EXPECT_EQ(few.palette(), (Palette{kGround, kWarp, kCursor})) << "by how often they occur";

    ColorCount many;
    Image image = plain(kGround);
    fill(image, {0, 0, 20, 10}, kWarp);
    for (u32 i = 0; i < 600; ++i)
        fill(image, {i % kWidth, 9 + i / kWidth, 1, 1}, {u8(i), u8(255 - i % 256), u8(i * 7)});
    many.add(image);
    const Palette palette = many.palette();
    EXPECT_EQ(palette.size(), 256u);
    EXPECT_EQ(palette[0], kGround);
    EXPECT_EQ(palette[1], kWarp);
    const auto gif = gifAnimation(palette, "");
    gif->add(image, 100);
    const Decoded decoded = decodeGif(gif->finish());
    ASSERT_EQ(decoded.frames.size(), 1u);
    for (std::size_t i = 0; i < image.rgba.size(); ++i)
        ASSERT_NEAR(decoded.frames[0].rgba[i], image.rgba[i], 48) << "at byte " << i;
}

TEST(AnimationTest, WritersDrawAFrameAtATime) {
    for (const AnimationFormat format : {AnimationFormat::Gif, AnimationFormat::Apng}) {
        u32 painted = 0;
        AnimationWriter writer(
            {{0, 1, 100}, {1, 1, 100}},
            [&](const AnimationFrame& frame) { return ++painted, walk()[frame.step]; }, format, "");
        EXPECT_EQ(writer.progress(), 0);
        EXPECT_TRUE(writer.drawOne());
        EXPECT_GT(writer.progress(), 0.2);
        while (writer.drawOne()) {}
        EXPECT_EQ(writer.progress(), 1);
        EXPECT_EQ(painted, format == AnimationFormat::Gif ? 4u : 2u);
        const std::vector<u8> file = writer.file();
        EXPECT_EQ((format == AnimationFormat::Gif ? decodeGif(file) : decodeApng(file)).frames.size(), 2u);
    }
}

TEST(AnimationTest, APngSaysWhatItShows) {
    for (const char* text : {"lockstep matmul/tiled --set width=64", "lockstep '线程.lks' --view banks"}) {
        const std::vector<u8> file = encodePng(walk().front(), text);
        const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
        EXPECT_NE(bytes.find(text), std::string_view::npos);
        int width = 0, height = 0, channels = 0;
        u8* pixels = stbi_load_from_memory(file.data(), int(file.size()), &width, &height, &channels, 4);
        ASSERT_NE(pixels, nullptr) << stbi_failure_reason();
        stbi_image_free(pixels);
    }
}

}  // namespace
}  // namespace lockstep::viz
