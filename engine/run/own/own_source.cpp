#include "run/own/own_source.h"

#include "base/files/text_file.h"
#include "base/text/has_word.h"
#include "base/text/lines.h"
#include "base/text/utf8.h"
#include "cuda/compiler/random_headers.h"
#include "cuda/compiler/standard_headers.h"
#include "ptx/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>
#include <span>
#include <system_error>

namespace lockstep::run {
namespace {

using source::FoundInclude;

// What device code unknowingly uses from host headers.
constexpr const char* kHostTypesName = "lockstep_host_types.h";
constexpr const char* kHostTypes = R"(#pragma once
#include <cstdint>
#include <cfloat>
#include <climits>
#include <cmath>
#include <algorithm>
#include <limits>
typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned long ulong;
namespace std { using ::size_t; using ::ptrdiff_t; }
)";

// What nvcc includes before every file: INFINITY, NAN and M_PI are available without an #include.
constexpr const char* kMathematicsName = "lockstep_mathematics.h";
constexpr const char* kMathematics = "#pragma once\n#include <cmath>\n";

// The device compiler has these built in, or device code does not need them.
bool isUnneeded(std::string_view name) {
    constexpr std::array<std::string_view, 8> kNames{"cuda_runtime.h",           "cuda.h",
                                                     "cuda_runtime_api.h",       "device_launch_parameters.h",
                                                     "device_functions.h",       "cuda_device_runtime_api.h",
                                                     "sm_20_atomic_functions.h", "builtin_types.h"};
    return std::ranges::find(kNames, name) != kNames.end();
}

// Headers of the toolkit, the samples and others that need a host compiler.
bool isForHost(std::string_view name) {
    constexpr std::array<std::string_view, 16> kBeginnings{
        "thrust/", "opencv", "helper_", "cublas", "cusolver", "cusparse", "cufft",   "curand.h",
        "cudnn",   "npp",    "GL/",     "gtest/", "boost/",   "nvml",     "cuda_gl", "sys/"};
    if (std::ranges::any_of(kBeginnings,
                            [&](std::string_view beginning) { return name.starts_with(beginning); }))
        return true;
    constexpr std::array<std::string_view, 22> kNames{
        "time.h",  "unistd.h", "signal.h", "errno.h",      "windows.h", "Windows.h",  "pthread.h", "omp.h",
        "mpi.h",   "conio.h",  "malloc.h", "getopt.h",     "memory.h",  "inttypes.h", "stdbool.h", "stdarg.h",
        "ctype.h", "locale.h", "setjmp.h", "nvToolsExt.h", "cutil.h",   "dirent.h"};
    // A header of the C++ library has no dot: <vector>.
    return std::ranges::find(kNames, name) != kNames.end() ||
           (name.find('.') == std::string_view::npos && name.find('/') == std::string_view::npos);
}

FoundInclude textIn(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return {};
    Expected<std::string> text = readTextFile(path, english("give the path of a header"));
    if (!text) return {};
    return {FoundInclude::Kind::Text, path.lexically_normal().string(), std::move(*text)};
}

using Folders = std::vector<std::filesystem::path>;

bool isIn(const Folders& folders, const std::string& header) {
    std::error_code ignored;
    return std::ranges::any_of(folders, [&](const std::filesystem::path& folder) {
        return std::filesystem::is_regular_file(folder / header, ignored);
    });
}

// NVIDIA's own headers: as they are.
bool isToolkits(const std::filesystem::path& folder) { return isIn({folder}, "cuda_runtime.h"); }

// "identifier "nameOf" is undefined": whether the header has the word.
bool isAbout(const Fault& fault, const source::CourseHeader& header) {
    const std::string message = fault.message.english();
    const std::size_t open = message.find('"'), close = message.find('"', open + 1);
    return close != std::string::npos &&
           header.original.find(message.substr(open + 1, close - open - 1)) != std::string::npos;
}

// Without the headers that do not compile for the device, as those of samples for checks of the host's calls:
// kernels mostly need nothing of them. Fault: what stops it without them, or a header's where the kernel
// needs it.
Expected<cuda::CompiledPtx> compileWithout(const source::CourseFile& course, const Fault& first,
                                           const std::string& name, const cuda::CompileOptions& options) {
    cuda::CompileOptions without = options;
    Fault fault = first;
    for (std::size_t i = 0; i < course.headers.size(); ++i) {
        const auto isAtFault = [&](const source::CourseHeader& header) {
            return fault.place.file == header.name || fault.place.file == header.path;
        };
        const auto header = std::ranges::find_if(course.headers, isAtFault);
        if (header == course.headers.end()) break;
        for (auto& [included, text] : without.headers)
            if (included == header->name) text.clear();
        Expected<cuda::CompiledPtx> compiled = cuda::compile(course.text, name, without);
        if (compiled) return compiled;
        if (isAbout(compiled.error(), *header)) return Unexpected{fault};
        fault = compiled.error();
    }
    return Unexpected{fault};
}

std::vector<std::string_view> wordsOf(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t,;[]{}()", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t,;[]{}()", at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

// The line of the file in force there: of the last .loc of the same function.
u32 lineInForce(std::span<const std::string_view> ptx, u32 at, std::string_view file) {
    std::string_view index, line;
    for (const std::string_view text : ptx.first(at)) {
        const std::vector<std::string_view> words = wordsOf(text);
        if (text.starts_with("}")) line = {};
        if (words.size() > 2 && words[0] == ".loc") index = words[1], line = words[2];
    }
    const std::string name = fmt::format("{}\"", std::filesystem::path(file).filename().string());
    const bool isFile = std::ranges::any_of(ptx, [&](std::string_view text) {
        const std::vector<std::string_view> words = wordsOf(text);
        return words.size() > 2 && words[0] == ".file" && words[1] == index && text.ends_with(name);
    });
    u32 number = 0;
    if (isFile) std::from_chars(line.data(), line.data() + line.size(), number);
    return number;
}

// The line that declares the variable of this line of PTX.
u32 lineOfDeclaration(std::string_view ptxLine, std::string_view source) {
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (const std::string_view word : wordsOf(ptxLine)) {
        const std::string name = ptx::variableName(word);
        if (name == word || name.empty()) continue;
        u32 number = 0;
        for (const std::string_view line : linesOf(source)) {
            ++number;
            const std::string_view code = line.substr(0, line.find("//"));
            for (std::size_t at = 0; (at = code.find(name, at)) != std::string_view::npos; ++at) {
                const std::size_t end = at + name.size();
                if ((at == 0 || !isWord(code[at - 1])) && (end == code.size() || !isWord(code[end])))
                    return number;
            }
        }
    }
    return 0;
}

// Without host code; if that fails, as written.
Expected<cuda::CompiledPtx> compileSomehow(const source::CourseFile& course, const std::string& text,
                                           const std::string& name, const cuda::CompileOptions& options) {
    cuda::CompileOptions own = options;
    own.deviceByDefault = course.needsDeviceByDefault;
    const auto isThere = [&] {
        const bool isUsers = std::ranges::any_of(course.headers, [](const source::CourseHeader& header) {
            return header.name == cuda::kRandomHeader;
        });
        if (isUsers || isIn(options.includeFolders, cuda::kRandomHeader)) return true;
        const Expected<cuda::NvrtcInfo> nvrtc = cuda::findNvrtc();
        return nvrtc && isIn(nvrtc->includeFolders, cuda::kRandomHeader);
    };
    if (text.find(cuda::kRandomHeader) != std::string::npos && !isThere())
        for (const cuda::StandardHeader& header : cuda::randomHeaders())
            own.headers.emplace_back(header.name, header.text);
    for (const source::CourseHeader& header : course.headers)
        own.headers.emplace_back(header.name, header.text);
    if (course.text != text) {
        own.headers.emplace_back(kHostTypesName, kHostTypes);
        own.included = kHostTypesName;
    }
    Expected<cuda::CompiledPtx> compiled = cuda::compile(course.text, name, own);
    if (compiled || options.stop.stop_requested()) return compiled;
    if (Expected<cuda::CompiledPtx> without = compileWithout(course, compiled.error(), name, own))
        return without;
    else
        compiled = std::move(without);
    if (course.text == text) {
        own.headers.emplace_back(kMathematicsName, kMathematics);
        own.included = kMathematicsName;
        Expected<cuda::CompiledPtx> withMathematics = cuda::compile(text, name, own);
        return withMathematics ? withMathematics : compiled;
    }
    Expected<cuda::CompiledPtx> asWritten = cuda::compile(text, name, options);
    return asWritten ? asWritten : compiled;
}

// 'variable "n" was declared but never referenced', 'function "ns::f(int)" ...': n, f; "" if it names
// nothing.
std::string_view nameIn(std::string_view message) {
    const std::size_t open = message.find('"'), close = message.find('"', open + 1);
    if (close == std::string_view::npos) return {};
    std::string_view name = message.substr(open + 1, close - open - 1);
    name = name.substr(0, name.find_first_of("(<["));
    const std::size_t scope = name.rfind("::");
    return scope == std::string_view::npos ? name : name.substr(scope + 2);
}

// What was taken out of the text for the device compiler.
std::string hostPartOf(std::string_view original, std::string_view forDevice) {
    std::string host(original);
    for (std::size_t i = 0; i < std::min(host.size(), forDevice.size()); ++i)
        if (host[i] == forDevice[i]) host[i] = ' ';
    return host;
}

// About the user's own text: not about a header of others, nor that something is not used that the host code
// names.
void keepOwnWarnings(std::vector<Fault>& warnings, const source::CourseFile& course, const std::string& text,
                     const std::string& name) {
    std::string host = hostPartOf(text, course.text);
    for (const source::CourseHeader& header : course.headers)
        host += "\n" + hostPartOf(header.original, header.text);
    std::erase_if(warnings, [&](const Fault& warning) {
        const std::string& file = warning.place.file;
        const bool isOwn =
            file == name || std::ranges::any_of(course.headers, [&](const source::CourseHeader& header) {
                return file == header.name || file == header.path;
            });
        const std::string message = warning.message.english();
        const std::string_view about = nameIn(message);
        return !isOwn || (!about.empty() && hasWord(host, about));
    });
}

// At the end of the message's first line: what the compiler does not know may be in a header that is not
// there.
Message withRemark(const Message& message, const Fault& note) {
    Text text{message.in(Language::English), message.in(Language::Chinese)};
    for (const auto& [language, of] : {std::pair{Language::English, &text.en}, {Language::Chinese, &text.zh}})
        of->insert(std::min(of->find('\n'), of->size()),
                   " " + say(language, english("(line {0}: {1})"), note.place.line, note.message));
    return text;
}

}  // namespace

Fault atSource(Fault fault, std::string_view ptx, const std::filesystem::path& file,
               std::string_view source) {
    const std::vector<std::string_view> lines = linesOf(ptx);
    if (fault.place.line == 0 || fault.place.line > lines.size()) return fault;
    u32 line = lineInForce(lines, fault.place.line, file.string());
    if (line == 0) line = lineOfDeclaration(lines[fault.place.line - 1], source);
    if (line > 0) fault.place = {file.string(), line, 0};
    return fault;
}

source::CourseFile readOwnSource(const std::string& text, const std::filesystem::path& file,
                                 const std::vector<std::string>& defines,
                                 const std::vector<std::filesystem::path>& includeFolders) {
    const Expected<cuda::NvrtcInfo> nvrtc = cuda::findNvrtc();
    const auto find = [&](const std::string& name, bool isQuoted, const std::string& from) -> FoundInclude {
        const auto isStandIn = [&](const cuda::StandardHeader& header) { return name == header.name; };
        if (std::ranges::any_of(cuda::kStandardHeaders, isStandIn)) return {FoundInclude::Kind::Compiler};
        if (isUnneeded(name)) return {FoundInclude::Kind::Unneeded};
        if (isQuoted)
            if (FoundInclude own = textIn(std::filesystem::path(from).parent_path() / name);
                own.kind == FoundInclude::Kind::Text)
                return own;
        for (const std::filesystem::path& folder : includeFolders)
            if (isToolkits(folder) && isIn({folder}, name))
                return {FoundInclude::Kind::Compiler};
            else if (FoundInclude own = textIn(folder / name); own.kind == FoundInclude::Kind::Text)
                return own;
        if (isForHost(name)) return {FoundInclude::Kind::HostOnly};
        if ((nvrtc && isIn(nvrtc->includeFolders, name)) || name == cuda::kRandomHeader)
            return {FoundInclude::Kind::Compiler};
        return {};
    };
    return source::readCourseFile(text, file.string(), {.defines = defines, .find = find});
}

Expected<cuda::CompiledPtx> compileOwnSource(const source::CourseFile& course, const std::string& text,
                                             const std::string& name, const cuda::CompileOptions& options) {
    // Else it is said to have no kernel, for what is not for the device is left out of it.
    if (firstNotUtf8(text) && text.find("__global__") == std::string::npos)
        return fail(FaultKind::Syntax, english("this file is no text, so that it cannot be CUDA source"),
                    {.file = name});
    Expected<cuda::CompiledPtx> compiled = compileSomehow(course, text, name, options);
    if (compiled) keepOwnWarnings(compiled->warnings, course, text, name);
    for (const Fault& note : course.notes) {
        if (note.kind != FaultKind::NotFound) continue;
        if (compiled) {
            compiled->warnings.push_back(note);
            continue;
        }
        Fault fault = compiled.error();
        fault.message = withRemark(fault.message, note);
        return Unexpected{std::move(fault)};
    }
    return compiled;
}

std::string entryIn(const source::CourseFile& course, const std::string& entry) {
    if (entry.find('<') != std::string::npos) return entry;
    std::set<std::string> names, instances;
    for (const source::CourseKernel& kernel : course.kernels)
        names.insert(kernel.name);
    const std::string name = entry.empty() && names.size() == 1 ? *names.begin() : entry;
    for (const source::Launch& launch : course.launches)
        if (launch.kernel == name && launch.isEntryKnown && launch.entry != name)
            instances.insert(launch.entry);
    return instances.size() == 1 ? *instances.begin() : entry;
}

}  // namespace lockstep::run
