// Playlists: what their files may have, mistakes with file:line, and every playlist that ships, entry by
// entry, in both languages.
#include "cuda/compiler/nvrtc.h"
#include "lessons/prose.h"
#include "playlists/answer_in_words.h"
#include "playlists/check_playlist.h"
#include "playlists/handout.h"
#include "playlists/html_text.h"
#include "playlists/write_playlist.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace lockstep::playlists {
namespace {

const run::Resources kResources{LOCKSTEP_SOURCE_DIR};

const catalog::Catalog& shippedCatalog() {
    static const catalog::Catalog catalog = *catalog::Catalog::read(kResources.kernels());
    return catalog;
}

struct Desk {
    Questions questions{kResources.assets() / "lessons"};
    lessons::LessonRuns runs{kResources, shippedCatalog()};
};

constexpr std::string_view kHead = "+++\nminutes = 3\n+++\n\n# Lecture\n\n";
constexpr std::string_view kEntry =
    "+++\nid = \"a\"\nminutes = 3\nkernel = \"banks/stride\"\nview = \"banks\"\nat = \"= words[\"\ndoes = "
    "\"load\"\nhides = [\"view\"]\n+++\n\n## An entry\n\n{wavefronts} wavefront.\n\n::: notes\n\nSay 7.\n";

ReadPlaylist parsed(const std::string& text, Desk& desk, const std::string& chinese = {}) {
    std::vector<lessons::LessonFile> files{{Language::English, "x.playlist.md", text}};
    if (!chinese.empty()) files.push_back({Language::Chinese, "x.zh-CN.playlist.md", chinese});
    return parsePlaylist("x", files, desk.questions);
}

// All that its places name.
std::vector<std::string> viewsOf(const Playlist& playlist) {
    std::vector<std::string> views;
    for (const lessons::LessonStep& step : playlist.text.steps) {
        views.push_back(step.place.view);
        for (const auto& [name, place] : step.others)
            views.push_back(place.view);
    }
    return views;
}

std::string mistakesOf(const std::string& text, const std::string& chinese = {}) {
    Desk desk;
    std::string all;
    const ReadPlaylist read = parsed(text, desk, chinese);
    const std::vector<std::string> views{"banks", "stage"};
    for (const Fault& fault : checkPlaylist(read, desk.runs, desk.questions, views))
        all += describe(fault) + "\n";
    return all;
}

TEST(ReadPlaylist, HasWhatItsFileSays) {
    Desk desk;
    const ReadPlaylist read = parsed(std::string(kHead) + std::string(kEntry), desk);
    EXPECT_TRUE(read.mistakes.empty());
    ASSERT_EQ(read.playlist.entries.size(), 1u);
    EXPECT_EQ(read.playlist.plannedMinutes, 3u);
    EXPECT_EQ(read.playlist.minutes(), 3u);
    const Entry& entry = read.playlist.entries[0];
    EXPECT_TRUE(entry.isHidden(Part::View));
    EXPECT_FALSE(entry.isHidden(Part::Sentence));
    EXPECT_EQ(read.playlist.text.steps[0].text(Language::English).notes, "Say 7.");
    EXPECT_EQ(mistakesOf(std::string(kHead) + std::string(kEntry)), "");
}

TEST(ReadPlaylist, AnEntryThatAsksStandsAtThePlaceOfItsQuestion) {
    Desk desk;
    const ReadPlaylist read = parsed(
        "# L\n+++\nid = \"a\"\nminutes = 1\nquestion = \"banks#stride\"\nview = \"stage\"\n+++\n## E\n",
        desk);
    ASSERT_TRUE(read.mistakes.empty());
    const lessons::Place& place = read.playlist.text.steps[0].place;
    const Questions::Found found = *desk.questions.find("banks#stride");
    EXPECT_EQ(place.kernel, found.step().place.kernel);
    EXPECT_EQ(place.settings, lessons::drawnPlace(found.step(), 0).settings);
    EXPECT_EQ(place.at, found.step().place.at);
    EXPECT_EQ(place.view, "stage");
}

TEST(ReadPlaylist, SaysEachMistakeWithItsLineAndTheRestWorks) {
    struct Case {
        std::string text, mistake;
    };
    const std::string good = std::string(kEntry);
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        return "# L\n" + text.replace(text.find(from), from.size(), to);
    };
    const Case cases[] = {
        {changed("id = \"a\"", "id = "), "x.playlist.md:3: "},
        {changed("minutes = 3", "minutes = 999"), "x.playlist.md:4: 'minutes' is from 0 to 600"},
        {changed("minutes = 3\n", ""), "x.playlist.md:2: the entry has no 'minutes'"},
        {changed("banks/stride", "banks/strid"), "x.playlist.md:5: "},
        {changed("id = \"a\"", "id = \"My Own\""),
         "x.playlist.md:3: an 'id' is small letters, digits and hyphens, not 'My Own'"},
        {changed("at = \"= words[\"", "at = \"= wordz[\""),
         "x.playlist.md:7: no line of the kernel's file has"},
        {changed("hides = [\"view\"]", "with = \"banks/stride\""), "x.playlist.md:9: 'with' is for the view"},
        {changed("{wavefronts}", "{wavefronts"), "x.playlist.md:14: the '{' before \"wavefronts"},
        {changed("An entry", "An \xE9ntry"), "x.playlist.md:12: this line is not UTF-8"},
        {changed("hides = [\"view\"]", "hides = [\"vieuw\"]"),
         "x.playlist.md:9: 'hides' has view, sentence and source, not 'vieuw'"},
        {changed("hides = [\"view\"]", "question = \"banks#strid\""),
         "x.playlist.md:9: the lesson 'banks' has no step 'strid'"},
        {changed("hides = [\"view\"]", "question = \"bank#stride\""),
         "x.playlist.md:9: there is no lesson 'bank'"},
        {changed("hides = [\"view\"]", "question = \"banks\""), "x.playlist.md:9: a question is LESSON#STEP"},
        {changed("hides = [\"view\"]", "events = 200"), "x.playlist.md:2: the warp has "},
        {changed("hides = [\"view\"]", "ask = \"number\""), "x.playlist.md:9: "},
        {changed("view = \"banks\"", "view = \"compare\""),
         "x.playlist.md:6: there is no view 'compare' that shows one run"},
        {changed("{wavefronts}", "{wavefront}"), "x.playlist.md:14: {wavefront}: "},
        {changed("{wavefronts}", "32"), "x.playlist.md:14: the figure 32 is typed in"},
        {changed("::: notes", "::: hint"),
         "x.playlist.md:16: a section of a playlist is ::: reveal or ::: notes"},
        {changed("## An entry", "An entry"), "x.playlist.md:11: the entry has no title"},
        {"+++\nminutes = 5\n+++\n# L\n" + good, "x.playlist.md:1: the entries take 3 minutes, not 5"},
        {good, "x.playlist.md:1: a playlist begins with its title"},
        {"# L\n", "x.playlist.md:1: the playlist has no entry"},
        {"# L\n" + good + good, "there are two entries 'a'"},
    };
    for (const Case& c : cases) {
        EXPECT_NE(mistakesOf(c.text).find(c.mistake), std::string::npos) << c.mistake << "\n--- of\n"
                                                                         << c.text << "\n--- says\n"
                                                                         << mistakesOf(c.text);
        // With another entry behind it, that one can be shown.
        std::string another = good;
        another.replace(another.find("\"a\""), 3, "\"b\"");
        Desk desk;
        const auto playlist = std::make_shared<const Playlist>(parsed(c.text + another, desk).playlist);
        EXPECT_TRUE(showEntry(playlist, playlist->entries.size() - 1, desk.runs, desk.questions)) << c.text;
    }
    EXPECT_NE(mistakesOf("# L\n" + good, "# 课\n+++\nid = \"b\"\n+++\n## 条目\n")
                  .find("x.zh-CN.playlist.md:2: there is no entry 'b' in x.playlist.md"),
              std::string::npos);
}

