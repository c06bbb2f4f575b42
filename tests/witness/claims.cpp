#include "witness/claims.h"

#include "base/text/trimmed.h"
#include "viz/notes/notes.h"
#include "witness/readers/claim_figures.h"
#include "witness/record/facts.h"
#include "witness/record/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <set>

namespace lockstep::witness {
namespace {

constexpr const char* kClaims = LOCKSTEP_SOURCE_DIR "/tests/witness/claims.txt";

std::map<std::string, std::vector<Claim>> readClaims() {
    std::map<std::string, std::vector<Claim>> sections;
    std::vector<Claim>* section = nullptr;
    std::ifstream file(kClaims);
    u32 number = 0;
    for (std::string whole; std::getline(file, whole);) {
        ++number;
        std::string_view line = trimmed(whole, kAllBlanks);
        if (line.empty() || line[0] == '#') continue;
        if (line[0] == '[' && line.back() == ']') {
            section = &sections[std::string(line.substr(1, line.size() - 2))];
            continue;
        }
        if (!section) continue;
        Claim claim{.number = {}, .words = {}, .formula = {}, .code = {}, .reason = {}, .line = number};
        if (line[0] == '"') {
            const std::size_t end = line.find('"', 1);
            claim.words = line.substr(1, end - 1);
            line = trimmed(line.substr(end + 1), kAllBlanks);
        }
        const std::size_t blank = line.find(' ');
        claim.number = line.substr(0, blank);
        line = trimmed(line.substr(std::min(blank, line.size())), kAllBlanks);
        if (line.starts_with("= "))
            claim.formula = line.substr(2);
        else if (line.starts_with("in \""))
            claim.code = line.substr(4, line.rfind('"') - 4);
        else if (line.starts_with(": "))
            claim.reason = line.substr(2);
        section->push_back(std::move(claim));
    }
    return sections;
}
const std::map<std::string, std::vector<Claim>>& allClaims() {
    static const std::map<std::string, std::vector<Claim>> kAll = readClaims();
    return kAll;
}

std::string sourceOf(const Authored& authored) {
    std::string all;
    for (const catalog::Variant& variant : authored.family->variants)
        if (!authored.variant || authored.variant == &variant) {
            std::ifstream file(authored.family->folder / variant.file, std::ios::binary);
            all.append(std::istreambuf_iterator<char>(file), {});
        }
    return all;
}

// Why the claim does not hold; empty: it does.
std::string refuted(const World& world, const Authored& authored, const Claim& claim) {
    if (!claim.reason.empty()) return {};
    if (!claim.code.empty()) {
        const bool has = contains(squeezed(sourceOf(authored)), squeezed(claim.code));
        return has ? "" : fmt::format("the source has no `{}` (claims.txt:{})", claim.code, claim.line);
    }
    if (claim.formula.empty()) return fmt::format("claims.txt:{} says nothing", claim.line);
    const f64 value = formulaValue(claim.formula, [&](std::string_view name, std::string_view bracket) {
        return claimFigure(world, authored, name, bracket);
    });
    const std::vector<Token> typed = tokensOf(claim.number);
    if (typed.size() != 1) return fmt::format("claims.txt:{} has no number", claim.line);
    // Words for a share are rough: "two thirds" of 0.69.
    const bool isRough = !claim.words.empty() && typed[0].decimals == 3;
    const bool holds = isRough ? std::fabs(value / typed[0].value - 1) < 0.06
                       : typed[0].decimals == 0 && !claim.words.empty() ? typed[0].value == value
                                                                        : rounds(typed[0], value);
    return holds ? "" : fmt::format("{} is {} (claims.txt:{})", claim.formula, value, claim.line);
}

// The text with blanks for what a note computes.
std::string typedPart(const Authored& authored, std::string text) {
    if (authored.isNote)
        for (std::size_t at; (at = text.find('{')) != std::string::npos;) {
            const std::size_t end = std::min(text.find('}', at), text.size() - 1);
            text.replace(at, end + 1 - at, "~");
        }
    return text;
}

}  // namespace

std::vector<Authored> authoredTexts(const catalog::Family& family, const catalog::Variant& variant) {
    const std::string own = family.name + "/" + variant.name;
    const auto both = [](const auto& text) {
        return Text{text.in(Language::English), text.in(Language::Chinese)};
    };
    std::vector<Authored> texts{{&family, &variant, own + " brief", both(variant.brief), false},
                                {&family, &variant, own + " look", both(variant.look), false},
                                {&family, &variant, own + " fixes", both(variant.fixes), false},
                                {&family, &variant, own + " wrong", both(variant.wrong), false},
                                {&family, nullptr, family.name + " story", both(family.story), false}};
    const auto note = [&](const std::string& name, const Text& question, const std::vector<Text>& answer) {
        texts.push_back({&family, nullptr, name, both(question), true});
        for (const Text& sentence : answer)
            texts.push_back({&family, nullptr, name, both(sentence), true});
    };
    for (const catalog::NoteTemplate& one : family.notes)
        note(family.name + " note " + one.name, one.question, one.answer);
    for (const viz::GeneralNote& one : viz::generalNotes())
        note(std::string("general ") + std::string(one.name), textOf(one.question), textsOf(one.answer));
    return texts;
}

const Claimed& claimed(const World& world, const Authored& authored, Language language) {
    static std::mutex mutex;
    static std::map<std::string, Claimed> known;
    const std::lock_guard lock(mutex);
    const std::string text = typedPart(authored, std::string(authored.text.in(language)));
    const auto [found, isNew] = known.try_emplace(authored.name + "\n" + text);
    Claimed& result = found->second;
    if (!isNew) return result;
    const auto section = allClaims().find(authored.name);
    static const std::vector<Claim> kNone;
    const std::vector<Claim>& claims = section == allClaims().end() ? kNone : section->second;
    const std::vector<Token> tokens = tokensOf(text);
    for (const Token& token : tokens) {
        if (token.kind == Token::Kind::Pair || token.kind == Token::Kind::Element) continue;
        ++result.numbers;
        const std::string number = text.substr(token.begin, token.end - token.begin);
        bool isClaimed = false;
        for (const Claim& claim : claims) {
            if (!claim.words.empty() || claim.number != number) continue;
            isClaimed = true;
            if (std::string why = refuted(world, authored, claim); !why.empty())
                result.wrong.emplace_back(number, why);
        }
        if (!isClaimed)
            result.wrong.emplace_back(number,
                                      fmt::format("claims.txt has no row for it in [{}]", authored.name));
    }
    // What is said in words.
    for (const Claim& claim : claims) {
        if (claim.words.empty() || !contains(text, claim.words)) continue;
        ++result.numbers;
        if (std::string why = refuted(world, authored, claim); !why.empty())
            result.wrong.emplace_back(claim.words, why);
    }
    return result;
}

std::vector<std::string> idleClaims(const World& world) {
    std::map<std::string, std::string> texts;  // both languages of all texts of a section
    for (const catalog::Family& family : world.catalog.families())
        for (const catalog::Variant& variant : family.variants)
            for (const Authored& one : authoredTexts(family, variant))
                texts[one.name] += " " + typedPart(one, one.text.en) + " " + typedPart(one, one.text.zh);
    std::vector<std::string> idle;
    for (const auto& [name, claims] : allClaims()) {
        const auto text = texts.find(name);
        std::set<std::string> numbers;
        if (text != texts.end())
            for (const Token& token : tokensOf(text->second))
                numbers.insert(text->second.substr(token.begin, token.end - token.begin));
        for (const Claim& claim : claims)
            if (text == texts.end() || (claim.words.empty() ? !numbers.contains(claim.number)
                                                            : !contains(text->second, claim.words)))
                idle.push_back(fmt::format("claims.txt:{}: [{}] has no {}", claim.line, name,
                                           claim.words.empty() ? claim.number : claim.words));
    }
    return idle;
}

}  // namespace lockstep::witness
