#include "run/own/further_launch.h"

#include "run/own/own_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace lockstep::run {
namespace {

constexpr std::string_view kBuffer = "buffer:";

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

// At commas outside parentheses and brackets.
std::vector<std::string> partsOf(std::string_view text) {
    std::vector<std::string> parts;
    if (trimmed(text).empty()) return parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(' || text[i] == '[') ++depth;
        if (text[i] == ')' || text[i] == ']') --depth;
        if (text[i] != ',' || depth > 0) continue;
        parts.push_back(trimmed(text.substr(begin, i - begin)));
        begin = i + 1;
    }
    parts.push_back(trimmed(text.substr(begin)));
    return parts;
}

// "256", "dim3(16, 16)".
Expected<Dim3> extentsIn(std::string text) {
    constexpr std::string_view kDim3 = "dim3(";
    if (text.starts_with(kDim3) && text.ends_with(")"))
        text = text.substr(kDim3.size(), text.size() - kDim3.size() - 1);
    std::erase(text, ' ');
    return dimensions(text, "--then", 1);
}

std::string extentsText(Dim3 extents) {
    if (extents.z > 1) return fmt::format("dim3({}, {}, {})", extents.x, extents.y, extents.z);
    if (extents.y > 1) return fmt::format("dim3({}, {})", extents.x, extents.y);
    return std::to_string(extents.x);
}

}  // namespace

Expected<FurtherLaunch> parseFurtherLaunch(const std::string& text) {
    const auto mistake = [&] {
        return fail(FaultKind::Usage,
                    Message(english("--then {0}: write it as a launch in CUDA, with arguments as --arg has "
                                    "them, or buffer:N for a buffer of the launches before: "
                                    "'add_totals<<<4, 256>>>(buffer:1, f32[4]=zero, i32:1000)'"),
                            text));
    };
    const std::string whole = trimmed(text);
    const std::size_t open = whole.find("<<<"), close = whole.find(">>>", open);
    if (open == std::string::npos || close == std::string::npos || !whole.ends_with(")")) return mistake();
    const std::string behind = trimmed(std::string_view(whole).substr(close + 3));
    const std::vector<std::string> shape =
        partsOf(std::string_view(whole).substr(open + 3, close - open - 3));
    FurtherLaunch launch{.entry = trimmed(std::string_view(whole).substr(0, open)), .grid = {}, .block = {}};
    if (launch.entry.empty() || !behind.starts_with("(") || shape.size() < 2 || shape.size() > 3)
        return mistake();
    const Expected<Dim3> grid = extentsIn(shape[0]), block = extentsIn(shape[1]);
    if (!grid || !block) return mistake();
    launch.grid = *grid, launch.block = *block;
    if (shape.size() == 3) {
        const char* end = shape[2].data() + shape[2].size();
        const auto [read, error] = std::from_chars(shape[2].data(), end, launch.dynamicSharedBytes);
        if (error != std::errc{} || read != end) return mistake();
    }
    launch.arguments = partsOf(std::string_view(behind).substr(1, behind.size() - 2));
    if (std::ranges::any_of(launch.arguments, &std::string::empty)) return mistake();
    return launch;
}

std::string textOf(const FurtherLaunch& launch) {
    const std::string shared =
        launch.dynamicSharedBytes ? fmt::format(", {}", launch.dynamicSharedBytes) : std::string();
    return fmt::format("{}<<<{}, {}{}>>>({})", launch.entry, extentsText(launch.grid),
                       extentsText(launch.block), shared, fmt::join(launch.arguments, ", "));
}

std::optional<u32> bufferNamedIn(const std::string& argument) {
    if (!argument.starts_with(kBuffer)) return std::nullopt;
    u32 number = 0;
    const char *begin = argument.data() + kBuffer.size(), *end = argument.data() + argument.size();
    const auto [read, error] = std::from_chars(begin, end, number);
    return error == std::errc{} && read == end ? std::optional(number) : std::nullopt;
}

std::string bufferArgumentText(u32 buffer) { return fmt::format("{}{}", kBuffer, buffer); }

Launch withAllBuffers(std::span<const Launch> launches) {
    Launch all = launches.front();
    for (const Launch& launch : launches.subspan(1))
        for (const Argument& argument : launch.arguments) {
            const auto* buffer = std::get_if<BufferArgument>(&argument);
            const bool isThere = !buffer || std::ranges::any_of(all.arguments, [&](const Argument& other) {
                const auto* same = std::get_if<BufferArgument>(&other);
                return same && same->buffer == buffer->buffer;
            });
            if (!isThere) all.arguments.push_back(argument);
        }
    return all;
}

}  // namespace lockstep::run
