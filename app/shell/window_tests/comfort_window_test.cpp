// Convenience features: presenting, the palette, layouts, recent experiments, files dropped and watched.
#include "app/shell/files/preferences.h"
#include "app/shell/files/recent_file.h"
#include "app/shell/window_tests/window_driver.h"
#include "app/state/own_launch.h"
#include "cuda/compiler/nvrtc.h"

#include <fstream>

namespace lockstep::shell {
namespace {

class Folder {
public:
    explicit Folder(const char* name) : path_(std::filesystem::path(::testing::TempDir()) / name) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path operator/(const char* name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

TEST(EnlargingWindowTest, AViewHasTheWholeWidthAndGoesBack) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const f32 before = hand.scene("stage").size.width;
        hand.press(ImGuiKey_Z);
        hand.frames(3);
        EXPECT_TRUE(Hand::windowOf("##enlarged")->Active);
        EXPECT_FALSE(Hand::windowOf("##experiment")->Active);
        EXPECT_GT(hand.scene("stage").size.width, 1.5f * before);
        hand.photograph("enlarged-stage");
        hand.press(ImGuiKey_Escape);
        hand.frames(4);
        EXPECT_FALSE(Hand::windowOf("##enlarged")->Active);
        EXPECT_NEAR(hand.scene("stage").size.width, before, 1);
        hand.doubleClickTab("sectors");
        hand.frames(3);
        EXPECT_EQ(hand.state().enlarged.at("explore"), "sectors");
        hand.click("//##enlargedbar/restore/##icon");
        hand.frames(4);
        EXPECT_FALSE(Hand::windowOf("##enlarged")->Active);
        EXPECT_FALSE(hand.scene("sectors").marks.empty());
    });
}

TEST(PresentingWindowTest, FillsTheScreenAndObeysARemote) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const viz::Size before{ImGui::GetMainViewport()->Size.x, ImGui::GetMainViewport()->Size.y};
        hand.press(ImGuiKey_F11);
        EXPECT_TRUE(hand.state().presenting.on);
        hand.await([&] { return ImGui::GetMainViewport()->Size.x > before.width; },
                   "the window fills the screen");
        EXPECT_FALSE(Hand::windowOf("##transport")->Active) << "nothing but stage and sentence";
        EXPECT_FALSE(Hand::windowOf("##experiment")->Active);
        EXPECT_TRUE(Hand::windowOf("##present")->Active);
        EXPECT_FALSE(hand.scene("stage").marks.empty());

        hand.press(ImGuiKey_Home);
        hand.press(ImGuiKey_PageDown);
        const u32 first = hand.state().cursor.step;
        EXPECT_GT(first, 0u);
        hand.press(ImGuiKey_PageDown);
        EXPECT_GT(hand.state().cursor.step, first);
        hand.press(ImGuiKey_PageUp);
        EXPECT_EQ(hand.state().cursor.step, first);
        hand.press(ImGuiKey_RightArrow);
        EXPECT_GT(hand.state().cursor.step, first);
        hand.press(ImGuiKey_LeftArrow);
        EXPECT_EQ(hand.state().cursor.step, first);

        hand.press(ImGuiKey_B);
        EXPECT_TRUE(hand.state().presenting.black);
        hand.press(ImGuiKey_Period);
        EXPECT_FALSE(hand.state().presenting.black);
        // The mouse rests where each of them has something to explain.
        const ImVec2 middle = ImGui::GetMainViewport()->GetCenter();
        hand.hover(middle);
        for (const char* lens : {"banks", "sectors", "lanes", "source"}) {
            hand.press(ImGuiKey_V);
            EXPECT_EQ(hand.state().presenting.lens, lens);
            hand.frames(3);
            for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
                if (std::string_view(window->Name).starts_with("##present/##sentence") && window->Active) {
                    EXPECT_GT(window->Pos.y, middle.y) << "the sentence stands in its bar";
                }
            }
            EXPECT_FALSE(hand.scene(lens).marks.empty());
            hand.photograph(std::string("present-") + lens);
        }
        hand.press(ImGuiKey_Escape);
        EXPECT_FALSE(hand.state().presenting.on);
        hand.await([&] { return ImGui::GetMainViewport()->Size.x == before.width; },
                   "the window is as large as before");
        EXPECT_TRUE(Hand::windowOf("##transport")->Active);
        EXPECT_TRUE(Hand::windowOf("###stage")->DockIsActive) << "the docks are as they were";
        EXPECT_TRUE(Hand::windowOf("###source")->DockTabIsVisible);
        hand.press(ImGuiKey_PageDown);
        EXPECT_FALSE(hand.state().fault);
    });
}

