#include "app/panels/lesson/markdown_text.h"

#include "app/panels/terms.h"
#include "base/text/utf8.h"
#include "lessons/prose_blocks.h"
#include "viz/scene/line_breaks.h"

#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

namespace lockstep::app {
namespace {

constexpr f32 kSize = 14, kLine = 20, kBetweenParagraphs = 8, kBetweenItems = 3, kIndent = 14;

// What is never broken, with the blank behind it.
struct Chunk {
    std::vector<Span> spans;
    bool blank = false;
};

// Reads a paragraph's inline marks and cuts it where a line may end.
class Cutter {
public:
    std::vector<Chunk> cut(const std::string_view text) {
        for (std::string_view rest = text; !rest.empty();) {
            if (rest[0] == '`') {
                isCode_ = !isCode_;
                rest.remove_prefix(1);
                continue;
            }
            if (!isCode_ && rest[0] == '*') {
                const std::size_t stars = rest.starts_with("**") ? 2 : 1;
                if (stars == 2 || isEmphasis(text, text.size() - rest.size())) {
                    isBold_ = !isBold_;
                    isOneStar_ = isBold_ && stars == 1;
                    rest.remove_prefix(stars);
                    continue;
                }
            }
            const std::string_view before = rest;
            const char32_t c = takeCharacter(rest);
            add(c, before.substr(0, before.size() - rest.size()));
        }
        flush();
        return std::move(chunks_);
    }

private:
    // A star opens an emphasis at the beginning of a word, and closes it at the end of one: "rounded *up*."
    // Between blanks, or between the factors of a product, it is a star.
    bool isEmphasis(std::string_view text, std::size_t at) const {
        const auto isOutside = [](char c) {
            const u8 byte = u8(c);
            return byte >= 0x80 || c == ' ' || c == '\n' || std::ispunct(byte);
        };
        const auto isBlank = [](char c) { return c == ' ' || c == '\n'; };
        const char before = at > 0 ? text[at - 1] : ' ', behind = at + 1 < text.size() ? text[at + 1] : ' ';
        return isOneStar_ ? !isBlank(before) && isOutside(behind) : isOutside(before) && !isBlank(behind);
    }
    viz::Face face() const {
        if (isCode_) return isBold_ ? viz::Face::MonoBold : viz::Face::Mono;
        return isBold_ ? viz::Face::TextBold : viz::Face::Text;
    }
    void add(char32_t c, std::string_view bytes) {
        if (c == ' ' || c == '\n') {
            if (!now_.spans.empty()) now_.blank = true;
            flush();
            return;
        }
        const bool wide = c >= 0x2E80;  // ideographs and their punctuation
        if (!now_.spans.empty() && (wide || lastWide_) && !viz::mayNotBegin(c) && !noBreak_) flush();
        lastWide_ = wide;
        noBreak_ = viz::mayNotEnd(c);
        if (now_.spans.empty() || now_.spans.back().face != face()) now_.spans.push_back({{}, face()});
        now_.spans.back().text += bytes;
    }
    void flush() {
        if (!now_.spans.empty()) chunks_.push_back(std::move(now_));
        now_ = {};
        noBreak_ = lastWide_ = false;
    }

    std::vector<Chunk> chunks_;
    Chunk now_;
    bool isCode_ = false, isBold_ = false, isOneStar_ = false, lastWide_ = false, noBreak_ = false;
};

class Layout {
public:
    Layout(const viz::TextMetrics& metrics, f32 size, f32 width)
        : metrics_(metrics), size_(size), width_(width), scale_(size / kSize) {}

