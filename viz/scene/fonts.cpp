// Loads the font files and measures texts.
#include "viz/scene/fonts.h"

#include "base/check.h"
#include "base/files/mapped_file.h"
#include "base/text/utf8.h"

#include <stb/stb_truetype.h>

#include <array>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace lockstep::viz {
namespace {

// Of the .ttc's faces, 2 is SC (0 JP, 1 KR, 2 SC, 3 TC, 4 HK).
constexpr std::array<FontFile, 6> kFontFiles{{
    {"Inter-Regular.otf", "Inter", 400, 0},
    {"Inter-SemiBold.otf", "Inter", 600, 0},
    {"JetBrainsMono-Regular.ttf", "JetBrains Mono", 400, 0},
    {"JetBrainsMono-SemiBold.ttf", "JetBrains Mono", 600, 0},
    {"NotoSansCJK-Regular.ttc", "Noto Sans CJK SC", 400, 2},
    {"NotoSansCJK-Bold.ttc", "Noto Sans CJK SC", 700, 2},
}};

constexpr u32 latinFont(Face face) { return u32(face); }
constexpr u32 chineseFont(Face face) { return face == Face::TextBold || face == Face::MonoBold ? 5 : 4; }

}  // namespace

std::span<const FontFile> fontFiles() { return kFontFiles; }

struct Fonts::Data {
    struct Font {
        std::optional<MappedFile> file;
        stbtt_fontinfo info;
        f32 emScale = 0;
    };
    std::array<Font, kFontFiles.size()> fonts;
    // Look-ups repeat every frame; a cache per face and character.
    struct Found {
        Glyph glyph;
        f32 unitAdvance = 0;
    };
    mutable std::array<std::unordered_map<char32_t, Found>, 4> cache;
    mutable std::mutex mutex;  // of the cache

    // Under the lock; what is found stays where it is.
    const Found& find(char32_t character, Face face) const {
        auto& known = cache[u32(face)];
        if (const auto it = known.find(character); it != known.end()) return it->second;
        Glyph glyph{latinFont(face), stbtt_FindGlyphIndex(&fonts[latinFont(face)].info, int(character))};
        if (glyph.index == 0) {
            const Glyph chinese{chineseFont(face),
                                stbtt_FindGlyphIndex(&fonts[chineseFont(face)].info, int(character))};
            if (chinese.index != 0) glyph = chinese;
        }
        int advance = 0;
        stbtt_GetGlyphHMetrics(&fonts[glyph.font].info, glyph.index, &advance, nullptr);
        return known.emplace(character, Found{glyph, f32(advance) * fonts[glyph.font].emScale}).first->second;
    }
};

Fonts::Fonts(std::unique_ptr<Data> data) : data_(std::move(data)) {}
Fonts::Fonts(Fonts&&) noexcept = default;
Fonts& Fonts::operator=(Fonts&&) noexcept = default;
Fonts::~Fonts() = default;

Expected<Fonts> Fonts::load(const std::filesystem::path& folder) {
    auto data = std::make_unique<Data>();
    for (std::size_t i = 0; i < kFontFiles.size(); ++i) {
        const std::filesystem::path path = folder / kFontFiles[i].file;
        Data::Font& font = data->fonts[i];
        font.file = MappedFile::open(path);
        if (!font.file || font.file->bytes().size() < 12)
            return fail(FaultKind::NotFound,
                        Message(english("The font {0} cannot be read; the program's fonts belong in its "
                                        "share folder, install it again."),
                                path.string()));
        const u8* const bytes = font.file->bytes().data();
        const int offset = stbtt_GetFontOffsetForIndex(bytes, int(kFontFiles[i].face));
        if (offset < 0 || !stbtt_InitFont(&font.info, bytes, offset))
            return fail(
                FaultKind::Damaged,
                Message(english("The font {0} is not a font; install the program again."), path.string()));
        font.emScale = stbtt_ScaleForMappingEmToPixels(&font.info, 1);
    }
    return Fonts(std::move(data));
}

f32 Fonts::width(std::string_view text, f32 size, Face face) const {
    const std::scoped_lock lock(data_->mutex);
    f32 units = 0;
    while (!text.empty())
        units += data_->find(takeCharacter(text), face).unitAdvance;
    return units * size;
}

Glyph Fonts::glyph(char32_t character, Face face) const {
    const std::scoped_lock lock(data_->mutex);
    return data_->find(character, face).glyph;
}

f32 Fonts::advance(Glyph glyph, f32 size) const {
    int advance = 0;
    stbtt_GetGlyphHMetrics(&info(glyph.font), glyph.index, &advance, nullptr);
    return f32(advance) * scale(glyph.font, size);
}

const stbtt_fontinfo& Fonts::info(u32 font) const {
    CHECK_LT(font, data_->fonts.size(), "glyphs come from glyph()");
    return data_->fonts[font].info;
}

std::span<const u8> Fonts::bytes(u32 font) const {
    CHECK_LT(font, data_->fonts.size(), "one of fontFiles()");
    return data_->fonts[font].file->bytes();
}

f32 Fonts::scale(u32 font, f32 size) const {
    CHECK_LT(font, data_->fonts.size(), "glyphs come from glyph()");
    return data_->fonts[font].emScale * size;
}

}  // namespace lockstep::viz
