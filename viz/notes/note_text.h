// The sentences of a note: a text with figures in braces, each computed when it is asked for.
//   "{n: a * b}" 4,096 · "{x: time[naive] / time[tiled]}" 1.24 · "{pct: a / b}" 96% · "{bytes: a}" 8.2 KiB ·
//   "{time: a}" (of milliseconds) 2.97 µs · "{rate: a}" (of bytes a second) 3,940 GB/s
// The expression has + - * / ( ), log2(), numbers, and figures by name, those of another variant as
// name[variant].
#pragma once

#include "base/expected.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::viz {

// A figure by its name, and the variant in brackets behind it (empty: none). None: not known here. A Fault:
// there is no such figure.
using FigureLookup =
    std::function<Expected<std::optional<f64>>(std::string_view name, std::string_view variant)>;

// None where one of its figures is not known, or a division has no result. A Fault where the text is no such
// text.
Expected<std::optional<std::string>> noteText(std::string_view text, const FigureLookup& figures);

}  // namespace lockstep::viz
