#include "cuda/compiler/nvrtc_log.h"

#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace lockstep::cuda {
namespace {

// "foo.cu(2): error: identifier "x" is undefined"
// "foo.cu(3): warning #550-D: variable "x" was set but never used"
struct LogEntry {
    std::string_view file, message;
    u32 line = 0, column = 0;
};

constexpr std::size_t kMostTold = 10;

std::optional<LogEntry> parseEntry(std::string_view line, std::string_view severity) {
    std::size_t mark = line.find("): ");
    while (mark != std::string_view::npos) {
        const std::size_t open = line.rfind('(', mark);
        std::string_view rest = line.substr(mark + 3);
        if (rest.starts_with("catastrophic ")) rest.remove_prefix(13);
        if (open != std::string_view::npos && rest.starts_with(severity)) {
            const std::size_t colon = rest.find(": ");  // "error: " or "error #20012-D: "
            LogEntry entry{.file = line.substr(0, open),
                           .message = colon == std::string_view::npos ? rest : rest.substr(colon + 2)};
            const auto [end, code] = std::from_chars(line.data() + open + 1, line.data() + mark, entry.line);
            if (code == std::errc{} && end == line.data() + mark) return entry;
        }
        mark = line.find("): ", mark + 1);
    }
    return {};
}

// "          ^" below the source line, which is indented by two: the column from 1, or 0.
u32 columnOf(std::string_view line) {
    constexpr std::size_t kIndent = 2;
    const std::size_t caret = line.find_first_not_of(" \t");
    const bool isMark = caret != std::string_view::npos && caret >= kIndent && line.substr(caret) == "^";
    return isMark ? u32(caret - kIndent + 1) : 0;
}

std::vector<LogEntry> entriesIn(std::string_view log, std::string_view severity) {
    std::vector<LogEntry> entries;
    bool isTold = false;  // the line of the log belongs to the last entry
    for (std::size_t at = 0; at < log.size();) {
        const std::size_t end = std::min(log.find('\n', at), log.size());
        const std::string_view line = log.substr(at, end - at);
        if (const std::optional<LogEntry> entry = parseEntry(line, severity)) {
            entries.push_back(*entry);
            isTold = true;
        } else if (line.empty()) {
            isTold = false;
        } else if (isTold && entries.back().column == 0) {
            entries.back().column = columnOf(line);
        }
        at = end + 1;
    }
    return entries;
}

std::string written(const LogEntry& error) {
    const std::string column = error.column ? fmt::format(":{}", error.column) : "";
    return fmt::format("{}:{}{}: {}", error.file, error.line, column, error.message);
}

bool isSame(const LogEntry& a, const LogEntry& b) {
    return a.message.data() == b.message.data();  // of one log
}

// All errors but the reported one, ten in all at most, one line each.
Message othersThan(const LogEntry& told, const std::vector<LogEntry>& errors) {
    std::string lines;
    std::size_t count = 1;
    for (const LogEntry& error : errors)
        if (!isSame(error, told) && count < kMostTold) {
            lines += "\n" + written(error);
            ++count;
        }
    if (errors.size() == count) return Message::plain(std::move(lines));
    return Message(english("{0}\nand {1} more"), lines, errors.size() - count);
}

constexpr std::string_view kTakenForVariable = "attribute \"__global__\" does not apply here";

// The first error; but an unknown type makes NVRTC parse a kernel as a variable, and then it names the type
// only later.
const LogEntry& mostTelling(const std::vector<LogEntry>& errors) {
    const LogEntry& first = errors.front();
    if (first.message != kTakenForVariable) return first;
    const auto unknown = std::ranges::find_if(errors, [](const LogEntry& error) {
        return error.message.starts_with("identifier \"") && error.message.ends_with("\" is undefined");
    });
    return unknown == errors.end() ? first : *unknown;
}

std::string_view wordAfter(std::string_view text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = text.substr(at + mark.size());
    return rest.substr(0, rest.find('\n'));
}

constexpr bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

Fault fault(FaultKind kind, Message message, std::string file, u32 line = 0) {
    return {.kind = kind,
            .message = std::move(message),
            .place = {std::move(file), line, 0},
            .pc = {},
            .block = {},
            .thread = {}};
}

// NVRTC puts the requested kernels in a file of its own, __nv_name_map.
Fault faultOfEntry(std::string_view log, std::string_view message, const std::string& name,
                   std::string_view source) {
    const std::string entry(wordAfter(log, "#pragma nv_mangled_name "));
    const std::vector<std::string> known = kernelsNamedIn(source);
    if (message.starts_with("cannot determine which instance of function template"))
        return fault(
            FaultKind::NotFound,
            Message(english("'{0}' does not name one instantiation of a template; write its arguments, as in "
                            "{1}<16>"),
                    entry, entry.substr(0, entry.find('<'))),
            name);
    if (message.starts_with("cannot determine which instance of overloaded"))
        return fault(
            FaultKind::NotFound,
            Message(english("there are several kernels '{0}'; give the one you mean a name of its own"),
                    entry),
            name);
    const std::string bare = entry.substr(0, entry.find('<'));
    const Message list = known.empty()
                             ? Message(english("it has no __global__ function"))
                             : Message(english("it has {0}"), fmt::format("{}", fmt::join(known, ", ")));
    return fault(FaultKind::NotFound,
                 Message(english("there is no kernel '{0}' in this file ({1}){2}"), entry, list,
                         didYouMean(bare, known)),
                 name);
}

}  // namespace