// A lecturer's kernel and lesson beside the playlist.
class OwnOfPlaylistTest : public testing::Test {
protected:
    OwnOfPlaylistTest() {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_ / "kernels");
        write("kernels/twice.cu",
              "__global__ void twice(float* out, const float* in, int n) {\n"
              "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "    if (i < n) out[i] = FACTOR * in[i];\n}\n");
        write(
            "mine"
            "/en.md",
            "# Mine\n\n+++\nid = \"lanes\"\nkernel = \"k.cu\"\n"
            "launch = { grid = \"1\", block = \"32\", arguments = [\"f32[32]=zero\"] }\n"
            "at = \"a[\"\ndoes = \"store\"\nask = \"number\"\nanswer = \"active_lanes\"\n+++\n\n"
            "## Lanes\n\nHow many?\n\n::: hint\n\nCount.\n\n::: reveal\n\n{active_lanes}.\n");
        write("mine/k.cu", "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n");
    }
    ~OwnOfPlaylistTest() override { std::filesystem::remove_all(folder_); }
    void write(const std::string& name, const std::string& text) const {
        const std::filesystem::path file = folder_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    std::vector<Fault> check(const std::string& text) {
        write("l.playlist.md", text);
        const Expected<ReadPlaylist> read = readPlaylist(folder_ / "l.playlist.md", desk_.questions);
        if (!read) return {read.error()};
        playlist_ = std::make_shared<const Playlist>(read->playlist);
        return checkPlaylist(*read, desk_.runs, desk_.questions, viewsOf(*playlist_));
    }
    Desk desk_;
    std::shared_ptr<const Playlist> playlist_;
    const std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "lockstep-own-playlist";
};

