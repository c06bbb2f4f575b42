// Cuts a line into tokens: by words, literals and comments in CUDA C++, by little more than words in PTX and
// machine code.
#include "viz/marks/code_tokens.h"

#include "sass/memory_opcode.h"

#include <algorithm>
#include <cctype>

namespace lockstep::viz {
namespace {

bool isWord(char c) { return std::isalnum(u8(c)) || c == '_'; }
bool isDigit(char c) { return std::isdigit(u8(c)); }

template <class Predicate> std::size_t lengthWhile(std::string_view text, Predicate&& holds) {
    return std::size_t(std::ranges::find_if_not(text, holds) - text.begin());
}

// Where the opcode of an access to shared or global memory stands, and what it does.
struct AccessOpcode {
    std::size_t begin = 0, end = 0;
    CodeKind kind = CodeKind::Plain;
};

std::optional<CodeKind> accessKind(std::string_view opcode, CodeLanguage language) {
    if (language == CodeLanguage::Machine) {
        const auto memory = sass::memoryOpcode(opcode);
        if (!memory || (memory->memory != sass::Memory::Shared && memory->memory != sass::Memory::Global &&
                        memory->memory != sass::Memory::Generic))
            return std::nullopt;
        return memory->operation == sass::Operation::Load ? CodeKind::Load : CodeKind::Store;
    }
    if (opcode.find(".shared") == std::string_view::npos && opcode.find(".global") == std::string_view::npos)
        return std::nullopt;
    if (opcode.starts_with("ld.") || opcode.starts_with("ldu.") || opcode.starts_with("cp.async."))
        return CodeKind::Load;
    return opcode.starts_with("st.") || opcode.starts_with("atom.") || opcode.starts_with("red.")
               ? std::optional(CodeKind::Store)
               : std::nullopt;
}

// After the guard, if there is one.
AccessOpcode accessOpcodeIn(std::string_view line, CodeLanguage language) {
    std::size_t begin = line.find_first_not_of(' ');
    if (begin != std::string_view::npos && line[begin] == '@')
        begin = line.find_first_not_of(' ', std::min(line.find(' ', begin), line.size()));
    if (begin == std::string_view::npos) return {};
    const std::size_t end = std::min(line.find_first_of(" ;", begin), line.size());
    const std::optional<CodeKind> kind = accessKind(line.substr(begin, end - begin), language);
    return kind ? AccessOpcode{begin, end, *kind} : AccessOpcode{};
}

// Behind a quote, up to the next one that no backslash stands before; an open one ends with its line.
std::size_t quotedLength(std::string_view text) {
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == text[0])
            return i + 1;
    }
    return text.size();
}

// 0x1p-3f, 1'000, .5e+7: a sign belongs to it behind an exponent's letter, a quote between digits.
std::size_t numberLength(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const auto exponent = [&](char c) { return hexadecimal ? c == 'p' || c == 'P' : c == 'e' || c == 'E'; };
    std::size_t n = 1;
    while (n < text.size() && (isWord(text[n]) || text[n] == '.' ||
                               (text[n] == '\'' && n + 1 < text.size() && isWord(text[n + 1])) ||
                               ((text[n] == '+' || text[n] == '-') && exponent(text[n - 1]))))
        ++n;
    return n;
}

bool beginsNumber(std::string_view text) {
    return isDigit(text[0]) || (text[0] == '.' && text.size() > 1 && isDigit(text[1]));
}
bool beginsComment(std::string_view text) { return text.starts_with("//") || text.starts_with("/*"); }

// The line's tokens, one after the other.
class Tokens {
public:
    Tokens(std::string_view line, bool& insideComment)
        : line_(line), rest_(line), insideComment_(insideComment) {}

    std::vector<CodeToken> ofCuda() {
        if (insideComment_)
            comment(0);
        else
            directive();
        while (!rest_.empty())
            cudaToken();
        return std::move(tokens_);
    }

