// The module level: versions, linkage, what stands between functions.
#include "ptx/parser/parser.h"

#include "ptx/parser/syntax_error.h"

#include <charconv>
#include <limits>

namespace lockstep::ptx {
namespace {

// Parsed, a text takes about ten times its size; the largest kernels anybody ships stay far below.
constexpr std::size_t kMostTextBytes = std::size_t{64} << 20;

struct SpaceDirective {
    std::string_view name;
    StateSpace space;
};
constexpr SpaceDirective kSpaceDirectives[] = {
    {".global", StateSpace::Global},
    {".const", StateSpace::Const},
    {".shared", StateSpace::Shared},
    {".local", StateSpace::Local},
};

}  // namespace

Parser::Parser(std::string text, std::string name)
    : pool_(std::make_shared<StringPool>()), in_({}, {}), signatures_(*pool_) {
    module_.text_ = std::make_shared<const std::string>(std::move(text));
    module_.strings_ = pool_;
    module_.name = std::move(name);
    module_.locations.emplace_back();
    module_.files.emplace_back();
    in_ = Lexer(*module_.text_, pool_->intern(module_.name));
}

Module Parser::parse() {
    if (module_.text_->size() > kMostTextBytes)
        fail(Message(english("the text has {0} MiB; at most {1} are read: split the program"),
                     module_.text_->size() >> 20, kMostTextBytes >> 20),
             {});
    module_.instructions.reserve(module_.text_->size() / 40);  // about as dense as PTX gets
    module_.operands.reserve(module_.text_->size() / 16);
    module_.spans_.reserve(module_.text_->size() / 40);
    while (!in_.atEnd())
        parseStatement();
    debugInfo_.finish(module_, *pool_);
    return std::move(module_);
}

void Parser::parseStatement() {
    if (in_.take(';')) return;
    Linkage linkage;
    for (;;) {
        const Place place = here();
        const std::string_view directive = in_.directive();
        if (directive == ".visible" || directive == ".weak" || directive == ".common") continue;
        if (directive == ".extern") {
            linkage.isExtern = true;
            continue;
        }
        if (directive == ".entry") return parseFunction(true, linkage);
        if (directive == ".func") return parseFunction(false, linkage);
        if (directive == ".version") return parseVersion();
        if (directive == ".target") return parseTarget();
        if (directive == ".alias") return parseAlias();
        if (directive == ".address_size") {
            module_.addressBits = u32(parseNumber(in_, english("the size of an address"), 64));
            if (module_.addressBits != 32 && module_.addressBits != 64)
                fail(english("an address has 32 or 64 bits"), place);
            return;
        }
        if (parseCommonDirective(directive)) return;
        for (const SpaceDirective& row : kSpaceDirectives)
            if (directive == row.name) return parseVariables(row.space, linkage);
        fail(Message(english("expected a directive such as .entry or .global, found {0}"), found(directive)),
             place);
    }
}

bool Parser::parseCommonDirective(std::string_view directive) {
    if (directive == ".loc")
        debugInfo_.parseLoc(in_, module_);
    else if (directive == ".file")
        debugInfo_.parseFile(in_, module_);
    else if (directive == ".section")
        debugInfo_.parseSection(in_);
    else if (directive == ".pragma") {
        do
            in_.quoted();
        while (in_.take(','));
        in_.expect(';', english("after .pragma"));
    } else {
        return false;
    }
    return true;
}

// ".version 9.0"
void Parser::parseVersion() {
    const Place place = here();
    const std::string_view text = in_.dottedWord();
    const char* end = text.data() + text.size();
    auto [dot, majorError] = std::from_chars(text.data(), end, module_.versionMajor);
    if (majorError == std::errc{} && dot != end && *dot == '.') {
        auto [stop, minorError] = std::from_chars(dot + 1, end, module_.versionMinor);
        if (minorError == std::errc{} && stop == end) return;
    }
    fail(english("expected a version such as 9.0 after .version"), place);
}

// ".target sm_90a, debug"
void Parser::parseTarget() {
    do {
        const Place place = here();
        const std::string_view target = in_.word();
        if (target.empty())
            fail(Message(english("expected a target such as sm_90, found {0}"), in_.found()), place);
        if (!target.starts_with("sm_") && !target.starts_with("compute_")) continue;
        const std::string_view number = target.substr(target.find('_') + 1);
        const auto [stop, error] =
            std::from_chars(number.data(), number.data() + number.size(), module_.targetSm);
        if (error != std::errc{})
            fail(Message(english("expected a target such as sm_90, found '{0}'"), target), place);
    } while (in_.take(','));
}

// ".alias name, function;"
void Parser::parseAlias() {
    const Place place = here();
    const std::string_view alias = in_.word();
    in_.expect(',', english("between an alias and its function"));
    const Place aliasedPlace = here();
    const u32 aliased = require(in_.word(), SymbolKind::Function, english("function"), aliasedPlace)->id;
    in_.expect(';', english("after .alias"));
    const Symbol* known = symbols_.find(alias);
    if (!known) return declare(alias, SymbolKind::Function, aliased, place);
    if (known->kind != SymbolKind::Function || !module_.functions[known->id].isDeclaration)
        fail(Message(english("'{0}' is declared twice; rename one of the two"), alias), place);
    // The name was declared before as a function without a body; calls already parsed keep that one: give it
    // nothing to run.
    fail(Message(english("'{0}' is declared before its .alias; remove the declaration"), alias), place);
}

// .attribute(.managed), .attribute(.unified(1, 2))
void Parser::skipAttribute() {
    in_.expect('(', english("after .attribute"));
    for (u32 depth = 1; depth > 0;) {
        if (in_.take('('))
            ++depth;
        else if (in_.take(')'))
            --depth;
        else if (in_.atEnd())
            fail(english("this .attribute is never closed; add the ')'"), in_.place());
        else
            in_.advance();
    }
}

Message Parser::found(std::string_view word) {
    return word.empty() ? in_.found() : Message::plain("'" + std::string(word) + "'");
}

const Symbol* Parser::require(std::string_view name, SymbolKind kind, const Words& what, Place place) {
    if (name.empty())
        fail(Message(english("expected the name of a {0}, found {1}"), what, in_.found()), place);
    const Symbol* symbol = symbols_.find(name);
    if (!symbol || symbol->kind != kind)
        fail(Message(english("there is no {0} '{1}'; declare it before it is used"), what, name), place);
    return symbol;
}

void Parser::declare(std::string_view name, SymbolKind kind, u32 id, Place place) {
    if (name.empty()) fail(Message(english("expected a name, found {0}"), in_.found()), place);
    if (!symbols_.declare(name, {kind, id, symbols_.depth()}))
        fail(Message(english("'{0}' is declared twice; rename one of the two"), name), place);
}

Expected<Module> parse(std::string text, std::string name) {
    if (constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf"; text.starts_with(kByteOrderMark))
        text.erase(0, kByteOrderMark.size());
    try {
        return Parser(std::move(text), std::move(name)).parse();
    } catch (SyntaxError& error) {
        return Unexpected{std::move(error.fault)};
    }
}

}  // namespace lockstep::ptx
