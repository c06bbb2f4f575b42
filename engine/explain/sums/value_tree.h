// Values as trees of one operation, each node with the thread and the step that make it: what a thread puts
// together by itself, what it takes from others, and how it comes by it.
#pragma once

#include "explain/block_flow.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockstep::explain {

class ValueTree {
public:
    using Id = u32;
    enum class Kind : u8 {
        Made,      // of the kernel's own numbers
        Unknown,   // the record does not tell
        Loaded,    // from global memory
        Other,     // made by another operation: a product of which a sum is made
        Combined,  // of two values or three
        Moved,     // taken over from shared memory, to be combined with what a shuffle brings
    };
    struct Node {
        Kind kind = Kind::Unknown;
        ThreadStep at{};
        u8 element = 0;     // Loaded: of a vector
        u64 address = 0;    // the same
        ThreadStep read{};  // Made: which step wrote the register that holds it; at: whose it was
        u32 round = 0;      // nought: the thread made it by itself; else one more than what it is made of
        u32 count = 1;      // leaves that the thread has put together by itself
        u8 inputs = 0;
        std::array<Id, 3> input{};
    };

    // All three stay the caller's.
    ValueTree(const ptx::Module& module, const trace::FocusBlock& block, const BlockFlow& flow);

    // The operation is that of the first value that is made of two.
    Id of(const Origin& value);
    bool isSum() const { return !group_ || group_ == Group::Sum; }
    const Node& node(Id id) const { return nodes_[id]; }
    std::span<const Id> inputsOf(Id id) const { return std::span(nodes_[id].input).first(nodes_[id].inputs); }
    u32 countOf(Id id) const { return nodes_[id].count; }

    // Of a value that a thread made by itself: the first leaf, the values on the way, and each leaf with the
    // step that takes it and the value that stands then.
    std::optional<Id> firstLeaf(Id id) const;
    std::vector<Id> ownSteps(Id id) const;
    struct Taken {
        Id leaf = 0;
        ThreadStep at;
        Id sum = 0;
    };
    std::vector<Taken> takenBy(Id id) const;

    // Whose value an instruction's lane combines with its own, used or not: by a shuffle, which may bring the
    // lane's own, or from shared memory.
    std::optional<u32> otherThread(ThreadStep at) const;

private:
    enum class Group : u8 { Sum, Product, Least, Most, Bits, Choice };
    static std::optional<Group> groupOf(std::string_view opcode);
    std::string_view opcodeAt(ThreadStep at) const;
    std::optional<Group> groupBehind(Origin origin) const;
    std::optional<Id> known(const Origin& origin) const;
    void addSources(const Origin& origin, std::vector<Origin>& sources) const;
    Id make(const Origin& origin, std::span<const Id> inputs);
    Id leaf(Kind kind, ThreadStep at, u8 element, u64 address);

    // How an operand came by its value.
    struct Carrier {
        std::optional<u32> shuffledFrom;     // thread
        std::optional<ThreadStep> loadedBy;  // from shared memory, behind the shuffle if there is one
        std::optional<u32> leftBy;           // there: thread
        // Of whom the lane has it.
        u32 threadOr(u32 own) const { return shuffledFrom ? *shuffledFrom : leftBy.value_or(own); }
    };
    std::optional<u32> onlyLive(ThreadStep at) const;  // operand: the others are the kernel's own numbers
    Carrier carrierOf(ThreadStep at, u32 operand) const;
    struct Operand {
        Id id = 0;
        u32 number = 0;
    };
    Id combine(ThreadStep at, std::span<const Operand> operands);
    std::optional<Id> combineWithMade(ThreadStep at, std::span<const Id> inputs);
    Id moved(ThreadStep load, Id what);

    const ptx::Module& module_;
    const trace::FocusBlock& block_;
    const BlockFlow& flow_;
    std::optional<Group> group_;
    std::vector<Node> nodes_;
    std::unordered_map<u64, Id> made_;           // by thread, step and element
    std::unordered_map<u64, Id> moved_;          // by thread and step of the load
    std::unordered_map<Id, ThreadStep> passed_;  // of leaves: added to nothing else, as to a sum of 0
};

}  // namespace lockstep::explain
