#include "viz/scene/reading_text.h"

#include "base/text/html.h"
#include "base/text/words.h"
#include "viz/scene/drawn_texts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace lockstep::viz {
namespace {

constexpr std::size_t kMostDetails = 400;

constexpr Words kDetails = english("of a picture's text", "Details");
constexpr Words kMoreDetails = english("of a picture's text", "{0} more not listed");

// Chooses something in the window, which a text cannot do.
bool isControl(const Hit& hit) {
    return hit.options || hit.devices || hit.view || hit.sweep || hit.orders || (hit.place && !hit.grip);
}

// Lines of a hint, in one.
std::string inOneLine(std::string_view text, Language language) {
    std::string out;
    for (const char c : text) {
        if (c != '\n') {
            out += c;
            continue;
        }
        const bool hasEnded = out.empty() ||
                              std::string_view(".:;,?!").find(out.back()) != std::string::npos ||
                              u8(out.back()) >= 0x80;
        out += hasEnded ? " " : language == Language::Chinese ? "；" : "; ";
    }
    return out;
}

void takeDetails(const Scene& scene, Language language, const std::set<std::string>& written,
                 const std::vector<Rect>& areas, ReadingText& into) {
    const auto placeOf = [&](const HitArea* hit) {
        const Point centre = hit->rect.centre();
        const auto area =
            std::ranges::find_if(areas, [&](const Rect& panel) { return panel.contains(centre); });
        return std::tuple(area - areas.begin(), std::floor(hit->rect.y), hit->rect.x);
    };
    std::vector<const HitArea*> hits;
    for (const HitArea& hit : scene.hits)
        if (!isControl(hit.hit)) hits.push_back(&hit);
    std::ranges::stable_sort(hits, {}, placeOf);
    std::set<std::string> told = written;
    for (const HitArea* hit : hits) {
        const bool isFull = into.details.size() >= kMostDetails;
        if (isFull && hit->hit.hoverLater) {
            ++into.moreDetails;
            continue;
        }
        std::string text = inOneLine(hit->hit.text(), language);
        if (text.empty() || text == into.sentence || !told.insert(text).second) continue;
        if (isFull)
            ++into.moreDetails;
        else
            into.details.push_back(std::move(text));
    }
}

// Between two halves of a picture.
std::vector<Divider> dividersOf(const Scene& scene) {
    constexpr f32 kLeastHigh = 100;
    std::vector<Divider> dividers;
    for (const Mark& mark : scene.marks) {
        const auto* line = std::get_if<LineMark>(&mark);
        if (!line || line->from.x != line->to.x || line->to.y - line->from.y < kLeastHigh) continue;
        const Stroke& stroke = line->stroke;
        const bool isEdge = stroke.role.kind == RoleKind::Edge || stroke.role.kind == RoleKind::Line,
                   isInside = line->from.x > scene.size.width / 4 && line->from.x < scene.size.width * 3 / 4;
        if (isEdge && isInside && stroke.dash == Dash::Solid && line->arrow == 0)
            dividers.push_back({line->from.x, line->from.y, line->to.y});
    }
    return dividers;
}

// On a terminal, where a Chinese character has two columns.
std::size_t cellsOf(std::string_view text) {
    std::size_t cells = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0) != 0x80) cells += byte >= 0xe3 && byte < 0xf0 ? 2 : 1;
    }
    return cells;
}

