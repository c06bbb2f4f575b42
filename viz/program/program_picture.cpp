#include "viz/program/program_picture.h"

#include "base/text/counted.h"
#include "base/text/quantities.h"
#include "operations/sentences.h"
#include "operations/stretches.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/marks/glyphs.h"
#include "viz/scene/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace lockstep::viz {
namespace {

using operations::Buffer;
using operations::Kind;
using operations::Operation;
using operations::Operations;
using operations::Stretch;

constexpr Words kTitle = english("Program"),
                kCaption = english("{0} {0:operation|operations}, {1} {1:launch|launches}"),
                kNoTimes = english(
                    "From left to right in the order in which the program asked for them. An "
                    "emulator has no times, so no width is one."),
                kFirstOnly = english("The first {0} are shown."),
                kNothing = english("The program asked nothing of the device.");
constexpr Words kDefaultStream = english("Default stream"), kThreadStream = english("Per-thread default"),
                kStream = english("Stream {0}"), kDevice = english("Device");
constexpr Words kTimes = english("{0} times"), kTimesHover = english(
                                                   "These operations come {0} times, one after "
                                                   "another and alike.");
constexpr Words kHostWaits = english("host waits"), kHostFunction = english("host function");
constexpr Words kMemory = english("Memory"), kMoreMemory = english("{0} more {0:allocation|allocations}"),
                kAllocations = english("{0} ({1} allocations, this is the last)");
constexpr Words kKeyLaunch = english("launch"), kKeyToDevice = english("copy to the device"),
                kKeyToHost = english("copy to the host"),
                kKeyWithin = english("copy within the device, or the host"), kKeyFill = english("fill"),
                kKeyEvent = english("event recorded"), kKeyStreamWait = english("stream waits for an event"),
                kKeyWait = english("the host waits"), kKeyFinding = english("findings"),
                kKeyFollowed = english("uses the followed buffer");

constexpr f32 kLabel = 132, kColumn = 92, kWidest = 150, kRow = 46, kRuler = 20, kBracket = 16, kBand = 18,
              kMemoryRow = 19, kSignRoom = 20;
constexpr std::size_t kMostMemoryRows = 60, kMostColumns = 2000;

constexpr TextStyle kName{.size = type::kCode, .mono = true};

enum class Direction : u8 { ToDevice, ToHost, Within };

// One operation, drawn once; of a stretch that is repeated one of its round.
struct Column {
    u64 operation = 0;
    std::size_t stretch = 0;
};

class Picture {
public:
    explicit Picture(const ProgramInput& in)
        : in_(in),
          all_(in.operations),
          canvas_(in.size, in.metrics),
          stretches_(operations::stretchesOf(all_.list, all_)) {
        for (std::size_t s = 0; s < stretches_.size() && columns_.size() < kMostColumns; ++s)
            for (u64 i = 0; i < stretches_[s].length; ++i)
                columns_.push_back({stretches_[s].first + i, s});
        std::vector<bool> isUsed(all_.streams.size());
        for (const Operation& operation : all_.list)
            if (operation.stream) isUsed[*operation.stream] = true;
        for (u32 stream = 0; stream < isUsed.size(); ++stream)
            if (isUsed[stream]) rows_.push_back(stream);
        std::ranges::stable_sort(rows_, {}, [&](u32 stream) { return all_.streams[stream].kind; });
        if (in.followed) used_ = operations::usesOf(*in.followed, all_);
    }

