// Frames of the compare view: around what differs at the same place of both pictures, and never around words
// that explain.
#include "witness/readers/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::witness {
namespace {

// What stands beside a sign that it explains.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kLegends{
    {{"bytes that a lane reads", "通道读取的字节"},
     {"bytes that a lane writes", "通道写入的字节"},
     {"cursor", "光标"},
     {"in the tile", "已在分块中"},
     {"addend", "加数"},
     {"value before", "该处原有的值"},
     {"never used", "从未使用"},
     {"value already read", "已读过这个值"},
     {"later round", "尚未执行的轮"},
     {"later addend", "待加的加数"}}};

// Parts of a line below a picture that says what its marks mean.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kExplanations{
    {{"gray = not ", "灰色 = "},
     {"one row = one transaction", "一行 = 一次事务"},
     {"Hatched: ", "斜线："},
     {"order is chosen for display", "只是为了显示"}}};

bool isWithin(const Said& said, const viz::Rect& frame) {
    return !said.isHover && !said.isSentence && !said.isCaption && frame.contains(said.at);
}

}  // namespace

void CompareReader::frames() {
    const f32 right = b_.left - a_.left, down = b_.pictureTop - a_.pictureTop;
    const auto at = [&](viz::Point point) -> const Said* {
        for (const Said& said : picture_.texts)
            if (!said.isHover && !said.isSentence && !said.isCaption && std::fabs(said.at.x - point.x) < 1 &&
                std::fabs(said.at.y - point.y) < 1)
                return &said;
        return nullptr;
    };
    // A frame: around a text that the other picture has otherwise, if it has one there.
    for (const viz::Rect& frame : picture_.frames)
        for (const Said& said : picture_.texts) {
            if (!isWithin(said, frame) || !a_.isIn(said) || said.at.y < a_.pictureTop) continue;
            const Said* other = at({said.at.x + right, said.at.y + down});
            if (other && other->text == said.text) fail(said, said.text, "framed, and the same in both");
            const auto isIt = [&](const auto& words) {
                return said.text == (english() ? words.first : words.second);
            };
            const auto isPart = [&](const auto& words) {
                return said.text.starts_with(english() ? words.first : words.second);
            };
            if (std::ranges::any_of(kLegends, isIt) || std::ranges::any_of(kExplanations, isPart))
                fail(said, said.text, "framed, and explains what is drawn");
        }
}

}  // namespace lockstep::witness
