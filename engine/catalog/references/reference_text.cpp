#include "catalog/references/reference_text.h"

#include "base/text/trimmed.h"

#include <algorithm>
#include <charconv>
#include <span>

namespace lockstep::catalog {
namespace {

constexpr Words kForms =
    english("write NAME:BUFFER=INDEX,... (matmul:M=0,N=1,P=2,width=64), kernel:NAME, or INDEX=FILE.npy");

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Splits at commas, except those within <...> or (...).
std::vector<std::string_view> partsOf(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        if (c == '<' || c == '(') ++depth;
        if (c == '>' || c == ')') --depth;
        if (c != ',' || (depth > 0 && i < text.size())) continue;
        parts.push_back(trimmed(text.substr(begin, i - begin), " "));
        begin = i + 1;
    }
    return parts;
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_(trimmed(text, " ")) {
        result_.written = std::string(text_);
    }

    Expected<ReferenceText> parse() {
        if (text_.empty()) return refuse(kForms);
        const std::size_t digits = std::size_t(std::ranges::find_if_not(text_, isDigit) - text_.begin());
        if (digits > 0 && digits < text_.size() && text_[digits] == '=') return parseFile(digits);
        const std::size_t colon = text_.find(':');
        const std::string_view name = trimmed(text_.substr(0, colon), " ");
        const std::string_view rest =
            colon == std::string_view::npos ? std::string_view() : text_.substr(colon + 1);
        if (name.empty() || name.find_first_of("=,") != std::string_view::npos) return refuse(kForms);
        if (name == "kernel") return parseKernel(rest);
        result_.kind = ReferenceText::Kind::Table;
        result_.name = std::string(name);
        if (trimmed(rest, " ").empty()) return result_;
        return parseValues(partsOf(rest));
    }

private:
    Unexpected refuse(const Message& why) const {
        return fail(FaultKind::Usage, Message(english("--reference {0}: {1}"), result_.written, why));
    }

    Expected<ReferenceText> parseFile(std::size_t digits) {
        result_.kind = ReferenceText::Kind::File;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + digits, result_.argument);
        if (error != std::errc{})
            return refuse(english("there is no argument of this number; arguments are numbered from 0"));
        result_.file = std::string(trimmed(text_.substr(digits + 1), " "));
        if (!result_.file.ends_with(".npy"))
            return refuse(
                english("name the expected contents as INDEX=FILE.npy, for example 2=expected.npy"));
        return result_;
    }

    Expected<ReferenceText> parseKernel(std::string_view rest) {
        result_.kind = ReferenceText::Kind::Kernel;
        // A namespace has two colons; a file name ends before a single one.
        for (const std::string_view ending : {".cu:", ".ptx:"}) {
            const std::size_t at = rest.find(ending);
            if (at == std::string_view::npos) continue;
            result_.file = std::string(trimmed(rest.substr(0, at + ending.size() - 1), " "));
            rest.remove_prefix(at + ending.size());
            break;
        }
        const std::vector<std::string_view> parts = partsOf(rest);
        result_.name = std::string(parts.front());
        if (result_.name.empty() || result_.name.ends_with(".cu") || result_.name.ends_with(".ptx"))
            return refuse(english("say which kernel: kernel:NAME of the same file, or kernel:FILE.cu:NAME"));
        return parseValues(std::span(parts).subspan(1));
    }

    Expected<ReferenceText> parseValues(std::span<const std::string_view> parts) {
        for (const std::string_view part : parts) {
            const std::size_t equals = part.find('=');
            const bool continues = equals == std::string_view::npos && !result_.values.empty() &&
                                   isDimension(result_.values.back().first) && !part.empty();
            if (continues) {  // grid=4,4
                result_.values.back().second += "," + std::string(part);
                continue;
            }
            const std::string_view name = trimmed(part.substr(0, equals), " ");
            const std::string_view value =
                equals == std::string_view::npos ? std::string_view() : trimmed(part.substr(equals + 1), " ");
            if (name.empty() || value.empty())
                return refuse(Message(english("'{0}' is not NAME=VALUE, for example {1}"), part,
                                      result_.kind == ReferenceText::Kind::Kernel ? "grid=4,4" : "width=64"));
            const auto isSame = [&](const auto& known) { return known.first == name; };
            if (std::ranges::any_of(result_.values, isSame))
                return refuse(Message(english("'{0}' is given twice; give it once"), name));
            result_.values.emplace_back(name, value);
        }
        return result_;
    }

    bool isDimension(std::string_view name) const {
        return result_.kind == ReferenceText::Kind::Kernel && (name == "grid" || name == "block");
    }

    std::string_view text_;
    ReferenceText result_;
};

}  // namespace

Expected<ReferenceText> parseReference(std::string_view text) { return Parser(text).parse(); }

std::vector<std::string> splitReferences(std::string_view text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(';', begin), text.size());
        if (const std::string_view part = trimmed(text.substr(begin, end - begin), " "); !part.empty())
            parts.emplace_back(part);
        begin = end + 1;
    }
    return parts;
}

}  // namespace lockstep::catalog
