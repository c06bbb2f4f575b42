// A whole program in the window: run on request, its timeline, its launches in all views, and programs that
// end badly.
#include "app/shell/window_tests/window_driver.h"
#include "operations/report.h"
#include "viz/scene/scene_text.h"

#include <cstdlib>
#include <fstream>

namespace lockstep::shell {
namespace {

// Two kernels, a copy each way, an error that is never checked.
constexpr const char* kTwoKernels = R"(#include <cstdio>

__global__ void scale(float* data, float by) { data[threadIdx.x] *= by; }
__global__ void reverse(const float* in, float* out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

int main(int argc, char** argv) {
    float host[64], *data, *result;
    for (int i = 0; i < 64; ++i) host[i] = i;
    cudaMalloc(&data, sizeof host);
    cudaMalloc(&result, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    scale<<<1, 64>>>(data, 2);
    reverse<<<1, 64>>>(data, result);
    cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %s\n", host[0], argc > 1 ? argv[1] : "-");
    cudaFree(data);
}
)";

bool hasClang() { return std::system("command -v clang++ > /dev/null 2>&1") == 0; }

class ProgramWindowTest : public testing::Test {
protected:
    void SetUp() override {
        if (!hasClang()) GTEST_SKIP() << "programs need clang (scripts/setup test installs it)";
        if (!std::filesystem::exists(lockstep())) GTEST_SKIP() << "the program itself is not built";
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    static std::filesystem::path lockstep() {
        return std::filesystem::path(LOCKSTEP_BINARY_DIR) / "lockstep";
    }
    std::string file(const char* name, const char* text) const {
        std::ofstream(folder_ / name, std::ios::trunc) << text;
        return (folder_ / name).string();
    }
    void withProgram(const char* text, const std::function<void(Hand&)>& work) const {
        const std::string path = file("program.cu", text);
        withWindow(
            [&](Request& request) {
                request.executable = lockstep().string();
                request.exportFolder = folder_.string();
            },
            [&](Hand& hand) {
                hand.awaitRun();
                hand.drop(path);
                hand.await([&] { return hand.state().program.canRun(); }, "it is seen to be a program");
                hand.await([&] { return hand.state().dialog || hand.state().program.open; },
                           "its kernels are looked for");
                EXPECT_FALSE(hand.state().program.isUnderWay) << "opening a file runs nothing";
                work(hand);
            });
    }
    static void awaitEnd(Hand& hand) {
        hand.await(
            [&] {
                return !hand.state().program.isUnderWay &&
                       (hand.state().program.report || hand.state().program.fault);
            },
            "the program ends");
    }
    static std::string status(const Hand& hand) {
        const app::ProgramState& program = hand.state().program;
        return program.fault ? describe(*program.fault) : operations::endingOf(*program.report).english();
    }
    static ImVec2 middleOf(Hand& hand, std::optional<u64> operation, std::optional<u32> buffer = {}) {
        for (const app::ProgramPage::Place& place : hand.window().program().places())
            if (place.operation == operation && place.buffer == buffer)
                return {place.rect.x + place.rect.width / 2, place.rect.y + place.rect.height / 2};
        ADD_FAILURE() << "it is not in the timeline";
        return {};
    }
    // Nothing of its head and its sentences is cut.
    static void expectWhole(Hand& hand) {
        std::vector<app::DrawnText> texts;
        hand.listTexts(&texts);
        hand.listTexts(nullptr);
        for (const app::DrawnText& text : texts)
            if (text.window == "##programhead" || text.window == "##programstatus" ||
                text.window == "##programfollowed") {
                EXPECT_LE(text.box.right(), text.clip.right() + 1) << text.text;
                EXPECT_LE(text.box.bottom(), text.clip.bottom() + 1) << text.text;
            }
    }
    static void clickAt(Hand& hand, ImVec2 at) { hand.drag(at, at); }

    const std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) / "lockstep-program";
};

TEST_F(ProgramWindowTest, ALaunchIsOpenedFromTheTimelineAndComeBackFrom) {
    withProgram(kTwoKernels, [&](Hand& hand) {
        hand.photograph("program-dialog");
        hand.click("//##own kernel/run program/##text");
        EXPECT_TRUE(hand.state().program.open);
        EXPECT_FALSE(hand.state().dialog);
        awaitEnd(hand);
        ASSERT_TRUE(hand.state().program.report) << status(hand);
        EXPECT_EQ(hand.state().program.printed, "126 -\n");
        EXPECT_EQ(hand.state().program.report->launchCount, 2u);
        EXPECT_EQ(hand.state().program.report->operations.list.size(), 4u);
        hand.photograph("program-timeline");

        clickAt(hand, middleOf(hand, {}, 1));
        EXPECT_EQ(hand.state().program.followed, 1u);
        EXPECT_TRUE(hand.isDrawn("last written by kernel reverse, launch 2; copied to the host at line 19"));
        hand.photograph("program-followed");
        for (const viz::Size size : {viz::Size{1440, 900}, viz::Size{1280, 720}}) {
            hand.resize(size);
            for (const char* look : {"dark-en", "dark-zh", "light-zh", "light-en"}) {
                if (look != std::string("dark-en"))
                    hand.press(std::string(look) == "light-zh" ? ImGuiKey_T : ImGuiKey_L);
                expectWhole(hand);
                hand.photograph("program-" + std::to_string(int(size.width)) + "-" + look);
            }
            hand.press(ImGuiKey_T), hand.press(ImGuiKey_T);  // dark again
        }

        clickAt(hand, middleOf(hand, 2));
        hand.await([&] { return !hand.state().program.open; }, "the launch is opened");
        ASSERT_TRUE(hand.state().run);
        EXPECT_EQ(hand.state().run->recording.entry, "reverse");
        EXPECT_EQ(hand.state().choice.launch->number, 2u);
        EXPECT_FALSE(hand.state().run->recording.initial.empty());
        EXPECT_EQ(hand.state().run->recording.initial.front().name, "in");
        EXPECT_FALSE(hand.scene("stage").marks.empty());
        hand.bringUp("banks");
        EXPECT_FALSE(hand.scene("banks").marks.empty());
        hand.photograph("program-launch");
        hand.bringUp("findings");
        EXPECT_NE(viz::tableText(hand.scene("findings")).find("is never freed"), std::string::npos)
            << "what was found in host code stands there, too";
        hand.photograph("program-launch-findings");

        hand.click("//##experiment/program/##text");
        EXPECT_TRUE(hand.state().program.open);
        hand.press(ImGuiKey_Escape);
        EXPECT_FALSE(hand.state().program.open);

        hand.press(ImGuiMod_Ctrl | ImGuiKey_3);
        hand.await([&] { return hand.state().compared.run && !hand.state().compared.job.running; },
                   "the other launch is beside it");
        EXPECT_EQ(hand.state().compared.choice->launch->number, 1u);
        hand.photograph("program-compare");
    });
}

TEST_F(ProgramWindowTest, ArgumentsAreTypedAndKeptForTheFile) {
    withProgram(kTwoKernels, [&](Hand& hand) {
        hand.press(ImGuiKey_Escape);
        hand.press(ImGuiKey_F4);
        EXPECT_TRUE(hand.state().program.open);
        hand.write("//##programhead/##arguments", "'two words'");
        hand.press(ImGuiKey_F5);
        awaitEnd(hand);
        EXPECT_EQ(hand.state().program.printed, "126 two words\n");
    });
}

TEST_F(ProgramWindowTest, AProgramOfTwoFilesIsRunFromTheForm) {
    (void)file("kernels.cu",
               "__global__ void fill(int* a) { a[threadIdx.x] = WIDTH; }\n"
               "void launch(int* a) { fill<<<1, WIDTH>>>(a); }\n");
    withProgram(
        "#include <cstdio>\n__global__ void unused() {}\nvoid launch(int* a);\n"
        "int main() { int* a; cudaMallocManaged(&a, 256); launch(a); cudaDeviceSynchronize(); "
        "printf(\"%d\\n\", a[3]); }\n",
        [&](Hand& hand) {
            ASSERT_TRUE(hand.state().dialog);
            hand.press(ImGuiKey_F5);
            EXPECT_FALSE(hand.state().dialog) << "F5 does what the form's button does";
            awaitEnd(hand);
            ASSERT_TRUE(hand.state().program.fault) << "the other file is missing";
            hand.write("//##programhead/##compile", "kernels.cu -DWIDTH=8");
            hand.press(ImGuiKey_F5);
            awaitEnd(hand);
            ASSERT_TRUE(hand.state().program.report) << status(hand);
            EXPECT_EQ(hand.state().program.printed, "8\n");
            EXPECT_TRUE(hand.isDrawn("The program ended with status 0. No problems found, but 1 remark."));
            hand.photograph("program-two-files");
        });
}

TEST_F(ProgramWindowTest, RoundsOfALoopAreOpenedFromTheTimeline) {
    withProgram(
        "__global__ void add(int* a, int by) { a[threadIdx.x] += by; }\n"
        "int main() { int* a; cudaMalloc(&a, 128); for (int i = 0; i < 5; ++i) add<<<1, 32>>>(a, i); "
        "cudaDeviceSynchronize(); cudaFree(a); }\n",
        [&](Hand& hand) {
            hand.press(ImGuiKey_F5);
            awaitEnd(hand);
            ASSERT_TRUE(hand.state().program.report) << status(hand);
            EXPECT_TRUE(hand.isDrawn("The program ended with status 0. No problems found."));
            clickAt(hand, middleOf(hand, 0));
            hand.photograph("program-rounds");
            EXPECT_TRUE(hand.isDrawn("Open which of 5 launches?"));
            hand.chooseOpen("Launch 4, round 4");
            hand.await([&] { return !hand.state().program.open; }, "the launch is opened");
            EXPECT_EQ(hand.state().choice.launch->number, 4u);
        });
}

TEST_F(ProgramWindowTest, TheTimelineIsSavedAsAPicture) {
    withProgram(kTwoKernels, [&](Hand& hand) {
        hand.press(ImGuiKey_F5);
        awaitEnd(hand);
        hand.click("//##programhead/save timeline/##text");
        const std::filesystem::path saved =
            std::filesystem::path(hand.state().exportFolder) / "program-timeline.svg";
        hand.await([&] { return std::filesystem::exists(saved); }, "it is written");
        std::filesystem::remove(saved);
    });
}

TEST_F(ProgramWindowTest, AnEndlessLoopIsCanceled) {
    withProgram(
        "#include <cstdio>\n__global__ void k() {}\n"
        "int main() { k<<<1, 32>>>(); printf(\"begun\\n\"); fflush(stdout); for (volatile int i = 0;;) i = "
        "1; }\n",
        [&](Hand& hand) {
            hand.press(ImGuiKey_Escape);
            hand.press(ImGuiKey_F5);
            hand.await(
                [&] {
                    return hand.state().program.printed == "begun\n" && hand.state().program.launches == 1;
                },
                "it runs");
            hand.click("//##programhead/cancel program/##text");
            awaitEnd(hand);
            ASSERT_TRUE(hand.state().program.report) << status(hand);
            EXPECT_EQ(hand.state().program.report->end, operations::End::Cancelled);
            EXPECT_EQ(status(hand), "Canceled: what is shown is what it did until then.");
            hand.photograph("program-canceled");
        });
}

TEST_F(ProgramWindowTest, WhatDoesNotCompileIsSaid) {
    withProgram("__global__ void k() {}\nint main() { return undeclared; }\n", [&](Hand& hand) {
        hand.press(ImGuiKey_Escape);
        hand.press(ImGuiKey_F5);
        awaitEnd(hand);
        ASSERT_TRUE(hand.state().program.fault);
        EXPECT_NE(status(hand).find("undeclared"), std::string::npos) << status(hand);
        hand.photograph("program-not-compiled");
        EXPECT_TRUE(hand.state().run) << "what is on show stays";
    });
}

TEST_F(ProgramWindowTest, BadProgramsEndInASentence) {
    struct Case {
        const char *text, *sentence;
    };
    const Case cases[] = {
        {"int main() { *(volatile int*)8 = 1; }\n",
         "The program crashed (segmentation fault): it used a null pointer. At line 2."},
        {"#include <cstdlib>\nint main() { exit(3); }\n", "The program ended with status 3."},
        {"#include <cstdio>\nint main() { int n = 5; return scanf(\"%d\", &n) == 1 ? 1 : 0; }\n",
         "The program ended with status 0."},
        {"#include <cstdio>\nint main() { for (int i = 0; i < 40000000; ++i) puts(\"flood\"); }\n",
         "The program was stopped: it printed more than 64 MiB."},
        {"#include <unistd.h>\nint main() { for (int i = 0; i < 4; ++i) if (fork() == 0) pause(); }\n",
         "The program ended with status 0."},
    };
    const auto textOf = [](const Case& one) { return std::string("__global__ void k() {}\n") + one.text; };
    withProgram(textOf(cases[0]).c_str(), [&](Hand& hand) {
        hand.press(ImGuiKey_Escape);
        for (const Case& one : cases) {
            (void)file("program.cu", textOf(one).c_str());  // what is run is what was saved last
            hand.press(ImGuiKey_F5);
            hand.await([&] { return hand.state().program.isUnderWay; }, "it begins");
            awaitEnd(hand);
            EXPECT_EQ(status(hand), one.sentence) << one.text;
            EXPECT_LE(hand.state().program.printed.size(), app::ProgramState::kMostOutput);
        }
    });
}

}  // namespace
}  // namespace lockstep::shell
