#include "run/own_kernel.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/text_file.h"
#include "cuda/nvrtc.h"
#include "run/parameter_names.h"
#include "simt/launch_mistake.h"

namespace lockstep::run {
namespace {

bool isMacro(const std::string& define) {
    const std::string name = define.substr(0, define.find('='));
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return !name.empty() && !isDigit(name[0]) && std::ranges::all_of(name, [&](char c) { return isLetter(c) || isDigit(c); });
}

// "f(int, float const*)" gives "int" and "float const*"; commas within templates separate nothing.
std::vector<std::string> parametersOf(const std::string& signature) {
    std::vector<std::string> parameters;
    if (!signature.ends_with(')')) return parameters;
    // The parenthesis that the last one closes.
    int depth = 0;
    std::size_t open = signature.size();
    while (open-- > 0) {
        if (signature[open] == ')') ++depth;
        if (signature[open] == '(' && --depth == 0) break;
    }
    std::string parameter;
    depth = 0;
    for (const char c : signature.substr(open + 1, signature.size() - open - 2)) {
        if (c == '<' || c == '(') ++depth;
        if (c == '>' || c == ')') --depth;
        if (c == ',' && depth == 0) {
            parameters.push_back(std::exchange(parameter, {}));
        } else if (c != ' ' || !parameter.empty()) {
            parameter += c;
        }
    }
    if (!parameter.empty()) parameters.push_back(parameter);
    return parameters;
}

// C++ types as demangled, and the elements that --arg knows.
struct TypeRow { std::string_view cpp, element; u32 elements = 1; };
constexpr std::array kTypes{
    TypeRow{"float", "f32"}, TypeRow{"double", "f64"}, TypeRow{"__half", "f16"}, TypeRow{"int", "i32"}, TypeRow{"unsigned int", "u32"},
    TypeRow{"char", "i8"}, TypeRow{"signed char", "i8"}, TypeRow{"unsigned char", "u8"}, TypeRow{"bool", "u8"}, TypeRow{"short", "i16"},
    TypeRow{"unsigned short", "u16"}, TypeRow{"long", "i64"}, TypeRow{"unsigned long", "u64"}, TypeRow{"long long", "i64"},
    TypeRow{"unsigned long long", "u64"}, TypeRow{"float2", "f32", 2}, TypeRow{"float4", "f32", 4}, TypeRow{"int2", "i32", 2},
    TypeRow{"int4", "i32", 4}, TypeRow{"uint2", "u32", 2}, TypeRow{"uint4", "u32", 4}, TypeRow{"double2", "f64", 2}};

std::string argumentFor(std::string type, u64 bytes) {
    const bool isPointer = type.ends_with('*');
    if (isPointer) type.pop_back();
    for (const std::string_view word : {" const", " volatile", " __restrict"})
        while (type.ends_with(word)) type.resize(type.size() - word.size());
    const auto row = std::ranges::find(kTypes, std::string_view(type), &TypeRow::cpp);
    if (isPointer) return fmt::format("{}[{}]=random", row == kTypes.end() ? "f32" : row->element, (row == kTypes.end() ? 1 : row->elements) * kProposedElements);
    if (row != kTypes.end() && row->elements == 1) {
        if (row->element.starts_with('f')) return fmt::format("{}:1", row->element);
        // As many as there are elements, as far as the type goes.
        return fmt::format("{}:{}", row->element, row->element.ends_with("i8") || row->element.ends_with("u8") ? 1 : kProposedElements);
    }
    // Nothing but its size is known: eight bytes are most often a pointer, four most often a number of elements.
    if (bytes == 8) return fmt::format("f32[{}]=random", kProposedElements);
    if (bytes == 4) return fmt::format("i32:{}", kProposedElements);
    return "hex:" + std::string(2 * bytes, '0');
}

Expected<std::string> ptxOf(const std::filesystem::path& file, const std::vector<std::string>& defines, const std::string& entry) {
    Expected<std::string> text = readTextFile(file, "give the path of a .cu or .ptx file");
    if (!text || file.extension() == ".ptx") return text;
    std::vector<std::string> entries;
    if (entry.find('<') != std::string::npos) entries.push_back(entry);  // a template: only what is asked for is there
    Expected<cuda::CompiledPtx> compiled = cuda::compile(*text, file.string(), {.entries = entries, .defines = defines});
    if (!compiled) return Unexpected{compiled.error()};
    return std::move(compiled->text);
}

std::string written(Dim3 d) { return d.z > 1 ? fmt::format("{},{},{}", d.x, d.y, d.z) : d.y > 1 ? fmt::format("{},{}", d.x, d.y) : std::to_string(d.x); }

// As the launch was asked for.
std::string optionOf(simt::LaunchPart part, const Launch& launch) {
    switch (part) {
        case simt::LaunchPart::Grid: return "--grid " + written(launch.grid);
        case simt::LaunchPart::Block: return "--block " + written(launch.block);
        case simt::LaunchPart::DynamicSharedBytes: break;
    }
    return "--shared " + std::to_string(launch.dynamicSharedBytes);
}

}  // namespace

Expected<Dim3> dimensions(const std::string& text, const std::string& option, u32 least) {
    const u32 missing = least ? 1 : 0;
    std::array<u32, 3> parts{missing, missing, missing};
    const char* at = text.data();
    const char* end = text.data() + text.size();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto [next, error] = std::from_chars(at, end, parts[i]);
        if (error != std::errc{} || parts[i] < least) break;
        if (next == end) return Dim3{parts[0], parts[1], parts[2]};
        if (*next != ',') break;
        at = next + 1;
    }
    return fail(FaultKind::Usage, option + " " + text + ": write one to three whole numbers from " + std::to_string(least) +
                                      " with commas, for example " + option + " 16,16");
}

