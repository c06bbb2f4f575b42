// One sub-core of an SM over cycles, as the cycle model has it: a row per warp with its issues and what it
// waits for in between; below, requests to memory by the level that answered, pipes and queues.
#include "base/text/counted.h"
#include "explain/cursor/navigation.h"
#include "viz/cursor/lookup.h"
#include "viz/issue/issue_cards.h"
#include "viz/issue/issue_facts.h"
#include "viz/issue/issue_hiding.h"
#include "viz/issue/issue_keys.h"
#include "viz/issue/issue_marks.h"
#include "viz/issue/issue_rows.h"
#include "viz/issue/issue_strips.h"
#include "viz/issue/issue_table.h"
#include "viz/issues_on_show.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/parts/first_around.h"
#include "viz/phrases.h"
#include "viz/views/views.h"

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

using namespace message;
using time::WarpRecord;

constexpr Words kTitle = english("Issue timeline");
constexpr Words kNotAsked = english("When the warps of this block issue has not been worked out."),
                kUnderWay =
                    english("The machine code of this block is being executed, cycle by cycle: {0}%."),
                kNoTime = english("No time: {0}");
constexpr Words kHead = english("Sub-core {0} of the SM that runs this block: {1} cycles (modeled, {2})"),
                kHeadBrief = english("Sub-core {0}, {1} cycles (modeled, {2})"),
                kPart = english("{0} of {1} SMs simulated");
constexpr Words kSubcore = english("Sub-core"), kChooseSubcore = english("Show sub-core {0}");
constexpr std::array<Words, 4> kZooms{english("Around the cursor"), english("Whole launch"),
                                      english("Single cycles"), english("Latency hiding")};
constexpr Words kChooseZoom = english("Cycles on show: {0}");
constexpr Words kMemoryTitle = english("Lanes, requests, pipes and queues");
constexpr Words kCycleAxis = english("cycle");
constexpr Words kMostWaited = english("above: waits most for"), kNobody = english("no warp issues"),
                kIdleOf = english("{0} of {1} {1:cycle|cycles}"),
                kIdleWithWarps = english("{0} of {1} with a warp");
constexpr Words kOtherSubcore = english("Warp {0} is on sub-core {1}.");

constexpr f32 kLeft = 132, kChip = 22, kNote = 20, kAxis = 22, kStrip = 16, kLowStrip = 10, kKeyLine = 20,
              kLeastRow = 12, kHighRow = 34, kHighestRow = 64, kFewRows = 120, kHighStrip = 34, kMore = 14,
              kIdle = 20, kRight = 176, kWithRight = 860 /* width from which on sums stand beside rows */,
              kLeastScale = 22 /* of a strip for both ends of its scale */;

struct KeptExposed {
    std::shared_ptr<const run::IssueRun> of;
    u32 subcore = 0;
    Idle idle;  // of all its cycles
    std::vector<Waited> exposed;
};

class IssuePicture {
public:
    // endsAt: the least last cycle of a whole launch, so that pictures stand beside each other on one scale.
    IssuePicture(const ViewInput& in, const CursorContext& here, std::shared_ptr<const run::IssueRun> issues,
                 u64 endsAt)
        : in_(in),
          here_(here),
          canvas_(in.size, in.metrics),
          options_(optionsAs<IssueOptions>(in.state.options)),
          place_(placeOf(in.run, *issues, in.cursor)),
          d_{in, canvas_, std::move(issues), {}, 0, place_.smWarp},
          endOfTime_(std::max(endsAt, endOf(d_.sm()))) {
        d_.subcore = options_.subcore ? options_.subcore - 1u : d_.sm().warps[place_.smWarp].subcore;
    }

