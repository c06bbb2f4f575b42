// Batches of elements beside an Evaluator that computes one after another: the same bits, and declined where
// an element cannot be computed.
#include "catalog/values/expression_batch.h"

#include "catalog/values/contents.h"
#include "catalog/values/expression_value.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

namespace lockstep::catalog {
namespace {

constexpr std::array<std::string_view, 11> kInputs{"a", "b", "c", "d", "e", "f", "g", "h", "p", "x", "y"};
constexpr u64 kElements = 1000;

// A buffer of each type, with numbers of both signs where it has them.
std::vector<Buffer> inputs() {
    std::vector<Buffer> buffers;
    for (const ElementTypeInfo& row : elementTypes()) {
        Buffer& buffer = buffers.emplace_back();
        buffer.name = kInputs[buffers.size() - 1];
        buffer.type = row.type;
        buffer.shape = {kElements};
        buffer.bytes.resize(kElements * row.bytes);
        const bool isSigned = isReal(row.type) || row.name[0] == 'i';
        EXPECT_TRUE(fill(buffer, isSigned ? "random:-100:100" : "random:0:200", {.stream = buffers.size()}));
    }
    return buffers;
}

Expected<ExpressionTree> bound(const std::string& text, std::span<const Buffer> buffers) {
    Expected<ExpressionTree> tree = parseExpression(text, Elements::Allowed);
    if (!tree) return tree;
    std::vector<NamedType> types;
    for (const Buffer& buffer : buffers)
        types.push_back({buffer.name, buffer.type});
    const auto meaningOf = [](std::string_view name) -> std::optional<Meaning> {
        using Kind = Meaning::Kind;
        if (name == "i") return Meaning{Kind::Variable, kElementSlot};
        if (name == "row") return Meaning{Kind::Variable, kRowSlot};
        if (name == "column") return Meaning{Kind::Variable, kColumnSlot};
        return Meaning{Kind::Number, 16};
    };
    if (const Expected<void> done = bindNames(*tree, meaningOf, types); !done)
        return Unexpected{done.error()};
    return tree;
}

struct Outcome {
    Buffer out;
    bool isWhole = true;  // no element was declined
};
Outcome inBatches(const ExpressionTree& tree, std::span<const Buffer> buffers, Buffer out, s64 columns) {
    bool isWhole = true;
    BatchEvaluator batches(tree, buffers, nullptr);
    const s64 end = s64(out.count());
    for (s64 begin = 0; begin < end && isWhole; begin += BatchEvaluator::kLanes) {
        const s64 count = std::min<s64>(end - begin, BatchEvaluator::kLanes);
        isWhole = batches.write(out, begin, u32(count), columns);
    }
    return {std::move(out), isWhole};
}
Outcome oneByOne(const ExpressionTree& tree, std::span<const Buffer> buffers, Buffer out, s64 columns) {
    Evaluator evaluator(tree, buffers);
    for (s64 i = 0; i < s64(out.count()) && !evaluator.fault(); ++i) {
        evaluator.variables[kElementSlot] = i;
        evaluator.variables[kRowSlot] = i / columns;
        evaluator.variables[kColumnSlot] = i % columns;
        evaluator.write(out, u64(i));
    }
    return {std::move(out), !evaluator.fault()};
}

// Whether all elements could be computed.
bool expectTheSame(const std::string& text, std::span<const Buffer> buffers, const Buffer& like,
                   s64 columns) {
    const Expected<ExpressionTree> tree = bound(text, buffers);
    EXPECT_TRUE(tree) << text << ": " << describe(tree.error());
    if (!tree || (tree->nodes[tree->root].isReal && !isReal(like.type))) return false;
    const Outcome one = oneByOne(*tree, buffers, like, columns);
    const Outcome batch = inBatches(*tree, buffers, like, columns);
    EXPECT_EQ(batch.isWhole, one.isWhole) << text << " in rows of " << columns;
    EXPECT_TRUE(!one.isWhole || batch.out.bytes == one.out.bytes) << text << " in rows of " << columns;
    return one.isWhole;
}

Buffer output(ElementType type, u64 count) {
    Buffer out{.name = "out", .type = type, .shape = {count}, .bytes = {}};
    out.bytes.resize(count * info(type).bytes, std::byte{0x5a});
    return out;
}

TEST(ExpressionBatch, GivesTheBitsOfOneAfterAnother) {
    const std::vector<Buffer> buffers = inputs();
    for (const char* text : {"e[i]",
                             "x[i]",
                             "e[999 - i]",
                             "x[column * 10 + row % 10]",
                             "row * 1000 + column",
                             "e[i * 7 % n]",
                             "i % 4 == 3 ? e[i] : e[999 - i]",
                             "i / 3 % 5 - 2",
                             "-i % 7",
                             "(i - 500) / 7 + (i - 500) % 7",
                             "ceil_div(i - 500, 7)",
                             "min(i, 300) + max(i, 600)",
                             "i < 700",
                             "300 > i",
                             "i == 5 || i > 990",
                             "i > 5 && 100 / (i - 5) > 3",
                             "!(i % 2)",
                             "i == 0 ? 0 : 1000000 / i",
                             "x[i] > y[i]",
                             "x[i] / 3 + y[i] * e[i]",
                             "x[i] == 0",
                             "max(x[i], e[i])",
                             "-x[i]",
                             "sum(k, 5, e[(i + k) % 1000])",
                             "sum(k, i % 32 + 1, e[(i + k) % 1000])",
                             "sum(k, 100, x[(i + k) % 1000])",
                             "sum(k, i - 3, y[k] / 3)",
                             "sum(k, 3, sum(j, k + i % 2, e[j + k]))",
                             "sum(k, min(8, 1000 - i), x[i + k])",
                             "sum(k, 300, k * i) * (i % 2 == 0 ? 1 : -1)",
                             "sum(k, 2, 4611686018427387904 - 1 + k)",
                             "g[i] * 9223372036854775807 / 100000",
                             "i * 4294967296 * 100",
                             "i * i * i - i",
                             "p[i] + 1 / x[i]",
                             "i + 9223372036854775000",
                             "e[i] / e[0]",
                             "e[i + 1]",
                             "sum(k, 2, 4611686018427387904)",
                             "0 - i - 1",
                             "(0 - 9223372036854775807 - 1) / (i - 1 - 2 * i)",
                             "i % (i - 4)",
                             "i >= 0 ? x[0] * 0 - 0 : 1"})
        for (const s64 columns : {s64{1000}, s64{7}, s64{100}})
            for (const ElementTypeInfo& row : elementTypes())
                expectTheSame(text, buffers, output(row.type, 1000), columns);
}

// Expressions as chance makes them.
class Chance {
public:
    explicit Chance(u32 seed) : random_(seed) {}
    std::string expression(u32 depth, bool isWhole) {
        if (depth == 0 || below(6) == 0) return leaf(isWhole);
        const auto again = [&] { return expression(depth - 1, isWhole); };
        switch (below(isWhole ? 13 : 9)) {
            case 0:
            case 1: return "(" + again() + " + " + again() + ")";
            case 2: return "(" + again() + " - " + again() + ")";
            case 3: return "(" + again() + " * " + again() + ")";
            case 4: return "(" + again() + " / " + (below(2) ? "7" : again()) + ")";
            case 5: return "min(" + again() + ", " + again() + ")";
            case 6: return "max(" + again() + ", " + again() + ")";
            case 7: return "(" + condition(depth - 1) + " ? " + again() + " : " + again() + ")";
            case 8: return sum(depth, isWhole);
            case 9: return "(" + again() + " % " + (below(2) ? "16" : again()) + ")";
            case 10: return "ceil_div(" + again() + ", " + (below(2) ? "16" : again()) + ")";
            case 11: return condition(depth - 1);
            default: return "-" + again();
        }
    }
    u32 below(u32 count) { return u32(random_() % count); }

private:
    std::string leaf(bool isWhole) {
        static constexpr std::array kWhole{"i", "row", "column", "n", "3", "0", "1000000007"};
        if (isWhole && below(2)) return kWhole[below(kWhole.size())];
        if (isWhole && sums_ > 0 && below(2)) return counter(below(sums_));
        const std::string_view buffer = kInputs[isWhole ? below(8) : 8 + below(3)];
        const std::string index = sums_ > 0 && below(2) ? "i + " + counter(below(sums_)) : "i";
        return std::string(buffer) + "[(" + index + ") * " + std::to_string(below(4)) + " % 1000]";
    }
    std::string condition(u32 depth) {
        static constexpr std::array kSigns{" < ", " <= ", " > ", " >= ", " == ", " != ", " && ", " || "};
        const bool isWhole = below(3) > 0;
        const std::string left = expression(depth, isWhole), right = expression(depth, isWhole);
        return (below(5) ? "(" : "!(") + left + kSigns[below(kSigns.size())] + right + ")";
    }
    std::string sum(u32 depth, bool isWhole) {
        if (sums_ == 2) return leaf(isWhole);
        const std::string name = counter(sums_), count = below(2) ? std::to_string(below(70))
                                                                  : "i % " + std::to_string(1 + below(9));
        ++sums_;
        const std::string term = expression(depth - 1, isWhole);
        --sums_;
        return "sum(" + name + ", " + count + ", " + term + ")";
    }
    static std::string counter(u32 sum) { return std::string("k") + char('0' + sum); }

    std::mt19937 random_;
    u32 sums_ = 0;
};

TEST(ExpressionBatch, GivesTheBitsOfWhateverCanBeWritten) {
    const std::vector<Buffer> buffers = inputs();
    u32 computed = 0;
    for (u32 seed = 0; seed < 1500; ++seed) {
        Chance chance(seed);
        const bool isWhole = chance.below(2);
        const std::string text = chance.expression(1 + seed % 4, isWhole);
        if (!bound(text, buffers)) continue;
        const ElementType type = ElementType(isWhole ? chance.below(11) : 8 + chance.below(3));
        computed += expectTheSame(text, buffers, output(type, 300), s64{1} + chance.below(300));
    }
    EXPECT_GT(computed, 500u);
}

}  // namespace
}  // namespace lockstep::catalog
