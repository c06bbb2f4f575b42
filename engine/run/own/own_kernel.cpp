#include "run/own/own_kernel.h"

#include "base/files/text_file.h"
#include "base/nearest.h"
#include "base/text/typed_number.h"
#include "catalog/references/reference_text.h"
#include "cuda/compiler/nvrtc.h"
#include "explain/source/parameter_names.h"
#include "ptx/demangled_parameters.h"
#include "run/own/argument_types.h"
#include "run/own/further_launch.h"
#include "run/own/own_source.h"
#include "simt/decode/launch_mistake.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace lockstep::run {
namespace {

constexpr Words kGiveFile = english("give the path of a .cu or .ptx file");

constexpr std::size_t kMostInstances = 64;  // of templates that a file launches

bool isMacro(const std::string& define) {
    const std::string name = define.substr(0, define.find('='));
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return !name.empty() && !isDigit(name[0]) &&
           std::ranges::all_of(name, [&](char c) { return isLetter(c) || isDigit(c); });
}

std::string argumentFor(std::string type, u64 bytes) {
    const bool toMemory = type.ends_with('*');
    if (toMemory) type.pop_back();
    for (const std::string_view word : {" const", " volatile", " __restrict"})
        while (type.ends_with(word))
            type.resize(type.size() - word.size());
    const std::optional<ArgumentElement> element = elementOf(type);
    if (toMemory)
        return fmt::format("{}[{}]=random", element ? element->name : "f32",
                           (element ? element->count : 1) * kProposedElements);
    if (element && element->count == 1) {
        if (element->name.starts_with('f')) return fmt::format("{}:1", element->name);
        // The number of elements, limited by the type's range.
        return fmt::format(
            "{}:{}", element->name,
            element->name.ends_with("i8") || element->name.ends_with("u8") ? 1 : kProposedElements);
    }
    // Only its size is known: eight bytes are usually a pointer, four usually a number of elements.
    if (bytes == 8) return fmt::format("f32[{}]=random", kProposedElements);
    if (bytes == 4) return fmt::format("i32:{}", kProposedElements);
    return "hex:" + std::string(2 * bytes, '0');
}

struct OpenFile {
    std::string text, ptx;
    source::CourseFile course;  // of a .cu
};

Expected<OpenFile> openFile(const std::filesystem::path& file, std::string text,
                            const std::vector<std::string>& defines,
                            const std::vector<std::filesystem::path>& includeFolders,
                            const std::string& entry, const std::stop_token& stop) {
    if (file.extension() == ".ptx") return OpenFile{{}, std::move(text), {}};
    OpenFile open{std::move(text), {}, {}};
    open.course = readOwnSource(open.text, file, defines, includeFolders);
    // Only requested template instances exist: by the user, and by the file's own launches.
    std::vector<std::string> asked, launched;
    if (entry.find('<') != std::string::npos) asked.push_back(entry);
    for (const source::Launch& launch : open.course.launches)
        if (launch.isEntryKnown && launch.entry != launch.kernel &&
            std::ranges::find(launched, launch.entry) == launched.end() && launched.size() < kMostInstances)
            launched.push_back(launch.entry);
    std::vector<std::string> both = asked;
    for (const std::string& one : launched)
        if (std::ranges::find(both, one) == both.end()) both.push_back(one);
    cuda::CompileOptions options{
        .entries = both, .defines = defines, .includeFolders = includeFolders, .stop = stop};
    Expected<cuda::CompiledPtx> compiled = compileOwnSource(open.course, open.text, file.string(), options);
    if (!compiled && both != asked && !stop.stop_requested()) {
        options.entries = asked;
        if (Expected<cuda::CompiledPtx> other =
                compileOwnSource(open.course, open.text, file.string(), options))
            compiled = std::move(other);
    }
    if (!compiled) return Unexpected{compiled.error()};
    open.ptx = std::move(compiled->text);
    return open;
}

std::string written(Dim3 d) {
    return d.z > 1   ? fmt::format("{},{},{}", d.x, d.y, d.z)
           : d.y > 1 ? fmt::format("{},{}", d.x, d.y)
                     : std::to_string(d.x);
}

// The launch as requested.
std::string optionOf(simt::LaunchPart part, const Launch& launch) {
    switch (part) {
        case simt::LaunchPart::Grid: return "--grid " + written(launch.grid);
        case simt::LaunchPart::Block: return "--block " + written(launch.block);
        case simt::LaunchPart::DynamicSharedBytes: break;
    }
    return "--shared " + std::to_string(launch.dynamicSharedBytes);
}

std::string bare(std::string text) {
    std::erase(text, ' ');
    return text;
}

// Equivalent template arguments in host code and from demanglers: "16u" and "(unsigned int)16", "true" and
// "(bool)1".
std::string normalized(std::string text) {
    for (const std::string_view type : {"(bool)1", "(bool)0"})
        for (std::size_t at = text.find(type); at != std::string::npos; at = text.find(type))
            text.replace(at, type.size(), type.ends_with('1') ? "true" : "false");
    for (const std::string_view type : {"(int)", "(unsignedint)", "(long)", "(unsignedlong)"})
        for (std::size_t at = text.find(type); at != std::string::npos; at = text.find(type))
            text.erase(at, type.size());
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isSuffix = (text[i] == 'u' || text[i] == 'l') && i > 0 && text[i - 1] >= '0' &&
                              text[i - 1] <= '9' && i + 1 < text.size() &&
                              (text[i + 1] == ',' || text[i + 1] == '>' || text[i + 1] == 'l');
        if (!isSuffix) result += text[i];
    }
    return result;
}

