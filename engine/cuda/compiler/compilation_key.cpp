#include "cuda/compiler/compilation_key.h"

#include "base/files/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <system_error>

namespace lockstep::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 2u << 20;  // of a key: about as much source as is ever compiled here

// What the preprocessor sees: lines that end in a backslash go on, comments are spaces. Literals are not
// looked for: an #include within one is one file more than needed.
std::string withoutCommentsAndSplices(std::string_view text) {
    std::string joined, bare;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && text.substr(i + 1).starts_with("\r\n"))
            i += 2;
        else if (text[i] == '\\' && text.substr(i + 1).starts_with("\n"))
            i += 1;
        else
            joined += text[i];
    }
    for (std::size_t i = 0; i < joined.size(); ++i) {
        const std::size_t end = joined.compare(i, 2, "/*") == 0 ? joined.find("*/", i + 2) : joined.npos;
        if (end != joined.npos) {
            bare += ' ';
            i = end + 1;
        } else {
            bare += joined[i];
        }
    }
    return bare;
}

struct Include {
    std::string name;
    bool isQuoted = false;
};

// None: there is one that only the preprocessor can read.
std::optional<std::vector<Include>> includesIn(std::string_view source) {
    constexpr std::array<std::string_view, 7> kUnknowable{
        "__has_include", "__DATE__", "__TIME__", "__TIMESTAMP__", "_Pragma", "%:", "include_next"};
    const auto isIn = [](std::string_view text) {
        return [text](std::string_view word) { return text.find(word) != text.npos; };
    };
    const std::string text = withoutCommentsAndSplices(source);
    if (std::ranges::any_of(kUnknowable, isIn(source)) || std::ranges::any_of(kUnknowable, isIn(text)))
        return {};
    std::vector<Include> includes;
    for (const std::string_view all :
         {source, std::string_view(text)})  // a comment may hide one, a literal too
        for (std::size_t at = all.find('#'); at != all.npos; at = all.find('#', at + 1)) {
            std::string_view rest = all.substr(at + 1);
            const auto skipSpace = [&] {
                rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
            };
            skipSpace();
            if (!rest.starts_with("include")) continue;
            rest.remove_prefix(std::string_view("include").size());
            skipSpace();
            const char close = rest.starts_with('<') ? '>' : '"';
            const std::size_t end = rest.find_first_of(close == '>' ? ">\n" : "\"\n", 1);
            const bool isName =
                (rest.starts_with('<') || rest.starts_with('"')) && end != rest.npos && rest[end] == close;
            if (!isName) return {};
            includes.push_back({std::string(rest.substr(1, end - 1)), close == '"'});
        }
    return includes;
}

class KeyWriter {
public:
    explicit KeyWriter(const Compilation& compilation) : compilation_(compilation) {}

    std::optional<std::string> write() {
        add("version", "2");  // counted up with each change of what is made of the compiler's result
        add("compiler", compilation_.compiler);
        std::error_code error;
        add("folder", fs::current_path(error).string());  // relative names in the result depend on it
        for (const std::string& option : compilation_.options)
            add("option", option);
        for (const std::string& entry : compilation_.entries)
            add("entry", entry);
        addSource(compilation_.name, compilation_.source, fs::path(compilation_.name).parent_path());
        for (const auto& [name, text] : compilation_.headers)
            addSource(name, text, {});
        if (!isKnown_ || key_.size() > kMostBytes) return {};
        return std::move(key_);
    }

private:
    // Lengths keep apart what follows one another.
    void add(std::string_view what, std::string_view text) {
        key_ += fmt::format("{} {}\n{}\n", what, text.size(), text);
    }
    void addSource(const std::string& name, const std::string& text, const fs::path& folder) {
        add("name", name);
        add("text", text);
        if (key_.size() > kMostBytes) return;
        const std::optional<std::vector<Include>> includes = includesIn(text);
        isKnown_ = isKnown_ && includes;
        if (!isKnown_) return;
        for (const Include& include : *includes)
            addFiles(include, folder);
    }
    void addFiles(const Include& include, const fs::path& folder) {
        addFile(folder / include.name);
        for (const fs::path& other : compilation_.folders)
            addFile(other / include.name);
        std::error_code error;
        for (const fs::path& other : compilation_.compilerFolders) {
            const fs::path file = other / include.name;
            if (!seen_.insert(file.lexically_normal().string()).second || !fs::is_regular_file(file, error))
                continue;
            add("compiler's", fmt::format("{} {} {}", file.string(), fs::file_size(file, error),
                                          fs::last_write_time(file, error).time_since_epoch().count()));
        }
    }
    void addFile(const fs::path& file) {
        const std::string name = file.lexically_normal().string();
        std::error_code error;
        if (!seen_.insert(name).second || !fs::is_regular_file(file, error)) return;
        const Expected<std::string> text = readTextFile(file, english("give the path of a header"));
        if (text)
            addSource(name, *text, file.parent_path());
        else
            isKnown_ = false;
    }

    const Compilation& compilation_;
    std::string key_;
    bool isKnown_ = true;
    std::set<std::string> seen_;  // files that are in the key, or are not there
};

}  // namespace

std::optional<std::string> keyOf(const Compilation& compilation) { return KeyWriter(compilation).write(); }

}  // namespace lockstep::cuda
