#include "run/recordings/saved_run.h"

#include "trace/lks/lks.h"

namespace lockstep::run {

Expected<Run> openSaved(const std::filesystem::path& file, const std::string& profile,
                        const catalog::Catalog* catalog) {
    Expected<trace::Recording> recording = trace::load(file);
    if (!recording) return Unexpected{recording.error()};
    return reopen(std::move(*recording), profile, catalog);
}

}  // namespace lockstep::run
