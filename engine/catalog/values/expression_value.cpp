#include "catalog/values/expression_value.h"

#include "base/nearest.h"
#include "catalog/values/element_access.h"

#include <cstring>
#include <type_traits>

namespace lockstep::catalog {
namespace {

constexpr u32 kStepsPerLook = 4096;

}  // namespace

void Evaluator::write(Buffer& out, u64 i) {
    if (!goesOn()) return;
    u32 index = tree_.root;
    while (tree_.nodes[index].kind == Node::Kind::Choice)
        index = isTrue(tree_.nodes[index].a) ? tree_.nodes[index].b : tree_.nodes[index].c;
    const Node& node = tree_.nodes[index];
    if (node.kind == Node::Kind::Element && buffers_[node.index].type == out.type) {
        const u32 width = info(out.type).bytes;
        if (const std::optional<u64> from = elementOf(node))
            std::memcpy(out.bytes.data() + i * width, buffers_[node.index].bytes.data() + *from * width,
                        width);
    } else if (isReal(out.type)) {
        withRealPlaces(out, [&](const auto& store) { store(i, real(index)); });
    } else {
        withWholePlaces(out, [&](const auto& store) { store(i, whole(index)); });
    }
}

s64 Evaluator::whole(u32 index) {
    const Node& node = tree_.nodes[index];
    switch (node.kind) {
        case Node::Kind::Number: return node.number;
        case Node::Kind::Variable: return variables[node.index];
        case Node::Kind::Name:
            return complain(node, Message(english("there is no parameter '{0}'{1}"), tree_.names[node.index],
                                          didYouMean(tree_.names[node.index], knownNames)));
        case Node::Kind::Not: return !isTrue(node.a);
        case Node::Kind::And: return isTrue(node.a) && isTrue(node.b);
        case Node::Kind::Or: return isTrue(node.a) || isTrue(node.b);
        case Node::Kind::Choice: return whole(isTrue(node.a) ? node.b : node.c);
        case Node::Kind::Sum: return sum<s64>(node, &Evaluator::whole);
        case Node::Kind::Element: {
            s64 value = 0;
            if (const std::optional<u64> element = elementOf(node))
                withWholeElements(buffers_[node.index], [&](const auto& at) { value = at(*element); });
            return value;
        }
        case Node::Kind::Operation: break;
    }
    if (tree_.nodes[node.a].isReal || tree_.nodes[node.b].isReal)
        return s64(node.operation->real(real(node.a), real(node.b)));
    const s64 a = whole(node.a), b = whole(node.b);
    if (const std::optional<s64> result = node.operation->whole(a, b)) return *result;
    return complain(node, b == 0 && !node.operation->whole(1, 0)
                              ? Message(english("division by zero"))
                              : Message(english("the result does not fit in 64 bits")));
}

f64 Evaluator::real(u32 index) {
    const Node& node = tree_.nodes[index];
    if (!node.isReal) return f64(whole(index));
    switch (node.kind) {
        case Node::Kind::Choice: return real(isTrue(node.a) ? node.b : node.c);
        case Node::Kind::Sum: return sum<f64>(node, &Evaluator::real);
        case Node::Kind::Element: {
            f64 value = 0;
            if (const std::optional<u64> element = elementOf(node))
                withRealElements(buffers_[node.index], [&](const auto& at) { value = at(*element); });
            return value;
        }
        default:
            return node.operation->real(real(node.a),
                                        real(node.b));  // of the others only operations can be real
    }
}

bool Evaluator::isTrue(u32 index) { return tree_.nodes[index].isReal ? real(index) != 0 : whole(index) != 0; }

std::optional<u64> Evaluator::elementOf(const Node& node) {
    const s64 element = whole(node.a);
    const Buffer& buffer = buffers_[node.index];
    const u64 count = buffer.count();
    if (element >= 0 && u64(element) < count) return u64(element);
    complain(node,
             Message(english("element {0} of {1} is asked for, which has {2}"), element, buffer.name, count));
    return std::nullopt;
}

template <class T> T Evaluator::sum(const Node& node, T (Evaluator::*term)(u32)) {
    const s64 count = whole(node.a);
    T total = 0;
    s64& counter = variables[node.index];
    for (counter = 0; counter < count && goesOn(); ++counter) {
        const T value = (this->*term)(node.b);
        if constexpr (std::is_same_v<T, s64>) {
            if (__builtin_add_overflow(total, value, &total))
                complain(node, english("the sum does not fit in 64 bits"));
        } else {
            total += value;
        }
    }
    return total;
}

bool Evaluator::goesOn() {
    if (++steps_ >= kStepsPerLook) {
        steps_ = 0;
        isCancelled_ = isCancelled_ || (cancelled_ && *cancelled_);
    }
    return !fault_ && !isCancelled_;
}

s64 Evaluator::complain(const Node& node, const Message& what) {
    if (!fault_) fault_ = fail(FaultKind::Syntax, withPlace(what, tree_, node.column)).value();
    return 0;
}

}  // namespace lockstep::catalog
