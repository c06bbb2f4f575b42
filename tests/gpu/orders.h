// What a test tells a fake library to do: FAKE_GPU="cuMemAlloc_v2=2,devices=2" gives calls results, and the
// machine traits.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace fake {

inline std::optional<std::string> ordered(std::string_view name) {
    const char* orders = std::getenv("FAKE_GPU");
    std::string_view left = orders ? orders : "";
    while (!left.empty()) {
        const std::string_view order = left.substr(0, left.find(','));
        left.remove_prefix(order.size() < left.size() ? order.size() + 1 : order.size());
        if (order.substr(0, order.find('=')) == name) return std::string(order.substr(name.size() + 1));
    }
    return {};
}

inline long trait(std::string_view name, long usual) {
    const std::optional<std::string> value = ordered(name);
    return value ? std::atol(value->c_str()) : usual;
}

// What a call returns by order: a number, or it never returns (hang), or the process dies there (crash).
inline int resultOf(std::string_view call) {
    const std::optional<std::string> order = ordered(call);
    if (!order) return 0;
    if (*order == "crash") std::abort();
    if (*order == "hang")
        while (true)
            pause();
    return std::atoi(order->c_str());
}

}  // namespace fake

#define EXPORTED extern "C" __attribute__((visibility("default")))
