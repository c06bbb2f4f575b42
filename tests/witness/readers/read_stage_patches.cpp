// The stage of matrix multiplies whose threads compute several elements each: which ones, what each adds up
// and of which tile that is. Every variant adds up over k in ascending order, one fused multiply and add
// after the other.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

namespace {

// Of dynamic shared memory the end is not known.
bool isIn(const Array& array, Space space, u64 address) {
    return array.bytes ? array.has(space, address) : space == array.space && address >= array.address;
}

}  // namespace

// The elements of P that a lane stores, in order.
const std::vector<std::pair<u64, u64>>& Reader::patchOf(u32 w, u32 lane) {
    if (patches_.empty()) {
        const Array* p = run_.array("P", cursor_.launch);
        for (u32 of = 0; of < block_.block().warps.size(); ++of)
            for (const trace::StoredAccess& access : traceOf(of).accesses) {
                if (!p || access.kind != AccessKind::Store || access.space != Space::Global) continue;
                for (const Lane by : access.active)
                    for (u32 at = 0; at < access.widthBytes; at += p->elementBytes) {
                        const u64 address = traceOf(of).address(access, by) + at;
                        if (!p->has(access.space, address)) continue;
                        const u64 element = (address - p->address) / p->elementBytes;
                        patches_[{of, by.value}].emplace_back(element / p->shape[1], element % p->shape[1]);
                    }
            }
        for (auto& [thread, elements] : patches_)
            std::ranges::sort(elements);
        patches_[{~0u, 0}];  // known now, even if there are none
    }
    return patches_[{w, lane}];
}

// The array that both tiles are in, where they have no names of their own.
const Array* Reader::sharedArray() const {
    const auto found = std::ranges::find(run_.arrays(), Space::Shared, &Array::space);
    return found == run_.arrays().end() ? nullptr : &*found;
}

bool Reader::isPatches() {
    patchOf(0, 0);
    // Or both tiles lie in one dynamic array.
    const bool isInOne = !run_.array("Mds", cursor_.launch) && sharedArray();
    return isInOne ||
           std::ranges::any_of(patches_, [](const auto& patch) { return patch.second.size() > 1; });
}

// Of all fused multiply-adds of floats that a lane executes, up to a step.
u64 Reader::productsBy(u32 w, u32 lane, u32 step) const {
    const trace::WarpTrace& warp = traceOf(w);
    u64 count = 0;
    for (u32 s = 0; s <= step && s < warp.steps.size(); ++s)
        count += warp.steps[s].active.has(Lane{lane}) &&
                 run_.run().module->at(warp.steps[s].pc).form.starts_with("fma.rn.f32");
    return count;
}

// How many sums a lane has: as all of them are as long as the tiles reach.
u64 Reader::sumsOf(u32 w, u32 lane) const {
    const Array* tile = run_.array("Mds", cursor_.launch);
    const u64 width = run_.array("M", cursor_.launch)->shape[1],
              depth = tile && tile->shape.size() > 1
                          ? std::min(tile->shape.back(), tile->shape[tile->shape.size() - 2])
                          : width;
    return productsBy(w, lane, u32(traceOf(w).steps.size())) / ((width + depth - 1) / depth * depth);
}

// What the first `count` products of an element come to.
std::optional<f64> Reader::sumAfter(u64 row, u64 column, u64 count) const {
    const Array *m = run_.array("M", cursor_.launch), *n = run_.array("N", cursor_.launch);
    f64 sum = 0;
    for (u64 k = 0; k < count && k < m->shape[1]; ++k) {
        const auto a = run_.initial(*m, m->address + (row * m->shape[1] + k) * m->elementBytes),
                   b = run_.initial(*n, n->address + (k * n->shape[1] + column) * n->elementBytes);
        if (!a || !b) return std::nullopt;
        sum = f64(std::fma(f32(*a), f32(*b), f32(sum)));
    }
    return sum;
}

