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

}  // namespace
}  // namespace lockstep::app