TEST(PaletteTest, ReachesEverythingByNameWithTheKeyboardAlone) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const auto type = [&](const char* text) {
            hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
            ASSERT_TRUE(hand.state().showPalette);
            hand.write(text);
            hand.press(ImGuiKey_Enter);
            EXPECT_FALSE(hand.state().showPalette);
        };
        type("theme proj");
        EXPECT_EQ(hand.state().theme, "projector");
        type("view lanes");
        EXPECT_EQ(hand.state().broughtUp, "lanes");
        EXPECT_TRUE(Hand::windowOf("###lanes")->DockTabIsVisible);
        type("matmul/naive");
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.variant, "naive");
        type("width 6");
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.values.at("width"), 6)
            << "any value that it may have, though no list has it";
        type("rules 2.0");
        EXPECT_EQ(hand.state().profile, "cc20");
        type("chinese");
        EXPECT_EQ(hand.state().language, Language::Chinese);
        type("undo");  // English is found in every language
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.values.at("width"), 3);
        EXPECT_EQ(hand.state().recentCommands.front(), "undo");

        hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
        hand.photograph("palette-zh");
        hand.press(ImGuiKey_Enter);  // the one used last stands first
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.variant, "tiled-bounds");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
        hand.press(ImGuiKey_DownArrow);
        hand.press(ImGuiKey_Enter);
        EXPECT_EQ(hand.state().recentCommands.front(), "language.next") << "the second row";
        EXPECT_EQ(hand.state().language, Language::English);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
        hand.write("qqqq");
        hand.press(ImGuiKey_Enter);
        EXPECT_TRUE(hand.state().showPalette) << "there is nothing to choose";
        hand.press(ImGuiKey_Escape);
        EXPECT_FALSE(hand.state().showPalette);
        const u32 step = hand.state().cursor.step;
        hand.press(ImGuiKey_End);
        EXPECT_NE(hand.state().cursor.step, step) << "the keys are the window's again";
    });
}

TEST(TasksTest, WhatIsEnlargedIsSoAtTheNextStart) {
    const Folder folder("lockstep_enlarged_test");
    const auto kept = [&](Request& request) {
        request.preferencesFile = folder / "preferences.conf";
        request.enlarged = readPreferences(request.preferencesFile).enlarged;
    };
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_FALSE(isEnlarged(hand.state()));
        hand.bringUp("banks");
        hand.press(ImGuiKey_Z);
        hand.frames(6);
        EXPECT_EQ(hand.state().enlarged.at("explore"), "banks");
    });
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_EQ(hand.state().enlarged.at("explore"), "banks");
        EXPECT_EQ(hand.state().turnedTo, "banks");
        hand.press(ImGuiKey_Z);
        hand.frames(6);
        EXPECT_FALSE(isEnlarged(hand.state()));
    });
    EXPECT_TRUE(readPreferences(folder / "preferences.conf").enlarged.empty());
}

TEST(TasksTest, EachHasItsArrangementWhichIsKeptAndCanBeReset) {
    const Folder folder("lockstep_tasks_test");
    const auto kept = [&](Request& request) {
        request.size = {1440, 900};
        request.layoutFile = folder / "window.ini";
        request.preferencesFile = folder / "preferences.conf";
        if (const auto task = readPreferences(request.preferencesFile).task) request.task = *task;
    };
    const auto isOnTop = [](const char* view) { return Hand::windowOf(view)->DockTabIsVisible; };
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_TRUE(isOnTop("###stage") && isOnTop("###source"));
        hand.press(ImGuiMod_Ctrl | ImGuiKey_2);
        hand.frames(6);
        EXPECT_EQ(hand.state().task, "measure");
        EXPECT_TRUE(isOnTop("###memory") && isOnTop("###source"));
        hand.photograph("task-measure");
        hand.bringUp("findings");
        hand.click("//##bar/task/$$0/##segment");
        hand.frames(6);
        EXPECT_TRUE(isOnTop("###stage") && isOnTop("###source"));
        hand.press(ImGuiMod_Ctrl | ImGuiKey_2);
        hand.frames(6);
        EXPECT_TRUE(isOnTop("###findings")) << "as it was left";
    });
    EXPECT_TRUE(std::filesystem::exists(folder / "window-measure.ini"));
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_EQ(hand.state().task, "measure");
        EXPECT_TRUE(isOnTop("###findings"));
        // Wherever the user stood: on a tab of the right, of the middle, in another task.
        const auto reset = [&] {
            hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
            hand.write("reset layout");
            hand.press(ImGuiKey_Enter);
            hand.frames(8);
        };
        reset();
        hand.photograph("task-measure-reset");
        EXPECT_TRUE(isOnTop("###memory") && isOnTop("###source"));
        EXPECT_FALSE(isOnTop("###findings"));
        hand.press(ImGuiMod_Ctrl | ImGuiKey_1);
        hand.frames(6);
        for (const char* view : {"lanes", "banks"}) {
            hand.bringUp("memory");
            hand.bringUp(view);
            reset();
            EXPECT_TRUE(isOnTop("###stage")) << view;
            EXPECT_TRUE(isOnTop("###source")) << view;
        }
    });
}

