#include "catalog/host_code.h"

#include <fstream>
#include <iterator>

namespace lockstep::catalog {

std::string hostCode(const Family& family, const Variant& variant) {
    constexpr std::string_view kEnding = ".cu";
    if (!variant.file.ends_with(kEnding)) return {};
    std::ifstream in(
        family.folder / (variant.file.substr(0, variant.file.size() - kEnding.size()) + "_host.cu"),
        std::ios::binary);
    return in ? std::string(std::istreambuf_iterator<char>(in), {}) : std::string();
}

}  // namespace lockstep::catalog
