// The program's six fonts: advance widths for layout, outlines for the raster painter. Each character is
// looked up in its face's Latin font and, where that has none, in Noto Sans CJK SC. No kerning and no
// ligatures, so that a text is as wide in the window, in SVG and in PNG. Several threads may
// measure at once.
#pragma once

#include "base/expected.h"
#include "viz/scene/text_metrics.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

struct stbtt_fontinfo;

namespace lockstep::viz {

struct Glyph {
    u32 font = 0;   // 0..5: into kFontFiles
    int index = 0;  // within that font; 0 = missing
};

struct FontFile {
    std::string_view file, family;
    int weight;
    u32 face;
};  // face: within a .ttc
// Inter Regular, Inter SemiBold, JetBrains Mono Regular, SemiBold, Noto Sans CJK SC Regular, Bold.
std::span<const FontFile> fontFiles();

class Fonts : public TextMetrics {
public:
    // `folder` holds the files of fontFiles().
    static Expected<Fonts> load(const std::filesystem::path& folder);
    Fonts(Fonts&&) noexcept;
    Fonts& operator=(Fonts&&) noexcept;
    ~Fonts() override;

    f32 width(std::string_view text, f32 size, Face face) const override;

    Glyph glyph(char32_t character, Face face) const;
    f32 advance(Glyph glyph, f32 size) const;
    const stbtt_fontinfo& info(u32 font) const;
    std::span<const u8> bytes(u32 font) const;  // the file's, for the window's own atlas
    f32 scale(u32 font, f32 size) const;        // outline units to pixels, for `size` pixels an em

private:
    struct Data;
    explicit Fonts(std::unique_ptr<Data> data);
    std::unique_ptr<Data> data_;
};

}  // namespace lockstep::viz
