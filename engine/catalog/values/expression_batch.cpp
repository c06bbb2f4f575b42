#include "catalog/values/expression_batch.h"

#include "base/check.h"
#include "catalog/values/element_access.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>

namespace lockstep::catalog {
namespace {

// A sum of so many terms on average is computed lane by lane, else term by term.
constexpr s64 kLongSum = 32;

// Adds lists; false: a sum of integers does not fit.
bool addTo(std::span<s64> totals, const s64* terms) {
    return std::ranges::find(operatorLevels()[2], "+", &Operator::sign)->wholeLanes(totals, terms);
}
bool addTo(std::span<f64> totals, const f64* terms) {
#pragma omp simd
    for (std::size_t i = 0; i < totals.size(); ++i)
        totals[i] += terms[i];
    return true;
}
// Adds the terms to one total, in their order.
bool addAll(s64& total, std::span<const s64> terms) {
    constexpr u64 kSmall = u64{1} << 48;  // so that no order of a batch of such terms can overflow
    u64 sum = 0, high = 0;
#pragma omp simd reduction(+ : sum) reduction(| : high)
    for (std::size_t i = 0; i < terms.size(); ++i) {
        sum += u64(terms[i]);
        high |= (u64(terms[i]) + kSmall) & ~(2 * kSmall - 1);
    }
    if (high == 0 && total > std::numeric_limits<s64>::min() / 2 &&
        total < std::numeric_limits<s64>::max() / 2)
        return total += s64(sum), true;
    return std::ranges::all_of(terms, [&](s64 term) { return !__builtin_add_overflow(total, term, &total); });
}
bool addAll(f64& total, std::span<const f64> terms) {
    for (const f64 term : terms)
        total += term;
    return true;
}

void copyElements(std::byte* to, const std::byte* from, const auto& toIndex, const auto& fromIndex, u32 count,
                  u32 width) {
    const auto copy = [&](auto tag) {
        for (u32 lane = 0; lane < count; ++lane)
            std::memcpy(to + toIndex(lane) * sizeof tag, from + fromIndex(lane) * sizeof tag, sizeof tag);
    };
    switch (width) {
        case 1: return copy(u8{});
        case 2: return copy(u16{});
        case 4: return copy(u32{});
        default: return copy(u64{});
    }
}

}  // namespace

// A list for a while.
template <class T> class BatchEvaluator::Room {
public:
    explicit Room(BatchEvaluator& owner) : lists_(of(owner)) {
        if (lists_.used == lists_.all.size()) lists_.all.emplace_back();
        list_ = lists_.all[lists_.used++].data();
    }
    ~Room() { --lists_.used; }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;
    operator T*() const { return list_; }

private:
    static Lists<T>& of(BatchEvaluator& owner) {
        if constexpr (std::is_same_v<T, s64>)
            return owner.wholes_;
        else
            return owner.reals_;
    }
    Lists<T>& lists_;
    T* list_;
};

namespace {

// The column as a list, in `room` unless it is one.
template <class Column, class T> const T* listed(const Column& column, u32 count, T* room) {
    if (column.list) return column.list;
    for (u32 lane = 0; lane < count; ++lane)
        room[lane] = column.at(lane);
    return room;
}

}  // namespace

// Some of the lanes, one behind the other.
class BatchEvaluator::Chosen {
public:
    Chosen(BatchEvaluator& owner, const Lanes& from, Slots slots, const auto& isChosen)
        : owner_(owner), usedBefore_(owner.wholes_.used) {
        for (u32 lane = 0; lane < from.count; ++lane) {
            which_[lanes.count] = u16(lane);
            lanes.count += isChosen(lane);
        }
        if (isAll(from) || isNone()) {
            lanes.variables = from.variables;
            return;
        }
        for (u32 slot = 0; slot < kSlots; ++slot)
            if (slots >> slot & 1) lanes.variables[slot] = taken(from.variables[slot]);
    }
    ~Chosen() { owner_.wholes_.used = usedBefore_; }
    Chosen(const Chosen&) = delete;
    Chosen& operator=(const Chosen&) = delete;

