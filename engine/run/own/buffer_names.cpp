#include "run/own/buffer_names.h"

#include "explain/source/parameter_names.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace lockstep::run {
namespace {

std::vector<std::string> parametersOf(const ptx::Module& module, const Launch& launch) {
    for (const std::string& source : module.sources) {
        std::vector<std::string> names = explain::parameterNames(source, ptx::shortName(launch.entry));
        if (names.size() == launch.arguments.size()) return names;
    }
    return {};
}

}  // namespace

std::vector<std::string> namesInSource(const ptx::Module& module, std::span<const Launch> launches,
                                       std::span<const Buffer> buffers) {
    std::vector<std::set<std::string>> found(buffers.size());
    for (const Launch& launch : launches) {
        const std::vector<std::string> names = parametersOf(module, launch);
        for (std::size_t i = 0; i < names.size(); ++i)
            if (const auto* buffer = std::get_if<BufferArgument>(&launch.arguments[i]);
                buffer && buffer->buffer < buffers.size())
                found[buffer->buffer].insert(names[i]);
    }
    std::vector<std::string> names;
    for (std::size_t b = 0; b < buffers.size(); ++b)
        names.push_back(found[b].size() == 1 ? *found[b].begin() : buffers[b].name);
    // If two would get the same name, both keep their own, as does a third that would take one of these
    // names.
    for (bool isChanged = true; std::exchange(isChanged, false);)
        for (std::size_t b = 0; b < buffers.size(); ++b)
            if (names[b] != buffers[b].name && std::ranges::count(names, names[b]) > 1)
                names[b] = buffers[b].name, isChanged = true;
    return names;
}

}  // namespace lockstep::run
