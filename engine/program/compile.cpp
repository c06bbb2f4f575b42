#include "program/compile.h"

#include "base/files/whole_file.h"
#include "cuda/worker/child_process.h"
#include "cudart/protocol.h"
#include "program/chevrons.h"
#include "program/code_lines.h"
#include "program/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace lockstep::program {
namespace {

constexpr std::chrono::milliseconds kLongestCompile{120'000};

bool isOneOf(const std::filesystem::path& file, std::initializer_list<std::string_view> endings) {
    return std::ranges::find(endings, file.extension().string()) != endings.end();
}
bool isCuda(const std::filesystem::path& file) { return file.extension() == ".cu"; }
bool isHostSource(const std::filesystem::path& file) {
    return isOneOf(file, {".cpp", ".cc", ".cxx", ".c", ".C"});
}

std::string readText(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// Libraries of NVIDIA's that are not offered, by what their headers begin with.
struct Library {
    std::string_view header;
    std::string_view name;
};
constexpr Library kLibraries[] = {
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"cuda/", "libcu++"},
    {"cublas", "cuBLAS"},
    {"cufft", "cuFFT"},
    {"curand", "cuRAND"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cudnn", "cuDNN"},
    {"nccl", "NCCL"},
    {"nvrtc", "NVRTC"},
    {"npp", "NPP"},
    {"cutlass/", "CUTLASS"},
    {"mma.h", "the warp matrix functions"},
    {"cuda_gl_interop", "OpenGL"},
    {"GL/", "OpenGL"},
    {"nvToolsExt", "NVTX"},
    {"cupti", "CUPTI"},
    {"cuda_bf16", "bfloat16 (cuda_bf16.h)"},
    {"cuda_pipeline", "pipelines (cuda_pipeline.h)"},
    {"cooperative_groups/", "this part of cooperative groups"},
};

constexpr std::string_view kOffered[] = {"cooperative_groups/reduce.h", "curand_kernel.h", "curand.h"};

const Library* libraryOf(const std::string& header) {
    if (std::ranges::find(kOffered, header) != std::end(kOffered)) return nullptr;
    const auto* const found = std::ranges::find_if(
        kLibraries, [&](const Library& library) { return header.starts_with(library.header); });
    return found == std::end(kLibraries) ? nullptr : found;
}

// The library that a file includes, if it is one of these: said once it does not compile, since a toolkit's
// headers may be there.
const Library* includedBy(const std::string& file, std::string& header) {
    std::istringstream lines(readText(file));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find_first_not_of(" \t");
        if (at == std::string::npos || line[at] != '#' || line.find("include") == std::string::npos) continue;
        const std::size_t begin = line.find_first_of("<\""), end = line.find_first_of(">\"", begin + 1);
        if (begin == std::string::npos || end == std::string::npos) continue;
        header = line.substr(begin + 1, end - begin - 1);
        if (const Library* const library = libraryOf(header)) return library;
    }
    return nullptr;
}

// The same of the headers of the user's: as the compiler's messages name it.
const Library* includedInto(const std::string& output, std::string& header) {
    constexpr std::string_view kWithin = "In file included from ", kMissing = "' file not found";
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(kWithin)) {
            const std::string file =
                line.substr(kWithin.size(), line.find(':', kWithin.size()) - kWithin.size());
            header = std::filesystem::path(file).filename().string();
        } else if (const std::size_t end = line.find(kMissing); end != std::string::npos && end > 0) {
            header = line.substr(line.rfind('\'', end - 1) + 1, end - line.rfind('\'', end - 1) - 1);
        } else {
            continue;
        }
        if (const Library* const library = libraryOf(header)) return library;
    }
    return nullptr;
}

