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

// Evaluates a bound tree any number of times; keeps the first error.
class Evaluator {
public:
    explicit Evaluator(const ExpressionTree& tree, std::span<const Buffer> buffers = {},
                       const std::atomic<bool>* cancelled = nullptr)
        : tree_(tree), buffers_(buffers), cancelled_(cancelled) {}

    s64 whole() { return whole(tree_.root); }
    // Element i of `out`, whose index is in `variables`. An element that is only copied keeps its bits; an
    // integer wraps to the element's type; a real number is rounded to it.
    void write(Buffer& out, u64 i);

    std::array<s64, kSlots> variables{};
    std::vector<std::string> knownNames;  // for "did you mean" if a name is unknown
    const std::optional<Fault>& fault() const { return fault_; }
    // Polled, in long sums too. Once set, nothing more is computed.
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
    u32 steps_ = 0;  // since cancelled_ was last checked
};

}  // namespace lockstep::catalog
