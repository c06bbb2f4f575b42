// Makes an Experiment from a catalog variant or a user's own file: parses PTX, attaches sources, fills
// buffers.
#include "base/check.h"
#include "base/files/text_file.h"
#include "base/text/counted.h"
#include "catalog/prebuilt.h"
#include "catalog/values/argument_text.h"
#include "cuda/compiler/nvrtc.h"
#include "explain/source/parameter_names.h"
#include "run/catalog_ptx.h"
#include "run/own/further_launch.h"
#include "run/own/open_text.h"
#include "run/own/own_reference.h"
#include "run/own/own_source.h"
#include "run/run.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::run {
namespace {

// Gives the module the .cu text under the name that its line table uses.
void attachSource(ptx::Module& module, const std::string& name, const std::string& text) {
    module.sources.resize(module.files.size());
    const std::string normal = std::filesystem::path(name).lexically_normal().generic_string();
    for (std::size_t file = 1; file < module.files.size(); ++file)
        if (module.files[file] == normal) module.sources[file] = text;
}

std::string withoutBlanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

// An entry by its PTX name, or by its name as written in C++ ("mm_tiled<16>"), if overloaded, with its
// parameters ("scale(float*, int)"); "" if there is only one. takesOnly: that one, whatever is written.
Expected<std::string> ptxNameOf(const ptx::Module& module, const std::string& written,
                                const std::string& file, bool takesOnly = false) {
    std::string known;
    std::vector<std::string> found, all;
    for (const ptx::Function& function : module.functions) {
        if (!function.isEntry) continue;
        const std::string name = ptx::shortName(function.name);
        known += (known.empty() ? "" : ", ") + name;
        all.emplace_back(function.name);
        const bool isMeant = written.empty() || written == function.name || written == name ||
                             withoutBlanks(written) == withoutBlanks(ptx::demangle(function.name));
        if (isMeant) found.emplace_back(function.name);
    }
    if (found.size() == 1) return found.front();
    if (takesOnly && all.size() == 1) return all.front();
    if (known.empty())
        return fail(FaultKind::NotFound, english("has no kernel (a __global__ function)"), {.file = file});
    if (written.empty())
        return fail(FaultKind::Usage,
                    Message(english("has several kernels; say which with --entry: {0}"), known),
                    {.file = file});
    if (found.empty())
        return fail(FaultKind::NotFound, Message(english("has no kernel '{0}'; it has {1}"), written, known),
                    {.file = file});
    std::string signatures;
    for (const std::string& name : found)
        signatures += (signatures.empty() ? "" : ", ") + ("'" + ptx::demangle(name) + "'");
    return fail(FaultKind::Usage,
                Message(english("has several kernels called '{0}'; say which with --entry: {1}"), written,
                        signatures),
                {.file = file});
}

struct Compiled {
    ptx::Module module;
    std::string entry;                 // PTX name
    std::vector<Fault> warnings = {};  // of the compiler
};

Expected<Compiled> openPtx(const FileRequest& request, std::string text) {
    Expected<ptx::Module> module = ptx::parse(std::move(text), request.file.string());
    if (!module) return Unexpected{module.error()};
    Expected<std::string> entry =
        ptxNameOf(*module, request.entry, request.file.string(), request.takesOnlyKernel);
    if (!entry) return Unexpected{entry.error()};
    return Compiled{std::move(*module), std::move(*entry)};
}

Expected<Compiled> openCuda(const FileRequest& request, const std::string& source) {
    const source::CourseFile course =
        readOwnSource(source, request.file, request.defines, request.includeFolders);
    cuda::CompileOptions options{
        .defines = request.defines, .includeFolders = request.includeFolders, .asWritten = request.asWritten};
    const std::string written = entryIn(course, request.entry);
    const auto isInstance = [](const std::string& entry) { return entry.find('<') != std::string::npos; };
    const bool isTemplate = isInstance(written);
    if (isTemplate) options.entries.push_back(written);
    for (const FurtherLaunch& launch : request.further)
        if (isInstance(launch.entry) &&
            std::ranges::find(options.entries, launch.entry) == options.entries.end())
            options.entries.push_back(launch.entry);
    const Expected<cuda::CompiledPtx> ptx = compileOwnSource(course, source, request.file.string(), options);
    if (!ptx) return Unexpected{ptx.error()};
    Expected<ptx::Module> module = ptx::parse(ptx->text, request.file.string() + " (as PTX)");
    if (!module) return Unexpected{atSource(module.error(), ptx->text, request.file, source)};
    attachSource(*module, request.file.string(), source);
    for (const source::CourseHeader& header : course.headers)
        attachSource(*module, header.name, header.original);
    if (isTemplate) return Compiled{std::move(*module), ptx->entries.front().second, ptx->warnings};
    Expected<std::string> entry = ptxNameOf(*module, written, request.file.string(), request.takesOnlyKernel);
    if (!entry) return Unexpected{entry.error()};
    return Compiled{std::move(*module), std::move(*entry), ptx->warnings};
}

// What the kernel wants and what was given, before anything runs: where they differ the user reads them side
// by side.
Expected<void> checkArguments(const Compiled& compiled, const Launch& launch,
                              const std::vector<std::string>& given, const std::string& file) {
    const ptx::Function* entry = compiled.module.findEntry(compiled.entry);
    if (!entry) return {};
    const std::string kernel = ptx::shortName(compiled.entry);
    std::string wanted;
    for (ptx::VariableId parameter : entry->parameters)
        wanted += (wanted.empty() ? "" : ", ") +
                  std::to_string(compiled.module.variables[parameter.value].sizeBytes);
    if (given.size() != entry->parameters.size())
        return fail(
            FaultKind::Usage,
            Message(english("the kernel {0} has {1} {1:parameter|parameters}{2}, but there {3}; give one for "
                            "each, in order, "
                            "for example --arg f32[1024]=random for a pointer and --arg i32:96 for an int"),
                    kernel, grouped(entry->parameters.size()),
                    wanted.empty() ? Message() : Message(english(" (of {0} {0:byte|bytes})"), wanted),
                    given.size() == 1 ? Message(english("is 1 --arg"))
                                      : Message(english("are {0} --arg"), given.size())),
            {.file = file});
    for (std::size_t i = 0; i < given.size(); ++i) {
        const u64 size = compiled.module.variables[entry->parameters[i].value].sizeBytes;
        const auto* scalar = std::get_if<ScalarArgument>(&launch.arguments[i]);
        if (const u64 bytes = scalar ? scalar->bytes.size() : sizeof(u64); bytes != size)
            return fail(
                FaultKind::Usage,
                Message(english("--arg {0} ('{1}') has {2} {2:byte|bytes}, but parameter {0} of the kernel "
                                "{3} has {4}{5}"),
                        i, given[i], grouped(bytes), kernel, size,
                        size == 8 ? Message(english("; a pointer takes a buffer, such as f32[1024]=random"))
                                  : Message(english("; give a value of the parameter's type"))),
                {.file = file});
    }
    return {};
}

// Whether the kernel has a parameter for each argument, of its size.
Expected<void> checkSignature(const ptx::Module& module, const Launch& launch, const std::string& file) {
    const ptx::Function* entry = module.findEntry(launch.entry);
    CHECK(entry, "ptxNameOf() found it");
    const auto mistake = [&](const Message& what) { return fail(FaultKind::Usage, what, {.file = file}); };
    if (entry->parameters.size() != launch.arguments.size())
        return mistake(Message(english("the kernel {0} has {1} {1:parameter|parameters}, but it is launched "
                                       "with {2}; keep its parameters as they were given"),
                               ptx::shortName(launch.entry), entry->parameters.size(),
                               launch.arguments.size()));
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const auto* scalar = std::get_if<ScalarArgument>(&launch.arguments[i]);
        const u64 given = scalar ? scalar->bytes.size() : sizeof(u64);
        const u64 wanted = module.variables[entry->parameters[i].value].sizeBytes;
        if (given != wanted)
            return mistake(
                Message(english("parameter {0} of the kernel {1} has {2} {2:byte|bytes}, but it is launched "
                                "with {3}; keep its parameters as they were given"),
                        i + 1, ptx::shortName(launch.entry), wanted, given));
    }
    return {};
}