TEST(HintTest, IsThereOnTheFirstVisitUntilItIsTaken) {
    const Folder folder("lockstep_hint_test");
    const auto kept = [&](Request& request) {
        request.preferencesFile = folder / "preferences.conf";
        request.hint = !readPreferences(request.preferencesFile).knowsHowToBegin;
    };
    withWindow(kept, [](Hand& hand) {
        hand.awaitRun();
        hand.photograph("hint");
        EXPECT_TRUE(Hand::windowOf("##hint")->Active);
    });
    withWindow(kept, [](Hand& hand) {
        hand.awaitRun();
        EXPECT_TRUE(hand.state().showHint) << "nobody has taken it yet";
        hand.press(ImGuiKey_RightArrow);
        EXPECT_FALSE(hand.state().showHint);
    });
    withWindow(kept, [](Hand& hand) {
        hand.awaitRun();
        EXPECT_FALSE(hand.state().showHint);
    });
}

constexpr const char* kScale =
    "extern \"C\" __global__ void scale(float* x, int n)\n{\n    int i = blockIdx.x * blockDim.x + "
    "threadIdx.x;\n    if (i < n) x[i] = 2.0f * x[i];\n}\n";

TEST(OwnKernelTest, OfSeveralDroppedFilesTheFirstIsAskedForAndTheOthersAreTabs) {
    const Folder folder("lockstep_several_test");
    std::vector<std::string> files;
    for (const char* name : {"first.cu", "second.cu", "third.cu"}) {
        write(folder / name, kScale);
        files.push_back((folder / name).string());
    }
    withWindow({}, [&](Hand& hand) {
        hand.awaitRun();
        hand.dropAll(files);
        hand.await(
            [&] {
                return hand.state().editor.texts.size() == 2 &&
                       (hand.state().dialog || hand.state().choice.own || hand.state().fault);
            },
            "all of them have been read");
        hand.frames(4);
        hand.photograph("several-dropped");
        EXPECT_FALSE(hand.state().editor.find(files[0]));
        EXPECT_TRUE(hand.state().editor.find(files[1]) && hand.state().editor.find(files[2]));
        ASSERT_EQ(hand.state().said.size(), 1u);
        EXPECT_NE(hand.state().said[0].english().find("second.cu, third.cu"), std::string::npos)
            << hand.state().said[0].english();
    });
}

TEST(OwnKernelTest, ALongFileSaysThatItIsCompiledAndCanBeCanceled) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const Folder folder("lockstep_long_file_test");
    std::string text = "__global__ void long_one(int n, float* y)\n{\n    int i = threadIdx.x;\n";
    for (int line = 0; line < 3000; ++line)
        text += "    if (i == " + std::to_string(line) + ") y[i] += " + std::to_string(line) + ".0f;\n";
    write(folder / "long.cu", text + "}\n");
    withWindow({}, [&](Hand& hand) {
        hand.awaitRun();
        hand.drop((folder / "long.cu").string());
        ASSERT_TRUE(hand.state().looking);
        hand.await(
            [&] {
                const ImGuiWindow* window = Hand::windowOf("##looking");
                return (window && window->Active) || !hand.state().looking;
            },
            "it says so once it takes long");
        ASSERT_TRUE(hand.state().looking);
        hand.frames(2);
        hand.photograph("long-file");
        hand.click("//##looking/cancel/##text");
        EXPECT_FALSE(hand.state().looking);
        hand.frames(4);
        EXPECT_FALSE(hand.state().dialog || hand.state().fault);
        EXPECT_FALSE(Hand::windowOf("##looking")->Active);
    });
}

