// A lesson's Markdown: paragraphs, lists, tables, **bold**, `code`, links with their addresses and blocks of
// code, wrapped to a column.
#pragma once

#include "app/panels/panel.h"
#include "app/panels/widgets.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::app {

// Text that is set in one face.
struct Span {
    std::string text;
    viz::Face face = viz::Face::Text;
    f32 x = 0;  // from the left edge of its line
};
struct TextLine {
    std::vector<Span> spans;
    bool isCode = false;  // of a block of code
    f32 above = 0;        // room before it
};
std::vector<TextLine> layOutMarkdown(std::string_view markdown, const viz::TextMetrics& metrics, f32 size,
                                     f32 width);

// From the layout's cursor on. Returns the height.
f32 drawMarkdown(PanelContext& context, std::string_view markdown, f32 width,
                 viz::RoleKind role = viz::RoleKind::Text);
f32 heightOfMarkdown(const PanelContext& context, std::string_view markdown, f32 width);

}  // namespace lockstep::app
