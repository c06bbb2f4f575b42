#include "source/declarations.h"

#include <algorithm>
#include <array>

namespace lockstep::source {
namespace {

constexpr u32 kDeepest = 64;

bool isDeviceWord(std::string_view word) {
    constexpr std::array<std::string_view, 9> kWords{
        "__global__",       "__device__",        "__constant__",       "__shared__",
        "__managed__",      "__grid_constant__", "__device_builtin__", "__forceinline_device__",
        "__launch_bounds__"};
    return std::ranges::find(kWords, word) != kWords.end();
}
// Attributes with parentheses of their own, which are no parameters.
bool isAttribute(std::string_view word) {
    constexpr std::array<std::string_view, 10> kWords{
        "__launch_bounds__", "__attribute__", "__declspec",       "alignas",     "__align__",
        "decltype",          "noexcept",      "__cluster_dims__", "__maxnreg__", "explicit"};
    return std::ranges::find(kWords, word) != kWords.end();
}
bool isTypeKey(const Token& token) {
    return token.is("struct") || token.is("class") || token.is("union") || token.is("enum");
}

class Scan {
public:
    Scan(const std::vector<Token>& tokens, const MacroNames& macros) : tokens_(tokens), macros_(macros) {}

    void run(std::size_t from, std::size_t end, const std::string& scope, u32 depth) {
        for (std::size_t i = from; i < end;) {
            const Token& token = at(i);
            if (token.kind == Token::Kind::End) return;
            if (token.is(";") || token.is("}") || token.is(")")) {
                ++i;
            } else if (const std::size_t open = scopeAt(i); open && depth < kDeepest) {
                const std::size_t close = std::min(behindBracket(tokens_, open), end);
                run(open + 1, close > open + 1 ? close - 1 : open + 1, scope + nameOfScope(i, open),
                    depth + 1);
                i = close;
            } else {
                i = std::max(i + 1, one(i, end, scope));
            }
        }
    }
    std::vector<Declaration> found;

private:
    const Token& at(std::size_t i) const { return i < tokens_.size() ? tokens_[i] : end_; }
    bool isForDevice(const Token& token) const {
        return token.isWord() && (isDeviceWord(token.text) ||
                                  (macros_.isForDevice && macros_.isForDevice(macros_.of, token.text)));
    }

    // The '{' of a namespace or an extern "C" that begins here; 0: none does.
    std::size_t scopeAt(std::size_t i) const {
        if (at(i).is("extern") && at(i + 1).kind == Token::Kind::Text) return at(i + 2).is("{") ? i + 2 : 0;
        if (at(i).is("inline")) ++i;
        if (!at(i).is("namespace")) return 0;
        for (++i; at(i).isWord() || at(i).is("::") || at(i).is("[");)
            i = at(i).is("[") ? behindBracket(tokens_, i) : i + 1;
        return at(i).is("{") ? i : 0;
    }
    std::string nameOfScope(std::size_t from, std::size_t open) const {
        std::string name;
        for (std::size_t i = from; i < open; ++i)
            if (at(i).isWord() && !at(i).is("namespace") && !at(i).is("inline") && !at(i).is("extern"))
                name += at(i).text + "::";
        return name;
    }

