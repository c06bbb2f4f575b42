#include "app/cli/pages/glossary_page.h"

#include "explain/glossary/glossary.h"
#include "explain/glossary/term_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace lockstep::cli {
namespace {

using explain::Term;

constexpr std::string_view kIntroduction = R"(# Glossary · 术语表

The words of the field that the program uses. In the window the first one in each view has dots below it: the mouse shows what is
written here, a right click opens it, and Ctrl P finds it by name in either language. Written by

    lockstep list --glossary docs/guide/glossary.md

程序所用的专业术语。窗口里每个视图第一次出现的术语下面有一排点：鼠标停在上面就显示这里的说明，右键单击打开，也可以按 Ctrl P 用中文或英文名称查找。
)";

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (std::string_view("\\*_<>[]`|").find(c) != std::string_view::npos) safe += '\\';
        safe += c;
    }
    return safe;
}

// The first mention of another term in a text links to it.
std::string linked(const Term& of, Language language) {
    const std::string_view text = of.text.in(language);
    std::string page;
    std::set<const Term*> linked{&of};
    std::size_t done = 0;
    for (const explain::NamedTerm& named : explain::termsIn(text, language)) {
        if (!linked.insert(named.term).second) continue;
        page += escaped(text.substr(done, named.from - done));
        page += fmt::format("[{}](#{})", escaped(text.substr(named.from, named.length)), named.term->id);
        done = named.from + named.length;
    }
    return page + escaped(text.substr(done));
}

std::string both(const Words& name) {
    const std::string_view chinese = name.in(Language::Chinese);
    return name.english() == chinese ? escaped(chinese)
                                     : fmt::format("{} · {}", escaped(name.english()), escaped(chinese));
}

std::string seeAlso(const Term& term) {
    std::vector<std::string> links;
    for (const std::string_view id : term.see)
        if (const Term* other = explain::findTerm(id))
            links.push_back(fmt::format("[{}](#{})", both(other->name), id));
    return fmt::format("See also · 另见: {}\n", fmt::join(links, ", "));
}

std::string index() {
    std::vector<const Term*> terms(explain::glossary().begin(), explain::glossary().end());
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
    std::ranges::sort(terms, [&](const Term* a, const Term* b) {
        return std::ranges::lexicographical_compare(a->name.english(), b->name.english(), {}, small, small);
    });
    std::vector<std::string> links;
    for (const Term* term : terms)
        links.push_back(fmt::format("[{}](#{})", escaped(term->name.english()), term->id));
    return fmt::format("{}\n", fmt::join(links, " ·\n"));
}

}  // namespace

std::string glossaryPage() {
    std::string page = fmt::format("{}\n{}", kIntroduction, index());
    for (const explain::GlossaryChapter& chapter : explain::glossaryChapters()) {
        page += fmt::format("\n## {}\n", both(chapter.title));
        for (const Term& term : chapter.terms)
            page +=
                fmt::format("\n### <a id=\"{}\"></a>{}\n\n{}\n\n{}\n\n{}", term.id, both(term.name),
                            linked(term, Language::English), linked(term, Language::Chinese), seeAlso(term));
    }
    return page;
}

Json glossaryJson() {
    Json terms = Json::array();
    const auto both = [](const Words& words) {
        return Json{{"en", words.english()}, {"zh", words.in(Language::Chinese)}};
    };
    for (const Term* term : explain::glossary()) {
        Json see = Json::array();
        for (const std::string_view id : term->see)
            if (!id.empty()) see.push_back(id);
        terms.push_back(
            {{"id", term->id}, {"term", both(term->name)}, {"text", both(term->text)}, {"see", see}});
    }
    return terms;
}

}  // namespace lockstep::cli