    void paragraph(std::string_view text, f32 above, bool isItem) {
        std::vector<Chunk> chunks = Cutter().cut(text);
        const f32 left = isItem ? kIndent * scale_ : 0;
        begin(above);
        if (isItem) lines_.back().spans.push_back({"•", viz::Face::Text, 2 * scale_});
        f32 x = left;
        bool blank = false;
        for (Chunk& chunk : chunks) {
            f32 wide = 0;
            for (const Span& span : chunk.spans)
                wide += widthOf(span.text, span.face);
            const f32 gap = blank ? widthOf(" ", viz::Face::Text) : 0;
            if (x > left && x + gap + wide > width_) {
                begin(0);
                x = left;
            } else {
                x += gap;
            }
            for (Span& span : chunk.spans)
                x = put(std::move(span), x, blank && gap > 0);
            blank = chunk.blank;
        }
    }
    // A line that is too long goes on in the next one, indented; it is cut at a blank, if it has one.
    void code(std::string_view line, f32 above) {
        const f32 inset = 8 * scale_;
        constexpr std::string_view kIndented = "    ";
        std::string rest(line);
        while (true) {
            std::size_t end = rest.size();
            while (end > 0 &&
                   widthOf(std::string_view(rest).substr(0, end), viz::Face::Mono) > width_ - 2 * inset) {
                const std::size_t blank = rest.rfind(' ', end - 1);
                const bool isIndent = blank == std::string::npos || rest.find_first_not_of(' ') > blank;
                end = isIndent ? end - 1 : blank;
            }
            begin(above);
            above = 0;
            lines_.back().isCode = true;
            lines_.back().spans.push_back({rest.substr(0, end), viz::Face::Mono, inset});
            const std::size_t next = end == 0 ? std::string::npos : rest.find_first_not_of(' ', end);
            if (next == std::string::npos || next <= kIndented.size()) return;  // no room for anything
            rest = std::string(kIndented) + rest.substr(next);
        }
    }
    // In columns where they have room; else an item for each row, its cells with their heads.
    void table(const lessons::Table& table, f32 above) {
        constexpr f32 kBetweenColumns = 16;
        std::vector<f32> from{0};
        for (std::size_t column = 0; column < table.rows.front().size(); ++column) {
            f32 widest = 0;
            for (const std::vector<std::string>& row : table.rows)
                widest = std::max(widest, widthOfCell(row, column, table));
            from.push_back(from.back() + widest + kBetweenColumns * scale_);
        }
        const bool fits = from.back() - kBetweenColumns * scale_ <= width_;
        for (std::size_t row = fits ? 0 : 1; row < table.rows.size(); ++row) {
            if (!fits) {
                paragraph(asItem(table.rows.front(), table.rows[row]), above, true);
            } else {
                begin(above);
                for (std::size_t column = 0; column < table.rows[row].size(); ++column)
                    for (Span& span : spansOf(cellOf(table.rows[row], column, table), from[column]))
                        lines_.back().spans.push_back(std::move(span));
            }
            above = fits ? 0 : kBetweenItems;
        }
    }
    std::vector<TextLine> take() && { return std::move(lines_); }

private:
    // Heads are bold.
    static std::string cellOf(const std::vector<std::string>& row, std::size_t column,
                              const lessons::Table& table) {
        const bool isHead = &row == &table.rows.front() && !row[column].empty();
        return isHead ? "**" + row[column] + "**" : row[column];
    }
    f32 widthOfCell(const std::vector<std::string>& row, std::size_t column,
                    const lessons::Table& table) const {
        const std::vector<Span> spans = spansOf(cellOf(row, column, table), 0);
        return spans.empty() ? 0 : spans.back().x + widthOf(spans.back().text, spans.back().face);
    }
    // In one line, from x on.
    std::vector<Span> spansOf(const std::string& text, f32 x) const {
        std::vector<Span> spans;
        bool blank = false;
        for (const Chunk& chunk : Cutter().cut(text)) {
            if (blank) x += widthOf(" ", viz::Face::Text);
            for (Span span : chunk.spans) {
                span.x = x;
                x += widthOf(span.text, span.face);
                spans.push_back(std::move(span));
            }
            blank = chunk.blank;
        }
        return spans;
    }
    // "**a** · head: b · head: c".
    static std::string asItem(const std::vector<std::string>& heads, const std::vector<std::string>& row) {
        std::string text = row.front().empty() ? std::string() : "**" + row.front() + "**";
        for (std::size_t column = 1; column < row.size(); ++column) {
            if (row[column].empty()) continue;
            text += text.empty() ? "" : " · ";
            text += heads[column].empty() ? row[column] : heads[column] + ": " + row[column];
        }
        return text;
    }
    f32 widthOf(std::string_view text, viz::Face face) const { return metrics_.width(text, size_, face); }
    void begin(f32 above) {
        lines_.push_back({.spans = {}, .isCode = false, .above = lines_.empty() ? 0 : above * scale_});
    }
    // Neighbors in one face are one text, so that terms of several words are found in it.
    f32 put(Span span, f32 x, bool blank) {
        std::vector<Span>& spans = lines_.back().spans;
        const f32 end = x + widthOf(span.text, span.face);
        Span* last = spans.empty() || spans.back().text == "•" ? nullptr : &spans.back();
        if (last && last->face == span.face) {
            if (blank) last->text += ' ';
            last->text += span.text;
            return last->x + widthOf(last->text, last->face);
        }
        span.x = x;
        spans.push_back(std::move(span));
        return end;
    }

