#include "app/cli/json/check_json.h"

#include "base/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::cli {
namespace {

using exercises::RuleVerdict;
using exercises::State;
using exercises::Verdict;

Json textJson(const Text& text) { return {{"en", text.en}, {"zh-CN", text.in(Language::Chinese)}}; }

Json orNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json ruleJson(const RuleVerdict& verdict) {
    return {{"rule", verdict.rule},
            {"quantity", verdict.quantity},
            {"state", exercises::nameOf(verdict.state)},
            {"value", verdict.value},
            {"limit", verdict.limit},
            {"size", orNull(verdict.size)},
            {"file", orNull(verdict.file)},
            {"line", verdict.line ? Json(verdict.line) : Json()},
            {"sentence", verdict.sentence.empty() ? Json() : Json(verdict.sentence.english())}};
}

Json verdictJson(const Verdict& verdict) {
    Json rules = Json::array();
    for (const RuleVerdict& rule : verdict.rules)
        rules.push_back(ruleJson(rule));
    const RuleVerdict* missing = verdict.missing();
    return {{"file", verdict.file},
            {"passed", verdict.passed()},
            {"missing", missing ? Json(missing->quantity) : Json()},
            {"seconds", verdict.seconds},
            {"rules", std::move(rules)}};
}

Json sizesJson(const exercises::Exercise& exercise) {
    Json sizes = Json::array();
    for (const exercises::Size& size : exercise.sizes)
        sizes.push_back(size.text);
    return sizes;
}

Json rulesJson(const exercises::Exercise& exercise) {
    Json rules = Json::array();
    for (const exercises::Rule& rule : exercise.rules)
        rules.push_back(rule.text);
    return rules;
}

// XML 1.0 has no other control characters; what is not UTF-8 becomes U+FFFD.
std::string escaped(std::string_view text) {
    std::string xml;
    while (!text.empty()) {
        const std::string_view before = text;
        const char32_t character = takeCharacter(text);
        switch (character) {
            case U'&': xml += "&amp;"; break;
            case U'<': xml += "&lt;"; break;
            case U'>': xml += "&gt;"; break;
            case U'"': xml += "&quot;"; break;
            case U'\n': xml += "&#10;"; break;
            case U'\t': xml += "&#9;"; break;
            case U'\ufffd': xml += "\xef\xbf\xbd"; break;
            default:
                if (character >= 0x20 && character != 0xfffe && character != 0xffff)
                    xml += before.substr(0, before.size() - text.size());
                else
                    xml += "\xef\xbf\xbd";
        }
    }
    return xml;
}

std::string caseXml(const RuleVerdict& verdict, const std::string& exercise) {
    const std::string head =
        fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(exercise), escaped(verdict.rule));
    if (verdict.state == State::Holds) return head + "/>\n";
    if (verdict.state == State::NotJudged) return head + "><skipped/></testcase>\n";
    const std::string at = verdict.size.empty() ? "" : " (" + verdict.size + ")";
    return fmt::format("{}><failure type=\"{}\" message=\"{}\"/></testcase>\n", head,
                       escaped(verdict.quantity), escaped(verdict.sentence.english() + at));
}

}  // namespace

u64 Grading::passed() const { return u64(std::ranges::count_if(verdicts, &Verdict::passed)); }

Json checkJson(const Grading& grading) {
    Json files = Json::array();
    for (const Verdict& verdict : grading.verdicts)
        files.push_back(verdictJson(verdict));
    return {{"exercise", grading.exercise.name},
            {"title", textJson(grading.exercise.title)},
            {"seed", grading.seed},
            {"sizes", sizesJson(grading.exercise)},
            {"passed", grading.passed()},
            {"failed", u64(grading.verdicts.size()) - grading.passed()},
            {"files", std::move(files)}};
}

Json exercisesJson(const exercises::Shelf& shelf) {
    Json all = Json::array(), mistakes = Json::array();
    for (const exercises::Exercise& exercise : shelf.exercises)
        all.push_back({{"name", exercise.name},
                       {"title", textJson(exercise.title)},
                       {"task", textJson(exercise.task)},
                       {"topics", exercise.topics},
                       {"folder", exercise.folder.string()},
                       {"start", exercise.startFile().string()},
                       {"sizes", sizesJson(exercise)},
                       {"rules", rulesJson(exercise)}});
    for (const Fault& mistake : shelf.mistakes)
        mistakes.push_back(describe(mistake));
    return {{"exercises", std::move(all)}, {"mistakes", std::move(mistakes)}};
}

std::string checkJunit(const Grading& grading) {
    std::string suites;
    u64 tests = 0, failures = 0;
    for (const Verdict& verdict : grading.verdicts) {
        std::string cases;
        u64 failed = 0, skipped = 0;
        for (const RuleVerdict& rule : verdict.rules) {
            cases += caseXml(rule, grading.exercise.name);
            failed += rule.state == State::Fails;
            skipped += rule.state == State::NotJudged;
        }
        suites += fmt::format(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n{}"
            "  </testsuite>\n",
            escaped(verdict.file), verdict.rules.size(), failed, skipped, verdict.seconds, cases);
        tests += verdict.rules.size();
        failures += failed;
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}</testsuites>\n",
        escaped(grading.exercise.name), tests, failures, suites);
}

}  // namespace lockstep::cli
