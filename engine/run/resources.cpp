#include "run/resources.h"

namespace lockstep::run {
namespace {

bool holdsResources(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::is_directory(folder / "kernels", ignored) &&
           std::filesystem::is_directory(folder / "assets", ignored);
}

}  // namespace

Expected<Resources> findResources(const std::filesystem::path& program, const std::filesystem::path& chosen) {
    if (!chosen.empty()) {
        if (holdsResources(chosen)) return Resources{chosen};
        return fail(FaultKind::NotFound,
                    english("LOCKSTEP_RESOURCES names a folder without kernels/ and assets/; unset it, or "
                            "name the one that has them"),
                    {.file = chosen.string()});
    }
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::weakly_canonical(program, error).parent_path();
    if (const auto shared = folder / ".." / "share" / "lockstep"; holdsResources(shared))
        return Resources{shared.lexically_normal()};
    for (std::filesystem::path above = folder; !above.empty(); above = above.parent_path()) {
        if (holdsResources(above)) return Resources{above};
        if (above == above.parent_path()) break;
    }
    return fail(FaultKind::NotFound,
                english("the program's files (kernels/ and assets/) are neither beside it nor in a folder "
                        "above it; set LOCKSTEP_RESOURCES to the folder that holds them"),
                {.file = program.string()});
}

}  // namespace lockstep::run