// Whether a number is one of a lane's sums at the cursor. A sum whose element does not exist is zero, or that
// of an element that takes its place.
bool Reader::isSomeSum(u32 w, u32 lane, const Token& number) {
    const u64 done = productsBy(w, lane, cursor_.step), sums = std::max<u64>(1, sumsOf(w, lane));
    const auto is = [&](u64 row, u64 column) {
        return std::ranges::any_of(std::array{done / sums, (done + sums - 1) / sums}, [&](u64 count) {
            const auto sum = sumAfter(row, column, count);
            return sum && (agrees(number, *sum) || rounds(number, *sum));
        });
    };
    const auto& patch = patchOf(w, lane);
    if (std::ranges::any_of(patch, [&](const auto& at) { return is(at.first, at.second); })) return true;
    if (patch.size() == sums) return false;
    const Array* p = run_.array("P", cursor_.launch);
    for (u64 row = 0; row < p->shape[0]; ++row)
        for (u64 column = 0; column < p->shape[1]; ++column)
            if (is(row, column)) return true;
    return number.value == 0;
}

// Whether a step puts something into a tile, from a register or straight from global memory.
bool Reader::fills(const Array& tile, u32 w, u32 step) const {
    const trace::WarpTrace& warp = traceOf(w);
    return std::ranges::any_of(accessesOf(warp, step), [&](const trace::StoredAccess* access) {
        return (access->kind == AccessKind::Store || access->kind == AccessKind::AsyncCopy) &&
               !access->active.empty() &&
               isIn(tile, access->space, warp.address(*access, access->active.lowest()));
    });
}

// The barrier intervals in which something is put into the tiles, in turn: a tile each.
const std::vector<u32>& Reader::fillings() {
    if (!fillings_) {
        std::set<u32> all;
        for (const Array* tile :
             {run_.array("Mds", cursor_.launch), run_.array("Nds", cursor_.launch), sharedArray()})
            if (tile)
                for (u32 w = 0; w < block_.block().warps.size(); ++w)
                    for (u32 s = 0; s < traceOf(w).steps.size(); ++s)
                        if (fills(*tile, w, s)) all.insert(block_.phaseOf(w, s));
        fillings_ = std::vector<u32>(all.begin(), all.end());
    }
    return *fillings_;
}
u32 Reader::fillingOf(u32 w, u32 step) {
    const std::vector<u32>& all = fillings();
    return u32(std::ranges::upper_bound(all, block_.phaseOf(w, step)) - all.begin());
}

