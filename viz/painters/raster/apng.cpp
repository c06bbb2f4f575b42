// APNG (W3C PNG Specification, third edition, section 11.3.6): the chunks of single PNG pictures, numbered
// and timed.
#include "base/check.h"
#include "viz/painters/raster/animation.h"
#include "viz/painters/raster/png_chunks.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

class Apng : public Animation {
public:
    explicit Apng(std::string comment) : comment_(std::move(comment)) {}

    void add(const Image& frame, u32 milliseconds) override {
        const bool isFirst = last_.rgba.empty();
        const ImageBox box = isFirst ? ImageBox{0, 0, frame.width, frame.height} : changedBox(last_, frame);
        if (box.width == 0) return void(milliseconds_ += milliseconds);
        flush();
        last_ = frame;
        box_ = box;
        milliseconds_ = milliseconds;
    }

    std::vector<u8> finish() override {
        CHECK(!last_.rgba.empty(), "an animation has a frame");
        flush();
        std::vector<u8> out(kPngSignature.begin(), kPngSignature.end());
        appendChunk(out, "IHDR", header_);
        std::vector<u8> control;
        appendBigEndian(control, frames_);
        appendBigEndian(control, u32{0});  // for ever
        appendChunk(out, "acTL", control);
        if (!comment_.empty())
            appendText(out, "Software", "Lockstep"), appendText(out, "Description", comment_);
        out.insert(out.end(), body_.begin(), body_.end());
        appendChunk(out, "IEND", {});
        return out;
    }

private:
    // Writes the frame on show: its place and time, then its pixels.
    void flush() {
        if (last_.rgba.empty()) return;
        const bool isFirst = frames_++ == 0;
        const std::vector<u8> png = encodePng(cropped(last_, box_));
        std::vector<u8> control, pixels;
        appendBigEndian(control, sequence_++);
        for (const u32 value : {box_.width, box_.height, box_.x, box_.y})
            appendBigEndian(control, value);
        const bool isLong = milliseconds_ > 65535;
        appendBigEndian(control, u16(isLong ? std::min<u64>(milliseconds_ / 1000, 65535) : milliseconds_));
        appendBigEndian(control, u16(isLong ? 1 : 1000));
        control.insert(control.end(), {0, 0});  // stays as it is, covers what was there
        appendChunk(body_, "fcTL", control);
        if (!isFirst) appendBigEndian(pixels, sequence_++);
        for (const PngChunk& chunk : pngChunks(png)) {
            if (isFirst && chunk.type == "IHDR") header_.assign(chunk.data.begin(), chunk.data.end());
            if (chunk.type == "IDAT") pixels.insert(pixels.end(), chunk.data.begin(), chunk.data.end());
        }
        appendChunk(body_, isFirst ? "IDAT" : "fdAT", pixels);
    }

    std::string comment_;
    std::vector<u8> header_, body_;
    Image last_;
    ImageBox box_;
    u64 milliseconds_ = 0;
    u32 frames_ = 0, sequence_ = 0;
};

}  // namespace

std::unique_ptr<Animation> apngAnimation(std::string comment) {
    return std::make_unique<Apng>(std::move(comment));
}

}  // namespace lockstep::viz
