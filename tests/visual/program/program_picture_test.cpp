// The timeline of a whole program: drawn as it was, in both languages no text is cut or runs into another,
// and what lies under the mouse says what it is.
#include "viz/program/program_picture.h"

#include "../../support/scene_text.h"
#include "operations/sentences.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_tidy.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

using namespace viz;
using operations::Kind;
using operations::Operation;
using operations::Operations;
using operations::Side;

// Two streams, the second of which waits for the first; a loop; a launch with a finding and a copy that
// failed.
Operations twoStreams() {
    const auto at = [](u32 line) { return operations::CodePlace{"sums.cu", line}; };
    Operations all;
    all.streams = {{.kind = operations::StreamKind::Default, .name = {}, .made = {}},
                   {.kind = operations::StreamKind::Made, .name = "first", .made = at(10)},
                   {.kind = operations::StreamKind::Made, .name = "second", .made = at(11)}};
    all.events = {{.name = "ready", .made = at(12)}};
    all.buffers = {{.name = "h_in", .memory = operations::Memory::Pinned, .bytes = 4096, .allocated = at(7)},
                   {.name = "d_in", .bytes = 4096, .allocated = at(8)},
                   {.name = "d_sums", .bytes = 64, .allocated = at(9), .freed = at(40), .end = 20}};
    const auto add = [&](Operation operation) { all.list.push_back(std::move(operation)); };
    add({.kind = Kind::Fill,
         .function = "cudaMemset",
         .place = at(14),
         .stream = 0,
         .to = Side{2, 0},
         .bytes = 64});
    add({.kind = Kind::Copy,
         .function = "cudaMemcpyAsync",
         .place = at(15),
         .stream = 1,
         .from = Side{0, 0},
         .to = Side{1, 0},
         .bytes = 4096,
         .isAsynchronous = true});
    add({.kind = Kind::EventRecord, .function = "cudaEventRecord", .place = at(16), .stream = 1, .event = 0});
    add({.kind = Kind::StreamWait,
         .function = "cudaStreamWaitEvent",
         .place = at(17),
         .stream = 2,
         .event = 0});
    for (u64 i = 1; i <= 10; ++i)
        add({.kind = Kind::Launch,
             .function = "sum<256>",
             .place = at(19),
             .stream = 2,
             .isAsynchronous = true,
             .launch = i,
             .grid = {4, 1, 1},
             .block = {256, 1, 1},
             .given = {1, 2},
             .written = {2}});
    add({.kind = Kind::Launch,
         .function = "finish",
         .place = at(21),
         .stream = 2,
         .isAsynchronous = true,
         .launch = 11,
         .grid = {1, 1, 1},
         .block = {16, 16, 1},
         .given = {2},
         .written = {2},
         .findings = 1});
    add({.kind = Kind::HostFunction,
         .function = "cudaLaunchHostFunc",
         .place = at(22),
         .stream = 2,
         .isAsynchronous = true});
    add({.kind = Kind::Synchronize, .function = "cudaDeviceSynchronize", .place = at(23)});
    add({.kind = Kind::Copy,
         .function = "cudaMemcpy",
         .place = at(24),
         .stream = 0,
         .from = Side{2, 0},
         .to = Side{},
         .bytes = 64});
    add({.kind = Kind::Copy,
         .function = "cudaMemcpy",
         .place = at(25),
         .stream = 0,
         .from = Side{2, 0},
         .to = Side{},
         .bytes = 128,
         .error = "cudaErrorInvalidValue",
         .findings = 1});
    all.count = all.list.size();
    all.buffers[1].lastWritten = {
        .operation = 1, .kind = Kind::Copy, .function = "cudaMemcpyAsync", .place = at(15)};
    all.buffers[2].lastWritten = {.operation = 14, .function = "finish", .launch = 11, .place = at(21)};
    all.buffers[2].lastCopiedToHost = {
        .operation = 17, .kind = Kind::Copy, .function = "cudaMemcpy", .place = at(24)};
    return all;
}

class ProgramTest : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(fonts_) << describe(fonts_.error()); }
    Scene sceneOf(const Operations& all, f32 width, Language language = Language::English,
                  std::optional<u32> followed = {}) const {
        return buildProgram({.operations = all,
                             .program = "sums.cu",
                             .size = {width, 240},
                             .language = language,
                             .metrics = *fonts_,
                             .followed = followed});
    }
    Expected<Fonts> fonts_ = Fonts::load(LOCKSTEP_FONT_FOLDER);
};

TEST_F(ProgramTest, LooksAsItDid) {
    expectGolden("program/two-streams", sceneOf(twoStreams(), 1280, Language::English, 2));
}

TEST_F(ProgramTest, IsTidyAtAnyWidth) {
    const Operations all = twoStreams();
    for (const f32 width : {640.f, 900.f, 1280.f, 1800.f})
        for (const Language language : {Language::English, Language::Chinese})
            EXPECT_EQ(untidyTexts(sceneOf(all, width, language), *fonts_), std::vector<std::string>{})
                << width;
}

TEST_F(ProgramTest, SaysWhatLiesUnderTheMouse) {
    const Operations all = twoStreams();
    const Scene scene = sceneOf(all, 1280);
    const auto says = [&](std::string_view text) {
        return std::ranges::any_of(scene.hits, [&](const HitArea& area) { return area.hit.text() == text; });
    };
    EXPECT_TRUE(says("Launch 11: finish<<<1, (16, 16)>>>; writes d_sums, in stream 2 (line 21); 1 finding."));
    EXPECT_TRUE(says("Copies 4,096 bytes from h_in to d_in, in stream 1 (cudaMemcpyAsync, line 15)."));
    EXPECT_TRUE(says(
        "What follows in the stream waits for event ready, in stream 2 (cudaStreamWaitEvent, line 17)."));
    EXPECT_TRUE(says("The host waits for the device (cudaDeviceSynchronize, line 23)."));
    EXPECT_TRUE(says("These operations come 10 times, one after another and alike."));
}

TEST_F(ProgramTest, AProgramWithoutOperationsSaysSo) {
    const Scene scene = sceneOf({}, 900);
    EXPECT_TRUE(std::ranges::any_of(scene.marks, [](const Mark& mark) {
        const auto* text = std::get_if<TextMark>(&mark);
        return text && text->text == "The program asked nothing of the device.";
    }));
}

}  // namespace
}  // namespace lockstep
