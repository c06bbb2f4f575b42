#include "catalog/cpu/cpu_loop_source.h"

#include "base/text/lines.h"
#include "catalog/cpu/cpu_loop_texts.h"
#include "catalog/cpu/plain_loops.h"
#include "catalog/references/references.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lockstep::catalog {
namespace {

std::size_t indentOf(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

// Unindents all lines but the first by the indent of the last, which closes what the first opens.
std::string dedented(std::string_view text) {
    const std::vector<std::string_view> lines = linesOf(text);
    std::string result;
    for (const std::string_view line : lines)
        result += std::string(line.substr(
                      std::min(indentOf(line), &line == &lines.front() ? 0 : indentOf(lines.back())))) +
                  "\n";
    return result;
}

std::string findMarked(std::string_view name) {
    for (const std::string_view source : cpuLoopTexts())
        if (std::string part = markedPart(source, name); !part.empty()) return part;
    return {};
}

// The variant's row in the table of plain loops, up to the end of its closing line.
std::string_view rowOf(std::string_view family, std::string_view variant) {
    const std::string begin = fmt::format("        {{\"{}\", {{\"{}\"", family, variant);
    for (const std::string_view source : cpuLoopTexts())
        if (const std::size_t at = source.find(begin); at != std::string_view::npos)
            return source.substr(
                at, std::min(source.find("},\n        {\"", at + 1), source.find("},\n    };", at)) - at);
    return {};
}

// Its last part: the function.
std::string_view functionOf(std::string_view row) {
    const std::size_t each = row.find("forEach<", row.find("\"out\""));
    if (each != std::string_view::npos) return row.substr(each, row.rfind('>') + 1 - each);
    const std::size_t comma = row.rfind(", ");
    return comma == std::string_view::npos ? std::string_view() : row.substr(comma + 2);
}

}  // namespace

std::string markedPart(std::string_view source, std::string_view name) {
    const std::string begin = fmt::format("// cpu loop {}", name);
    std::vector<std::string_view> part;
    bool isInside = false;
    for (const std::string_view line : linesOf(source)) {
        const std::string_view text = line.substr(indentOf(line));
        if (text == begin)
            isInside = true;
        else if (isInside && text == "// end of cpu loop")
            break;
        else if (isInside)
            part.push_back(line);
    }
    std::string result;
    for (const std::string_view line : part)
        result += std::string(line) + "\n";
    return result;
}

std::string cpuLoopSource(std::string_view family, const Variant& variant) {
    if (const Reference* reference = findReference(variant.reference))
        return reference->asTaught ? findMarked(reference->name) : "";
    const auto loop = std::ranges::find_if(plainLoops(), [&](const PlainLoop& row) {
        return row.family == family && std::ranges::find(row.variants, variant.name) != row.variants.end();
    });
    if (loop == plainLoops().end()) return {};
    const std::string_view function = functionOf(rowOf(family, loop->variants.front()));
    const std::string_view name = function.substr(0, function.find('<'));
    // Template arguments, such as the function per element, are in the table.
    return findMarked(name) + (name.size() < function.size() ? "\n" + dedented(function) : "");
}

}  // namespace lockstep::catalog
