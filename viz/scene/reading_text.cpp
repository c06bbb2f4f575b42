#include "viz/scene/reading_text.h"

#include "base/text/words.h"
#include "viz/scene/drawn_texts.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace lockstep::viz {
namespace {

using Block = ReadingText::Block;

constexpr std::size_t kMostDetails = 400;

constexpr Words kDetails = english("of a picture's text", "Details");
constexpr Words kMoreDetails = english("of a picture's text", "{0} more not listed");

struct Word {
    std::string text;
    f32 left = 0, right = 0, y = 0;
};
using Row = std::vector<Word>;

// From the top, each from the left. Texts of one row stand on one baseline, as far as sizes differ.
std::vector<Row> rowsOf(std::vector<Word> words) {
    constexpr f32 kSameRow = 4;
    std::ranges::stable_sort(words, {}, &Word::y);
    std::vector<Row> rows;
    for (Word& word : words) {
        if (rows.empty() || word.y - rows.back().front().y > kSameRow) rows.emplace_back();
        rows.back().push_back(std::move(word));
    }
    for (Row& row : rows)
        std::ranges::stable_sort(row, {}, &Word::left);
    return rows;
}

// Parts of one text that are drawn one after another, in different faces or colors.
Row joined(const Row& row) {
    constexpr f32 kSpace = 7;
    Row out;
    for (const Word& word : row)
        if (!out.empty() && word.left - out.back().right < kSpace)
            out.back().text += (word.left - out.back().right > 1 ? " " : "") + word.text,
                out.back().right = word.right;
        else
            out.push_back(word);
    return out;
}

// Of rows below each other: where columns begin and end, so that no text lies in two of them.
struct Column {
    f32 left = 0, right = 0;
};

std::vector<Column> columnsOf(const std::vector<Row>& rows, std::size_t begin, std::size_t end) {
    std::vector<Column> columns;
    for (std::size_t i = begin; i < end; ++i)
        for (const Word& word : rows[i])
            columns.push_back({word.left, word.right});
    std::ranges::sort(columns, {}, &Column::left);
    std::vector<Column> apart;
    for (const Column& column : columns)
        if (!apart.empty() && column.left < apart.back().right)
            apart.back().right = std::max(apart.back().right, column.right);
        else
            apart.push_back(column);
    return apart;
}

bool fitsInto(const std::vector<Column>& columns, const Row& row) {
    std::size_t used = columns.size();
    for (const Word& word : row) {
        const auto at = std::ranges::find_if(columns, [&](const Column& column) {
            return word.left >= column.left - 0.5f && word.left < column.right;
        });
        const auto index = std::size_t(at - columns.begin());
        if (at == columns.end() || index == used) return false;
        used = index;
    }
    return true;
}

// A lone text that is further below the table than its rows are apart.
bool isBelowTable(const std::vector<Row>& rows, std::size_t begin, std::size_t end) {
    if (rows[end].size() > 1 || end < begin + 2) return false;
    const auto gapAbove = [&](std::size_t row) { return rows[row].front().y - rows[row - 1].front().y; };
    return gapAbove(end) > 1.25f * gapAbove(end - 1);
}

// A table as long as each row's texts have columns of their own, and there are at least two of them.
std::vector<Block> blocksOf(const std::vector<Row>& rows) {
    std::vector<Block> blocks;
    for (std::size_t begin = 0; begin < rows.size();) {
        std::size_t end = begin + 1;
        std::vector<Column> columns = columnsOf(rows, begin, end);
        while (end < rows.size() && columns.size() > 1) {
            if (isBelowTable(rows, begin, end)) break;
            std::vector<Column> wider = columnsOf(rows, begin, end + 1);
            const bool fits =
                wider.size() > 1 &&
                std::all_of(rows.begin() + std::ptrdiff_t(begin), rows.begin() + std::ptrdiff_t(end) + 1,
                            [&](const Row& row) { return fitsInto(wider, row); });
            if (!fits) break;
            columns = std::move(wider), ++end;
        }
        Block block;
        for (std::size_t i = begin; i < end; ++i) {
            std::vector<std::string> cells(end - begin > 1 ? columns.size() : 0);
            for (const Word& word : rows[i]) {
                if (cells.empty() || end - begin == 1) {
                    cells.push_back(word.text);
                    continue;
                }
                const auto at = std::ranges::find_if(
                    columns, [&](const Column& column) { return word.left < column.right; });
                cells[std::size_t(at - columns.begin())] = word.text;
            }
            block.rows.push_back(std::move(cells));
        }
        blocks.push_back(std::move(block));
        begin = end;
    }
    return blocks;
}

void takeDetails(const Scene& scene, ReadingText& into) {
    std::vector<const HitArea*> hits;
    for (const HitArea& hit : scene.hits)
        hits.push_back(&hit);
    std::ranges::stable_sort(hits, [](const HitArea* a, const HitArea* b) {
        return std::floor(a->rect.y) != std::floor(b->rect.y) ? a->rect.y < b->rect.y : a->rect.x < b->rect.x;
    });
    std::set<std::string> told;
    for (const HitArea* hit : hits) {
        if (told.size() >= kMostDetails && hit->hit.hoverLater) {
            ++into.moreDetails;
            continue;
        }
        std::string text = hit->hit.text();
        std::ranges::replace(text, '\n', ' ');
        if (text.empty() || text == into.sentence || told.contains(text)) continue;
        if (told.size() >= kMostDetails) {
            ++into.moreDetails;
            continue;
        }
        told.insert(text);
        into.details.push_back(std::move(text));
    }
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

std::string tableAsText(const Block& table) {
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

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text)
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    return out;
}

// Names above figures.
bool isHeadOf(const Block& table) {
    const auto hasFigure = [](const std::string& cell) {
        return cell.find_first_of("0123456789") != std::string::npos;
    };
    return std::ranges::none_of(table.rows.front(), hasFigure) &&
           std::ranges::any_of(table.rows[1], hasFigure);
}

std::string lineOfCells(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells)
        line += (line.empty() ? "" : "  ") + cell;
    return line;
}

}  // namespace

