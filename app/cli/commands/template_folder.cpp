#include "app/cli/commands/template_folder.h"

namespace lockstep::cli {

Expected<void> writeTemplate(Session& session, std::string_view name, const std::filesystem::path& folder) {
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    std::error_code error;
    if (std::filesystem::exists(folder, error))
        return fail(FaultKind::Usage, english("is there already; name a new folder"),
                    {.file = folder.string()});
    std::filesystem::copy((*resources)->assets() / name, folder, error);
    if (error)
        return fail(FaultKind::NotFound, Message(english("cannot be written: {0}"), error.message()),
                    {.file = folder.string()});
    return {};
}

}  // namespace lockstep::cli
