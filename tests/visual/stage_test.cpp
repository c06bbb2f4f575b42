// The stage of every variant in the catalog, as large as the window leaves it room, at the places where
// something happens, in both languages: its key explains the marks that are there and no others, and no
// text lies on a cell that it does not belong to.
#include "looked_at.h"
#include "viz/marks/looks.h"
#include "viz/messages.h"
#include "viz/scene/fonts.h"
#include "viz/scene/geometry.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <set>

namespace lockstep {
namespace {

using namespace viz;

// What the stage has of a window of 1280 x 720, of 1920 x 1080 and of 2560 x 1440, and the whole of the
// smallest.
constexpr std::array kSizes{Size{588, 335}, Size{1142, 770}, Size{1280, 660}, Size{1522, 1040}};

std::vector<Cursor> cursorsOf(const run::Run& run) {
    const Cursor initial = initialCursor(run), start = explain::toStart(run, initial);
    Cursor end = explain::toEnd(run, initial);
    end.lane = Lane{17};
    std::vector<std::optional<Cursor>> others{
        explain::forward(run, run.profile, start, explain::Stride::Finding), start, end,
        explain::forward(run, run.profile, initial, explain::Stride::Phase),
        explain::forward(run, run.profile, start, explain::Stride::Conflict)};
    return placesToLookAt(run, others);
}

// Every variant of the catalog that runs at its defaults.
void forEachStage(const std::function<void(const std::string&, const Scene&, const Fonts&)>& look) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants) {
            const std::string name = family.name + "/" + variant.name;
            const Expected<run::Run> run = runShipped(name, {});
            ASSERT_TRUE(run) << name << ": " << describe(run.error());
            for (const Cursor& cursor : cursorsOf(*run))
                for (const Size size : kSizes)
                    for (const Language language : {Language::English, Language::Chinese}) {
                        const Scene scene = findView("stage")->build({.run = *run,
                                                                      .cursor = cursor,
                                                                      .profile = run->profile,
                                                                      .size = size,
                                                                      .language = language,
                                                                      .metrics = *fonts,
                                                                      .titled = size.width > 1200});
                        look(fmt::format("{}, warp {}, step {}, {} x {}, {}", name, cursor.warp.value,
                                         cursor.step + 1, size.width, size.height, nameOfLanguage(language)),
                             scene, *fonts);
                    }
        }
}

bool isInKey(const Scene& scene, Point at) {
    return std::ranges::any_of(scene.keys, [&](const Rect& key) { return key.contains(at); });
}

// What needs no words: the grid and what is empty, chips, lines that join a label to its place, and a
// finding's mark, which has its sentence beside it.
bool explainsItself(const Look& look, const std::set<Look>& key) {
    if (look.fill == RoleKind::Finding || look.stroke == RoleKind::Finding) return true;
    // The same of a remark.
    if (look.shape == Look::Shape::Triangle && look.fill == RoleKind::TextThird) return true;
    if (look.shape == Look::Shape::Box && look.stroke == RoleKind::TextThird) return true;
    if (look.shape == Look::Shape::Way && look.stroke == RoleKind::TextSecond) return true;
    // The cursor's way belongs to its frame; one sign to come stands for all shapes of it.
    if (look.stroke == RoleKind::Cursor) return key.contains({.stroke = RoleKind::Cursor});
    if (look.isFaint &&
        std::ranges::any_of(key, [&](const Look& one) { return one.isFaint && one.fill == look.fill; }))
        return true;
    const auto isQuiet = [](RoleKind kind) {
        return kind == RoleKind::None || kind == RoleKind::Raised || kind == RoleKind::Line ||
               kind == RoleKind::Edge || kind == RoleKind::Inactive;
    };
    return (isQuiet(look.fill) && isQuiet(look.stroke) && look.hatch == RoleKind::None) ||
           (look.shape == Look::Shape::Box && look.fill == RoleKind::Cursor);
}

TEST(StageTest, TheKeyIsWholeAndExplainsTheMarksOfThePictureAndNoOthers) {
    std::set<std::string> complained;
    u32 scenes = 0;
    forEachStage([&](const std::string& what, const Scene& scene, const Fonts&) {
        if (scene.keys.empty()) return;
        ++scenes;
        const Rect whole{0, 0, scene.size.width, scene.size.height};
        for (const Rect& rect : scene.keys)
            if ((rect.x < 0 || rect.y < 0 || rect.right() > whole.width || rect.bottom() > whole.height) &&
                complained.insert(what.substr(0, what.find(','))).second)
                ADD_FAILURE() << what << ": the key reaches to " << rect.right() << ", " << rect.bottom();
        const std::set<Look> picture = looksOf(scene.marks, whole, scene.keys);
        std::vector<Mark> signs;
        std::set<Look> key;
        for (const Rect& rect : scene.keys)
            key.merge(looksOf(scene.marks, rect));
        for (const Look& look : picture)
            if (!explainsItself(look, key) && !key.contains(look) &&
                complained.insert(what.substr(0, what.find('/')) + describe(look)).second)
                ADD_FAILURE() << what << ": no entry for: " << describe(look);
        for (const Look& look : key)
            if (!picture.contains(look) &&
                complained.insert(what.substr(0, what.find('/')) + "entry " + describe(look)).second)
                ADD_FAILURE() << what << ": an entry, and no mark: " << describe(look);
    });
    EXPECT_GT(scenes, 1000u);
}