    Scene draw() {
        f32 y = drawHead();
        const f32 left = space::kInset + kLabel,
                  wide = std::max(in_.size.width - left - space::kInset, kColumn);
        // As few lines as it takes, and these alike.
        const auto most = std::size_t(std::max(1.f, std::floor(wide / kColumn)));
        const std::size_t bands = (columns_.size() + most - 1) / most,
                          each = bands > 1 ? (columns_.size() + bands - 1) / bands : most;
        width_ = std::min(wide / f32(each), kWidest);
        for (std::size_t first = 0; first < columns_.size(); first += each)
            y = drawBand(left, y, first, std::min(each, columns_.size() - first)) + kBand;
        if (!columns_.empty()) y = drawKey(y);
        y = drawMemory(y);
        Scene scene = std::move(canvas_).take(in_.followed ? followedText() : std::string());
        scene.size.height = std::max(in_.size.height, y + space::kInset);
        scene.caption = captionText();
        return scene;
    }

private:
    std::string captionText() const {
        const auto launches = std::ranges::count(all_.list, Kind::Launch, &Operation::kind);
        return say(in_.language, kCaption, grouped(all_.count), grouped(u64(launches)));
    }
    std::string followedText() const {
        const Buffer& buffer = all_.buffers[*in_.followed];
        return operations::describe(buffer, all_).in(in_.language) + "; " +
               operations::historyOf(buffer, all_).in(in_.language);
    }

    f32 drawHead() {
        f32 y = space::kInset + 6;
        f32 x = space::kInset;
        if (!in_.titled) return drawNote(y - 6);
        x += canvas_.text({x, y}, say(in_.language, kTitle), {.size = type::kTitle, .bold = true}) + 12;
        x += canvas_.text({x, y}, in_.program, {.mono = true}) + 12;
        canvas_.textWithin({x, y}, in_.size.width - x - space::kInset, captionText(),
                           {.role = role(RoleKind::TextSecond)});
        return drawNote(y + 22);
    }
    f32 drawNote(f32 y) {
        std::string note = say(in_.language, all_.count ? kNoTimes : kNothing);
        const u64 shown = columns_.empty() ? 0 : lastShown();
        if (shown < all_.count) note += " " + say(in_.language, kFirstOnly, grouped(shown));
        const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
        const f32 wide = in_.size.width - 2 * space::kInset;
        return y + 16 * f32(canvas_.paragraph({space::kInset, y}, wide, note, style)) + 4;
    }
    u64 lastShown() const {
        const Stretch& last = stretches_[columns_.back().stretch];
        return last.first + last.length * last.times;
    }

    // ---- A line of operations
    f32 rowsHeight() const { return kRow * f32(std::max<std::size_t>(rows_.size(), 1)); }
    std::size_t rowOf(u32 stream) const {
        return std::size_t(std::ranges::find(rows_, stream) - rows_.begin());
    }

