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

// "[words](kind:what)"; brackets followed by anything else are text, as in M[1][0].
Expected<std::string> parseOne(const std::string& marked, std::vector<TextLink>& links) {
    std::string plain;
    for (std::size_t at = 0; at < marked.size();) {
        const std::size_t close = marked[at] == '[' ? marked.find("](", at) : std::string::npos;
        // The innermost bracket before "](" begins the words.
        const bool begins = close != std::string::npos && marked.find('[', at + 1) > close;
        const std::size_t end = begins ? marked.find(')', close) : std::string::npos;
        if (end == std::string::npos) {
            plain += marked[at++];
            continue;
        }
        const std::string target = marked.substr(close + 2, end - close - 2);
        const std::optional<LinkTarget> parsed = targetOf(target);
        if (!parsed)
            return fail(FaultKind::Syntax,
                        Message(english("'{0}' leads nowhere; a link is [words](line:18), (phase:1), "
                                        "(next:divergence), (next:conflict), (next:finding), (next:barrier), "
                                        "(view:banks), (variant:NAME) or (term:NAME)"),
                                target));
        const std::string words = marked.substr(at + 1, close - at - 1);
        links.push_back({u32(plain.size()), u32(plain.size() + words.size()), *parsed});
        plain += words;
        at = end + 1;
    }
    return plain;
}

}  // namespace

const std::string& LinkedText::in(Language language) const {
    static const std::string nothing;
    return std::size_t(language) < said_.size() ? said_[std::size_t(language)].text : nothing;
}

std::span<const TextLink> LinkedText::linksIn(Language language) const {
    if (std::size_t(language) >= said_.size()) return {};
    return said_[std::size_t(language)].links;
}

Expected<LinkedText> parseLinks(const Text& marked) {
    LinkedText text;
    for (std::size_t i = 0; i < languages().size(); ++i) {
        LinkedText::Said& said = text.said_.emplace_back();
        Expected<std::string> plain = parseOne(marked.in(Language(i)), said.links);
        if (!plain) return Unexpected{plain.error()};
        said.text = std::move(*plain);
    }
    return text;
}

}  // namespace lockstep::catalog
