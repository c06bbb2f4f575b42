// Expected<T>: a T, or the Fault that says why there is none. The one place that names tl::expected.
#pragma once

#include "base/fault.h"

#include <tl/expected.hpp>

namespace lockstep {

template <class T> using Expected = tl::expected<T, Fault>;
using Unexpected = tl::unexpected<Fault>;

// What is not in Words has Message::plain: the words of another program, the same in every language.
inline Unexpected fail(FaultKind kind, Message message, SourcePlace place = {}) {
    return Unexpected{Fault{.kind = kind,
                            .message = std::move(message),
                            .place = std::move(place),
                            .pc = {},
                            .block = {},
                            .thread = {}}};
}

}  // namespace lockstep