// The compiler's messages, and in front of them a sentence where we know what is missing.
Message whatFailed(const std::string& file, const std::string& output) {
    std::string included;
    if (const Library* library = includedBy(file, included))
        return Message(english("{0} includes <{1}>: lockstep exec does not offer {2}"), file, included,
                       std::string(library->name));
    if (const Library* library = includedInto(output, included))
        return Message(english("{0} includes <{1}>: lockstep exec does not offer {2}"), file, included,
                       std::string(library->name));
    const std::string_view kMissing = "' file not found";
    if (const std::size_t end = output.find(kMissing); end != std::string::npos) {
        const std::size_t begin = output.rfind('\'', end - 1);
        const std::string header = output.substr(begin + 1, end - begin - 1);
        return Message(english("{0} includes \"{1}\", which is not there; name its folder with -I\n{2}"),
                       file, header, output);
    }
    // What clang says of what is not offered is about clang, not about the program.
    struct Known {
        std::string_view said;
        Words why;
    };
    static const Words kReferences = english(
        "it uses texture or surface references (texture<...>), which CUDA 12 does not have any more; "
        "write it with texture objects (cudaCreateTextureObject())");
    static const Known kKnown[] = {
        {"reference to __global__ function", english("a kernel launches a kernel (dynamic parallelism)")},
        {"intrinsic %llvm.nvvm.shfl",
         english("it uses __shfl() without _sync, which no device has since compute capability 7.0")},
        {"intrinsic %llvm.nvvm.vote",
         english("it uses __any(), __all() or __ballot() without _sync, which no device has since compute "
                 "capability 7.0")},
        {"no template named 'texture'", kReferences},
        {"no template named 'surface'", kReferences},
        {"unknown type name 'texture'", kReferences},
        {"'cudaBindTexture", kReferences},
        {"'cudaMallocMipmappedArray'", english("it uses mipmapped arrays")},
        {"'cudaGetMipmappedArrayLevel'", english("it uses mipmapped arrays")},
        {"'curand_poisson", english("it uses random numbers of a Poisson distribution (curand_poisson())")},
        {"'curandStateSobol", english("it uses quasirandom numbers (Sobol)")},
        {"'curandStateScrambledSobol", english("it uses quasirandom numbers (Sobol)")},
        {"'curandStateMtgp32", english("it uses cuRAND's MTGP32 generator")},
        {"'texCubemap", english("it uses cubemaps")},
        {"'surfCubemap", english("it uses cubemaps")},
        {"'cudaGraphics", english("it shares memory with graphics (cudaGraphics...)")},
        {"'cudaGraph", english("it uses a function of CUDA graphs that is not offered")},
        {"'cudaIpc", english("it shares memory between processes (cudaIpc...)")},
        {"'cuLaunch", english("it uses the driver interface (cu...)")},
        {"'cuInit'", english("it uses the driver interface (cu...)")},
        {"'CUdevice", english("it uses the driver interface (cu...)")},
        {"'CUmodule", english("it uses the driver interface (cu...)")},
    };
    for (const Known& known : kKnown)
        if (output.find(known.said) != std::string::npos)
            return Message(english("{0} cannot be run by lockstep exec: {1}"), file, known.why);
    return Message(english("{0} does not compile:\n{1}"), file, output);
}

// cudaMalloc, cublasCreate, cuInit; not cutStart, which is somebody's own.
bool isNvidias(const std::string& name) {
    for (const std::string_view prefix :
         {"cuda", "__cuda", "cublas", "cufft", "curand", "cusparse", "cusolver", "nvrtc", "nvtx", "nvml"})
        if (name.starts_with(prefix)) return true;
    return name.size() > 2 && name.starts_with("cu") && std::isupper(static_cast<unsigned char>(name[2]));
}

// Undefined symbols of the runtime: functions that are not offered, by name.
Message whatDidNotLink(const std::string& output) {
    std::set<std::string> missing;
    bool isMain = false;
    const std::string_view kUndefined = "undefined reference to `";
    for (std::size_t at = 0; (at = output.find(kUndefined, at)) != std::string::npos;) {
        at += kUndefined.size();
        const std::string name = output.substr(at, output.find_first_of("'(", at) - at);
        isMain |= name == "main";
        if (isNvidias(name)) missing.insert(name);
    }
    if (isMain) return english("the program has no main(): name the file that has it, too");
    if (missing.empty()) return Message(english("the program does not link:\n{0}"), output);
    std::vector<Message> names;
    for (const std::string& name : missing)
        names.push_back(Message::plain(name + "()"));
    return Message(english("lockstep exec does not offer {0}"), listed(names));
}

