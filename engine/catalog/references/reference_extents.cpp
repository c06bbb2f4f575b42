#include "catalog/references/reference_extents.h"

#include "base/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::catalog {
namespace {

// The product of a buffer's known extents.
struct Product {
    u64 known = 1;
    std::string_view missing = {};  // the unknown one
    u32 power = 0;                  // how often it occurs
    bool hasOthers = false;         // there are several unknown ones
    bool overflows = false;
};

Product productOf(const ReferenceBuffer& buffer, const Extents& extents) {
    Product product;
    for (const std::string_view name : buffer.extents) {
        if (const auto found = extents.find(name); found != extents.end()) {
            product.overflows |= __builtin_mul_overflow(product.known, found->second, &product.known);
        } else if (product.missing.empty() || product.missing == name) {
            product.missing = name;
            ++product.power;
        } else {
            product.hasOthers = true;
        }
    }
    return product;
}

// The integer whose first or second power is `value`; 0: none.
u64 rootOf(u64 value, u32 power) {
    if (power == 1) return value;
    u64 root = u64(std::sqrt(f64(value)));
    while (root * root > value)
        --root;
    while ((root + 1) * (root + 1) <= value)
        ++root;
    return power == 2 && root * root == value ? root : 0;
}

class Solver {
public:
    Solver(const Reference& reference, std::span<const SuppliedBuffer> supplied)
        : reference_(reference), supplied_(supplied) {}

    // Up to two solutions, so that the caller knows whether it is unique.
    std::vector<Extents> solve(const Extents& given) {
        found_.clear();
        search(given);
        return found_;
    }

private:
    // Sets what follows from one buffer alone; false on a contradiction.
    bool propagate(Extents& extents) const {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < supplied_.size(); ++i) {
                const Product product = productOf(reference_.buffers[i], extents);
                const u64 elements = supplied_[i].elements;
                if (product.overflows) return false;
                if (product.missing.empty() || product.hasOthers) continue;
                if (elements % product.known != 0) return false;
                const u64 extent = rootOf(elements / product.known, product.power);
                if (extent == 0) return false;
                extents.emplace(product.missing, extent);
                changed = true;
            }
        }
        return true;
    }

    void search(Extents extents) {
        if (found_.size() > 1 || !propagate(extents)) return;
        for (std::size_t i = 0; i < supplied_.size(); ++i) {
            const Product product = productOf(reference_.buffers[i], extents);
            if (product.missing.empty()) continue;
            if (supplied_[i].elements % product.known != 0) return;
            return tryDivisors(extents, product.missing, supplied_[i].elements / product.known);
        }
        for (std::size_t i = 0; i < supplied_.size(); ++i)
            if (productOf(reference_.buffers[i], extents).known != supplied_[i].elements) return;
        if (std::ranges::find(found_, extents) == found_.end()) found_.push_back(std::move(extents));
    }

    void tryDivisors(const Extents& extents, std::string_view name, u64 value) {
        for (u64 divisor = 1; divisor * divisor <= value && found_.size() < 2; ++divisor) {
            if (value % divisor != 0) continue;
            for (const u64 extent : {divisor, value / divisor}) {
                Extents next = extents;
                next.emplace(name, extent);
                search(std::move(next));
            }
        }
    }

    const Reference& reference_;
    std::span<const SuppliedBuffer> supplied_;
    std::vector<Extents> found_;
};

std::string extentsText(const ReferenceBuffer& buffer, const Extents& extents) {
    std::string names, values;
    for (const std::string_view name : buffer.extents) {
        names += fmt::format("{}{}", names.empty() ? "" : " x ", name);
        values += fmt::format("{}{}", values.empty() ? "" : " x ", extents.find(name)->second);
    }
    return names + " = " + values;
}

