// The editor in the window: what is typed is seen at once, the file changes on saving alone, and no key that
// is meant for the text does anything else.
#include "app/panels/editor/compiler_notices.h"
#include "app/shell/window_tests/window_driver.h"
#include "cuda/compiler/nvrtc.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockstep::shell {
namespace {

constexpr const char* kScale =
    R"(__global__ void scale(int n, float* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 2 * x[i];
}
)";

constexpr const char* kPtx = R"(.version 8.3
.target sm_90
.address_size 64
.visible .entry twice(.param .u64 data)
{
    .reg .b32 %r<5>; .reg .b64 %d<4>;
    ld.param.u64 %d1, [data];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2;
    ld.global.u32 %r2, [%d3];
    add.u32 %r3, %r2, %r2;
    st.global.u32 [%d3], %r3;
    ret;
}
)";

class EditorWindowTest : public testing::Test {
protected:
    void SetUp() override {
        if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        write(kScale);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    void write(std::string_view text) const {
        std::ofstream(file_, std::ios::binary | std::ios::trunc) << text;
    }
    std::string onDisk() const {
        std::stringstream text;
        text << std::ifstream(file_, std::ios::binary).rdbuf();
        return text.str();
    }
    // As an experiment, in the editor.
    void open(Hand& hand) const {
        hand.awaitRun();
        hand.drop(file_.string());
        hand.await([&] { return hand.state().dialog.has_value(); }, "it is asked how to launch it");
        hand.click("//##own kernel/run/##text");
        hand.await([&] { return hand.state().shown && hand.state().shown->own; }, "it is run");
        hand.awaitRun();
        hand.press(ImGuiKey_F6);
        hand.await([&] { return hand.state().editor.inFront() != nullptr; }, "the editor opens");
        hand.frames(8);
    }
    const app::EditedText& edited(Hand& hand) const { return *hand.state().editor.find(file_.string()); }
    void awaitPictures(Hand& hand) const {
        hand.await([&] { return !hand.state().editor.sinceKey && !hand.state().job.running; },
                   "what was typed is run");
    }

    std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "lockstep_editor",
                          file_ = folder_ / "scale.cu";
};

TEST_F(EditorWindowTest, WhatIsTypedIsSeenAndTheFileChangesOnSaving) {
    withWindow({}, [&](Hand& hand) {
        open(hand);
        hand.photograph("editor");
        const auto before = hand.state().run;
        const std::size_t changes = hand.state().undo.size();
        hand.write("// zF1 c\n");
        hand.await([&] { return edited(hand).isUnsaved(); }, "it is typed");
        EXPECT_EQ(*edited(hand).text, std::string("// zF1 c\n") + kScale);
        EXPECT_FALSE(isEnlarged(hand.state())) << "Z is a letter there";
        EXPECT_EQ(hand.state().turnedTo, "stage") << "and 1 a digit";
        awaitPictures(hand);
        EXPECT_NE(hand.state().run, before);
        EXPECT_FALSE(hand.state().isOfEarlierText());
        EXPECT_EQ(onDisk(), kScale) << "not saved";
        hand.photograph("editor-typed");

        hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);
        hand.await([&] { return *edited(hand).text != std::string("// zF1 c\n") + kScale; },
                   "the text is undone");
        EXPECT_EQ(hand.state().undo.size(), changes) << "not the experiment";
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Y);
        awaitPictures(hand);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_S);
        hand.await([&] { return !edited(hand).isUnsaved(); }, "it is saved");
        EXPECT_EQ(onDisk(), *edited(hand).text);
        hand.awaitRun();

        hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
        EXPECT_TRUE(hand.state().showPalette) << "Ctrl P works there";
        hand.press(ImGuiKey_Escape);
        hand.press(ImGuiKey_F6);
        hand.frames(6);
        hand.press(ImGuiKey_Escape);
        EXPECT_TRUE(hand.state().editor.open) << "the keys are the window's again";
        hand.press(ImGuiKey_F1);
        EXPECT_TRUE(hand.state().showKeys);
        hand.press(ImGuiKey_Escape);
        hand.press(ImGuiKey_Escape);
        EXPECT_FALSE(hand.state().editor.open);
        hand.frames(6);
        EXPECT_TRUE(Hand::windowOf("###source")->DockTabIsVisible);
    });
}