std::vector<std::string> kernelsNamedIn(std::string_view source) {
    constexpr std::string_view kMark = "__global__";
    std::vector<std::string> names;
    for (std::size_t at = source.find(kMark); at != std::string_view::npos; at = source.find(kMark, at + 1)) {
        // __global__ void __launch_bounds__(256) name(: the last word before a parenthesis that is not an
        // attribute's.
        std::size_t open = source.find('(', at);
        while (open != std::string_view::npos) {
            std::size_t end = open;
            while (end > at && !isNameCharacter(source[end - 1]))
                --end;
            std::size_t begin = end;
            while (begin > at && isNameCharacter(source[begin - 1]))
                --begin;
            const std::string_view word = source.substr(begin, end - begin);
            if (!word.starts_with("__")) {
                names.emplace_back(word);
                break;
            }
            open = source.find('(', open + 1);
        }
    }
    return names;
}

std::vector<Fault> warningsIn(std::string_view log) {
    std::vector<Fault> warnings;
    for (const LogEntry& entry : entriesIn(log, "warning")) {
        Fault warning = fault(FaultKind::Syntax, Message::plain(std::string(entry.message)),
                              std::string(entry.file), entry.line);
        warning.place.column = entry.column;
        // Of a template, once for each instance.
        const bool isKnown = std::ranges::any_of(warnings, [&](const Fault& other) {
            return other.place.file == warning.place.file && other.place.line == warning.place.line &&
                   other.place.column == warning.place.column &&
                   other.message.english() == warning.message.english();
        });
        if (!isKnown) warnings.push_back(std::move(warning));
    }
    return warnings;
}

Fault faultFromLog(std::string_view log, const std::string& name, std::string_view source,
                   std::string_view otherwise) {
    std::vector<LogEntry> errors = entriesIn(log, "error");
    if (errors.empty()) {
        const std::string_view firstLine = log.substr(0, log.find('\n'));
        return fault(FaultKind::Syntax,
                     Message(english("NVRTC refuses this: {0}"), firstLine.empty() ? otherwise : firstLine),
                     name);
    }
    const LogEntry told = mostTelling(errors);
    if (told.file == "__nv_name_map") return faultOfEntry(log, told.message, name, source);
    if (told.message.find("not allowed in JIT mode") != std::string_view::npos)
        return fault(FaultKind::Unsupported,
                     english("only device code can be compiled here: put host code such as main() between "
                             "#ifndef __CUDACC_RTC__ and #endif"),
                     std::string(told.file), told.line);
    if (errors.front().message == kTakenForVariable)  // other errors of that line follow from it
        std::erase_if(errors, [&](const LogEntry& error) {
            return error.line == told.line && error.file == told.file && error.message != told.message;
        });
    const Message others = othersThan(told, errors);
    Fault all = fault(FaultKind::Syntax,
                      errors.size() == 1 ? Message::plain(std::string(told.message)) + others
                                         : Message(english("{0} (and {1} more){2}"), told.message,
                                                   errors.size() - 1, others),
                      std::string(told.file), told.line);
    all.place.column = told.column;
    return all;
}

}  // namespace lockstep::cuda
