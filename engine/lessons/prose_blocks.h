// What Markdown has beyond words, in the texts of lessons and playlists: tables and links are shown, images,
// headings and quotations are not, and the check says so.
#pragma once

#include "base/integers.h"
#include "base/text/message.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::lessons {

// "[text](https://...)" outside of code.
struct Link {
    std::string_view text, address;
    std::size_t begin = 0, end = 0;  // of all of it, in the text
};
// The first one. None: there is none whose address can be opened anywhere.
std::optional<Link> linkIn(std::string_view text);
// With "text (address)" in place of each.
std::string withPlainLinks(std::string_view text);

// "| head | head |", a line "|---|---|", then rows.
struct Table {
    std::vector<std::vector<std::string>> rows{};  // the first has the heads; all have as many cells
};
bool isRowOfTable(std::string_view line);
// None: these lines are no table.
std::optional<Table> tableOf(std::span<const std::string_view> lines);

struct NotShown {
    Message message;
    u32 line = 0;  // of the text, from 0
};
std::vector<NotShown> notShownIn(std::string_view markdown);

}  // namespace lockstep::lessons
