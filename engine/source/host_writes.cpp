// What is written: variables and elements of arrays, and what may be once code is not understood.
#include "source/host.h"

namespace lockstep::source {

void Host::assign(const Result& target, Value value, u32 where) {
    if (target.isElement) return writeElement(target, value);
    if (target.hasPlace) state_.write(target.place, std::move(value), where);
}

void Host::writeElement(const Result& target, const Value& value) {
    Allocation* allocation = state_.allocationOf(target.element);
    if (!allocation) return;
    const bool isAll =
        target.element.offsetBytes == 0 && coversAll(target.index, *allocation, target.element.type);
    const auto isIndex = [&] {
        if (value.affine.empty() || target.index.affine.empty()) return false;
        auto a = value.affine.front(), b = target.index.affine.front();
        std::ranges::sort(a.terms), std::ranges::sort(b.terms);
        return a.constant == b.constant && a.terms == b.terms;
    };
    if (isAll && value.isNumber())
        allocation->setContents(Contents::Constant, value.asReal());
    else if (isAll && isIndex())
        allocation->setContents(Contents::Iota);
    else
        allocation->setContents(Contents::Random);
}

bool Host::coversAll(const Value& index, const Allocation& allocation, const Type& pointer) const {
    const u64 element = sizeOf(pointee(pointer));
    if (index.affine.empty() || !allocation.bytes || element == 0) return false;
    Affine affine = index.affine.front();
    std::ranges::sort(affine.terms, {}, &std::pair<u32, s64>::second);
    s64 next = 1;
    for (const auto& [loop, factor] : affine.terms) {
        if (factor == 0) continue;
        if (factor != next || loop >= loops_.size() || loops_[loop] <= 0) return false;
        if (loops_[loop] > (s64{1} << 40) / next) return false;
        next *= loops_[loop];
    }
    return affine.constant == 0 && u64(next) == *allocation.bytes / element;
}

void Host::store(const Result& target, Value value, u32 where) {
    if (target.value.kind != Value::Kind::Reference) {
        if (target.isElement || !target.hasPlace) return;
        return state_.clobber(target.place, where);
    }
    const Value before = state_.read(target.value.place);
    if (value.kind == Value::Kind::Pointer) {
        Type type = before.type;
        if (const Variable* root = state_.variable(target.value.place);
            root && target.value.place.path.empty())
            type = root->type;
        if (type.name.empty() || type.pointers == 0) type = pointee(target.value.type);
        value.type = type;
    }
    state_.write(target.value.place, std::move(value), where);
}

void Host::clobberWords(std::size_t first, std::size_t last) {
    countTokens(first, std::min(last, tokens_.size()));
    for (std::size_t i = first; i < std::min(last, tokens_.size()); ++i) {
        if (!tokens_[i].isWord() || (i > 0 && (tokens_[i - 1].is(".") || tokens_[i - 1].is("->")))) continue;
        if (const std::optional<Place> place = find(tokens_[i].text)) {
            const Variable* root = state_.variable(*place);
            if (root && root->type.pointers == 0) state_.clobber(*place, tokens_[i].line);
        }
    }
}

void Host::clobberArgument(const Result& argument, u32 where, bool onlyMemory) {
    if (argument.value.kind == Value::Kind::Reference)
        state_.clobber(argument.value.place, where);
    else if (Allocation* allocation = state_.allocationOf(argument.value))
        allocation->setContents(Contents::Random);
    else if (argument.isElement)
        writeElement(argument, notKnown({}, where));
    else if (argument.hasPlace && !onlyMemory)
        state_.clobber(argument.place, where);
}

void Host::clobberArguments(const std::vector<Result>& arguments, u32 where) {
    for (const Result& argument : arguments)
        clobberArgument(argument, where);
}

}  // namespace lockstep::source
