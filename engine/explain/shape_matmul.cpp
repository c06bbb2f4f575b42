// A matrix product: every sum takes a row of one buffer and a column of another, element by element.
#include "base/text/counted.h"
#include "explain/shape_rules.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

using Kind = ValueGraph::Kind;

struct Product {
    s64 left = 0, right = 0;  // elements
};
struct Sum {
    s64 to = 0;  // element of the product
    std::vector<Product> products;
};

// Which buffers a kernel's products are made of: those of most of them.
struct Sums {
    u32 left = 0, right = 0, to = 0;
    std::vector<Sum> all;
    bool areShared = false;  // several threads put one together
};

std::optional<std::pair<ValueGraph::Cell, ValueGraph::Cell>> productOf(const ValueGraph& graph,
                                                                       const Term& term) {
    if (!term.second) return std::nullopt;
    const ValueGraph::Node &a = graph.node(term.first), &b = graph.node(*term.second);
    if (a.kind != Kind::Element || b.kind != Kind::Element) return std::nullopt;
    return std::pair{ValueGraph::Cell{a.buffer, a.element}, ValueGraph::Cell{b.buffer, b.element}};
}

// What a product becomes where a tile was read before it was filled: one factor, or none.
bool isOfHalf(const ValueGraph& graph, const Term& term) {
    const auto isKnown = [&](ValueGraph::Id id) {
        return graph.node(id).kind == Kind::Element || graph.node(id).kind == Kind::Unknown;
    };
    return isKnown(term.first) && (!term.second || isKnown(*term.second));
}

// What the fold adds up of the two buffers; the first product of all says which two.
Sum sumOf(const BlockValues& values, const Output& output, const Fold& fold, std::optional<Sums>& sums) {
    Sum sum{output.cell.element, {}};
    std::size_t halves = 0;
    for (const Term& term : fold.terms) {
        auto product = productOf(values.graph, term);
        halves += !product && isOfHalf(values.graph, term);
        if (!product) continue;
        auto& [a, b] = *product;
        if (!sums) sums = Sums{a.buffer, b.buffer, output.cell.buffer, {}};
        if (a.buffer != sums->left) std::swap(a, b);
        if (a.buffer == sums->left && b.buffer == sums->right) sum.products.push_back({a.element, b.element});
    }
    if (!isMost(sum.products.size() + halves, fold.terms.size())) sum.products.clear();
    return sum;
}

std::optional<Sums> sumsOf(const BlockValues& values) {
    std::optional<Sums> sums;
    std::size_t others = 0;  // of several terms, but not such sums
    for (const Output& output : values.outputs) {
        const Fold* fold = values.foldOf(output);
        if (!fold || fold->kind != Kind::Add || fold->terms.size() < 2 || output.isPlacedByData) continue;
        Sum sum = sumOf(values, output, *fold, sums);
        if (sum.products.size() >= 2 && sums->to == output.cell.buffer)
            sums->all.push_back(std::move(sum)), sums->areShared |= fold->threads.size() > 1;
        else
            ++others;
    }
    return sums && isMost(sums->all.size(), sums->all.size() + others) ? sums : std::nullopt;
}

// What comes most often; none: nothing does in at least half.
std::optional<s64> usual(const std::vector<s64>& numbers) {
    std::map<s64, std::size_t> counts;
    for (const s64 number : numbers)
        ++counts[number];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; });
    return most != counts.end() && 2 * most->second >= numbers.size() ? std::optional(most->first)
                                                                      : std::nullopt;
}

// How far apart the elements of `operand` are that consecutive products of a sum take.
std::optional<s64> strideOf(const Sums& sums, s64 Product::*operand, s64 Product::*along) {
    std::vector<s64> strides;
    for (const Sum& sum : sums.all) {
        std::vector<Product> sorted = sum.products;
        std::ranges::sort(sorted, {}, along);
        for (std::size_t i = 1; i < sorted.size(); ++i)
            if (sorted[i].*along == sorted[i - 1].*along + 1)
                strides.push_back(sorted[i].*operand - sorted[i - 1].*operand);
    }
    return strides.empty() ? std::nullopt : usual(strides);
}

