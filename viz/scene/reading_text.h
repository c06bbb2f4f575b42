// A picture as text for those who do not see it: what is written in it in reading order, tables as tables,
// and what the mouse would be told at its marks.
#pragma once

#include "base/text/language.h"
#include "viz/scene/reading_blocks.h"
#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::viz {

struct ReadingText {
    std::string title, sentence;
    std::vector<ReadingBlock> blocks;
    std::vector<std::string> details;  // of the marks, each sentence once
    std::size_t moreDetails = 0;       // that are not listed
};

// title: the view's. Keys to the marks are left out, and what a clip hides. Without the sentence at the
// cursor, which stands at the top.
ReadingText readingText(const Scene& scene, const TextMetrics& metrics, Language language,
                        std::string_view title);

std::string asPlainText(const ReadingText& text, Language language);
// A page that stands alone. description: as of toSvg().
std::string asHtml(const ReadingText& text, Language language, std::string_view description = {});

}  // namespace lockstep::viz
