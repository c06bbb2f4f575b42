#include "source/preprocessor.h"

#include "source/number.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::source {
namespace {

constexpr u32 kDeepest = 64;                   // included files, and macros within macros
constexpr std::size_t kMostTokens = 1u << 19;  // once expanded
constexpr u64 kMostWork = 1u << 22;

// A value of #if: none where it hangs on what only the compiler knows.
using Known = std::optional<s64>;

// Defined by the compiler or by the toolkit's headers, with values that are not known here.
bool isOfTheCompiler(std::string_view name) {
    return name.starts_with("__CUDACC_VER") || name.starts_with("CUDART_") || name.starts_with("CUDA_") ||
           name.starts_with("__CUDA_ARCH_") || name == "__cplusplus" || name.starts_with("__has_");
}

class Condition {
public:
    explicit Condition(const std::vector<Token>& tokens) : tokens_(tokens) {}
    Known value() {
        const Known value = ternary();
        return isWrong_ ? Known() : value;
    }

private:
    const Token& at() const { return at_ < tokens_.size() ? tokens_[at_] : end_; }
    bool take(std::string_view sign) {
        if (!at().is(sign)) return false;
        ++at_;
        return true;
    }
    Known ternary() {
        if (++depth_ > kDeepest) return isWrong_ = true, Known();
        const Known condition = binary(0);
        Known result = condition;
        if (take("?")) {
            const Known yes = ternary();
            if (!take(":")) isWrong_ = true;
            const Known no = ternary();
            result = condition ? (*condition ? yes : no) : Known();
        }
        --depth_;
        return result;
    }
    static int rankOf(std::string_view sign) {
        constexpr std::array<std::pair<std::string_view, int>, 18> kRanks{{{"||", 1},
                                                                           {"&&", 2},
                                                                           {"|", 3},
                                                                           {"^", 4},
                                                                           {"&", 5},
                                                                           {"==", 6},
                                                                           {"!=", 6},
                                                                           {"<", 7},
                                                                           {">", 7},
                                                                           {"<=", 7},
                                                                           {">=", 7},
                                                                           {"<<", 8},
                                                                           {"+", 9},
                                                                           {"-", 9},
                                                                           {"*", 10},
                                                                           {"/", 10},
                                                                           {"%", 10},
                                                                           {">>", 8}}};
        const auto found = std::ranges::find(kRanks, sign, &std::pair<std::string_view, int>::first);
        return found == kRanks.end() ? 0 : found->second;
    }
    Known binary(int least) {
        Known left = unary();
        while (true) {
            std::string sign = at().text;
            if (sign == ">" && at_ + 1 < tokens_.size() && tokens_[at_ + 1].is(">") &&
                tokens_[at_ + 1].isGlued)
                sign = ">>";
            const int rank = at().kind == Token::Kind::Sign ? rankOf(sign) : 0;
            if (rank == 0 || rank <= least) return left;
            at_ += sign == ">>" ? 2 : 1;
            const Known right = binary(rank);
            if (sign == "||")
                left = (left && *left) || (right && *right) ? Known(1) : left && right ? Known(0) : Known();
            else if (sign == "&&")
                left = (left && !*left) || (right && !*right) ? Known(0) : left && right ? Known(1) : Known();
            else
                left = left && right ? combined(sign, *left, *right) : Known();
        }
    }
    static Known combined(std::string_view sign, s64 a, s64 b) {
        const u64 x = u64(a), y = u64(b);
        if (sign == "==") return a == b;
        if (sign == "!=") return a != b;
        if (sign == "<") return a < b;
        if (sign == ">") return a > b;
        if (sign == "<=") return a <= b;
        if (sign == ">=") return a >= b;
        if (sign == "+") return s64(x + y);
        if (sign == "-") return s64(x - y);
        if (sign == "*") return s64(x * y);
        if (sign == "|") return s64(x | y);
        if (sign == "&") return s64(x & y);
        if (sign == "^") return s64(x ^ y);
        if (sign == "<<") return b < 0 || b > 63 ? Known() : Known(s64(x << y));
        if (sign == ">>") return b < 0 || b > 63 ? Known() : Known(a >> b);
        if (b == 0 || b == -1) return Known();
        return sign == "/" ? a / b : a % b;
    }
    Known unary() {
        if (++depth_ > kDeepest) return isWrong_ = true, Known();
        Known result;
        if (take("!")) {
            const Known value = unary();
            result = value ? Known(!*value) : value;
        } else if (take("-")) {
            const Known value = unary();
            result = value ? Known(s64(0 - u64(*value))) : value;
        } else if (take("~")) {
            const Known value = unary();
            result = value ? Known(~*value) : value;
        } else if (take("+")) {
            result = unary();
        } else if (take("(")) {
            result = ternary();
            if (!take(")")) isWrong_ = true;
        } else if (at().kind == Token::Kind::Number) {
            if (const std::optional<Number> number = readNumber(at().text); number && !number->isReal)
                result = s64(number->integer);
            ++at_;
        } else if (at().isWord()) {
            const std::string name = at().text;
            ++at_;
            if (name == "true")
                result = 1;
            else if (!isOfTheCompiler(name))
                result = 0;
            if (take("(")) {  // of a macro that is not known, such as __has_include(<x>)
                result = Known();
                for (int open = 1; open > 0 && at_ < tokens_.size(); ++at_)
                    open += at().is("(") ? 1 : at().is(")") ? -1 : 0;
            }
        } else {
            isWrong_ = true;
            ++at_;
        }
        --depth_;
        return result;
    }

