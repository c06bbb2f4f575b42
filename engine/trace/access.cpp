#include "trace/access.h"

#include "base/check.h"

namespace lockstep::trace {

std::string_view nameOf(Space space) {
    constexpr std::string_view names[] = {"global", "shared", "local", "constant", "param"};
    CHECK_LT(std::size_t(space), std::size(names), "every space has a name");
    return names[std::size_t(space)];
}

std::string_view nameOf(AccessKind kind) {
    constexpr std::string_view names[] = {"load", "store", "atomic", "reduction", "async_copy"};
    CHECK_LT(std::size_t(kind), std::size(names), "every kind of access has a name");
    return names[std::size_t(kind)];
}

}  // namespace lockstep::trace
