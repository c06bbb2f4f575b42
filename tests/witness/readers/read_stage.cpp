// The stage: which of its readers a text is for, and what it says of arrays as a whole.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

void Reader::stageText(const Said& said) {
    const std::string_view stage =
        run_.run().catalog ? run_.run().catalog->family->stage : std::string_view();
    if (queueText(said) || readsText(said)) return;
    savesText(said);
    if (stage == "matmul" && !pipelineText(said)) matmulText(said);
    if (stage == "reduction" || stage == "scan") roundText(said);
    if (stage == "divergence") divergenceText(said);
    if (stage == "transpose") transposeText(said);
    splitText(said);
    cellText(said);
    sheetText(said);
}

void Reader::markIn(std::size_t begin, std::size_t end) {
    for (std::size_t i = 0; i < tokens_->size(); ++i)
        if ((*tokens_)[i].begin >= begin && (*tokens_)[i].end <= end) done_[i] = true;
}

// The element that a name stands for, of "tile[1][0].y" its component.
std::optional<Reader::Place> Reader::placeOf(const Token& token) const {
    const Array* array = run_.array(token.name, cursor_.launch);
    if (!array) return std::nullopt;
    std::optional<u64> address = run_.addressOf(*array, token.indices);
    if (!address) return std::nullopt;
    const std::string_view rest = std::string_view(text_).substr(token.end);
    if (array->components > 1 && rest.size() > 1 && rest[0] == '.')
        if (const std::size_t part = std::string_view("xyzw").find(rest[1]); part != std::string_view::npos)
            *address += part * array->componentBytes();
    return Place{array, *address};
}

// The array whose name stands before the text in its line.
const Array* Reader::namedLeftOf(const Said& said) const {
    const Said* nearest = nullptr;
    for (const Said& other : picture_.texts) {
        if (other.isHover || other.isSentence || other.isCaption || std::fabs(other.top - said.top) > 3 ||
            other.left >= said.left)
            continue;
        if (run_.array(other.text, cursor_.launch) && (!nearest || other.left > nearest->left))
            nearest = &other;
    }
    // Or in the line above, where a tile's name stands beside the tile.
    for (const Said& other : picture_.texts)
        if (!nearest && !other.isHover && !other.isSentence && !other.isCaption && said.top - other.top > 0 &&
            said.top - other.top < 24 && std::fabs(other.left - said.left) < 60 &&
            run_.array(other.text, cursor_.launch))
            nearest = &other;
    return nearest ? run_.array(nearest->text, cursor_.launch) : nullptr;
}

// "32 × 65", "8 elements", "4096 words", "elements 26–57 of 64", "rows 0–3, columns 0–1 of 4 × 2": beside an
// array's name.
void Reader::sheetText(const Said& said) {
    if (said.isHover || said.isSentence || said.isCaption) return;
    const std::optional<Part> part = partOf();
    const bool isPart = part.has_value(),
               isShape = is("# × #", "# × #") || is("# × # × #", "# × # × #") ||
                         is("# × #, transposed", "# × #，转置存放") ||
                         is("# × # × #, transposed", "# × # × #，转置存放") ||
                         is("part of # × #", "# × # 的一部分") ||
                         is("part of # × # × #", "# × # × # 的一部分"),
               isBytes = is("# elements of # bytes", "# 个元素，每个 # 字节"),
               isCount = is("# element*", "# 个元素") || is("# words", "# 个字") || is("[#]", "[#]") ||
                         is("part of # element*", "# 个元素 的一部分"),
               isRange = is("elements #–# of #", "# 个元素中的 [#–#]") || is("[#–#] of #", "# 个中的 [#–#]"),
               isOne = is("element # of #", "# 个元素中的 [#]") || is("[#] of #", "# 个中的 [#]");
    if (!isPart && !isShape && !isCount && !isBytes && !isRange && !isOne) return;
    const Array* array = namedLeftOf(said);
    if (!array) return;
    u64 parts = array->bytes / array->componentBytes();
    if (array->bytes == 0)  // dynamic: as much as the launch has
        parts = (launch_.dynamicSharedBytes - array->address) / array->componentBytes();
    const u64 elements = parts / array->components;
    if (isBytes) return expectAll(said, {f64(elements), f64(array->elementBytes)});
    if (isCount) return expectAll(said, {f64(elements)});
    if (isOne) {
        done_.assign(tokens_->size(), true);
        const std::size_t total = english() ? 1 : 0;
        if (tokens_->size() != 2 || (*tokens_)[total].value != f64(elements) ||
            (*tokens_)[1 - total].value >= f64(elements))
            fail(said, said.text, fmt::format("no element of {}", elements));
        return;
    }
    if (isRange) {
        done_.assign(tokens_->size(), true);
        const bool isTotalFirst = !english() && text_.ends_with("]");
        const auto at = [&](std::size_t i) { return u64((*tokens_)[i].value); };
        const u64 first = at(isTotalFirst ? 1 : 0), last = at(isTotalFirst ? 2 : 1),
                  of = at(isTotalFirst ? 0 : 2);
        if (tokens_->size() != 3 || of != elements || first > last || last >= elements)
            fail(said, said.text, fmt::format("no part of {} elements", elements));
        return;
    }
    std::vector<std::optional<f64>> shape;
    for (u64 extent : array->shape)
        shape.push_back(f64(extent));
    if (isShape) {
        if (tokens_->size() != shape.size())
            return fail(said, said.text, fmt::format("the array has {} dimensions", shape.size()));
        return expectAll(said, shape);
    }
    if (shape.size() != 2) return fail(said, said.text, "no matrix");
    if (part->rows.first > part->rows.second || part->rows.second >= array->shape[0] ||
        part->columns.first > part->columns.second || part->columns.second >= array->shape[1])
        fail(said, said.text, "no part of the matrix");
    // "... of 4 × 2"
    if (part->of.size() != 2) return fail(said, said.text, "no matrix");
    for (std::size_t i = 0; i < 2; ++i)
        if (part->of[i]->value != *shape[i])
            fail(said, written(*part->of[i]), fmt::format("it is {}", *shape[i]));
}