    // One declaration from `first` on; returns what stands behind it.
    std::size_t one(std::size_t first, std::size_t end, const std::string& scope) {
        Declaration d{.first = first, .scope = scope};
        std::size_t i = first;
        // A macro with arguments that stands alone: what it stands for is a declaration of its own.
        if (at(i).isWord() && at(i + 1).is("(") && macros_.isCalled &&
            macros_.isCalled(macros_.of, at(i).text)) {
            const std::size_t behind = behindBracket(tokens_, i + 1);
            const Token& next = at(behind);
            if (!next.is("{") && !next.is("=") && !next.is("[") && !next.is(",") && !next.is("(")) {
                d.isForDevice = isForDevice(at(i));
                if (next.is(";") || !d.isForDevice || behind >= end || next.kind == Token::Kind::End ||
                    at(behind).line != at(i).line) {
                    d.last = behind + (next.is(";") ? 1 : 0);
                    for (std::size_t k = i + 2; k + 1 < behind; ++k)
                        if (at(k).isWord()) d.names.push_back(at(k).text);
                    found.push_back(d);
                    return d.last;
                }
            }
        }
        while (at(i).is("template")) {
            d.isTemplate = true;
            const std::size_t behind = at(i + 1).is("<") ? behindAngles(tokens_, i + 1) : i + 1;
            i = std::max(behind, i + 1);
        }
        if (at(i).is("requires")) ++i;
        if (at(i).is("using") || at(i).is("typedef")) d.kind = Declaration::Kind::Using;
        const bool isTypedef = at(i).is("typedef"), isFriend = at(i).is("friend");
        bool hasEquals = false, hasColon = false, isType = false, hasName = false;
        std::size_t parenthesis = 0, typeBody = 0;
        std::string lastWord;
        for (; i < end;) {
            const Token& token = at(i);
            if (token.kind == Token::Kind::End) break;
            if (token.is(";")) {
                if (!d.headEnd) d.headEnd = i;
                ++i;
                break;
            }
            if (token.is("}")) break;
            if (isForDevice(token)) d.isForDevice = true;
            if (token.is("__global__")) d.isKernel = true;
            if (token.is("constexpr") || token.is("consteval")) d.isConstexpr = true;
            if (token.is("const")) d.isConstant = true;
            if (token.is("*") && !parenthesis && !hasEquals && d.kind != Declaration::Kind::Using)
                d.isConstant = false;
            if (token.is("=") && !(lastWord == "operator" && !parenthesis)) hasEquals = true;
            if (token.is(":") && parenthesis) hasColon = true;
            if (!parenthesis && !hasEquals && isTypeKey(token) && d.kind != Declaration::Kind::Using)
                isType = true;
            if (isTypedef && isTypeKey(token)) isType = true;
            if (token.isWord() && isAttribute(token.text) && at(i + 1).is("(")) {
                i = behindBracket(tokens_, i + 1);
                continue;
            }
            if (token.is("operator") && !hasEquals && !parenthesis) {
                lastWord = "operator";
                hasName = true;
                // The sign, up to its parameters; operator()( has two pairs.
                for (++i; i < end && !at(i).is("(") && !at(i).is(";"); ++i)
                    lastWord += at(i).text;
                if (at(i).is("(") && at(i + 1).is(")") && at(i + 2).is("(")) lastWord += "()", i += 2;
                continue;
            }
            if (token.is("(")) {
                if (!parenthesis && !hasEquals && !typeBody) parenthesis = i, d.names.push_back(lastWord);
                i = behindBracket(tokens_, i);
                continue;
            }
            if (token.is("[")) {
                if (!hasEquals && !parenthesis) addName(d, lastWord);
                i = behindBracket(tokens_, i);
                continue;
            }
            if (token.is("<") && !hasEquals) {
                i = std::max(behindAngles(tokens_, i), i + 1);
                continue;
            }
            if (token.is("{")) {
                const std::size_t behind = behindBracket(tokens_, i);
                const Token& before = at(i - 1);
                const bool isMemberInit = hasColon && (before.isWord() || before.is(">")) &&
                                          (at(behind).is(",") || at(behind).is("{"));
                if (hasEquals || isMemberInit) {
                    i = behind;
                } else if (isType && !parenthesis) {
                    typeBody = i;
                    readBody(d, i, behind);
                    i = behind;
                } else if (parenthesis) {
                    d.headEnd = i;
                    d.hasBody = true;
                    i = behind;
                    break;
                } else {
                    addName(d, lastWord);
                    i = behind;
                }
                continue;
            }
            if ((token.is(",") || token.is("=")) && !parenthesis) addName(d, lastWord);
            if (token.is("::") && !parenthesis && !hasEquals && at(i + 1).isWord() && at(i - 1).isWord())
                d.isQualified = true;
            if (token.isWord()) {
                // The name of a type stands behind its key.
                if (isType && !typeBody && !hasName && !parenthesis && i > first &&
                    (isTypeKey(at(i - 1)) || isType) && !isTypeKey(token) && !token.is("final") &&
                    !token.is("const")) {
                    if (at(i + 1).is("{") || at(i + 1).is(":") || at(i + 1).is(";") ||
                        at(i + 1).is("final") || at(i + 1).is("<"))
                        addName(d, token.text), hasName = true;
                }
                lastWord = token.text;
            }
            ++i;
        }
        d.last = std::min(i, end);
        if (d.headEnd == 0) d.headEnd = d.last;
        d.parameters = parenthesis;
        if (d.kind == Declaration::Kind::Using) {
            if (isTypedef) addName(d, lastWord);
            for (std::size_t k = first; k < d.last && !isTypedef; ++k)
                if (at(k).is("=") && k > 0) addName(d, at(k - 1).text);
        } else if (typeBody || (isType && !parenthesis && !hasEquals)) {
            d.kind = Declaration::Kind::Type;
            if (typeBody) addName(d, lastWord);
        } else if (parenthesis && isFunction(parenthesis, d)) {
            d.kind = Declaration::Kind::Function;
        } else {
            d.kind = Declaration::Kind::Variable;
            addName(d, lastWord);
        }
        if (at(first).is("namespace") || at(first).is("static_assert") || isFriend)
            d.kind = at(first).is("namespace") ? Declaration::Kind::Using : Declaration::Kind::Other;
        if (at(first).is("namespace")) addName(d, at(first + 1).text);
        found.push_back(std::move(d));
        return std::max(i, first + 1);
    }

