// Markdown of a playlist or lesson as HTML: paragraphs, lists, tables, **bold**, `code`, links and blocks of
// code. What it writes is XML, too.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::playlists {

std::string htmlOf(std::string_view markdown);

// An <svg> element among others on one page: its identifiers begin with `prefix`, and it has a name for those
// who cannot see it.
std::string inlinedSvg(std::string_view svg, std::string_view prefix, std::string_view label);

}  // namespace lockstep::playlists
