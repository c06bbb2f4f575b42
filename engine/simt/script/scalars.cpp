#include "simt/script/scalars.h"

#include <algorithm>
#include <utility>

namespace lockstep::simt {

u32 Scalars::numberOf(Kind kind, u32 a, u32 b, s64 factor) {
    for (u32 i = 0; i < numbers_.size(); ++i) {
        const Number& n = numbers_[i];
        if (n.kind == kind && n.a == a && n.b == b && n.factor == factor) return i;
    }
    Number& number = numbers_.emplace_back();
    number.kind = kind;
    number.a = a;
    number.b = b;
    number.factor = factor;
    return u32(numbers_.size() - 1);
}

u32 Scalars::coordinate(u32 axis, u32 ofWritten) { return numberOf(Kind::Coordinate, axis, 0, ofWritten); }

u32 Scalars::sum(u32 a, u32 b) {
    if (a == kZero || b == kZero) return a + b;
    return numberOf(Kind::Sum, std::min(a, b), std::max(a, b), 0);
}

u32 Scalars::product(u32 a, s64 factor) {
    if (a == kZero || factor == 0) return kZero;
    return factor == 1 ? a : numberOf(Kind::Product, a, 0, factor);
}

u32 Scalars::signed32(u32 a) { return a == kZero ? kZero : numberOf(Kind::Signed32, a, 0, 0); }

void Scalars::bound(u32 number, s64 least, s64 most) {
    numbers_[number].least = std::max(numbers_[number].least, least);
    numbers_[number].most = std::min(numbers_[number].most, most);
}

bool Scalars::evaluate(Dim3 block, std::vector<u64>& values) const {
    const u32 coordinates[]{block.x, block.y, block.z};
    values.resize(numbers_.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const Number& number = numbers_[i];
        u64 value = 0;
        switch (number.kind) {
            case Kind::Zero: break;
            case Kind::Coordinate: value = coordinates[number.a] - u64(number.factor); break;
            case Kind::Sum: value = values[number.a] + values[number.b]; break;
            case Kind::Product: value = values[number.a] * u64(number.factor); break;
            case Kind::Signed32: value = u64(s64{s32(u32(values[number.a]))}); break;
        }
        if (s64(value) < number.least || s64(value) > number.most) return false;
        values[i] = value;
    }
    return true;
}

}  // namespace lockstep::simt