    Scene draw() {
        const bool withHead = in_.size.height > 220;
        const Rect body = withHead ? head(canvas_, in_, kTitle.in(in_.language), placeText(in_, here_))
                                   : Rect{0, 0, in_.size.width, in_.size.height};
        f32 y = drawHead(body);
        if (options_.zoom == IssueZoom::Hiding && in_.state.zoom == 0) {
            drawHiding(d_, {space::kInset, y, body.width - 2 * space::kInset, body.bottom() - y - 4});
            return std::move(canvas_).take(hidingSentence(d_));
        }
        right_ = body.width >= kWithRight ? kRight : 0;
        d_.scale = scaleFor({kLeft, y, body.width - kLeft - space::kInset - right_, body.height});
        const std::vector<u32> warps = warpsOnShow(d_);
        if (d_.sm().warps[d_.smWarp].subcore != d_.subcore && !warps.empty()) d_.smWarp = warps.front();
        strips_ = stripsOf(d_);
        idle_ = idleOf(d_.sm(), d_.subcore, d_.scale.first(), d_.scale.end());
        all_ = idleOfAll();
        chooseLongest(d_.sm(), d_.subcore, idle_, all_.idle);
        y = drawCards(body, y);
        const std::vector<KeyRow> keys = issueKeys(d_, place_, warps, idle_);
        const f32 keyRoom = body.width - 2 * space::kInset;
        std::vector<std::span<const KeyRow>> lines = keyLines(canvas_, keyRoom, keys);
        const Rooms rooms = share(body.bottom() - y, u32(warps.size()), lines.size());
        drawRows(warps, y, rooms);
        y += rooms.rows + rooms.idle + kAxis;
        drawStrips(y, rooms);
        y += rooms.strips;
        if (rooms.table > 0)
            drawIssueTable(d_, place_, {space::kInset, y, body.width - 2 * space::kInset, rooms.table - 6});
        y = body.bottom() - rooms.key;
        for (std::size_t i = 0; i < lines.size() && f32(i + 1) * kKeyLine <= rooms.key; ++i) {
            keyRow(canvas_, {space::kInset, y + kKeyLine / 2}, keyRoom, lines[i]);
            y += kKeyLine;
        }
        const f64 fit = fitOf(d_.scale.lanes.width);
        Scene scene = std::move(canvas_).take(sentenceAt(d_, place_));
        scene.mostZoom = f32(std::max(1.0, kMostPixels / fit));
        return scene;
    }

private:
    static constexpr f64 kMostPixels = 24;  // a cycle

    struct Rooms {
        f32 rows = 0, row = 0, idle = 0, strips = 0, strip = 0, table = 0, key = 0;
        u32 count = 0;  // of rows
    };

    f64 fitOf(f32 width) const { return f64(width) / f64(endOfTime_); }

    // Of all cycles of the sub-core: the same for every cursor.
    KeptExposed idleOfAll() const {
        const auto worked = [&] {
            KeptExposed all{d_.issues, d_.subcore, idleOf(d_.sm(), d_.subcore, 0, endOf(d_.sm())), {}};
            all.exposed = exposedOf(d_.sm(), d_.subcore, all.idle);
            return all;
        };
        if (!in_.cache) return worked();
        const KeptExposed* kept = std::any_cast<KeptExposed>(&in_.cache->facts);
        if (!kept || kept->of != d_.issues || kept->subcore != d_.subcore) in_.cache->facts = worked();
        return std::any_cast<const KeptExposed&>(in_.cache->facts);
    }

    f32 drawCards(const Rect& body, f32 y) {
        constexpr f32 kShare = 0.38f, kLeastBelow = 150;  // of the picture; for rows and their axis
        IssueCards cards(d_, place_, idle_, all_.idle, all_.exposed);
        const f32 width = body.width - 2 * space::kInset, below = body.bottom() - y;
        const f32 height = cards.arrange(width, std::min(below * kShare, below - kLeastBelow));
        cards.draw({space::kInset, y, width, height});
        return y + height;
    }

    IssueScale scaleFor(const Rect& lanes) const {
        constexpr f64 kAround = 1.5, kCycles = 14;
        constexpr f64 kBefore = 0.6;  // of the width, for what the cursor's step waited for
        IssueScale scale{.lanes = lanes, .pixels = 1, .from = 0};
        const f64 fit = fitOf(lanes.width), all = f64(endOfTime_);
        const f64 level = options_.zoom == IssueZoom::Launch   ? fit
                          : options_.zoom == IssueZoom::Cycles ? kCycles
                                                               : kAround;
        scale.pixels = in_.state.zoom > 0
                           ? std::clamp(fit * f64(in_.state.zoom), fit, std::max(fit, kMostPixels))
                           : std::max(fit, level);
        const f64 shown = f64(lanes.width) / scale.pixels;
        const f64 middle = f64(place_.cycle) - shown * kBefore - f64(in_.state.pan.x) / scale.pixels;
        scale.from = std::floor(std::clamp(middle, 0.0, std::max(0.0, all - shown)));
        return scale;
    }

