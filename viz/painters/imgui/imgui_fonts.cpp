#include "viz/painters/imgui/imgui_fonts.h"

#include <imgui.h>
#include <stb/stb_truetype.h>

namespace lockstep::viz {
namespace {

constexpr u32 kChinese = 4, kChineseBold = 5;  // of fontFiles()

f32 heightOfEm(const Fonts& fonts, u32 font) {
    int ascent = 0, descent = 0, gap = 0;
    stbtt_GetFontVMetrics(&fonts.info(font), &ascent, &descent, &gap);
    return f32(ascent - descent) * fonts.scale(font, 1);
}

ImFont* add(const Fonts& fonts, u32 font, f32 sizeScale, bool merge) {
    const std::span<const u8> bytes = fonts.bytes(font);
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.FontNo = fontFiles()[font].face;
    config.MergeMode = merge;
    config.PixelSnapH = false;
    config.ExtraSizeScale = sizeScale;
    // The atlas only reads; its signature dates from before const.
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<u8*>(bytes.data()), int(bytes.size()), 0.0f,
                                                      &config);
}

}  // namespace

ImGuiFonts addFonts(const Fonts& fonts) {
    ImGuiFonts result;
    for (u32 face = 0; face < result.faces.size(); ++face) {
        const bool bold = Face(face) == Face::TextBold || Face(face) == Face::MonoBold;
        const u32 chinese = bold ? kChineseBold : kChinese;
        result.heightOfEm[face] = heightOfEm(fonts, face);
        result.faces[face] = add(fonts, face, 1, false);
        add(fonts, chinese, heightOfEm(fonts, chinese) / result.heightOfEm[face], true);
    }
    return result;
}

}  // namespace lockstep::viz
