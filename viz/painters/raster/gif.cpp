// GIF by giflib.
#include "base/check.h"
#include "viz/painters/raster/animation.h"

#include <algorithm>
#include <gif_lib.h>
#include <utility>

namespace lockstep::viz {
namespace {

int append(GifFileType* gif, const GifByteType* bytes, int count) {
    auto& out = *static_cast<std::vector<u8>*>(gif->UserData);
    out.insert(out.end(), bytes, bytes + count);
    return count;
}

// Into memory nothing fails but for our own mistakes.
void must(int status) { CHECK(status == GIF_OK, "what giflib is given makes a GIF"); }

class Gif : public Animation {
public:
    Gif(Palette palette, std::string comment) : palette_(std::move(palette)), comment_(std::move(comment)) {}
    ~Gif() override {
        if (gif_) EGifCloseFile(gif_, nullptr);
    }

    void add(const Image& frame, u32 milliseconds) override {
        if (!gif_) open(frame.width, frame.height);
        const ImageBox box =
            last_.rgba.empty() ? ImageBox{0, 0, frame.width, frame.height} : changedBox(last_, frame);
        milliseconds_ += milliseconds;
        if (box.width == 0) return;
        flush(milliseconds_ - milliseconds);
        last_ = frame;
        box_ = box;
    }

    std::vector<u8> finish() override {
        CHECK(gif_ != nullptr, "an animation has a frame");
        flush(milliseconds_);
        must(EGifCloseFile(std::exchange(gif_, nullptr), nullptr));
        return std::move(bytes_);
    }

private:
    void open(u32 width, u32 height) {
        gif_ = EGifOpen(&bytes_, append, nullptr);
        CHECK(gif_ != nullptr, "memory for a GIF");
        EGifSetGifVersion(gif_, true);
        const u32 colors = std::max<u32>(2, u32(1) << GifBitSize(int(palette_.size())));
        ColorMapObject* map = GifMakeMapObject(int(colors), nullptr);
        CHECK(map != nullptr, "memory for a palette");
        for (std::size_t i = 0; i < palette_.size(); ++i)
            map->Colors[i] = {palette_[i][0], palette_[i][1], palette_[i][2]};
        must(EGifPutScreenDesc(gif_, int(width), int(height), 8, 0, map));
        GifFreeMapObject(map);
        // Played for ever, as browsers understand it: the application block NETSCAPE2.0.
        constexpr std::array<u8, 3> kForEver{1, 0, 0};
        must(EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE));
        must(EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0"));
        must(EGifPutExtensionBlock(gif_, int(kForEver.size()), kForEver.data()));
        must(EGifPutExtensionTrailer(gif_));
        if (!comment_.empty()) must(EGifPutComment(gif_, comment_.c_str()));
    }

    // Writes the frame that lasts until `end`. Times are rounded to hundredths from the start, so that
    // nothing adds up.
    void flush(u64 end) {
        if (last_.rgba.empty()) return;
        const u64 hundredths = (end + 5) / 10, since = (begun_ + 5) / 10;
        const GraphicsControlBlock control{.DisposalMode = DISPOSE_DO_NOT,
                                           .UserInputFlag = false,
                                           .DelayTime = int(std::min<u64>(hundredths - since, 65535)),
                                           .TransparentColor = NO_TRANSPARENT_COLOR};
        begun_ = end;
        std::array<GifByteType, 4> extension{};
        EGifGCBToExtension(&control, extension.data());
        must(EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, int(extension.size()), extension.data()));
        must(EGifPutImageDesc(gif_, int(box_.x), int(box_.y), int(box_.width), int(box_.height), false,
                              nullptr));
        std::vector<GifPixelType> row(box_.width);
        for (u32 y = box_.y; y < box_.y + box_.height; ++y) {
            for (u32 x = 0; x < box_.width; ++x)
                row[x] = nearest(&last_.rgba[(std::size_t{y} * last_.width + box_.x + x) * 4]);
            must(EGifPutLine(gif_, row.data(), int(row.size())));
        }
    }

    u8 nearest(const u8* rgb) {
        const u32 color = u32{rgb[0]} << 16 | u32{rgb[1]} << 8 | rgb[2];
        const auto [at, isNew] = nearest_.try_emplace(color, u8{0});
        if (!isNew) return at->second;
        u32 least = ~0u;
        for (std::size_t i = 0; i < palette_.size() && least > 0; ++i) {
            u32 sum = 0;
            for (std::size_t c = 0; c < 3; ++c)
                sum += u32((int(palette_[i][c]) - int(rgb[c])) * (int(palette_[i][c]) - int(rgb[c])));
            if (sum < least) least = sum, at->second = u8(i);
        }
        return at->second;
    }

    Palette palette_;
    std::string comment_;
    std::vector<u8> bytes_;
    GifFileType* gif_ = nullptr;
    Image last_;    // on show, not yet written
    ImageBox box_;  // of it: what differs from the frame before
    u64 begun_ = 0, milliseconds_ = 0;
    std::unordered_map<u32, u8> nearest_;
};

}  // namespace

std::unique_ptr<Animation> gifAnimation(Palette palette, std::string comment) {
    return std::make_unique<Gif>(std::move(palette), std::move(comment));
}

}  // namespace lockstep::viz
