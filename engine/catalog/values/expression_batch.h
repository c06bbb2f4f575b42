// The values of an expression for many elements at once: each node of the tree is computed for a whole batch
// of lanes, an element each, before the next. Bit for bit what an Evaluator gives them one after another.
#pragma once

#include "catalog/values/expression_tree.h"

#include <array>
#include <atomic>
#include <deque>
#include <span>
#include <type_traits>
#include <vector>

namespace lockstep::catalog {

class BatchEvaluator {
public:
    static constexpr u32 kLanes = 256;

    BatchEvaluator(const ExpressionTree& tree, std::span<const Buffer> buffers,
                   const std::atomic<bool>* cancelled);

    // Elements [begin, begin + count) of `out`, at most kLanes, of rows of so many columns. False: it was
    // canceled, or something is unusual, maybe an element that cannot be computed: ask an Evaluator.
    bool write(Buffer& out, s64 begin, u32 count, s64 columns);

private:
    // A value of each lane: a straight line, or a list.
    template <class T> struct Column {
        T base = 0, step = 0;  // if it is a straight line; the step of reals is 0
        const T* list = nullptr;
        bool isUniform() const { return !list && step == 0; }
        T at(u32 lane) const {
            if (list) return list[lane];
            if constexpr (std::is_same_v<T, s64>)
                return base + step * s64(lane);
            else
                return base;  // -0.0 + 0.0 is another number
        }
    };
    struct Lanes {
        u32 count = 0;
        std::array<Column<s64>, kSlots> variables{};
    };
    template <class T> using List = std::array<T, kLanes>;
    template <class T> class Room;
    class Chosen;
    using Slots = u32;  // a bit for each

    // `room`, of a lane each, may hold the result.
    Column<s64> whole(u32 index, const Lanes& lanes, s64* room);
    Column<f64> real(u32 index, const Lanes& lanes, f64* room);
    Column<s64> truth(u32 index, const Lanes& lanes, s64* room);
    template <class T> Column<T> value(u32 index, const Lanes& lanes, T* room);

    Column<s64> wholeOperation(const Node& node, const Lanes& lanes, s64* room);
    Column<f64> realOperation(const Node& node, const Lanes& lanes, f64* room);
    Column<s64> both(const Node& node, const Lanes& lanes, s64* room);
    template <class T> Column<T> choice(const Node& node, const Lanes& lanes, T* room);
    template <class T> Column<T> element(const Node& node, const Lanes& lanes, T* room);
    template <class T> Column<T> sum(const Node& node, const Lanes& lanes, T* room);
    template <class T> void sumOfLane(const Node& node, const Lanes& lanes, u32 lane, s64 count, T& total);
    template <class T>
    void sumOfSteps(const Node& node, const Lanes& lanes, const Column<s64>& counts, s64 longest, T* totals);

    // Which element of the node's buffer each lane asks for; fails if there is no such element.
    Column<s64> indices(const Node& node, const Lanes& lanes, s64* room);
    void write(u32 index, const Lanes& lanes, Buffer& out);
    bool failed() { return isFailed_ || (isFailed_ = cancelled_ && *cancelled_); }
    template <class T = s64> Column<T> fail() { return isFailed_ = true, Column<T>{}; }

    const ExpressionTree& tree_;
    std::span<const Buffer> buffers_;
    const std::atomic<bool>* cancelled_;
    std::vector<Slots> slots_;  // the variables below each node
    bool isFailed_ = false;
    // Lists in use and for use again.
    template <class T> struct Lists {
        std::deque<List<T>> all;
        std::size_t used = 0;
    };
    Lists<s64> wholes_;
    Lists<f64> reals_;
};

}  // namespace lockstep::catalog
