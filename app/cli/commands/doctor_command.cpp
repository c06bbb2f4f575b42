// lockstep doctor: what this machine has, what each missing piece disables, and how to get it.
#include "app/cli/commands/commands.h"
#include "app/cli/options/view_options.h"
#include "app/cli/terminal/output.h"
#include "cuda/compiler/nvrtc.h"
#include "cuda/compiler/toolkit.h"
#include "run/gpu/driver_text.h"
#include "viz/scene/fonts.h"

#include <fmt/core.h>

#include <memory>
#if LOCKSTEP_EXEC
#include "program/compile.h"
#endif
#if LOCKSTEP_APP
#include "app/shell/drawing/opengl.h"
#endif

namespace lockstep::cli {
namespace {

struct Diagnosis {
    Language language;
    Json json{};
    std::vector<std::string> lines{}, advice{};

    void line(const Words& state, const char* key, const Message& what) {
        lines.push_back(fmt::format("  {:<8} {:<10} {}", say(language, state), key, what.in(language)));
    }
    void good(const char* key, const Message& what, Json value) {
        line(english("doctor", "ok"), key, what);
        json[key] = std::move(value);
    }
    void good(const char* key, const std::string& what, Json value) {
        good(key, Message::plain(what), std::move(value));
    }
    void missing(const char* key, const Message& what) {
        line(english("doctor", "missing"), key, what);
        json[key] = nullptr;
        advice.push_back(what.english());
    }
    void missing(const char* key, const Fault& why) {
        missing(key, Message::plain(describe(why, language)));
        advice.back() = describe(why);
    }
};

// The driver is asked from the worker process: one that hangs does not hang the doctor.
void examineGpu(Diagnosis& diagnosis, Session& session) {
    const Expected<cuda::DriverInfo> driver = session.gpuWorker().devices();
    diagnosis.json["gpu"] = Json::array();
    if (!driver) {
        diagnosis.missing("driver", driver.error());
        return;
    }
    diagnosis.good("driver", "CUDA " + run::driverText({driver->version, driver->release}), driver->version);
    u32 number = 0;
    for (const cuda::Device& device : driver->devices) {
        diagnosis.json["gpu"].push_back(
            {{"device", number},
             {"name", device.name},
             {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
             {"memory_bytes", device.memoryBytes},
             {"multiprocessors", device.multiprocessors},
             {"l2_bytes", device.l2Bytes}});
        diagnosis.line(english("doctor", "found"), "gpu",
                       Message(english("{0}: {1}, compute capability {2}, {3} GB, {4} SMs"), number,
                               device.name, fmt::format("{}.{}", device.major, device.minor),
                               fmt::format("{:.0f}", f64(device.memoryBytes) / 1e9), device.multiprocessors));
        ++number;
    }
}

void examineCounters(Diagnosis& diagnosis, Session& session) {
    diagnosis.json["cupti"] = nullptr;
    diagnosis.json["counters"] = nullptr;
    if (diagnosis.json["gpu"].empty()) return;  // already reported
    const Expected<cuda::CounterSupport> support = session.gpuWorker().counters(0);
    if (!support) return diagnosis.missing("counters", support.error());
    if (!support->library.empty()) diagnosis.good("cupti", support->library, support->library);
    if (support->refused)
        return diagnosis.missing(support->library.empty() ? "cupti" : "counters", *support->refused);
    diagnosis.good("counters", Message(english("can be read")), true);
}

void examineCompiler(Diagnosis& diagnosis) {
    const Expected<cuda::NvrtcInfo> nvrtc = cuda::findNvrtc();
    if (!nvrtc) return diagnosis.missing("nvrtc", nvrtc.error());
    const std::string version = fmt::format("{}.{}", nvrtc->major, nvrtc->minor);
    diagnosis.good("nvrtc", Message(english("{0} at {1}"), version, nvrtc->library),
                   {{"version", version}, {"library", nvrtc->library}});
}

void examineToolkit(Diagnosis& diagnosis) {
    const Expected<cuda::Toolkit> toolkit = cuda::findToolkit();
    if (!toolkit) return diagnosis.missing("toolkit", toolkit.error());
    const Expected<std::string> version = cuda::versionOf(*toolkit);
    if (!version) return diagnosis.missing("toolkit", version.error());
    diagnosis.good("toolkit", Message(english("ptxas {0} at {1}"), *version, toolkit->ptxas.string()),
                   {{"version", *version},
                    {"ptxas", toolkit->ptxas.string()},
                    {"nvdisasm", toolkit->nvdisasm.string()}});
}

// For exec.
void examineClang([[maybe_unused]] Diagnosis& diagnosis) {
#if LOCKSTEP_EXEC
    const std::filesystem::path clang = program::findClang();
    if (clang.empty()) return diagnosis.missing("clang", program::whyNoClang());
    diagnosis.good("clang", clang.string(), clang.string());
#endif
}

void examineWindow(Diagnosis& diagnosis) {
#if LOCKSTEP_APP
    const Expected<std::string> renderer = shell::openGlRenderer();
    if (renderer) return diagnosis.good("opengl", *renderer, *renderer);
    diagnosis.missing("opengl", renderer.error());
#else
    diagnosis.missing("opengl", english("this build has no window; build with -DLOCKSTEP_APP=ON to get one"));
#endif
}

void examineFonts(Diagnosis& diagnosis, Session& session) {
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return diagnosis.missing("fonts", resources.error());
    const std::string folder = fontFolder(**resources).string();
    const Expected<viz::Fonts> fonts = viz::Fonts::load(folder);
    if (fonts) return diagnosis.good("fonts", folder, folder);
    diagnosis.missing("fonts", fonts.error());
}

Expected<int> execute(const std::string& jsonFile, Session& session) {
    Diagnosis diagnosis{.language = session.language()};
    examineGpu(diagnosis, session);
    examineCounters(diagnosis, session);
    examineCompiler(diagnosis);
    examineToolkit(diagnosis);
    examineClang(diagnosis);
    examineWindow(diagnosis);
    examineFonts(diagnosis, session);
    diagnosis.json["advice"] = diagnosis.advice;
    if (!jsonFile.empty())
        if (const Expected<void> written = writeJson(diagnosis.json, jsonFile); !written)
            return Unexpected{written.error()};
    if (jsonFile != "-")
        for (const std::string& line : diagnosis.lines)
            printOut("{}\n", line);
    return kDone;
}

}  // namespace

Action addDoctor(const Command& command, Session& session) {
    const auto json = std::make_shared<std::string>();
    command.addJson(*json, english("write it as JSON to this file"));
    return [json, &session] { return execute(*json, session); };
}

}  // namespace lockstep::cli
