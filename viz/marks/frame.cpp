// Heads, empty pages and keys.
#include "viz/marks/frame.h"

#include "ptx/module.h"
#include "run/machine/machine_run.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/head_of_both.h"
#include "viz/marks/looks.h"
#include "viz/marks/size_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::viz {

namespace {

// "8" or "(4, 2)", as a launch is written.
std::string extentText(Dim3 extent) {
    if (extent.z > 1) return fmt::format("({}, {}, {})", extent.x, extent.y, extent.z);
    return extent.y > 1 ? fmt::format("({}, {})", extent.x, extent.y) : std::to_string(extent.x);
}

std::string launchText(const run::Run& run, LaunchId id) {
    if (id.value >= run.recording.launches.size()) return {};
    const Launch& launch = run.recording.launches[id.value];
    return fmt::format("{}<<<{}, {}>>>", ptx::shortName(launch.entry), extentText(launch.grid),
                       extentText(launch.block));
}

constexpr std::string_view kBetween = " · ";

// Without its first part; empty where it has but one.
std::string_view withoutFirst(std::string_view parts) {
    const std::size_t end = parts.find(kBetween);
    return end == std::string_view::npos ? std::string_view() : parts.substr(end + kBetween.size());
}

// What comes behind it.
std::string_view withoutPrefix(std::string_view parts, std::string_view prefix) {
    parts.remove_prefix(std::min(parts.size(), prefix.size() + kBetween.size()));
    return parts;
}

// What comes last says most.
std::string_view lastThatFit(const Canvas& canvas, f32 room, const TextStyle& style, std::string_view parts) {
    while (!parts.empty() && canvas.width(parts, style) > room)
        parts = withoutFirst(parts);
    return parts;
}

std::string joined(std::string_view first, std::string_view second) {
    const bool both = !first.empty() && !second.empty();
    return std::string(first) + std::string(both ? kBetween : std::string_view()) + std::string(second);
}

// Names and caption in two lines of small letters, no part of them cut: the first has as many names as it
// takes, the family least of all; the second the others, and of the caption what comes last. Returns whether
// anything was left out.
bool twoLines(Canvas& canvas, f32 left, f32 room, std::string_view names, std::string_view caption) {
    constexpr f32 kLine = 14;
    const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    const auto fits = [&](std::string_view text) { return canvas.width(text, style) <= room; };
    const std::string_view all = names;
    // Without the family where it stands in the way of the variant; that tells the family, as a rule.
    const std::size_t family = names.find(kBetween),
                      variant = family == std::string_view::npos ? family : names.find(kBetween, family + 1);
    if (variant != std::string_view::npos && !fits(names) && !fits(names.substr(0, variant)))
        names = withoutFirst(names);
    std::string_view first = names, rest;
    while (!first.empty() && !fits(first)) {
        const std::size_t end = first.rfind(kBetween);
        first = end == std::string_view::npos ? std::string_view() : first.substr(0, end);
    }
    if (first.size() < names.size()) rest = first.empty() ? withoutFirst(names) : withoutPrefix(names, first);
    std::string_view kept = caption;
    while (!kept.empty() && !fits(joined(rest, kept)))
        kept = withoutFirst(kept);
    const bool isRestCut = !fits(rest);
    const std::string second =
        isRestCut ? std::string(lastThatFit(canvas, room, style, caption)) : joined(rest, kept);
    const f32 up = first.empty() || second.empty() ? 0 : kLine / 2;
    if (!first.empty()) canvas.textWithin({left, space::kHead / 2 - up}, room, first, style);
    if (!second.empty()) canvas.textWithin({left, space::kHead / 2 + up}, room, second, style);
    return names.size() < all.size() || isRestCut || kept.size() < caption.size() || first.empty();
}

Rect headOf(Canvas& canvas, const ViewInput& in, std::string_view title, std::string_view caption,
            const std::string& kernel) {
    const Size size = canvas.size();
    canvas.caption(caption);
    if (!in.titled) return {0, 0, size.width, size.height};
    canvas.rect({0, 0, size.width, space::kHead}, {.fill = role(RoleKind::Panel)});
    canvas.line({0, space::kHead - 0.5f}, {size.width, space::kHead - 0.5f}, {role(RoleKind::Line)});
    const f32 wide = canvas.textWithin({space::kInset, space::kHead / 2}, size.width - 2 * space::kInset,
                                       title, {.bold = true});
    const f32 left = space::kInset + wide + 12;
    const std::string whole = joined(kernel, caption);
    const f32 room = size.width - left - space::kInset;
    const TextStyle style =
        shrunkToFit(canvas, room, {.size = type::kCode, .role = role(RoleKind::TextSecond)}, whole);
    bool isCut = false;
    if (canvas.width(whole, style) <= room) {
        canvas.textWithin({left, space::kHead / 2}, room, whole, style);
    } else if (kernel.empty()) {
        canvas.textWithin({left, space::kHead / 2}, room, lastThatFit(canvas, room, style, caption), style);
        isCut = true;
    } else {
        isCut = twoLines(canvas, left, room, kernel, caption);
    }
    if (isCut) canvas.hit({0, 0, size.width, space::kHead}, {.hover = whole});
    return {0, space::kHead, size.width, std::max(0.0f, size.height - space::kHead)};
}

}  // namespace