// A launch of --then, on the buffers of those before it and those that it adds.
Expected<Launch> furtherLaunch(const FurtherLaunch& request, const ptx::Module& module,
                               const std::string& file, const std::string& source, u64 seed,
                               std::vector<Buffer>& buffers) {
    const auto named = [&](Fault fault) {
        fault.message = Message(english("--then {0}: {1}"), request.entry, fault.message);
        return Unexpected{std::move(fault)};
    };
    const auto mistake = [&](const Message& what) {
        return named(fail(FaultKind::Usage, what, {.file = file}).value());
    };
    Expected<std::string> entry = ptxNameOf(module, request.entry, file);
    if (!entry) return named(entry.error());
    Launch launch{.entry = std::move(*entry),
                  .grid = request.grid,
                  .block = request.block,
                  .dynamicSharedBytes = request.dynamicSharedBytes,
                  .arguments = {}};
    const ptx::Function* kernel = module.findEntry(launch.entry);
    CHECK(kernel, "ptxNameOf() found it");
    if (kernel->parameters.size() != request.arguments.size())
        return mistake(
            Message(english("the kernel has {0} {0:parameter|parameters}, but there {1:is|are} {1} "
                            "{1:argument|arguments}"),
                    kernel->parameters.size(), request.arguments.size()));
    const std::vector<std::string> names = explain::parameterNames(source, ptx::shortName(launch.entry));
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
        const std::string& text = request.arguments[i];
        const u64 wanted = module.variables[kernel->parameters[i].value].sizeBytes;
        u64 bytes = sizeof(u64);  // of a buffer's address
        if (const std::optional<u32> earlier = bufferNamedIn(text)) {
            if (*earlier >= buffers.size())
                return mistake(Message(english("there is no {0}; the launches before have {1} "
                                               "{1:buffer|buffers}, counted from 0"),
                                       text, buffers.size()));
            launch.arguments.emplace_back(BufferArgument{*earlier});
        } else {
            Expected<catalog::ArgumentValue> value = catalog::parseArgument(text, u32(buffers.size()), seed);
            if (!value) return named(value.error());
            if (auto* buffer = std::get_if<Buffer>(&*value)) {
                if (names.size() == request.arguments.size()) buffer->name = names[i];
                if (std::ranges::find(buffers, buffer->name, &Buffer::name) != buffers.end())
                    buffer->name += fmt::format(" ({})", buffers.size());
                launch.arguments.emplace_back(BufferArgument{u32(buffers.size())});
                buffers.push_back(std::move(*buffer));
            } else {
                auto& scalar = std::get<ScalarArgument>(*value);
                bytes = scalar.bytes.size();
                launch.arguments.emplace_back(std::move(scalar));
            }
        }
        if (bytes != wanted)
            return mistake(Message(english("argument {0} ('{1}') has {2} {2:byte|bytes}, but the parameter "
                                           "has {3}"),
                                   i, text, bytes, wanted));
    }
    return launch;
}

}  // namespace