// A launch of "mm<16>" is one of the kernel "mm<16>", one of "mm<16>" as written with a default argument too.
bool isLaunchOf(const source::Launch& launch, const std::string& kernel) {
    const std::string written = bare(launch.entry), name = bare(kernel);
    const auto lastPart = [](const std::string& text) {
        const std::string head = text.substr(0, text.find('<'));
        const std::size_t scope = head.rfind("::");
        return scope == std::string::npos ? text : text.substr(scope + 2);
    };
    if (lastPart(written) == lastPart(name)) return true;
    // The compiler writes all arguments: "mm<float, 16>" for "mm<float>" with a default.
    const std::string a = lastPart(written), b = lastPart(name);
    if (!launch.isEntryKnown) return a.substr(0, a.find('<')) == b.substr(0, b.find('<'));
    if (a.find('<') == std::string::npos)
        return b.substr(0, b.find('<')) == a && b.find('<') != std::string::npos;
    return normalized(a) == normalized(b);
}

// The user's headers may declare the kernel.
std::vector<std::string> namesIn(const OpenFile& open, const std::string& entry) {
    std::vector<std::string> names = explain::parameterNames(open.text, entry);
    for (const source::CourseHeader& header : open.course.headers)
        if (names.empty()) names = explain::parameterNames(header.original, entry);
    return names;
}
std::string bodyIn(const OpenFile& open, const std::string& entry) {
    std::string body = explain::kernelBody(open.text, entry);
    for (const source::CourseHeader& header : open.course.headers)
        if (body.empty()) body = explain::kernelBody(header.original, entry);
    return body;
}

// Kernels that `entry` may mean; all if it is empty.
std::vector<const KernelInFile*> kernelsMeant(const FileContents& contents, const std::string& entry) {
    const std::string asked = normalized(bare(entry));
    std::vector<const KernelInFile*> meant;
    for (const KernelInFile& kernel : contents.kernels) {
        const std::string name = bare(kernel.entry);
        if (asked.empty() || normalized(name) == asked || name.substr(0, name.find('<')) == asked ||
            bare(kernel.signature) == bare(entry))
            meant.push_back(&kernel);
    }
    return meant;
}

bool isOverloaded(const KernelInFile& kernel, const std::vector<KernelInFile>& kernels) {
    return std::ranges::count(kernels, kernel.entry, &KernelInFile::entry) > 1;
}

