#include "explain/folds.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace lockstep::explain {
namespace {

using Id = ValueGraph::Id;
using Kind = ValueGraph::Kind;

bool isMade(const ValueGraph& graph, Id id) { return graph.node(id).kind == Kind::Made; }

// The one input that memory is behind; none: there are several.
std::optional<Id> onlyInput(const ValueGraph& graph, Id id) {
    std::optional<Id> only;
    for (const Id input : graph.inputsOf(id)) {
        if (isMade(graph, input)) continue;
        if (only) return std::nullopt;
        only = input;
    }
    return only;
}

std::optional<Kind> foldedBy(Kind kind) {
    switch (kind) {
        case Kind::Add:
        case Kind::Subtract:
        case Kind::MultiplyAdd:
        case Kind::Multiply: return Kind::Add;
        case Kind::Least:
        case Kind::Most:
        case Kind::Bits:
        case Kind::Choice: return kind;
        default: return std::nullopt;
    }
}

class Flattener {
public:
    Flattener(const ValueGraph& graph, Kind kind, std::size_t most) : graph_(graph), most_(most) {
        fold_.kind = kind;
    }

    std::optional<Fold> flatten(Id root) {
        std::size_t seen = 0;
        open_.push_back({root, false});
        while (!open_.empty()) {
            if (++seen > most_) return std::nullopt;
            const auto [at, isNegative] = open_.back();
            open_.pop_back();
            const Id id = peeled(graph_, at);
            if (!isMade(graph_, id)) take(id, isNegative);
        }
        if (fold_.subtracts()) cancel();
        return std::move(fold_);
    }

private:
    struct Open {
        Id id = 0;
        bool isNegative = false;
    };
    void take(Id id, bool isNegative) {
        const ValueGraph::Node& node = graph_.node(id);
        const std::span<const Id> inputs = graph_.inputsOf(id);
        const bool isSum = fold_.kind == Kind::Add;
        if (isSum && node.kind == Kind::Subtract && inputs.size() == 2) {
            note(node);
            open_.push_back({inputs[0], isNegative});
            open_.push_back({inputs[1], !isNegative});
        } else if (isSum && node.kind == Kind::Add) {
            open(node, inputs, isNegative);
        } else if (isSum && node.kind == Kind::MultiplyAdd && inputs.size() == 3) {
            multiply(node, inputs, isNegative);
        } else if (isSum && node.kind == Kind::Multiply && inputs.size() == 2) {
            fold_.terms.push_back({peeled(graph_, inputs[0]), peeled(graph_, inputs[1]), isNegative});
        } else if (!isSum && node.kind == fold_.kind) {
            open(node,
                 node.kind == Kind::Choice ? inputs.first(std::min<std::size_t>(2, inputs.size())) : inputs,
                 false);
        } else {
            fold_.terms.push_back({id, {}, isNegative});
        }
    }
    void note(const ValueGraph::Node& node) {
        fold_.threads.insert(node.warp.value * kWarpSize + node.lane.value);
    }
    void open(const ValueGraph::Node& node, std::span<const Id> inputs, bool isNegative) {
        note(node);
        for (const Id input : inputs)
            open_.push_back({input, isNegative});
    }
    void multiply(const ValueGraph::Node& node, std::span<const Id> inputs, bool isNegative) {
        const Id a = inputs[0], b = inputs[1], rest = inputs[2];
        if (isMade(graph_, a) || isMade(graph_, b))
            fold_.isScaled = true, open_.push_back({isMade(graph_, a) ? b : a, isNegative});
        else
            fold_.terms.push_back({peeled(graph_, a), peeled(graph_, b), isNegative});
        if (isMade(graph_, rest)) return;
        note(node);
        open_.push_back({rest, isNegative});
    }
    void cancel() {
        std::map<std::pair<Id, std::optional<Id>>, s64> balance;
        for (const Term& term : fold_.terms)
            balance[{term.first, term.second}] += term.isNegative ? -1 : 1;
        fold_.terms.clear();
        for (const auto& [factors, times] : balance)
            for (s64 i = 0; i < std::abs(times); ++i)
                fold_.terms.push_back({factors.first, factors.second, times < 0});
    }

    const ValueGraph& graph_;
    std::size_t most_;
    Fold fold_;
    std::vector<Open> open_;
};

}  // namespace

bool Fold::subtracts() const { return std::ranges::any_of(terms, &Term::isNegative); }

Id peeled(const ValueGraph& graph, Id id) {
    while (true) {
        const Kind kind = graph.node(id).kind;
        const bool isThrough = kind == Kind::Convert || kind == Kind::Add || kind == Kind::Subtract ||
                               kind == Kind::Multiply || kind == Kind::MultiplyAdd || kind == Kind::Divide;
        const std::optional<Id> input = isThrough ? onlyInput(graph, id) : std::nullopt;
        if (!input || (kind == Kind::Divide && graph.inputsOf(id).front() != *input)) return id;
        id = *input;
    }
}

std::optional<Fold> foldOf(const ValueGraph& graph, Id id, std::size_t most) {
    Id root = peeled(graph, id);
    // What is done to the result at the end: a root, an upper bound, an activation.
    for (auto input = onlyInput(graph, root); input && graph.node(root).kind != Kind::Element;
         input = onlyInput(graph, root))
        root = peeled(graph, *input);
    const std::optional<Kind> kind = foldedBy(graph.node(root).kind);
    return kind ? Flattener(graph, *kind, most).flatten(root) : std::nullopt;
}

}  // namespace lockstep::explain