TEST_F(EditorWindowTest, AMistakeIsSaidAtItsLineAndTheLastPictureStays) {
    withWindow({}, [&](Hand& hand) {
        open(hand);
        const auto before = hand.state().run;
        hand.write("nonsense\n");
        hand.await([&] { return hand.state().fault.has_value(); }, "it does not compile");
        EXPECT_EQ(hand.state().fault->place.file, file_.string());
        EXPECT_GT(hand.state().fault->place.line, 0u);
        EXPECT_EQ(hand.state().run, before);
        EXPECT_TRUE(hand.state().isOfEarlierText());
        hand.photograph("editor-mistake");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);  // the end of the line
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);  // the word
        hand.await([&] { return !hand.state().fault.has_value(); }, "it is undone");
        EXPECT_FALSE(edited(hand).isUnsaved());
    });
}

TEST_F(EditorWindowTest, PtxIsEditedAsWell) {
    file_ = folder_ / "twice.ptx";
    write(kPtx);
    withWindow({}, [&](Hand& hand) {
        open(hand);
        const auto before = hand.state().run;
        hand.write("// doubles\n");
        hand.await([&] { return edited(hand).isUnsaved(); }, "it is typed");
        awaitPictures(hand);
        EXPECT_FALSE(hand.state().fault);
        EXPECT_NE(hand.state().run, before);
        hand.write("nonsense;\n");
        hand.await([&] { return hand.state().fault.has_value(); }, "it is no PTX");
        EXPECT_EQ(hand.state().fault->place.line, 2u);
        hand.photograph("editor-ptx");
    });
}

TEST_F(EditorWindowTest, WarningsOfTheCompilerAreListedAndLeadToTheirLines) {
    withWindow({}, [&](Hand& hand) {
        open(hand);
        EXPECT_TRUE(app::noticesOf(hand.state(), edited(hand)).empty());
        hand.write("__device__ void lost() { int unused; }\n");
        hand.await([&] { return edited(hand).isUnsaved(); }, "it is typed");
        awaitPictures(hand);
        EXPECT_FALSE(hand.state().fault);
        const std::vector<app::CompilerNotice> notices = app::noticesOf(hand.state(), edited(hand));
        ASSERT_EQ(notices.size(), 1u);
        EXPECT_TRUE(notices[0].isWarning);
        EXPECT_EQ(notices[0].line, 1u);
        EXPECT_EQ(notices[0].text, "variable \"unused\" was declared but never referenced");
        hand.photograph("editor-warning");
        const u32 turns = hand.state().editor.timesTurnedTo;
        hand.click("//###editor/notices/##text");
        hand.frames(4);
        hand.photograph("editor-warnings");
        hand.chooseOpen("Line 1: variable \"unused\" was declared but never referenced##0");
        hand.await([&] { return hand.state().editor.timesTurnedTo > turns; }, "it leads to the line");
        EXPECT_EQ(hand.state().editor.line, 1u);

        hand.write("nonsense ");
        hand.await([&] { return hand.state().fault.has_value(); }, "it does not compile");
        for (const app::CompilerNotice& notice : app::noticesOf(hand.state(), edited(hand)))
            EXPECT_FALSE(notice.isWarning) << notice.text;
    });
}

TEST_F(EditorWindowTest, BlocksAreIndentedAndTabsStayTabs) {
    withWindow({}, [&](Hand& hand) {
        open(hand);
        hand.write("struct S {");
        hand.press(ImGuiKey_Enter);
        hand.write("int a;");
        hand.press(ImGuiKey_Enter);
        hand.write("};");
        hand.press(ImGuiKey_Enter);
        hand.frames(3);
        EXPECT_EQ(*edited(hand).text, std::string("struct S {\n    int a;\n};\n") + kScale);
    });
    const std::string tabs =
        "__global__ void scale(int n, float* x) {\n\tint i = threadIdx.x;\n\tif (i < n) x[i] = "
        "2 * x[i];\n}\n";
    write(tabs);
    withWindow({}, [&](Hand& hand) {
        open(hand);
        hand.write("// a\n");
        hand.await([&] { return edited(hand).isUnsaved(); }, "it is typed");
        EXPECT_EQ(*edited(hand).text, "// a\n" + tabs);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_S);
        hand.await([&] { return !edited(hand).isUnsaved(); }, "it is saved");
        EXPECT_EQ(onDisk(), "// a\n" + tabs);
    });
}

