// From a variant of the catalogue, or a file of the user's own, to an Experiment: PTX parsed, sources attached, buffers filled.
#include <algorithm>
#include <fstream>
#include <iterator>

#include "catalog/argument_text.h"
#include "catalog/prebuilt.h"
#include "cuda/nvrtc.h"
#include "run/run.h"

namespace lockstep::run {
namespace {

Expected<std::string> readText(const std::filesystem::path& file, const char* whatItIs) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return fail(FaultKind::NotFound, std::string("cannot be read; ") + whatItIs, {.file = file.string()});
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) return fail(FaultKind::System, "could not be read to its end", {.file = file.string()});
    return text;
}

// Gives the module the .cu text under the name that its line table uses.
void attachSource(ptx::Module& module, const std::string& name, const std::string& text) {
    module.sources.resize(module.files.size());
    for (std::size_t file = 1; file < module.files.size(); ++file)
        if (module.files[file] == name) module.sources[file] = text;
}


// An entry by its PTX name, or by its name as written in C++ ("mm_tiled<16>"); "" where there is one only.
Expected<std::string> ptxNameOf(const ptx::Module& module, const std::string& written, const std::string& file) {
    std::string known;
    std::vector<std::string> found;
    for (const ptx::Function& function : module.functions) {
        if (!function.isEntry) continue;
        const std::string name = ptx::shortName(function.name);
        known += (known.empty() ? "" : ", ") + name;
        if (written.empty() || written == function.name || written == name) found.emplace_back(function.name);
    }
    if (found.size() == 1) return found.front();
    if (known.empty()) return fail(FaultKind::NotFound, "has no kernel (a __global__ function)", {.file = file});
    if (written.empty()) return fail(FaultKind::Usage, "has several kernels; say which with --entry: " + known, {.file = file});
    if (found.empty()) return fail(FaultKind::NotFound, "has no kernel '" + written + "'; it has " + known, {.file = file});
    return fail(FaultKind::Usage, "has several kernels called '" + written + "'; give --entry the name as the PTX has it", {.file = file});
}

struct Compiled {
    ptx::Module module;
    std::string entry;  // PTX name
};

Expected<Compiled> openPtx(const FileRequest& request, std::string text) {
    Expected<ptx::Module> module = ptx::parse(std::move(text), request.file.string());
    if (!module) return Unexpected{module.error()};
    Expected<std::string> entry = ptxNameOf(*module, request.entry, request.file.string());
    if (!entry) return Unexpected{entry.error()};
    return Compiled{std::move(*module), std::move(*entry)};
}

Expected<Compiled> openCuda(const FileRequest& request, const std::string& source) {
    cuda::CompileOptions options{.defines = request.defines, .includeFolders = request.includeFolders, .asWritten = request.asWritten};
    const bool isTemplate = request.entry.find('<') != std::string::npos;
    if (isTemplate) options.entries.push_back(request.entry);
    const Expected<cuda::CompiledPtx> ptx = cuda::compile(source, request.file.string(), options);
    if (!ptx) return Unexpected{ptx.error()};
    Expected<ptx::Module> module = ptx::parse(ptx->text, request.file.string() + " (as PTX)");
    if (!module) return Unexpected{module.error()};
    attachSource(*module, request.file.string(), source);
    if (isTemplate) return Compiled{std::move(*module), ptx->entries.front().second};
    Expected<std::string> entry = ptxNameOf(*module, request.entry, request.file.string());
    if (!entry) return Unexpected{entry.error()};
    return Compiled{std::move(*module), std::move(*entry)};
}

}  // namespace

Expected<Experiment> open(const Resources& resources, const catalog::Family& family, const catalog::Variant& variant,
                          const catalog::Values& values, u64 seed) {
    Expected<catalog::Experiment> made = catalog::makeExperiment(family, variant, values, seed);
    if (!made) return Unexpected{made.error()};
    const std::filesystem::path ptxFile = resources.assets() / "ptx" / catalog::prebuiltPath(family, variant, values);
    Expected<std::string> text = readText(ptxFile, "it is made by scripts/rebuild-ptx");
    if (!text) return Unexpected{text.error()};
    Expected<ptx::Module> module = ptx::parse(std::move(*text), ptxFile.string());
    if (!module) return Unexpected{module.error()};
    const std::filesystem::path sourceFile = family.folder / variant.file;
    const Expected<std::string> source = readText(sourceFile, "family.toml names it as a variant's file");
    if (!source) return Unexpected{source.error()};
    attachSource(*module, catalog::sourceName(family, variant), *source);

    Experiment experiment{.module = nullptr, .launches = made->launches, .buffers = std::move(made->buffers), .catalog = {},
                          .entry = made->launches.front().entry, .source = catalog::sourceName(family, variant), .seed = seed};
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

Expected<Experiment> open(const FileRequest& request) {
    Expected<std::string> text = readText(request.file, "give the path of a .cu or .ptx file");
    if (!text) return Unexpected{text.error()};
    Expected<Compiled> compiled =
        request.file.extension() == ".ptx" ? openPtx(request, std::move(*text)) : openCuda(request, *text);
    if (!compiled) return Unexpected{compiled.error()};

    Launch launch{.entry = compiled->entry, .grid = request.grid, .block = request.block,
                  .dynamicSharedBytes = request.dynamicSharedBytes, .arguments = {}};
    Experiment experiment{.module = std::make_shared<ptx::Module>(std::move(compiled->module)), .launches = {}, .buffers = {},
                          .catalog = {}, .entry = ptx::shortName(compiled->entry), .source = request.file.string(),
                          .seed = request.seed};
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
        Expected<catalog::ArgumentValue> value = catalog::parseArgument(request.arguments[i], u32(i), request.seed);
        if (!value) return Unexpected{value.error()};
        if (auto* buffer = std::get_if<Buffer>(&*value)) {
            if (buffer->name.empty()) buffer->name = "arg" + std::to_string(i);
            launch.arguments.emplace_back(BufferArgument{u32(experiment.buffers.size())});
            experiment.buffers.push_back(std::move(*buffer));
        } else {
            launch.arguments.emplace_back(std::move(std::get<ScalarArgument>(*value)));
        }
    }
    experiment.launches.push_back(std::move(launch));
    return experiment;
}

}  // namespace lockstep::run