constexpr const char* kOwnEntry =
    "# L\n\n+++\nid = \"a\"\nminutes = 1\nkernel = \"kernels/twice.cu\"\nset = { FACTOR = 3 }\n"
    "launch = { grid = \"2\", block = \"64\", arguments = [\"f32[128]=zero\", \"f32[128]=iota\", "
    "\"i32:128\"] }\n"
    "view = \"sectors\"\nat = \"out[i]\"\ndoes = \"store\"\n+++\n\n## Twice\n\n{sectors} sectors.\n";

TEST_F(OwnOfPlaylistTest, AKernelOfAFileIsNamedByItsPathFromThePlaylist) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const std::vector<Fault> mistakes = check(kOwnEntry);
    EXPECT_TRUE(mistakes.empty()) << describe(mistakes.front());
    const auto entry = showEntry(playlist_, 0, desk_.runs, desk_.questions);
    ASSERT_TRUE(entry) << describe(entry.error());
    const Picture& picture = (*entry)->pictures.front();
    ASSERT_TRUE(picture.own);
    EXPECT_EQ(picture.own->file, folder_ / "kernels" / "twice.cu");
    EXPECT_EQ(picture.own->launch.grid, "2");
    EXPECT_EQ(picture.kernel, "kernels/twice.cu");
    EXPECT_EQ((*entry)->step->in(Language::English).body, "4 sectors.");
    const Expected<Handout> handout =
        makeHandout({*entry}, Language::English, [&](const Picture&) -> Expected<DrawnPicture> {
            return DrawnPicture{"<svg></svg>", "lockstep kernels/twice.cu"};
        });
    ASSERT_TRUE(handout);
    EXPECT_NE(handout->html.find("lockstep kernels/twice.cu"), std::string::npos);
}

TEST_F(OwnOfPlaylistTest, AQuestionThatLacksALanguageOfThePlaylistIsAMistake) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const std::string entry = "+++\nid = \"a\"\nminutes = 1\nquestion = \"mine#lanes\"\n+++\n\n";
    EXPECT_TRUE(check("# L\n\n" + entry + "## Lanes\n\nHow many?\n").empty());
    write("l.zh-CN.playlist.md", "# L\n\n+++\nid = \"a\"\n+++\n\n## 通道\n\n有几个？\n");
    const std::vector<Fault> mistakes = check("# L\n\n" + entry + "## Lanes\n\nHow many?\n");
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_NE(describe(mistakes[0]).find("l.zh-CN.playlist.md"), std::string::npos);
    EXPECT_NE(describe(mistakes[0]).find("the question 'mine#lanes' has no text of this language"),
              std::string::npos)
        << describe(mistakes[0]);
}

