// A shared library loaded at run time, closed with its owner. Every NVIDIA library is loaded this way.
#pragma once

#include <optional>
#include <string>

namespace lockstep::cuda {

class DynamicLibrary {
public:
    // By path, or by name in the system's library folders.
    static std::optional<DynamicLibrary> open(const std::string& pathOrName);

    DynamicLibrary(DynamicLibrary&& other) noexcept;
    DynamicLibrary& operator=(DynamicLibrary&& other) noexcept;
    ~DynamicLibrary();

    // Sets the pointer to the function of this name; false if there is none.
    template <class Function> bool find(const char* name, Function*& function) const {
        function = reinterpret_cast<Function*>(symbol(name));
        return function != nullptr;
    }
    // The file it was loaded from, if known.
    std::string path(const char* anySymbol) const;

private:
    explicit DynamicLibrary(void* handle) : handle_(handle) {}
    void* symbol(const char* name) const;

    void* handle_ = nullptr;
};

}  // namespace lockstep::cuda
