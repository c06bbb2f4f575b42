#include "app/shell/compiler_fetch.h"

#include "base/text/lines.h"
#include "base/text/trimmed.h"
#include "cuda/worker/child_process.h"

#include <chrono>
#include <system_error>
#include <utility>

namespace lockstep::shell {

std::filesystem::path recipeOf(app::Fetched what, const std::filesystem::path& root) {
    std::error_code ignored;
    const std::filesystem::path recipe =
        root / "third_party" / (what == app::Fetched::Toolkit ? "toolkit.cmake" : "nvrtc.cmake");
    return std::filesystem::exists(recipe, ignored) ? recipe : std::filesystem::path();
}

std::string reasonIn(std::string_view output) {
    constexpr std::string_view kError = "CMake Error", kStack = "Call Stack";
    std::string reason;
    bool isBetween = true;  // paragraphs
    for (const std::string_view line : linesOf(output)) {
        if (line.starts_with(kStack)) break;
        const std::string_view words = trimmed(line);
        if (words.empty() || words.starts_with(kError)) {
            isBetween = true;
            continue;
        }
        if (std::exchange(isBetween, false)) reason.clear();
        reason.append(reason.empty() ? "" : " ").append(words);
    }
    return reason;
}

Expected<void> fetchCompiler(const std::filesystem::path& recipe, const std::atomic<bool>& cancelled,
                             const std::function<void(std::string_view package)>& began) {
    constexpr std::string_view kDownloading = ": downloading ";
    constexpr int kNotFound = 127;  // env(1): there is no such program
    Expected<cuda::ChildResult> done = cuda::runChild(
        "/usr/bin/env", {"cmake", "-P", recipe.string()},
        {.longest = std::chrono::hours{2},
         .cancelled = &cancelled,
         .said =
             [&](std::string_view line) {
                 if (const std::size_t at = line.find(kDownloading); at != std::string_view::npos)
                     began(line.substr(at + kDownloading.size()));
             },
         .endsItsChildren = true});
    if (!done) return Unexpected{done.error()};
    if (done->exitStatus == 0) return {};
    if (done->exitStatus == kNotFound)
        return fail(
            FaultKind::NotFound,
            english("nothing can be fetched without CMake 3.25 or later and pip: install them, or the "
                    "CUDA toolkit"));
    return fail(FaultKind::System, Message(english("fetching failed: {0}"), reasonIn(done->output)));
}

}  // namespace lockstep::shell
