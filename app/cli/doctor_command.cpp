// lockstep doctor: what this machine has, what each missing piece costs, and how to get it.
#include <fmt/core.h>

#include <memory>

#include "app/cli/output.h"
#include "app/cli/view_options.h"
#include "cuda/driver.h"
#include "cuda/nvrtc.h"
#include "viz/fonts.h"
#if LOCKSTEP_APP
#include "app/shell/opengl.h"
#endif

namespace lockstep::cli {
namespace {

struct Diagnosis {
    Json json;
    std::vector<std::string> lines, advice;

    void good(const char* key, const std::string& what, Json value) {
        lines.push_back(fmt::format("  ok       {:<10} {}", key, what));
        json[key] = std::move(value);
    }
    void missing(const char* key, const std::string& what) {
        lines.push_back(fmt::format("  missing  {:<10} {}", key, what));
        json[key] = nullptr;
        advice.push_back(what);
    }
};

void examineGpu(Diagnosis& diagnosis) {
    const Expected<cuda::DriverInfo> driver = cuda::findDriver();
    diagnosis.json["gpu"] = Json::array();
    if (!driver) {
        diagnosis.missing("driver", describe(driver.error()));
        return;
    }
    diagnosis.good("driver", "CUDA " + driver->version, driver->version);
    for (const cuda::Device& device : driver->devices) {
        diagnosis.json["gpu"].push_back({{"name", device.name}, {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
                                         {"memory_bytes", device.memoryBytes}});
        diagnosis.lines.push_back(fmt::format("  found    {:<10} {}, compute capability {}.{}", "gpu", device.name, device.major, device.minor));
    }
}

void examineCompiler(Diagnosis& diagnosis) {
    const Expected<cuda::NvrtcInfo> nvrtc = cuda::findNvrtc();
    if (!nvrtc) return diagnosis.missing("nvrtc", describe(nvrtc.error()));
    const std::string version = fmt::format("{}.{}", nvrtc->major, nvrtc->minor);
    diagnosis.good("nvrtc", fmt::format("{} at {}", version, nvrtc->library), {{"version", version}, {"library", nvrtc->library}});
}

void examineWindow(Diagnosis& diagnosis) {
#if LOCKSTEP_APP
    const Expected<std::string> renderer = shell::openGlRenderer();
    if (renderer) return diagnosis.good("opengl", *renderer, *renderer);
    diagnosis.missing("opengl", describe(renderer.error()));
#else
    diagnosis.missing("opengl", "this build has no window; build with -DLOCKSTEP_APP=ON to get one");
#endif
}

void examineFonts(Diagnosis& diagnosis, Session& session) {
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return diagnosis.missing("fonts", describe(resources.error()));
    const std::string folder = fontFolder(**resources).string();
    const Expected<viz::Fonts> fonts = viz::Fonts::load(folder);
    if (fonts) return diagnosis.good("fonts", folder, folder);
    diagnosis.missing("fonts", describe(fonts.error()));
}

Expected<int> execute(const std::string& jsonFile, Session& session) {
    Diagnosis diagnosis;
    examineGpu(diagnosis);
    examineCompiler(diagnosis);
    diagnosis.json["cupti"] = nullptr;     // hardware counters are not read by this build
    diagnosis.json["counters"] = nullptr;
    examineWindow(diagnosis);
    examineFonts(diagnosis, session);
    diagnosis.json["advice"] = diagnosis.advice;
    if (!jsonFile.empty())
        if (const Expected<void> written = writeJson(diagnosis.json, jsonFile); !written) return Unexpected{written.error()};
    if (jsonFile != "-")
        for (const std::string& line : diagnosis.lines) printOut("{}\n", line);
    return kDone;
}

}  // namespace

Action addDoctor(CLI::App& command, Session& session) {
    const auto json = std::make_shared<std::string>();
    command.add_option("--json", *json, "write it as JSON to this file (-: standard output)");
    return [json, &session] { return execute(*json, session); };
}

}  // namespace lockstep::cli
