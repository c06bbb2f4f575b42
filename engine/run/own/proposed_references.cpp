#include "run/own/proposed_references.h"

#include "catalog/references/reference_extents.h"
#include "catalog/values/number_text.h"
#include "explain/source/parameter_names.h"
#include "run/own/argument_types.h"
#include "run/own/further_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <ranges>

namespace lockstep::run {
namespace {

// A 4-byte value above this is more likely a float: the bits of 1e-28 and more.
constexpr s64 kMostWhole = s64{1} << 28;

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return result;
}

// "mm_tiled<16>" has the words mm and tiled, "reduceMax" has max; a short word must match in full.
bool hasWord(std::string_view name, std::string_view word) {
    if (word.size() > 3) return lower(name).find(word) != std::string::npos;
    std::string words;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto isSmall = [](char c) { return c >= 'a' && c <= 'z'; };
        const bool isLarge = name[i] >= 'A' && name[i] <= 'Z';
        if (isLarge && i > 0 && isSmall(name[i - 1])) words += ' ';
        words += isSmall(name[i]) || isLarge ? name[i] : ' ';
    }
    return (" " + lower(words) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// "P[...] = ", "P[...] += ", "atomicAdd(&P[...]": where the code stores to the parameter.
bool isStoredTo(const std::string& body, const std::string& name) {
    for (std::size_t at = body.find(name); at != std::string::npos; at = body.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at > 0 && isOfName(body[at - 1])) || (end < body.size() && isOfName(body[end]))) continue;
        const std::size_t call = body.rfind("atomic", at);
        if (call != std::string::npos &&
            body.substr(call, at - call).find_first_of(",;") == std::string::npos)
            return true;
        if (end >= body.size() || body[end] != '[') continue;
        int depth = 0;
        std::size_t close = end;
        for (; close < body.size(); ++close) {
            if (body[close] == '[') ++depth;
            if (body[close] == ']' && --depth == 0) break;
        }
        const std::size_t next = body.find_first_not_of(" \t\r\n", close + 1);
        if (next == std::string::npos) continue;
        const std::string_view rest = std::string_view(body).substr(next);
        if (rest.starts_with("=") && !rest.starts_with("==")) return true;
        if (rest.size() > 1 && rest[1] == '=' &&
            std::string_view("+-*/|&^%").find(rest[0]) != std::string_view::npos)
            return true;
    }
    return false;
}

// A sum of products of elements: "sum += M[...] * N[...]".
bool looksLikeMatmul(const std::string& body) {
    std::string text;
    std::ranges::copy_if(body, std::back_inserter(text), [](unsigned char c) { return !std::isspace(c); });
    if (text.find("+=") == std::string::npos && text.find("fma") == std::string::npos) return false;
    for (std::size_t at = text.find("]*"); at != std::string::npos; at = text.find("]*", at + 1)) {
        std::size_t end = at + 2;
        while (end < text.size() && isOfName(text[end]))
            ++end;
        if (end > at + 2 && end < text.size() && text[end] == '[') return true;
    }
    return text.find("fma") != std::string::npos && text.find("for(") != std::string::npos;
}

struct Proposal {
    std::string text;
    int score = 0;
};

class Matcher {
public:
    Matcher(const catalog::Reference& reference, const KernelShape& kernel)
        : reference_(reference), kernel_(kernel) {}