    bool isAll(const Lanes& from) const { return lanes.count == from.count; }
    bool isNone() const { return lanes.count == 0; }
    // Puts their values at their places among all.
    template <class T> void put(const Column<T>& values, T* all) const {
        for (u32 i = 0; i < lanes.count; ++i)
            all[which_[i]] = values.at(i);
    }
    template <class T> void take(const T* all, T* values) const {
        for (u32 i = 0; i < lanes.count; ++i)
            values[i] = all[which_[i]];
    }

    Lanes lanes;

private:
    Column<s64> taken(const Column<s64>& from) {
        if (from.isUniform()) return from;
        if (owner_.wholes_.used == owner_.wholes_.all.size()) owner_.wholes_.all.emplace_back();
        s64* list = owner_.wholes_.all[owner_.wholes_.used++].data();
        for (u32 i = 0; i < lanes.count; ++i)
            list[i] = from.at(which_[i]);
        return {.list = list};
    }

    BatchEvaluator& owner_;
    std::size_t usedBefore_;
    std::array<u16, kLanes> which_;
};

BatchEvaluator::BatchEvaluator(const ExpressionTree& tree, std::span<const Buffer> buffers,
                               const std::atomic<bool>* cancelled)
    : tree_(tree), buffers_(buffers), cancelled_(cancelled) {
    for (const Node& node : tree.nodes) {  // operands come before their users
        using Kind = Node::Kind;
        Slots slots = node.kind == Kind::Variable ? Slots{1} << node.index : 0;
        if (node.kind >= Kind::Element) slots |= slots_[node.a];
        if (node.kind > Kind::Not) slots |= slots_[node.b];
        if (node.kind == Kind::Choice) slots |= slots_[node.c];
        slots_.push_back(slots);
    }
}

bool BatchEvaluator::write(Buffer& out, s64 begin, u32 count, s64 columns) {
    isFailed_ = false;
    Lanes lanes{.count = count};
    lanes.variables[kElementSlot] = {.base = begin, .step = 1};
    const Room<s64> rows(*this), places(*this);
    if (const s64 column = begin % columns; column + count <= columns) {
        lanes.variables[kRowSlot] = {.base = begin / columns};
        lanes.variables[kColumnSlot] = {.base = column, .step = 1};
    } else {
        for (u32 lane = 0; lane < count; ++lane) {
            rows[lane] = (begin + lane) / columns;
            places[lane] = (begin + lane) % columns;
        }
        lanes.variables[kRowSlot] = {.list = rows};
        lanes.variables[kColumnSlot] = {.list = places};
    }
    write(tree_.root, lanes, out);
    return !isFailed_;
}

void BatchEvaluator::write(u32 index, const Lanes& lanes, Buffer& out) {
    const Node& node = tree_.nodes[index];
    const Column<s64>& places = lanes.variables[kElementSlot];
    const auto place = [&](u32 lane) { return u64(places.at(lane)); };
    if (node.kind == Node::Kind::Choice) {
        const Room<s64> room(*this);
        const Column<s64> condition = truth(node.a, lanes, room);
        for (const bool side : {true, false}) {
            const u32 operand = side ? node.b : node.c;
            const Chosen chosen(*this, lanes, slots_[operand] | 1 << kElementSlot,
                                [&](u32 lane) { return (condition.at(lane) != 0) == side; });
            if (!chosen.isNone() && !failed()) write(operand, chosen.lanes, out);
        }
    } else if (node.kind == Node::Kind::Element && buffers_[node.index].type == out.type) {
        const Room<s64> room(*this);
        const Column<s64> from = indices(node, lanes, room);
        if (failed()) return;
        const u32 width = info(out.type).bytes;
        const std::byte* source = buffers_[node.index].bytes.data();
        if (from.step == 1 && places.step == 1)
            std::memcpy(out.bytes.data() + place(0) * width, source + u64(from.base) * width,
                        lanes.count * width);
        else
            copyElements(
                out.bytes.data(), source, place, [&](u32 lane) { return u64(from.at(lane)); }, lanes.count,
                width);
    } else if (isReal(out.type)) {
        const Room<f64> room(*this);
        const f64* values = listed(real(index, lanes, room), lanes.count, static_cast<f64*>(room));
        if (failed()) return;
        withRealPlaces(out, [&](const auto& store) {
            for (u32 lane = 0; lane < lanes.count; ++lane)
                store(place(lane), values[lane]);
        });
    } else {
        const Room<s64> room(*this);
        const s64* values = listed(whole(index, lanes, room), lanes.count, static_cast<s64*>(room));
        if (failed()) return;
        withWholePlaces(out, [&](const auto& store) {
            for (u32 lane = 0; lane < lanes.count; ++lane)
                store(place(lane), values[lane]);
        });
    }
}

template <> BatchEvaluator::Column<s64> BatchEvaluator::value(u32 index, const Lanes& lanes, s64* room) {
    return whole(index, lanes, room);
}
template <> BatchEvaluator::Column<f64> BatchEvaluator::value(u32 index, const Lanes& lanes, f64* room) {
    return real(index, lanes, room);
}

BatchEvaluator::Column<s64> BatchEvaluator::whole(u32 index, const Lanes& lanes, s64* room) {
    const Node& node = tree_.nodes[index];
    switch (node.kind) {
        case Node::Kind::Number: return {.base = node.number};
        case Node::Kind::Variable: return lanes.variables[node.index];
        case Node::Kind::Name: return fail();
        case Node::Kind::Not: {
            const Column<s64> operand = truth(node.a, lanes, room);
            if (operand.isUniform()) return {.base = operand.base == 0};
            for (u32 lane = 0; lane < lanes.count; ++lane)
                room[lane] = operand.at(lane) == 0;
            return {.list = room};
        }
        case Node::Kind::And:
        case Node::Kind::Or: return both(node, lanes, room);
        case Node::Kind::Choice: return choice(node, lanes, room);
        case Node::Kind::Sum: return sum(node, lanes, room);
        case Node::Kind::Element: return element(node, lanes, room);
        case Node::Kind::Operation: break;
    }
    return wholeOperation(node, lanes, room);
}

BatchEvaluator::Column<f64> BatchEvaluator::real(u32 index, const Lanes& lanes, f64* room) {
    const Node& node = tree_.nodes[index];
    if (!node.isReal) {
        const Room<s64> wholes(*this);
        const Column<s64> value = whole(index, lanes, wholes);
        if (value.isUniform()) return {.base = f64(value.base)};
        for (u32 lane = 0; lane < lanes.count; ++lane)
            room[lane] = f64(value.at(lane));
        return {.list = room};
    }
    switch (node.kind) {
        case Node::Kind::Choice: return choice(node, lanes, room);
        case Node::Kind::Sum: return sum(node, lanes, room);
        case Node::Kind::Element: return element(node, lanes, room);
        default: return realOperation(node, lanes, room);  // of the others only operations can be real
    }
}

// 0 or 1; the same in all lanes or a list.
BatchEvaluator::Column<s64> BatchEvaluator::truth(u32 index, const Lanes& lanes, s64* room) {
    const auto of = [&](const auto& value) -> Column<s64> {
        if (value.isUniform()) return {.base = value.base != 0};
        for (u32 lane = 0; lane < lanes.count; ++lane)
            room[lane] = value.at(lane) != 0;
        return {.list = room};
    };
    if (!tree_.nodes[index].isReal) return of(whole(index, lanes, room));
    const Room<f64> reals(*this);
    return of(real(index, lanes, reals));
}

// && and ||: the right side is computed for the lanes that the left does not settle.
BatchEvaluator::Column<s64> BatchEvaluator::both(const Node& node, const Lanes& lanes, s64* room) {
    const s64 settles = node.kind == Node::Kind::Or;
    const Column<s64> left = truth(node.a, lanes, room);
    const Chosen rest(*this, lanes, slots_[node.b], [&](u32 lane) { return left.at(lane) != settles; });
    if (rest.isNone() || failed()) return {.base = settles};
    const Room<s64> right(*this);
    const Column<s64> other = truth(node.b, rest.lanes, right);
    if (rest.isAll(lanes) && other.isUniform()) return other;
    listed(left, lanes.count, room);
    rest.put(other, room);
    return {.list = room};
}

template <class T>
BatchEvaluator::Column<T> BatchEvaluator::choice(const Node& node, const Lanes& lanes, T* room) {
    const Room<s64> conditions(*this);
    const Column<s64> condition = truth(node.a, lanes, conditions);
    for (const bool side : {true, false}) {
        const u32 operand = side ? node.b : node.c;
        const Chosen chosen(*this, lanes, slots_[operand],
                            [&](u32 lane) { return (condition.at(lane) != 0) == side; });
        if (chosen.isNone()) continue;
        if (failed()) break;
        if (chosen.isAll(lanes)) return value<T>(operand, lanes, room);
        const Room<T> values(*this);
        chosen.put(value<T>(operand, chosen.lanes, values), room);
    }
    return {.list = room};
}

BatchEvaluator::Column<s64> BatchEvaluator::indices(const Node& node, const Lanes& lanes, s64* room) {
    const Column<s64> index = whole(node.a, lanes, room);
    const u64 count = buffers_[node.index].count();
    const auto isBeyond = [&](s64 element) { return u64(element) >= count; };
    bool beyond = false;
    if (!index.list)
        beyond = isBeyond(index.base) || isBeyond(index.at(lanes.count - 1));
    else
        for (u32 lane = 0; lane < lanes.count; ++lane)
            beyond |= isBeyond(index.list[lane]);
    return beyond ? fail() : index;
}

template <class T>
BatchEvaluator::Column<T> BatchEvaluator::element(const Node& node, const Lanes& lanes, T* room) {
    const Room<s64> asked(*this);
    const Column<s64> index = indices(node, lanes, asked);
    if (failed()) return {};
    const auto load = [&](const auto& at) {
        const u32 count = index.isUniform() ? 1 : lanes.count;
        if (index.list)
            for (u32 lane = 0; lane < count; ++lane)
                room[lane] = at(u64(index.list[lane]));
        else if (index.step == 1)
            for (u32 lane = 0; lane < count; ++lane)
                room[lane] = at(u64(index.base) + lane);
        else
            for (u32 lane = 0; lane < count; ++lane)
                room[lane] = at(u64(index.at(lane)));
    };
    if constexpr (std::is_same_v<T, s64>)
        withWholeElements(buffers_[node.index], load);
    else
        withRealElements(buffers_[node.index], load);
    if (index.isUniform()) return {.base = room[0]};
    return {.list = room};
}

namespace {

// The results of an operation on straight lines, where they are one, too; `first` and `last`: of both ends.
template <class Column>
std::optional<Column> lineOf(Growth growth, const Column& a, const Column& b, u32 count, s64 first,
                             s64 last) {
    s64 rise = 0, riseOfA = 0;
    if (__builtin_sub_overflow(last, first, &rise) ||
        __builtin_sub_overflow(a.at(count - 1), a.base, &riseOfA))
        return std::nullopt;
    const auto line = [&](bool isOne) {
        return isOne ? std::optional(Column{.base = first, .step = count > 1 ? rise / s64(count - 1) : 0})
                     : std::nullopt;
    };
    if (a.isUniform() && b.isUniform()) return line(true);
    switch (growth) {
        case Growth::Linear: return line(true);
        case Growth::Scaled: return line(a.isUniform() || b.isUniform());
        case Growth::Monotone: return line(b.isUniform() && rise == 0);
        case Growth::Periodic: return line(b.isUniform() && rise == riseOfA);
        case Growth::Any: break;
    }
    return std::nullopt;
}

}  // namespace

BatchEvaluator::Column<s64> BatchEvaluator::wholeOperation(const Node& node, const Lanes& lanes, s64* room) {
    if (tree_.nodes[node.a].isReal || tree_.nodes[node.b].isReal) {
        const Room<f64> reals(*this);
        const Column<f64> result = realOperation(node, lanes, reals);
        if (result.isUniform()) return {.base = s64(result.base)};
        for (u32 lane = 0; lane < lanes.count; ++lane)
            room[lane] = s64(result.at(lane));
        return {.list = room};
    }
    const Room<s64> second(*this);
    const Column<s64> a = whole(node.a, lanes, room), b = whole(node.b, lanes, second);
    if (failed()) return {};
    const Operator& operation = *node.operation;
    if (!a.list && !b.list) {
        const u32 end = lanes.count - 1;
        const std::optional<s64> first = operation.whole(a.base, b.base),
                                 last = operation.whole(a.at(end), b.at(end));
        if (!first || !last) return fail();
        if (const auto line = lineOf(operation.growth, a, b, lanes.count, *first, *last)) return *line;
    }
    if (const s64* list = listed(a, lanes.count, room); list != room) std::copy_n(list, lanes.count, room);
    if (!operation.wholeLanes({room, lanes.count}, listed(b, lanes.count, static_cast<s64*>(second))))
        return fail();
    return {.list = room};
}

BatchEvaluator::Column<f64> BatchEvaluator::realOperation(const Node& node, const Lanes& lanes, f64* room) {
    const Room<f64> second(*this);
    const Column<f64> a = real(node.a, lanes, room), b = real(node.b, lanes, second);
    if (failed()) return {};
    if (a.isUniform() && b.isUniform()) return {.base = node.operation->real(a.base, b.base)};
    listed(a, lanes.count, room);
    node.operation->realLanes({room, lanes.count}, listed(b, lanes.count, static_cast<f64*>(second)));
    return {.list = room};
}

template <class T>
BatchEvaluator::Column<T> BatchEvaluator::sum(const Node& node, const Lanes& lanes, T* room) {
    const Room<s64> counted(*this);
    const Column<s64> counts = whole(node.a, lanes, counted);
    if (failed()) return {};
    s64 longest = 0;
    f64 terms = 0;
    for (u32 lane = 0; lane < lanes.count; ++lane) {
        longest = std::max(longest, counts.at(lane));
        terms += f64(std::max<s64>(0, counts.at(lane)));
    }
    std::fill_n(room, lanes.count, T{0});
    if (terms >= f64(kLongSum) * lanes.count)
        for (u32 lane = 0; lane < lanes.count && !failed(); ++lane)
            sumOfLane(node, lanes, lane, counts.at(lane), room[lane]);
    else
        sumOfSteps(node, lanes, counts, longest, room);
    return {.list = room};
}

template <class T>
void BatchEvaluator::sumOfLane(const Node& node, const Lanes& lanes, u32 lane, s64 count, T& total) {
    Lanes terms;
    for (u32 slot = 0; slot < kSlots; ++slot)
        terms.variables[slot] = {.base = lanes.variables[slot].at(lane)};
    for (s64 k = 0; k < count && !failed(); k += terms.count) {
        terms.count = u32(std::min<s64>(kLanes, count - k));
        terms.variables[node.index] = {.base = k, .step = 1};
        const Room<T> room(*this);
        const T* list = listed(value<T>(node.b, terms, room), terms.count, static_cast<T*>(room));
        if (!failed() && !addAll(total, {list, terms.count})) fail();
    }
}

template <class T>
void BatchEvaluator::sumOfSteps(const Node& node, const Lanes& lanes, const Column<s64>& counts, s64 longest,
                                T* totals) {
    for (s64 k = 0; k < longest && !failed(); ++k) {
        Chosen chosen(*this, lanes, slots_[node.b], [&](u32 lane) { return k < counts.at(lane); });
        chosen.lanes.variables[node.index] = {.base = k};
        const Room<T> terms(*this), before(*this);
        const T* list =
            listed(value<T>(node.b, chosen.lanes, terms), chosen.lanes.count, static_cast<T*>(terms));
        if (failed()) return;
        T* sums = chosen.isAll(lanes) ? totals : static_cast<T*>(before);
        if (sums != totals) chosen.take(totals, sums);
        if (!addTo(std::span<T>(sums, chosen.lanes.count), list)) fail();
        if (sums != totals) chosen.put(Column<T>{.list = sums}, totals);
    }
}

}  // namespace lockstep::catalog