    const std::vector<Token>& tokens_;
    Token end_;
    std::size_t at_ = 0;
    u32 depth_ = 0;
    bool isWrong_ = false;
};

std::string nameInQuotes(const std::string& line, bool& isQuoted) {
    const std::size_t open = line.find_first_of("<\"");
    if (open == std::string::npos) return {};
    isQuoted = line[open] == '"';
    const std::size_t close = line.find(isQuoted ? '"' : '>', open + 1);
    return close == std::string::npos ? std::string() : line.substr(open + 1, close - open - 1);
}

}  // namespace

Preprocessor::Preprocessor(const std::vector<std::string>& defines, IncludeLookup lookUp)
    : lookUp_(std::move(lookUp)) {
    for (const std::string& text : defines) {
        const std::size_t equals = text.find('=');
        std::vector<Token> line = tokenize("define " + text.substr(0, equals) + " " +
                                           (equals == std::string::npos ? "1" : text.substr(equals + 1)));
        line.pop_back();
        define(line);
    }
}

std::vector<Token> Preprocessor::run(const std::vector<Token>& tokens, bool expands) {
    expands_ = expands;
    file(tokens);
    flush();
    out_.push_back(tokens.empty() ? Token{} : tokens.back());
    matchBrackets(out_);
    return std::move(out_);
}

bool Preprocessor::isActive() const { return std::ranges::all_of(branches_, &Branch::isActive); }

void Preprocessor::file(const std::vector<Token>& tokens) {
    if (++depth_ <= kDeepest) {
        const std::size_t open = branches_.size();
        for (const Token& token : tokens) {
            if (out_.size() + pending_.size() > kMostTokens || ++work_ > kMostWork) break;
            if (token.kind == Token::Kind::Directive)
                directive(token);
            else if (token.kind != Token::Kind::End && isActive())
                pending_.push_back(token);
        }
        branches_.resize(std::min(branches_.size(), open));
    }
    --depth_;
}

void Preprocessor::directive(const Token& token) {
    std::vector<Token> line = tokenize(token.text, token.file);
    line.pop_back();
    if (line.empty()) return;
    for (Token& part : line)
        part.line = token.line, part.begin = token.begin, part.end = token.end;
    const std::string& word = line.front().text;
    if (word == "if" || word == "ifdef" || word == "ifndef") {
        if (!isActive()) return branches_.push_back({.isActive = false, .wasTaken = true});
        std::optional<bool> holds;
        if (word == "if") {
            holds = condition(line, 1);
        } else if (line.size() > 1) {
            const bool isDefined = macros_.contains(line[1].text);
            holds = !isDefined && isOfTheCompiler(line[1].text)
                        ? std::nullopt
                        : std::optional((isDefined == (word == "ifdef")));
        }
        branches_.push_back(
            {.isActive = holds.value_or(true), .wasTaken = holds.value_or(false), .isUnknown = !holds});
    } else if (word == "elif" || word == "else") {
        if (branches_.empty()) return;
        Branch now = branches_.back();
        branches_.pop_back();
        const bool isOpen = isActive();
        if (!isOpen || now.wasTaken) {
            now.isActive = false;
        } else if (word == "else") {
            now.isActive = true;
        } else {
            const std::optional<bool> holds = condition(line, 1);
            now = {.isActive = holds.value_or(true), .wasTaken = holds.value_or(false), .isUnknown = !holds};
        }
        branches_.push_back(now);
    } else if (word == "endif") {
        if (!branches_.empty()) branches_.pop_back();
    } else if (!isActive()) {
        return;
    } else if (word == "define") {
        flush();
        define(line);
    } else if (word == "undef" && line.size() > 1) {
        flush();
        macros_.erase(line[1].text);
    } else if (word == "pragma" && line.size() > 1 && line[1].is("once")) {
        onlyOnce_.insert(token.file);
    } else if (word == "include") {
        bool isQuoted = false;
        const std::string name = nameInQuotes(token.text, isQuoted);
        if (!lookUp_) return;
        const IncludedText found = lookUp_(token, name, isQuoted);
        if (!found.tokens || onlyOnce_.contains(found.file)) return;
        flush();
        file(*found.tokens);
        flush();
    }
}

void Preprocessor::define(const std::vector<Token>& line) {
    if (line.size() < 2 || !line[1].isWord()) return;
    Macro macro;
    std::size_t at = 2;
    if (at < line.size() && line[at].is("(") && line[at].isGlued) {
        macro.takesArguments = true;
        for (++at; at < line.size() && !line[at].is(")"); ++at)
            if (!line[at].is(",")) macro.parameters.push_back(line[at].text);
        ++at;
    }
    if (at < line.size()) macro.body.assign(line.begin() + std::ptrdiff_t(at), line.end());
    words_.insert(line[1].text);
    macros_[line[1].text] = std::move(macro);
}

