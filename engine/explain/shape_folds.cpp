// Reduction trees and scans: many elements put together by several threads.
#include "base/text/counted.h"
#include "explain/shape_rules.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

using Kind = ValueGraph::Kind;

// The elements of one buffer that a fold takes, each as it is; none: it takes others.
struct Range {
    u32 buffer = 0;
    s64 first = 0, last = 0;
};
std::optional<Range> rangeOf(const ValueGraph& graph, const Fold& fold) {
    std::set<s64> elements;
    std::optional<u32> buffer;
    for (const Term& term : fold.terms) {
        const ValueGraph::Node& node = graph.node(term.first);
        if (term.second || node.kind != Kind::Element || (buffer && *buffer != node.buffer))
            return std::nullopt;
        buffer = node.buffer;
        elements.insert(node.element);
    }
    if (elements.empty() || s64(elements.size()) != *elements.rbegin() - *elements.begin() + 1)
        return std::nullopt;
    return Range{*buffer, *elements.begin(), *elements.rbegin()};
}

struct Prefix {
    Range range;
    ValueGraph::Cell to;
    std::size_t threads = 0;
};
// Of all outputs that are made of consecutive elements.
std::vector<Prefix> prefixesOf(const BlockValues& values) {
    std::vector<Prefix> prefixes;
    for (const Output& output : values.outputs) {
        if (values.isMoved(output)) {
            const ValueGraph::Node& node = values.graph.node(output.value);
            prefixes.push_back({{node.buffer, node.element, node.element}, output.cell, 0});
        } else if (const Fold* fold = values.foldOf(output)) {
            if (const auto range = rangeOf(values.graph, *fold))
                prefixes.push_back({*range, output.cell, fold->threads.size()});
        }
    }
    return prefixes;
}

// In order, each as often as the fold takes it.
std::vector<ValueGraph::Id> factorsOf(const Fold& fold) {
    std::vector<ValueGraph::Id> factors;
    factors.reserve(fold.terms.size());
    for (const Term& term : fold.terms)
        factors.push_back(term.first);
    std::ranges::sort(factors);
    return factors;
}

// A tree's results add up: none takes anything off, and each takes what the one before it takes, or what no
// other does. They do not overlap in part, as the windows of a sliding sum do, nor weigh the same elements in
// another way, as those of a transform do. Looked at in results of about the largest one's size, and not all
// of many.
bool areApart(const BlockValues& values, const Fold& largest) {
    constexpr std::size_t kMost = 64;
    std::vector<ValueGraph::Id> before;
    std::size_t looked = 0, others = 0;
    for (const Output& output : values.outputs) {
        const Fold* fold = values.foldOf(output);
        if (!fold || 2 * fold->terms.size() < largest.terms.size()) continue;
        std::vector<ValueGraph::Id> factors = factorsOf(*fold);
        const bool isSame = factors == before && !fold->isScaled;
        const bool overlaps = std::ranges::any_of(
            factors, [&](ValueGraph::Id id) { return std::ranges::binary_search(before, id); });
        others += fold->subtracts() || (overlaps && !isSame);
        before = std::move(factors);
        if (++looked == kMost) break;
    }
    return 2 * others <= looked;
}

}  // namespace

std::optional<ProvedShape> provedScan(const BlockValues& values) {
    // By where they begin, and how far behind its place a prefix ends: the largest such group is the scan.
    std::map<std::tuple<u32, u32, s64, s64>, std::vector<Prefix>> groups;
    for (const Prefix& prefix : prefixesOf(values))
        groups[{prefix.range.buffer, prefix.to.buffer, prefix.range.first,
                prefix.to.element - prefix.range.last}]
            .push_back(prefix);
    // Segments, as of warps, lie equally far from their places.
    std::map<std::tuple<u32, u32, s64>, std::vector<Prefix>> scans;
    for (const auto& [key, group] : groups)
        if (group.size() >= 3) {
            const auto [from, to, first, distance] = key;
            auto& scan = scans[{from, to, distance}];
            scan.insert(scan.end(), group.begin(), group.end());
        }
    const auto most = std::ranges::max_element(scans, {}, [](const auto& s) { return s.second.size(); });
    if (most == scans.end()) return std::nullopt;
    const std::vector<Prefix>& scan = most->second;
    const std::size_t candidates =
        values.outputs.size() -
        std::size_t(std::ranges::count_if(values.outputs, [&](const Output& o) { return values.isMade(o); }));
    const bool isShared = std::ranges::any_of(scan, [](const Prefix& p) { return p.threads > 1; });
    if (!isShared || 2 * scan.size() < candidates) return std::nullopt;
    const auto [from, to, distance] = most->first;
    const std::string &source = values.graph.buffers()[from].name, &target = values.graph.buffers()[to].name;
    return ProvedShape{
        .shape = Shape::Scan,
        .evidence =
            {distance == 0
                 ? Message(english("Element i of {0} combines the elements of {1} up to and including i."),
                           target, source)
                 : Message(english("Element i of {0} combines the elements of {1} before i."), target,
                           source),
             Message(english("{0} of {1} match."), grouped(scan.size()), grouped(candidates))},
        .buffers = {values.shaped(from), values.shaped(to)}};
}

std::optional<ProvedShape> provedTree(const BlockValues& values) {
    constexpr std::size_t kLeastTerms = 8, kLeastThreads = 2;
    const Output* largest = nullptr;
    const Fold* fold = nullptr;
    for (const Output& output : values.outputs)
        if (const Fold* one = values.foldOf(output); one && (!fold || one->terms.size() > fold->terms.size()))
            largest = &output, fold = one;
    if (!fold || fold->terms.size() < kLeastTerms || fold->threads.size() < kLeastThreads ||
        !areApart(values, *fold))
        return std::nullopt;
    ProvedShape proved{
        .shape = Shape::Tree,
        .evidence = {Message(english("{0} {0:thread|threads} combine {1} values into {2}[{3}]."),
                             grouped(fold->threads.size()), grouped(fold->terms.size()),
                             values.graph.buffers()[largest->cell.buffer].name, largest->cell.element)},
        .buffers = {}};
    for (const Term& term : fold->terms)
        if (const ValueGraph::Node& node = values.graph.node(term.first); node.kind == Kind::Element) {
            proved.buffers = {values.shaped(node.buffer), values.shaped(largest->cell.buffer)};
            break;
        }
    return proved;
}

}  // namespace lockstep::explain
