#include "app/cli/option_checks.h"

#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace lockstep::cli {
namespace {

constexpr std::size_t kMostInHelp = 3;  // of words; more stand in the description
constexpr f64 kMostSeconds = 1e9;

std::string inQuotes(const std::string& text) { return text.empty() ? "nothing" : "'" + text + "'"; }

std::optional<u64> wholeIn(const std::string& text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const char *begin = text.data() + (isHex ? 2 : 0), *end = text.data() + text.size();
    u64 value = 0;
    const auto [rest, error] = std::from_chars(begin, end, value, isHex ? 16 : 10);
    return error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

std::optional<f64> numberIn(const std::string& text) {
    f64 value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && rest == end && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

CLI::Option* checked(CLI::Option* option, const std::string& type,
                     std::function<std::string(std::string&)> check) {
    return option->type_name(type)->check(CLI::Validator(std::move(check), ""));
}

}  // namespace

std::string alternatives(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return text;
}

CLI::Option* takesWhole(CLI::Option* option, u64 least, u64 most) {
    return checked(option, "N", [least, most](std::string& text) -> std::string {
        const std::optional<u64> value = wholeIn(text);
        if (!value || *value < least || *value > most)
            return fmt::format("write a whole number from {} to {}, not {}", least,
                               most == std::numeric_limits<u64>::max() ? "2^64 - 1" : std::to_string(most),
                               inQuotes(text));
        text = std::to_string(*value);
        return {};
    });
}

CLI::Option* takesNumber(CLI::Option* option, f64 least, f64 most, const std::string& unit) {
    return checked(option, "N", [=](const std::string& text) -> std::string {
        const std::optional<f64> value = numberIn(text);
        if (value && *value >= least && *value <= most) return {};
        return fmt::format("write a number{} from {} to {}, not {}", unit.empty() ? "" : " " + unit, least,
                           most, inQuotes(text));
    });
}

CLI::Option* takesSeconds(CLI::Option* option) {
    return checked(option, "SECONDS", [](const std::string& text) -> std::string {
        const std::optional<f64> value = numberIn(text);
        if (value && *value > 0 && *value <= kMostSeconds) return {};
        return "write a number of seconds above 0, for example 60, not " + inQuotes(text);
    });
}

CLI::Option* takesOneOf(CLI::Option* option, std::vector<std::string> words) {
    const std::string type = words.size() > kMostInHelp ? "NAME" : fmt::format("{}", fmt::join(words, "|"));
    return checked(option, type, [words = std::move(words)](const std::string& text) -> std::string {
        if (std::ranges::find(words, text) != words.end()) return {};
        return fmt::format("say {}, not {}{}", alternatives(words), inQuotes(text),
                           didYouMean(text, words).english());
    });
}

}  // namespace lockstep::cli