std::optional<bool> Preprocessor::condition(const std::vector<Token>& line, std::size_t from) {
    std::vector<Token> rest;
    for (std::size_t i = from; i < line.size(); ++i) {
        if (!line[i].is("defined")) {
            rest.push_back(line[i]);
            continue;
        }
        const bool hasParenthesis = i + 1 < line.size() && line[i + 1].is("(");
        const std::size_t name = i + (hasParenthesis ? 2 : 1);
        if (name >= line.size()) return std::nullopt;
        const bool isDefined = macros_.contains(line[name].text);
        Token value = line[i];
        value.kind = !isDefined && isOfTheCompiler(line[name].text) ? Token::Kind::Word : Token::Kind::Number;
        value.text = value.kind == Token::Kind::Word ? "CUDA_" : isDefined ? "1" : "0";
        rest.push_back(std::move(value));
        i = name + (hasParenthesis ? 1 : 0);
    }
    std::vector<Token> expanded;
    std::vector<std::string> hidden;
    expand(std::move(rest), expanded, hidden, 0);
    const Known value = Condition(expanded).value();
    return value ? std::optional(*value != 0) : std::nullopt;
}

void Preprocessor::flush() {
    if (expands_) {
        std::vector<std::string> hidden;
        expand(std::move(pending_), out_, hidden, 0);
    } else {
        out_.insert(out_.end(), std::make_move_iterator(pending_.begin()),
                    std::make_move_iterator(pending_.end()));
    }
    pending_.clear();
}

// Plainer than the standard's rules: what an invocation stands for is expanded by itself, not together with
// what follows.
void Preprocessor::expand(std::vector<Token> tokens, std::vector<Token>& out,
                          std::vector<std::string>& hidden, u32 depth) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (out.size() > kMostTokens || ++work_ > kMostWork) return;
        const auto found =
            tokens[i].isWord() && depth < kDeepest ? macros_.find(tokens[i].text) : macros_.end();
        if (found == macros_.end() || std::ranges::find(hidden, tokens[i].text) != hidden.end()) {
            out.push_back(std::move(tokens[i]));
            continue;
        }
        const Macro macro = found->second;
        const Token name = tokens[i];
        std::vector<std::vector<Token>> arguments;
        if (macro.takesArguments) {
            if (i + 1 >= tokens.size() || !tokens[i + 1].is("(")) {
                out.push_back(name);
                continue;
            }
            int open = 0;
            std::size_t at = i + 1;
            arguments.emplace_back();
            for (; at < tokens.size(); ++at) {
                const Token& token = tokens[at];
                if (token.is("(") && ++open == 1) continue;
                if (token.is(")") && --open == 0) break;
                const bool isLast = !macro.parameters.empty() && macro.parameters.back().ends_with("...") &&
                                    arguments.size() == macro.parameters.size();
                if (token.is(",") && open == 1 && !isLast)
                    arguments.emplace_back();
                else
                    arguments.back().push_back(token);
            }
            if (at == tokens.size()) {
                out.push_back(name);
                continue;
            }
            i = at;
        }
        const auto argumentOf = [&](const Token& token) -> const std::vector<Token>* {
            if (!token.isWord() || !macro.takesArguments) return nullptr;
            for (std::size_t k = 0; k < macro.parameters.size(); ++k) {
                const std::string& parameter = macro.parameters[k];
                const bool isMeant = parameter == "..."
                                         ? token.text == "__VA_ARGS__"
                                         : parameter == token.text || parameter == token.text + "...";
                if (isMeant && k < arguments.size()) return &arguments[k];
            }
            return nullptr;
        };
        std::vector<Token> result;
        for (std::size_t k = 0; k < macro.body.size() && result.size() < kMostTokens && ++work_ < kMostWork;
             ++k) {
            const Token& part = macro.body[k];
            const bool pastes = k + 1 < macro.body.size() && macro.body[k + 1].is("##");
            const bool isPasted = k > 0 && macro.body[k - 1].is("##");
            if (part.is("##")) continue;
            std::vector<Token> given;
            if (part.is("#") && macro.takesArguments && k + 1 < macro.body.size() &&
                argumentOf(macro.body[k + 1])) {
                Token text = part;
                text.kind = Token::Kind::Text;
                text.text = "\"\"";
                given.push_back(std::move(text));
                ++k;
            } else if (const std::vector<Token>* argument = argumentOf(part)) {
                if (pastes || isPasted)
                    given = *argument;
                else
                    expand(*argument, given, hidden, depth + 1);
            } else {
                given.push_back(part);
            }
            if (isPasted && !result.empty() && !given.empty()) {
                result.back().text += given.front().text;
                given.erase(given.begin());
            }
            result.insert(result.end(), given.begin(), given.end());
        }
        for (Token& token : result)
            token.line = name.line, token.file = name.file, token.begin = name.begin, token.end = name.end;
        hidden.push_back(name.text);
        expand(std::move(result), out, hidden, depth + 1);
        hidden.pop_back();
    }
}

}  // namespace lockstep::source
