#include "catalog/values/linked_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lockstep::catalog {
namespace {

constexpr std::array<std::string_view, 4> kEvents{"divergence", "conflict", "finding", "barrier"};
constexpr u32 kMostNumber = 100'000;

std::optional<u32> numberIn(std::string_view text) {
    u32 number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number > kMostNumber) return std::nullopt;
    return number;
}

std::optional<LinkTarget> targetOf(std::string_view text) {
    using Kind = LinkTarget::Kind;
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
    const std::string_view kind = text.substr(0, colon), what = text.substr(colon + 1);
    if (kind == "line" || kind == "phase") {
        const std::optional<u32> number = numberIn(what);
        if (!number || (kind == "line" && *number == 0)) return std::nullopt;
        return LinkTarget{kind == "line" ? Kind::Line : Kind::Phase, {}, *number};
    }
    if (kind == "next" && std::ranges::find(kEvents, what) == kEvents.end()) return std::nullopt;
    if (kind == "next") return LinkTarget{Kind::Next, std::string(what)};
    if (kind == "view") return LinkTarget{Kind::View, std::string(what)};
    if (kind == "variant") return LinkTarget{Kind::Variant, std::string(what)};
    if (kind == "term") return LinkTarget{Kind::Term, std::string(what)};
    return std::nullopt;
}

struct Said {
    std::string text;
    std::vector<TextLink> links;
    std::string invalid;  // target of the first link that leads nowhere; it is left in the text
};

// "[words](kind:what)"; brackets followed by anything else are text, as in M[1][0].
Said said(std::string_view marked) {
    Said said;
    while (!marked.empty()) {
        const std::size_t open = marked.find('['), close = marked.find("](", open);
        // The innermost bracket before "](" begins the words.
        const std::size_t begin = close == std::string_view::npos ? close : marked.rfind('[', close);
        const std::size_t end = marked.find(')', close);
        if (begin == std::string_view::npos || end == std::string_view::npos) break;
        const std::string_view words = marked.substr(begin + 1, close - begin - 1),
                               target = marked.substr(close + 2, end - close - 2);
        said.text += marked.substr(0, begin);
        if (std::optional<LinkTarget> parsed = targetOf(target)) {
            const u32 at = u32(said.text.size());
            said.links.push_back({at, at + u32(words.size()), *std::move(parsed)});
            said.text += words;
        } else {
            said.text += marked.substr(begin, end + 1 - begin);
            if (said.invalid.empty()) said.invalid = target;
        }
        marked.remove_prefix(end + 1);
    }
    said.text += marked;
    return said;
}

}  // namespace

std::string LinkedText::in(Language language) const { return said(marked_.in(language)).text; }

std::vector<TextLink> LinkedText::linksIn(Language language) const {
    return said(marked_.in(language)).links;
}

Expected<LinkedText> parseLinks(const Text& marked) {
    for (const std::string_view text : {std::string_view(marked.en), std::string_view(marked.zh)})
        if (const std::string invalid = said(text).invalid; !invalid.empty())
            return fail(FaultKind::Syntax,
                        Message(english("'{0}' leads nowhere; a link is [words](line:18), (phase:1), "
                                        "(next:divergence), (next:conflict), (next:finding), (next:barrier), "
                                        "(view:banks), (variant:NAME) or (term:NAME)"),
                                invalid));
    LinkedText text;
    text.marked_ = marked;
    return text;
}

}  // namespace lockstep::catalog