Expected<Experiment> open(const Resources& resources, const catalog::Family& family,
                          const catalog::Variant& variant, const catalog::Values& values, u64 seed) {
    Expected<catalog::Experiment> made = catalog::makeExperiment(family, variant, values, seed);
    if (!made) return Unexpected{made.error()};
    const std::filesystem::path ptxFile =
        resources.assets() / "ptx" / catalog::prebuiltPath(family, variant, values);
    const std::filesystem::path sourceFile = family.folder / variant.file;
    const Expected<std::string> source =
        readTextFile(sourceFile, english("family.toml names it as a variant's file"));
    if (!source) return Unexpected{source.error()};
    Expected<std::string> text = ptxOf(resources, family, variant, values, *source);
    if (!text) return Unexpected{text.error()};
    Expected<ptx::Module> module = ptx::parse(std::move(*text), ptxFile.string());
    if (!module) return Unexpected{module.error()};
    attachSource(*module, catalog::sourceName(family, variant), *source);

    Experiment experiment{.module = nullptr,
                          .launches = made->launches,
                          .buffers = std::move(made->buffers),
                          .catalog = {},
                          .entry = made->launches.front().entry,
                          .source = catalog::sourceName(family, variant),
                          .seed = seed};
    for (Launch& launch : experiment.launches) {
        Expected<std::string> name = ptxNameOf(*module, launch.entry, ptxFile.string());
        if (!name) return Unexpected{name.error()};
        launch.entry = std::move(*name);
    }
    made->buffers.clear();
    experiment.catalog = std::move(*made);
    experiment.module = std::make_shared<ptx::Module>(std::move(*module));
    return experiment;
}

Expected<CompiledFile> compileFile(const std::filesystem::path& file,
                                   const std::vector<std::string>& entries) {
    const Expected<std::string> text = readTextFile(file, english("give the path of a .cu file"));
    if (!text) return Unexpected{text.error()};
    const source::CourseFile course = readOwnSource(*text, file, {}, {});
    cuda::CompileOptions options;
    for (const std::string& entry : entries)
        if (entry.find('<') != std::string::npos) options.entries.push_back(entry);
    const Expected<cuda::CompiledPtx> ptx = compileOwnSource(course, *text, file.string(), options);
    if (!ptx) return Unexpected{ptx.error()};
    Expected<ptx::Module> module = ptx::parse(ptx->text, file.string() + " (as PTX)");
    if (!module) return Unexpected{atSource(module.error(), ptx->text, file, *text)};
    attachSource(*module, file.string(), *text);
    for (const source::CourseHeader& header : course.headers)
        attachSource(*module, header.name, header.original);
    CompiledFile compiled{
        .module = nullptr, .entries = ptx->entries, .file = file.string(), .warnings = ptx->warnings};
    for (const std::string& entry : entries) {
        if (std::ranges::find(compiled.entries, entry, &std::pair<std::string, std::string>::first) !=
            compiled.entries.end())
            continue;
        Expected<std::string> name = ptxNameOf(*module, entry, file.string());
        if (!name) return Unexpected{name.error()};
        compiled.entries.emplace_back(entry, std::move(*name));
    }
    compiled.module = std::make_shared<ptx::Module>(std::move(*module));
    return compiled;
}