    // `dim3 block(16, 16);` is a variable, `void f(int n);` a function: by what is in the parentheses.
    bool isFunction(std::size_t parenthesis, const Declaration& d) const {
        if (d.hasBody || d.isKernel) return true;
        const Token& inner = at(parenthesis + 1);
        if (inner.kind == Token::Kind::Number || inner.kind == Token::Kind::Text || inner.is("-") ||
            inner.is("&"))
            return false;
        if (inner.is(")")) return true;
        const std::size_t behind = behindBracket(tokens_, parenthesis);
        // A parameter has a type and a name, a '*' or a '&'; an argument that is one word might be a type as
        // well.
        for (std::size_t k = parenthesis + 1; k + 1 < behind; ++k) {
            const bool isSign = at(k).is("*") || at(k).is("&") || at(k).is(">");
            if (at(k).isWord() && (at(k + 1).isWord() || isSign)) return true;
            if (isSign && (at(k + 1).is(",") || at(k + 1).is(")"))) return true;
            if (at(k + 1).is("+") || at(k + 1).is("/") || at(k + 1).kind == Token::Kind::Number) return false;
        }
        constexpr std::array<std::string_view, 9> kTypes{"int",   "float",    "double", "char", "long",
                                                         "short", "unsigned", "bool",   "void"};
        return std::ranges::find(kTypes, inner.text) != kTypes.end();
    }

    static void addName(Declaration& d, const std::string& name) {
        if (!name.empty() && std::ranges::find(d.names, name) == d.names.end()) d.names.push_back(name);
    }

    // Of an enum its enumerators are names, too; in a class a member may be the device's.
    void readBody(Declaration& d, std::size_t open, std::size_t behind) {
        bool isEnum = false;
        for (std::size_t k = d.first; k < open; ++k)
            isEnum = isEnum || at(k).is("enum");
        for (std::size_t k = open + 1; k + 1 < behind; ++k) {
            if (isForDevice(at(k))) d.isForDevice = true;
            if (isEnum && at(k).isWord() && (at(k - 1).is("{") || at(k - 1).is(","))) addName(d, at(k).text);
        }
    }

    const std::vector<Token>& tokens_;
    const MacroNames& macros_;
    Token end_;
};

}  // namespace

std::size_t behindBracket(const std::vector<Token>& tokens, std::size_t open) {
    for (std::size_t i = open; i < tokens.size(); ++i)
        if (tokens[i].toBehind) return std::min(i + tokens[i].toBehind, tokens.size());
    return tokens.size();
}

std::size_t behindAngles(const std::vector<Token>& tokens, std::size_t open) {
    constexpr std::size_t kLongest = 1024;
    int depth = 0;
    for (std::size_t i = open; i < std::min(tokens.size(), open + kLongest);) {
        const Token& token = tokens[i];
        if (token.is("(") || token.is("[")) {
            i = behindBracket(tokens, i);
            continue;
        }
        if (token.is("<")) ++depth;
        if (token.is(">") && --depth == 0) return i + 1;
        if (token.is(";") || token.is("{") || token.is("}") || token.is("&&") || token.is("||") ||
            token.is("<<<") || token.kind == Token::Kind::End)
            return open;
        ++i;
    }
    return open;
}

std::vector<Declaration> declarationsIn(const std::vector<Token>& tokens, const MacroNames& macros) {
    Scan scan(tokens, macros);
    scan.run(0, tokens.size(), {}, 0);
    return std::move(scan.found);
}

std::vector<TokenRange> hostMembersOf(const std::vector<Token>& tokens, const Declaration& type,
                                      const MacroNames& macros) {
    std::size_t open = type.first;
    while (open < type.last && !tokens[open].is("{"))
        ++open;
    if (open == type.last) return {};
    const std::size_t behind = std::min(behindBracket(tokens, open), type.last);
    std::vector<Token> members(tokens.begin() + std::ptrdiff_t(open) + 1,
                               tokens.begin() + std::ptrdiff_t(behind) - (behind > open + 1 ? 1 : 0));
    // An access specifier begins no declaration.
    for (std::size_t i = 0; i + 1 < members.size(); ++i)
        if ((members[i].is("public") || members[i].is("private") || members[i].is("protected")) &&
            members[i + 1].is(":"))
            members[i].text = members[i + 1].text = ";", members[i].kind = Token::Kind::Sign;
    members.push_back({});
    std::vector<TokenRange> ranges;
    for (const Declaration& d : declarationsIn(members, macros)) {
        const bool isFunction = d.kind == Declaration::Kind::Function ||
                                (d.kind == Declaration::Kind::Other && members[d.first].is("friend"));
        bool isPlain = false;  // = default, = delete, = 0
        for (std::size_t k = d.first; k + 1 < d.last; ++k)
            isPlain = isPlain ||
                      (members[k].is("=") && (members[k + 1].is("default") || members[k + 1].is("delete")));
        if (isFunction && !d.isForDevice && !d.isConstexpr && !isPlain)
            ranges.push_back({open + 1 + d.first, open + 1 + d.last});
    }
    return ranges;
}

}  // namespace lockstep::source