TEST_F(OwnOfPlaylistTest, MistakesStandInThePlaylistOrInTheKernelsFile) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const std::string file = (folder_ / "l.playlist.md").string(), good = kOwnEntry;
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        std::string all;
        for (const Fault& fault : check(text.replace(text.find(from), from.size(), to)))
            all += describe(fault) + "\n";
        return all;
    };
    EXPECT_EQ(changed("kernels/twice.cu", "kernels/thrice.cu"),
              file + ":6: there is no file " + (folder_ / "kernels/thrice.cu").string() + "\n");
    EXPECT_TRUE(changed("grid = \"2\"", "grid = \"two\"").starts_with(file + ":8: "));
    const std::string broken = changed("FACTOR = 3", "FACTOR = \"oops\"");
    EXPECT_TRUE(broken.starts_with((folder_ / "kernels" / "twice.cu").string() + ":3:")) << broken;
    EXPECT_TRUE(changed("\"i32:128\"", "\"f64:1\"").starts_with(file + ":8: --arg 2"));
    EXPECT_TRUE(
        changed("kernel = \"kernels/twice.cu\"", "kernel = \"banks/stride\"").starts_with(file + ":"));
    EXPECT_NE(changed("{sectors} sectors", "![a](b.png)").find(":16: an image is not shown"),
              std::string::npos);
}

TEST_F(OwnOfPlaylistTest, AQuestionOfALessonOfOnesOwnIsNamedByItsFolder) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    for (const char* lesson : {"mine", "./mine", "../lockstep-own-playlist/mine"}) {
        const std::vector<Fault> mistakes = check("# L\n\n+++\nid = \"a\"\nminutes = 1\nquestion = \"" +
                                                  std::string(lesson) + "#lanes\"\n+++\n\n## Lanes\n");
        EXPECT_TRUE(mistakes.empty()) << describe(mistakes.front());
        const auto entry = showEntry(playlist_, 0, desk_.runs, desk_.questions);
        ASSERT_TRUE(entry) << describe(entry.error());
        EXPECT_EQ((*entry)->question->answer, "32");
        EXPECT_EQ((*entry)->pictures.front().own->file, folder_ / "mine" / "k.cu");
        EXPECT_EQ((*entry)->pictures.front().kernel, "mine/k.cu");
    }
    const std::vector<Fault> mistakes =
        check("# L\n\n+++\nid = \"a\"\nminutes = 1\nquestion = \"../no/where#one\"\n+++\n\n## Lanes\n");
    ASSERT_FALSE(mistakes.empty());
    EXPECT_TRUE(describe(mistakes.front())
                    .starts_with((folder_ / "l.playlist.md").string() + ":6: there is no folder "));
}

TEST(WritePlaylist, AKernelOfAFileIsReadBackWithItsLaunch) {
    NewEntry entry{.place = {.kernel = "../k/My Sum.cu", .settings = {{"N", "7"}, {"T", "float2"}}},
                   .title = "sum"};
    entry.place.own = lessons::FileLaunch{.file = "/x/k/My Sum.cu",
                                          .entry = "sum<16>",
                                          .grid = "4",
                                          .block = "32,2",
                                          .sharedBytes = 64,
                                          .arguments = {"f32[8]=const:2", "i32:8"}};
    entry.place.step = 3;
    Desk desk;
    const ReadPlaylist read = parsed(withEntry(newPlaylistText("L"), entry), desk);
    ASSERT_EQ(read.playlist.entries.size(), 1u);
    const lessons::LessonStep& step = read.playlist.text.steps[0];
    EXPECT_EQ(step.id, "my-sum");
    EXPECT_EQ(step.place.kernel, "../k/My Sum.cu");
    ASSERT_TRUE(step.place.own);
    EXPECT_EQ(step.place.own->entry, "sum<16>");
    EXPECT_EQ(step.place.own->block, "32,2");
    EXPECT_EQ(step.place.own->sharedBytes, 64u);
    EXPECT_EQ(step.place.own->arguments, entry.place.own->arguments);
    EXPECT_EQ(step.place.settings, entry.place.settings);
    ASSERT_EQ(read.mistakes.size(), 1u) << "the file alone";
    EXPECT_NE(describe(read.mistakes.front()).find("there is no file"), std::string::npos);
}