TEST_F(EditorWindowTest, FindsAndReplaces) {
    withWindow({}, [&](Hand& hand) {
        open(hand);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_F);
        hand.frames(3);
        hand.text("//###editor/##find", "x[i]");
        hand.text("//###editor/##replace", "x[n]");
        hand.photograph("editor-find");
        hand.click("//###editor/replace all/##text");
        hand.await([&] { return edited(hand).text->find("x[n] = 2 * x[n]") != std::string::npos; },
                   "both are replaced");
        EXPECT_EQ(edited(hand).text->find("x[i]"), std::string::npos);
    });
}

TEST_F(EditorWindowTest, OfTwoTextsItIsAskedWhichStays) {
    withWindow({}, [&](Hand& hand) {
        open(hand);
        hand.write("// ours\n");
        awaitPictures(hand);
        write(std::string("// theirs\n") + kScale);
        hand.await([&] { return edited(hand).onDisk != nullptr; }, "another program's text is noticed");
        hand.frames(3);
        hand.photograph("editor-asks");
        hand.click("//###editor/theirs/##text");
        EXPECT_EQ(*edited(hand).text, std::string("// theirs\n") + kScale);
        awaitPictures(hand);
        EXPECT_FALSE(edited(hand).isUnsaved());
    });
}

TEST_F(EditorWindowTest, UnsavedTextIsThereAtTheNextStart) {
    const auto kept = [&](Request& request) { request.recentFile = folder_ / "recent.json"; };
    withWindow(kept, [&](Hand& hand) {
        open(hand);
        hand.write("// not saved\n");
        awaitPictures(hand);
    });
    EXPECT_EQ(onDisk(), kScale);
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        ASSERT_TRUE(hand.state().editor.open);
        EXPECT_EQ(*edited(hand).text, std::string("// not saved\n") + kScale);
        EXPECT_TRUE(edited(hand).isUnsaved());
        hand.frames(6);
        hand.photograph("editor-recovered");
        hand.click("//###editor/discard/##text");
        EXPECT_TRUE(hand.state().editor.texts.empty());
    });
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_TRUE(hand.state().editor.texts.empty()) << "it was discarded";
    });
}

TEST_F(EditorWindowTest, ACopyOfTheCatalogsKernelIsCheckedAgainstItsReference) {
    withWindow([&](Request& request) { request.exportFolder = folder_.string(); },
               [&](Hand& hand) {
                   hand.awaitRun();
                   hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
                   hand.write("edit a copy");
                   hand.press(ImGuiKey_Enter);
                   hand.await([&] { return hand.state().shown && hand.state().shown->own; }, "it is run");
                   hand.awaitRun();
                   ASSERT_TRUE(hand.state().run->comparison);
                   EXPECT_TRUE(hand.state().run->comparison->correct);
                   EXPECT_EQ(hand.state().editor.front, (folder_ / "matmul-tiled-bounds.cu").string());
                   hand.frames(8);
                   hand.photograph("editor-copy");
               });
}

TEST_F(EditorWindowTest, ANewKernelRunsAsItIs) {
    withWindow([&](Request& request) { request.exportFolder = folder_.string(); },
               [&](Hand& hand) {
                   hand.awaitRun();
                   hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
                   hand.write("new kernel");
                   hand.press(ImGuiKey_Enter);
                   hand.await([&] { return hand.state().shown && hand.state().shown->own; }, "it is run");
                   hand.awaitRun();
                   EXPECT_FALSE(hand.state().fault);
                   EXPECT_TRUE(hand.state().run->recording.findings.empty());
                   EXPECT_TRUE(hand.state().editor.inFront()->isUnsaved());
                   EXPECT_FALSE(std::filesystem::exists(folder_ / "kernel.cu")) << "it is not saved yet";
                   hand.press(ImGuiMod_Ctrl | ImGuiKey_S);
                   hand.await([&] { return !hand.state().editor.inFront()->isUnsaved(); }, "it is saved");
                   EXPECT_TRUE(std::filesystem::exists(folder_ / "kernel.cu"));
               });
}

