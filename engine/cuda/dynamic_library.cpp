#include "cuda/dynamic_library.h"

#include <dlfcn.h>

#include <utility>

namespace lockstep::cuda {

std::optional<DynamicLibrary> DynamicLibrary::open(const std::string& pathOrName) {
    void* handle = dlopen(
        pathOrName.c_str(),
        RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);  // NVIDIA's libraries hold memory that unloading would leak
    if (!handle) return {};
    return DynamicLibrary(handle);
}

DynamicLibrary::DynamicLibrary(DynamicLibrary&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)) {}

DynamicLibrary& DynamicLibrary::operator=(DynamicLibrary&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
}

DynamicLibrary::~DynamicLibrary() {
    if (handle_) dlclose(handle_);
}

void* DynamicLibrary::symbol(const char* name) const { return dlsym(handle_, name); }

std::string DynamicLibrary::path(const char* anySymbol) const {
    Dl_info info{};
    return dladdr(symbol(anySymbol), &info) && info.dli_fname ? info.dli_fname : "";
}

}  // namespace lockstep::cuda
