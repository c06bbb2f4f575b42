// The value of an expression, and of every element of a result.
#pragma once

#include "catalog/values/expression_tree.h"

#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::catalog {

// Evaluates a bound tree as often as it is asked to; keeps the first thing that goes wrong.
class Evaluator {
public:
    explicit Evaluator(const ExpressionTree& tree, std::span<const Buffer> buffers = {},
                       const std::atomic<bool>* cancelled = nullptr)
        : tree_(tree), buffers_(buffers), cancelled_(cancelled) {}

    s64 whole() { return whole(tree_.root); }
    // Element i of `out`, whose place is in `variables`. An element that is only moved keeps its bits; a
    // whole number wraps around to the element's type; a real one is rounded to it.
    void write(Buffer& out, u64 i);

    std::array<s64, kSlots> variables{};
    std::vector<std::string> knownNames;  // for "did you mean" where a name has no meaning
    const std::optional<Fault>& fault() const { return fault_; }
    // Looked at now and then, in long sums too. Nothing is computed from then on.
    bool isCancelled() const { return isCancelled_; }

private:
    s64 whole(u32 index);
    f64 real(u32 index);
    bool isTrue(u32 index);
    std::optional<u64> elementOf(const Node& node);
    template <class T> T sum(const Node& node, T (Evaluator::*term)(u32));
    bool goesOn();
    s64 complain(const Node& node, const Message& what);

    const ExpressionTree& tree_;
    std::span<const Buffer> buffers_;
    const std::atomic<bool>* cancelled_;
    std::optional<Fault> fault_;
    bool isCancelled_ = false;
    u32 steps_ = 0;  // since cancelled_ was last looked at
};

}  // namespace lockstep::catalog