    std::optional<Proposal> match() {
        score_ = nameScore();
        if (!assign()) return std::nullopt;
        if (score_ == 0) score_ = shapeScore();
        if (score_ == 0) return std::nullopt;
        const std::optional<catalog::Extents> extents = findExtents();
        if (!extents) return std::nullopt;
        Proposal proposal{.text = fmt::format("{}:", reference_.name), .score = score_};
        const auto add = [&](std::string_view name, const auto& value) {
            proposal.text += fmt::format("{}{}={}", proposal.text.ends_with(':') ? "" : ",", name, value);
        };
        for (std::size_t i = 0; i < reference_.buffers.size(); ++i)
            add(reference_.buffers[i].name, supplied_[i].argument);
        const auto isSame = [&](const auto& extent) { return extent.second == extents->begin()->second; };
        if (!reference_.square.empty() && std::ranges::all_of(*extents, isSame))
            add(reference_.square, extents->begin()->second);
        else
            for (const std::string_view name : catalog::extentsOf(reference_))
                add(name, extents->find(name)->second);
        for (const catalog::ReferenceParameter& parameter : reference_.parameters) {
            if (!parameter.choices.empty()) {
                const auto named = std::ranges::find_if(parameter.choices, [&](std::string_view choice) {
                    return hasWord(kernel_.entry, choice);
                });
                add(parameter.name, named == parameter.choices.end() ? parameter.choices.front() : *named);
            } else if (parameter.name == "chunk") {
                const std::optional<u64> chunk = chunkOf(*extents);
                if (!chunk) return std::nullopt;
                if (*chunk > 0) add(parameter.name, *chunk);
            }
        }
        return proposal;
    }

private:
    int nameScore() const {
        return std::ranges::any_of(reference_.words,
                                   [&](std::string_view word) { return hasWord(kernel_.entry, word); })
                   ? 3
                   : 0;
    }

    // If the name does not tell: only distinctive patterns.
    int shapeScore() const {
        std::size_t buffers = 0;
        for (const KernelShape::Argument& argument : kernel_.arguments)
            buffers += argument.isBuffer;
        if (buffers != reference_.buffers.size()) return 0;
        const bool isPlane = kernel_.block.y > 1 || kernel_.grid.y > 1;
        if (reference_.name == "matmul")
            return looksLikeMatmul(kernel_.body) ? 2 : kernel_.body.empty() && isPlane ? 1 : 0;
        if (reference_.name == "transpose")
            return isPlane && supplied_[0].elements == supplied_[1].elements ? 1 : 0;
        if (reference_.name == "reduction") {
            const u64 parts = supplied_[1].elements;
            return supplied_[0].elements > parts && (parts == 1 || parts == kernel_.grid.count()) ? 1 : 0;
        }
        return 0;
    }

    bool fits(const KernelShape::Argument& argument, const catalog::ReferenceBuffer& buffer,
              bool isOutput) const {
        if (!argument.isBuffer || (buffer.type && *buffer.type != argument.type)) return false;
        return argument.written.value_or(isOutput) == isOutput;
    }

    // By name, else in order; the last one written is the output.
    bool assign() {
        std::vector<bool> isUsed(kernel_.arguments.size());
        supplied_.assign(reference_.buffers.size(), {});
        std::vector<bool> isSupplied(reference_.buffers.size());
        const auto take = [&](std::size_t buffer, std::size_t argument) {
            supplied_[buffer] = {u32(argument), kernel_.arguments[argument].elements};
            isUsed[argument] = isSupplied[buffer] = true;
        };
        const std::size_t output = reference_.buffers.size() - 1;
        for (std::size_t buffer = 0; buffer <= output; ++buffer)
            for (std::size_t i = 0; i < kernel_.arguments.size() && !isSupplied[buffer]; ++i)
                if (!isUsed[i] &&
                    lower(kernel_.arguments[i].name) == lower(reference_.buffers[buffer].name) &&
                    fits(kernel_.arguments[i], reference_.buffers[buffer], buffer == output))
                    take(buffer, i);
        for (const bool isKnown : {true, false})
            for (std::size_t i = kernel_.arguments.size(); i-- > 0 && !isSupplied[output];)
                if (!isUsed[i] && fits(kernel_.arguments[i], reference_.buffers[output], true) &&
                    (!isKnown || kernel_.arguments[i].written))
                    take(output, i);
        for (std::size_t buffer = 0; buffer < output; ++buffer)
            for (std::size_t i = 0; i < kernel_.arguments.size() && !isSupplied[buffer]; ++i)
                if (!isUsed[i] && fits(kernel_.arguments[i], reference_.buffers[buffer], false))
                    take(buffer, i);
        if (std::ranges::find(isSupplied, false) != isSupplied.end()) return false;
        // One type for all if it is not fixed.
        return std::ranges::all_of(
            std::views::iota(std::size_t{0}, reference_.buffers.size()), [&](std::size_t i) {
                return reference_.buffers[i].type || kernel_.arguments[supplied_[i].argument].type ==
                                                         kernel_.arguments[supplied_[0].argument].type;
            });
    }

