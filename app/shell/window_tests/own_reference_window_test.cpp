// The launch form proposes what a kernel's results may be compared with; the verdict says what it was.
#include "app/panels/words.h"
#include "app/shell/window_tests/window_driver.h"
#include "app/state/own_launch.h"
#include "cuda/compiler/nvrtc.h"

#include <fstream>

namespace lockstep::shell {
namespace {

constexpr const char* kTwoKernels =
    R"(__global__ void mm(const float* M, const float* N, float* P, int width) {
    int row = threadIdx.y, col = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
}
__global__ void mm_wrong(const float* M, const float* N, float* P, int width) {
    int row = threadIdx.y, col = threadIdx.x;
    float sum = 0;
    for (int k = 1; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
}
)";
constexpr const char* kMatmul = "matmul:M=0,N=1,P=2,width=8";

TEST(OwnReferenceWindowTest, TheFormProposesWhatFitsAndTheVerdictNamesIt) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) / "lockstep_own_reference.cu";
    std::ofstream(file, std::ios::binary | std::ios::trunc) << kTwoKernels;
    withWindow({}, [&](Hand& hand) {
        hand.awaitRun();
        hand.drop(file.string());
        hand.await([&] { return hand.state().dialog.has_value(); }, "it is asked how to launch it");
        hand.text("//##own kernel/##grid", "1");
        hand.text("//##own kernel/##block", "8,8");
        for (const char* argument : {"0", "1", "2"})
            hand.text(("//##own kernel/##argument " + std::string(argument)).c_str(), "f32[64]=random");
        hand.text("//##own kernel/##argument 3", "i32:8");
        hand.choose("//##own kernel/##references", kMatmul);
        hand.frames(3);
        hand.photograph("own-reference");
        hand.click("//##own kernel/run/##text");
        hand.awaitRun();
        ASSERT_TRUE(hand.state().run->comparison);
        EXPECT_TRUE(hand.state().run->comparison->correct);
        EXPECT_EQ(hand.state().run->recording.check->reference, kMatmul);
        EXPECT_EQ(hand.state().choice.own->references, std::vector<std::string>{kMatmul});
        hand.photograph("own-reference-right");

        hand.click("//##experiment/launch/##text");
        hand.await([&] { return hand.state().dialog.has_value(); }, "the launch is asked again");
        hand.frames(3);
        hand.text("//##own kernel/##reference", "matmul:M=0,N=1,P=7");
        hand.click("//##own kernel/run/##text");
        hand.await([&] { return hand.state().dialog && hand.state().dialog->fault; },
                   "what does not fit is said in the form");
        EXPECT_EQ(app::fieldOf(*hand.state().dialog->fault),
                  (app::LaunchField{app::LaunchField::Kind::Reference}))
            << hand.state().dialog->fault->message.english();
        hand.frames(3);
        hand.photograph("own-reference-mistake");
        hand.choose("//##own kernel/##references", "kernel:mm_wrong");
        hand.click("//##own kernel/run/##text");
        hand.await(
            [&] {
                return !hand.state().dialog && hand.state().run->recording.check &&
                       hand.state().run->recording.check->reference == "kernel:mm_wrong";
            },
            "it is compared with the other kernel");
        hand.awaitRun();
        EXPECT_FALSE(hand.state().run->comparison->correct);
        EXPECT_EQ(hand.state().run->comparison->wrongCount, 64u);
        hand.photograph("own-reference-wrong");
        std::filesystem::remove(file);
    });
}

}  // namespace
}  // namespace lockstep::shell
