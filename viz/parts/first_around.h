// Where a part of a list begins that has room, with one entry as near to its middle as the list's ends allow.
#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>

namespace lockstep::viz {

// count: that are shown, at most `all`.
template <std::unsigned_integral T>
constexpr T firstAround(T at, std::type_identity_t<T> count, std::type_identity_t<T> all) {
    return std::min<T>(at > count / 2 ? at - count / 2 : 0, all - count);
}

}  // namespace lockstep::viz
