#include "catalog/references/element_result.h"

#include "base/check.h"
#include "base/nearest.h"
#include "catalog/values/expression.h"
#include "catalog/values/expression_batch.h"
#include "catalog/values/expression_value.h"

#include <algorithm>

namespace lockstep::catalog {
namespace {

const BufferTemplate* findBuffer(const Variant& variant, std::string_view name) {
    const auto found = std::ranges::find(variant.buffers, name, &BufferTemplate::name);
    return found == variant.buffers.end() ? nullptr : &*found;
}

// Meanings of the names in a result.
auto meaningIn(const Values& scope, bool hasRows) {
    return [&scope, hasRows](std::string_view name) -> std::optional<Meaning> {
        if (name == "i") return Meaning{Meaning::Kind::Variable, kElementSlot};
        if (name == "row" && hasRows) return Meaning{Meaning::Kind::Variable, kRowSlot};
        if (name == "column" && hasRows) return Meaning{Meaning::Kind::Variable, kColumnSlot};
        const auto found = scope.find(name);
        if (found == scope.end()) return std::nullopt;
        return Meaning{Meaning::Kind::Number, found->second};
    };
}

Expected<ExpressionTree> boundTree(const ResultTemplate& result, const Family& family, const Variant& variant,
                                   const Values& values) {
    Expected<ExpressionTree> tree = parseExpression(result.expression, Elements::Allowed);
    if (!tree) return tree;
    std::vector<NamedType> types;
    for (const BufferTemplate& buffer : variant.buffers)
        types.push_back({buffer.name, typeOf(buffer, family, values)});
    const BufferTemplate* output = findBuffer(variant, result.buffer);
    const Values scope = family.scope(values);
    const bool hasRows = output->shape.size() == 2;
    if (const Expected<void> bound = bindNames(*tree, meaningIn(scope, hasRows), types); !bound)
        return Unexpected{bound.error()};
    for (const Node& node : tree->nodes) {
        if (node.kind != Node::Kind::Name) continue;
        const std::string& name = tree->names[node.index];
        std::vector<std::string> known{"i", "row", "column"};
        for (const auto& [parameter, value] : scope)
            known.push_back(parameter);
        return fail(
            FaultKind::Syntax,
            withPlace(isReservedWord(name)
                          ? Message(english("'{0}' is of a result with rows and columns, and {1} has {2} "
                                            "{2:extent|extents}"),
                                    name, output->name, output->shape.size())
                          : Message(english("'{0}' is no parameter of this family{1}"), name,
                                    didYouMean(name, known)),
                      *tree, node.column));
    }
    if (tree->nodes[tree->root].isReal && !isReal(typeOf(*output, family, values)))
        return fail(FaultKind::Syntax,
                    Message(english("'{0}' is a real number, and the elements of {1} are whole"),
                            result.expression, output->name));
    return tree;
}

// The value of a subtree without names.
std::optional<s64> constantOf(const ExpressionTree& tree, u32 index) {
    const Node& node = tree.nodes[index];
    if (node.kind == Node::Kind::Number) return node.number;
    if (node.kind != Node::Kind::Operation) return {};
    const std::optional<s64> a = constantOf(tree, node.a), b = constantOf(tree, node.b);
    return a && b ? node.operation->whole(*a, *b) : std::nullopt;
}

// Number of elements of the buffer, if it is the same for all parameters.
std::optional<s64> constantCount(const BufferTemplate& buffer) {
    s64 count = 1;
    for (const std::string& extent : buffer.shape) {
        const Expected<s64> value = evaluate(extent, {});
        if (!value || __builtin_mul_overflow(count, *value, &count)) return {};
    }
    return count;
}

Expected<void> checkElements(const ResultTemplate& result, const Variant& variant) {
    const Expected<ExpressionTree> tree = parseExpression(result.expression, Elements::Allowed);
    for (const Node& node : tree->nodes) {
        if (node.kind != Node::Kind::Element) continue;
        const BufferTemplate* buffer = findBuffer(variant, tree->names[node.index]);
        const std::optional<s64> element = constantOf(*tree, node.a), count = constantCount(*buffer);
        if (element && (*element < 0 || (count && *element >= *count)))
            return fail(FaultKind::Syntax,
                        withPlace(Message(english("{0} has no element {1}"), buffer->name, *element), *tree,
                                  node.column));
    }
    return {};
}

// Elements are independent: pieces of the output are computed on all cores, if there is enough work.
// Estimated steps: the buffers' elements, because each input contributes to few outputs.
constexpr s64 kPieces = 256;
// Pieces are whole rows of them, and a batch is of one row.
constexpr bool areLong(s64 columns) { return columns >= 64; }
s64 sizeOfPiece(s64 count, s64 columns) {
    const s64 piece = std::max<s64>(1, count / kPieces);
    return areLong(columns) && columns < count ? (piece + columns - 1) / columns * columns : piece;
}
[[maybe_unused]] bool isWorthSharing(const Experiment& experiment) {  // unused without OpenMP
    constexpr u64 kFewElements = 1 << 18;                             // some milliseconds
    u64 elements = 0;
    for (const Buffer& buffer : experiment.buffers)
        elements += buffer.count();
    return elements > kFewElements;
}

struct FaultyElement {
    s64 element;
    Fault fault;
};
// Elements [begin, end) of `out`, up to the first that cannot be computed.
std::optional<FaultyElement> computeOneByOne(const ExpressionTree& tree, const Experiment& experiment,
                                             s64 begin, s64 end, s64 columns, Buffer& out,
                                             const std::atomic<bool>* cancelled) {
    Evaluator evaluator(tree, experiment.buffers, cancelled);
    s64& element = evaluator.variables[kElementSlot];
    for (element = begin; element < end && !evaluator.isCancelled(); ++element) {
        evaluator.variables[kRowSlot] = element / columns;
        evaluator.variables[kColumnSlot] = element % columns;
        evaluator.write(out, u64(element));
        if (evaluator.fault()) return FaultyElement{element, *evaluator.fault()};
    }
    return {};
}

// The same, a batch at a time. Of long rows the same columns of all rows at once: what one row reads in steps
// of rows, as a transpose does, the next finds in the processor's cache.
std::optional<FaultyElement> computePiece(const ExpressionTree& tree, const Experiment& experiment, s64 begin,
                                          s64 end, s64 columns, Buffer& out,
                                          const std::atomic<bool>* cancelled) {
    BatchEvaluator batches(tree, experiment.buffers, cancelled);
    const s64 row = areLong(columns) ? std::min(columns, end - begin) : end - begin;
    for (s64 left = 0; left < row; left += BatchEvaluator::kLanes)
        for (s64 first = begin + left; first < end; first += row) {
            const u32 count = u32(std::min<s64>(BatchEvaluator::kLanes, row - left));
            if (batches.write(out, first, count, columns)) continue;
            if (cancelled && *cancelled) return {};
            return computeOneByOne(tree, experiment, begin, end, columns, out, cancelled);
        }
    return {};
}

}  // namespace

Expected<void> checkResult(const ResultTemplate& result, const Family& family, const Variant& variant) {
    Values defaults;
    for (const Parameter& parameter : family.parameters)
        defaults[parameter.name] = parameter.defaultValue;
    if (const Expected<ExpressionTree> tree = boundTree(result, family, variant, defaults); !tree)
        return Unexpected{tree.error()};
    return checkElements(result, variant);
}

std::vector<std::string> parametersIn(const ResultTemplate& result, const Family& family) {
    const Expected<ExpressionTree> tree = parseExpression(result.expression, Elements::Allowed);
    CHECK(tree.has_value(), "it has been checked");
    std::vector<std::string> names = tree->names;
    std::erase_if(names, [&](const std::string& name) { return !family.findParameter(name); });
    return names;
}

Expected<Buffer> computeResult(const ResultTemplate& result, const Experiment& experiment,
                               const std::atomic<bool>* cancelled) {
    const Expected<ExpressionTree> tree =
        boundTree(result, *experiment.family, *experiment.variant, experiment.values);
    if (!tree) return Unexpected{tree.error()};
    Buffer out = *std::ranges::find(experiment.buffers, result.buffer, &Buffer::name);
    const s64 count = s64(out.count()), columns = s64(out.shape.back()), piece = sizeOfPiece(count, columns);
    std::optional<FaultyElement> first;
#pragma omp parallel for schedule(dynamic) if (isWorthSharing(experiment))
    for (s64 begin = 0; begin < count; begin += piece) {
        if (cancelled && *cancelled) continue;
        std::optional<FaultyElement> faulty =
            computePiece(*tree, experiment, begin, std::min(count, begin + piece), columns, out, cancelled);
        if (!faulty) continue;
#pragma omp critical(faulty_element)
        if (!first || faulty->element < first->element) first = std::move(faulty);
    }
    if (first)
        return fail(FaultKind::Usage,
                    Message(english("the result of {0} cannot be computed, element {1}: {2}"), out.name,
                            first->element, first->fault.message));
    return out;
}

}  // namespace lockstep::catalog
