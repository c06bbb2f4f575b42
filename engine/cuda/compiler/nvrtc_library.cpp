#include "cuda/compiler/nvrtc_library.h"

#include "cuda/user_cache.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>

namespace lockstep::cuda {
namespace {

namespace fs = std::filesystem;

// The pinned version first: others generate different PTX.
constexpr const char* kLibraryNames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

std::optional<fs::path> fromEnvironment(const char* name) {
    const char* value = std::getenv(name);
    if (!value || !*value) return {};
    return fs::path(value);
}

std::vector<fs::path> libraryFolders() {
    std::vector<fs::path> folders;
    if (const auto cache = userCacheFolder()) folders.push_back(*cache / "nvrtc/lib");
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const auto toolkit = fromEnvironment(variable)) folders.push_back(*toolkit / "lib64");
    folders.emplace_back("/usr/local/cuda/lib64");
    folders.emplace_back("/opt/cuda/lib64");
    return folders;
}

// Every path to try, as dlopen takes it.
std::vector<std::string> candidates() {
    std::vector<std::string> paths;
    const auto addFolder = [&](const fs::path& folder) {
        std::error_code ignored;
        for (const char* name : kLibraryNames)
            if (fs::exists(folder / name, ignored)) paths.push_back((folder / name).string());
    };
    if (const auto chosen = fromEnvironment("LOCKSTEP_NVRTC")) {
        std::error_code ignored;
        if (fs::is_directory(*chosen, ignored))
            addFolder(*chosen);
        else
            paths.push_back(chosen->string());
        return paths;  // a path given by the user is the only one tried
    }
    for (const fs::path& folder : libraryFolders())
        addFolder(folder);
    for (const char* name : kLibraryNames)
        paths.emplace_back(name);
    return paths;
}

// NVRTC opens its builtins by name when it first compiles; in a folder that the system does not search it
// finds them only if they are already open.
std::optional<DynamicLibrary> openBuiltins(const fs::path& folder) {
    std::error_code error;
    for (const auto& item : fs::directory_iterator(folder, error)) {
        const std::string name = item.path().filename().string();
        if (name.starts_with("libnvrtc-builtins.so") && name.find("alt") == std::string::npos)
            if (std::optional<DynamicLibrary> library = DynamicLibrary::open(item.path().string()))
                return library;
    }
    return {};
}

std::vector<fs::path> includeFoldersOf(const fs::path& library) {
    std::vector<fs::path> folders;
    std::error_code ignored;
    const fs::path folder = fs::weakly_canonical(library, ignored).parent_path();
    for (const fs::path& root :
         {folder / "..", folder / "../../.."})  // a toolkit's lib64 may be targets/x86_64-linux/lib
        for (const char* below : {"include", "include/cccl"})
            if (const fs::path include = (root / below).lexically_normal();
                fs::exists(include / "cuda_runtime.h", ignored) || fs::exists(include / "cuda/std", ignored))
                if (std::ranges::find(folders, include) == folders.end()) folders.push_back(include);
    return folders;
}

std::optional<NvrtcLibrary> load(const std::string& candidate) {
    const fs::path folder = fs::path(candidate).parent_path();
    std::optional<DynamicLibrary> builtins;
    if (!folder.empty()) builtins = openBuiltins(folder);
    std::optional<DynamicLibrary> library = DynamicLibrary::open(candidate);
    if (!library) return {};
    if (!builtins) builtins = openBuiltins(fs::path(library->path("nvrtcVersion")).parent_path());
    if (!builtins) return {};

    NvrtcLibrary nvrtc(std::move(*builtins), std::move(*library));
    const DynamicLibrary& from = nvrtc.library;
    const bool complete =
        from.find("nvrtcGetErrorString", nvrtc.getErrorString) && from.find("nvrtcVersion", nvrtc.version) &&
        from.find("nvrtcCreateProgram", nvrtc.createProgram) &&
        from.find("nvrtcDestroyProgram", nvrtc.destroyProgram) &&
        from.find("nvrtcCompileProgram", nvrtc.compileProgram) &&
        from.find("nvrtcAddNameExpression", nvrtc.addNameExpression) &&
        from.find("nvrtcGetLoweredName", nvrtc.getLoweredName) &&
        from.find("nvrtcGetPTXSize", nvrtc.getPtxSize) && from.find("nvrtcGetPTX", nvrtc.getPtx) &&
        from.find("nvrtcGetProgramLogSize", nvrtc.getLogSize) &&
        from.find("nvrtcGetProgramLog", nvrtc.getLog);
    if (!complete) return {};
    (void)from.find("nvrtcSetFlowCallback", nvrtc.setFlowCallback);
    nvrtc.path = from.path("nvrtcVersion");
    nvrtc.includeFolders = includeFoldersOf(nvrtc.path);
    return nvrtc;
}

Expected<NvrtcLibrary> search() {
    for (const std::string& candidate : candidates())
        if (std::optional<NvrtcLibrary> nvrtc = load(candidate)) return std::move(*nvrtc);
    if (const auto chosen = fromEnvironment("LOCKSTEP_NVRTC"))
        return fail(FaultKind::NotFound, Message(english("LOCKSTEP_NVRTC names {0}, where there is no NVRTC; "
                                                         "unset it, or name libnvrtc.so or its folder"),
                                                 chosen->string()));
    return fail(FaultKind::NotFound,
                english("compiling CUDA needs NVRTC, which is not on this machine; run scripts/get-nvrtc or "
                        "install the CUDA toolkit (the prebuilt kernels of the catalog run without it)"));
}

}  // namespace

Expected<const NvrtcLibrary*> nvrtcLibrary() {
    static std::mutex mutex;
    static std::optional<NvrtcLibrary> library;
    const std::scoped_lock lock(mutex);
    if (library) return &*library;
    Expected<NvrtcLibrary> found = search();
    if (!found) return Unexpected{found.error()};
    library.emplace(std::move(*found));
    return &*library;
}

}  // namespace lockstep::cuda
