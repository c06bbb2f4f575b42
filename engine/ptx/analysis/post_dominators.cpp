// Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979), on the reversed graph
// with one exit added: the variant with path compression, O(m log n) whatever the text looks like.
#include "ptx/analysis/post_dominators.h"

#include <algorithm>

namespace lockstep::ptx {
namespace {

constexpr u32 kNone = 0xffffffffu;

// Edges of a graph in one array, grouped by the node they start from.
struct Edges {
    std::vector<u32> begin, to;
    std::span<const u32> of(u32 node) const {
        return {to.data() + begin[node], begin[node + 1] - begin[node]};
    }
};

Edges predecessorsOf(const std::vector<BasicBlock>& blocks) {
    Edges edges;
    edges.begin.assign(blocks.size() + 1, 0);
    for (const BasicBlock& block : blocks)
        for (u32 s : block.successors)
            ++edges.begin[s + 1];
    for (std::size_t i = 0; i < blocks.size(); ++i)
        edges.begin[i + 1] += edges.begin[i];
    edges.to.resize(edges.begin.back());
    std::vector<u32> next(edges.begin.begin(), edges.begin.end() - 1);
    for (u32 b = 0; b < blocks.size(); ++b)
        for (u32 s : blocks[b].successors)
            edges.to[next[s]++] = b;
    return edges;
}

// A branch backwards (to a block that leads to it), found by depth-first search.
struct BackEdge {
    u32 from, headerOrder;  // order in which the search met the loop's first block
};

// Of the blocks not marked, in search order: outer loops before the loops within them.
std::vector<BackEdge> backEdges(const std::vector<BasicBlock>& blocks, const std::vector<u32>& marked) {
    std::vector<u32> order(blocks.size(), kNone), next(blocks.size(), 0);
    std::vector<bool> open(blocks.size());
    std::vector<BackEdge> found;
    std::vector<u32> stack;
    u32 count = 0;
    for (u32 start = 0; start < blocks.size(); ++start) {
        if (marked[start] != kNone || order[start] != kNone) continue;
        stack.push_back(start);
        while (!stack.empty()) {
            const u32 b = stack.back();
            if (order[b] == kNone) {
                order[b] = count++;
                open[b] = true;
            }
            if (next[b] == blocks[b].successors.size()) {
                open[b] = false;
                stack.pop_back();
                continue;
            }
            const u32 s = blocks[b].successors[next[b]++];
            if (order[s] == kNone)
                stack.push_back(s);
            else if (open[s])
                found.push_back({b, order[s]});
        }
    }
    std::ranges::sort(found, [](const BackEdge& a, const BackEdge& b) {
        return a.headerOrder != b.headerOrder ? a.headerOrder < b.headerOrder : a.from > b.from;
    });
    return found;
}

class PostDominators {
public:
    PostDominators(std::vector<BasicBlock>& blocks, const std::vector<bool>& leaves)
        : blocks_(blocks),
          exit_(u32(blocks.size())),
          predecessors_(predecessorsOf(blocks)),
          number_(blocks.size() + 1, kNone),
          leadsToExit_(leaves) {}

    void compute() {
        visit(exit_, kNone);
        for (u32 b = 0; b < exit_; ++b)
            if (leadsToExit_[b]) search(b);
        if (order_.size() <= exit_) {
            for (const BackEdge& edge : backEdges(blocks_, number_)) {
                if (number_[edge.from] != kNone) continue;
                leadsToExit_[edge.from] = true;
                search(edge.from);
            }
        }
        solve();
    }

private:
    // Nodes are numbered in the order of a depth-first search over the reversed graph; from here on they are
    // their numbers.
    void visit(u32 node, u32 parent) {
        number_[node] = u32(order_.size());
        order_.push_back(node);
        parent_.push_back(parent);
    }
    void search(u32 start) {
        if (number_[start] != kNone) return;
        struct Open {
            u32 node, next;
        };
        std::vector<Open> stack{{start, 0}};
        visit(start, 0);
        while (!stack.empty()) {
            Open& top = stack.back();
            const std::span<const u32> before = predecessors_.of(top.node);
            if (top.next == before.size()) {
                stack.pop_back();
                continue;
            }
            const u32 node = before[top.next++];
            if (number_[node] != kNone) continue;
            visit(node, number_[top.node]);
            stack.push_back({node, 0});
        }
    }

    void solve() {
        const u32 count = u32(order_.size());
        semi_.resize(count);
        for (u32 n = 0; n < count; ++n)
            semi_[n] = n;
        best_ = semi_;
        ancestor_.assign(count, kNone);
        std::vector<u32> dominator(count, 0), firstOf(count, kNone),
            nextOf(count, kNone);  // lists of nodes by semidominator

        for (u32 n = count; n-- > 1;) {
            const u32 block = order_[n];
            auto relax = [&](u32 v) { semi_[n] = std::min(semi_[n], semi_[evaluate(v)]); };
            for (u32 s : blocks_[block].successors)
                relax(number_[s]);
            if (leadsToExit_[block]) relax(0);
            nextOf[n] = firstOf[semi_[n]];
            firstOf[semi_[n]] = n;
            ancestor_[n] = parent_[n];
            for (u32& v = firstOf[parent_[n]]; v != kNone; v = nextOf[v]) {
                const u32 u = evaluate(v);
                dominator[v] = semi_[u] < semi_[v] ? u : parent_[n];
            }
        }
        for (u32 n = 1; n < count; ++n) {
            if (dominator[n] != semi_[n]) dominator[n] = dominator[dominator[n]];
            blocks_[order_[n]].immediatePostDominator =
                dominator[n] == 0 ? BasicBlock::kExit : order_[dominator[n]];
        }
    }

    // The node with the least semidominator on the path from v up to the root of its tree, the path shortened
    // on the way.
    u32 evaluate(u32 v) {
        if (ancestor_[v] == kNone) return v;
        path_.clear();
        for (u32 u = v; ancestor_[ancestor_[u]] != kNone; u = ancestor_[u])
            path_.push_back(u);
        while (!path_.empty()) {
            const u32 u = path_.back(), above = ancestor_[u];
            path_.pop_back();
            if (semi_[best_[above]] < semi_[best_[u]]) best_[u] = best_[above];
            ancestor_[u] = ancestor_[above];
        }
        return best_[v];
    }

    std::vector<BasicBlock>& blocks_;
    u32 exit_;  // its number is 0
    Edges predecessors_;
    std::vector<u32> number_;  // of each block; kNone: not reached yet
    std::vector<bool> leadsToExit_;
    std::vector<u32> order_, parent_;  // block of each number; its parent's number in the search tree
    std::vector<u32> semi_, best_, ancestor_, path_;
};

}  // namespace

void computePostDominators(std::vector<BasicBlock>& blocks, const std::vector<bool>& leaves) {
    PostDominators(blocks, leaves).compute();
}

}  // namespace lockstep::ptx
