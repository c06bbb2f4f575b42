#include "ptx/debug_info.h"

#include "base/text/escapes.h"
#include "ptx/analysis/constants.h"

#include <filesystem>
#include <limits>

namespace lockstep::ptx {
namespace {

constexpr u64 kMostFiles = 65535;           // a program includes some hundreds
constexpr std::size_t kLongestName = 4096;  // of an inlined function; cut there
constexpr u64 kMostLines = std::numeric_limits<u32>::max();

}  // namespace

// .file 1 "/home/me/kernel.cu" [, timestamp, size]
void DebugInfo::parseFile(Lexer& in, Module& module) {
    const u64 index = parseNumber(in, english("the number of a file"), kMostFiles);
    const std::string path = withoutEscapes(in.quoted());
    for (int i = 0; i < 2 && in.take(','); ++i)
        parseNumber(in, english("a file's time and size"), std::numeric_limits<u64>::max());
    if (index == 0) return;  // 0 means "no file" to us
    if (module.files.size() <= index) module.files.resize(index + 1);
    module.files[index] = std::filesystem::path(path).lexically_normal().generic_string();
}

DebugInfo::Spot DebugInfo::parseSpot(Lexer& in) {
    Spot spot{};
    spot.file = u32(parseNumber(in, english("the number of a file"), kMostFiles));
    spot.line = u32(parseNumber(in, english("a line"), kMostLines));
    spot.column = u32(parseNumber(in, english("a column"), kMostLines));
    return spot;
}

// .loc file line column [, function_name label [+ offset], inlined_at file line column]
void DebugInfo::parseLoc(Lexer& in, Module& module) {
    const Spot spot = parseSpot(in);
    FunctionName name{};
    u32 inlinedAt = 0;
    while (in.take(',')) {
        const Place place = (in.peek(), in.place());
        const std::string_view attribute = in.word();
        if (attribute == "function_name") {
            name.label = in.word();
            if (in.take('+')) name.offset = parseNumber(in, english("an offset"), kMostLines);
        } else if (attribute == "inlined_at") {
            const Spot at = parseSpot(in);
            const auto [known, isNew] = latest_.try_emplace(at, u32(module.locations.size()));
            if (isNew) module.locations.push_back({at.file, at.line, at.column, 0, {}});
            inlinedAt = known->second;
        } else {
            in.fail(FaultKind::Syntax,
                    Message(english("expected function_name or inlined_at, found '{0}'"), attribute), place);
        }
    }
    if (spot.line == 0) {  // code that belongs to no line
        current_ = 0;
        return;
    }
    const auto [known, isNew] = latest_.try_emplace(spot, u32(module.locations.size()));
    // A place inlined at itself by way of itself (recursion unrolled): the older entry stays the outer one.
    if (!isNew && module.locations[known->second].inlinedAt == inlinedAt) {
        current_ = known->second;
        return;
    }
    current_ = known->second = u32(module.locations.size());
    module.locations.push_back({spot.file, spot.line, spot.column, inlinedAt, {}});
    if (!name.label.empty()) functionNames_.push_back({current_, name.label, name.offset});
}

// .section .debug_str { label: .b8 95,90,...,0 }; the other sections are skipped.
void DebugInfo::parseSection(Lexer& in) {
    const std::string_view name = in.directive();
    in.expect('{', english("to open the section"));
    if (name == ".debug_str")
        parseStrings(in);
    else
        in.skipBraces();
}

void DebugInfo::parseStrings(Lexer& in) {
    while (!in.take('}')) {
        const Place place = in.place();
        const std::string_view word = in.peek() == '.' ? in.directive() : in.word();
        if (word == ".b8") {
            do
                strings_ += char(parseNumber(in, english("a character"), 255));
            while (in.take(','));
        } else if (!word.empty() && in.take(':')) {
            labels_.try_emplace(word, strings_.size());
        } else {
            in.fail(FaultKind::Syntax,
                    Message(english("expected .b8 or a label in .debug_str, found {0}"),
                            word.empty() ? in.found() : Message::plain("'" + std::string(word) + "'")),
                    place);
        }
    }
}

void DebugInfo::finish(Module& module, StringPool& pool) {
    for (const FunctionName& name : functionNames_) {
        const auto label = labels_.find(name.label);
        if (label == labels_.end() || label->second + name.offset >= strings_.size()) continue;
        const std::string_view rest =
            std::string_view(strings_).substr(label->second + name.offset, kLongestName);
        module.locations[name.location].function = pool.intern(std::string(rest.substr(0, rest.find('\0'))));
    }
    if (module.files.empty()) module.files.resize(1);
    for (Location& location : module.locations)
        if (location.file >= module.files.size()) location.file = 0;
    module.sources.resize(module.files.size());
}

}  // namespace lockstep::ptx