TEST(WritePlaylist, WhatWasAddedIsReadBackAndTheRestIsUntouched) {
    Desk desk;
    const std::string before = std::string(kHead) + std::string(kEntry);
    NewEntry entry{.place = {.kernel = "banks/words",
                             .settings = {{"word", "float4"}, {"stride", "1"}},
                             .view = "banks",
                             .warp = 0,
                             .lane = 3,
                             .step = 134},
                   .minutes = 4,
                   .question = {},
                   .title = "Wide \"words\""};
    std::string text = withEntry(before, entry);
    EXPECT_TRUE(text.starts_with(before.substr(0, before.size() - 1)));
    text = withEntry(text, entry);
    const ReadPlaylist read = parsed(text, desk);
    for (const Fault& fault : read.mistakes)
        ADD_FAILURE() << describe(fault);
    ASSERT_EQ(read.playlist.entries.size(), 3u);
    for (const std::size_t i : {1u, 2u}) {
        const lessons::Place& place = read.playlist.text.steps[i].place;
        EXPECT_EQ(place.kernel, entry.place.kernel);
        EXPECT_EQ(std::set(place.settings.begin(), place.settings.end()),
                  std::set(entry.place.settings.begin(), entry.place.settings.end()));
        EXPECT_EQ(place.view, "banks");
        EXPECT_EQ(place.lane, 3u);
        EXPECT_EQ(place.step, 134u);
        EXPECT_EQ(read.playlist.entries[i].minutes, 4u);
        EXPECT_EQ(read.playlist.text.steps[i].text(Language::English).title, entry.title);
    }
    EXPECT_NE(read.playlist.text.steps[1].id, read.playlist.text.steps[2].id);
}

TEST(Html, HasMarkdownsBlocksAndNothingThatIsNotEscaped) {
    EXPECT_EQ(htmlOf("a **b** `c<d`\ne\n\n- f\n- g\n\n```\nh & i\n```\n"),
              "<p>a <strong>b</strong> <code>c&lt;d</code> e</p>\n<ul>\n<li>f</li>\n<li>g</li>\n</ul>\n"
              "<pre>h &amp; i\n</pre>\n");
    EXPECT_EQ(htmlOf("See [the `guide`](https://docs.nvidia.com/?a=1&b) and `[x](https://y)`.\n"),
              "<p>See <a href=\"https://docs.nvidia.com/?a=1&amp;b\">the <code>guide</code></a> and "
              "<code>[x](https://y)</code>.</p>\n");
    EXPECT_EQ(htmlOf("[x](javascript:y)"), "<p>[x](javascript:y)</p>\n") << "no address that runs";
    EXPECT_EQ(htmlOf("a\n\n| q | `r` |\n|---|:-:|\n| s | <t> |\n\nb\n"),
              "<p>a</p>\n<table>\n<tr><th>q</th><th><code>r</code></th></tr>\n"
              "<tr><td>s</td><td>&lt;t&gt;</td></tr>\n</table>\n<p>b</p>\n");
    EXPECT_EQ(htmlOf("| no | table |\n"), "<p>| no | table |</p>\n");
    EXPECT_EQ(htmlOf("<script>**"), "<p>&lt;script&gt;**</p>\n");
    EXPECT_EQ(inlinedSvg("<svg x=\"1\"><clipPath id=\"c0\"/><g clip-path=\"url(#c0)\"/></svg>", "p-", "a\"b"),
              "<svg role=\"img\" aria-label=\"a&quot;b\" x=\"1\"><clipPath id=\"p-c0\"/><g "
              "clip-path=\"url(#p-c0)\"/></svg>");
}