// Lines in headers of the compiler's or ours count towards the line of the user's that used them: LLVM's PTX
// does not say where code was inlined. Line 0 is none.
std::string withUsersLines(const std::string& ptx, const std::filesystem::path& ours) {
    std::set<std::string> foreign;
    std::istringstream files(ptx);
    for (std::string line; std::getline(files, line);) {
        const std::size_t at = line.find_first_not_of("\t ");
        if (at == std::string::npos || line.compare(at, 5, ".file") != 0) continue;
        std::istringstream words(line.substr(at + 5));
        std::string number;
        words >> number;
        if (line.find("/lib/clang/") != std::string::npos || line.find(ours.string()) != std::string::npos ||
            line.find("/usr/include/") != std::string::npos)
            foreign.insert(number);
    }
    std::string out;
    out.reserve(ptx.size());
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find_first_not_of("\t ");
        if (at != std::string::npos && line.compare(at, 4, ".loc") == 0) {
            std::istringstream words(line.substr(at + 4));
            std::string file, number;
            words >> file >> number;
            if (foreign.contains(file) || number == "0") continue;
        }
        out += line;
        out += '\n';
    }
    return out;
}

// For our headers: the compiler is to say where an error that is returned is not used.
constexpr const char* kMarksResults = "-DLOCKSTEP_MARKS_RESULTS";

using Arguments = std::vector<std::string>;

// Options of two words become one; those of nvcc that name what is made, or are for its own tools, go.
Arguments oneByOne(const Arguments& options) {
    const auto isAmong = [](const std::string& option, std::initializer_list<std::string_view> these) {
        return std::ranges::find(these, option) != these.end();
    };
    Arguments words;
    for (std::size_t i = 0; i < options.size(); ++i) {
        std::string option = options[i], value = i + 1 < options.size() ? options[i + 1] : std::string();
        const std::size_t equals = option.find('=');
        if (isAmong(option.substr(0, equals), {"-Xcompiler", "-Xlinker", "-Xptxas"}) &&
            equals != std::string::npos) {
            value = option.substr(equals + 1);
            option.resize(equals);
            --i;  // the value takes no word
        }
        if (isAmong(option, {"-o", "-x", "-arch", "-gencode", "-code", "-Xptxas", "-ccbin", "-odir",
                             "-maxrregcount"})) {
            ++i;
        } else if (option.starts_with("-o")) {
            continue;
        } else if (isAmong(option, {"-I", "-D", "-U", "-L", "-l", "-isystem", "-include", "-iquote"})) {
            words.push_back(option + value), ++i;
        } else if (option == "-std") {
            words.push_back("-std=" + value), ++i;
        } else if (option == "-Xlinker") {
            words.push_back("-Wl," + value), ++i;
        } else if (option == "-Xcompiler") {
            std::istringstream hosts(value);
            const char between = value.starts_with("-Wl,") ? '\0' : ',';
            for (std::string word; std::getline(hosts, word, between);)
                words.push_back(word);
            ++i;
        } else {
            words.push_back(option);
        }
    }
    return words;
}

class Compiler {
public:
    Compiler(const CompileRequest& request, std::filesystem::path clang)
        : request_(request), clang_(std::move(clang)) {}

    Expected<Compiled> all() {
        Arguments objects;
        for (const std::string& file : request_.files) {
            std::error_code ignored;
            if (!std::filesystem::is_regular_file(file, ignored))
                return fail(FaultKind::NotFound, english("there is no such file"), {.file = file});
            if (isCuda(file) || isHostSource(file)) {
                const std::string object =
                    (request_.folder / (std::to_string(objects.size()) + ".o")).string();
                if (auto done = isCuda(file) ? cuda(file, object) : host(file, object); !done)
                    return Unexpected{done.error()};
                objects.push_back(object);
            } else if (isOneOf(file, {".o", ".a", ".so"})) {
                objects.push_back(file);
            } else {
                return fail(FaultKind::Usage,
                            english("a program is made of .cu, .cpp, .cc, .cxx, .c, .o and .a files"),
                            {.file = file});
            }
        }
        const std::filesystem::path program = request_.folder / "program";
        Arguments words{"-no-pie", "-o", program.string()};
        words.insert(words.end(), objects.begin(), objects.end());
        words.insert(words.end(),
                     {"-Wl,--whole-archive", request_.library.string(), "-Wl,--no-whole-archive"});
        for (const std::string& option : options(Stage::Link))
            words.push_back(option);
        words.insert(words.end(), {"-lpthread", "-ldl", "-lrt", "-lm"});
        const Expected<cuda::ChildResult> result = call(words);
        if (!result) return Unexpected{result.error()};
        if (result->exitStatus) return fail(FaultKind::Syntax, whatDidNotLink(result->output));
        return Compiled{program, warnings_, unusedResults_};
    }

private:
    enum class Stage : u8 { Device, Host, Link };