std::string kernelAndSize(const run::Run& run, LaunchId launch, Language language) {
    if (!run.catalog || !run.catalog->variant) {
        const std::string file(explain::fileName(run.source)), launched = launchText(run, launch);
        return joined(file, launched);
    }
    std::string text;
    const auto add = [&text](std::string_view part) {
        if (part.empty()) return;
        if (!text.empty()) text += kBetween;
        text += part;
    };
    if (run.catalog->family) add(run.catalog->family->title.in(language));
    add(run.catalog->variant->title.in(language));
    add(sizeText(run::settingsOf(*run.catalog), language));
    return text;
}

Rect head(Canvas& canvas, const ViewInput& in, std::string_view title, std::string_view caption) {
    // A comparison names its two in its own caption.
    return headOf(canvas, in, title, caption,
                  in.compared ? std::string() : kernelAndSize(in.run, in.cursor.launch, in.language));
}

Rect headOfBoth(Canvas& canvas, const ViewInput& in, std::string_view title, std::string_view common,
                std::string_view caption) {
    const bool begins = !common.empty() && caption.starts_with(common);
    const std::string_view places = begins ? withoutPrefix(caption, common) : caption;
    const Rect body = headOf(canvas, in, title, places, begins ? std::string(common) : std::string());
    canvas.caption(caption);
    return body;
}

Rect headWithoutKernel(Canvas& canvas, const ViewInput& in, std::string_view title,
                       std::string_view caption) {
    return headOf(canvas, in, title, caption, {});
}

namespace {
const TextStyle kSentenceStyle{
    .size = type::kTitle, .align = Align::Centre, .role = role(RoleKind::TextSecond)};
constexpr f32 kSentenceLine = type::kTitle * type::kLineHeight;
constexpr Words kFetchToolkit = english("Fetch ptxas and nvdisasm");
}  // namespace

Scene emptyScene(const ViewInput& in, const Words& title, const std::string& sentence,
                 std::optional<Hit> button) {
    Canvas canvas(in.size, in.metrics);
    const Rect body = head(canvas, in, title.in(in.language), "");
    const f32 width = std::min(460.0f, body.width - 2 * space::kInset);
    const f32 top =
        body.centre().y - f32(canvas.wrap(sentence, width, kSentenceStyle).size()) * kSentenceLine / 2;
    sentenceAndButton(canvas, {body.centre().x, top}, width, sentence, std::move(button));
    Scene scene = std::move(canvas).take(sentence);
    scene.isSentenceAlone = true;
    return scene;
}

std::optional<Hit> toolkitButton(const ViewInput& in, const Fault& why) {
    if (!in.canFetchToolkit || !run::lacksToolkit(why)) return std::nullopt;
    return Hit{.hover = say(in.language, kFetchToolkit), .fetchesToolkit = true};
}

void sentenceAndButton(Canvas& canvas, Point top, f32 width, const std::string& sentence,
                       std::optional<Hit> button) {
    const u32 lines = canvas.paragraph(top, width, sentence, kSentenceStyle);
    if (!button) return;
    const Point at{top.x, top.y + f32(lines) * kSentenceLine + 16};
    const f32 wide = chip(canvas, at, button->hover, {.size = type::kBody, .align = Align::Centre});
    canvas.hit({at.x - wide / 2, at.y - 14, wide, 28}, std::move(*button));
}

namespace {
constexpr f32 kSign = 24, kKeyText = kSign + 10, kKeyRow = 26, kKeysApart = 20,
              kLeastKeyRow = 20 /* where all rows have no room else */;
const TextStyle kKeyStyle{.size = type::kCode, .role = role(RoleKind::TextSecond)};
}  // namespace

namespace {
// In one line, else in two smaller ones.
void keyText(Canvas& canvas, Point at, f32 room, const std::string& text) {
    TextStyle style = shrunkToFit(canvas, room, kKeyStyle, text);
    const std::vector<std::string> lines =
        canvas.width(text, style) <= room ? std::vector{text} : canvas.wrap(text, room, style);
    constexpr f32 kLine = 11;
    if (lines.size() != 2) return (void)canvas.textWithin(at, room, text, style);
    for (std::size_t line = 0; line < 2; ++line)
        canvas.textWithin({at.x, at.y + (f32(line) - 0.5f) * kLine}, room, lines[line], style);
}
}  // namespace

