#include "playlists/html_text.h"

#include "base/text/html.h"
#include "base/text/trimmed.h"
#include "lessons/prose.h"
#include "lessons/prose_blocks.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace lockstep::playlists {
namespace {

using lessons::Stretch;

// Prose with **bold** in it; a mark without a second one stands as it is.
std::string boldHtml(std::string_view text) {
    constexpr std::string_view kMark = "**";
    std::string out;
    while (true) {
        const std::size_t open = text.find(kMark);
        const std::size_t close = open == std::string_view::npos ? open : text.find(kMark, open + 2);
        if (close == std::string_view::npos) return out + escapedHtml(text);
        out += escapedHtml(text.substr(0, open)) + "<strong>" +
               escapedHtml(text.substr(open + 2, close - open - 2)) + "</strong>";
        text.remove_prefix(close + 2);
    }
}

// Of what has no link.
std::string wordsHtml(std::string_view text) {
    std::string out, prose;
    const auto flush = [&] { out += boldHtml(prose), prose.clear(); };
    for (const Stretch& stretch : lessons::stretchesOf(text)) {
        if (stretch.kind != Stretch::Kind::Code) {
            prose += stretch.text;
            continue;
        }
        // Bold text may have code in it; its marks are then on both sides.
        flush();
        out += "<code>" + escapedHtml(stretch.text.substr(1, stretch.text.size() - 2)) + "</code>";
    }
    flush();
    return out;
}

// The lines of one paragraph, item or cell, which has no block of code.
std::string inlineHtml(std::string_view text) {
    std::string out;
    while (const std::optional<lessons::Link> link = lessons::linkIn(text)) {
        out += wordsHtml(text.substr(0, link->begin)) + "<a href=\"" + escapedHtml(link->address) + "\">" +
               wordsHtml(link->text) + "</a>";
        text.remove_prefix(link->end);
    }
    return out + wordsHtml(text);
}

std::string tableHtml(const lessons::Table& table) {
    std::string out = "<table>\n";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const std::string_view cell = row == 0 ? "th" : "td";
        out += "<tr>";
        for (const std::string& text : table.rows[row])
            out.append("<").append(cell).append(">").append(inlineHtml(text)).append("</").append(cell) +=
                '>';
        out += "</tr>\n";
    }
    return out + "</table>\n";
}

class Blocks {
public:
    std::string of(std::string_view markdown) {
        for (std::size_t at = 0; at < markdown.size();) {
            const std::size_t end = std::min(markdown.find('\n', at), markdown.size());
            line(markdown.substr(at, end - at));
            at = end + 1;
        }
        endBlock();
        return std::move(out_);
    }

private:
    enum class Kind { None, Paragraph, List, Table, Code };

    void line(std::string_view text) {
        const bool isFence = text.starts_with("```");
        if (kind_ == Kind::Code) {
            if (isFence)
                endBlock();
            else
                block_.append(escapedHtml(text)).append("\n");
            return;
        }
        if (isFence) return begin(Kind::Code);
        if (trimmed(text).empty()) return endBlock();
        if (lessons::isRowOfTable(text) && (kind_ == Kind::None || kind_ == Kind::Table)) {
            if (kind_ == Kind::None) begin(Kind::Table);
            rows_.push_back(text);
            return;
        }
        if (kind_ == Kind::Table) endBlock();
        if (text.starts_with("- ")) {
            if (kind_ != Kind::List) begin(Kind::List);
            endItem();
            text.remove_prefix(2);
        } else if (kind_ == Kind::None) {
            begin(Kind::Paragraph);
        }
        // Between ideographs a line's end is no space.
        const bool joins = block_.empty() || static_cast<signed char>(block_.back()) < 0;
        block_.append(joins ? "" : " ").append(trimmed(text));
    }
    void begin(Kind kind) { endBlock(), kind_ = kind; }
    void endItem() {
        if (!block_.empty()) items_ += "<li>" + inlineHtml(block_) + "</li>\n";
        block_.clear();
    }
    // What is no table after all is a paragraph.
    void endTable() {
        if (const std::optional<lessons::Table> table = lessons::tableOf(rows_)) {
            out_ += tableHtml(*table);
        } else {
            for (const std::string_view row : rows_)
                block_.append(block_.empty() ? "" : " ").append(trimmed(row));
            out_ += "<p>" + inlineHtml(block_) + "</p>\n";
        }
        rows_.clear();
    }
    void endBlock() {
        if (kind_ == Kind::Paragraph) out_ += "<p>" + inlineHtml(block_) + "</p>\n";
        if (kind_ == Kind::Table) endTable();
        if (kind_ == Kind::Code) out_ += "<pre>" + block_ + "</pre>\n";
        if (kind_ == Kind::List) endItem(), out_ += "<ul>\n" + items_ + "</ul>\n";
        block_.clear(), items_.clear();
        kind_ = Kind::None;
    }

    Kind kind_ = Kind::None;
    std::string block_, items_, out_;
    std::vector<std::string_view> rows_;
};

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

}  // namespace

std::string htmlOf(std::string_view markdown) { return Blocks().of(markdown); }

std::string inlinedSvg(std::string_view svg, std::string_view prefix, std::string_view label) {
    std::string out(svg);
    const std::string begin(prefix);
    replaceAll(out, " id=\"", " id=\"" + begin);
    replaceAll(out, "url(#", "url(#" + begin);
    if (const std::size_t at = out.find("<svg "); at != std::string::npos)
        out.insert(at + 5, "role=\"img\" aria-label=\"" + escapedHtml(label) + "\" ");
    return out;
}

}  // namespace lockstep::playlists
