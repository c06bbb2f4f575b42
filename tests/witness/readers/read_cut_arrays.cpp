// Heads of arrays that are drawn in part: "48 × 64, 29 of 48 rows, 18 of 64 columns: [0–28][0–17]".
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lockstep::witness {
namespace {

struct PartOf {
    std::string_view en, zhBefore, zhAfter;  // "# of # rows"; "# 行中的 # 行"
    std::size_t fromEnd;                     // which extent: 1 is the last
};
constexpr std::array kParts{PartOf{" rows", " 行中的 ", " 行", 2}, PartOf{" columns", " 列中的 ", " 列", 1},
                            PartOf{" elements", " 个元素中的 ", " 个", 1}};

}  // namespace

void Reader::cutArray(const Said& said) {
    for (std::size_t i = 0; i + 1 < tokens_->size(); ++i) {
        const Token &first = (*tokens_)[i], &second = (*tokens_)[i + 1];
        const std::string_view between = std::string_view(text_).substr(first.end, second.begin - first.end),
                               behind = std::string_view(text_).substr(second.end);
        for (const PartOf& part : kParts) {
            const bool isEnglish = between == " of " && behind.starts_with(part.en),
                       isChinese = between == part.zhBefore && behind.starts_with(part.zhAfter);
            if (!isEnglish && !isChinese) continue;
            const f64 shown = isEnglish ? first.value : second.value,
                      all = isEnglish ? second.value : first.value;
            const bool isTrue = shown < all && std::ranges::any_of(run_.arrays(), [&](const Array& array) {
                                    const u64 extent = array.shape.size() >= part.fromEnd
                                                           ? array.shape[array.shape.size() - part.fromEnd]
                                                           : array.elements();
                                    return f64(extent) == all;
                                });
            done_[i] = done_[i + 1] = true;
            if (!isTrue)
                fail(said, std::string(between), fmt::format("no array is cut to {} of {}", shown, all));
        }
    }
}

}  // namespace lockstep::witness