TEST(OwnKernelTest, ADroppedFileIsAskedForRunWatchedAndRemembered) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const Folder folder("lockstep_own_test");
    const std::filesystem::path file = folder / "scale.cu";
    write(file, kScale);
    const auto kept = [&](Request& request) { request.recentFile = folder / "recent.json"; };
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        hand.drop(file.string());
        hand.await([&] { return hand.state().dialog.has_value(); }, "it is asked how to launch it");
        EXPECT_EQ(hand.state().dialog->found.front().arguments,
                  (std::vector<std::string>{"f32[1024]=random", "i32:1024"}));
        EXPECT_EQ(hand.state().dialog->found.front().names.size(), 2u) << "as the source calls them";
        EXPECT_EQ(hand.state().dialog->kernel.grid, "8");
        EXPECT_EQ(hand.state().dialog->kernel.block, "128") << "a thread for each element";
        hand.frames(3);
        hand.photograph("own-kernel");
        hand.text("//##own kernel/##grid", "2");
        hand.text("//##own kernel/##block", "0");
        hand.click("//##own kernel/run/##text");
        ASSERT_TRUE(hand.state().dialog) << "a block has a thread at least: it is asked on";
        ASSERT_TRUE(hand.state().dialog->fault);
        EXPECT_TRUE(hand.state().dialog->fault->message.english().starts_with("--block 0"))
            << hand.state().dialog->fault->message.english();
        EXPECT_EQ(hand.state().dialog->kernel.grid, "2") << "what was right is still there";
        hand.photograph("own-kernel-block-0");
        hand.text("//##own kernel/##block", "2048");
        hand.click("//##own kernel/run/##text");
        hand.await([&] { return hand.state().dialog && hand.state().dialog->fault; },
                   "what only the device can tell is said in the form, too");
        EXPECT_EQ(app::fieldOf(*hand.state().dialog->fault),
                  (app::LaunchField{app::LaunchField::Kind::Block}))
            << hand.state().dialog->fault->message.english();
        hand.frames(3);
        hand.photograph("own-kernel-block-2048");
        hand.text("//##own kernel/##block", "64");
        hand.text("//##own kernel/##argument 1", "i32");
        hand.click("//##own kernel/run/##text");
        hand.await([&] { return hand.state().dialog && hand.state().dialog->fault; },
                   "what only the file can tell is said in the form, too");
        EXPECT_EQ(app::fieldOf(*hand.state().dialog->fault),
                  (app::LaunchField{app::LaunchField::Kind::Argument, 1}))
            << hand.state().dialog->fault->message.english();
        hand.frames(3);
        hand.text("//##own kernel/##argument 1", "i32:1024");
        hand.text("//##own kernel/##block", "64");
        hand.click("//##own kernel/run/##text");
        hand.awaitRun();
        EXPECT_FALSE(hand.state().fault);
        ASSERT_TRUE(hand.state().choice.own);
        EXPECT_EQ(hand.state().run->recording.launches.front().block.x, 64u);
        EXPECT_EQ(hand.state().run->recording.launches.front().grid.x, 2u);
        EXPECT_EQ(hand.state().run->recording.initial.front().name, "x") << "as the source calls it";
        hand.photograph("own-kernel-runs");

        const auto good = hand.state().run;
        write(file, "extern \"C\" __global__ void scale(float* x, int n)\n{\n    x[0] = oops;\n}\n");
        hand.await([&] { return hand.state().fault.has_value(); }, "the mistake is said");
        EXPECT_EQ(hand.state().fault->place.line, 3u) << hand.state().fault->message.english();
        EXPECT_EQ(hand.state().run, good) << "the last good picture stays";
        hand.photograph("own-kernel-mistake");
        // As editors do: beside it, then in its place.
        write(folder / "scale.cu.new", std::string(kScale) + "// mended\n");
        std::filesystem::rename(folder / "scale.cu.new", file);
        hand.await([&] { return hand.state().run != good && !hand.state().fault; },
                   "the fixed file runs by itself");
    });
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        ASSERT_FALSE(hand.state().recent.empty());
        hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
        hand.write("recent scale");
        hand.press(ImGuiKey_Enter);
        hand.await([&] { return hand.state().choice.own.has_value() && !hand.state().job.running; },
                   "it is run again as it was");
        EXPECT_EQ(hand.state().choice.own->block, "64");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.variant, "tiled-bounds");
        hand.drop((folder / "nothing.lks").string());
        hand.await([&] { return hand.state().fault.has_value(); }, "a file that is not there is said");
    });
}

}  // namespace
}  // namespace lockstep::shell