// The first buffer that is too short for its extents, as a sentence; empty: none.
Message shortBuffer(const Reference& reference, std::span<const SuppliedBuffer> supplied,
                    const Extents& extents, bool exact) {
    for (std::size_t i = 0; i < supplied.size(); ++i) {
        const ReferenceBuffer& buffer = reference.buffers[i];
        const Product product = productOf(buffer, extents);
        const u64 elements = supplied[i].elements;
        if (!product.overflows && (exact ? product.known == elements : product.known <= elements)) continue;
        if (product.overflows)
            return Message(english("{0} needs too many elements ({1}), but argument {2} has {3}"),
                           buffer.name, extentsText(buffer, extents), supplied[i].argument, elements);
        return Message(english("{0} needs {1} {1:element|elements} ({2}), but argument {3} has {4}"),
                       buffer.name, product.known, extentsText(buffer, extents), supplied[i].argument,
                       elements);
    }
    return {};
}

}  // namespace

std::vector<std::string_view> extentsOf(const Reference& reference) {
    std::vector<std::string_view> names;
    for (const ReferenceBuffer& buffer : reference.buffers)
        for (const std::string_view name : buffer.extents)
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
}

Expected<Extents> solveExtents(const Reference& reference, std::span<const SuppliedBuffer> supplied,
                               const Extents& given) {
    const std::vector<std::string_view> names = extentsOf(reference);
    Extents extents = given;
    CHECK(std::ranges::all_of(given, [](const auto& row) { return row.second > 0; }),
          "extents are read as at least 1");
    const auto refuse = [&](const Message& why) {
        return fail(FaultKind::Usage, Message(english("{0}: {1}"), reference.name, why));
    };
    if (const auto square = extents.find(reference.square);
        !reference.square.empty() && square != extents.end()) {
        const u64 width = square->second;
        extents.erase(square);
        if (!extents.empty())
            return refuse(Message(english("give {0}, or {1}, not both"), reference.square, listed(names)));
        for (const std::string_view name : names)
            extents.emplace(name, width);
    }
    const bool isGiven = extents.size() == names.size();
    if (!isGiven && extents.empty() && !reference.square.empty()) {
        Extents same;
        if (const u64 width = rootOf(supplied.front().elements, 2); width > 0)
            for (const std::string_view name : names)
                same.emplace(name, width);
        if (!same.empty() && shortBuffer(reference, supplied, same, true).empty()) return same;
    }
    if (!isGiven) {
        const std::vector<Extents> solutions = Solver(reference, supplied).solve(extents);
        if (solutions.size() == 1) return solutions.front();
        std::vector<std::string_view> missing;
        for (const std::string_view name : names)
            if (!extents.contains(name)) missing.push_back(name);
        std::vector<Message> lengths;
        for (std::size_t i = 0; i < supplied.size(); ++i)
            lengths.emplace_back(english("{0} has {1}"), reference.buffers[i].name, supplied[i].elements);
        const bool hasSquare = !reference.square.empty() && missing.size() == names.size();
        const Message whole =
            hasSquare ? Message(english("{0}, or {1}"), reference.square, listed(missing)) : listed(missing);
        return refuse(
            missing.size() == 1
                ? Message(
                      english("{0} does not follow from the buffers ({1} {1:element|elements}): give {2}"),
                      listed(missing), lockstep::listed(lengths), whole)
                : Message(english("{0} do not follow from the buffers ({1} {1:element|elements}): give {2}"),
                          listed(missing), lockstep::listed(lengths), whole));
    }
    if (const Message wrong = shortBuffer(reference, supplied, extents, false); !wrong.empty())
        return refuse(Message(english("{0}; give other values, or a longer buffer"), wrong));
    return extents;
}

Message listed(std::span<const std::string_view> names) {
    std::vector<Message> parts;
    for (const std::string_view name : names)
        parts.push_back(Message::plain(std::string(name)));
    return lockstep::listed(parts);
}

Message namesTaken(const Reference& reference) {
    std::vector<std::string_view> names;
    for (const ReferenceBuffer& buffer : reference.buffers)
        names.push_back(buffer.name);
    const std::vector<std::string_view> extents = extentsOf(reference);
    if (reference.square.empty())
        names.insert(names.end(), extents.begin(), extents.end());
    else
        names.push_back(reference.square);
    for (const ReferenceParameter& parameter : reference.parameters)
        names.push_back(parameter.name);
    if (reference.square.empty()) return listed(names);
    return Message(english("{0} (or {1})"), listed(names), listed(extents));
}

}  // namespace lockstep::catalog