Expected<Experiment> open(const CompiledFile& file, const catalog::Family& family,
                          const catalog::Variant& variant, const catalog::Values& values, u64 seed) {
    Expected<catalog::Experiment> made = catalog::makeExperiment(family, variant, values, seed);
    if (!made) return Unexpected{made.error()};
    Experiment experiment{.module = file.module,
                          .launches = made->launches,
                          .buffers = std::move(made->buffers),
                          .catalog = {},
                          .entry = made->launches.front().entry,
                          .source = file.file,
                          .seed = seed,
                          .reference = {},
                          .warnings = file.warnings};
    for (Launch& launch : experiment.launches) {
        const auto entry =
            std::ranges::find(file.entries, launch.entry, &std::pair<std::string, std::string>::first);
        CHECK(entry != file.entries.end(), "the file was compiled for the variant's launches");
        launch.entry = entry->second;
        if (const Expected<void> same = checkSignature(*file.module, launch, file.file); !same)
            return Unexpected{same.error()};
    }
    made->buffers.clear();
    experiment.catalog = std::move(*made);
    return experiment;
}

Expected<Experiment> open(const FileRequest& request) {
    const Expected<std::string> text =
        readTextFile(request.file, english("give the path of a .cu or .ptx file"));
    if (!text) return Unexpected{text.error()};
    return openText(request, *text);
}

Expected<Experiment> openText(const FileRequest& request, const std::string& text) {
    const bool isPtx = request.file.extension() == ".ptx";
    const std::string source = isPtx ? std::string() : text;
    Expected<Compiled> compiled = isPtx ? openPtx(request, text) : openCuda(request, text);
    if (!compiled) return Unexpected{compiled.error()};

    const std::string entry = compiled->entry;
    Launch launch{.entry = entry,
                  .grid = request.grid,
                  .block = request.block,
                  .dynamicSharedBytes = request.dynamicSharedBytes,
                  .arguments = {}};
    Experiment experiment{.module = nullptr,
                          .launches = {},
                          .buffers = {},
                          .catalog = {},
                          .entry = ptx::shortName(entry),
                          .source = request.file.string(),
                          .seed = request.seed,
                          .reference = {},
                          .warnings = std::move(compiled->warnings)};
    const std::vector<std::string> names = explain::parameterNames(source, experiment.entry);
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
        Expected<catalog::ArgumentValue> value =
            catalog::parseArgument(request.arguments[i], u32(i), request.seed);
        if (!value) return Unexpected{value.error()};
        if (auto* buffer = std::get_if<Buffer>(&*value)) {
            if (names.size() == request.arguments.size()) buffer->name = names[i];
            launch.arguments.emplace_back(BufferArgument{u32(experiment.buffers.size())});
            experiment.buffers.push_back(std::move(*buffer));
        } else {
            launch.arguments.emplace_back(std::move(std::get<ScalarArgument>(*value)));
        }
    }
    if (const Expected<void> fits =
            checkArguments(*compiled, launch, request.arguments, request.file.string());
        !fits)
        return Unexpected{fits.error()};
    experiment.launches.push_back(std::move(launch));
    for (const FurtherLaunch& further : request.further) {
        Expected<Launch> next = furtherLaunch(further, compiled->module, request.file.string(), source,
                                              request.seed, experiment.buffers);
        if (!next) return Unexpected{next.error()};
        experiment.launches.push_back(std::move(*next));
    }
    experiment.module = std::make_shared<ptx::Module>(std::move(compiled->module));
    const auto openOther = [&](const std::string& file, const std::string& name) {
        FileRequest other = request;
        if (!file.empty()) other.file = file;
        other.entry = name;
        other.references.clear();
        other.further.clear();
        return file.empty() ? openText(other, text) : open(other);
    };
    Expected<std::shared_ptr<const OwnReference>> reference =
        bindReferences(request.references, experiment, openOther);
    if (!reference) return Unexpected{reference.error()};
    experiment.reference = std::move(*reference);
    return experiment;
}

}  // namespace lockstep::run