// "rows 0–3, column 5 of 4 × 8", "N 中的行 0–3、列 5": their numbers are taken.
std::optional<Reader::Part> Reader::partOf() {
    const bool isPart =
        english() ? text_.starts_with("row") && contains(text_, ", column") && contains(text_, " of ")
                  : contains(text_, "中的行 ") && contains(text_, "、列 ");
    if (!isPart) return std::nullopt;
    const std::size_t begin = english() ? 0 : text_.find("中的行 "),
                      middle = english() ? text_.find(", column") : text_.find("、列 "),
                      end = english() ? text_.find(" of ", middle) : text_.size();
    Part part;
    std::vector<u64> rows, columns;
    for (std::size_t i = 0; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        if (token.begin >= begin && token.begin < middle)
            rows.push_back(u64(token.value)), done_[i] = true;
        else if (token.begin >= middle && token.begin < end)
            columns.push_back(u64(token.value)), done_[i] = true;
        else if (english() ? token.begin > end : token.begin < begin)
            part.of.push_back(&token), done_[i] = part.of.size() <= 2;
    }
    if (rows.empty() || columns.empty() || rows.size() > 2 || columns.size() > 2) return std::nullopt;
    part.rows = {rows.front(), rows.back()}, part.columns = {columns.front(), columns.back()};
    return part;
}

bool Reader::loadedBy(u32 warp, u32 lane, const Array& array, u64 address) const {
    return std::ranges::any_of(block_.touchesAt(array, address), [&](const BlockFacts::Touch& touch) {
        return touch.warp == warp && touch.lane == lane && touch.kind == AccessKind::Load;
    });
}