    // Returns where it ends.
    f32 drawBand(f32 left, f32 top, std::size_t first, std::size_t count) {
        bool hasBrackets = false;
        for (std::size_t i = first; i < first + count; ++i)
            hasBrackets |= stretches_[columns_[i].stretch].times > 1;
        const f32 rows = top + kRuler + (hasBrackets ? kBracket : 0);
        drawRows(left, rows, f32(count) * width_);
        drawBrackets(left, top + kRuler, first, count);
        std::map<u32, Point> recorded;  // where an event was, in this line
        for (std::size_t i = 0; i < count; ++i) {
            const Column& column = columns_[first + i];
            const Operation& operation = all_.list[column.operation];
            const f32 x = left + f32(i) * width_;
            drawLine({x, top, width_, kRuler}, operation);
            drawOperation(column, operation, {x, rows, width_, rowsHeight()}, recorded);
        }
        return rows + rowsHeight();
    }
    void drawRows(f32 left, f32 top, f32 wide) {
        const auto name = [&](f32 y, const std::string& title, const std::string& detail) {
            canvas_.textWithin({space::kInset, y + kRow / 2 - (detail.empty() ? 0 : 8)}, kLabel - 8, title,
                               {.size = type::kCode, .bold = true});
            canvas_.textWithin({space::kInset, y + kRow / 2 + 8}, kLabel - 8, detail,
                               {.size = type::kAxis, .role = role(RoleKind::TextSecond)});
        };
        for (std::size_t i = 0; i < std::max<std::size_t>(rows_.size(), 1); ++i) {
            const f32 y = top + kRow * f32(i);
            canvas_.line({left, y + kRow / 2}, {left + wide, y + kRow / 2},
                         {role(RoleKind::Line), line::kHair});
            if (rows_.empty())
                name(y, say(in_.language, kDevice), {});
            else
                name(y, streamTitle(rows_[i]), streamDetail(rows_[i]));
            if (!rows_.empty())
                canvas_.hit({space::kInset, y, kLabel - 8, kRow}, {.hover = streamHover(rows_[i])});
        }
    }
    std::string streamTitle(u32 index) const {
        const operations::Stream& stream = all_.streams[index];
        if (stream.kind == operations::StreamKind::Default) return say(in_.language, kDefaultStream);
        if (stream.kind == operations::StreamKind::PerThread) return say(in_.language, kThreadStream);
        u64 number = 0;
        for (u32 i = 0; i <= index; ++i)
            number += all_.streams[i].kind == operations::StreamKind::Made;
        return say(in_.language, kStream, number);
    }
    std::string streamDetail(u32 index) const {
        const operations::Stream& stream = all_.streams[index];
        return stream.name.empty() && stream.made.line ? placeOf(stream.made) : stream.name;
    }
    std::string streamHover(u32 index) const {
        const operations::Stream& stream = all_.streams[index];
        std::string title = streamTitle(index);
        const std::string detail = streamDetail(index);
        if (detail.empty()) return title;
        return fmt::format("{}: {}{}{}", title, detail, stream.name.empty() ? "" : ", ",
                           stream.name.empty() ? std::string() : placeOf(stream.made));
    }
    std::string placeOf(const operations::CodePlace& place) const {
        return operations::placeText(place, all_).in(in_.language);
    }

    // Where the program asks for it.
    void drawLine(const Rect& area, const Operation& operation) {
        if (!operation.place.line) return;
        canvas_.textWithin({area.x + 4, area.y + area.height / 2}, area.width - 6,
                           operations::placeText(operation.place, all_).in(in_.language),
                           {.size = type::kAxis, .role = role(RoleKind::TextThird)});
    }
    void drawBrackets(f32 left, f32 top, std::size_t first, std::size_t count) {
        for (std::size_t i = 0; i < count;) {
            const Stretch& stretch = stretches_[columns_[first + i].stretch];
            std::size_t end = i;
            while (end < count && columns_[first + end].stretch == columns_[first + i].stretch)
                ++end;
            if (stretch.times > 1) {
                const f32 x = left + f32(i) * width_ + 3, wide = f32(end - i) * width_ - 6,
                          y = top + kBracket / 2;
                const Stroke stroke{role(RoleKind::TextSecond), line::kHair};
                const std::string text = say(in_.language, kTimes, grouped(stretch.times));
                const TextStyle style{.size = type::kAxis, .bold = true};
                const f32 words = canvas_.text({x + 10, y}, text, style);
                canvas_.line({x, top + kBracket}, {x, y}, stroke);
                canvas_.line({x, y}, {x + 6, y}, stroke);
                if (x + words + 16 < x + wide) canvas_.line({x + words + 16, y}, {x + wide, y}, stroke);
                canvas_.line({x + wide, y}, {x + wide, top + kBracket}, stroke);
                canvas_.hit({x, top, wide, kBracket},
                            {.hover = say(in_.language, kTimesHover, grouped(stretch.times))});
            }
            i = end;
        }
    }