Expected<FileRequest> requestOf(const std::filesystem::path& file, const std::string& entry, const LaunchText& launch) {
    for (const std::string& define : launch.defines)
        if (!isMacro(define))
            return fail(FaultKind::Usage, "--define " + define + ": write it as NAME or NAME=VALUE, for example --define TILE=16");
    std::error_code ignored;
    for (const std::string& folder : launch.includeFolders)
        if (!std::filesystem::is_directory(folder, ignored))
            return fail(FaultKind::NotFound, "--include " + folder + ": there is no such folder");
    if (launch.grid.empty() || launch.block.empty())
        return fail(FaultKind::Usage, std::string(launch.grid.empty() ? "--grid" : "--block") + " is missing: a kernel of your own needs --grid X[,Y[,Z]] and --block X[,Y[,Z]]");
    const Expected<Dim3> grid = dimensions(launch.grid, "--grid", 1), block = dimensions(launch.block, "--block", 1);
    if (!grid) return Unexpected{grid.error()};
    if (!block) return Unexpected{block.error()};
    FileRequest request{.file = file, .entry = entry, .grid = *grid, .block = *block, .dynamicSharedBytes = launch.dynamicSharedBytes,
                        .defines = launch.defines, .arguments = launch.arguments, .includeFolders = {}};
    request.includeFolders.assign(launch.includeFolders.begin(), launch.includeFolders.end());
    return request;
}

Expected<void> checkLaunch(const ptx::Module& module, const Launch& launch, const simt::DeviceLimits& limits) {
    const ptx::Function* entry = module.findEntry(launch.entry);
    if (!entry) return {};
    const std::optional<simt::LaunchMistake> mistake = simt::launchMistake(module, *entry, launch, limits);
    if (!mistake) return {};
    return fail(FaultKind::Usage, (mistake->part ? optionOf(*mistake->part, launch) + ": " : std::string()) + "kernel \"" + ptx::shortName(launch.entry) + "\": " + mistake->message);
}

Expected<std::vector<KernelInFile>> kernelsIn(const std::filesystem::path& file, const std::vector<std::string>& defines, const std::string& entry) {
    Expected<std::string> text = ptxOf(file, defines, entry);
    if (!text) return Unexpected{text.error()};
    const Expected<ptx::Module> module = ptx::parse(std::move(*text), file.string());
    if (!module) return Unexpected{module.error()};
    std::vector<KernelInFile> kernels;
    const Expected<std::string> source = file.extension() == ".ptx" ? std::string() : readTextFile(file, "give the path of a .cu or .ptx file");
    for (const ptx::Function& function : module->functions) {
        if (!function.isEntry) continue;
        const std::string signature = ptx::demangle(function.name);
        const std::vector<std::string> types = parametersOf(signature);
        KernelInFile kernel{.entry = ptx::shortName(function.name), .signature = signature, .arguments = {}, .names = {}};
        if (source) kernel.names = parameterNames(*source, kernel.entry);
        if (kernel.names.size() != function.parameters.size()) kernel.names.clear();
        for (std::size_t i = 0; i < function.parameters.size(); ++i) {
            const ptx::Variable& parameter = module->variables[function.parameters[i].value];
            kernel.arguments.push_back(argumentFor(types.size() == function.parameters.size() ? types[i] : std::string(), parameter.sizeBytes));
        }
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

}  // namespace lockstep::run