f32 keyColumn(Canvas& canvas, Point at, f32 maxWidth, f32 maxHeight, std::span<const KeyRow> rows) {
    const f32 pitch =
        std::clamp(maxHeight / f32(std::max<std::size_t>(rows.size(), 1)), kLeastKeyRow, kKeyRow);
    f32 y = 0;
    for (const KeyRow& row : rows) {
        if (y + pitch > maxHeight + 0.5f) break;
        row.draw(canvas, {at.x + kSign / 2, at.y + y + pitch / 2});
        keyText(canvas, {at.x + kKeyText, at.y + y + pitch / 2}, maxWidth - kKeyText, row.text);
        y += pitch;
    }
    canvas.key({at.x, at.y, maxWidth, y});
    return y;
}

f32 keyRowWidth(const Canvas& canvas, std::span<const KeyRow> rows) {
    f32 wide = 0;
    for (const KeyRow& row : rows)
        wide += kSign + 6 + canvas.width(row.text, {.size = type::kAxis}) +
                (&row == &rows.back() ? 0 : kKeysApart);
    return wide;
}

namespace {
constexpr f32 kCloser = 8, kCloserSign = 20;  // where a line of them has no room otherwise
// How many of the entries a line has room for.
std::size_t fitting(const Canvas& canvas, f32 maxWidth, f32 sign, f32 apart, std::span<const KeyRow> rows) {
    f32 x = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        x += sign + 6 + canvas.width(rows[i].text, {.size = type::kAxis});
        if (x > maxWidth) return i;
        x += apart;
    }
    return rows.size();
}
}  // namespace

std::vector<std::span<const KeyRow>> keyLines(const Canvas& canvas, f32 maxWidth,
                                              std::span<const KeyRow> rows) {
    std::vector<std::span<const KeyRow>> lines;
    while (!rows.empty()) {
        const std::size_t count =
            std::max<std::size_t>(1, fitting(canvas, maxWidth, kCloserSign, kCloser, rows));
        lines.push_back(rows.first(count));
        rows = rows.subspan(count);
    }
    return lines;
}

namespace {
constexpr f32 kOneLineStrip = 26, kTwoLineStrip = 36;
}  // namespace

f32 keyStrip(f32 width) {
    constexpr f32 kOneLineFrom = 900;
    return width < kOneLineFrom ? kTwoLineStrip : kOneLineStrip;
}

f32 keyStrip(const Canvas& canvas, f32 maxWidth, std::span<const KeyRow> rows) {
    return keyLines(canvas, maxWidth, rows).size() > 1 ? kTwoLineStrip : kOneLineStrip;
}

std::vector<KeyRow> drawnOf(const Canvas& canvas, std::span<const KeyRow> rows) {
    const Scene& scene = canvas.scene();
    const std::set<Look> drawn =
        looksOf(scene.marks, {0, 0, scene.size.width, scene.size.height}, scene.keys);
    std::vector<KeyRow> kept;
    for (const KeyRow& row : rows) {
        Canvas sign({100, 100}, canvas.metrics());
        row.draw(sign, {50, 50});
        if (std::ranges::includes(drawn, looksOf(sign.scene().marks, {0, 0, 100, 100}))) kept.push_back(row);
    }
    return kept;
}

void keyRow(Canvas& canvas, Point at, f32 maxWidth, std::span<const KeyRow> rows) {
    constexpr f32 kLinesApart = 17, kSignTall = 18;
    const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    f32 apart = kKeysApart, sign = kSign;
    if (fitting(canvas, maxWidth, sign, apart, rows) < rows.size()) apart = kCloser, sign = kCloserSign;
    const std::size_t first = fitting(canvas, maxWidth, sign, apart, rows);
    const bool hasTwo = first < rows.size();
    f32 y = at.y - (hasTwo ? kLinesApart / 2 : 0), widest = 0;
    for (std::size_t begin = 0, end = first; begin < end;) {
        f32 x = at.x;
        for (const KeyRow& row : rows.subspan(begin, end - begin)) {
            row.draw(canvas, {x + sign / 2, y});
            x += sign + 6 + canvas.text({x + sign + 6, y}, row.text, style) + apart;
        }
        widest = std::max(widest, x - apart - at.x);
        if (begin > 0) break;
        begin = end, y += kLinesApart;
        end += fitting(canvas, maxWidth, sign, apart, rows.subspan(begin));
    }
    const f32 tall = kSignTall + (hasTwo ? kLinesApart : 0);
    canvas.key({at.x, at.y - tall / 2, widest, tall});
}

}  // namespace lockstep::viz