    // The kernel's own values, if consistent; else derived from the buffers.
    std::optional<catalog::Extents> findExtents() const {
        const std::vector<std::string_view> names = catalog::extentsOf(reference_);
        std::vector<const KernelShape::Argument*> values;
        for (const KernelShape::Argument& argument : kernel_.arguments)
            if (!argument.isBuffer && argument.value > 0 && argument.value <= kMostWhole)
                values.push_back(&argument);
        catalog::Extents given;
        for (const KernelShape::Argument* value : values)
            for (const std::string_view name : names)
                if (lower(value->name) == name) given.emplace(name, u64(value->value));
        if (given.empty() && values.size() == 1) {
            if (!reference_.square.empty())
                given.emplace(reference_.square, u64(values.front()->value));
            else
                given.emplace(names.front(), u64(values.front()->value));
        }
        if (!given.contains(reference_.square))
            for (std::size_t i = 0; i < reference_.buffers.size(); ++i)
                if (const catalog::ReferenceBuffer& buffer = reference_.buffers[i];
                    buffer.extents.size() == 1 && !given.empty())
                    given.emplace(buffer.extents.front(), supplied_[i].elements);
        if (!given.empty())
            if (Expected<catalog::Extents> extents = catalog::solveExtents(reference_, supplied_, given))
                return std::move(*extents);
        Expected<catalog::Extents> extents = catalog::solveExtents(reference_, supplied_, {});
        return extents ? std::optional(std::move(*extents)) : std::nullopt;
    }

    // Elements of a block's part; 0: equal parts. None: no part of 1, 2, 4 or 8 elements per thread gives
    // that number.
    std::optional<u64> chunkOf(const catalog::Extents& extents) const {
        const u64 n = extents.find("n")->second, parts = extents.find("parts")->second;
        for (const u64 each : {1, 2, 4, 8})
            if (const u64 chunk = each * kernel_.block.count();
                chunk > 0 && parts > 1 && (n - 1) / chunk + 1 == parts)
                return n == chunk * parts ? 0 : chunk;
        return n % parts == 0 ? std::optional<u64>(0) : std::nullopt;
    }

    const catalog::Reference& reference_;
    const KernelShape& kernel_;
    std::vector<catalog::SuppliedBuffer> supplied_;
    int score_ = 0;
};

// "f32[4096]=random", "i32:96"
KernelShape::Argument argumentOf(std::string_view text) {
    KernelShape::Argument argument;
    const std::size_t mark = text.find_first_of("[:");
    if (mark == std::string_view::npos) return argument;
    const ElementTypeInfo* type = findElementType(text.substr(0, mark));
    if (!type) return argument;
    argument.type = type->type;
    argument.isBuffer = text[mark] == '[';
    const std::string_view number =
        text.substr(mark + 1, argument.isBuffer ? text.find(']') - mark - 1 : std::string_view::npos);
    const s64 value = catalog::typedWhole(number).value_or(0);
    if (argument.isBuffer)
        argument.elements = u64(std::max<s64>(value, 0));
    else if (!isReal(type->type))
        argument.value = value;
    argument.isBuffer = argument.isBuffer && argument.elements > 0;
    return argument;
}

s64 wholeOf(const ScalarArgument& scalar) {
    if (scalar.bytes.size() != 4 && scalar.bytes.size() != 8) return 0;
    s64 value = 0;
    std::memcpy(&value, scalar.bytes.data(), scalar.bytes.size());
    return value;
}

}  // namespace