bool isChinese(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return u8(c) >= 0xe4 && u8(c) <= 0xe9; });
}

std::vector<std::shared_ptr<const Playlist>> shipped(Desk& desk) {
    std::vector<std::shared_ptr<const Playlist>> all;
    const std::filesystem::path folder = kResources.assets() / "playlists";
    for (const std::string& name : playlistsIn(folder)) {
        Expected<ReadPlaylist> read =
            readPlaylist(fileOfPlaylist(folder, name, Language::English), desk.questions);
        if (!read) {
            ADD_FAILURE() << describe(read.error());
            continue;
        }
        for (const Fault& fault : checkPlaylist(*read, desk.runs, desk.questions, viewsOf(read->playlist)))
            ADD_FAILURE() << describe(fault);
        all.push_back(std::make_shared<const Playlist>(std::move(read->playlist)));
    }
    return all;
}

TEST(Playlists, EveryEntryOpensAndHasItsTextsAndItsAnswerInBothLanguages) {
    Desk desk;
    const auto all = shipped(desk);
    ASSERT_FALSE(all.empty());
    for (const auto& playlist : all) {
        EXPECT_GT(playlist->plannedMinutes, 0u);
        EXPECT_EQ(playlist->minutes(), playlist->plannedMinutes);
        for (std::size_t i = 0; i < playlist->entries.size(); ++i) {
            SCOPED_TRACE(playlist->text.steps[i].id);
            const auto entry = showEntry(playlist, i, desk.runs, desk.questions);
            ASSERT_TRUE(entry) << describe(entry.error());
            ASSERT_FALSE((*entry)->pictures.empty());
            for (const Picture& picture : (*entry)->pictures)
                EXPECT_TRUE(explain::lookUp(*picture.run, picture.cursor).step);
            if ((*entry)->question) {
                EXPECT_TRUE((*entry)->hides());
                EXPECT_FALSE((*entry)->question->answer.empty());
            }
            for (const Language language : lessons::kLessonLanguages) {
                const lessons::StepWords& words = (*entry)->step->in(language);
                EXPECT_EQ(isChinese(words.title), language == Language::Chinese) << words.title;
                EXPECT_EQ(isChinese(words.notes), language == Language::Chinese) << words.notes;
                EXPECT_FALSE(words.notes.empty());
                EXPECT_EQ((words.body + words.reveal + words.notes).find('{'), std::string::npos);
                EXPECT_FALSE(words.body.empty() && !(*entry)->question);
            }
        }
    }
}

TEST(Playlists, TheLectureOnBanksTakesFortyFiveMinutesAndHasWhatThePlanAsksFor) {
    Desk desk;
    for (const auto& playlist : shipped(desk)) {
        if (playlist->text.name != "banks") continue;
        EXPECT_EQ(playlist->minutes(), 45u);
        for (const char* part : {"stride", "padding", "swizzle", "wide", "broadcast"})
            EXPECT_NE(playlist->text.find(part), nullptr) << part;
        return;
    }
    FAIL() << "there is no playlist banks";
}

std::size_t countOf(std::string_view text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string_view::npos; at += what.size())
        ++count;
    return count;
}

// What has changed is the answer's picture, not what there was before the change.
TEST(Playlists, AnAnswerAboutAChangeIsToldWithThePictureOfTheChange) {
    Desk desk;
    const auto playlist = shipped(desk).front();
    std::size_t changes = 0;
    for (std::size_t i = 0; i < playlist->entries.size(); ++i) {
        const auto entry = *showEntry(playlist, i, desk.runs, desk.questions);
        SCOPED_TRACE(playlist->text.steps[i].id);
        if (!entry->question || entry->question->step().question.to.empty()) continue;
        const lessons::PlaceOnShow* after = entry->question->asked.other(entry->question->step().question.to);
        ASSERT_TRUE(after);
        EXPECT_GT(entry->answerPicture, 0u);
        EXPECT_EQ(entry->pictures[entry->answerPicture].run, after->run);
        ++changes;
    }
    EXPECT_EQ(changes, 2u);
    EXPECT_EQ((*showEntry(playlist, 0, desk.runs, desk.questions))->answerPicture, 0u);
}

