#include "source/course_file.h"

#include "source/declarations.h"
#include "source/host_code.h"
#include "source/preprocessor.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace lockstep::source {
namespace {

constexpr u64 kMostBytes =
    u64{8} << 20;  // of a text that is filtered; none is that large that was written by hand

struct OpenFile {
    std::string path, name, text, result;
    std::vector<Token> tokens;
};

Fault note(const std::string& file, u32 line, Message message, FaultKind kind = FaultKind::Unsupported) {
    return fail(kind, std::move(message), {file, line, 0}).value();
}

class Filter {
public:
    Filter(const std::string& text, const std::string& path, const CourseOptions& options)
        : options_(options) {
        add(path, path, text);
    }

    CourseFile run() {
        readDevice();
        readHost();
        for (std::size_t i = 1; i < files_.size(); ++i)
            result_.headers.push_back({files_[i]->name, files_[i]->path, files_[i]->text, files_[i]->result});
        result_.text = files_[0]->result;
        std::ranges::stable_sort(result_.notes, {}, [&](const Fault& fault) {
            return std::pair(fault.place.file != files_[0]->path, fault.place.line);
        });
        return std::move(result_);
    }

private:
    u32 add(const std::string& path, const std::string& name, const std::string& text) {
        files_.push_back(
            std::make_unique<OpenFile>(OpenFile{path, name, text, text, tokenize(text, u32(files_.size()))}));
        return u32(files_.size() - 1);
    }
    void blank(u32 file, u64 begin, u64 end) {
        std::string& text = files_[file]->result;
        for (u64 i = begin; i < std::min<u64>(end, text.size()); ++i)
            if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
    }
    // All but directives, which hold for what follows.
    void blankTokens(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last;) {
            std::size_t end = i;
            while (end + 1 < last && tokens[end + 1].file == tokens[i].file)
                ++end;
            const u64 begin = tokens[i].begin, behind = tokens[end].end;
            u64 at = begin;
            const std::vector<Token>& all = files_[tokens[i].file]->tokens;
            for (auto token = std::ranges::lower_bound(all, begin, {}, &Token::begin);
                 token != all.end() && token->begin < behind; ++token) {
                if (token->kind != Token::Kind::Directive) continue;
                blank(tokens[i].file, at, token->begin);
                at = token->end;
            }
            blank(tokens[i].file, at, behind);
            i = end + 1;
        }
    }

    IncludedText include(const Token& directive, const std::string& name, bool isQuoted, bool isForDevice) {
        const std::string from = files_[directive.file]->path;
        FoundInclude found = options_.find ? options_.find(name, isQuoted, from) : FoundInclude{};
        if (name.empty()) found.kind = FoundInclude::Kind::Compiler;  // a macro's name
        if (found.kind == FoundInclude::Kind::Text && found.text.size() <= kMostBytes &&
            files_.size() < 256) {
            u32 file = 0;
            while (file < files_.size() && files_[file]->path != found.path)
                ++file;
            if (file == files_.size()) add(found.path, name, found.text);
            return {file, &files_[file]->tokens};
        }
        if (!isForDevice || found.kind == FoundInclude::Kind::Compiler) return {};
        blank(directive.file, directive.begin, directive.end);
        if (found.kind == FoundInclude::Kind::HostOnly)
            hostHeaders_[directive.file].push_back({name, directive.line});
        if (found.kind == FoundInclude::Kind::Missing || found.kind == FoundInclude::Kind::Text)
            result_.notes.push_back(note(from, directive.line,
                                         Message(english("'{0}' was not found and is skipped; give its "
                                                         "folder with --include if kernels need it"),
                                                 name),
                                         FaultKind::NotFound));
        return {};
    }

    static bool isForDeviceMacro(const void* of, const std::string& name) {
        return static_cast<const Filter*>(of)->deviceMacros_.contains(name);
    }
    static bool isCalledMacro(const void* of, const std::string& name) {
        return static_cast<const Filter*>(of)->calledMacros_.contains(name);
    }

    void readMacros(const Preprocessor& preprocessor) {
        for (const auto& [name, macro] : preprocessor.macros()) {
            if (macro.takesArguments) calledMacros_.insert(name);
            for (const Token& token : macro.body) {
                if (token.isWord()) macroWords_[name].insert(token.text);
                if (token.is("__global__") || token.is("__device__") || token.is("__constant__") ||
                    token.is("__shared__"))
                    deviceMacros_.insert(name);
            }
        }
        for (int round = 0; round < 4; ++round)  // macros of macros
            for (const auto& [name, words] : macroWords_)
                if (std::ranges::any_of(
                        words, [&](const std::string& word) { return deviceMacros_.contains(word); }))
                    deviceMacros_.insert(name);
    }