    void drawOperation(const Column& column, const Operation& operation, const Rect& area,
                       std::map<u32, Point>& recorded) {
        Rect place = area;
        if (operation.stream && !rows_.empty()) {
            place.y += kRow * f32(rowOf(*operation.stream));
            place.height = kRow;
        }
        const Rect box{place.x + 3, place.y + 5, place.width - 6, place.height - 10};
        switch (operation.kind) {
            case Kind::Launch: drawLaunch(box, operation); break;
            case Kind::Copy: drawCopy(box, operation); break;
            case Kind::Fill: drawFill(box, operation); break;
            case Kind::EventRecord:
            case Kind::StreamWait: drawEvent(box, operation, recorded); break;
            case Kind::Synchronize: drawWait(area, place, operation); break;
            case Kind::HostFunction:
                drawBox(box, radius::kToken, operation);
                drawTexts(box, 8, say(in_.language, kHostFunction), {}, operation, {.size = type::kCode});
                break;
        }
        if (operation.findings) warning(canvas_, {box.right() - 9, box.y + 8}, 14);
        if (std::ranges::binary_search(used_, column.operation))
            canvas_.rect(box.inset(-2),
                         {.stroke = {role(RoleKind::Cursor), line::kCursor}, .radius = radius::kControl});
        canvas_.hit(box, {.hover = operations::describe(operation, all_).in(in_.language)});
        const Stretch& stretch = stretches_[column.stretch];
        if (in_.targets)
            in_.targets->push_back({.rect = box,
                                    .operation = column.operation,
                                    .times = stretch.times,
                                    .length = stretch.length});
    }

    void drawBox(const Rect& box, f32 corner, const Operation& operation, RoleKind fill = RoleKind::Panel) {
        const bool isBad = !operation.error.empty();
        canvas_.rect(box,
                     {.fill = role(fill),
                      .stroke = {role(isBad ? RoleKind::Finding : RoleKind::Edge), isBad ? 2.f : line::kHair},
                      .radius = corner});
    }
    // The error stands where the second text would.
    void drawTexts(const Rect& box, f32 from, const std::string& first, const std::string& second,
                   const Operation& operation, const TextStyle& style = kName) {
        const bool isBad = !operation.error.empty();
        const std::string& below = isBad ? operation.error : second;
        const f32 room = box.width - from - 4, above = room - (operation.findings ? 14.f : 0.f);
        canvas_.textWithin({box.x + from, box.centre().y - (below.empty() ? 0 : 8)}, above, first,
                           shrunkToFit(canvas_, above, style, first));
        if (!below.empty())
            canvas_.textWithin({box.x + from, box.centre().y + 8}, room, below,
                               {.size = type::kAxis,
                                .mono = style.bold && !isBad,
                                .role = role(isBad ? RoleKind::Finding : RoleKind::TextSecond)});
    }
    // The stream's line goes on behind the text.
    void clearBehind(const Rect& box, f32 from, const std::string& text) {
        const f32 wide = canvas_.width(text, kName);
        canvas_.rect({box.x + from - 4, box.y + 4, std::min(wide + 8, box.width - from), box.height - 8},
                     {.fill = role(RoleKind::Ground)});
    }
    // "<<<(3, 3), (16, 16)>>>", or "3×3, 16×16" where that has no room.
    std::string extentText(const Operation& launch, f32 room) const {
        const auto shorter = [](Dim3 extent) {
            return extent.z > 1   ? fmt::format("{}×{}×{}", extent.x, extent.y, extent.z)
                   : extent.y > 1 ? fmt::format("{}×{}", extent.x, extent.y)
                                  : std::to_string(extent.x);
        };
        return firstFitting(canvas_, room, {.size = type::kAxis, .mono = true},
                            {operations::launchText(launch).substr(launch.function.size()),
                             shorter(launch.grid) + ", " + shorter(launch.block)});
    }
    void drawLaunch(const Rect& box, const Operation& launch) {
        drawBox(box, radius::kCell, launch, RoleKind::Raised);
        drawTexts(box, 8, launch.function, extentText(launch, box.width - 12), launch,
                  {.size = type::kCode, .bold = true, .mono = true});
    }