    // The user's, as far as they concern this stage. What is nvcc's own is left out.
    Arguments options(Stage stage) const {
        Arguments words;
        for (const std::string& option : oneByOne(request_.options)) {
            const bool isLink =
                option.starts_with("-l") || option.starts_with("-L") || option.starts_with("-Wl,");
            const bool isHostOnly = option.starts_with("-f") || option.starts_with("-m") ||
                                    option.starts_with("-O") || option == "-g";
            if (option.starts_with("-lcuda") || option.starts_with("-maxrregcount") || option == "-lcudart" ||
                option.starts_with("-arch") || option.starts_with("-gencode") || option == "-lineinfo" ||
                option == "-G" || option == "-rdc=true" || option.starts_with("-lcurand") ||
                option.starts_with("-lcublas"))
                continue;
            if (isLink ? stage == Stage::Link
                       : stage == Stage::Host || (stage == Stage::Device && !isHostOnly) ||
                             (stage == Stage::Link && option == "-fopenmp"))
                words.push_back(option);
        }
        return words;
    }

    Expected<cuda::ChildResult> call(const Arguments& words) const {
        return cuda::runChild(clang_, words, {.longest = kLongestCompile, .cancelled = request_.cancelled});
    }
    // isQuiet: what it warns of has been said.
    Expected<void> run(const std::string& file, const Arguments& words, bool isQuiet = false) {
        const Expected<cuda::ChildResult> result = call(words);
        if (!result) return Unexpected{result.error()};
        if (result->exitStatus) return fail(FaultKind::Syntax, whatFailed(file, result->output));
        const std::string warnings = takeUnusedResults(result->output, unusedResults_);
        if (!isQuiet && warnings_.find(warnings) == std::string::npos) warnings_ += warnings;
        return {};
    }
    // The compiler reads the text in place of the file, under the file's name.
    Expected<void> readInstead(const std::string& file, const std::string& text, const std::string& object) {
        const std::string copy = object + ".cu", map = object + ".overlay";
        std::error_code ignored;
        const auto quoted = [](const std::string& path) {
            return '"' + std::regex_replace(path, std::regex(R"(["\\])"), R"(\$&)") + '"';
        };
        const std::string overlay = fmt::format(
            R"({{"version": 0, "case-sensitive": "true", "use-external-names": "false",
"roots": [{{"type": "file", "name": {}, "external-contents": {}}}]}})",
            quoted(std::filesystem::absolute(file, ignored).lexically_normal().string()), quoted(copy));
        if (auto done = writeWholeFile(copy, std::as_bytes(std::span(text))); !done) return done;
        return writeWholeFile(map, std::as_bytes(std::span(overlay)));
    }
    Arguments common(const std::string& file, const std::string& object, const std::string& out) const {
        Arguments words{"-x",
                        "cuda",
                        file,
                        "-o",
                        out,
                        "-nocudainc",
                        "-nocudalib",
                        "--cuda-path=/nonexistent",
                        fmt::format("--cuda-gpu-arch=sm_{}", request_.architecture),
                        "-Xclang",
                        "-target-sdk-version=11.0",
                        "-Wno-unknown-cuda-version",
                        "-Wno-unused-command-line-argument",
                        "-D__NVCC__",
                        "-isystem",
                        request_.headers.string(),
                        "-include",
                        "lockstep_cuda.h",
                        "-std=c++17"};
        std::error_code ignored;
        if (const std::string map = object + ".overlay"; std::filesystem::exists(map, ignored))
            words.insert(words.end(), {"-ivfsoverlay", map});
        return words;
    }

    Expected<void> cuda(const std::string& file, const std::string& object) {
        const std::string ptx = object + ".ptx", code = object + ".code";
        const std::string source = readText(file), joined = joinedChevrons(source);
        if (joined != source)
            if (auto done = readInstead(file, joined, object); !done) return done;
        Arguments device = common(file, object, ptx);
        device.insert(device.end(), {"--cuda-device-only", "-S", "-O2", "-gline-tables-only",
                                     // Else what a kernel does with freed memory would be left out.
                                     "-fno-builtin-malloc", "-fno-builtin-free", "-Xclang", "-target-feature",
                                     "-Xclang", "+ptx70"});
        for (const std::string& option : options(Stage::Device))
            device.push_back(option);
        if (auto done = run(file, device); !done) return done;
        const std::string text = withUsersLines(readText(ptx), request_.headers);
        cudart::CodeHead head{.magic = {}, .bytes = text.size()};
        std::memcpy(head.magic, cudart::kCodeMagic, sizeof head.magic);
        const std::string whole = std::string(reinterpret_cast<const char*>(&head), sizeof head) + text;
        if (auto done = writeWholeFile(code, std::as_bytes(std::span(whole))); !done) return done;

        Arguments hostArguments = common(file, object, object);
        hostArguments.insert(hostArguments.end(), {"--cuda-host-only", "-c", "-fno-pie", "-gline-tables-only",
                                                   "-Xclang", "-fcuda-include-gpubinary", "-Xclang", code});
        for (const std::string& option : options(Stage::Host))
            hostArguments.push_back(option);
        // Its warnings are those of the device code's compilation.
        hostArguments.insert(hostArguments.end(), {"-Wno-everything", "-Wno-error", "-Wunused-result",
                                                   "-fno-caret-diagnostics", kMarksResults});
        return run(file, hostArguments, true);
    }

    Expected<void> host(const std::string& file, const std::string& object) {
        Arguments words{file,
                        "-o",
                        object,
                        "-c",
                        "-fno-pie",
                        "-gline-tables-only",
                        "-isystem",
                        request_.headers.string(),
                        "-Wno-unused-command-line-argument",
                        "-Wno-error=unused-result",
                        kMarksResults};
        if (std::filesystem::path(file).extension() == ".c") words.insert(words.begin(), {"-x", "c"});
        for (const std::string& option : options(Stage::Host))
            words.push_back(option);
        return run(file, words);
    }

    const CompileRequest& request_;
    std::filesystem::path clang_;
    std::string warnings_;
    std::set<CodePlace> unusedResults_;
};

