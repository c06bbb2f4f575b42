#include "app/shell/drawing/kept_frame.h"

#include "app/shell/drawing/solid_rects.h"
#include "app/shell/window.h"
#include "viz/painters/raster/image.h"

#include <fmt/format.h>
#include <glad/gl.h>
#include <gtest/gtest.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace lockstep::shell {
namespace {

constexpr viz::Color kGround{20, 30, 40, 255};
constexpr f32 kWidth = 640, kHeight = 480;

// ImGui and its OpenGL renderer in an invisible window.
class KeptFrameTest : public ::testing::TestWithParam<f32> {
protected:
    void SetUp() override {
        Expected<Window> opened = Window::open("kept frame", {kWidth, kHeight}, false);
        ASSERT_TRUE(opened) << opened.error().message.english();
        window_.emplace(std::move(*opened));
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        const FrameSize across = frameSize(kWidth, GetParam()), down = frameSize(kHeight, GetParam());
        io.DisplaySize = {across.units, down.units};
        io.DisplayFramebufferScale = {across.scale, down.scale};
        io.DeltaTime = 1.0f / 60;
        ASSERT_TRUE(ImGui_ImplOpenGL3_Init("#version 330 core"));
    }
    void TearDown() override {
        kept_.reset();
        ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext();
        window_.reset();
    }

    template <typename Shapes> static ImDrawData& frameOf(const Shapes& shapes) {
        ImGui_ImplOpenGL3_NewFrame();
        ImGui::NewFrame();
        shapes(*ImGui::GetBackgroundDrawList());
        ImGui::Render();
        return *ImGui::GetDrawData();
    }
    template <typename Shapes> viz::Image kept(const Shapes& shapes) {
        kept_->draw(frameOf(shapes), kGround);
        return window_->picture();
    }
    template <typename Shapes> viz::Image whole(const Shapes& shapes) {
        ImDrawData& data = frameOf(shapes);
        window_->clear(kGround);
        ImGui_ImplOpenGL3_RenderDrawData(&data);
        return window_->picture();
    }

    std::optional<Window> window_;
    std::optional<KeptFrame> kept_{std::in_place};
};

// Where two pictures differ by more than a rounding: the first pixel with both its values, and how many there
// are. A triangle that is cut elsewhere has its half-covered pixels rounded otherwise: by one for each that
// lies over another, as seen with llvmpipe.
std::string differences(const viz::Image& a, const viz::Image& b) {
    std::string first;
    u32 count = 0;
    for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
        if (std::equal(&a.rgba[i], &a.rgba[i] + 4, &b.rgba[i],
                       [](u8 x, u8 y) { return std::abs(x - y) <= 3; }))
            continue;
        if (count++ == 0)
            first = fmt::format("{},{}: {} {} {} and {} {} {}", i / 4 % a.width, i / 4 / a.width, a.rgba[i],
                                a.rgba[i + 1], a.rgba[i + 2], b.rgba[i], b.rgba[i + 1], b.rgba[i + 2]);
    }
    return count == 0 ? "" : fmt::format("{} pixels, the first at {}", count, first);
}

// Shapes that stand, shapes that move and some that come and go, clipped and not, opaque and not, with
// corners between pixels.
void mixedShapes(ImDrawList& list, unsigned frame) {
    std::mt19937 standing(7), moving(frame);
    const auto between = [](std::mt19937& random, f32 from, f32 to) {
        return from + (to - from) * f32(random() % 1000) / 1000;
    };
    const auto color = [](std::mt19937& random) {
        return ImU32(random() | (random() % 2 ? 0xff000000u : 0x60000000u));
    };
    const auto shapes = [&](std::mt19937& random, int count) {
        for (int i = 0; i < count; ++i) {
            const ImVec2 at{between(random, -20, 500), between(random, -20, 400)},
                to{at.x + between(random, 1, 200), at.y + between(random, 1, 120)};
            const ImU32 ink = color(random);
            if (random() % 3 == 0)
                list.PushClipRect({at.x + 3.3f, at.y + 2.7f}, {to.x - 4.6f, to.y + 9.2f}, true);
            else
                list.PushClipRectFullScreen();
            switch (random() % 5) {
                case 0: list.AddRectFilled(at, to, ink, 6); break;
                case 1: list.AddCircle(at, 30, ink, 0, 3); break;
                case 2: list.AddLine(at, to, ink, 1.5f); break;
                case 3: list.AddText(at, ink, "lane 17 reads M[3][5]"); break;
                default: list.AddRectFilled(at, to, ink); break;
            }
            list.PopClipRect();
        }
    };
    shapes(standing, 40);
    if (frame % 4 != 0) shapes(moving, int(frame % 4));
    if (frame % 7 == 3) list.AddRectFilled({0, 0}, {kWidth, kHeight}, IM_COL32(200, 0, 0, 255));
}

TEST_P(KeptFrameTest, IsTheFrameDrawnWhole) {
    for (unsigned frame = 0; frame < 30; ++frame) {
        SCOPED_TRACE(frame);
        const auto shapes = [frame](ImDrawList& list) { mixedShapes(list, frame); };
        const viz::Image drawnWhole = whole(shapes), drawnInPart = kept(shapes);
        ASSERT_EQ(differences(drawnWhole, drawnInPart), "");
    }
}