std::string tableAsText(const ReadingBlock& table) {
    std::vector<std::size_t> widths(table.rows.front().size());
    for (const auto& row : table.rows)
        for (std::size_t c = 0; c < row.size(); ++c)
            widths[c] = std::max(widths[c], cellsOf(row[c]));
    std::string out;
    for (const auto& row : table.rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            line += row[c];
            if (c + 1 < row.size()) line.append(widths[c] - cellsOf(row[c]) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

// Names above figures.
bool isHeadOf(const ReadingBlock& table) {
    const auto hasFigure = [](const std::string& cell) {
        return cell.find_first_of("0123456789") != std::string::npos;
    };
    return std::ranges::none_of(table.rows.front(), hasFigure) &&
           std::ranges::any_of(table.rows[1], hasFigure);
}

std::string lineOfCells(const std::vector<std::string>& cells, std::string_view between) {
    std::string line;
    for (const std::string& cell : cells)
        line += (line.empty() ? "" : std::string(between)) + cell;
    return line;
}

std::string linesOf(const ReadingBlock& code) {
    std::string lines;
    for (const auto& row : code.rows)
        lines += row.front() + "\n";
    return lines;
}

std::string tableAsHtml(const ReadingBlock& table) {
    std::string out = "<div class=\"wide\" tabindex=\"0\"><table>\n";
    for (const auto& row : table.rows) {
        const bool isHead = &row == &table.rows.front() && isHeadOf(table);
        out += "<tr>";
        for (const std::string& cell : row)
            out +=
                (isHead ? "<th scope=\"col\">" : "<td>") + escapedHtml(cell) + (isHead ? "</th>" : "</td>");
        out += "</tr>\n";
    }
    return out + "</table></div>\n";
}

constexpr std::string_view kStyle =
    ":root { color-scheme: light dark; } body { font: 1rem/1.5 sans-serif; max-width: 70rem; "
    "margin: 1rem auto; padding: 0 1rem; } h1, h2 { line-height: 1.2; } table { border-collapse: collapse; "
    "margin: 1rem 0; font-variant-numeric: tabular-nums; } th, td { padding: .1rem 1rem .1rem 0; "
    "vertical-align: top; text-align: left; border-bottom: 1px solid #8886; } .wide, pre { overflow-x: auto; "
    "}";

}  // namespace

ReadingText readingText(const Scene& scene, const TextMetrics& metrics, Language language,
                        std::string_view title) {
    ReadingText out;
    out.title = title;
    out.sentence = scene.sentence;
    std::vector<PlacedText> texts;
    std::set<std::string> written;
    for (const DrawnText& text : drawnTexts(scene, metrics, language)) {
        const auto isOfKey = [&](const Rect& key) { return key.contains({text.left, text.top}); };
        if (std::ranges::any_of(scene.keys, isOfKey) || text.text == scene.sentence) continue;
        const f32 right =
            text.left +
            metrics.width(std::string_view(text.text).substr(0, text.firstLineBytes), text.size, text.face);
        texts.push_back({.text = text.text,
                         .left = text.left,
                         .right = right,
                         .y = text.top,
                         .isMono = text.face == Face::Mono || text.face == Face::MonoBold});
        written.insert(text.text);
    }
    // The title stands above it all.
    if (!texts.empty()) {
        constexpr f32 kSameRow = 4;
        const f32 top = std::ranges::min(texts, {}, &PlacedText::y).y;
        const auto title = std::ranges::find(texts, out.title, &PlacedText::text);
        if (title != texts.end() && title->y < top + kSameRow) texts.erase(title);
    }
    ReadingOrder order = readingOrder(std::move(texts), scene.size, dividersOf(scene));
    out.blocks = std::move(order.blocks);
    takeDetails(scene, language, written, order.areas, out);
    return out;
}

std::string asPlainText(const ReadingText& text, Language language) {
    std::string out = text.title + "\n";
    if (!text.sentence.empty()) out += text.sentence + "\n";
    bool wasTable = true;
    for (const ReadingBlock& block : text.blocks) {
        if (block.isTable() || block.isCode || wasTable) out += "\n";
        out += block.isTable() ? tableAsText(block)
               : block.isCode  ? linesOf(block)
                               : lineOfCells(block.rows.front(), "  ") + "\n";
        wasTable = block.isTable() || block.isCode;
    }
    if (text.details.empty()) return out;
    out += "\n" + std::string(kDetails.in(language)) + "\n";
    for (const std::string& detail : text.details)
        out += "- " + detail + "\n";
    if (text.moreDetails > 0) out += "- " + say(language, kMoreDetails, text.moreDetails) + "\n";
    return out;
}

std::string asHtml(const ReadingText& text, Language language, std::string_view description) {
    const std::string title = escapedHtml(text.title);
    std::string out = "<!DOCTYPE html>\n<html lang=\"" +
                      std::string(language == Language::Chinese ? "zh-CN" : "en") +
                      "\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
                      title + "</title>\n<style>" + std::string(kStyle) +
                      "</style>\n</head>\n<body>\n<main>\n<h1>" + title + "</h1>\n";
    if (!text.sentence.empty()) out += "<p><strong>" + escapedHtml(text.sentence) + "</strong></p>\n";
    for (const ReadingBlock& block : text.blocks)
        out += block.isTable() ? tableAsHtml(block)
               : block.isCode  ? "<pre tabindex=\"0\">" + escapedHtml(linesOf(block)) + "</pre>\n"
                               : "<p>" + escapedHtml(lineOfCells(block.rows.front(), "\u2003")) + "</p>\n";
    if (!text.details.empty()) {
        out += "<h2>" + std::string(kDetails.in(language)) + "</h2>\n<ul>\n";
        for (const std::string& detail : text.details)
            out += "<li>" + escapedHtml(detail) + "</li>\n";
        if (text.moreDetails > 0) out += "<li>" + say(language, kMoreDetails, text.moreDetails) + "</li>\n";
        out += "</ul>\n";
    }
    if (!description.empty()) out += "<p><code>" + escapedHtml(description) + "</code></p>\n";
    return out + "</main>\n</body>\n</html>\n";
}

}  // namespace lockstep::viz
