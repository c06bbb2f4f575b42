#include "trace/lks/lks.h"

#include "base/text/counted.h"
#include "trace/lks/lks_container.h"
#include "trace/lks/lks_fields.h"
#include "trace/lks/lks_records.h"

#include <gtest/gtest.h>

#include <fstream>

namespace lockstep::trace {
namespace {

std::vector<std::byte> bytesOf(std::initializer_list<int> values) {
    std::vector<std::byte> bytes;
    for (int value : values)
        bytes.push_back(std::byte(value));
    return bytes;
}

// A run of two launches that has one of everything.
Recording sample() {
    Recording r;
    r.family = "matmul";
    r.variant = "tiled";
    r.entry = "mm_tiled<2>";
    r.backend = "emulator";
    r.profile = "cc90";
    r.parameters = {{"width", "3"}, {"tile", "2"}};
    r.ptx = ".version 9.0\n";
    r.sources = {{"/home/someone/tiled.cu", "__global__ void f() {}\n"}};
    r.launches = {
        {"_Z1f", {2, 2, 1}, {8, 5, 1}, 64, {BufferArgument{0}, ScalarArgument{bytesOf({3, 0, 0, 0})}}},
        {"_Z1g", {1, 1, 1}, {32, 1, 1}, 0, {BufferArgument{1}}}};
    r.initial = {{"M", ElementType::F32, {1, 2}, bytesOf({0, 0, 128, 63, 0, 0, 0, 64})},
                 {"P", ElementType::U8, {3}, {}}};
    r.final = r.initial;
    r.counts.resize(2);
    for (GridCounts& counts : r.counts)
        counts.perPc = {{4, 128, 0}, {4, 100, 1}, {4, 128, 0}};
    SiteCounts site{
        .pc = Pc{1}, .space = Space::Shared, .kind = AccessKind::Atomic, .widthBytes = 8, .patterns = {}};
    Pattern pattern{.active = LaneMask{7}, .baseMod256 = 32, .deltaBytes = {}, .times = 9};
    pattern.deltaBytes[2] = -64;
    site.patterns = {pattern};
    r.counts[0].sites = {site};
    r.counts[0].warpInstructions = 12;
    Finding finding;
    finding.kind = FindingKind::Race;
    finding.launch = LaunchId{1};
    finding.who = {Pc{2}, {0, 0, 0}, {3, 0, 0}, AccessKind::Store};
    finding.other = Culprit{Pc{1}, {0, 0, 0}, {4, 0, 0}, AccessKind::Load};
    finding.buffer = 1;
    finding.offsetBytes = -4;
    finding.detail = "tile";
    r.findings = {finding};

    WarpTrace warp;
    warp.steps = {
        {Pc{0}, LaneMask{0xff}, Step::kNone, 0}, {Pc{1}, LaneMask{3}, 0, 1}, {Pc{1}, LaneMask{5}, 1, 3}};
    warp.accesses = {{Pc{1}, LaneMask{3}, Space::Global, AccessKind::Load, 4, 32, 0, 512, 0},
                     {Pc{1}, LaneMask{5}, Space::Shared, AccessKind::Store, 1, 1, 1, 77, 128}};
    warp.layouts.resize(2);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        warp.layouts[0].distances[lane] = u64(-4) * lane;
    numberValues(warp.layouts[0]);
    warp.valuePool.assign(129, std::byte{9});
    warp.barrierSteps = {0, 2};
    r.trace.blocks = {{LaunchId{0}, {0, 0, 0}, {warp, {}}, 40},
                      {LaunchId{0}, {1, 1, 0}, {{}, warp}, 40},
                      {LaunchId{1}, {0, 0, 0}, {warp}, 32}};
    r.trace.blocks[1].truncated = true;
    r.sequential = true;
    return r;
}

// Two recordings are equal if their bytes are.
std::vector<std::byte> written(const Recording& recording) {
    std::vector<std::byte> all;
    for (const LksSection& section : sectionsOf(recording))
        all.insert(all.end(), section.bytes.begin(), section.bytes.end());
    return all;
}

std::string refusal(std::span<const std::byte> bytes) {
    const Expected<Recording> recording = unpack(bytes, "a.lks");
    return recording ? "read without a complaint" : describe(recording.error());
}

TEST(Lks, GivesBackWhatWasStored) {
    const Recording before = sample();
    const Expected<Recording> after = unpack(pack(before), "a.lks");
    ASSERT_TRUE(after) << describe(after.error());
    EXPECT_EQ(written(*after), written(before));
    EXPECT_EQ(after->entry, "mm_tiled<2>");
    EXPECT_EQ(after->parameters, before.parameters);
    EXPECT_EQ(std::get<ScalarArgument>(after->launches[0].arguments[1]).bytes, bytesOf({3, 0, 0, 0}));
    EXPECT_EQ(after->initial[0].valueAt(1), 2.0);
    EXPECT_EQ(after->counts[0].sites[0].patterns[0].deltaBytes[2], -64);
    EXPECT_EQ(after->findings[0].other, before.findings[0].other);
    EXPECT_EQ(after->trace.blocks[1].warps[1].steps[2].order, 3u);
    const WarpTrace& stored = after->trace.blocks[2].warps[0];
    EXPECT_EQ(stored.address(stored.accesses[0], Lane{1}), 508u);
    EXPECT_TRUE(after->trace.blocks[1].truncated);
    EXPECT_TRUE(after->sequential);
    EXPECT_TRUE(after->complete);

    EXPECT_FALSE(after->check);

    const Expected<Recording> nothing = unpack(pack(Recording{}), "a.lks");
    ASSERT_TRUE(nothing);
    EXPECT_TRUE(nothing->launches.empty());
}

TEST(Lks, KeepsWhatTheResultWasCheckedAgainst) {
    Recording before = sample();
    const std::size_t sections = sectionsOf(before).size();
    before.check = ResultCheck{.reference = "copy:in=0,out=1",
                               .correct = false,
                               .maxError = 2.5,
                               .wrongCount = 3,
                               .first = ResultCheck::First{.buffer = "P", .index = 7, .got = 1, .want = 3.5}};
    const Expected<Recording> after = unpack(pack(before), "a.lks");
    ASSERT_TRUE(after) << describe(after.error());
    EXPECT_EQ(after->check->reference, "copy:in=0,out=1");
    EXPECT_EQ(after->check->wrongCount, 3u);
    EXPECT_EQ(after->check->first->want, 3.5);
    // An optional section at the end: without it the file is unchanged, and older readers skip it.
    EXPECT_EQ(sectionsOf(before).size(), sections + 1);
    EXPECT_EQ(sectionsOf(before).back().kind, u32(Part::Check));
}

TEST(Lks, KeepsWhatSitesWithoutPatternsCost) {
    Recording before = sample();
    SiteCounts site{
        .pc = Pc{2}, .space = Space::Global, .kind = AccessKind::Load, .widthBytes = 4, .patterns = {}};
    site.overflowExecutions = 9;
    site.overflowActiveLanes = 200;
    site.overflow = {.requests = 18,
                     .sectors = 70,
                     .wavefronts = 1,
                     .idealWavefronts = 2,
                     .loopLoads = 3,
                     .idealLoopLoads = 4};
    before.counts[0].sites.push_back(site);
    const std::vector<LksSection> sections = sectionsOf(before);
    EXPECT_EQ(sections.back().kind, u32(Part::Sums));
    const Expected<Recording> after = unpack(pack(before), "a.lks");
    ASSERT_TRUE(after) << describe(after.error());
    EXPECT_EQ(after->counts[0].sites.back().overflow, site.overflow);
    EXPECT_EQ(after->counts[0].sites.back().overflowActiveLanes, 200u);

    // A file of before there was such a section: a request for each access.
    const Expected<Recording> old = recordingOf(std::span(sections).first(sections.size() - 1), "a.lks");
    ASSERT_TRUE(old) << describe(old.error());
    EXPECT_EQ(old->counts[0].sites.back().overflow.requests, 9u);
    EXPECT_EQ(old->counts[0].sites.back().overflow.sectors, 70u);
    EXPECT_EQ(old->counts[0].sites.back().overflow.loopLoads, 0u);
}

TEST(Lks, RefusesEveryFileThatIsCutOff) {
    const std::vector<std::byte> whole = pack(sample());
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(unpack(std::span(whole).first(length), "a.lks")) << length;
}

TEST(Lks, RefusesEveryFileWithAChangedByte) {
    const std::vector<std::byte> whole = pack(sample());
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (int change : {0x01, 0x80, 0xff}) {
            std::vector<std::byte> changed = whole;
            changed[at] ^= std::byte(change);
            EXPECT_FALSE(unpack(changed, "a.lks")) << at;
        }
}

TEST(Lks, SaysWhatIsWrongWithAFile) {
    std::vector<std::byte> file = pack(sample());
    EXPECT_EQ(refusal(bytesOf({'P', 'K', 3, 4})),
              "a.lks: this is no recording; open a .lks file that 'lockstep run --save' wrote");
    EXPECT_EQ(refusal({}), "a.lks: this is no recording; open a .lks file that 'lockstep run --save' wrote");
    EXPECT_EQ(refusal(std::span(file).first(12)),
              "a.lks: this recording is cut off after 12 bytes; copy it again");
    EXPECT_EQ(refusal(std::span(file).first(file.size() - 1)), "a.lks: this recording is cut off after " +
                                                                   counted(file.size() - 1, "byte") + " of " +
                                                                   grouped(file.size()) + "; copy it again");
    std::vector<std::byte> longer = file;
    longer.push_back(std::byte{0});
    EXPECT_EQ(
        refusal(longer),
        "a.lks: this recording is damaged (behind its end there is more: 1 byte); copy it again or record "
        "it again");
    std::vector<std::byte> newer = file;
    newer[8] = std::byte{7};
    EXPECT_EQ(refusal(newer),
              "a.lks: this recording has format 7, and this program reads up to 2; update the program");
    std::vector<std::byte> changed = file;
    changed.back() ^= std::byte{1};
    EXPECT_EQ(refusal(changed),
              "a.lks: this recording is damaged (a section does not match its checksum); copy it again or "
              "record it again");
}

TEST(Lks, RefusesWhatDoesNotFitTogether) {
    struct Case {
        const char* mistake;
        void (*spoil)(Recording&);
    };
    const Case cases[] = {
        {"a step refers to an access that is not there",
         [](Recording& r) { r.trace.blocks[0].warps[0].steps[0].access = 2; }},
        {"a step refers to an instruction that is not there",
         [](Recording& r) { r.trace.blocks[0].warps[0].steps[0].pc = Pc{3}; }},
        {"an access refers to addresses that are not there",
         [](Recording& r) { r.trace.blocks[0].warps[0].accesses[1].layout = 2; }},
        {"an access refers to addresses that are not there",
         [](Recording& r) { r.trace.blocks[0].warps[0].accesses[1].layout = ~0u; }},
        {"an access refers to values that are not there",
         [](Recording& r) { r.trace.blocks[0].warps[0].accesses[0].valuesAt = 2; }},
        {"an access refers to values that are not there",
         [](Recording& r) { r.trace.blocks[0].warps[0].accesses[0].values = 31; }},
        {"an access refers to values that are not there",
         [](Recording& r) { r.trace.blocks[0].warps[0].accesses[1].values = 0; }},
        {"an access refers to values that are not there",
         [](Recording& r) { r.trace.blocks[0].warps[0].layouts[1].values[7] = 1; }},
        {"an access is impossible",
         [](Recording& r) { r.trace.blocks[0].warps[0].accesses[0].widthBytes = 3; }},
        {"an access is impossible",
         [](Recording& r) { r.trace.blocks[0].warps[0].accesses[0].space = Space(9); }},
        {"a barrier refers to a step that is not there",
         [](Recording& r) { r.trace.blocks[0].warps[0].barrierSteps = {3}; }},
        {"a barrier refers to a step that is not there",
         [](Recording& r) {
             r.trace.blocks[0].warps[0].barrierSteps = {2, 1};
         }},
        {"a recorded block belongs to a launch that is not there",
         [](Recording& r) { r.trace.blocks[2].launch = LaunchId{2}; }},
        {"a recorded block lies outside of its grid",
         [](Recording& r) {
             r.trace.blocks[1].block = {2, 0, 0};
         }},
        {"a recorded block has another number of warps than its launch",
         [](Recording& r) { r.trace.blocks[0].warps.pop_back(); }},
        {"recorded blocks are not in order",
         [](Recording& r) { std::swap(r.trace.blocks[0], r.trace.blocks[1]); }},
        {"counts refer to an instruction that is not there",
         [](Recording& r) { r.counts[0].sites[0].pc = Pc{3}; }},
        {"counts are of an impossible access",
         [](Recording& r) { r.counts[0].sites[0].kind = AccessKind(7); }},
        {"a pattern has no lanes", [](Recording& r) { r.counts[0].sites[0].patterns[0].active = {}; }},
        {"the launches count instructions of different programs",
         [](Recording& r) { r.counts[1].perPc.pop_back(); }},
        {"there are counts of a launch that is not there", [](Recording& r) { r.counts.emplace_back(); }},
        {"a finding refers to an instruction that is not there",
         [](Recording& r) { r.findings[0].other->pc = Pc{3}; }},
        {"a finding refers to a buffer that is not there", [](Recording& r) { r.findings[0].buffer = 2; }},
        {"a finding refers to a launch that is not there",
         [](Recording& r) { r.findings[0].launch = LaunchId{2}; }},
        {"a finding is of an unknown kind", [](Recording& r) { r.findings[0].kind = FindingKind(99); }},
        {"an argument refers to a buffer that is not there",
         [](Recording& r) { r.launches[1].arguments = {BufferArgument{2}}; }},
        {"a launch has an impossible grid", [](Recording& r) { r.launches[0].grid.y = 0; }},
        {"a launch has an impossible block",
         [](Recording& r) {
             r.launches[0].block = {1024, 2, 1};
         }},
        {"a buffer has another size than its shape says",
         [](Recording& r) { r.initial[0].bytes.pop_back(); }},
        {"a buffer is larger than any memory",
         [](Recording& r) {
             r.final[1].shape = {u64{1} << 63, 2};
         }},
        {"a buffer has an unknown type", [](Recording& r) { r.final[1].type = ElementType(60); }},
    };
    for (const Case& c : cases) {
        Recording recording = sample();
        c.spoil(recording);
        EXPECT_EQ(refusal(pack(recording)), std::string("a.lks: this recording is damaged (") + c.mistake +
                                                "); copy it again or record it again");
    }
}

TEST(Lks, AllocatesNothingForLengthsThatCanNotBe) {
    std::vector<LksSection> sections = sectionsOf(sample());
    for (LksSection& section : sections) {
        LksSection whole = section;
        section.bytes.assign(8, std::byte{0xff});  // a list or text of 2^64 - 1
        const Expected<Recording> recording = recordingOf(sections, "a.lks");
        ASSERT_FALSE(recording);
        EXPECT_EQ(recording.error().message.english(),
                  "this recording is damaged (section " + std::to_string(section.kind) +
                      " cannot be read); copy it again or record it again");
        section = whole;
    }
    sections.pop_back();
    EXPECT_EQ(recordingOf(sections, "a.lks").error().message.english(),
              "this recording is damaged (section 9 is missing); copy it again or record it again");
}

TEST(Lks, ReplacesAFileWholeOrNotAtAll) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lks_test";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::filesystem::path file = folder / "run.lks";
    std::ofstream(file) << "an older file";
    ASSERT_TRUE(save(sample(), file));
    const Expected<Recording> back = load(file);
    ASSERT_TRUE(back) << describe(back.error());
    EXPECT_EQ(written(*back), written(sample()));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}),
              1);  // no temporary file is left

    const Expected<void> nowhere = save(sample(), folder / "missing" / "run.lks");
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().message.english(),
              "cannot be written: there is no folder " + (folder / "missing").string() + "; make it first");
    const Expected<Recording> missing = load(folder / "other.lks");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message.english(),
              "there is no such recording, or it may not be read; check the name");
    EXPECT_FALSE(load(folder));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lockstep::trace