KernelShape kernelShapeOf(const KernelInFile& kernel, std::span<const std::string> arguments,
                          const std::string& grid, const std::string& block) {
    KernelShape shape{.entry = kernel.entry,
                      .body = kernel.body,
                      .arguments = {},
                      .grid = dimensions(grid, "--grid", 1).value_or(Dim3{1, 1, 1}),
                      .block = dimensions(block, "--block", 1).value_or(Dim3{1, 1, 1}),
                      .others = {}};
    const std::vector<std::string> types = parametersOf(kernel.signature);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        KernelShape::Argument argument = argumentOf(arguments[i]);
        if (i < kernel.names.size()) argument.name = kernel.names[i];
        if (types.size() == arguments.size() && types[i].find("const*") != std::string::npos)
            argument.written = false;
        else if (!argument.name.empty() && isStoredTo(kernel.body, argument.name))
            argument.written = true;
        shape.arguments.push_back(std::move(argument));
    }
    return shape;
}

KernelShape kernelShapeOf(const Run& run) {
    KernelShape shape{.entry = run.recording.entry,
                      .body = {},
                      .arguments = {},
                      .grid = {1, 1, 1},
                      .block = {1, 1, 1},
                      .others = {}};
    if (run.recording.launches.empty()) return shape;
    const Launch launch = withAllBuffers(run.recording.launches);
    const std::size_t own = run.recording.launches.front().arguments.size();
    shape.grid = launch.grid;
    shape.block = launch.block;
    const std::span<const Buffer> before = run.recording.initial, after = run.recording.final;
    std::vector<bool> isChanged(before.size());
    for (std::size_t i = 0; i < before.size() && i < after.size(); ++i)
        isChanged[i] = before[i].bytes != after[i].bytes;
    const bool isAnyChanged = std::ranges::find(isChanged, true) != isChanged.end();
    std::vector<std::string> names;
    for (const std::string& source : run.module->sources) {
        if (shape.body.empty()) shape.body = explain::kernelBody(source, shape.entry);
        if (names.empty()) names = explain::parameterNames(source, shape.entry);
    }
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        KernelShape::Argument argument;
        if (names.size() == own && i < own) argument.name = names[i];
        if (const auto* buffer = std::get_if<BufferArgument>(&launch.arguments[i]);
            buffer && buffer->buffer < before.size()) {
            argument.isBuffer = true;
            argument.type = before[buffer->buffer].type;
            argument.elements = before[buffer->buffer].count();
            if (isAnyChanged) argument.written = isChanged[buffer->buffer];
        } else if (const auto* scalar = std::get_if<ScalarArgument>(&launch.arguments[i])) {
            argument.value = wholeOf(*scalar);
        }
        shape.arguments.push_back(std::move(argument));
    }
    const auto sizesOf = [&](const ptx::Function& function) {
        std::vector<u64> sizes;
        for (const ptx::VariableId parameter : function.parameters)
            sizes.push_back(run.module->variables[parameter.value].sizeBytes);
        return sizes;
    };
    const bool isAlone = run.recording.launches.size() == 1;
    if (const ptx::Function* kernel = isAlone ? run.module->findEntry(launch.entry) : nullptr)
        for (const ptx::Function& function : run.module->functions)
            if (function.isEntry && &function != kernel && sizesOf(function) == sizesOf(*kernel))
                shape.others.push_back(ptx::shortName(function.name));
    return shape;
}

std::vector<std::string> proposedReferences(const KernelShape& kernel) {
    std::vector<Proposal> proposals;
    for (const catalog::Reference& reference : catalog::references())
        if (std::optional<Proposal> proposal = Matcher(reference, kernel).match())
            proposals.push_back(std::move(*proposal));
    std::ranges::stable_sort(proposals, std::ranges::greater{}, &Proposal::score);
    std::vector<std::string> texts;
    for (Proposal& proposal : proposals)
        texts.push_back(std::move(proposal.text));
    for (const std::string& other : kernel.others)
        texts.push_back("kernel:" + other);
    return texts;
}

}  // namespace lockstep::run
