// Directives of a CUDA C++ file: which text is compiled, what macros stand for, which files are included.
#pragma once

#include "source/token.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockstep::source {

struct Macro {
    bool takesArguments = false;
    std::vector<std::string> parameters;  // the last is "..." where there may be more
    std::vector<Token> body;
};

// What an #include leads to.
struct IncludedText {
    u32 file = 0;                                // its number
    const std::vector<Token>* tokens = nullptr;  // null: its text is not ours to read
};
using IncludeLookup =
    std::function<IncludedText(const Token& directive, const std::string& name, bool isQuoted)>;

class Preprocessor {
public:
    // Defines are "NAME" or "NAME=VALUE".
    Preprocessor(const std::vector<std::string>& defines, IncludeLookup lookUp);

    // The tokens that are compiled, those of included files in place; directives are gone. `expands`: macros
    // are replaced, else they stand as written.
    std::vector<Token> run(const std::vector<Token>& tokens, bool expands);

    const std::map<std::string, Macro, std::less<>>& macros() const { return macros_; }
    // Everything that was defined anywhere, though it may be undefined by now.
    const std::set<std::string, std::less<>>& words() const { return words_; }

private:
    struct Branch {
        bool isActive = true, wasTaken = false, isUnknown = false;
    };

    void file(const std::vector<Token>& tokens);
    void directive(const Token& token);
    void define(const std::vector<Token>& line);
    std::optional<bool> condition(const std::vector<Token>& line, std::size_t from);
    bool isActive() const;
    void flush();
    void expand(std::vector<Token> tokens, std::vector<Token>& out, std::vector<std::string>& hidden,
                u32 depth);

    IncludeLookup lookUp_;
    bool expands_ = false;
    std::map<std::string, Macro, std::less<>> macros_;
    std::set<std::string, std::less<>> words_;
    std::vector<Branch> branches_;
    std::set<u32> onlyOnce_;
    std::vector<Token> pending_, out_;
    u32 depth_ = 0;
    u64 work_ = 0;  // tokens gone through: ends a file that would take forever
};

}  // namespace lockstep::source
