// How often the elements of a tile have been read so far: of one element below the mouse, of all beside the
// tile's name.
#include "witness/readers/reader.h"

#include <algorithm>

namespace lockstep::witness {

// Loads of what stands at an address now: since it was last stored, up to the cursor.
u32 Reader::readsSoFar(const Array& array, u64 address) const {
    u32 reads = 0;
    for (const BlockFacts::Touch& touch : block_.touchesAt(array, address)) {
        if (touch.order > order()) break;
        reads = touch.writes ? 0 : reads + 1;
    }
    return reads;
}

bool Reader::readsText(const Said& said) {
    const bool isEach = is("each element read # time* so far", "每个元素已读 # 次"),
               isRange = is("elements read # to # times so far", "各元素已读 # 至 # 次");
    if (isEach || isRange) {
        // Of one of the block's tiles.
        for (const Array& array : run_.arrays()) {
            if (array.space != trace::Space::Shared || array.bytes == 0) continue;
            u32 least = ~0u, most = 0;
            for (u64 at = array.address; at < array.address + array.bytes; at += array.elementBytes) {
                if (block_.touchesAt(array, at).empty()) continue;
                const u32 reads = readsSoFar(array, at);
                least = std::min(least, reads), most = std::max(most, reads);
            }
            const std::vector<f64> wanted =
                isEach ? std::vector<f64>{f64(most)} : std::vector<f64>{f64(least), f64(most)};
            const bool fits = (!isEach || least == most) &&
                              std::ranges::equal(*tokens_, wanted, [](const Token& token, f64 value) {
                                  return agrees(token, value);
                              });
            if (fits) {
                done_.assign(done_.size(), true);
                return true;
            }
        }
        fail(said, text_, "no tile's elements have been read so often");
        return true;
    }
    if (!said.isHover) return false;
    const std::string_view begin = english() ? "Read " : "到目前为止读过 ";
    const std::size_t at = std::string_view(text_).find(begin);
    if (at == std::string_view::npos) return false;
    const auto number =
        std::ranges::find_if(*tokens_, [&](const Token& token) { return token.begin >= at + begin.size(); });
    const auto element = std::ranges::find(*tokens_, Token::Kind::Element, &Token::kind);
    if (number == tokens_->end() || element == tokens_->end()) return false;
    const std::optional<Place> place = placeOf(*element);
    if (!place) return false;
    mark(*number);
    if (!agrees(*number, readsSoFar(*place->array, place->address)))
        fail(said, written(*number), "it has been read another number of times");
    return false;  // the rest is read as that of any other cell
}

}  // namespace lockstep::witness