// "Debian clang version 14.0.6": 14. 0: not clang.
u32 versionOf(const std::filesystem::path& clang) {
    const Expected<cuda::ChildResult> result = cuda::runChild(clang, {"--version"}, {});
    if (!result) return 0;
    const std::size_t at = result->output.find("clang version ");
    return at == std::string::npos ? 0 : u32(std::strtoul(result->output.c_str() + at + 14, nullptr, 10));
}

}  // namespace

std::string takeUnusedResults(const std::string& output, std::set<CodePlace>& places) {
    // "program.cu:7:5: warning: ignoring return value of function declared with ..."
    static const std::regex kDiagnostic(R"(^([^:\n]+):([0-9]+):[0-9]+: (note|warning|error|fatal error): )"),
        kCount(R"(^[0-9]+ warnings? generated.*$)");
    std::string rest;
    std::istringstream lines(output);
    bool isTaken = false;
    for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        constexpr std::size_t kLongest = 1000;  // std::regex goes as deep as a line is long
        const std::string begin = line.substr(0, kLongest);
        if (std::regex_search(begin, found, kDiagnostic)) {
            isTaken = line.find("declared with 'warn_unused_result' attribute") != std::string::npos;
            if (isTaken) {
                std::error_code ignored;
                const auto file = std::filesystem::absolute(found[1].str(), ignored).lexically_normal();
                places.insert(
                    {fromHere(file.string()), u32(std::strtoul(found[2].str().c_str(), nullptr, 10))});
            }
        } else if (std::regex_match(begin, kCount)) {
            continue;
        }
        if (!isTaken) rest += line + "\n";
    }
    return rest;
}

std::filesystem::path findClang() {
    constexpr u32 kLeast = 14, kNewest = 22;
    if (const char* const chosen = std::getenv("LOCKSTEP_CLANG"); chosen && *chosen) return findTool(chosen);
    if (std::filesystem::path plain = findTool("clang++"); !plain.empty() && versionOf(plain) >= kLeast)
        return plain;
    for (u32 version = kNewest; version >= kLeast; --version)
        if (std::filesystem::path named = findTool(fmt::format("clang++-{}", version)); !named.empty())
            return named;
    return {};
}

u32 architectureFor(const model::Profile& profile) {
    const u32 capability = profile.major * 10 + profile.minor;
    for (u32 known : {80, 75, 70, 61, 60})
        if (known <= capability) return known;
    return 50;
}

Message whyNoClang() {
    return english(
        "lockstep exec needs clang 14 or later (clang++), which is not installed here: on Debian or "
        "Ubuntu, apt-get install clang");
}

Expected<Compiled> compile(const CompileRequest& request) {
    const std::filesystem::path clang = findClang();
    if (clang.empty()) return fail(FaultKind::NotFound, whyNoClang());
    return Compiler(request, clang).all();
}

}  // namespace lockstep::program
