#include "lessons/step_header.h"

#include "base/nearest.h"
#include "catalog/toml_reader.h"
#include "lessons/question_kinds.h"

#include <algorithm>
#include <regex>

namespace lockstep::lessons {
namespace {

using catalog::Complaints, catalog::TomlReader;

struct DoesRow {
    std::string_view name;
    catalog::Opening::Does does;
};
constexpr std::array kDoes{
    DoesRow{"anything", catalog::Opening::Does::Anything}, DoesRow{"access", catalog::Opening::Does::Access},
    DoesRow{"load", catalog::Opening::Does::Load},         DoesRow{"store", catalog::Opening::Does::Store},
    DoesRow{"atomic", catalog::Opening::Does::Atomic},     DoesRow{"branch", catalog::Opening::Does::Branch},
    DoesRow{"shuffle", catalog::Opening::Does::Shuffle}};

u32 lineOf(const toml::node& node) { return u32(node.source().begin.line); }

// Of a table's keys, and of those of the tables in it: "set.width".
void keepLines(KeyLines& lines, const toml::table& table, const std::string& before = {}) {
    for (const auto& [key, node] : table) {
        const std::string name = before + std::string(key.str());
        lines.lines[name] = lineOf(node);
        if (const toml::table* inner = node.as_table()) keepLines(lines, *inner, name + ".");
    }
}

constexpr s64 kMostCount = 1 << 24;

u32 countOf(TomlReader& reader, std::string_view key, u32 otherwise, s64 least, s64 most = kMostCount) {
    const std::optional<s64> given = reader.optionalInteger(key);
    if (!given) return otherwise;
    if (*given < least || *given > most) {
        reader.complain(key, Message(english("'{0}' is from {1} to {2}"), key, least, most));
        return otherwise;
    }
    return u32(*given);
}

// A value as `set` has it.
std::optional<std::string> settingOf(const toml::node& node) {
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* text = node.as_string()) return text->get();
    return {};
}

// set = { width = 3, word = "float2" }
void readSettings(std::vector<std::pair<std::string, std::string>>& settings, TomlReader& reader,
                  std::string_view of) {
    const toml::table* table = reader.optionalTable(of);
    if (!table) return;
    for (const auto& [key, node] : *table) {
        const std::optional<std::string> given = settingOf(node);
        if (!given)
            reader.complain(
                of, Message(english("'{0}' must be a whole number or a text"), std::string(key.str())));
        const std::string value = given.value_or("");
        const std::string name(key.str());
        const auto same = std::ranges::find(settings, name, &std::pair<std::string, std::string>::first);
        if (same != settings.end())
            same->second = value;
        else
            settings.emplace_back(name, value);
    }
}

void readBlock(Place& place, TomlReader& reader) {
    const std::vector<s64> block = reader.optionalIntegers("block");
    if (block.empty()) return;
    const bool isFine =
        block.size() <= 3 && std::ranges::all_of(block, [](s64 v) { return v >= 0 && v < kMostCount; });
    if (!isFine) {
        reader.complain("block", english("a block is [x], [x, y] or [x, y, z], from 0"));
        return;
    }
    place.block = {u32(block[0]), block.size() > 1 ? u32(block[1]) : 0, block.size() > 2 ? u32(block[2]) : 0};
}

bool isFile(std::string_view kernel) { return kernel.ends_with(".cu") || kernel.ends_with(".ptx"); }

// launch = { grid = "4", block = "32,32", arguments = ["f32[1024]=random"] }
void readLaunch(FileLaunch& launch, TomlReader& reader, Complaints& complaints) {
    const toml::table* table = reader.optionalTable("launch");
    if (!table) return;
    TomlReader inner(*table, complaints);
    launch.entry = inner.optionalString("entry", launch.entry);
    launch.grid = inner.optionalString("grid", launch.grid);
    launch.block = inner.optionalString("block", launch.block);
    if (table->contains("shared")) launch.sharedBytes = countOf(inner, "shared", 0, 0);
    if (table->contains("arguments")) launch.arguments = inner.optionalStrings("arguments");
    if (table->contains("references")) launch.references = inner.optionalStrings("references");
    inner.finish();
}

// Where the keys of a place are read from.
struct PlaceSource {
    const std::string& file;  // a lesson's, or a playlist's
    bool takesAnyFile = false;
};

// A kernel that is no name of the catalog's, but a file.
void readOwn(Place& place, const std::string& given, TomlReader& reader, Complaints& complaints,
             const PlaceSource& from) {
    if (!isFile(place.kernel)) {
        place.own.reset();
        if (reader.optionalTable("launch"))
            reader.complain("launch", english("'launch' says how a kernel of a .cu file is launched; one of "
                                              "the catalog has its own launch"));
        return;
    }
    if (!given.empty()) {
        if (!place.own) place.own.emplace();
        place.own->file = (std::filesystem::path(from.file).parent_path() / place.kernel).lexically_normal();
        std::error_code ignored;
        if (!from.takesAnyFile && given.find_first_of("/\\") != std::string::npos)
            reader.complain("kernel",
                            Message(english("the file '{0}' has to lie in the lesson's folder"), given));
        else if (from.takesAnyFile && !std::filesystem::is_regular_file(place.own->file, ignored))
            reader.complain("kernel", Message(english("there is no file {0}"), place.own->file.string()));
    }
    readLaunch(*place.own, reader, complaints);
}

// The keys of a place, over what `place` has already.
void readPlace(Place& place, TomlReader& reader, Complaints& complaints, const PlaceSource& from) {
    const std::string given = reader.optionalString("kernel", {});
    if (!given.empty()) place.kernel = given;
    readOwn(place, given, reader, complaints, from);
    place.profile = reader.optionalString("profile", place.profile);
    place.view = reader.optionalString("view", place.view);
    readSettings(place.settings, reader, "set");
    readSettings(place.recorded, reader, "recorded");
    place.launch = countOf(reader, "launch_number", place.launch, 0);
    readBlock(place, reader);
    place.warp = countOf(reader, "warp", place.warp, 0);
    if (const u32 lane = countOf(reader, "lane", kWarpSize, 0, kWarpSize - 1); lane < kWarpSize)
        place.lane = lane;
    place.at = reader.optionalString("at", place.at);
    place.time = countOf(reader, "time", place.time, 1);
    if (const u32 step = countOf(reader, "step", 0, 1)) place.step = step;
    if (const std::string does = reader.optionalString("does", {}); !does.empty()) {
        const auto row = std::ranges::find(kDoes, does, &DoesRow::name);
        if (row != kDoes.end())
            place.does = row->does;
        else
            reader.complain("does",
                            Message(english("'does' is anything, access, load, store, atomic, branch or "
                                            "shuffle, not '{0}'"),
                                    does));
    }
}

bool isId(std::string_view id) {
    return std::ranges::all_of(
        id, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

bool isPlaceName(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

// also = { padded = { set = { padding = 1 } } }
void readOthers(LessonStep& step, TomlReader& reader, Complaints& complaints, const PlaceSource& from) {
    const toml::table* table = reader.optionalTable("also");
    if (!table) return;
    for (const auto& [key, node] : *table) {
        const toml::table* keys = node.as_table();
        const std::string name(key.str());
        if (!keys || !isPlaceName(name)) {
            reader.complain("also", Message(english("'also' has places by names of small letters: {0}"),
                                            "also = { padded = { set = { padding = 1 } } }"));
            continue;
        }
        Place place = step.place;
        for (const auto& [setting, value] : place.settings)
            if (const toml::table* own = (*keys)["set"].as_table(); !own || !own->contains(setting))
                place.inherited.push_back(setting);
        TomlReader inner(*keys, complaints);
        readPlace(place, inner, complaints, from);
        inner.finish();
        place.fileLine = lineOf(*keys);
        keepLines(place.keyLines, *keys);
        step.others.emplace(name, std::move(place));
    }
}

// vary = { stride = [2, 4, 8], word = ["float2", "float4"] }
void readVaried(LessonStep& step, TomlReader& reader) {
    const toml::table* table = reader.optionalTable("vary");
    if (!table) return;
    for (const auto& [key, node] : *table) {
        Varied varied{std::string(key.str()), {}};
        const bool isOfCursor = findCursorPart(varied.name) != nullptr;
        bool areValues = node.is_array();
        if (const toml::array* values = node.as_array())
            for (const toml::node& value : *values) {
                areValues &= value.is_integer() || (value.is_string() && !isOfCursor);
                varied.values.push_back(settingOf(value).value_or(""));
            }
        if (!areValues || varied.values.empty())
            reader.complain("vary", Message(english("'vary' has lists of whole numbers, or of choices of a "
                                                    "parameter: {0}"),
                                            R"(vary = { stride = [2, 4], word = ["float2", "float4"] })"));
        else
            step.varied.push_back(std::move(varied));
    }
}

std::vector<Option> readOptions(TomlReader& reader, std::string_view key) {
    std::vector<Option> options;
    if (const toml::table* table = reader.optionalTable(key))
        for (const auto& [name, node] : *table) {
            if (const auto* text = node.as_string())
                options.push_back({std::string(name.str()), text->get()});
            else
                reader.complain(
                    key, Message(english("'{0}' must be an expression in quotes"), std::string(name.str())));
        }
    return options;
}

void readWrong(Question& question, TomlReader& reader, Complaints& complaints) {
    for (const toml::table* table : reader.optionalTables("wrong")) {
        TomlReader inner(*table, complaints);
        WrongAnswer wrong{.is = inner.optionalString("is", {}),
                          .condition = inner.optionalString("if", {}),
                          .says = inner.optionalString("says", {}),
                          .belief = countOf(inner, "belief", 0, 1, kBeliefs),
                          .fileLine = lineOf(*table)};
        if (wrong.is.empty() == wrong.condition.empty())
            inner.complain("is", english("a wrong answer has either 'is' or 'if'"));
        inner.finish();
        question.wrong.push_back(std::move(wrong));
    }
}

void readQuestion(Question& question, TomlReader& reader, Complaints& complaints) {
    question.kind = reader.optionalString("ask", {});
    std::vector<std::string> kinds;
    for (const QuestionKind& kind : questionKinds())
        kinds.emplace_back(kind.name);
    if (!question.kind.empty() && std::ranges::find(kinds, question.kind) == kinds.end())
        reader.complain("ask", Message(english("there is no kind of question '{0}'{1}"), question.kind,
                                       didYouMean(question.kind, kinds)));
    question.answer = reader.optionalString("answer", {});
    question.options = readOptions(reader, "choices");
    if (const std::vector<Option> order = readOptions(reader, "order"); !order.empty())
        question.options = order;
    question.changes = reader.optionalStrings("change");
    question.to = reader.optionalString("to", {});
    question.then = reader.optionalString("then", question.to);
    question.round = countOf(reader, "round", question.round, 1);
    for (const s64 belief : reader.optionalIntegers("beliefs"))
        if (belief >= 1 && belief <= kBeliefs)
            question.beliefs.push_back(u32(belief));
        else
            reader.complain("beliefs", Message(english("'{0}' is from {1} to {2}"), "beliefs", 1, kBeliefs));
    readWrong(question, reader, complaints);
}

// Of a header that is no TOML, so that the step has its name in lists.
std::string idIn(std::string_view header) {
    static const std::regex id("(?:^|\\n)[ \t]*id[ \t]*=[ \t]*[\"']([a-z0-9-]+)[\"']");
    std::match_results<std::string_view::const_iterator> found;
    return std::regex_search(header.begin(), header.end(), found, id) ? found[1].str() : std::string();
}

}  // namespace

StepHeader readHeader(std::string_view text, const std::string& file, u32 fileLine, bool idAlone,
                      const StepKeys& keys) {
    StepHeader header;
    const toml::parse_result parsed = toml::parse(text, file);
    if (!parsed) {
        header.mistakes.push_back(catalog::faultOf(parsed.error(), file));
        header.mistakes.back().place.column = 0;
        header.step.hasMistake = true;
        header.step.id = idIn(text);
        return header;
    }
    Complaints complaints(file);
    TomlReader reader(parsed.table(), complaints);
    header.step.id = reader.string("id");
    if (!header.step.id.empty() && !isId(header.step.id))
        reader.complain("id", Message(english("an 'id' is small letters, digits and hyphens, not '{0}'"),
                                      header.step.id));
    if (!idAlone) {
        header.step.question.fileLine = fileLine;
        if (keys.read) keys.read(header.step, reader);
        header.step.place.fileLine = fileLine;
        header.step.place.keyLines = {};
        keepLines(header.step.place.keyLines, parsed.table());
        header.step.question.keyLines = header.step.place.keyLines;
        const PlaceSource from{file, keys.takesAnyFile};
        readPlace(header.step.place, reader, complaints, from);
        if (header.step.place.kernel.empty()) reader.complain("kernel", english("the step has no 'kernel'"));
        readOthers(header.step, reader, complaints, from);
        if (keys.asks) {
            readVaried(header.step, reader);
            readQuestion(header.step.question, reader, complaints);
        }
    }
    reader.finish();
    if (complaints.first()) {
        Fault fault = *complaints.first();
        fault.place.line = std::max(fault.place.line, fileLine);
        header.mistakes.push_back(std::move(fault));
        header.step.hasMistake = true;
    }
    return header;
}

}  // namespace lockstep::lessons
