// What the values of a block were computed from, as a graph: back through registers, shuffles, shared memory
// and other threads to the elements of buffers. An element that several threads load is one node.
#pragma once

#include "base/buffer.h"
#include "explain/block_flow.h"

#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace lockstep::explain {

class ValueGraph {
public:
    using Id = u32;
    enum class Kind : u8 {
        Element,  // of a buffer, as it was before the block wrote it
        Made,  // no memory is behind it: immediates, parameters, coordinates and what is made of them alone
        Add,   // of two or three
        Subtract,     // the second from the first
        Multiply,     // of two
        MultiplyAdd,  // the first times the second, and the third
        Divide,       // the first by the second
        Least,
        Most,
        Bits,      // and, or, xor
        Choice,    // of the first or the second, as the third says
        Convert,   // to another type, with another sign, or as a part of itself
        Function,  // anything else
        Unknown,   // the record does not tell
    };
    struct Node {
        Kind kind = Kind::Unknown;
        u32 buffer = 0;   // Element
        s64 element = 0;  // in that buffer, which it may lie outside of
        u32 inputs = 0;   // how many, and where they begin in the graph's list
        u32 first = 0;
        Warp warp{};  // of the thread that computed it
        Lane lane{};
    };

    // All three stay the caller's.
    ValueGraph(const ptx::Module& module, std::span<const Buffer> buffers, const trace::FocusBlock& block,
               const BlockFlow& flow);

    // Of what a store or an atomic writes: of these bytes of the lane's access. Unknown where the graph
    // becomes too large.
    Id stored(ThreadStep store, u32 firstByte, u32 bytes);
    const Node& node(Id id) const { return nodes_[id]; }
    std::size_t size() const { return nodes_.size(); }
    std::span<const Id> inputsOf(Id id) const {
        return std::span(inputs_).subspan(nodes_[id].first, nodes_[id].inputs);
    }

    // Whether what memory holds decides at which address the lane's access goes: asked once of each
    // instruction, where it comes first.
    bool isPlacedByData(ThreadStep access) const;
    // Whether that holds of a load from this buffer, among those that the values asked for come from.
    bool isGathered(u32 buffer) const { return gathered_.contains(buffer); }
    // What an access touches. None: it is in no buffer of the run.
    struct Cell {
        u32 buffer = 0;
        s64 element = 0;
        bool operator==(const Cell&) const = default;
        auto operator<=>(const Cell&) const = default;
    };
    std::optional<Cell> cellAt(u64 address) const;

    // The elements that a value is made of, each once, ascending. Empty: none, or more than `most` nodes had
    // to be looked at.
    std::vector<Cell> elementsBehind(Id id, std::size_t most) const;

    const ptx::Module& module() const { return module_; }
    const trace::FocusBlock& block() const { return block_; }
    const BlockFlow& flow() const { return flow_; }
    std::span<const Buffer> buffers() const { return buffers_; }

private:
    // From keys to nodes, by open addressing: millions are looked up again and again.
    class Ids {
    public:
        std::optional<Id> find(u64 key) const;
        void insert(u64 key, Id id);  // which it does not have

    private:
        static constexpr u64 kNone = ~u64{0};  // no thread has that many steps
        struct Entry {
            u64 key = kNone;
            Id id = 0;
        };
        std::size_t placeOf(u64 key) const;  // its own, or the free one where it belongs

        std::vector<Entry> entries_ = std::vector<Entry>(1024);  // a power of two, at most half of it in use
        std::size_t used_ = 0;
    };

    Id of(const Origin& origin);
    std::optional<Id> known(const Origin& origin) const;
    void addSources(const Origin& origin, std::vector<Origin>& sources) const;
    Id make(const Origin& origin, std::span<const Id> inputs);
    Id elementOf(ThreadStep load, u64 address);
    Id add(Node node, std::span<const Id> inputs);

    const ptx::Module& module_;
    std::span<const Buffer> buffers_;
    const trace::FocusBlock& block_;
    const BlockFlow& flow_;
    std::vector<Node> nodes_;
    std::vector<Id> inputs_;
    Ids made_;                                  // by thread, step and element
    std::unordered_map<u64, Id> elements_;      // by address
    mutable std::map<u32, bool> placedByData_;  // by pc
    std::set<u32> gathered_;                    // buffers
};

}  // namespace lockstep::explain
