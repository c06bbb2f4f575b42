#include "scene_text.h"

#include "viz/painters/svg/svg.h"
#include "viz/scene/theme.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lockstep {
namespace {

using namespace viz;

constexpr std::array kRoles{"none",   "ground", "panel",   "raised",    "line",   "edge",     "text",
                            "second", "third",  "cursor",  "cursorInk", "ghost",  "inactive", "wasted",
                            "load",   "store",  "finding", "warp",      "degree", "ink"};

std::string roleText(const Role& role) {
    if (role.kind == RoleKind::None) return "-";
    std::string text = kRoles[std::size_t(role.kind)];
    if (role.kind == RoleKind::InkOn) text += fmt::format(":{}", kRoles[std::size_t(role.onKind)]);
    const bool isOfWarp = role.kind == RoleKind::Warp || role.onKind == RoleKind::Warp;
    if (isOfWarp || role.kind == RoleKind::Degree || role.onKind == RoleKind::Degree)
        text += fmt::format("{}", role.index);
    if (role.lanes) text += fmt::format(".{}", role.lane);
    if (role.alpha < 0.995f) text += fmt::format("@{:.0f}", 100 * role.alpha);
    return text;
}

std::string strokeText(const Stroke& stroke) {
    if (stroke.role.kind == RoleKind::None) return "";
    constexpr std::array kDashes{"", "dashed", "dotted", "sparse"};
    return fmt::format(" edge {} {:.2g}{}", roleText(stroke.role), stroke.width,
                       kDashes[std::size_t(stroke.dash)]);
}

int whole(f32 x) { return int(std::lround(x)); }

// A mark taken apart: what is the same all along a row of them, where it is, and what differs from one to the
// next.
struct Item {
    std::string kind, content;
    Point at;
};

std::string offsets(const auto& points, Point from) {
    std::string text;
    for (const Point& p : points)
        text += fmt::format(" {},{}", whole(p.x - from.x), whole(p.y - from.y));
    return text;
}

Item itemOf(const RectMark& m) {
    std::string kind = fmt::format("rect {}x{}", whole(m.rect.width), whole(m.rect.height));
    if (m.radius > 0) kind += fmt::format(" r{:.2g}", m.radius);
    if (m.hatch.kind != RoleKind::None)
        kind += fmt::format(" hatch {} {:.2g}", roleText(m.hatch), m.hatchPitch);
    return {kind + strokeText(m.stroke), roleText(m.fill), {m.rect.x, m.rect.y}};
}
Item itemOf(const LineMark& m) {
    const std::string head = m.arrow > 0 ? fmt::format(" arrow {:.2g}", m.arrow) : "";
    return {"line" + head, offsets(std::array{m.to}, m.from) + strokeText(m.stroke), m.from};
}
Item itemOf(const CurveMark& m) {
    const std::string head = m.arrow > 0 ? fmt::format(" arrow {:.2g}", m.arrow) : "";
    return {"curve" + head,
            offsets(std::array{m.points[1], m.points[2], m.points[3]}, m.points[0]) + strokeText(m.stroke),
            m.points[0]};
}
Item itemOf(const PolygonMark& m) {
    const Point first = m.points.empty() ? Point{} : m.points.front();
    return {"shape" + offsets(m.points, first) + strokeText(m.stroke), roleText(m.fill), first};
}
Item itemOf(const TextMark& m) {
    constexpr std::array kFaces{"", " bold", " mono", " mono bold"};
    constexpr std::array kAligns{"", " centered", " right"};
    std::string text = m.text;
    for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += 2)
        text.replace(i, 1, "\\n");
    return {
        fmt::format("text {:.3g}{}{}", m.size, kFaces[std::size_t(m.face)], kAligns[std::size_t(m.align)]),
        fmt::format("{} \"{}\"", roleText(m.role), text), m.at};
}
Item itemOf(const ClipMark& m) {
    if (!m.rect) return {"clip ends", "", {}};
    return {
        fmt::format("clip {}x{}", whole(m.rect->width), whole(m.rect->height)), "", {m.rect->x, m.rect->y}};
}

// Contents that follow one another; the same several times in a row: once, with their number.
std::string contentsText(const std::vector<Item>& items, std::size_t first, std::size_t turn,
                         std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times;) {
        std::size_t same = 1;
        const std::string& content = items[first + i * turn].content;
        while (i + same < times && items[first + (i + same) * turn].content == content)
            ++same;
        text += fmt::format("{}{}", text.empty() ? "" : " |",
                            content.starts_with(' ') || text.empty() ? content : " " + content);
        if (same > 1) text += fmt::format(" *{}", same);
        i += same;
    }
    return text;
}

constexpr f32 kSlack = 0.06f;  // of a step; positions are sums of single-precision numbers
bool isNear(f32 a, f32 b) { return std::abs(a - b) < kSlack; }