    bool isOfHost(const std::optional<operations::Side>& side) const {
        if (!side || !side->buffer) return true;
        const operations::Memory memory = all_.buffers[*side->buffer].memory;
        return memory == operations::Memory::Pinned || memory == operations::Memory::Registered;
    }
    Direction directionOf(const Operation& copy) const {
        const bool from = isOfHost(copy.from), to = isOfHost(copy.to);
        return from == to ? Direction::Within : to ? Direction::ToHost : Direction::ToDevice;
    }
    std::string nameOf(const std::optional<operations::Side>& side) const {
        return side && side->buffer ? all_.buffers[*side->buffer].name : std::string();
    }
    // What is read of the device's memory, and what is written to it.
    static void drawBar(Canvas& canvas, const Rect& box, bool reads, bool writes) {
        const Rect bar{box.x, box.y, 4, box.height};
        const f32 half = reads && writes ? bar.height / 2 : bar.height;
        if (reads) canvas.rect({bar.x, bar.y, bar.width, half}, {.fill = role(RoleKind::Load)});
        if (writes)
            canvas.rect({bar.x, bar.bottom() - half, bar.width, half}, {.fill = role(RoleKind::Store)});
    }
    static void drawArrow(Canvas& canvas, Point at, Direction direction) {
        const Stroke stroke{role(RoleKind::Text), 1.5f};
        constexpr f32 kHalf = 7, kPoint = 5;
        if (direction == Direction::Within)
            canvas.line({at.x - kHalf, at.y}, {at.x + kHalf, at.y}, stroke, kPoint);
        else if (direction == Direction::ToDevice)
            canvas.line({at.x, at.y - kHalf}, {at.x, at.y + kHalf}, stroke, kPoint);
        else
            canvas.line({at.x, at.y + kHalf}, {at.x, at.y - kHalf}, stroke, kPoint);
    }
    void drawCopy(const Rect& box, const Operation& copy) {
        const Direction direction = directionOf(copy);
        drawBox(box, radius::kCell, copy);
        drawBar(canvas_, box, !isOfHost(copy.from), !isOfHost(copy.to));
        drawArrow(canvas_, {box.x + 15, box.centre().y}, direction);
        const std::string from = nameOf(copy.from), to = nameOf(copy.to);
        const std::string name = direction == Direction::ToDevice ? to
                                 : direction == Direction::ToHost ? from
                                 : from == to                     ? from
                                                                  : fmt::format("{} → {}", from, to);
        drawTexts(box, 8 + kSignRoom, name, bytesText(f64(copy.bytes)), copy);
        if (!copy.isAsynchronous) drawBarrier({box.right(), box.y, 0, box.height});
    }
    void drawFill(const Rect& box, const Operation& fill) {
        drawBox(box, radius::kCell, fill);
        drawBar(canvas_, box, false, !isOfHost(fill.to));
        drawSquare(canvas_, {box.x + 15, box.centre().y});
        drawTexts(box, 8 + kSignRoom, nameOf(fill.to), bytesText(f64(fill.bytes)), fill);
    }
    static void drawSquare(Canvas& canvas, Point at) {
        canvas.rect({at.x - 5, at.y - 5, 10, 10}, {.fill = role(RoleKind::Text)});
    }
    static void drawDisc(Canvas& canvas, Point at, bool isFilled) {
        const RectStyle filled{.fill = role(RoleKind::Text), .radius = 5},
            hollow{.fill = role(RoleKind::Ground), .stroke = {role(RoleKind::Text), 1.5f}, .radius = 5};
        canvas.rect({at.x - 5, at.y - 5, 10, 10}, isFilled ? filled : hollow);
    }
    void drawEvent(const Rect& box, const Operation& operation, std::map<u32, Point>& recorded) {
        const bool isRecord = operation.kind == Kind::EventRecord;
        const Point at{box.x + 12, box.centre().y};
        clearBehind(box, 22, operation.event ? eventName(*operation.event) : std::string());
        if (operation.event && isRecord) {
            recorded[*operation.event] = at;
            if (operation.stream) rowOfEvent_[*operation.event] = rowOf(*operation.stream);
        }
        if (operation.event && !isRecord && recorded.contains(*operation.event)) {
            const Point from = recorded[*operation.event];
            const f32 down = from.y < at.y ? 1.f : from.y > at.y ? -1.f : 0.f;
            if (down != 0)
                canvas_.line({from.x, from.y + 7 * down}, {at.x - 6, at.y - 3 * down},
                             {role(RoleKind::TextSecond), line::kNext, Dash::Sparse}, 5);
        }
        drawDisc(canvas_, at, isRecord);
        if (operation.event) drawTexts(box, 22, eventName(*operation.event), {}, operation);
    }
    std::string eventName(u32 event) const {
        const std::string& name = all_.events[event].name;
        return name.empty() ? std::to_string(event + 1) : name;
    }
    void drawBarrier(const Rect& at) {
        canvas_.line({at.x, at.y}, {at.x, at.bottom()}, {role(RoleKind::Text), 3});
    }
    // Through all rows that it waits for.
    void drawWait(const Rect& area, const Rect& place, const Operation& wait) {
        Rect rows = wait.stream ? place : area;
        if (wait.event && rowOfEvent_.contains(*wait.event)) {
            rows.height = kRow;
            rows.y += kRow * f32(rowOfEvent_.at(*wait.event));
        }
        const f32 x = rows.x + 10;
        drawBarrier({x, rows.y + 4, 0, rows.height - 8});
        const Rect box{x, rows.y + 5, rows.right() - x - 3, kRow - 10};
        clearBehind(box, 8, say(in_.language, kHostWaits));
        drawTexts(box, 8, say(in_.language, kHostWaits), wait.event ? eventName(*wait.event) : std::string(),
                  wait, {.size = type::kCode});
        canvas_.hit(rows, {.hover = operations::describe(wait, all_).in(in_.language)});
    }