// Cells that hold data: squares on which a text can lie by mistake.
bool isCell(const RectMark& rect) {
    switch (rect.fill.kind) {
        case RoleKind::Warp:
        case RoleKind::Wasted:
        case RoleKind::Raised:
        case RoleKind::Inactive:
            return rect.rect.height >= 6 && rect.rect.height < 120 && rect.rect.width < 120;
        default: return false;
    }
}

// The first text, or ground beneath one, that hides part of a cell it does not belong to.
std::optional<std::string> textOnAnotherCell(const Scene& scene, const TextMetrics& metrics) {
    struct Cell {
        Rect rect;
    };
    std::vector<Cell> cells;
    Rect clip{0, 0, scene.size.width, scene.size.height};
    const Rect whole = clip;
    for (std::size_t i = 0; i < scene.marks.size(); ++i) {
        if (const auto* cut = std::get_if<ClipMark>(&scene.marks[i])) clip = cut->rect.value_or(whole);
        if (const auto* rect = std::get_if<RectMark>(&scene.marks[i]))
            if (isCell(*rect) && !isInKey(scene, rect->rect.centre()))
                cells.push_back({meet(rect->rect, clip)});
    }
    clip = whole;
    for (const Mark& mark : scene.marks) {
        if (const auto* cut = std::get_if<ClipMark>(&mark)) clip = cut->rect.value_or(whole);
        const auto* text = std::get_if<TextMark>(&mark);
        if (!text) continue;
        const Rect ink = meet(inkOf(*text, metrics), clip);
        if (ink.width <= 0 || ink.height <= 0 || isInKey(scene, ink.centre())) continue;
        for (const Cell& cell : cells) {
            const Rect common = meet(cell.rect, ink);
            const bool isInside = cell.rect.contains(ink.centre());
            if (common.width > 1.5f && common.height > 1.5f && !isInside)
                return fmt::format("\"{}\" lies on a cell at {:.0f}, {:.0f}", text->text, cell.rect.x,
                                   cell.rect.y);
        }
    }
    return std::nullopt;
}

// The ground beneath the name of a thread, which may stand anywhere, that hides an arrow, or beneath any
// other text, which belongs where it is, that hides the head of one.
std::optional<std::string> groundOnAnArrow(const Scene& scene) {
    constexpr u32 kSamples = 32;
    constexpr f32 kLongName = 70;
    const Rect whole{0, 0, scene.size.width, scene.size.height};
    Rect clip = whole;
    struct Way {
        Curve points;
        bool hasHead = false;
        Rect clip;
    };
    std::vector<Way> ways;
    for (const Mark& mark : scene.marks) {
        if (const auto* cut = std::get_if<ClipMark>(&mark)) clip = cut->rect.value_or(whole);
        if (const auto* line = std::get_if<LineMark>(&mark); line && line->arrow > 0)
            ways.push_back({{line->from, line->from, line->to, line->to}, true, clip});
        if (const auto* curve = std::get_if<CurveMark>(&mark); curve && curve->stroke.role.alpha > 0.4f)
            ways.push_back({curve->points, curve->arrow > 0, clip});
        const auto* plate = std::get_if<RectMark>(&mark);
        if (!plate || plate->fill.kind != RoleKind::Ground || plate->fill.alpha < 1 ||
            plate->rect.width > 300 || plate->rect.height > 40)
            continue;
        for (const Way& way : ways)
            for (u32 i = 0; i <= kSamples; ++i) {
                const Point at = pointAt(way.points, f32(i) / kSamples);
                if (!plate->rect.inset(1).contains(at) || !way.clip.contains(at) || isInKey(scene, at))
                    continue;
                if (plate->rect.width > kLongName || (i == kSamples && way.hasHead))
                    return fmt::format("a label's ground hides an arrow at {:.0f}, {:.0f}", at.x, at.y);
            }
    }
    return std::nullopt;
}

