#include "explain/shape.h"

#include "explain/shape_rules.h"

#include <algorithm>
#include <array>

namespace lockstep::explain {
namespace {

struct Row {
    Shape shape;
    std::string_view name;
    Words title;
    std::optional<ProvedShape> (*prove)(const BlockValues&);
};
// In the order in which they are tried: the more a rule asks for, the earlier it comes.
constexpr std::array kRows{
    Row{Shape::Histogram, "histogram", english("Histogram"), provedHistogram},
    Row{Shape::Matmul, "matmul", english("Matrix product"), provedMatmul},
    Row{Shape::Transpose, "transpose", english("Transpose"), provedTranspose},
    Row{Shape::Copy, "copy", english("Copy"), provedCopy},
    Row{Shape::Scan, "scan", english("Scan"), provedScan},
    Row{Shape::Tree, "tree", english("Reduction tree"), provedTree},
    Row{Shape::Divergence, "divergence", english("Divergent branches"), provedDivergence},
    Row{Shape::Stencil, "stencil", english("Stencil"), provedStencil},
    Row{Shape::Generic, "generic", english("No pattern of its own"), nullptr},
};

const Row& rowOf(Shape shape) { return *std::ranges::find(kRows, shape, &Row::shape); }

}  // namespace

std::string_view nameOf(Shape shape) { return rowOf(shape).name; }
Message titleOf(Shape shape) { return rowOf(shape).title; }

ProvedShape unknownShape() {
    return {.shape = Shape::Generic,
            .evidence = {english("The recording does not tell where this block's values come from.")},
            .buffers = {}};
}

ProvedShape shapeOf(const ptx::Module& module, std::span<const Buffer> buffers,
                    const trace::FocusBlock& block, const BlockFlow& flow) {
    const BlockValues values(module, buffers, block, flow);
    for (const Row& row : kRows)
        if (std::optional<ProvedShape> proved = row.prove ? row.prove(values) : std::nullopt) {
            proved->shape = row.shape;
            return std::move(*proved);
        }
    return {.shape = Shape::Generic,
            .evidence = {english("The block's results fit no pattern that has a picture of its own.")},
            .buffers = {}};
}

}  // namespace lockstep::explain
