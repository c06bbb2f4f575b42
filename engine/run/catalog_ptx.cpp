#include "run/catalog_ptx.h"

#include "base/files/text_file.h"
#include "catalog/prebuilt.h"
#include "cuda/compiler/minimum_ptx_version.h"

namespace lockstep::run {
namespace {

constexpr const char* kArchitecture = "compute_75";               // the oldest that NVRTC 13 compiles for
constexpr const char* kArchitectureOfAsyncCopies = "compute_80";  // the oldest that has cp.async

}  // namespace

Expected<cuda::CompiledPtx> compileForAnyDevice(const catalog::Family& family,
                                                const catalog::Variant& variant,
                                                const catalog::Values& values, const std::string& source) {
    const bool copiesAsync = source.find("cp.async") != std::string::npos;
    Expected<cuda::CompiledPtx> compiled =
        cuda::compile(source, catalog::sourceName(family, variant),
                      {.architecture = copiesAsync ? kArchitectureOfAsyncCopies : kArchitecture,
                       .entries = catalog::entriesOf(family, variant, values)});
    if (!compiled) return compiled;
    if (const std::optional<cuda::PtxVersion> version = cuda::minimumPtxVersion(compiled->text))
        compiled->text = cuda::withVersion(std::move(compiled->text), *version);
    return compiled;
}

Expected<void> checkCompilable(const catalog::Family& family, const catalog::Variant& variant,
                               const catalog::Values& values) {
    const catalog::Parameter* parameter = catalog::notPrebuilt(family, variant, values);
    if (!parameter) return {};
    const Expected<cuda::NvrtcInfo> nvrtc = cuda::findNvrtc();
    if (nvrtc) return {};
    return fail(FaultKind::NotFound,
                Message(english("{0} is prebuilt for {1}; for any other value, {2}"), parameter->name,
                        *catalog::prebuiltValues(family, variant, *parameter), nvrtc.error().message),
                {.file = family.name + "/" + variant.name});
}

Expected<std::string> ptxOf(const Resources& resources, const catalog::Family& family,
                            const catalog::Variant& variant, const catalog::Values& values,
                            const std::string& source) {
    if (catalog::notPrebuilt(family, variant, values)) {
        if (const Expected<void> can = checkCompilable(family, variant, values); !can)
            return Unexpected{can.error()};
        Expected<cuda::CompiledPtx> compiled = compileForAnyDevice(family, variant, values, source);
        if (!compiled) return Unexpected{compiled.error()};
        return std::move(compiled->text);
    }
    Expected<std::string> text =
        readTextFile(resources.assets() / "ptx" / catalog::prebuiltPath(family, variant, values),
                     english("it is made by scripts/rebuild-ptx"));
    if (text) {
        const std::optional<catalog::PrebuiltHeader> header = catalog::readPrebuiltHeader(*text);
        if (header && header->sourceHash == catalog::hashOf(source)) return text;
    }
    const std::string name = catalog::sourceName(family, variant);
    if (const Expected<cuda::NvrtcInfo> nvrtc = cuda::findNvrtc(); !nvrtc) {
        if (!text) return text;
        return fail(FaultKind::NotFound,
                    Message(english("has been edited since its PTX was made, and there is no NVRTC here to "
                                    "recompile it: {0}; or put the file back as it was"),
                            nvrtc.error().message),
                    {.file = name});
    }
    Expected<cuda::CompiledPtx> compiled =
        cuda::compile(source, name, {.entries = catalog::entriesOf(family, variant, values)});
    if (!compiled) return Unexpected{compiled.error()};
    return std::move(compiled->text);
}

}  // namespace lockstep::run
