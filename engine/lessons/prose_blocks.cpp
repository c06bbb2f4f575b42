#include "lessons/prose_blocks.h"

#include "base/text/trimmed.h"

#include <algorithm>
#include <array>

namespace lockstep::lessons {
namespace {

constexpr std::array<std::string_view, 3> kAddresses{"https://", "http://", "mailto:"};

struct Bracketed {
    Link link;
    bool isImage = false, isAnywhere = false;
};

// The next "[...](...)" outside of code.
std::optional<Bracketed> bracketedIn(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '`') {
            const std::size_t close = text.find('`', i + 1);
            if (close != std::string_view::npos) i = close;
            continue;
        }
        if (text[i] != '[') continue;
        const std::size_t middle = text.find("](", i);
        const std::size_t end = middle == std::string_view::npos ? middle : text.find(')', middle);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view address = text.substr(middle + 2, end - middle - 2);
        const bool isImage = i > 0 && text[i - 1] == '!';
        return Bracketed{{.text = text.substr(i + 1, middle - i - 1),
                          .address = address,
                          .begin = isImage ? i - 1 : i,
                          .end = end + 1},
                         isImage,
                         std::ranges::any_of(
                             kAddresses, [&](std::string_view begin) { return address.starts_with(begin); })};
    }
    return std::nullopt;
}

// "a", "b" of "| a | b |".
std::vector<std::string> cellsOf(std::string_view line) {
    line = trimmed(line);
    line.remove_prefix(1);
    if (line.ends_with('|')) line.remove_suffix(1);
    std::vector<std::string> cells;
    std::string cell;
    bool isCode = false;
    for (const char c : line) {
        if (c == '`') isCode = !isCode;
        if (c != '|' || isCode) {
            cell += c;
            continue;
        }
        cells.emplace_back(trimmed(cell));
        cell.clear();
    }
    cells.emplace_back(trimmed(cell));
    return cells;
}

bool isLineBelowHeads(std::string_view line) {
    const std::vector<std::string> cells = cellsOf(line);
    return std::ranges::all_of(cells, [](const std::string& cell) {
        return cell.find('-') != std::string::npos && cell.find_first_not_of("-:") == std::string::npos;
    });
}

bool isHeading(std::string_view line) {
    const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
    return marks > 0 && marks <= 6 && marks < line.size() && line[marks] == ' ';
}

}  // namespace

std::optional<Link> linkIn(std::string_view text) {
    std::size_t at = 0;
    while (const std::optional<Bracketed> found = bracketedIn(text.substr(at))) {
        Link link = found->link;
        link.begin += at, link.end += at;
        if (found->isAnywhere && !found->isImage) return link;
        at = link.end;
    }
    return std::nullopt;
}

std::string withPlainLinks(std::string_view text) {
    std::string out;
    while (const std::optional<Link> link = linkIn(text)) {
        out.append(text.substr(0, link->begin)).append(link->text).append(" (").append(link->address) += ')';
        text.remove_prefix(link->end);
    }
    return out.append(text);
}

bool isRowOfTable(std::string_view line) { return trimmed(line).starts_with('|'); }

std::optional<Table> tableOf(std::span<const std::string_view> lines) {
    if (lines.size() < 3 || !std::ranges::all_of(lines, isRowOfTable) || !isLineBelowHeads(lines[1]))
        return std::nullopt;
    Table table;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (i != 1) table.rows.push_back(cellsOf(lines[i]));
    for (std::vector<std::string>& row : table.rows)
        row.resize(table.rows.front().size());
    return table;
}

std::vector<NotShown> notShownIn(std::string_view markdown) {
    std::vector<NotShown> found;
    std::vector<std::string_view> rows;
    bool isFenced = false, isParagraph = false;
    u32 number = 0;
    const auto endTable = [&] {
        if (!rows.empty() && !tableOf(rows))
            found.push_back({english("this is no table: it needs a row of heads, a line such as |---|---|, "
                                     "and rows"),
                             number - u32(rows.size())});
        rows.clear();
    };
    for (std::size_t at = 0; at < markdown.size(); ++number) {
        const std::size_t end = std::min(markdown.find('\n', at), markdown.size());
        const std::string_view line = markdown.substr(at, end - at), text = trimmed(line);
        at = end + 1;
        const bool isFence = text.starts_with("```");
        if (isFence || isFenced || !isRowOfTable(line) || isParagraph) endTable();
        if (isFence) isFenced = !isFenced;
        if (isFence || isFenced) continue;
        if (!isParagraph && isRowOfTable(line)) {
            rows.push_back(line);
        } else {
            isParagraph = !text.empty();
        }
        if (isHeading(line))
            found.push_back({english("a heading within a step is not shown as one"), number});
        if (line.starts_with("> ")) found.push_back({english("a quotation is not shown as one"), number});
        std::string_view rest = line;
        while (const std::optional<Bracketed> one = bracketedIn(rest)) {
            if (one->isImage)
                found.push_back({english("an image is not shown: the step's view is its picture"), number});
            else if (!one->isAnywhere)
                found.push_back(
                    {english("a link is not shown as one unless its address begins with https://, http:// "
                             "or mailto:"),
                     number});
            rest.remove_prefix(one->link.end);
        }
    }
    endTable();
    return found;
}

}  // namespace lockstep::lessons
