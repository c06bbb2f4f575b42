#include "run/own/launch_proposal.h"

#include "base/expected.h"
#include "run/own/argument_types.h"
#include "source/launch.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace lockstep::run {
namespace {

using source::LaunchArgument;

std::string written(const Dim3& d) {
    return d.z > 1   ? fmt::format("{},{},{}", d.x, d.y, d.z)
           : d.y > 1 ? fmt::format("{},{}", d.x, d.y)
                     : std::to_string(d.x);
}

std::string contentsOf(const LaunchArgument& argument, std::string_view element) {
    switch (argument.contents) {
        case LaunchArgument::Contents::Zero: return "zero";
        case LaunchArgument::Contents::Iota: return "iota";
        case LaunchArgument::Contents::Random: return "random";
        case LaunchArgument::Contents::Constant: break;
    }
    return element.starts_with('f') ? fmt::format("const:{}", argument.real)
                                    : fmt::format("const:{}", s64(argument.real));
}

std::optional<std::string> bufferText(const LaunchArgument& argument, const std::string& type) {
    const std::optional<ArgumentElement> element = elementOf(pointeeOf(type));
    const std::string name = element ? std::string(element->name) : argument.bytes % 4 == 0 ? "f32" : "u8";
    const u64 count = argument.bytes / bytesOfElement(name);
    if (count == 0) return std::nullopt;
    return fmt::format("{}[{}]={}", name, count, contentsOf(argument, name));
}

std::optional<std::string> scalarText(const LaunchArgument& argument, const std::string& type, u64 bytes) {
    const bool isInteger = argument.kind == LaunchArgument::Kind::Integer;
    if (!type.empty() && isPointer(type))
        return isInteger && argument.integer == 0 ? std::optional<std::string>("u64:0") : std::nullopt;
    const std::optional<ArgumentElement> element = elementOf(type);
    if (element && element->count > 1) return std::nullopt;
    std::string name;
    if (element)
        name = element->name;
    else if (isInteger && (bytes == 4 || bytes == 8))
        name = bytes == 4 ? "i32" : "i64";  // an enum, or a type declared in the file
    else
        return std::nullopt;
    if (name.starts_with('f'))
        return fmt::format("{}:{}", name, isInteger ? f64(argument.integer) : argument.real);
    if (!isInteger)
        return std::abs(argument.real) < 9e18 ? std::optional(fmt::format("{}:{}", name, s64(argument.real)))
                                              : std::nullopt;
    if (name.starts_with('u')) {
        const u64 mask = bytes >= 8 || bytes == 0 ? ~u64{0} : (u64{1} << (8 * bytes)) - 1;
        return fmt::format("{}:{}", name, u64(argument.integer) & mask);
    }
    return fmt::format("{}:{}", name, argument.integer);
}

// "it depends on 'n', set at line 12"
Message reasonOf(const source::NotKnown& cause) {
    if (cause.variable.empty()) return english("it is no constant");
    if (!cause.line) return Message(english("it depends on '{0}'"), cause.variable);
    return Message(english("it depends on '{0}' (line {1})"), cause.variable, cause.line);
}

Fault sentence(const source::Launch& launch, const Message& what, const source::NotKnown& cause,
               const Message& option) {
    return fail(FaultKind::Usage,
                Message(english("{0} of this launch of '{1}' is not known: {2}; give {3}"), what,
                        launch.kernel, reasonOf(cause), option),
                {launch.file, launch.line, 0})
        .value();
}

}  // namespace

std::string ProposedLaunch::asOptions() const {
    std::string text =
        fmt::format("--grid {} --block {}", grid.empty() ? "?" : grid, block.empty() ? "?" : block);
    if (shared != "0") text += " --shared " + (shared.empty() ? "?" : shared);
    for (const std::string& argument : arguments)
        text += " --arg " + (argument.empty() ? "?" : argument);
    return text;
}

ProposedLaunch proposalOf(const source::Launch& launch, const std::vector<std::string>& types,
                          const std::vector<u64>& bytes) {
    ProposedLaunch proposal{.entry = launch.entry,
                            .file = launch.file,
                            .line = launch.line,
                            .title = launch.written(),
                            .grid = {},
                            .block = {},
                            .arguments = {},
                            .unknown = {}};
    const auto lacks = [&](const Message& what, const source::NotKnown& cause, const Message& option) {
        proposal.unknown.push_back(sentence(launch, what, cause, option));
    };
    if (launch.grid)
        proposal.grid = written(*launch.grid);
    else
        lacks(english("the grid"), launch.gridCause, Message::plain("--grid"));
    if (launch.block)
        proposal.block = written(*launch.block);
    else
        lacks(english("the block"), launch.blockCause, Message::plain("--block"));
    if (launch.sharedBytes)
        proposal.shared = std::to_string(*launch.sharedBytes);
    else
        lacks(english("the dynamic shared memory"), launch.sharedCause, Message::plain("--shared")),
            proposal.shared.clear();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::optional<std::string> text;
        const LaunchArgument argument = i < launch.arguments.size() ? launch.arguments[i] : LaunchArgument{};
        const std::string type = types.size() == bytes.size() ? types[i] : argument.type;
        if (argument.kind == LaunchArgument::Kind::Buffer && bytes[i] == 8)
            text = bufferText(argument, type);
        else if (argument.kind == LaunchArgument::Kind::Integer ||
                 argument.kind == LaunchArgument::Kind::Real)
            text = scalarText(argument, type, bytes[i]);
        if (!text) lacks(Message(english("argument {0}"), i), argument.cause, english("every --arg"));
        proposal.arguments.push_back(text.value_or(""));
    }
    return proposal;
}

}  // namespace lockstep::run