    void readDevice() {
        std::vector<std::string> defines = options_.defines;
        for (const char* define : {"__CUDACC__=1", "__CUDACC_RTC__=1", "__CUDA_ARCH__=900"})
            defines.emplace_back(define);
        Preprocessor preprocessor(defines,
                                  [&](const Token& directive, const std::string& name, bool isQuoted) {
                                      return include(directive, name, isQuoted, true);
                                  });
        const std::vector<Token> tokens = preprocessor.run(files_[0]->tokens, false);
        readMacros(preprocessor);
        noteHostHeaders();
        const MacroNames macros{isForDeviceMacro, isCalledMacro, this};
        const std::vector<Declaration> declarations = declarationsIn(tokens, macros);
        std::map<std::string, std::vector<std::size_t>, std::less<>> byName;
        for (std::size_t i = 0; i < declarations.size(); ++i)
            for (const std::string& name : declarations[i].names)
                byName[name].push_back(i);

        std::vector<char> isKept(declarations.size(), 0);
        std::vector<std::size_t> open;
        const auto keep = [&](std::size_t i) {
            if (!isKept[i]) isKept[i] = 1, open.push_back(i);
        };
        for (std::size_t i = 0; i < declarations.size(); ++i) {
            const Declaration& d = declarations[i];
            if (d.isForDevice && (d.isKernel || !needsSkippedHeader(tokens, d))) keep(i);
            if (d.kind == Declaration::Kind::Using && isUsingForDevice(tokens, d)) keep(i);
        }
        std::set<std::string, std::less<>> seen;
        while (!open.empty()) {
            const Declaration& user = declarations[open.back()];
            open.pop_back();
            std::vector<char> isHost(user.last - user.first, 0);
            if (user.kind == Declaration::Kind::Type)
                for (const TokenRange& member : hostMembersOf(tokens, user, macros))
                    std::fill(isHost.begin() + std::ptrdiff_t(member.first - user.first),
                              isHost.begin() + std::ptrdiff_t(std::min(member.last, user.last) - user.first),
                              char(1));
            for (std::size_t k = user.first; k < user.last; ++k) {
                if (!tokens[k].isWord() || isHost[k - user.first]) continue;
                std::set<std::string, std::less<>> words;
                wordsOf(tokens[k].text, words, 0);
                const bool isMember = k > user.first && (tokens[k - 1].is(".") || tokens[k - 1].is("->"));
                const bool isCall =
                    !isMember && k + 1 < user.last && (tokens[k + 1].is("(") || tokens[k + 1].is("<"));
                for (const std::string& word : words) {
                    const auto found = byName.find(word);
                    if (found == byName.end()) continue;
                    for (const std::size_t i : found->second)
                        if (!isKept[i] && isUsable(tokens, declarations[i], isCall || words.size() > 1)) {
                            keep(i);
                            if (declarations[i].kind == Declaration::Kind::Function &&
                                !declarations[i].isConstexpr && declarations[i].hasBody)
                                noteKeptFunction(tokens, declarations[i], tokens[k]);
                        }
                }
            }
        }
        for (std::size_t i = 0; i < declarations.size(); ++i) {
            const Declaration& d = declarations[i];
            if (!isKept[i]) {
                blankTokens(tokens, d.first, d.last);
                continue;
            }
            if (d.kind == Declaration::Kind::Function && !d.isForDevice) result_.needsDeviceByDefault = true;
            if (d.kind == Declaration::Kind::Type)
                for (const TokenRange& member : hostMembersOf(tokens, d, macros))
                    blankTokens(tokens, member.first, std::min(member.last, d.last));
            if (d.kind == Declaration::Kind::Type)
                result_.needsDeviceByDefault = true;  // its constexpr members
            if (d.isKernel && d.kind == Declaration::Kind::Function && d.hasBody && !d.names.empty()) {
                const Token& place = tokens[d.parameters ? d.parameters : d.first];
                result_.kernels.push_back(
                    {d.scope + d.names.front(), files_[place.file]->path, place.line, d.isTemplate});
            }
        }
    }

    // Functors for a library of host code, such as Thrust, whose headers are skipped: kept only where a
    // kernel uses them.
    bool needsSkippedHeader(const std::vector<Token>& tokens, const Declaration& d) const {
        for (std::size_t k = d.first; k + 1 < d.last; ++k)
            if (tokens[k].isWord() && tokens[k + 1].is("::"))
                for (const auto& [file, headers] : hostHeaders_)
                    for (const auto& [name, line] : headers)
                        if (name.starts_with(tokens[k].text + "/")) return true;
        return false;
    }

    // The word and, of a macro, everything that it stands for.
    void wordsOf(const std::string& word, std::set<std::string, std::less<>>& words, u32 depth) const {
        if (!words.insert(word).second || depth > 32) return;
        const auto macro = macroWords_.find(word);
        if (macro == macroWords_.end()) return;
        for (const std::string& inner : macro->second)
            wordsOf(inner, words, depth + 1);
    }