// "These elements lie in rows 0 to 3, column 5 of out.": where the elements that the warp moves now stand in
// the other matrix. What the kernel makes of its input says how they go over.
void Reader::transposeText(const Said& said) {
    const std::size_t begin =
        std::min({text_.find("These elements are in "), text_.find("This element is in "),
                  text_.find("These elements belong in "), text_.find("This element belongs in ")});
    const std::size_t chinese = text_.find(" 个元素，位于");
    const std::size_t at = std::min(begin, chinese);
    if (at == std::string::npos || !access_) return;
    const Array *in = run_.array("in", cursor_.launch), *out = run_.array("out", cursor_.launch);
    if (!in || !out || in->shape.size() != 2 || out->shape.size() != 2) return;
    const u64 columns = in->shape[1];
    std::map<f64, u64> elementOf;  // the input's values are all different
    for (u64 e = 0; e < in->shape[0] * columns; ++e)
        if (const auto value = run_.initial(*in, in->address + e * in->elementBytes))
            if (!elementOf.emplace(*value, e).second) return;
    bool isCopy = in->shape == out->shape;
    for (u64 e = 0; isCopy && e < in->shape[0] * columns; ++e)
        isCopy = run_.final(*out, out->address + e * 4) == run_.initial(*in, in->address + e * 4);
    const bool isStore = access_->space == Space::Global && trace::writes(access_->kind);
    std::set<u64> rows, columnsThere, elements;
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    const trace::StoredAccess& stored = warp.accesses[warp.steps[cursor_.step].access];
    for (Lane lane : stored.active)
        for (const std::span<const std::byte> bytes = warp.value(stored, lane);
             const u32 from : {0u, 4u, 8u, 12u}) {
            if (from + 4 > bytes.size()) break;
            const auto found = elementOf.find(readNumber('f', 4, bytes.data() + from));
            if (found == elementOf.end()) continue;
            // A zero may be one that was made up: only what a thread has loaded and kept there.
            if (access_->space == Space::Shared && found->first == 0) {
                const u64 address = in->address + found->second * in->elementBytes;
                u32 w = cursor_.warp.value, l = lane.value;
                const Array* tile = nullptr;
                for (const Array& array : run_.arrays())
                    if (array.space == Space::Shared && !tile) tile = &array;
                if (tile && access_->kind == AccessKind::Load)
                    for (const BlockFacts::Touch& touch :
                         block_.touchesAt(*tile, access_->addresses[lane.value] + from))
                        if (touch.writes && touch.order < order()) w = touch.warp, l = touch.lane;
                if (!loadedBy(w, l, *in, address)) continue;
            }
            u64 r = found->second / columns, c = found->second % columns;
            if (!isStore && !isCopy) std::swap(r, c);
            rows.insert(r), columnsThere.insert(c), elements.insert(found->second);
        }
    const std::string_view name = isStore ? "in" : "out";
    if (!contains(text_, english() ? fmt::format(" of {}.", name) : fmt::format("对应 {} 的", name)))
        fail(said, name, "the other matrix is meant");
    if (elements.empty()) return fail(said, said.text.substr(at), "the warp moves no element");
    const std::string_view where = std::string_view(text_).substr(at);
    if (english() ? where.find(" row") > where.find(" column") : where.find(" 行") > where.find(" 列"))
        fail(said, said.text.substr(at), "rows are named first");
    // "row 3, columns 0 to 31", "8 of rows 0 to 28", "rows 0 and 4"; in Chinese how many elements before
    // them.
    std::vector<u64> wanted;
    if (!english()) wanted.push_back(elements.size());
    for (const std::set<u64>& lines : {rows, columnsThere}) {
        const u64 first = *lines.begin(), last = *lines.rbegin();
        const bool isRange = last - first + 1 == lines.size() && lines.size() > 1;
        if (!isRange && lines.size() <= 4) {
            wanted.insert(wanted.end(), lines.begin(), lines.end());
            continue;
        }
        const u64 each = *std::next(lines.begin()) - first;  // "columns 0, 4, …, 28"
        u64 at_ = first;
        if (!isRange &&
            std::ranges::all_of(lines, [&](u64 line) { return line == std::exchange(at_, at_ + each); })) {
            wanted.insert(wanted.end(), {first, first + each, last});
            continue;
        }
        if (!isRange && english()) wanted.push_back(lines.size());
        wanted.push_back(first), wanted.push_back(last);
        if (!isRange && !english()) wanted.push_back(lines.size());
    }
    std::vector<std::size_t> said_;
    const std::size_t from = english() ? at : text_.rfind("对应", at);
    for (std::size_t i = 0; i < tokens_->size(); ++i)
        if ((*tokens_)[i].begin >= from && (*tokens_)[i].kind != Kind::Element) said_.push_back(i);
    if (said_.size() != wanted.size())
        return fail(said, said.text.substr(from),
                    fmt::format("{} numbers instead of {}", said_.size(), wanted.size()));
    for (std::size_t i = 0; i < said_.size(); ++i) {
        done_[said_[i]] = true;
        if ((*tokens_)[said_[i]].value != f64(wanted[i]))
            fail(said, written((*tokens_)[said_[i]]), fmt::format("it is {}", wanted[i]));
    }
}

}  // namespace lockstep::witness