// Names of quantities are for files; a lecturer reads words of his language.
TEST(AnswerInWords, HasNoNamesOfQuantitiesInIt) {
    Desk desk;
    std::size_t differences = 0;
    const auto playlist = shipped(desk).front();
    for (std::size_t i = 0; i < playlist->entries.size(); ++i) {
        const auto entry = showEntry(playlist, i, desk.runs, desk.questions);
        ASSERT_TRUE(entry);
        if (!(*entry)->question) continue;
        const lessons::StepOnShow& question = *(*entry)->question;
        const lessons::Question& asked = question.step().question;
        SCOPED_TRACE(question.step().id);
        for (const Language language : lessons::kLessonLanguages) {
            for (const UsualAnswer& usual : (*entry)->usual) {
                const std::string line = answerInOneLine(question, usual.answer, language);
                for (const std::string& change : asked.changes)
                    EXPECT_EQ(line.find(question.in(language).meaningOf(change)) == std::string::npos, false)
                        << line;
                EXPECT_EQ(line.find('_'), std::string::npos) << line;
                EXPECT_FALSE(line.ends_with(".") || line.ends_with("。")) << line;
                EXPECT_FALSE(usual.why.at(language).empty());
            }
            const std::string text = questionInWords(question, language);
            for (const std::string& change : asked.changes)
                EXPECT_NE(text.find(question.in(language).meaningOf(change) +
                                    (language == Language::English ? ": less, the same or more?"
                                                                   : "：减少、不变还是增加？")),
                          std::string::npos)
                    << text;
            for (const lessons::Option& option : asked.options)
                EXPECT_NE(text.find(question.in(language).meaningOf(option.name)), std::string::npos) << text;
        }
        differences += !asked.changes.empty();
    }
    EXPECT_GT(differences, 0u);
}

// The mistakes that the lesson knows; no answer is made up to fill the list.
TEST(UsualAnswers, AreThoseThatTheLessonKnows) {
    Desk desk;
    const auto playlist = shipped(desk).front();
    const auto answersOf = [&](const char* id) {
        const lessons::LessonStep* step = playlist->text.find(id);
        std::vector<std::string> answers;
        const auto entry = showEntry(playlist, playlist->text.indexOf(*step), desk.runs, desk.questions);
        for (const UsualAnswer& usual : (*entry)->usual)
            answers.push_back(usual.answer);
        return answers;
    };
    EXPECT_EQ(answersOf("column"), std::vector<std::string>{"1"});
    EXPECT_EQ(answersOf("broadcast"), std::vector<std::string>{"32"});
    EXPECT_EQ(answersOf("swizzle").size(), 2u) << "what can be chosen wrongly";
}

TEST(MakeHandout, HasEveryPictureOnceAndAnswersApartAndNeedsNothingElse) {
    Desk desk;
    const auto playlist = shipped(desk).front();
    std::vector<std::shared_ptr<const EntryOnShow>> entries;
    std::size_t pictures = 0;
    for (std::size_t i = 0; i < playlist->entries.size(); ++i) {
        entries.push_back(*showEntry(playlist, i, desk.runs, desk.questions));
        pictures += entries.back()->pictures.size();
    }
    for (const Language language : lessons::kLessonLanguages) {
        const Expected<Handout> handout = makeHandout(entries, language, [](const Picture& picture) {
            return DrawnPicture{"<svg id=\"c0\"></svg>\n", "lockstep " + picture.family};
        });
        ASSERT_TRUE(handout);
        EXPECT_EQ(handout->pictures, pictures);
        EXPECT_EQ(handout->leftOut, 0u);
        const std::string& html = handout->html;
        EXPECT_EQ(countOf(html, "<svg "), pictures);
        EXPECT_EQ(countOf(html, "<section "), entries.size());
        EXPECT_EQ(countOf(html, "class=\"reply\""),
                  std::size_t(std::ranges::count_if(entries, [](const auto& e) { return e->hides(); })));
        for (const char* never : {"<script", "src=", "@import", "href=", "{"})
            EXPECT_EQ(countOf(html.substr(html.find("</style>")), never), 0u) << never;
        EXPECT_EQ(countOf(html, "http"), 1u);  // the name of HTML itself
        for (const auto& entry : entries)
            EXPECT_EQ(html.find(entry->step->in(language).notes.substr(0, 40)), std::string::npos);
    }
}

