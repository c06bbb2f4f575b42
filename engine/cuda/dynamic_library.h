// A shared library opened at run time, closed with its owner: how every library of NVIDIA's is reached.
#pragma once

#include <optional>
#include <string>

namespace lockstep::cuda {

class DynamicLibrary {
public:
    // By path, or by name in the system's usual places.
    static std::optional<DynamicLibrary> open(const std::string& pathOrName);

    DynamicLibrary(DynamicLibrary&& other) noexcept;
    DynamicLibrary& operator=(DynamicLibrary&& other) noexcept;
    ~DynamicLibrary();

    // Sets the pointer to the function of this name; false if there is none.
    template <class Function> bool find(const char* name, Function*& function) const {
        function = reinterpret_cast<Function*>(symbol(name));
        return function != nullptr;
    }
    // The file that it came from, if the system says so.
    std::string path(const char* anySymbol) const;

private:
    explicit DynamicLibrary(void* handle) : handle_(handle) {}
    void* symbol(const char* name) const;

    void* handle_ = nullptr;
};

}  // namespace lockstep::cuda