// Only what was typed changes, and it is indented as the file is.
TEST_F(EditorWindowTest, TheFilesOwnCharactersStayAndItsIndentationIsGoneOnWith) {
    struct Case {
        const char *name, *unit;
    };
    for (const Case& c : {Case{"tabs", "\t"}, Case{"two blanks", "  "}, Case{"four", "    "}}) {
        const auto indented = [&](std::string text) {
            for (std::size_t at = text.find('>'); at != std::string::npos; at = text.find('>'))
                text.replace(at, 1, c.unit);
            return text;
        };
        const std::string body = indented(
            "__global__ void scale(int n, float* x) {\n>int i = threadIdx.x;\t// a tab\n>if (i < n) "
            "{\n>>x[i] = "
            "2 * x[i];\n>}\n}\n");
        write(body);
        withWindow({}, [&](Hand& hand) {
            open(hand);
            hand.write("__device__ int f() {\nif (1) {\nreturn 1;\n}\nreturn 2;\n}\n");
            hand.await([&] { return edited(hand).text->size() > body.size() + 50; }, c.name);
            const std::string typed =
                indented("__device__ int f() {\n>if (1) {\n>>return 1;\n>}\n>return 2;\n}\n");
            EXPECT_EQ(*edited(hand).text, typed + body) << c.name;
            hand.press(ImGuiKey_Tab);
            hand.write("// y\n");
            const std::string whole = fmt::format("{}{}// y\n{}{}", typed, c.unit, c.unit, body);
            EXPECT_EQ(*edited(hand).text, whole) << c.name;
            hand.press(ImGuiMod_Ctrl | ImGuiKey_S);
            hand.await([&] { return !edited(hand).isUnsaved(); }, "it is saved");
            EXPECT_EQ(onDisk(), whole) << c.name;
            awaitPictures(hand);
        });
    }
}

TEST_F(EditorWindowTest, AClickBesideTheTextLeavesTheKeysWithIt) {
    withWindow({}, [&](Hand& hand) {
        open(hand);
        hand.write("// a\n");
        const std::string view = hand.state().turnedTo;
        hand.press(ImGuiKey_Escape);
        hand.press(ImGuiKey_Escape);
        EXPECT_TRUE(hand.state().editor.open) << "it is not saved";
        hand.bringUp("editor");
        hand.write("1p");
        hand.frames(4);
        EXPECT_NE(edited(hand).text->find("1p"), std::string::npos) << "letters are the text's";
        EXPECT_EQ(hand.state().turnedTo, view);
        hand.press(ImGuiKey_Escape);
        const ImRect status = Hand::windowOf("###editor")->Rect();
        hand.click({status.Max.x - 20, status.Max.y - 12});
        hand.write("2p");
        hand.frames(4);
        EXPECT_NE(edited(hand).text->find("2p"), std::string::npos);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_F);
        hand.frames(3);
        hand.text("//###editor/##find", "1p");
        EXPECT_EQ(edited(hand).text->find("1p1p"), std::string::npos) << "not into the text";
    });
}

// What is run is the text, and so is what is offered.
TEST_F(EditorWindowTest, AKernelThatIsRenamedInTheTextIsRunAndOfferedByItsNewName) {
    withWindow({}, [&](Hand& hand) {
        open(hand);
        const std::string now = "__global__ void turned(int n, float* x) { x[threadIdx.x] = n; }\n";
        hand.press(ImGuiMod_Ctrl | ImGuiKey_A);
        hand.write(now.c_str());
        hand.await([&] { return hand.state().choice.own->entry == "turned"; }, "the only kernel is run");
        EXPECT_FALSE(hand.state().fault);
        hand.drop(file_.string());
        hand.await([&] { return hand.state().dialog.has_value(); }, "it is asked how to launch it");
        ASSERT_EQ(hand.state().dialog->found.size(), 1u);
        EXPECT_EQ(hand.state().dialog->found[0].entry, "turned");
        EXPECT_EQ(hand.state().dialog->kernel.entry, "turned");
        hand.click("//##own kernel/run/##text");
        hand.await([&] { return hand.state().shown && hand.state().shown->own->entry == "turned"; },
                   "it is run");
        EXPECT_EQ(onDisk(), kScale) << "not saved";
        hand.await([&] { return hand.isDrawn("The pictures are of this text"); }, "and the text with it");
    });
}

}  // namespace
}  // namespace lockstep::shell