    // ---- What the marks mean: of those that are there
    f32 drawKey(f32 y) {
        std::vector<KeyRow> rows;
        const auto has = [&](auto what) {
            return std::ranges::any_of(columns_,
                                       [&](const Column& c) { return what(all_.list[c.operation]); });
        };
        const auto add = [&](bool isThere, const Words& text, std::function<void(Canvas&, Point)> draw) {
            if (isThere) rows.push_back({std::move(draw), say(in_.language, text)});
        };
        const auto is = [](Kind kind) { return [kind](const Operation& o) { return o.kind == kind; }; };
        const auto goes = [&](Direction direction) {
            return [&, direction](const Operation& o) {
                return o.kind == Kind::Copy && directionOf(o) == direction;
            };
        };
        add(has(is(Kind::Launch)), kKeyLaunch, [](Canvas& canvas, Point at) {
            canvas.rect(
                {at.x - 11, at.y - 7, 22, 14},
                {.fill = role(RoleKind::Raised), .stroke = {role(RoleKind::Edge)}, .radius = radius::kCell});
        });
        const auto arrow = [](Direction direction) {
            return [direction](Canvas& canvas, Point at) {
                drawBar(canvas, {at.x - 11, at.y - 8, 22, 16}, direction != Direction::ToDevice,
                        direction != Direction::ToHost);
                drawArrow(canvas, {at.x + 3, at.y}, direction);
            };
        };
        add(has(goes(Direction::ToDevice)), kKeyToDevice, arrow(Direction::ToDevice));
        add(has(goes(Direction::ToHost)), kKeyToHost, arrow(Direction::ToHost));
        add(has(goes(Direction::Within)), kKeyWithin, arrow(Direction::Within));
        add(has(is(Kind::Fill)), kKeyFill, [](Canvas& canvas, Point at) { drawSquare(canvas, at); });
        add(has(is(Kind::EventRecord)), kKeyEvent,
            [](Canvas& canvas, Point at) { drawDisc(canvas, at, true); });
        add(has(is(Kind::StreamWait)), kKeyStreamWait,
            [](Canvas& canvas, Point at) { drawDisc(canvas, at, false); });
        const auto waits = [](const Operation& o) {
            return o.kind == Kind::Synchronize || (o.kind == Kind::Copy && !o.isAsynchronous);
        };
        add(has(waits), kKeyWait, [](Canvas& canvas, Point at) {
            canvas.line({at.x, at.y - 8}, {at.x, at.y + 8}, {role(RoleKind::Text), 3});
        });
        add(has([](const Operation& o) { return o.findings > 0; }), kKeyFinding,
            [](Canvas& canvas, Point at) { warning(canvas, at, 14); });
        add(!used_.empty(), kKeyFollowed, [](Canvas& canvas, Point at) {
            canvas.rect({at.x - 11, at.y - 7, 22, 14},
                        {.stroke = {role(RoleKind::Cursor), line::kCursor}, .radius = radius::kControl});
        });
        const f32 wide = in_.size.width - 2 * space::kInset;
        for (const std::span<const KeyRow> some : keyLines(canvas_, wide, rows)) {
            keyRow(canvas_, {space::kInset, y + 10}, wide, some);
            y += 24;
        }
        return y + 10;
    }