// Of the last step that reads an element of M or N, puts one into a tile or takes one from there; from 1.
u32 Reader::fillingNow() {
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    bool isProduct = false;  // then what is brought for later does not count
    for (u32 s = cursor_.step + 1; s-- > 0;) {
        isProduct = isProduct || (run_.run().module->at(warp.steps[s].pc).form.starts_with("fma.rn.f32") &&
                                  warp.steps[s].active.has(cursor_.lane));
        if (warp.steps[s].access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
        if (access.active.empty()) continue;
        const u64 address = warp.address(access, access.active.lowest());
        for (const auto& [matrix, held] : {std::pair{"M", "Mds"}, {"N", "Nds"}}) {
            const Array *from = run_.array(matrix, cursor_.launch), *to = run_.array(held, cursor_.launch);
            if (!to) to = sharedArray();
            if (!from || !to) continue;
            const bool isFilled = fills(*to, cursor_.warp.value, s);
            if (isProduct && isFilled) continue;
            if (isFilled) return fillingOf(cursor_.warp.value, s);
            if (!isProduct && access.space == Space::Global && access.kind == AccessKind::Load &&
                (address >> 40) == (from->address >> 40)) {
                for (u32 later = s + 1; later < warp.steps.size(); ++later)
                    if (fills(*to, cursor_.warp.value, later)) return fillingOf(cursor_.warp.value, later);
            } else if (isIn(*to, access.space, address)) {
                u32 last = 1;
                for (const BlockFacts::Touch& touch : block_.touchesAt(*to, address))
                    if (touch.writes && touch.order < warp.steps[s].order)
                        last = fillingOf(touch.warp, touch.step);
                return last;
            }
        }
    }
    return 1;
}

// "Thread (x 3, y 2) computes 64 elements of P: 8 × 8, from P[16][24] to P[23][31].", its registers, and the
// product that the cursor's step adds.
void Reader::patchText(const Said& said) {
    const auto threadTold = [&](u32& w, u32& lane) {
        const auto whose = std::ranges::find(*tokens_, Kind::Pair, &Token::kind);
        u64 x = 0, y = 0;
        if (whose != tokens_->end()) {
            for (std::size_t i = 0; i < whose->indices.size(); ++i)
                (whose->axes.size() > i && whose->axes[i] == 'y' ? y : x) = u64(whose->indices[i]);
        } else {
            const auto number = std::ranges::find_if(
                *tokens_, [](const Token& t) { return t.noun == "thread" && t.kind == Kind::Id; });
            if (number == tokens_->end()) return false;
            x = u64(number->value);
        }
        const u64 linear = y * launch_.block.x + x;
        w = u32(linear / 32), lane = u32(linear % 32);
        return w < block_.block().warps.size();
    };
    const auto markElse = [&](std::vector<const Token*>& elements, std::vector<const Token*>& numbers) {
        for (const Token& token : *tokens_) {
            if (token.kind == Kind::Pair || (token.noun == "thread" && token.kind == Kind::Id)) continue;
            (token.kind == Kind::Element ? elements : numbers).push_back(&token);
        }
    };
    const auto indicesOf = [](const Token& element) {
        return std::pair{u64(element.indices[0]), u64(element.indices[1])};
    };
    u32 w = cursor_.warp.value, lane = cursor_.lane.value;
    std::vector<const Token*> elements, numbers;
    const std::size_t computes = std::min(text_.rfind(" computes "), text_.rfind(" 计算 P"));
    if (computes != std::string::npos && threadTold(w, lane)) {
        const auto& patch = patchOf(w, lane);
        for (const Token& token : *tokens_) {
            if (token.begin < computes || token.kind == Kind::Pair) continue;
            (token.kind == Kind::Element ? elements : numbers).push_back(&token);
        }
        if (says(text_, {" computes no element"})) {
            if (!patch.empty()) fail(said, said.text, "it stores some");
            return;
        }
        if (patch.empty()) return fail(said, said.text, "it stores none");
        std::set<u64> rows, columns;
        for (const auto& [row, column] : patch)
            rows.insert(row), columns.insert(column);
        for (const Token* token : elements)
            mark(*token);
        for (const Token* token : numbers)
            mark(*token);
        if (elements.empty() || indicesOf(*elements.front()) != patch.front() ||
            indicesOf(*elements.back()) != patch.back())
            fail(said, said.text, "other elements are its first and last ones");
        if (numbers.empty()) return;
        if (numbers[0]->value != f64(patch.size()))
            fail(said, written(*numbers[0]), fmt::format("{} elements", patch.size()));
        if (numbers.size() == 3 &&
            (numbers[1]->value != f64(rows.size()) || numbers[2]->value != f64(columns.size()) ||
             rows.size() * columns.size() != patch.size()))
            fail(said, said.text, fmt::format("{} × {}", rows.size(), columns.size()));
        const auto hasGaps = [](const std::set<u64>& of) {
            return *of.rbegin() - *of.begin() + 1 != of.size();
        };
        if (numbers.size() == 3 &&
            says(text_, {", in pieces between ", "（不连续）"}) != (hasGaps(rows) || hasGaps(columns)))
            fail(said, said.text, "whether they are neighbors");
        return;
    }
    const bool isAdding = says(text_, {" to its sum for ", " 的累加和上；"}),
               isForNothing = says(text_, {" to a sum that it does not store",
                                           "加到一个累加和上，但这个累加和最后不会写入 P"});
    const auto checkCount = [&](const Token& token, u64 sums) {  // of products of one sum
        const u64 done = productsBy(w, lane, cursor_.step);
        mark(token);
        const u64 told = u64(token.value);
        if (sums == 0 || (told != done / sums && told != (done + sums - 1) / sums))
            fail(said, written(token), fmt::format("{} products of {} sums", done, sums));
    };
    if (isAdding || isForNothing) {
        if (!threadTold(w, lane)) return;
        markElse(elements, numbers);
        if (elements.size() != 3 || numbers.size() < 2)
            return fail(said, said.text, "a sentence of another form");
        // In Chinese and in English: the two factors, their values, the element.
        const auto element = indicesOf(*elements[2]);
        std::optional<u64> along;
        for (int which : {0, 1}) {
            const Token& name = *elements[which];
            mark(name), mark(*numbers[which]);
            const std::optional<Place> place = placeOf(name);
            if (!place) return fail(said, written(name), "there is no such element");
            const bool isMatrix = place->array->space == Space::Global;
            const std::optional<f64> value = isMatrix
                                                 ? run_.initial(*place->array, place->address)
                                                 : block_.valueBy(*place->array, place->address, order());
            if (!value || !agrees(*numbers[which], *value))
                fail(said, written(*numbers[which]), "another value stands there");
            if (!isMatrix) continue;
            const auto at = indicesOf(name);
            if (place->array->name != (which ? "N" : "M") ||
                (which ? at.second != element.second : at.first != element.first))
                if (isAdding) fail(said, written(name), "it does not belong to that sum");
            const u64 k = which ? at.first : at.second;
            if (along && *along != k) fail(said, written(name), "factors of different k");
            along = k;
        }
        mark(*elements[2]);
        const auto& patch = patchOf(w, lane);
        const bool isOwn = std::ranges::find(patch, element) != patch.end();
        if (isOwn != isAdding) fail(said, written(*elements[2]), "whether the thread stores it");
        if (isForNothing) return;
        constexpr std::size_t countAt = 2, sumAt = 3;
        if (numbers.size() != 4) return fail(said, said.text, "count and sum");
        checkCount(*numbers[countAt], sumsOf(w, lane));
        mark(*numbers[sumAt]);
        const auto wanted = sumAfter(element.first, element.second, u64(numbers[countAt]->value));
        if (!wanted || !(agrees(*numbers[sumAt], *wanted) || rounds(*numbers[sumAt], *wanted)))
            fail(said, written(*numbers[sumAt]), "another sum");
        if (along && *along + 1 != u64(numbers[countAt]->value))
            fail(said, written(*numbers[countAt]), fmt::format("it is product {} of the sum", *along + 1));
        return;
    }
    // "Thread (x 3, y 2): 8 × 8 sums"
    if (is("Thread *: # × # sums", "线程 *：# × # 个累加和") ||
        is("Thread *: # sum*", "线程 *：# 个累加和")) {
        if (!threadTold(w, lane)) return;
        markElse(elements, numbers);
        if (w != cursor_.warp.value || lane != cursor_.lane.value)
            fail(said, said.text, "not the cursor's thread");
        u64 all = 1;
        for (const Token* token : numbers)
            all *= u64(token->value), mark(*token);
        if (all != sumsOf(w, lane)) fail(said, said.text, fmt::format("{} sums", sumsOf(w, lane)));
        return;
    }
    // "P[0][10]: running sum after 1 product: 5200.0." at the mouse
    if (said.isHover && says(text_, {": running sum after ", "个乘积后的和为"})) {
        markElse(elements, numbers);
        if (elements.size() != 1 || numbers.size() != 2) return;
        checkCount(*numbers[0], sumsOf(w, lane));
        mark(*elements[0]), mark(*numbers[1]);
        const auto [row, column] = indicesOf(*elements[0]);
        const auto wanted = sumAfter(row, column, u64(numbers[0]->value));
        if (!wanted || !(agrees(*numbers[1], *wanted) || rounds(*numbers[1], *wanted)))
            fail(said, written(*numbers[1]), "another sum");
        return;
    }
    if (said.isHover || said.isSentence || said.isCaption) return;
    // A sum in its cell of P.
    if (tokens_->size() == 1 && says(said.hover, {" computes ", " 计算 P"}) &&
        (said.hover.starts_with("Thread") || said.hover.starts_with("线程"))) {
        mark(tokens_->front());
        if (!isSomeSum(w, lane, tokens_->front())) fail(said, said.text, "none of the thread's sums");
        return;
    }
    // A sum in its register: what the mouse is told of it, shortened.
    if (says(said.hover, {": running sum after ", "个乘积后的和为"}) && tokens_->size() == 1) {
        const std::vector<Token> told = tokensOf(said.hover);
        const Token& token = tokens_->front();
        mark(token);
        if (told.empty() || !rounds(token, told.back().value))
            fail(said, written(token), "the mouse is told another sum");
        return;
    }
    patchRow(said);
}

// In the row of a lane: its factors at this step and its sum, as those of the cursor's lane stand in its
// patch.
void Reader::patchRow(const Said& said) {
    if (said.hover.empty()) return;
    const std::vector<Token> about = tokensOf(said.hover);
    if (about.empty() || (about.front().kind == Kind::Element && about.front().begin == 0)) return;  // a cell
    const auto of =
        std::ranges::find_if(about, [](const Token& t) { return t.noun == "lane" && t.kind == Kind::Id; });
    if (of == about.end()) return;
    const u32 w = cursor_.warp.value, lane = u32(of->value);
    const auto& patch = patchOf(w, lane);
    const Token& first = tokens_->front();
    if (tokens_->size() == 1 && first.kind != Kind::Element && first.value == f64(lane) &&
        first.decimals == 0)
        return;  // the lane's number
    // "P[0][8] …", and how many
    if (first.kind == Kind::Element && text_.ends_with(" …") && first.name == "P") {
        mark(first);
        const trace::StoredAccess* now = nullptr;  // of a vector that is stored
        for (u32 s = cursor_.step + 1; s-- > 0 && !now;)
            if (const u32 number = traceOf(w).steps[s].access;
                number != trace::Step::kNone && !traceOf(w).accesses[number].active.empty())
                now = &traceOf(w).accesses[number];
        const auto place = placeOf(first);
        if (now && now->active.has(Lane{lane}) && place && now->kind == AccessKind::Store &&
            traceOf(w).address(*now, Lane{lane}) == place->address)
            return;
        if (patch.empty() || std::pair{u64(first.indices[0]), u64(first.indices[1])} != patch.front())
            fail(said, written(first), "it is not the lane's first element");
        return;
    }
    const trace::WarpTrace& warp = traceOf(w);
    const bool isProduct = run_.run().module->at(warp.steps[cursor_.step].pc).form.starts_with("fma.rn.f32");
    if (!isProduct && tokens_->size() == 1) {
        // Of the last request: what the lane had to do with it.
        u32 s = cursor_.step;
        const auto accessAt = [&](u32 step) -> const trace::StoredAccess* {
            const u32 number = warp.steps[step].access;
            return number == trace::Step::kNone || warp.accesses[number].active.empty()
                       ? nullptr
                       : &warp.accesses[number];
        };
        while (s > 0 && !accessAt(s))
            --s;
        const trace::StoredAccess* access = accessAt(s);
        if (access && access->active.has(Lane{lane})) {
            const u64 address = warp.address(*access, Lane{lane});
            const Array* array = nullptr;
            for (const Array& one : run_.arrays())
                if (isIn(one, access->space, address)) array = &one;
            if (array && first.kind == Kind::Element && (first.name == "M" || first.name == "N")) {
                // A place of a tile that holds no element: which one it would be.
                const Array* matrix = run_.array(first.name, cursor_.launch);
                const bool exists =
                    u64(first.indices[0]) < matrix->shape[0] && u64(first.indices[1]) < matrix->shape[1];
                if (exists && array->space == Space::Shared && access->kind == AccessKind::Load) {
                    // What was put there.
                    const auto value = run_.initial(*matrix, *run_.addressOf(*matrix, first.indices));
                    mark(first);
                    if (value != block_.read(*array, warp.value(*access, Lane{lane}).data()))
                        fail(said, written(first), "the lane reads another value");
                }
                if (exists || array->space != Space::Shared || array->shape.size() < 2) return;
                mark(first);
                const u64 place = (address - array->address) / array->elementBytes,
                          columns = array->shape.back(), rows = array->shape[array->shape.size() - 2],
                          large = std::max(rows, columns), small = std::min(rows, columns),
                          k = small * (fillingOf(w, s) - 1);
                const bool isM = first.name == "M";
                const u64 line = large * (isM ? cursor_.block.y : cursor_.block.x);
                const std::pair told{u64(first.indices[isM ? 0 : 1]) - line,
                                     u64(first.indices[isM ? 1 : 0]) - k};
                const std::pair at{place / columns % rows, place % columns};
                if (told != (rows > columns ? at : std::pair{at.second, at.first}))
                    fail(said, written(first), "another element belongs there");
                return;
            }
            if (array && first.kind != Kind::Element) {
                const f64 value = block_.read(*array, warp.value(*access, Lane{lane}).data());
                if (agrees(first, value) || rounds(first, value)) return mark(first);
            }
        }
        if (first.kind != Kind::Element && !patch.empty() && first.value == f64(patch.size())) mark(first);
        return;
    }
    const Said* sentence = nullptr;
    for (const Said& other : picture_.texts)
        if (other.isSentence) sentence = &other;
    const std::vector<Token> told = sentence ? tokensOf(sentence->text) : std::vector<Token>();
    std::vector<const Token*> elements;
    for (const Token& token : told)
        if (token.kind == Kind::Element) elements.push_back(&token);
    const auto& own = patchOf(w, cursor_.lane.value);
    const Array *m = run_.array("M", cursor_.launch), *n = run_.array("N", cursor_.launch);
    const bool isLike = own.size() == patch.size() && elements.size() == 3 && elements[0]->name == "M" &&
                        std::ranges::find(own, std::pair{u64(elements[2]->indices[0]),
                                                         u64(elements[2]->indices[1])}) != own.end();
    if (isProduct && !isLike && tokens_->size() == 1) {
        mark(first);
        if (!isSomeSum(w, lane, first)) fail(said, written(first), "none of the lane's sums");
        return;
    }
    if (isProduct && !isLike && tokens_->size() == 2 && contains(text_, " × ")) {
        // A lane some of whose elements do not exist: at least these are elements of both, or zeros.
        const auto isOf = [&](const Array& array, const Token& token) {
            if (token.value == 0) return true;
            for (u64 address = array.address; address < array.address + array.bytes;
                 address += array.elementBytes)
                if (const auto value = run_.initial(array, address); value && agrees(token, *value))
                    return true;
            return text_.ends_with("…");
        };
        mark(tokens_->front()), mark(tokens_->back());
        if (!isOf(*m, tokens_->front()) || !isOf(*n, tokens_->back()))
            fail(said, said.text, "no factors of both");
        return;
    }
    if (!isProduct || !isLike) return;
    const std::pair element{u64(elements[2]->indices[0]), u64(elements[2]->indices[1])};
    const auto number = std::ranges::find(own, element);
    const auto [row, column] = patch[std::size_t(number - own.begin())];
    const u64 k = u64(elements[0]->indices[1]);
    const f64 a = run_.initial(*m, m->address + (row * m->shape[1] + k) * m->elementBytes).value_or(0),
              b = run_.initial(*n, n->address + (k * n->shape[1] + column) * n->elementBytes).value_or(0);
    if (tokens_->size() == 2 && contains(text_, " × ")) {
        mark(tokens_->front()), mark(tokens_->back());
        const auto begins = [&](const Token& token, f64 value) {
            return fmt::format("{:.1f}", value).starts_with(written(token));
        };
        if (!agrees(tokens_->front(), a) ||
            !(text_.ends_with("…") ? begins(tokens_->back(), b) : agrees(tokens_->back(), b)))
            fail(said, said.text, fmt::format("{} × {}", a, b));
    } else if (tokens_->size() == 1) {
        const auto wanted = sumAfter(row, column, k + 1);
        mark(tokens_->front());
        if (!wanted || !(agrees(tokens_->front(), *wanted) || rounds(tokens_->front(), *wanted)))
            fail(said, written(tokens_->front()), fmt::format("it is {}", wanted.value_or(0)));
    }
}

}  // namespace lockstep::witness