Fault noSuchKernel(const std::string& file, const std::string& entry, const FileContents& contents) {
    std::vector<std::string> names;
    for (const KernelInFile& kernel : contents.kernels)
        names.push_back(isOverloaded(kernel, contents.kernels) ? kernel.signature : kernel.entry);
    return fail(FaultKind::NotFound,
                Message(english("has no kernel '{0}'; it has {1}{2}"), entry,
                        fmt::format("{}", fmt::join(names, ", ")), didYouMean(entry, names)),
                {file, 0, 0})
        .value();
}

Fault severalKernels(const std::string& file, const std::vector<const KernelInFile*>& kernels,
                     const FileContents& contents) {
    Message list;
    for (const KernelInFile* kernel : kernels) {
        const std::string name =
            isOverloaded(*kernel, contents.kernels) ? "'" + kernel->signature + "'" : kernel->entry;
        if (!list.empty()) list += english(", ");
        list += kernel->launches.empty()
                    ? Message::plain(name)
                    : Message(english("{0} (line {1}: {2})"), name, kernel->launches.front().line,
                              kernel->launches.front().title);
    }
    return fail(FaultKind::Usage, Message(english("has several kernels; say which with --entry: {0}"), list),
                {file, 0, 0})
        .value();
}

// With the missing options, so that it can be typed as shown.
Fault launchIsUnknown(const std::string& file, const KernelInFile& kernel, const LaunchText& launch) {
    std::string options;
    if (launch.grid.empty()) options += fmt::format(" --grid {}", kProposedElements / kProposedBlock);
    if (launch.block.empty()) options += fmt::format(" --block {}", kProposedBlock);
    if (launch.arguments.empty())
        for (const std::string& argument : kernel.arguments)
            options += " --arg '" + argument + "'";
    return fail(FaultKind::Usage,
                Message(english("does not say how '{0}' is launched; add what fits, for example{1}"),
                        kernel.entry, options),
                {file, 0, 0})
        .value();
}

}  // namespace

Expected<Dim3> dimensions(const std::string& text, const std::string& option, u32 least) {
    const u32 missing = least ? 1 : 0;
    std::array<u32, 3> parts{missing, missing, missing};
    std::string_view rest = text;
    for (u32& part : parts) {
        const std::size_t comma = rest.find(',');
        const std::optional<s64> typed = typedNumberInList(rest.substr(0, comma));
        if (!typed || *typed < least || *typed > std::numeric_limits<u32>::max()) break;
        part = u32(*typed);
        if (comma == std::string_view::npos) return Dim3{parts[0], parts[1], parts[2]};
        rest.remove_prefix(comma + 1);
    }
    return fail(
        FaultKind::Usage,
        Message(
            english("{0} {1}: write one to three whole numbers from {2} with commas, for example {0} 16,16"),
            option, text, least));
}