    // ---- Memory: allocations of one line under one name together
    f32 drawMemory(f32 y) {
        if (all_.buffers.empty()) return y;
        std::vector<std::pair<u32, u64>> rows;  // the last one, and how many
        std::map<std::tuple<std::string, operations::CodePlace>, std::size_t> known;
        for (u32 i = 0; i < all_.buffers.size(); ++i) {
            const Buffer& buffer = all_.buffers[i];
            const auto [at, isNew] = known.emplace(std::tuple(buffer.name, buffer.allocated), rows.size());
            if (isNew) rows.emplace_back(i, 0);
            rows[at->second].first = i;
            ++rows[at->second].second;
        }
        canvas_.text({space::kInset, y + 8}, say(in_.language, kMemory), {.bold = true});
        y += 26;
        const f32 wide = in_.size.width - 2 * space::kInset, name = std::min(wide * 0.42f, 460.f);
        for (std::size_t i = 0; i < std::min(rows.size(), kMostMemoryRows); ++i, y += kMemoryRow) {
            const auto& [index, count] = rows[i];
            const Buffer& buffer = all_.buffers[index];
            std::string what = operations::describe(buffer, all_).in(in_.language);
            if (count > 1) what = say(in_.language, kAllocations, what, grouped(count));
            const std::string history = operations::historyOf(buffer, all_).in(in_.language);
            const bool isFollowed = in_.followed == index;
            canvas_.textWithin({space::kInset, y}, name - 8, what, {.size = type::kCode, .bold = isFollowed});
            canvas_.textWithin({space::kInset + name, y}, wide - name, history,
                               {.size = type::kCode, .bold = isFollowed, .role = role(RoleKind::TextSecond)});
            what += "; ";
            what += history;
            const Rect row{space::kInset, y - kMemoryRow / 2, wide, kMemoryRow};
            canvas_.hit(row, {.hover = std::move(what)});
            if (in_.targets) in_.targets->push_back({.rect = row, .buffer = index});
        }
        if (rows.size() > kMostMemoryRows) {
            canvas_.text({space::kInset, y},
                         say(in_.language, kMoreMemory, grouped(rows.size() - kMostMemoryRows)),
                         {.size = type::kCode, .role = role(RoleKind::TextSecond)});
            y += kMemoryRow;
        }
        return y;
    }

    const ProgramInput& in_;
    const Operations& all_;
    Canvas canvas_;
    std::vector<Stretch> stretches_;
    std::vector<Column> columns_;
    std::vector<u32> rows_;                  // streams
    std::vector<u64> used_;                  // operations that use the followed buffer, ascending
    std::map<u32, std::size_t> rowOfEvent_;  // where it was recorded last
    f32 width_ = kColumn;
};

}  // namespace

Scene buildProgram(const ProgramInput& in) { return Picture(in).draw(); }

}  // namespace lockstep::viz