    // What host code declares, as device code may use it.
    static bool isUsable(const std::vector<Token>& tokens, const Declaration& d, bool isCall) {
        switch (d.kind) {
            case Declaration::Kind::Type:
            case Declaration::Kind::Using: return true;
            case Declaration::Kind::Variable: return d.isConstant || d.isConstexpr;
            case Declaration::Kind::Other: return false;
            case Declaration::Kind::Function: break;
        }
        if (!isCall || d.isQualified) return false;
        if (d.isConstexpr) return true;
        for (std::size_t k = d.first; k < d.last; ++k)  // nothing that only host code can do
            if (tokens[k].is("<<<") || tokens[k].is("std") || tokens[k].is("main") ||
                tokens[k].is("malloc") || tokens[k].is("rand") ||
                (tokens[k].isWord() && tokens[k].text.starts_with("cuda") && tokens[k].text.size() > 4))
                return false;
        return true;
    }

    // `using namespace` of what device code has: namespaces of the file, cooperative_groups, nvcuda.
    bool isUsingForDevice(const std::vector<Token>& tokens, const Declaration& d) const {
        const Token& first = tokens[d.first];
        if (first.is("namespace")) {
            for (std::size_t k = d.first; k < d.last; ++k)
                if (tokens[k].is("cooperative_groups") || tokens[k].is("nvcuda") || tokens[k].is("cuda"))
                    return true;
            return false;
        }
        if (!first.is("using") || d.last < d.first + 3) return false;
        const std::size_t name = d.first + (tokens[d.first + 1].is("namespace") ? 2 : 1);
        if (!tokens[d.first + 1].is("namespace") && !tokens[name + 1].is("::")) return false;
        const std::string& space = tokens[name].text;
        if (space == "cooperative_groups" || space == "nvcuda" || space == "cuda") return true;
        for (std::size_t k = 0; k + 1 < tokens.size(); ++k)
            if (tokens[k].is("namespace") && tokens[k + 1].is(space) && k + 1 != name)
                return k == 0 || !tokens[k - 1].is("using");
        return false;
    }

    void noteKeptFunction(const std::vector<Token>& tokens, const Declaration& d, const Token& user) {
        const Token& place = tokens[d.parameters];
        result_.notes.push_back(note(
            files_[place.file]->path, place.line,
            Message(english("'{0}' has no __device__, but line {1} calls it from device code; it is compiled "
                            "for the device"),
                    d.names.front(), user.line)));
    }
    void noteHostHeaders() {
        for (const auto& [file, headers] : hostHeaders_) {
            std::string names;
            for (const auto& [name, line] : headers)
                names += (names.empty() ? "" : ", ") + name;
            result_.notes.push_back(
                note(files_[file]->path, headers.front().second,
                     headers.size() == 1
                         ? Message(english("a header for host code only is skipped: {0}"), names)
                         : Message(english("headers for host code only are skipped: {0}"), names)));
        }
    }

    void readHost() {
        std::vector<std::string> defines = options_.defines;
        defines.emplace_back("__CUDACC__=1");
        defines.emplace_back("__NVCC__=1");
        Preprocessor preprocessor(defines,
                                  [&](const Token& directive, const std::string& name, bool isQuoted) {
                                      return include(directive, name, isQuoted, false);
                                  });
        const std::vector<Token> tokens = preprocessor.run(files_[0]->tokens, true);
        HostFindings found = readHostCode(tokens);
        for (HostLaunch& launch : found.launches) {
            launch.launch.file = files_[launch.file]->path;
            result_.launches.push_back(std::move(launch.launch));
        }
        for (const SymbolCopy& copy : found.symbols)
            result_.notes.push_back(note(files_[copy.file]->path, copy.line,
                                         Message(english("host code fills '{0}' here; the kernel is run with "
                                                         "its initial value, zero unless the "
                                                         "file gives one"),
                                                 copy.symbol)));
    }

    const CourseOptions& options_;
    std::vector<std::unique_ptr<OpenFile>> files_;
    std::map<u32, std::vector<std::pair<std::string, u32>>> hostHeaders_;
    std::set<std::string, std::less<>> deviceMacros_, calledMacros_;
    std::map<std::string, std::set<std::string, std::less<>>, std::less<>> macroWords_;
    CourseFile result_;
};

}  // namespace

CourseFile readCourseFile(const std::string& text, const std::string& path, const CourseOptions& options) {
    if (text.size() > kMostBytes)
        return {.text = text, .headers = {}, .kernels = {}, .launches = {}, .notes = {}};
    return Filter(text, path, options).run();
}

}  // namespace lockstep::source
