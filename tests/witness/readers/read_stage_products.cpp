// The stage of matrix multiplies: what a thread has multiplied so far, and what it adds up to.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

// What M and N are multiplied from: their tiles in shared memory where there are some.
std::pair<const Array*, const Array*> Reader::factors() const {
    const Array *m = run_.array("Mds", cursor_.launch), *n = run_.array("Nds", cursor_.launch);
    if (m && n) return {m, n};
    for (const trace::WarpTrace& warp :
         block_.block().warps)  // from another array of its own: not to be told
        for (const trace::StoredAccess& access : warp.accesses)
            if (access.space == Space::Shared && access.kind == AccessKind::Load) return {nullptr, nullptr};
    return {run_.array("M", cursor_.launch), run_.array("N", cursor_.launch)};
}

// What a lane has read of both up to the cursor's step within the block, pair by pair; rounded as one fused
// multiply and add rounds.
Reader::Products Reader::productsOf(u32 w, u32 lane) const {
    Products products;
    const auto [m, n] = factors();
    const Array* p = run_.array("P", cursor_.launch);
    if (!m || !n || !p) return products;
    const trace::WarpTrace& warp = traceOf(w);
    std::deque<std::pair<u64, f64>> waiting[2];
    for (const trace::Step& step : warp.steps) {
        if (step.order > order()) break;
        if (step.access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = warp.accesses[step.access];
        if (!access.active.has(Lane{lane})) continue;
        const u64 address = warp.address(access, Lane{lane});
        const std::span<const std::byte> bytes = warp.value(access, Lane{lane});
        if (access.kind == AccessKind::Store && p->has(access.space, address))
            products.stored = block_.read(*p, bytes.data());
        if (access.kind != AccessKind::Load) continue;
        for (int which : {0, 1}) {
            const Array& array = which ? *n : *m;
            if (!array.has(access.space, address)) continue;
            for (u32 at = 0; at + array.elementBytes <= access.widthBytes; at += array.elementBytes)
                waiting[which].emplace_back(address + at, block_.read(array, bytes.data() + at));
        }
        while (!waiting[0].empty() && !waiting[1].empty()) {
            products.m = waiting[0].front().second, products.n = waiting[1].front().second;
            products.last = {waiting[0].front().first, waiting[1].front().first};
            products.sum = f64(std::fma(f32(products.m), f32(products.n), f32(products.sum)));
            ++products.count;
            waiting[0].pop_front(), waiting[1].pop_front();
        }
    }
    return products;
}

// "Thread (x 7, y 3): M[7][3] × N[3][3] = 14.0 × 68.0; running sum after 4 products: 60739.0.", and a
// row of the table.
void Reader::productText(const Said& said) {
    const bool isSentence = says(text_, {"; running sum after ", "个乘积后的和为"});
    const std::string& about = isSentence ? text_ : said.hover;
    if (isSentence) {
        const Products products = productsOf(cursor_.warp.value, cursor_.lane.value);
        std::vector<const Token*> elements, numbers;
        for (const Token& token : *tokens_) {
            if (token.kind == Kind::Pair) continue;
            (token.kind == Kind::Element ? elements : numbers).push_back(&token);
        }
        // Values of both, how many and their sum.
        const auto [m, n] = factors();
        if (!m) return fail(said, said.text, "it multiplies from an array of its own");
        if (!products.last || elements.size() != 2 || numbers.size() < 4) return;
        for (int which : {0, 1}) {
            const std::optional<Place> place = placeOf(*elements[which]);
            const u64 wanted = which ? products.last->second : products.last->first;
            if (!place || place->array != (which ? n : m) || place->address != wanted)
                fail(said, written(*elements[which]), "the thread multiplies something else");
            mark(*numbers[which]);
            if (!agrees(*numbers[which], which ? products.n : products.m))
                fail(said, written(*numbers[which]),
                     fmt::format("it is {}", which ? products.n : products.m));
        }
        const Token &count = *numbers[numbers.size() - 2], &sum = *numbers.back();
        mark(count), mark(sum);
        if (count.value != products.count)
            fail(said, written(count), fmt::format("{} products", products.count));
        if (!agrees(sum, products.sum))
            fail(said, written(sum), fmt::format("they add up to {}", products.sum));
        return;
    }
    if (said.isHover || said.isSentence || said.isCaption) return;
    // "148.0 × 188…": in the row of its lane, of the two that it multiplied last.
    if (const std::size_t times = text_.find(" × "); times != std::string::npos && !tokens_->empty() &&
                                                     tokens_->front().begin == 0 && tokens_->size() == 2) {
        std::vector<Token> lanes;
        for (const Said& other : picture_.texts)
            if (!other.isHover && std::fabs(other.top - said.top) < 3 && other.left < said.left - 40 &&
                said.left - other.left < 120 &&
                other.text.find_first_not_of("0123456789") == std::string::npos)
                lanes = tokensOf(other.text);
        if (lanes.size() != 1 || about.empty()) return;
        const Products products = productsOf(cursor_.warp.value, u32(lanes[0].value));
        const Token &m = tokens_->front(), &n = tokens_->back();
        mark(m), mark(n);
        const bool isCut = text_.ends_with("…");
        const auto begins = [&](const Token& token, f64 value) {
            return fmt::format("{:.1f}", value).starts_with(written(token)) ||
                   fmt::format("{}", value).starts_with(written(token));
        };
        if (!products.last || !agrees(m, products.m) ||
            !(isCut ? begins(n, products.n) : agrees(n, products.n)))
            fail(said, said.text, fmt::format("{} × {}", products.m, products.n));
        return;
    }
    if (rowText(said)) return;
    // The sum of a thread in its cell of P, whole or in thousands.
    const bool isOwn =
        about.starts_with("Thread (") || about.starts_with("Thread x ") || about.starts_with("线程 ");
    if (!isOwn || !says(about, {" computes P[", " 计算 P["}) || tokens_->size() != 1) return;
    const std::vector<Token> whose = tokensOf(about);
    const auto thread = std::ranges::find(whose, Kind::Pair, &Token::kind);
    if (thread == whose.end()) return;
    u64 x = 0, y = 0;
    for (std::size_t i = 0; i < thread->indices.size(); ++i) {
        const char axis = thread->axes.size() > i ? thread->axes[i] : i == 0 ? 'y' : 'x';
        (axis == 'x' ? x : y) = u64(thread->indices[i]);
    }
    const u64 linear = y * launch_.block.x + x;
    if (linear / 32 >= block_.block().warps.size()) return;
    const Products products = productsOf(u32(linear / 32), u32(linear % 32));
    const f64 wanted = products.stored.value_or(products.sum);
    const Token& token = tokens_->front();
    if (token.value < 32 && token.decimals == 0 && !token.isRounded)
        return;  // the lane's number in the corner
    mark(token);
    if (!agrees(token, wanted) && !rounds(token, wanted) &&
        std::fabs(token.value - wanted) > 0.01 * std::fabs(wanted))
        fail(said, written(token), fmt::format("the sum is {}", wanted));
}

// What a lane stores to its tile of a matrix with its n-th store there.
std::optional<f64> Reader::keptBy(const Array& tile, u32 lane, u32 number) const {
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    for (const trace::Step& step : warp.steps) {
        if (step.access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = warp.accesses[step.access];
        if (access.kind != AccessKind::Store || !access.active.has(Lane{lane}) ||
            !tile.has(access.space, warp.address(access, Lane{lane})))
            continue;
        if (--number == 0) return block_.read(tile, warp.value(access, Lane{lane}).data());
    }
    return std::nullopt;
}

// The number at the right end of its lane's row of the table: the sum, what is stored, or what the lane gets.
bool Reader::rowText(const Said& said) {
    if (tokens_->size() != 1 || tokens_->front().kind == Kind::Element || said.hover.empty()) return false;
    const std::vector<Token> about = tokensOf(said.hover);
    const auto lane =
        std::ranges::find_if(about, [](const Token& t) { return t.noun == "lane" && t.kind == Kind::Id; });
    if (lane == about.end()) return false;
    const auto right = [](const Said& text) { return 2 * text.at.x - text.left; };
    std::string_view column;
    const Said* element = nullptr;
    for (const Said& other : picture_.texts) {
        if (other.isHover) continue;
        if (other.top < said.top && std::fabs(right(other) - right(said)) < 1)
            for (const auto& [en, zh] : {std::pair{"sum", "累加和"}, {"gets", "得到"}, {"value", "值"}})
                if (other.text == en || other.text == zh) column = en;
        if (std::fabs(other.top - said.top) < 4 && other.left < said.left && other.hover == said.hover &&
            contains(other.text, "["))
            element = &other;
    }
    std::optional<f64> wanted;
    const u32 of = u32(lane->value);
    if (column == "gets" && element) {
        const Array* kept = run_.array(element->text.substr(0, 1) + "ds", cursor_.launch);
        if (kept) wanted = keptBy(*kept, of, tile().now);
    } else if (column == "sum" || column == "value") {
        const Products products = productsOf(cursor_.warp.value, of);
        wanted = column == "sum" ? products.sum : products.stored.value_or(products.sum);
    }
    if (!wanted) return false;
    const Token& token = tokens_->front();
    mark(token);
    if (!agrees(token, *wanted) && !rounds(token, *wanted))
        fail(said, written(token), fmt::format("it is {}", *wanted));
    return true;
}

}  // namespace lockstep::witness