struct Widths {
    s64 left = 0, right = 0, to = 0;
};

// Of flat buffers: a column's step is the right one's width, which the product mostly shares.
std::optional<Widths> widthsOf(const BlockValues& values, const Sums& sums, s64 step) {
    Widths widths;
    widths.right = s64(values.columnsOf(sums.right).value_or(u64(step)));
    widths.to = s64(values.columnsOf(sums.to).value_or(u64(widths.right)));
    if (const auto declared = values.columnsOf(sums.left)) {
        widths.left = s64(*declared);
        return widths;
    }
    std::vector<s64> guesses;
    s64 longest = 0;
    for (const Sum& sum : sums.all)
        for (const Product& product : sum.products) {
            const s64 row = sum.to / widths.to, k = product.right / widths.right;
            longest = std::max(longest, k + 1);
            if (row > 0 && product.left > k && (product.left - k) % row == 0)
                guesses.push_back((product.left - k) / row);
        }
    widths.left = guesses.empty() ? longest : usual(guesses).value_or(0);
    return widths.left > 0 ? std::optional(widths) : std::nullopt;
}

std::optional<ProvedShape> prove(const BlockValues& values, const Sums& sums) {
    const auto step = strideOf(sums, &Product::right, &Product::left);
    if (!step || *step < 1 || sums.left == sums.to || sums.right == sums.to) return std::nullopt;
    const auto widths = widthsOf(values, sums, *step);
    if (!widths) return std::nullopt;
    // Of a batch, the right operand's rows count on from matrix to matrix.
    const std::vector<u64>& shape = values.graph.buffers()[sums.right].shape;
    const s64 rows = shape.size() > 2 ? s64(shape[shape.size() - 2]) : 0;
    std::size_t fitting = 0, paired = 0, all = 0, longest = 0;
    std::set<s64> columns, rowsSeen;
    for (const Sum& sum : sums.all) {
        const s64 row = sum.to / widths->to, column = sum.to % widths->to;
        longest = std::max(longest, sum.products.size());
        for (const Product& product : sum.products) {
            const s64 k = product.left % widths->left, down = product.right / widths->right;
            ++all;
            const bool fits = product.left / widths->left == row && product.right % widths->right == column;
            fitting += fits;
            paired += fits && (rows > 0 ? down % rows == k : down == k);
        }
        rowsSeen.insert(row), columns.insert(column);
    }
    // A tile that is overwritten too early pairs elements of different places along the row and the column.
    const bool isVector = widths->right == 1 && rowsSeen.size() > 1 && !sums.areShared;
    if (!isMost(fitting, all) || 4 * paired < all || (columns.size() < 2 && !isVector)) return std::nullopt;
    const auto name = [&](u32 buffer) { return values.graph.buffers()[buffer].name; };
    return ProvedShape{
        .shape = Shape::Matmul,
        .evidence =
            {Message(english("Each sum takes a row of {0} and a column of {1}."), name(sums.left),
                     name(sums.right)),
             Message(
                 english("{0} of {1} {1:product|products} match, in {2} sums of {3} with up to {4} terms."),
                 grouped(paired), grouped(all), grouped(sums.all.size()), name(sums.to), grouped(longest))},
        .buffers = {values.shaped(sums.left, u64(widths->left)),
                    values.shaped(sums.right, u64(widths->right)), values.shaped(sums.to, u64(widths->to))}};
}

}  // namespace

std::optional<ProvedShape> provedMatmul(const BlockValues& values) {
    std::optional<Sums> sums = sumsOf(values);
    if (!sums) return std::nullopt;
    if (std::optional<ProvedShape> proved = prove(values, *sums)) return proved;
    // The other way round: the rows may be of the one that was found second.
    std::swap(sums->left, sums->right);
    for (Sum& sum : sums->all)
        for (Product& product : sum.products)
            std::swap(product.left, product.right);
    return prove(values, *sums);
}

}  // namespace lockstep::explain
