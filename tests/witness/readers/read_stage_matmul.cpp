// The stage of matrix multiplies: tiles, and which element is whose.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

// Which tile a store into `array` is of, from 1: how many elements the lane has stored there.
u32 Reader::tileOfStore(const Array& array, u32 w, u32 lane, u32 step) {
    if (isPatches()) return fillingOf(w, step);
    const trace::WarpTrace& warp = traceOf(w);
    u32 stores = 0;
    for (u32 s = 0; s <= step && s < warp.steps.size(); ++s) {
        if (warp.steps[s].access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
        stores += access.kind == AccessKind::Store && access.active.has(Lane{lane}) &&
                  array.has(access.space, warp.address(access, Lane{lane}));
    }
    return stores;
}

// That of the last element which a lane of the warp has begun to fetch; and how many there are in the block.
const Reader::Tile& Reader::tile() {
    if (tile_) return *tile_;
    tile_.emplace();
    if (isPatches()) {
        // What a pipeline stores behind the last tile is none.
        *tile_ = {fillingNow(), std::min(u32(fillings().size()), tiles())};
        return *tile_;
    }
    for (const auto& [matrix, held] : {std::pair{"M", "Mds"}, {"N", "Nds"}}) {
        const Array *from = run_.array(matrix, cursor_.launch), *to = run_.array(held, cursor_.launch);
        if (!from || !to) continue;
        for (u32 w = 0; w < block_.block().warps.size(); ++w) {
            const trace::WarpTrace& warp = traceOf(w);
            std::array<u32, 32> stored{}, loading{};
            for (u32 s = 0; s < warp.steps.size(); ++s) {
                if (w == cursor_.warp.value && s == cursor_.step + 1)
                    for (u32 lane = 0; lane < 32; ++lane)
                        tile_->now = std::max({tile_->now, stored[lane], loading[lane]});
                if (warp.steps[s].access == trace::Step::kNone) continue;
                const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
                for (const Lane lane : access.active) {
                    const u64 address = warp.address(access, lane);
                    if (access.kind == AccessKind::Load && access.space == Space::Global &&
                        (address >> 40) == (from->address >> 40) &&
                        run_.nameOf(address, Space::Global).starts_with(std::string(matrix) + "["))
                        loading[lane.value] = stored[lane.value] + 1;
                    if (access.kind == AccessKind::Store && to->has(access.space, address))
                        ++stored[lane.value];
                }
            }
            for (u32 lane = 0; lane < 32; ++lane) {
                tile_->all = std::max(tile_->all, stored[lane]);
                if (w == cursor_.warp.value && cursor_.step + 1 == warp.steps.size())
                    tile_->now = std::max({tile_->now, stored[lane], loading[lane]});
            }
        }
    }
    tile_->now = std::max(1u, tile_->now);
    return *tile_;
}

// Row and column of P that a thread computes: y and x, or x and y if the block stores in that order.
std::pair<u64, u64> Reader::elementOfThread(Dim3 block, Dim3 thread) {
    const Array* p = run_.array("P", cursor_.launch);
    const auto of = [&](Dim3 b, Dim3 t, bool isSwapped) {
        const u64 x = u64{b.x} * launch_.block.x + t.x, y = u64{b.y} * launch_.block.y + t.y;
        return isSwapped ? std::pair{x, y} : std::pair{y, x};
    };
    if (!isSwapped_ && p) {
        isSwapped_ = false;
        bool isStraight = true, isOther = true;
        for (u32 w = 0; w < block_.block().warps.size(); ++w) {
            const trace::WarpTrace& warp = traceOf(w);
            for (const trace::StoredAccess& access : warp.accesses)
                for (const Lane lane : access.active) {
                    const u64 address = warp.address(access, lane);
                    if (access.kind != AccessKind::Store || !p->has(access.space, address)) continue;
                    const u64 linear = u64{w} * 32 + lane.value,
                              element = (address - p->address) / p->elementBytes;
                    const Dim3 t{u32(linear % launch_.block.x),
                                 u32(linear / launch_.block.x % launch_.block.y), 0};
                    const auto is = [&](bool swapped) {
                        const auto [row, column] = of(cursor_.block, t, swapped);
                        return row * p->shape[1] + column == element;
                    };
                    isStraight = isStraight && is(false), isOther = isOther && is(true);
                }
        }
        isSwapped_ = !isStraight && isOther;
    }
    return of(block, thread, isSwapped_.value_or(false));
}

void Reader::matmulText(const Said& said) {
    if (tokens_->empty()) return;
    if (isPatches()) {
        patchText(said);
    } else {
        productText(said);
        ownerText(said);
        askedText(said);
    }
    const Array* p = run_.array("P", cursor_.launch);
    // "tile 2 of 4", "第 2 对分块（共 4 对）", and which step the last access was.
    if (said.isCaption || (contains(text_, " · ") && !said.isHover)) {
        for (std::size_t i = 0; i < tokens_->size(); ++i) {
            const Token& token = (*tokens_)[i];
            if (token.noun == "tile" && token.kind == Kind::Id) {
                done_[i] = true;
                if (token.value != tile().now)
                    fail(said, written(token), fmt::format("it is tile {}", tile().now));
                if (i + 1 < tokens_->size()) {
                    done_[i + 1] = true;
                    if ((*tokens_)[i + 1].value != tile().all)
                        fail(said, written((*tokens_)[i + 1]), fmt::format("{} tiles", tile().all));
                }
            }
            if (token.noun == "step" && token.kind == Kind::Id &&
                says(text_, {"last request: step ", "上一次请求：第"})) {
                done_[i] = true;
                u32 last = cursor_.step;
                const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
                const auto accesses = [&](u32 s) {
                    return warp.steps[s].access != trace::Step::kNone &&
                           !warp.accesses[warp.steps[s].access].active.empty();
                };
                while (last > 0 && !accesses(last))
                    --last;
                if (token.value != last + 1 || last == cursor_.step)
                    fail(said, written(token), fmt::format("the last access is step {}", last + 1));
            }
        }
    }
    // "Mds[0][0] = 3.0, stored by lane 0 of warp 1, tile 2 of 4." The value is a cell's (cellValue).
    const bool isHeld = says(text_, {", stored by lane ", "，由线程束 "}) &&
                        !says(text_, {", read by ", "读取。"}),
               isEmpty = says(text_, {"not written yet", "尚未写入"});
    if (said.isHover && (isHeld || isEmpty)) {
        const std::optional<Place> place = placeOf(tokens_->front());
        if (!place) return;
        const BlockFacts::Touch* last = nullptr;
        for (const BlockFacts::Touch& touch : block_.touchesAt(*place->array, place->address))
            if (touch.writes && touch.order <= order()) last = &touch;
        const u32 of = last ? tileOfStore(*place->array, last->warp, last->lane, last->step) : 0;
        if (isEmpty) {
            if (last && of >= tile().now) fail(said, said.text, "it has one");
            return;
        }
        const bool isNumbered = says(text_, {", tile ", "对分块（共 "});
        if (!last || tokens_->size() < (isNumbered ? 6u : 4u))
            return fail(said, said.text, "nothing was stored there");
        const Token &first = (*tokens_)[english() ? 2 : 3], &second = (*tokens_)[english() ? 3 : 2];
        mark(first), mark(second);
        if (first.value != last->lane || second.value != last->warp)
            fail(said, written(first), fmt::format("by lane {} of warp {}", last->lane, last->warp));
        if (isNumbered != (tile().all > 1 && of <= tile().all))
            fail(said, said.text, fmt::format("tile {} of {}", of, tile().all));
        if (!isNumbered) return;
        mark((*tokens_)[4]), mark((*tokens_)[5]);
        if ((*tokens_)[4].value != of || (*tokens_)[5].value != tile().all)
            fail(said, written((*tokens_)[4]), fmt::format("tile {} of {}", of, tile().all));
        return;
    }
    // "rows 0–15, columns 16–31 of N": whole tiles of the map, up to its edge.
    if (const std::optional<Part> part = said.isHover ? partOf() : std::nullopt) {
        const bool isOfP = says(text_, {" of P", "P 中的"});
        const Array* array =
            isOfP ? p : run_.array(says(text_, {" of M", "M 中的"}) ? "M" : "N", cursor_.launch);
        const auto isTiles = [](std::pair<u64, u64> range, u64 tile, u64 all) {
            const auto [first, last] = range;
            return first % tile == 0 && first <= last && last < all &&
                   (last + 1 == all || (last + 1) % tile == 0);
        };
        if (!array || array->shape.size() != 2 || !isTiles(part->rows, launch_.block.y, array->shape[0]) ||
            !isTiles(part->columns, launch_.block.x, array->shape[1]))
            fail(said, said.text, "no tiles of the matrix");
    }
}

// "M[0][13]" in a row of the table: what the lane asks for, though it does not exist.
void Reader::askedText(const Said& said) {
    if (said.isHover || tokens_->size() != 1 || tokens_->front().kind != Kind::Element || said.hover.empty())
        return;
    const Token& element = tokens_->front();
    const Array* array = run_.array(element.name, cursor_.launch);
    if (!array || element.end != text_.size() || element.indices.size() != 2 ||
        (element.name != "M" && element.name != "N"))
        return;
    const bool exists =
        u64(element.indices[0]) < array->shape[0] && u64(element.indices[1]) < array->shape[1];
    const std::vector<Token> about = tokensOf(said.hover);
    const auto lane =
        std::ranges::find_if(about, [](const Token& t) { return t.noun == "lane" && t.kind == Kind::Id; });
    if (exists || lane == about.end()) return;
    done_[0] = true;
    const u64 linear = u64{cursor_.warp.value} * 32 + u64(lane->value), x = linear % launch_.block.x,
              y = linear / launch_.block.x;
    const u64 past = u64{tile().now} - 1;
    const std::pair<u64, u64> asked =
        element.name == "M"
            ? std::pair{cursor_.block.y * u64{launch_.block.y} + y, past * launch_.block.x + x}
            : std::pair{past * launch_.block.y + y, cursor_.block.x * u64{launch_.block.x} + x};
    if (asked != std::pair{u64(element.indices[0]), u64(element.indices[1])})
        fail(said, written(element), fmt::format("the thread asks for [{}][{}]", asked.first, asked.second));
}

// "P[0][3] is computed by block (x 1, y 0).", "Thread (x 3, y 0) computes P[0][3].", "39 of the 64 threads
// own no P element"
void Reader::ownerText(const Said& said) {
    const Array* p = run_.array("P", cursor_.launch);
    if (!p || p->shape.size() != 2) return;
    const auto exists = [&](const std::pair<u64, u64>& at) {
        return at.first < p->shape[0] && at.second < p->shape[1];
    };
    if (is("# of the # thread* no P element", "# 个线程中有 # 个没有对应的 P 元素")) {
        u64 without = 0;
        for (u32 y = 0; y < launch_.block.y; ++y)
            for (u32 x = 0; x < launch_.block.x; ++x)
                without += !exists(elementOfThread(cursor_.block, {x, y, 0}));
        const f64 all = f64(launch_.block.count());
        return english() ? expectAll(said, {f64(without), all}) : expectAll(said, {all, f64(without)});
    }
    const bool isOfBlock = said.isHover && says(text_, {" is computed by block ", "由线程块 "}),
               isOfThread =
                   said.isHover && says(text_, {" computes P[", " 计算 P[", " has no element to store: P[",
                                                " 没有要写入的元素：P["});
    if (!isOfBlock && !isOfThread) return;
    const auto element = std::ranges::find(*tokens_, Kind::Element, &Token::kind),
               whose = std::ranges::find(*tokens_, Kind::Pair, &Token::kind);
    // Of a grid of one dimension: "block 1".
    const auto number = std::ranges::find_if(
        *tokens_, [](const Token& t) { return t.noun == "block" && t.kind == Kind::Id; });
    const bool isNumber = isOfBlock && whose == tokens_->end() && number != tokens_->end();
    if (element == tokens_->end() || (whose == tokens_->end() && !isNumber) || element->indices.size() != 2)
        return;
    Dim3 at{0, 0, 0};
    if (isNumber) at.x = u32(number->value), mark(*number);
    for (std::size_t i = 0; !isNumber && i < whose->indices.size(); ++i) {
        const char axis = whose->axes.size() > i       ? whose->axes[i]
                          : whose->indices.size() == 1 ? 'x'
                          : i == 0                     ? 'y'
                                                       : 'x';
        (axis == 'x' ? at.x : at.y) = u32(whose->indices[i]);
    }
    const std::pair<u64, u64> told{u64(element->indices[0]), u64(element->indices[1])};
    if (isOfThread) {
        const auto own = elementOfThread(cursor_.block, at);
        if (own != told) fail(said, written(*element), fmt::format("P[{}][{}]", own.first, own.second));
        if (exists(own) == says(text_, {" has no element to store", "没有要写入的元素"}))
            fail(said, said.text, "whether it computes one");
        return;
    }
    const auto first = elementOfThread(at, {0, 0, 0}),
               last = elementOfThread(at, {launch_.block.x - 1, launch_.block.y - 1, 0});
    if (told.first < first.first || told.first > last.first || told.second < first.second ||
        told.second > last.second)
        fail(said, written(isNumber ? *number : *whose), "another block computes it");
    if (!exists(told)) fail(said, written(*element), "nobody computes what does not exist");
}

}  // namespace lockstep::witness