ReadingText readingText(const Scene& scene, const TextMetrics& metrics, Language language,
                        std::string_view title) {
    ReadingText out;
    out.title = title;
    out.sentence = scene.sentence;
    std::vector<Word> words;
    for (const DrawnText& text : drawnTexts(scene, metrics, language)) {
        const auto isOfKey = [&](const Rect& key) { return key.contains({text.left, text.top}); };
        if (std::ranges::any_of(scene.keys, isOfKey) || text.text == scene.sentence) continue;
        const f32 right =
            text.left +
            metrics.width(std::string_view(text.text).substr(0, text.firstLineBytes), text.size, text.face);
        words.push_back({text.text, text.left, right, text.top});
    }
    std::vector<Row> rows = rowsOf(std::move(words));
    // The title stands above it all.
    if (!rows.empty() && rows.front().front().text == out.title) rows.front().erase(rows.front().begin());
    if (!rows.empty() && rows.front().empty()) rows.erase(rows.begin());
    for (Row& row : rows)
        row = joined(row);
    out.blocks = blocksOf(rows);
    takeDetails(scene, out);
    return out;
}

std::string asPlainText(const ReadingText& text, Language language) {
    std::string out = text.title + "\n";
    if (!text.sentence.empty()) out += text.sentence + "\n";
    bool wasTable = true;
    for (const Block& block : text.blocks) {
        if (block.isTable() || wasTable) out += "\n";
        out += block.isTable() ? tableAsText(block) : lineOfCells(block.rows.front()) + "\n";
        wasTable = block.isTable();
    }
    if (text.details.empty()) return out;
    out += "\n" + std::string(kDetails.in(language)) + "\n";
    for (const std::string& detail : text.details)
        out += "- " + detail + "\n";
    if (text.moreDetails > 0) out += "- " + say(language, kMoreDetails, text.moreDetails) + "\n";
    return out;
}

std::string asHtml(const ReadingText& text, Language language, std::string_view description) {
    const std::string title = escaped(text.title);
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"" + std::string(language == Language::Chinese ? "zh-CN" : "en") +
        "\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
        title +
        "</title>\n<style>:root { color-scheme: light dark; } body { font: 1rem/1.5 sans-serif; "
        "max-width: 70rem; margin: 1rem auto; padding: 0 1rem; } table { border-collapse: "
        "collapse; margin: 1rem 0; } th, td { padding: .1rem .6rem .1rem 0; vertical-align: top; text-align: "
        "left; } "
        ".wide { overflow-x: auto; }</style>\n</head>\n<body>\n<main>\n<h1>" +
        title + "</h1>\n";
    if (!text.sentence.empty()) out += "<p><strong>" + escaped(text.sentence) + "</strong></p>\n";
    for (const Block& block : text.blocks) {
        if (!block.isTable()) {
            out += "<p>" + escaped(lineOfCells(block.rows.front())) + "</p>\n";
            continue;
        }
        out += "<div class=\"wide\" tabindex=\"0\"><table>\n";
        for (const auto& row : block.rows) {
            const bool isHead = &row == &block.rows.front() && isHeadOf(block);
            out += "<tr>";
            for (const std::string& cell : row)
                out +=
                    (isHead ? "<th scope=\"col\">" : "<td>") + escaped(cell) + (isHead ? "</th>" : "</td>");
            out += "</tr>\n";
        }
        out += "</table></div>\n";
    }
    if (!text.details.empty()) {
        out += "<h2>" + std::string(kDetails.in(language)) + "</h2>\n<ul>\n";
        for (const std::string& detail : text.details)
            out += "<li>" + escaped(detail) + "</li>\n";
        if (text.moreDetails > 0) out += "<li>" + say(language, kMoreDetails, text.moreDetails) + "</li>\n";
        out += "</ul>\n";
    }
    if (!description.empty()) out += "<p><code>" + escaped(description) + "</code></p>\n";
    return out + "</main>\n</body>\n</html>\n";
}

}  // namespace lockstep::viz
