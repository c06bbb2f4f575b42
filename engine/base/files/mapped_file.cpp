#include "base/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep {

std::optional<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    struct stat status {};
    const bool isFile = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    void* const at =
        isFile ? mmap(nullptr, std::size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);  // the mapping stays
    if (at == MAP_FAILED) return {};
    return MappedFile({static_cast<const u8*>(at), std::size_t(status.st_size)});
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<u8*>(bytes_.data()), bytes_.size());
}

}  // namespace lockstep