Expected<FileRequest> requestOf(const std::filesystem::path& file, const std::string& entry,
                                const LaunchText& launch) {
    for (const std::string& define : launch.defines)
        if (!isMacro(define))
            return fail(
                FaultKind::Usage,
                Message(english("--define {0}: write it as NAME or NAME=VALUE, for example --define TILE=16"),
                        define));
    std::error_code ignored;
    for (const std::string& folder : launch.includeFolders)
        if (!std::filesystem::is_directory(folder, ignored))
            return fail(FaultKind::NotFound,
                        Message(english("--include {0}: there is no such folder"), folder));
    for (const std::string& reference : launch.references)
        if (const Expected<catalog::ReferenceText> text = catalog::parseReference(reference); !text)
            return Unexpected{text.error()};
    if (launch.grid.empty() || launch.block.empty()) {
        // A launch does not help if there is nothing to launch.
        if (const Expected<std::string> text = readTextFile(file, kGiveFile); !text)
            return Unexpected{text.error()};
        return fail(
            FaultKind::Usage,
            Message(
                english("{0} is missing: a kernel of your own needs --grid X[,Y[,Z]] and --block X[,Y[,Z]]"),
                launch.grid.empty() ? "--grid" : "--block"));
    }
    const Expected<Dim3> grid = dimensions(launch.grid, "--grid", 1),
                         block = dimensions(launch.block, "--block", 1);
    if (!grid) return Unexpected{grid.error()};
    if (!block) return Unexpected{block.error()};
    FileRequest request{.file = file,
                        .entry = entry,
                        .grid = *grid,
                        .block = *block,
                        .dynamicSharedBytes = launch.dynamicSharedBytes,
                        .defines = launch.defines,
                        .arguments = launch.arguments,
                        .includeFolders = {}};
    request.references = launch.references;
    for (const std::string& text : launch.further) {
        Expected<FurtherLaunch> further = parseFurtherLaunch(text);
        if (!further) return Unexpected{further.error()};
        request.further.push_back(std::move(*further));
    }
    request.includeFolders.assign(launch.includeFolders.begin(), launch.includeFolders.end());
    return request;
}

Expected<void> checkLaunch(const ptx::Module& module, const Launch& launch,
                           const simt::DeviceLimits& limits) {
    const ptx::Function* entry = module.findEntry(launch.entry);
    if (!entry) return {};
    const std::optional<simt::LaunchMistake> mistake = simt::launchMistake(module, *entry, launch, limits);
    if (!mistake) return {};
    return fail(
        FaultKind::Usage,
        Message(english("{0}kernel \"{1}\": {2}"),
                mistake->part ? Message(english("{0}: "), optionOf(*mistake->part, launch)) : Message(),
                ptx::shortName(launch.entry), mistake->message));
}

Expected<FileContents> contentsOf(const std::filesystem::path& file, const std::vector<std::string>& defines,
                                  const std::string& entry,
                                  const std::vector<std::filesystem::path>& includeFolders,
                                  const std::stop_token& stop) {
    Expected<std::string> text = readTextFile(file, kGiveFile);
    if (!text) return Unexpected{text.error()};
    return contentsOfText(file, std::move(*text), defines, entry, includeFolders, stop);
}

Expected<FileContents> contentsOfText(const std::filesystem::path& file, std::string text,
                                      const std::vector<std::string>& defines, const std::string& entry,
                                      const std::vector<std::filesystem::path>& includeFolders,
                                      const std::stop_token& stop) {
    Expected<OpenFile> open = openFile(file, std::move(text), defines, includeFolders, entry, stop);
    if (!open) return Unexpected{open.error()};
    const Expected<ptx::Module> module = ptx::parse(std::move(open->ptx), file.string());
    if (!module) return Unexpected{module.error()};
    FileContents contents{.kernels = {}, .notes = std::move(open->course.notes)};
    for (const ptx::Function& function : module->functions) {
        if (!function.isEntry) continue;
        const std::string signature = ptx::demangle(function.name);
        std::vector<std::string> types = parametersOf(ptx::demangledParameters(function.name));
        KernelInFile kernel{.entry = ptx::shortName(function.name),
                            .signature = signature,
                            .arguments = {},
                            .names = {},
                            .launches = {}};
        kernel.names = namesIn(*open, kernel.entry);
        kernel.body = bodyIn(*open, kernel.entry);
        if (kernel.names.size() != function.parameters.size()) kernel.names.clear();
        if (types.size() != function.parameters.size()) types.clear();
        std::vector<u64> bytes;
        for (std::size_t i = 0; i < function.parameters.size(); ++i) {
            bytes.push_back(module->variables[function.parameters[i].value].sizeBytes);
            kernel.arguments.push_back(argumentFor(types.empty() ? std::string() : types[i], bytes.back()));
        }
        for (const source::Launch& launch : open->course.launches)
            if (isLaunchOf(launch, kernel.entry)) kernel.launches.push_back(proposalOf(launch, types, bytes));
        contents.kernels.push_back(std::move(kernel));
    }
    return contents;
}

