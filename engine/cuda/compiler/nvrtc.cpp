#include "cuda/compiler/nvrtc.h"

#include "base/text/escapes.h"
#include "cuda/compiler/compilation_key.h"
#include "cuda/compiler/nvrtc_library.h"
#include "cuda/compiler/nvrtc_log.h"
#include "cuda/compiler/standard_headers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>

namespace lockstep::cuda {
namespace {

class Program {
public:
    Program(const NvrtcLibrary& nvrtc, const std::string& source, const std::string& name,
            const CompileOptions& options)
        : nvrtc_(nvrtc) {
        std::vector<const char*> texts, names;
        for (const auto& [headerName, text] : options.headers) {
            texts.push_back(text.c_str());
            names.push_back(headerName.c_str());
        }
        for (const StandardHeader& header : kStandardHeaders) {
            texts.push_back(header.text);
            names.push_back(header.name);
        }
        result_ = nvrtc_.createProgram(&program_, source.c_str(), name.c_str(), int(names.size()),
                                       texts.data(), names.data());
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program() {
        if (program_) nvrtc_.destroyProgram(&program_);
    }

    // As it goes on, it asks `stop`, which must outlive that.
    void stopAt(const std::stop_token& stop) {
        if (!ok() || !nvrtc_.setFlowCallback || !stop.stop_possible()) return;
        const auto isStopped = [](void* token, void*) -> int {
            return static_cast<const std::stop_token*>(token)->stop_requested();
        };
        // A payload is not const, whatever is done with it.
        result_ = nvrtc_.setFlowCallback(program_, isStopped, const_cast<std::stop_token*>(&stop));
    }
    bool compile(const std::vector<std::string>& options, const std::vector<std::string>& entries) {
        for (const std::string& entry : entries)
            if (ok()) result_ = nvrtc_.addNameExpression(program_, entry.c_str());
        std::vector<const char*> texts;
        for (const std::string& option : options)
            texts.push_back(option.c_str());
        if (ok()) result_ = nvrtc_.compileProgram(program_, int(texts.size()), texts.data());
        return ok();
    }
    std::string error() const { return nvrtc_.getErrorString(result_); }
    std::string log() const { return text(nvrtc_.getLogSize, nvrtc_.getLog); }
    std::string ptx() const { return text(nvrtc_.getPtxSize, nvrtc_.getPtx); }
    std::string loweredName(const std::string& entry) const {
        const char* name = nullptr;
        return nvrtc_.getLoweredName(program_, entry.c_str(), &name) == kNvrtcSuccess && name ? name : "";
    }

private:
    bool ok() const { return result_ == kNvrtcSuccess; }
    std::string text(NvrtcResult (*size)(NvrtcProgram, std::size_t*),
                     NvrtcResult (*get)(NvrtcProgram, char*)) const {
        std::size_t bytes = 0;  // its final zero included
        if (!program_ || size(program_, &bytes) != kNvrtcSuccess || bytes == 0) return {};
        std::string text(bytes, '\0');
        if (get(program_, text.data()) != kNvrtcSuccess) return {};
        text.resize(bytes - 1);
        return text;
    }

    const NvrtcLibrary& nvrtc_;
    NvrtcProgram program_ = nullptr;
    NvrtcResult result_ = kNvrtcSuccess;
};

// Options that affect the code, before search paths.
std::vector<std::string> codeOptions(const CompileOptions& options) {
    std::vector<std::string> texts{"--gpu-architecture=" + options.architecture, "-lineinfo"};
    if (options.asWritten) texts.emplace_back("--Ofast-compile=mid");
    if (!options.included.empty()) texts.push_back("-include=" + options.included);
    if (options.deviceByDefault) texts.emplace_back("-default-device");
    for (const std::string& define : options.defines)
        texts.push_back("-D" + define);
    return texts;
}

// Those that the compilation adds to the compiler's own.
std::vector<std::filesystem::path> foldersOf(const std::string& name, const CompileOptions& options) {
    std::vector<std::filesystem::path> folders{std::filesystem::path(name).parent_path()};
    if (folders.front().empty()) folders.front() = ".";
    folders.insert(folders.end(), options.includeFolders.begin(), options.includeFolders.end());
    return folders;
}

// NVRTC makes the file name absolute in the line table; restores the name as given.
void restoreName(std::string& ptx, const std::string& name) {
    if (std::filesystem::path(name).is_absolute()) return;
    std::error_code error;
    const std::string prefix = "\"" + withEscapes((std::filesystem::current_path(error) / "").string());
    const std::string whole = prefix + withEscapes(name) + "\"";
    for (std::size_t at = ptx.find("\t.file\t"); at != std::string::npos;
         at = ptx.find("\t.file\t", at + 1)) {
        const std::size_t quote = ptx.find('"', at);
        if (quote != std::string::npos && ptx.compare(quote, whole.size(), whole) == 0)
            ptx.erase(quote + 1, prefix.size() - 1);
    }
}

// ".visible .entry _Z1fPi(" -> "_Z1fPi"
std::vector<std::string> entriesIn(std::string_view ptx) {
    constexpr std::string_view kMark = ".entry ";
    std::vector<std::string> names;
    for (std::size_t at = ptx.find(kMark); at != std::string_view::npos; at = ptx.find(kMark, at + 1)) {
        const std::string_view rest = ptx.substr(at + kMark.size());
        names.emplace_back(rest.substr(0, rest.find_first_of("( \t\r\n")));
    }
    return names;
}

// "// Cuda compilation tools, release 13.0, V13.0.88" -> "NVRTC 13.0.88"
std::string compilerOf(std::string_view ptx) {
    const std::size_t mark = ptx.find(", V");
    if (mark == std::string_view::npos) return "NVRTC";
    const std::string_view rest = ptx.substr(mark + 3);
    return "NVRTC " + std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

Fault nothingToRun(const std::string& name, const std::string& source) {
    const std::vector<std::string> kernels = kernelsNamedIn(source);
    const Message message =
        kernels.empty() ? Message(english("this file has no kernel: no function is declared __global__"))
                        : Message(english("'{0}' is a template: name one of its instantiations, as in "
                                          "{0}<16>, or make it a plain kernel"),
                                  kernels.front());
    return {.kind = FaultKind::NotFound,
            .message = message,
            .place = {name, 0, 0},
            .pc = {},
            .block = {},
            .thread = {}};
}

Expected<CompiledPtx> compileAnew(const NvrtcLibrary& nvrtc, const std::string& source,
                                  const std::string& name, const CompileOptions& options) {
    const std::vector<std::string> shaping = codeOptions(options);
    std::vector<std::string> all = shaping;
    all.emplace_back("--device-int128");  // as nvcc does if the host compiler has such integers; code
                                          // without them is unchanged
    for (const std::filesystem::path& folder : foldersOf(name, options))
        all.push_back("-I" + folder.string());
    for (const std::filesystem::path& folder : nvrtc.includeFolders)
        all.push_back("-I" + folder.string());

    Program program(nvrtc, source, name, options);
    program.stopAt(options.stop);
    if (!program.compile(all, options.entries))
        return Unexpected{faultFromLog(program.log(), name, source, program.error())};

    CompiledPtx compiled{.text = program.ptx(),
                         .entries = {},
                         .kernels = {},
                         .compiler = {},
                         .flags = fmt::format("{}", fmt::join(shaping, " ")),
                         .warnings = warningsIn(program.log())};
    restoreName(compiled.text, name);
    compiled.compiler = compilerOf(compiled.text);
    compiled.kernels = entriesIn(compiled.text);
    if (compiled.kernels.empty()) return Unexpected{nothingToRun(name, source)};
    for (const std::string& entry : options.entries) {
        compiled.entries.emplace_back(entry, program.loweredName(entry));
        if (std::ranges::find(compiled.kernels, compiled.entries.back().second) == compiled.kernels.end())
            return fail(FaultKind::NotFound,
                        Message(english("'{0}' is not a kernel: it is not declared __global__"), entry),
                        {name, 0, 0});
    }
    return compiled;
}

std::optional<std::string> keyOf(const NvrtcLibrary& nvrtc, const std::string& source,
                                 const std::string& name, const CompileOptions& options) {
    std::error_code error;
    const std::filesystem::path library = std::filesystem::canonical(nvrtc.path, error);
    Compilation compilation{
        .source = source,
        .name = name,
        .options = codeOptions(options),
        .entries = options.entries,
        .headers = options.headers,
        .folders = foldersOf(name, options),
        .compilerFolders = nvrtc.includeFolders,
        .compiler = fmt::format("{} {} {}", library.string(), std::filesystem::file_size(library, error),
                                std::filesystem::last_write_time(library, error).time_since_epoch().count())};
    for (const StandardHeader& header : kStandardHeaders)
        compilation.headers.emplace_back(header.name, header.text);
    return keyOf(compilation);
}

nlohmann::json warningJson(const Fault& warning) {
    return {{"file", warning.place.file},
            {"line", warning.place.line},
            {"column", warning.place.column},
            {"message", warning.message.english()}};
}

Fault warningOf(const nlohmann::json& json) {
    return {.kind = FaultKind::Syntax,
            .message = Message::plain(json.at("message")),
            .place = {json.at("file"), json.at("line"), json.at("column")},
            .pc = {},
            .block = {},
            .thread = {}};
}

std::optional<std::string> written(const CompiledPtx& compiled) {
    nlohmann::json warnings = nlohmann::json::array();
    for (const Fault& warning : compiled.warnings)
        warnings.push_back(warningJson(warning));
    const nlohmann::json json{{"text", compiled.text},       {"entries", compiled.entries},
                              {"kernels", compiled.kernels}, {"compiler", compiled.compiler},
                              {"flags", compiled.flags},     {"warnings", std::move(warnings)}};
    try {
        return json.dump();
    } catch (const nlohmann::json::exception&) {
        return {};  // a name that is not UTF-8
    }
}

std::optional<CompiledPtx> read(const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    try {
        CompiledPtx compiled{.text = json.at("text"),
                             .entries = json.at("entries"),
                             .kernels = json.at("kernels"),
                             .compiler = json.at("compiler"),
                             .flags = json.at("flags")};
        for (const nlohmann::json& warning : json.at("warnings"))
            compiled.warnings.push_back(warningOf(warning));
        return compiled;
    } catch (const nlohmann::json::exception&) {
        return {};  // damaged: it is compiled again
    }
}

}  // namespace

Expected<CompiledPtx> compile(const std::string& source, const std::string& name,
                              const CompileOptions& options) {
    const std::optional<TextCache> cache = TextCache::ofUser("ptx");
    return compile(source, name, options, cache ? &*cache : nullptr);
}

Expected<CompiledPtx> compile(const std::string& source, const std::string& name,
                              const CompileOptions& options, const TextCache* cache) {
    const Expected<const NvrtcLibrary*> nvrtc = nvrtcLibrary();
    if (!nvrtc) return Unexpected{nvrtc.error()};
    if (source.find('\0') != std::string::npos)
        return fail(FaultKind::Syntax, english("this is not a CUDA source: it holds a zero byte"),
                    {name, 0, 0});

    const std::optional<std::string> key = cache ? keyOf(**nvrtc, source, name, options) : std::nullopt;
    if (key)
        if (const std::optional<std::string> kept = cache->find(*key))
            if (std::optional<CompiledPtx> compiled = read(*kept)) return std::move(*compiled);
    Expected<CompiledPtx> compiled = compileAnew(**nvrtc, source, name, options);
    if (compiled && key)
        if (const std::optional<std::string> text = written(*compiled)) cache->keep(*key, *text);
    return compiled;
}

Expected<NvrtcInfo> findNvrtc() {
    const Expected<const NvrtcLibrary*> nvrtc = nvrtcLibrary();
    if (!nvrtc) return Unexpected{nvrtc.error()};
    NvrtcInfo info{.library = (*nvrtc)->path, .includeFolders = (*nvrtc)->includeFolders};
    (*nvrtc)->version(&info.major, &info.minor);
    return info;
}

}  // namespace lockstep::cuda