TEST(MakeHandout, SaysHowManyPicturesItLeavesOut) {
    Desk desk;
    std::string text = "# L\n" + std::string(kEntry);
    const std::string place = "at = \"= words[\"\ndoes = \"load\"\nhides = [\"view\"]";
    text.replace(text.find(place), place.size(), "events = 20");
    text.replace(text.find("{wavefronts}"), 12, "One");
    const auto playlist = std::make_shared<const Playlist>(parsed(text, desk).playlist);
    const auto entry = showEntry(playlist, 0, desk.runs, desk.questions);
    ASSERT_TRUE(entry) << describe(entry.error());
    ASSERT_EQ((*entry)->pictures.size(), 21u);
    const Expected<Handout> handout = makeHandout({*entry}, Language::English, [](const Picture&) {
        return DrawnPicture{"<svg></svg>\n", ""};
    });
    ASSERT_TRUE(handout);
    EXPECT_EQ(handout->pictures, kMostPictures);
    EXPECT_EQ(handout->leftOut, 21 - kMostPictures);
    EXPECT_NE(handout->html.find("The first 12 of 21 pictures"), std::string::npos);
}

// Where the entry has no picture of it, it comes from the question: with the answer, and named.
TEST(MakeHandout, HasThePictureOfWhatAQuestionChangesInTheAnswer) {
    Desk desk;
    const std::string text =
        "# L\n+++\nid = \"a\"\nminutes = 3\nquestion = \"banks#padding\"\n+++\n\n## An entry\n\nIts text.\n";
    const auto playlist = std::make_shared<const Playlist>(parsed(text, desk).playlist);
    const auto entry = showEntry(playlist, 0, desk.runs, desk.questions);
    ASSERT_TRUE(entry) << describe(entry.error());
    ASSERT_EQ((*entry)->answerPicture, (*entry)->pictures.size() - 1);
    const Picture& changed = (*entry)->pictures.back();
    EXPECT_TRUE(changed.isOfAnswer);
    const auto& question = (*entry)->question;
    EXPECT_EQ(changed.run, question->asked.other(question->step().question.to)->run);
    EXPECT_FALSE(changed.named("", Language::English).empty());
    const Expected<Handout> handout = makeHandout({*entry}, Language::English, [](const Picture& picture) {
        return DrawnPicture{picture.isOfAnswer ? "<svg>changed</svg>\n" : "<svg>before</svg>\n", ""};
    });
    ASSERT_TRUE(handout);
    EXPECT_EQ(countOf(handout->html, "before</svg>"), 1u);
    EXPECT_GT(handout->html.find("changed</svg>"), handout->html.find("class=\"answer\""));
}

TEST(Playlists, EachOfSeveralPicturesSaysWhatItHasOtherThanTheFirst) {
    Desk desk;
    const auto list = std::make_shared<const Playlist>(
        readPlaylist(kResources.assets() / "playlists" / "banks.playlist.md", desk.questions)->playlist);
    const auto namesOf = [&](const char* id) {
        const auto entry =
            *showEntry(list, list->text.indexOf(*list->text.find(id)), desk.runs, desk.questions);
        std::vector<std::string> names;
        for (const Picture& picture : entry->pictures)
            names.push_back(picture.names.empty() ? "" : picture.names.at(Language::English));
        return names;
    };
    EXPECT_EQ(namesOf("strides"), (std::vector<std::string>{"stride = 2", "stride = 4", "stride = 8",
                                                            "stride = 16", "stride = 32"}));
    EXPECT_EQ(namesOf("row"), std::vector<std::string>{""});
}

}  // namespace
}  // namespace lockstep::playlists
