// What the launch form offers to check a result against, and which field a mistake in it is about.
#include "app/state/own_launch.h"

#include <gtest/gtest.h>

namespace lockstep::app {
namespace {

OwnKernelDialog question() {
    const std::string f = "f32[64]=random";
    OwnKernelDialog dialog;
    dialog.kernel.file = "/a/mm.cu";
    dialog.kernel.entry = "mm";
    dialog.kernel.grid = "1";
    dialog.kernel.block = "8,8";
    dialog.kernel.arguments = {f, f, f, "i32:8"};
    dialog.found = {
        {"mm", "mm(float const*, float const*, float*, int)", dialog.kernel.arguments, {"a", "b", "c", "w"}},
        {"mm_fast", "mm_fast(float const*, float const*, float*, int)", dialog.kernel.arguments},
        {"clear", "clear(float*)", {f}}};
    return dialog;
}

TEST(OwnReferencesTest, AreProposedFromTheFormAsItIsFilledIn) {
    const OwnKernelDialog dialog = question();
    EXPECT_EQ(proposedReferences(dialog, dialog.kernel),
              (std::vector<std::string>{"matmul:M=0,N=1,P=2,width=8", "kernel:mm_fast", "2=expected.npy"}));
    OwnKernel smaller = dialog.kernel;
    smaller.arguments = {"f32[16]=random", "f32[16]=random", "f32[16]=zero", "i32:4"};
    EXPECT_EQ(proposedReferences(dialog, smaller).front(), "matmul:M=0,N=1,P=2,width=4");
    OwnKernel template_ = dialog.kernel;
    template_.entry = "mm<8>";
    EXPECT_TRUE(proposedReferences(dialog, template_).empty());
}

TEST(OwnReferencesTest, AMistakeIsAboutTheirField) {
    OwnKernel kernel = question().kernel;
    kernel.references = {"matmul:M"};
    const Expected<run::FileRequest> request = requestOf(kernel);
    ASSERT_FALSE(request);
    EXPECT_EQ(fieldOf(request.error()), LaunchField{LaunchField::Kind::Reference})
        << request.error().message.english();
    kernel.references = {"matmul:M=0", "2=x.npy"};
    EXPECT_EQ(requestOf(kernel)->references, kernel.references);
}

TEST(OwnLaunchTest, NumbersMayBeWrittenAsPeopleDo) {
    struct Case {
        const char *grid, *block, *shared;
        Dim3 grids, blocks;
        u32 bytes;
    };
    constexpr Case cases[] = {{"4", "256", "0", {4, 1, 1}, {256, 1, 1}, 0},
                              {"64*1024", "16, 16", "48K", {65536, 1, 1}, {16, 16, 1}, 49152},
                              {"2^10,1K,2", "1 , 2 , 3", "1,024", {1024, 1024, 2}, {1, 2, 3}, 1024},
                              {"1e6", "8*8", "2 KiB", {1000000, 1, 1}, {64, 1, 1}, 2048}};
    OwnKernel kernel = question().kernel;
    for (const Case& c : cases) {
        kernel.grid = c.grid, kernel.block = c.block, kernel.shared = c.shared;
        const Expected<run::FileRequest> request = requestOf(kernel);
        ASSERT_TRUE(request) << c.grid << ": " << request.error().message.english();
        EXPECT_EQ(request->grid, c.grids) << c.grid;
        EXPECT_EQ(request->block, c.blocks) << c.block;
        EXPECT_EQ(request->dynamicSharedBytes, c.bytes) << c.shared;
    }
    kernel = question().kernel;
    for (const char* grid : {"1,024", "1,000,000", "1,,2", "1,2,3,4", "0", "-1", "5G", "16 x 16", ""}) {
        kernel.grid = grid;
        const Expected<run::FileRequest> request = requestOf(kernel);
        ASSERT_FALSE(request) << grid << " may be a thousand or two numbers";
        EXPECT_EQ(request.error().kind == FaultKind::Usage, *grid != '\0') << grid;
    }
    kernel = question().kernel;
    for (const char* shared : {"", "48KB", "-1", "1.5", "5G"}) {
        kernel.shared = shared;
        const Expected<run::FileRequest> request = requestOf(kernel);
        ASSERT_FALSE(request) << shared;
        EXPECT_EQ(fieldOf(request.error()), LaunchField{LaunchField::Kind::Shared}) << shared;
    }
}

}  // namespace
}  // namespace lockstep::app