    const viz::TextMetrics& metrics_;
    f32 size_, width_, scale_;  // of the distances, which are those of text in the column
    std::vector<TextLine> lines_;
};

// Lines of a paragraph, one behind the other: no blank between ideographs.
void append(std::string& paragraph, std::string_view line) {
    if (!paragraph.empty() && (u8(paragraph.back()) < 0x80 || u8(line[0]) < 0x80)) paragraph += ' ';
    paragraph += line;
}

std::string_view withoutIndent(std::string_view line) {
    const std::size_t from = line.find_first_not_of(' ');
    return from == std::string_view::npos ? std::string_view() : line.substr(from);
}

}  // namespace

std::vector<TextLine> layOutMarkdown(std::string_view markdown, const viz::TextMetrics& metrics, f32 size,
                                     f32 width) {
    Layout layout(metrics, size, width);
    std::string paragraph;
    std::vector<std::string_view> rows;
    bool isItem = false, wasItem = false, isFenced = false, isFirst = true;
    const auto flushTable = [&] {
        if (const std::optional<lessons::Table> table = lessons::tableOf(rows))
            layout.table(*table, kBetweenParagraphs);
        else
            for (const std::string_view row : rows)
                append(paragraph, withoutIndent(row));
        rows.clear();
    };
    const auto flush = [&] {
        if (!rows.empty()) flushTable();
        if (!paragraph.empty())
            layout.paragraph(lessons::withPlainLinks(paragraph),
                             isItem && wasItem ? kBetweenItems : kBetweenParagraphs, isItem);
        if (!paragraph.empty()) wasItem = isItem;
        paragraph.clear();
        isItem = false;
    };
    while (!markdown.empty()) {
        const std::size_t end = std::min(markdown.find('\n'), markdown.size());
        const std::string_view line = markdown.substr(0, end), text = withoutIndent(line);
        markdown.remove_prefix(std::min(markdown.size(), end + 1));
        if (text.starts_with("```")) {
            flush();
            isFenced = !isFenced;
            isFirst = true;
        } else if (isFenced) {
            layout.code(line, isFirst ? kBetweenParagraphs : 0);
            isFirst = false;
        } else if (text.empty()) {
            flush();
        } else if (lessons::isRowOfTable(text) && paragraph.empty()) {
            rows.push_back(text);
        } else if (text.starts_with("- ")) {
            flush();
            isItem = true;
            append(paragraph, text.substr(2));
        } else {
            if (!rows.empty()) flush();
            append(paragraph, text);
        }
    }
    flush();
    return std::move(layout).take();
}

f32 heightOfMarkdown(const PanelContext& context, std::string_view markdown, f32 width) {
    f32 height = 0;
    for (const TextLine& line : layOutMarkdown(markdown, context.metrics, kSize, width))
        height += line.above + kLine;
    return height;
}

f32 drawMarkdown(PanelContext& context, std::string_view markdown, f32 width, viz::RoleKind role) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    f32 y = 0;
    for (const TextLine& line : layOutMarkdown(markdown, context.metrics, kSize, width)) {
        y += line.above;
        if (line.isCode)
            list.AddRectFilled({at.x, at.y + y}, {at.x + width, at.y + y + kLine},
                               ink(context, viz::RoleKind::Raised));
        for (const Span& span : line.spans) {
            const bool isMono = span.face == viz::Face::Mono || span.face == viz::Face::MonoBold;
            const TextLook look{.size = kSize, .face = span.face, .role = role};
            const viz::Point middle{at.x + span.x, at.y + y + kLine / 2};
            if (isMono && !line.isCode) {
                const f32 wide = widthOf(context, span.text, look);
                list.AddRectFilled({middle.x - 1, middle.y - 8}, {middle.x + wide + 1, middle.y + 8},
                                   ink(context, viz::RoleKind::Raised), 2);
            }
            drawText(context, list, middle, span.text, look);
            underlineTerms(context, middle, span.text, look);
        }
        y += kLine;
    }
    ImGui::Dummy({width, y});
    return y;
}

}  // namespace lockstep::app
