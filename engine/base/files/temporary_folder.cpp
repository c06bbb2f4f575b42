#include "base/files/temporary_folder.h"

#include <cerrno>
#include <cstring>
#include <stdlib.h>

namespace lockstep {

Expected<TemporaryFolder> TemporaryFolder::make() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "lockstep-XXXXXX").string();
    if (error || !mkdtemp(name.data()))
        return fail(FaultKind::System, Message(english("no temporary folder can be made: {0}"),
                                               error ? error.message() : std::string(std::strerror(errno))));
    return TemporaryFolder(std::move(name));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace lockstep