    // Choices, and what the figures are. Returns where the rows begin.
    f32 drawHead(const Rect& body) {
        const Language l = in_.language;
        f32 x = space::kInset, y = body.y + 8 + kChip / 2;
        const TextStyle label{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        const auto chip = [&](const std::string& text, bool isOn, IssueOptions chosen, std::string hover) {
            const TextStyle style{.size = type::kCode, .align = Align::Centre};
            const f32 wide = canvas_.width(text, style) + 16;
            const Rect box{x, y - kChip / 2, wide, kChip};
            if (box.right() > body.width - space::kInset) return;
            canvas_.rect(
                box, {.fill = role(isOn ? RoleKind::Wasted : RoleKind::Raised), .radius = radius::kControl});
            canvas_.text(box.centre(), text, style);
            canvas_.hit(box, {.hover = std::move(hover), .options = chosen});
            x += wide + 4;
        };
        for (const IssueZoom zoom :
             {IssueZoom::Launch, IssueZoom::Around, IssueZoom::Cycles, IssueZoom::Hiding}) {
            IssueOptions chosen = options_;
            chosen.zoom = zoom;
            const std::string name = say(l, kZooms[std::size_t(zoom)]);
            chip(name, options_.zoom == zoom && in_.state.zoom == 0, chosen, say(l, kChooseZoom, name));
        }
        x += 16;
        const std::string subcores = say(l, kSubcore);
        if (x + canvas_.width(subcores, label) + 4 * 28 < body.width - space::kInset) {
            x += canvas_.text({x, y}, subcores, label) + 8;
            for (u32 s = 0; s < 4; ++s) {
                IssueOptions chosen = options_;
                chosen.subcore = u8(s + 1);
                if (s == d_.sm().warps[place_.smWarp].subcore) chosen.subcore = 0;
                chip(std::to_string(s), s == d_.subcore, chosen, say(l, kChooseSubcore, s));
            }
        }
        y += kChip / 2 + 4 + kNote / 2;
        const std::string cycles = grouped(endOf(d_.sm()));
        const f32 room = body.width - 2 * space::kInset;
        std::string note = say(l, kHead, d_.subcore, cycles, d_.issues->error);
        if (d_.issues->simulatedSms < d_.issues->sms)
            note += " · " + say(l, kPart, d_.issues->simulatedSms, d_.issues->sms);
        if (d_.subcore != d_.sm().warps[place_.smWarp].subcore)
            note += " · " +
                    say(l, kOtherSubcore, in_.cursor.warp.value, u32(d_.sm().warps[place_.smWarp].subcore));
        const std::string brief = say(l, kHeadBrief, d_.subcore, cycles, d_.issues->errorBrief);
        const std::string shown = firstFitting(
            canvas_, room, label, {note, say(l, kHead, d_.subcore, cycles, d_.issues->error), brief});
        canvas_.textWithin({space::kInset, y}, room, shown, label);
        if (canvas_.width(note, label) > room)
            canvas_.hit({space::kInset, y - kNote / 2, room, kNote},
                        {.hover = canvas_.width(shown, label) > room ? shown + "\n" + note : note});
        return y + kNote / 2 + 4;
    }

    // Rows come first, then requests and pipes, then the key; what is left makes strips and rows higher, and
    // has room for what the warp issues.
    Rooms share(f32 room, u32 warps, std::size_t keyLineCount) const {
        Rooms rooms;
        constexpr f32 kWithIdle = 190, kLeastTable = 6 * kIssueTableLine, kMostTable = 30 * kIssueTableLine;
        rooms.idle = room > kWithIdle ? kIdle : 0;
        room -= kAxis + 4 + rooms.idle;
        rooms.count = std::max(1u, warps);
        const f32 least = kLeastRow * f32(std::min(rooms.count, 4u));
        for (const f32 strip : {kStrip, kLowStrip})
            if (rooms.strips == 0 && room - (strip + 3) * f32(strips_.size()) - kNote >= least) {
                rooms.strip = strip;
                rooms.strips = (strip + 3) * f32(strips_.size()) + kNote;
            }
        room -= rooms.strips;
        rooms.key = std::max(
            0.0f, std::min(f32(keyLineCount) * kKeyLine, std::floor((room - least) / kKeyLine) * kKeyLine));
        room -= rooms.key;
        const bool all = kLeastRow * f32(rooms.count) <= room;
        if (!all) rooms.count = std::max(1u, u32((room - kMore) / kLeastRow));
        const f32 more = all ? 0 : kMore;
        const auto rowsUpTo = [&](f32 highest) {
            rooms.row = std::clamp((room - more) / f32(rooms.count), kLeastRow, highest);
            return room - more - rooms.row * f32(rooms.count);  // is left
        };
        if (const f32 left = rowsUpTo(kHighRow); rooms.strips > 0 && left > 0) {
            const f32 higher =
                std::min(kHighStrip - rooms.strip, std::floor(left * 0.6f / f32(strips_.size())));
            rooms.strip += higher;
            rooms.strips += higher * f32(strips_.size());
            room -= higher * f32(strips_.size());
        }
        if (const f32 left = rowsUpTo(kHighestRow); left >= kLeastTable) {
            rooms.table = std::min(left, kMostTable);
            room -= rooms.table;
        }
        rowsUpTo(kFewRows);
        rooms.rows = rooms.row * f32(rooms.count) + more;
        return rooms;
    }

    // Right of what a cycle has a place in.
    Rect beside(f32 y, f32 height) const { return {d_.scale.lanes.right() + 8, y, right_ - 8, height}; }

    std::string rowName(u32 smWarp) const {
        const WarpRecord& warp = d_.sm().warps[smWarp];
        if (d_.issues->ofBlock(smWarp)) return say(in_.language, kWarp, warp.warpOfBlock);
        const Dim3 at = coordinatesOf(warp.block, launchOf(in_.run, in_.cursor.launch).grid);
        return say(in_.language, english("of another block: its coordinates and the warp", "{0}, {1}"),
                   shortCoordinates(at, launchOf(in_.run, in_.cursor.launch).grid),
                   say(in_.language, kWarpLower, warp.warpOfBlock));
    }

    void drawRows(const std::vector<u32>& warps, f32 top, const Rooms& rooms) {
        const auto own = std::ranges::find(warps, place_.smWarp);
        const u32 at = own == warps.end() ? 0 : u32(own - warps.begin());
        const u32 count = std::min(rooms.count, u32(warps.size())),
                  first = firstAround(at, count, u32(warps.size()));
        const Rect lanes{d_.scale.lanes.x, top, d_.scale.lanes.width, rooms.row * f32(count)};
        canvas_.clip(lanes);
        for (u32 r = 0; r < count; ++r)
            drawIssueRow(d_, warps[first + r], {lanes.x, top + f32(r) * rooms.row, lanes.width, rooms.row});
        if (own != warps.end())
            drawCursor({lanes.x, top + f32(at - first) * rooms.row, lanes.width, rooms.row});
        canvas_.unclip();
        for (u32 r = 0; r < count; ++r) {
            const f32 y = top + f32(r) * rooms.row;
            drawName(warps[first + r], {space::kInset, y, kLeft - space::kInset - 6, rooms.row});
            if (right_ > 0) drawMostWaited(d_, warps[first + r], beside(y, rooms.row));
        }
        const f32 y = top + lanes.height + kMore / 2;
        if (count < warps.size()) {
            std::string more;
            if (first > 0) more = say(in_.language, kWarpsAbove, first);
            if (const u32 below = u32(warps.size()) - first - count; below > 0)
                more += (more.empty() ? "" : " · ") + say(in_.language, kWarpsBelow, below);
            canvas_.textWithin({lanes.x, y}, lanes.width, more,
                               {.size = type::kAxis, .role = role(RoleKind::TextSecond)});
        }
        if (rooms.idle > 0) drawIdleStrip(top + rooms.rows, rooms.idle);
        drawAxis(top + rooms.rows + rooms.idle + kAxis / 2);
    }

    void drawIdleStrip(f32 y, f32 height) {
        const f32 room = kLeft - space::kInset - 6;
        const std::string name = say(in_.language, kNobody);
        const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
        canvas_.textWithin({space::kInset, y + height / 2}, room, name,
                           shrunkToFit(canvas_, room, style, name));
        const Rect area{d_.scale.lanes.x, y, d_.scale.lanes.width, height};
        canvas_.clip({area.x, area.y, area.width, area.height + 1});
        drawIdle(d_, idle_, all_.idle, area);
        canvas_.unclip();
        if (right_ <= 0) return;
        const Rect place = beside(y, height);
        const u64 shown = d_.scale.end() - d_.scale.first();
        const u64 withWarps = shown - idle_.withoutWarps;
        const std::string sum = firstFitting(
            canvas_, place.width, style,
            {say(in_.language, withWarps < shown ? kIdleWithWarps : kIdleOf, idle_.cycles, withWarps),
             say(in_.language, kIdleOf, idle_.cycles, withWarps)});
        canvas_.textWithin({place.x, place.centre().y}, place.width, sum, style);
    }

    void drawName(u32 smWarp, const Rect& place) {
        const bool isCurrent = smWarp == place_.smWarp;
        const std::string name = rowName(smWarp);
        TextStyle style{.size = std::clamp(place.height - 2, type::kAxis, type::kCode), .bold = isCurrent};
        if (!d_.issues->ofBlock(smWarp)) style.role = role(RoleKind::TextSecond);
        style = shrunkToFit(canvas_, place.width, style, name);
        canvas_.textWithin({place.x, place.centre().y}, place.width, name, style);
        std::optional<Cursor> go;
        if (const std::optional<Warp> warp = d_.issues->ofBlock(smWarp))
            go = explain::otherWarp(in_.run, in_.cursor, int(warp->value) - int(in_.cursor.warp.value));
        canvas_.hit(place,
                    {.hover = go ? say(in_.language, kGoToWarp, go->warp.value) : d_.sentences().warp(smWarp),
                     .go = go});
    }

    // A step is a bar: from behind the issue before it to its own; dashed where it has none for certain.
    void drawCursor(const Rect& row) {
        const f32 x0 = d_.scale.x(place_.begin), x1 = d_.scale.x(place_.cycle + 1);
        const Rect box{x0 - 1, row.y, std::max(4.0f, x1 - x0 + 2), row.height};
        drawCursorFrame(canvas_, box, place_.isCertain(), isNarrowFrame(box.width));
    }

    void drawAxis(f32 y) {
        const Rect& lanes = d_.scale.lanes;
        canvas_.textWithin({space::kInset, y}, kLeft - space::kInset - 6, say(in_.language, kCycleAxis),
                           {.size = type::kAxis, .role = role(RoleKind::TextSecond)});
        if (right_ > 0) {
            const Rect place = beside(y - kAxis / 2, kAxis);
            const std::string text = say(in_.language, kMostWaited);
            const TextStyle quiet{.size = type::kAxis, .role = role(RoleKind::TextThird)};
            canvas_.textWithin({place.x, y}, place.width, text,
                               shrunkToFit(canvas_, place.width, quiet, text));
        }
        f32 chipFrom = -1e9f, chipTo = -1e9f;
        const f32 at = d_.scale.x(place_.cycle) + f32(d_.scale.pixels) / 2;
        if (place_.marked != time::kNotRecorded && at >= lanes.x && at <= lanes.right()) {
            const std::string text = grouped(place_.cycle);
            const TextStyle bold{.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre};
            const f32 half = canvas_.width(text, bold) / 2 + 6,
                      x = std::clamp(at, lanes.x + half, lanes.right() - half);
            cursorChip(canvas_, {x, y}, text, bold, 0, 16);
            chipFrom = x - half - 4, chipTo = x + half + 4;
        }
        drawCycles(d_, y, chipFrom, chipTo);
    }

    void drawStrips(f32 y, const Rooms& rooms) {
        if (rooms.strips == 0) return;
        canvas_.textWithin({space::kInset, y + kNote / 2 - 2}, in_.size.width - 2 * space::kInset,
                           say(in_.language, kMemoryTitle), {.size = type::kCode, .bold = true});
        y += kNote;
        for (const IssueStrip& strip : strips_) {
            const Rect area{d_.scale.lanes.x, y, d_.scale.lanes.width, rooms.strip};
            canvas_.clip({area.x, area.y, area.width, area.height + 1});
            const IssueStripTexts texts = drawStrip(d_, strip, area);
            canvas_.unclip();
            drawStripTexts(strip, texts, area);
            y += rooms.strip + 3;
        }
    }

    void drawStripTexts(const IssueStrip& strip, const IssueStripTexts& texts, const Rect& area) {
        TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
        const TextStyle tick{
            .size = type::kAxis - 1, .mono = true, .align = Align::Right, .role = role(RoleKind::TextThird)};
        f32 room = kLeft - space::kInset - 6;
        if (area.height >= kLeastScale && !texts.top.empty()) {
            canvas_.text({area.x - 4, area.y + 5}, texts.top, tick);
            canvas_.text({area.x - 4, area.bottom() - 4}, texts.bottom, tick);
            room -= canvas_.width(texts.top, tick) + 4;
        }
        style = shrunkToFit(canvas_, room, style, strip.name);
        canvas_.textWithin({space::kInset, area.centre().y}, room, strip.name, style);
        if (right_ <= 0) return;
        const Rect place = beside(area.y, area.height);
        canvas_.textWithin({place.x, place.centre().y}, place.width, texts.sum,
                           shrunkToFit(canvas_, place.width,
                                       {.size = type::kAxis, .role = role(RoleKind::TextSecond)}, texts.sum));
    }

    const ViewInput& in_;
    const CursorContext& here_;
    Canvas canvas_;
    const IssueOptions options_;
    const IssuePlace place_;
    IssueDrawing d_;
    const u64 endOfTime_;
    std::vector<IssueStrip> strips_;
    Idle idle_;        // of the cycles on show
    KeptExposed all_;  // of all cycles
    f32 right_ = 0;    // room beside the rows for what they come to
};

Scene build(const ViewInput& in, u64 endsAt) {
    const CursorContext here = lookUp(in.run, in.cursor);
    if (const std::string why = whyNothing(in, here); !why.empty()) return emptyScene(in, kTitle, why);
    if (!in.issues || !in.issues->isOf(in.cursor) || (!in.issues->run && !in.issues->why))
        return emptyScene(
            in, kTitle,
            in.issuesPercent ? say(in.language, kUnderWay, *in.issuesPercent) : say(in.language, kNotAsked));
    if (!in.issues->run)
        return emptyScene(in, kTitle, say(in.language, kNoTime, describe(*in.issues->why, in.language)),
                          toolkitButton(in, *in.issues->why));
    const run::IssueRun& issues = *in.issues->run;
    if (in.cursor.warp.value >= issues.warps.size() ||
        issues.warps[in.cursor.warp.value] == time::kNotRecorded)
        return emptyScene(in, kTitle, say(in.language, kNotAsked));
    if (in.size.width < kLeft + 120) return emptyScene(in, kTitle, say(in.language, kTooSmall));
    return IssuePicture(in, here, in.issues->run, endsAt).draw();
}

}  // namespace

Scene buildIssue(const ViewInput& in) { return build(in, 0); }

std::pair<Scene, Scene> buildIssues(const ViewInput& a, const ViewInput& b) {
    const auto endOfRun = [](const ViewInput& in) {
        return in.issues && in.issues->run ? endOf(in.issues->run->sm) : u64{0};
    };
    const u64 endsAt = std::max(endOfRun(a), endOfRun(b));
    const auto drawn = [&](ViewInput in) {
        if (!std::holds_alternative<IssueOptions>(in.state.options))
            in.state.options = IssueOptions{.zoom = IssueZoom::Launch};
        return build(in, endsAt);
    };
    return {drawn(a), drawn(b)};
}

}  // namespace lockstep::viz