// Below a pixel's center by less than what OpenGL rounds corners to, and above.
TEST_P(KeptFrameTest, AnEdgeAtACenterIsWhereOpenGLHasIt) {
    const f32 scale = ImGui::GetIO().DisplayFramebufferScale.y;
    for (int k = 0; k < 40; ++k) {
        SCOPED_TRACE(k);
        const f32 top = (f32(40 + 2 * k) + 0.5f + f32(k - 20) / 5000) / scale, bottom = top + 60 / scale;
        const auto shapes = [&](ImDrawList& list) {
            list.AddTriangleFilled({300, 20}, {340, 20}, {320, 60}, IM_COL32_WHITE);
            list.PrimReserve(6, 4);
            list.PrimRect({20, top}, {200, bottom}, IM_COL32(200, 150, 90, 255));
        };
        const viz::Image drawnWhole = whole(shapes), drawnInPart = kept(shapes);
        ASSERT_EQ(differences(drawnWhole, drawnInPart), "");
    }
}

INSTANTIATE_TEST_SUITE_P(Scales, KeptFrameTest,
                         ::testing::Values(0.9f, 1.0f, 1.1f, 1.25f, 1.33f, 1.5f, 2.0f));

// Without OpenGL: what has changed, and what remains to draw.
class ChangedTilesTest : public ::testing::Test {
protected:
    ChangedTilesTest() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
        io.DisplaySize = {kWidth, kHeight};
    }
    ~ChangedTilesTest() override {
        for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
            texture->SetStatus(ImTextureStatus_Destroyed);
        ImGui::DestroyContext();
    }
    static ImDrawData& with(ImVec2 at, ImU32 color = IM_COL32_WHITE) {
        ImGui::NewFrame();
        ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, {kWidth, kHeight}, IM_COL32(9, 9, 9, 255));
        ImGui::GetBackgroundDrawList()->AddCircleFilled(at, 10, color);
        ImGui::Render();
        takeSolidRects(*ImGui::GetDrawData(), 256);
        return *ImGui::GetDrawData();
    }
    ChangedTiles tiles_;
};

TEST_F(ChangedTilesTest, TheFirstFrameIsDrawnWhole) {
    EXPECT_EQ(tiles_.take(with({100, 100})), (std::vector<PixelBox>{{0, 0, int(kWidth), int(kHeight)}}));
}

TEST_F(ChangedTilesTest, TheSameAgainIsNoChange) {
    (void)tiles_.take(with({100, 100}));
    EXPECT_TRUE(tiles_.take(with({100, 100})).empty());
}

TEST_F(ChangedTilesTest, AFrameOfAnotherSizeIsDrawnWhole) {
    (void)tiles_.take(with({100, 100}));
    ImGui::GetIO().DisplaySize.x = kWidth - 1;  // as many tiles as before
    EXPECT_EQ(tiles_.take(with({100, 100})), (std::vector<PixelBox>{{0, 0, int(kWidth) - 1, int(kHeight)}}));
}

TEST_F(ChangedTilesTest, WhatMovedIsDrawnWhereItWasAndWhereItIs) {
    (void)tiles_.take(with({48, 48}));
    const std::vector<PixelBox> boxes = tiles_.take(with({304, 240}));
    const auto holds = [&](int x, int y) {
        return std::ranges::count_if(boxes, [&](const PixelBox& b) {
            return b.left <= x && x < b.right && b.top <= y && y < b.bottom;
        });
    };
    for (const auto& [x, y] :
         {std::pair{38, 48}, {57, 48}, {48, 38}, {48, 57}, {294, 240}, {313, 240}, {304, 230}, {304, 249}})
        EXPECT_EQ(holds(x, y), 1) << x << ' ' << y;
    s64 pixels = 0;
    for (const PixelBox& box : boxes)
        pixels += box.count();
    EXPECT_LE(pixels, 2 * 96 * 96);
}

TEST_F(ChangedTilesTest, AColorAloneIsAChange) {
    (void)tiles_.take(with({48, 48}));
    EXPECT_EQ(tiles_.take(with({48, 48}, IM_COL32(255, 255, 254, 255))).size(), 1u);
}

// OpenGL moves the edge by up to 1/512 of a pixel: onto the center, or not.
TEST_F(ChangedTilesTest, ARectangleWithAnEdgeAtACenterIsNoClear) {
    const auto clears = [](f32 bottom) {
        ImGui::NewFrame();
        ImGui::GetBackgroundDrawList()->PrimReserve(6, 4);  // without soft edges
        ImGui::GetBackgroundDrawList()->PrimRect({20, 20}, {200, bottom}, IM_COL32_WHITE);
        ImGui::Render();
        takeSolidRects(*ImGui::GetDrawData(), 256);
        const ImVector<ImDrawCmd>& commands = ImGui::GetDrawData()->CmdLists[0]->CmdBuffer;
        return std::ranges::count_if(commands, [](const ImDrawCmd& c) { return c.UserCallback != nullptr; });
    };
    EXPECT_EQ(clears(100.4f), 1);
    EXPECT_EQ(clears(100.4984f), 0);
    EXPECT_EQ(clears(100.5f), 0);
    EXPECT_EQ(clears(101), 1);
}

TEST_F(ChangedTilesTest, WhatDoesNotShowInTheBoxesIsLeftOut) {
    (void)tiles_.take(with({48, 48}));
    ImDrawData& data = with({304, 240});
    (void)tiles_.take(data);
    tiles_.cutDown(data, {{0, 0, 32, 32}});
    const ImDrawList& list = *data.CmdLists[0];
    ASSERT_EQ(list.CmdBuffer.Size, 1);
    EXPECT_EQ(solidBox(list.CmdBuffer[0]), (PixelBox{0, 0, 32, 32}));
    EXPECT_EQ(solidColor(list.CmdBuffer[0]), IM_COL32(9, 9, 9, 255));
    EXPECT_EQ(list.IdxBuffer.Size, 0);
}

}  // namespace
}  // namespace lockstep::shell