    std::vector<CodeToken> ofAssembly(CodeLanguage language) {
        const AccessOpcode opcode = accessOpcodeIn(line_, language);
        while (!rest_.empty()) {
            if (offset() == opcode.begin && opcode.end > offset())
                take(opcode.kind, opcode.end - offset());
            else
                assemblyToken();
        }
        return std::move(tokens_);
    }

private:
    std::size_t offset() const { return line_.size() - rest_.size(); }
    std::size_t blanks() const {
        return lengthWhile(rest_, [](char c) { return c == ' '; });
    }

    void take(CodeKind kind, std::size_t length) {
        if (length == 0) return;
        tokens_.push_back({kind, rest_.substr(0, length)});
        rest_.remove_prefix(length);
    }

    // opening: how much of it opens it.
    void comment(std::size_t opening) {
        const std::size_t end = rest_.find("*/", opening);
        insideComment_ = end == std::string_view::npos;
        take(CodeKind::Comment, insideComment_ ? rest_.size() : end + 2);
    }

    // "#include" and the file's name, or "# define".
    void directive() {
        const std::size_t before = blanks();
        if (before == rest_.size() || rest_[before] != '#') return;
        take(CodeKind::Plain, before);
        const std::size_t gap = lengthWhile(rest_.substr(1), [](char c) { return c == ' '; });
        const std::string_view word = rest_.substr(1 + gap, lengthWhile(rest_.substr(1 + gap), isWord));
        take(CodeKind::Directive, 1 + gap + word.size());
        if (word != "include") return;
        take(CodeKind::Plain, blanks());
        if (const std::size_t end = rest_.find('>'); rest_.starts_with("<") && end != std::string_view::npos)
            take(CodeKind::String, end + 1);
    }

    void cudaToken() {
        if (rest_.starts_with("//")) return take(CodeKind::Comment, rest_.size());
        if (rest_.starts_with("/*")) return comment(2);
        if (rest_[0] == '"' || rest_[0] == '\'') return take(CodeKind::String, quotedLength(rest_));
        if (beginsNumber(rest_)) return take(CodeKind::Number, numberLength(rest_));
        if (isWord(rest_[0])) return word();
        std::size_t n = 1;
        while (n < rest_.size() && !isWord(rest_[n]) && rest_[n] != '"' && rest_[n] != '\'' &&
               !beginsNumber(rest_.substr(n)) && !beginsComment(rest_.substr(n)))
            ++n;
        take(CodeKind::Plain, n);
    }

    void word() {
        const std::size_t length = lengthWhile(rest_, isWord);
        const bool called = rest_.substr(length).starts_with("(");
        take(reservedWord(rest_.substr(0, length)).value_or(called ? CodeKind::Call : CodeKind::Plain),
             length);
    }

    void assemblyToken() {
        if (rest_.starts_with("//")) return take(CodeKind::Comment, rest_.size());
        const bool word = isWord(rest_[0]), dotted = rest_[0] == '.';
        std::size_t n = 1;
        if (dotted)
            n += lengthWhile(rest_.substr(1), [](char c) { return isWord(c) || c == '.'; });
        else
            while (n < rest_.size() && isWord(rest_[n]) == word && !rest_.substr(n).starts_with("//") &&
                   (word || rest_[n] != '.'))
                ++n;
        take(dotted || rest_[0] == '@' ? CodeKind::Directive : CodeKind::Plain, n);
    }

    std::string_view line_, rest_;
    bool& insideComment_;
    std::vector<CodeToken> tokens_;
};

}  // namespace

std::vector<CodeToken> codeTokens(std::string_view line, CodeLanguage language, bool& insideComment) {
    Tokens tokens(line, insideComment);
    return language == CodeLanguage::Cuda ? tokens.ofCuda() : tokens.ofAssembly(language);
}

}  // namespace lockstep::viz