// Two texts, or a text and the sign of a finding, that read as one because no blank is between them.
std::optional<std::string> textsThatTouch(const Scene& scene, const TextMetrics& metrics) {
    constexpr f32 kApart = 2;
    struct Box {
        Rect rect;
        std::string text;
    };
    std::vector<Box> boxes;
    Rect clip{0, 0, scene.size.width, scene.size.height};
    const Rect whole = clip;
    for (const Mark& mark : scene.marks) {
        if (const auto* cut = std::get_if<ClipMark>(&mark)) clip = cut->rect.value_or(whole);
        if (const auto* text = std::get_if<TextMark>(&mark); text && text->text != "!") {
            const Rect ink = meet(inkOf(*text, metrics), clip);
            if (ink.width > 0 && ink.height > 0) boxes.push_back({ink, text->text});
        }
        const auto* sign = std::get_if<PolygonMark>(&mark);
        if (sign && sign->fill.kind == RoleKind::Finding && sign->points.size() == 3) {
            const auto [left, right] = std::ranges::minmax(sign->points, {}, &Point::x);
            const auto [top, bottom] = std::ranges::minmax(sign->points, {}, &Point::y);
            boxes.push_back({{left.x, top.y, right.x - left.x, bottom.y - top.y}, "a finding's sign"});
        }
    }
    std::ranges::sort(boxes, {}, [](const Box& box) { return box.rect.x; });
    for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = a + 1; b < boxes.size() && boxes[b].rect.x < boxes[a].rect.right() + kApart;
             ++b) {
            const Rect &first = boxes[a].rect, &second = boxes[b].rect;
            const f32 common = std::min(first.bottom(), second.bottom()) - std::max(first.y, second.y);
            if (common > 0.4f * std::min(first.height, second.height) && !isInKey(scene, first.centre()))
                return fmt::format("\"{}\" and \"{}\" touch at {:.0f}, {:.0f}", boxes[a].text, boxes[b].text,
                                   second.x, second.y);
        }
    return std::nullopt;
}

TEST(StageTest, NoTextTouchesAnotherOrHidesAnArrow) {
    std::set<std::string> complained;
    forEachStage([&](const std::string& what, const Scene& scene, const Fonts& fonts) {
        for (const std::optional<std::string>& found : {groundOnAnArrow(scene), textsThatTouch(scene, fonts)})
            if (found && complained.insert(what.substr(0, what.find(',')) + found->substr(0, 4)).second)
                ADD_FAILURE() << what << ": " << *found;
    });
}

// The step at which the variant opens copies past the registers.
TEST(StageTest, SaysThatAnAsynchronousCopyPassesNoRegister) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const Expected<run::Run> run = runShipped("matmul/double-buffered", {});
    ASSERT_TRUE(run) << describe(run.error());
    for (const Language language : {Language::English, Language::Chinese}) {
        const Scene scene = findView("stage")->build({.run = *run,
                                                      .cursor = initialCursor(*run),
                                                      .profile = run->profile,
                                                      .size = {1142, 770},
                                                      .language = language,
                                                      .metrics = *fonts});
        const bool isEnglish = language == Language::English;
        EXPECT_NE(scene.sentence.find(isEnglish ? "copies 128 bytes" : "异步复制"), std::string::npos)
            << scene.sentence;
        EXPECT_EQ(scene.sentence.find(isEnglish ? "register" : "寄存器"), std::string::npos);
    }
}

TEST(StageTest, NoTextLiesOnACellThatItDoesNotBelongTo) {
    std::set<std::string> complained;
    forEachStage([&](const std::string& what, const Scene& scene, const Fonts& fonts) {
        const std::optional<std::string> found = textOnAnotherCell(scene, fonts);
        if (found && complained.insert(what.substr(0, what.find(','))).second)
            ADD_FAILURE() << what << ": " << *found;
        for (const std::string& wrong : wrongTexts(scene, fonts))
            if (complained.insert(what.substr(0, what.find(',')) + "!").second)
                ADD_FAILURE() << what << ": " << wrong;
    });
}

// How often the tile was read stands beside it, between it and the matrices on the map.
TEST(StageTest, NoTextLiesOnTheMapBesideAMagnifiedTile) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const Expected<run::Run> run = runShipped("matmul/tiled-bounds", {{"width", "200"}, {"tile", "25"}});
    ASSERT_TRUE(run) << describe(run.error());
    Cursor cursor = initialCursor(*run);
    bool isSaid = false;
    for (const Language language : {Language::English, Language::Chinese})
        for (const Size size : {Size{748, 500}, Size{748, 470}, Size{1142, 770}})
            for (cursor.step = 60; cursor.step < 160; cursor.step += 10) {
                const Scene scene = findView("stage")->build({.run = *run,
                                                              .cursor = cursor,
                                                              .profile = run->profile,
                                                              .size = size,
                                                              .language = language,
                                                              .metrics = *fonts,
                                                              .titled = false});
                const std::optional<std::string> found = textOnAnotherCell(scene, *fonts);
                EXPECT_FALSE(found) << size.width << " x " << size.height << ", step " << cursor.step + 1
                                    << ": " << *found;
                for (const Mark& mark : scene.marks)
                    if (const auto* text = std::get_if<TextMark>(&mark))
                        isSaid |= text->text.find("25 times so far") != std::string::npos;
            }
    EXPECT_TRUE(isSaid);
}

}  // namespace
}  // namespace lockstep
