#include "cuda/compiler/toolkit.h"

#include "cuda/user_cache.h"
#include "cuda/worker/child_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

namespace lockstep::cuda {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> fromEnvironment(const char* name) {
    const char* value = std::getenv(name);
    if (!value || !*value) return std::nullopt;
    return value;
}

std::vector<fs::path> folders() {
    if (const auto chosen = fromEnvironment("LOCKSTEP_TOOLKIT")) return {*chosen};
    std::vector<fs::path> found;
    if (const auto cache = userCacheFolder()) found.push_back(*cache / "toolkit/bin");
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const auto toolkit = fromEnvironment(variable)) found.push_back(fs::path(*toolkit) / "bin");
    found.emplace_back("/usr/local/cuda/bin");
    found.emplace_back("/opt/cuda/bin");
    std::string path = fromEnvironment("PATH").value_or("");
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        if (end > at) found.emplace_back(path.substr(at, end - at));
        at = end + 1;
    }
    return found;
}

std::optional<fs::path> programIn(const std::vector<fs::path>& folders, const char* name) {
    for (const fs::path& folder : folders) {
        fs::path program = folder / name;
        std::error_code ignored;
        if (fs::is_regular_file(program, ignored) && access(program.c_str(), X_OK) == 0) return program;
    }
    return std::nullopt;
}

constexpr Words kNeitherProgram = english(
    "showing machine code needs ptxas and nvdisasm, which are not on this machine; run "
    "scripts/get-ptxas or install the CUDA toolkit");
constexpr Words kNoPtxas = english(
    "showing machine code needs ptxas, which is not on this machine; run "
    "scripts/get-ptxas or install the CUDA toolkit");
constexpr Words kNoNvdisasm = english(
    "showing machine code needs nvdisasm, which is not on this machine; run "
    "scripts/get-ptxas or install the CUDA toolkit");

// "Cuda compilation tools, release 13.0, V13.0.88"
std::string versionIn(const std::string& text) {
    const std::size_t begin = text.find(", V");
    if (begin == std::string::npos) return {};
    const std::size_t end = text.find_first_not_of("0123456789.", begin + 3);
    return text.substr(begin + 3, end == std::string::npos ? end : end - begin - 3);
}

}  // namespace

Expected<Toolkit> findToolkit() {
    const std::vector<fs::path> places = folders();
    const std::optional<fs::path> ptxas = programIn(places, "ptxas"),
                                  nvdisasm = programIn(places, "nvdisasm");
    if (!ptxas || !nvdisasm) {
        const Words& missing = !ptxas && !nvdisasm ? kNeitherProgram : !ptxas ? kNoPtxas : kNoNvdisasm;
        return fail(FaultKind::NotFound, missing);
    }
    return Toolkit{.ptxas = *ptxas, .nvdisasm = *nvdisasm};
}

bool lacksToolkit(const Fault& why) {
    return std::ranges::any_of(std::array{kNeitherProgram, kNoPtxas, kNoNvdisasm},
                               [&](const Words& missing) { return why.message == Message(missing); });
}

Expected<std::string> versionOf(const Toolkit& toolkit) {
    const Expected<ChildResult> said = runChild(toolkit.ptxas, {"--version"}, {});
    if (!said) return Unexpected{said.error()};
    if (said->exitStatus != 0)
        return fail(
            FaultKind::System,
            Message(english("{0} does not work here; run scripts/get-ptxas or reinstall the CUDA toolkit"),
                    toolkit.ptxas.string()));
    return versionIn(said->output);
}

std::string identityOf(const Toolkit& toolkit) {
    std::error_code error;
    const fs::path file = fs::canonical(toolkit.ptxas, error);
    return fmt::format("{} {} {}", file.string(), fs::file_size(file, error),
                       fs::last_write_time(file, error).time_since_epoch().count());
}

}  // namespace lockstep::cuda