Expected<std::vector<Fault>> completeFromFile(const std::filesystem::path& file, std::string& entry,
                                              LaunchText& launch, bool isSharedGiven) {
    std::vector<std::filesystem::path> folders(launch.includeFolders.begin(), launch.includeFolders.end());
    const bool isWhole = !launch.grid.empty() && !launch.block.empty() && !launch.arguments.empty();
    std::error_code ignored;
    if (isWhole || !std::filesystem::is_regular_file(file, ignored))
        return std::vector<Fault>{};  // opening it reports that
    Expected<FileContents> contents = contentsOf(file, launch.defines, entry, folders);
    if (!contents) return Unexpected{contents.error()};
    const bool isLaunched = !launch.grid.empty() && !launch.block.empty();
    if (contents->kernels.empty() && isLaunched) return std::vector<Fault>{};  // opening it reports that
    if (contents->kernels.empty())
        return fail(FaultKind::NotFound, english("this file has no kernel"), {.file = file.string()});
    const std::vector<const KernelInFile*> meant = kernelsMeant(*contents, entry);
    if (meant.empty()) return Unexpected{noSuchKernel(file.string(), entry, *contents)};
    const bool hasLaunches = std::ranges::any_of(
        contents->kernels, [](const KernelInFile& kernel) { return !kernel.launches.empty(); });
    if (isLaunched && !hasLaunches) return std::vector<Fault>{};
    if (meant.size() > 1) return Unexpected{severalKernels(file.string(), meant, *contents)};
    const KernelInFile& kernel = *meant.front();
    if (kernel.launches.empty() && isLaunched) return std::vector<Fault>{};
    if (kernel.launches.empty()) return Unexpected{launchIsUnknown(file.string(), kernel, launch)};
    const auto whole = std::ranges::find_if(kernel.launches, &ProposedLaunch::isWhole);
    const ProposedLaunch& proposal = whole == kernel.launches.end() ? kernel.launches.front() : *whole;
    const auto isLacking = [](const std::string& argument) { return argument.empty(); };
    const bool lacksArguments =
        launch.arguments.empty() && std::ranges::any_of(proposal.arguments, isLacking);
    for (const Fault& unknown : proposal.unknown) {
        const std::string said = unknown.message.english();
        const bool isOfGrid = said.ends_with("--grid"), isOfBlock = said.ends_with("--block"),
                   isOfShared = said.ends_with("--shared");
        const bool isNeeded = isOfGrid     ? launch.grid.empty()
                              : isOfBlock  ? launch.block.empty()
                              : isOfShared ? !isSharedGiven
                                           : lacksArguments;
        if (isNeeded) return Unexpected{unknown};
    }
    std::vector<Fault> notes = std::move(contents->notes);
    std::string taken;
    const auto take = [&](std::string& option, const std::string& name, const std::string& value) {
        if (!option.empty() || value.empty()) return;
        option = value;
        taken += " " + name + " " + value;
    };
    entry = kernel.entry;
    take(launch.grid, "--grid", proposal.grid);
    take(launch.block, "--block", proposal.block);
    if (!isSharedGiven && proposal.shared != "0") {
        std::from_chars(proposal.shared.data(), proposal.shared.data() + proposal.shared.size(),
                        launch.dynamicSharedBytes);
        taken += " --shared " + proposal.shared;
    }
    if (launch.arguments.empty()) {
        launch.arguments = proposal.arguments;
        for (const std::string& argument : proposal.arguments)
            taken += " --arg " + argument;
    }
    notes.push_back(
        fail(FaultKind::Usage,
             kernel.launches.size() > 1
                 ? Message(
                       english("launch taken from here (the first of {0} launches that the file tells):{1}"),
                       kernel.launches.size(), taken)
                 : Message(english("launch taken from here:{0}"), taken),
             {proposal.file, proposal.line, 0})
            .value());
    return notes;
}

}  // namespace lockstep::run