// How often `turn` items from `first` on repeat, each time further by the same step.
std::size_t repeats(const std::vector<Item>& items, std::size_t first, std::size_t turn) {
    std::size_t times = 1;
    for (;; ++times) {
        if (first + (times + 1) * turn > items.size()) return times;
        for (std::size_t k = 0; k < turn; ++k) {
            const Item &now = items[first + times * turn + k],
                       &before = items[first + (times - 1) * turn + k];
            if (now.kind != before.kind) return times;
            if (times == 1 && k == 0) continue;
            const Point step{items[first + turn].at.x - items[first].at.x,
                             items[first + turn].at.y - items[first].at.y};
            if (!isNear(now.at.x - before.at.x, step.x) || !isNear(now.at.y - before.at.y, step.y))
                return times;
        }
    }
}

// Items where those that repeat by one step are one item a kind; what each began with stays in its kind.
std::vector<Item> gathered(const std::vector<Item>& items, std::size_t mostInTurn) {
    std::vector<Item> lines;
    for (std::size_t i = 0; i < items.size();) {
        std::size_t turn = 1, times = 1;
        for (std::size_t k = 1; k <= mostInTurn; ++k)
            if (const std::size_t found = repeats(items, i, k);
                found > 1 && (found - 1) * k > (times - 1) * turn)
                turn = k, times = found;
        for (std::size_t k = 0; k < turn; ++k) {
            const Item& item = items[i + k];
            std::string kind = item.kind;
            if (times > 1 && k == 0) {
                const Point step{items[i + turn].at.x - item.at.x, items[i + turn].at.y - item.at.y};
                kind = fmt::format("{}x {:+.1f},{:+.1f}{} {}", times, step.x, step.y,
                                   turn > 1 ? fmt::format(" of {}", turn) : "", kind);
            }
            lines.push_back({kind, contentsText(items, i + k, turn, times), item.at});
        }
        i += turn * times;
    }
    return lines;
}

// Rows of what repeats in columns repeat, too.
std::string listed(const std::vector<Item>& items) {
    constexpr std::size_t kInRow = 4, kInColumn = 12;
    std::string text;
    for (const Item& line : gathered(gathered(items, kInRow), kInColumn))
        text += fmt::format("{} {},{} {}\n", line.kind, whole(line.at.x), whole(line.at.y), line.content);
    return text;
}

std::string hitsText(const Scene& scene) {
    u32 go = 0, options = 0, places = 0, words = 0;
    for (const HitArea& area : scene.hits) {
        go += area.hit.go.has_value();
        options += area.hit.options || area.hit.devices || area.hit.variant || area.hit.view;
        places += area.hit.grip || area.hit.place;
        words += !area.hit.hover.empty() || area.hit.hoverLater;
    }
    return fmt::format("hits {}: {} say something, {} lead somewhere, {} choose, {} take lanes\n",
                       scene.hits.size(), words, go, options, places);
}

std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

void write(const std::filesystem::path& path, std::string_view text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

// Between what both begin and end with.
std::string difference(const std::string& expected, const std::string& actual) {
    std::vector<std::string> a = linesOf(expected), b = linesOf(actual);
    std::size_t first = 0, last = 0;
    while (first < std::min(a.size(), b.size()) && a[first] == b[first])
        ++first;
    while (last < std::min(a.size(), b.size()) - first && a[a.size() - 1 - last] == b[b.size() - 1 - last])
        ++last;
    std::string text = fmt::format("from line {}\n", first + 1);
    for (std::size_t i = first; i < a.size() - last; ++i)
        text += "-" + a[i] + "\n";
    for (std::size_t i = first; i < b.size() - last; ++i)
        text += "+" + b[i] + "\n";
    return text;
}

}  // namespace

std::string sceneText(const Scene& scene) {
    std::string text = fmt::format("scene {}x{}\ncaption \"{}\"\nsentence \"{}\"\n", whole(scene.size.width),
                                   whole(scene.size.height), scene.caption, scene.sentence);
    std::vector<Item> items;
    for (const Mark& mark : scene.marks)
        items.push_back(std::visit([](const auto& m) { return itemOf(m); }, mark));
    return text + hitsText(scene) + listed(items);
}

void expectGolden(const std::string& name, const Scene& scene) {
    const std::string path = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/golden/" + name + ".txt",
                      actual = sceneText(scene);
    if (std::getenv("LOCKSTEP_UPDATE_GOLDEN")) return write(path, actual);
    const std::string expected = read(path);
    if (expected == actual) return;
    const std::filesystem::path left = std::filesystem::path(LOCKSTEP_BINARY_DIR) / "golden" / name;
    const std::string differs = difference(expected, actual);
    write(left / "expected.txt", expected), write(left / "actual.txt", actual),
        write(left / "difference.txt", differs);
    write(left / "actual.svg", toSvg(scene, *findTheme("light")));
    constexpr std::size_t kShown = 1500;
    ADD_FAILURE() << name << " is not as it was; " << left.string()
                  << " has what was expected, what came and the difference:\n"
                  << differs.substr(0, kShown) << (differs.size() > kShown ? "...\n" : "")
                  << "If the new picture is right: scripts/test --goldens";
}

}  // namespace lockstep
