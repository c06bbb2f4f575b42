#include "source/launch.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::source {
namespace {

std::string textOf(const std::optional<Dim3>& extents) {
    if (!extents) return "?";
    if (extents->z > 1) return fmt::format("({}, {}, {})", extents->x, extents->y, extents->z);
    return extents->y > 1 ? fmt::format("({}, {})", extents->x, extents->y) : std::to_string(extents->x);
}

}  // namespace

bool Launch::isConstant() const {
    return isEntryKnown && grid && block && sharedBytes &&
           std::ranges::none_of(arguments, [](const LaunchArgument& argument) {
               return argument.kind == LaunchArgument::Kind::NotKnown;
           });
}

std::string Launch::written() const {
    std::string text = fmt::format("{}<<<{}, {}", entry, textOf(grid), textOf(block));
    if (!sharedBytes)
        text += ", ?";
    else if (*sharedBytes > 0)
        text += ", " + std::to_string(*sharedBytes);
    return text + ">>>";
}

}  // namespace lockstep::source
