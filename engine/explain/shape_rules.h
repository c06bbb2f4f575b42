// What the rules of the shapes (explain/shape.h) look at, and the rules: one row each in shape.cpp.
#pragma once

#include "explain/folds.h"
#include "explain/shape.h"

#include <map>
#include <optional>
#include <vector>

namespace lockstep::explain {

// What a block leaves in a buffer.
struct Output {
    ValueGraph::Cell cell;
    ValueGraph::Id value = 0;
    ThreadStep at;
    trace::AccessKind kind = trace::AccessKind::Store;
    bool isPlacedByData = false;  // what memory holds decides where it goes
};

class BlockValues {
public:
    BlockValues(const ptx::Module& module, std::span<const Buffer> buffers, const trace::FocusBlock& block,
                const BlockFlow& flow);

    ValueGraph graph;
    // Of each element the last value that is stored there, and all that atomics add: of a large block some.
    std::vector<Output> outputs;
    bool isSteered =
        false;  // what memory holds decides which way threads take, or which of two values they keep

    const Fold* foldOf(const Output& output) const;  // of one of `outputs`
    const std::vector<ValueGraph::Cell>& elementsBehind(const Output& output) const;
    bool isMoved(const Output& output) const {
        return graph.node(output.value).kind == ValueGraph::Kind::Element;
    }
    bool isMade(const Output& output) const {
        return graph.node(output.value).kind == ValueGraph::Kind::Made;
    }
    // Columns that the buffer's shape gives it; none: it is flat.
    std::optional<u64> columnsOf(u32 buffer) const;
    ShapedBuffer shaped(u32 buffer, std::optional<u64> columns = {}) const;

private:
    void gather();
    void findDataDependence();
    // Worked out when they are asked for; the same value is often stored several times.
    mutable std::map<ValueGraph::Id, std::optional<Fold>> folds_;
    mutable std::map<ValueGraph::Id, std::vector<ValueGraph::Cell>> behind_;
    mutable std::size_t room_ = 4'000'000;  // nodes that may still be looked at
};

// Each: none where the block does not have this shape.
std::optional<ProvedShape> provedMatmul(const BlockValues& values);
std::optional<ProvedShape> provedTranspose(const BlockValues& values);
std::optional<ProvedShape> provedCopy(const BlockValues& values);
std::optional<ProvedShape> provedTree(const BlockValues& values);
std::optional<ProvedShape> provedScan(const BlockValues& values);
std::optional<ProvedShape> provedStencil(const BlockValues& values);
std::optional<ProvedShape> provedHistogram(const BlockValues& values);
std::optional<ProvedShape> provedDivergence(const BlockValues& values);

// Whether so many of all are enough for a rule: a kernel with a mistake in it keeps its shape.
constexpr bool isMost(std::size_t some, std::size_t all) { return all > 0 && 4 * some >= 3 * all; }

}  // namespace lockstep::explain
