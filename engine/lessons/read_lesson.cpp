#include "lessons/read_lesson.h"

#include "base/files/text_file.h"
#include "base/text/trimmed.h"
#include "base/text/utf8.h"
#include "catalog/toml_reader.h"
#include "lessons/step_header.h"

#include <algorithm>
#include <set>

namespace lockstep::lessons {
namespace {

constexpr std::string_view kFence = "+++", kSection = ":::";

// A header and what follows it, up to the next one.
struct Part {
    std::string header;  // padded with lines, so that its own have the numbers of the file
    u32 headerLine = 0, bodyLine = 0;
    std::string body;
};

struct Cut {
    std::string before;  // the first header
    std::vector<Part> parts;
    std::vector<u32> openFences;   // of headers that do not end
    std::vector<u32> strayFences;  // that end no header
};

Cut cutAtHeaders(std::string_view text) {
    Cut cut;
    bool inHeader = false, isAfterBlank = false;
    u32 number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        at = end + 1;
        ++number;
        if (trimmed(line) == kFence) {
            if (!inHeader)
                cut.parts.push_back({std::string(number, '\n'), number, number, {}});
            else
                cut.parts.back().bodyLine = number + 1;
            inHeader = !inHeader;
            continue;
        }
        // Text stands in no header: the line that ends it is missing.
        if (inHeader && ((isAfterBlank && line.starts_with("## ")) || line.starts_with(kSection))) {
            inHeader = false;
            if (trimmed(cut.parts.back().header).empty()) {
                cut.strayFences.push_back(cut.parts.back().headerLine);
                cut.parts.pop_back();
            } else {
                cut.openFences.push_back(cut.parts.back().headerLine);
                cut.parts.back().bodyLine = number;
            }
        }
        isAfterBlank = trimmed(line).empty();
        std::string& to = inHeader            ? cut.parts.back().header
                          : cut.parts.empty() ? cut.before
                                              : cut.parts.back().body;
        to.append(line).append("\n");
    }
    if (inHeader) cut.openFences.push_back(cut.parts.back().headerLine);
    return cut;
}

Fault mistake(const std::string& file, u32 line, Message message) {
    return Fault{.kind = FaultKind::Syntax,
                 .message = std::move(message),
                 .place = {file, line, 0},
                 .pc = {},
                 .block = {},
                 .thread = {}};
}

// A line "::: wrong NAME" of the body: where what follows it goes.
std::string* sectionNamed(StepText& text, std::string_view line, const ListRules& rules) {
    const std::string_view words = trimmed(line.substr(kSection.size()));
    const std::size_t blank = words.find(' ');
    const std::string_view kind = words.substr(0, blank);
    const std::string name(blank == std::string_view::npos ? "" : trimmed(words.substr(blank)));
    if (std::ranges::find(rules.sections, kind) == rules.sections.end()) return nullptr;
    if (kind == "hint" && name.empty()) return &text.hint;
    if (kind == "reveal" && name.empty()) return &text.reveal;
    if (kind == "notes" && name.empty()) return &text.notes;
    if (name.empty() || (kind != "wrong" && kind != "choice")) return nullptr;
    auto& sections = kind == "wrong" ? text.wrong : text.choices;
    return &sections.emplace_back(name, std::string{}).second;
}

void trim(std::string& text) { text = std::string(trimmed(text)); }

StepText textOf(const Part& part, const std::string& file, std::vector<Fault>& mistakes,
                const ListRules& rules) {
    StepText text{.title = {}, .body = {}, .hint = {}, .reveal = {}, .fileLine = part.bodyLine};
    std::string* section = &text.body;
    std::string key = "body";  // of sectionLines: where the section's text begins
    u32 number = part.bodyLine;
    for (std::size_t at = 0; at < part.body.size(); ++number) {
        const std::size_t end = std::min(part.body.find('\n', at), part.body.size());
        const std::string_view line = std::string_view(part.body).substr(at, end - at);
        at = end + 1;
        if (line.starts_with(kSection)) {
            key = trimmed(line.substr(kSection.size()));
            section = sectionNamed(text, line, rules);
            if (!section) {
                mistakes.push_back(mistake(file, number, rules.badSection));
                section = &text.body;
            }
        } else if (text.title.empty() && section == &text.body && line.starts_with("## ")) {
            text.title = trimmed(line.substr(3));
            text.sectionLines.emplace("title", number);
        } else {
            if (!trimmed(line).empty()) text.sectionLines.emplace(key, number);
            section->append(line).append("\n");
        }
    }
    for (std::string* said : {&text.body, &text.hint, &text.reveal, &text.notes})
        trim(*said);
    for (auto& [name, said] : text.wrong)
        trim(said);
    for (auto& [name, said] : text.choices)
        trim(said);
    if (text.title.empty()) mistakes.push_back(mistake(file, part.bodyLine, rules.noStepTitle));
    return text;
}

// What stands before the first header: "# Title", then an introduction.
void readBeginning(Lesson& lesson, const LessonFile& file, const std::string& before,
                   std::vector<Fault>& mistakes, const ListRules& rules) {
    const std::string_view text = trimmed(before);
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!text.starts_with("# ")) mistakes.push_back(mistake(file.name, 1, rules.noTitle));
    lesson.titles[file.language] = text.starts_with("# ") ? trimmed(text.substr(2, end - 2)) : lesson.name;
    lesson.introductions[file.language] = trimmed(text.substr(end));
}

// furthest: of the steps that were translated in this file; one behind it that is missing moves no other.
void addTranslation(Lesson& lesson, const LessonFile& file, const Part& part, std::size_t& furthest,
                    std::vector<Fault>& mistakes, const ListRules& rules) {
    StepHeader header = readHeader(part.header, file.name, part.headerLine, true);
    std::ranges::move(header.mistakes, std::back_inserter(mistakes));
    const auto step = std::ranges::find(lesson.steps, header.step.id, &LessonStep::id);
    if (header.step.id.empty()) return;
    if (step == lesson.steps.end()) {
        // One of those without an id may be meant.
        if (std::ranges::any_of(lesson.steps, [](const LessonStep& s) { return s.id.empty(); })) return;
        mistakes.push_back(
            mistake(file.name, part.headerLine, Message(rules.unknown, header.step.id, lesson.mainFile())));
        return;
    }
    const auto index = std::size_t(step - lesson.steps.begin());
    furthest = std::max(furthest, index);
    if (index < furthest)
        mistakes.push_back(
            mistake(file.name, part.headerLine, Message(rules.elsewhere, step->id, lesson.mainFile())));
    step->texts[file.language] = textOf(part, file.name, mistakes, rules);
}

void addStep(Lesson& lesson, const LessonFile& file, const Part& part, std::vector<Fault>& mistakes,
             const ListRules& rules) {
    StepHeader header = readHeader(part.header, file.name, part.headerLine, false, rules.step);
    std::ranges::move(header.mistakes, std::back_inserter(mistakes));
    header.step.texts[file.language] = textOf(part, file.name, mistakes, rules);
    if (lesson.find(header.step.id))
        mistakes.push_back(mistake(file.name, part.headerLine, Message(rules.twice, header.step.id)));
    lesson.steps.push_back(std::move(header.step));
}

// A file may begin with a header of the lesson itself: order = 5, its place among lessons.
void readLessonHeader(Lesson& lesson, Cut& cut, const LessonFile& file, bool isFirst,
                      std::vector<Fault>& mistakes, const ListRules& rules) {
    if (!trimmed(cut.before).empty() || cut.parts.empty()) return;
    const toml::parse_result parsed = toml::parse(cut.parts[0].header, file.name);
    if (!parsed) {
        mistakes.push_back(catalog::faultOf(parsed.error(), file.name));
        mistakes.back().place.column = 0;
    } else {
        catalog::Complaints complaints(file.name);
        catalog::TomlReader reader(parsed.table(), complaints);
        if (const std::optional<s64> order = reader.optionalInteger("order"); order && isFirst)
            lesson.order = *order;
        if (rules.readList && isFirst) rules.readList(reader);
        reader.finish();
        if (complaints.first()) mistakes.push_back(*complaints.first());
    }
    cut.before = std::move(cut.parts[0].body);
    cut.parts.erase(cut.parts.begin());
}

}  // namespace

const ListRules& rulesOfLessons() {
    static constexpr std::array<std::string_view, 4> kSections{"hint", "reveal", "wrong", "choice"};
    static const ListRules rules{
        .sections = kSections,
        .badSection = english("a section is ::: hint, ::: reveal, ::: wrong NAME or ::: choice NAME"),
        .noTitle = english("a lesson begins with its title: a line \"# ...\""),
        .noStep = english("the lesson has no step"),
        .noStepTitle = english("the step has no title: a line \"## ...\""),
        .twice = english("there are two steps '{0}'"),
        .unknown = english("there is no step '{0}' in {1}"),
        .missing = english("step '{0}' is missing here"),
        .elsewhere = english("step '{0}' stands at another place than in {1}")};
    return rules;
}

ReadLesson parseLesson(std::string name, std::span<const LessonFile> files) {
    return parseSteps(std::move(name), files, rulesOfLessons());
}

ReadLesson parseSteps(std::string name, std::span<const LessonFile> files, const ListRules& rules) {
    ReadLesson read;
    read.lesson.name = std::move(name);
    if (!files.empty()) read.lesson.folder = std::filesystem::path(files[0].name).parent_path();
    for (const LessonFile& file : files)
        read.lesson.files[file.language] = file.name;
    for (const LessonFile& file : files) {
        const bool isFirst = &file == &files[0];
        const std::optional<std::size_t> bad = firstNotUtf8(file.text);
        if (bad)
            read.mistakes.push_back(mistake(
                file.name,
                u32(std::count(file.text.begin(), file.text.begin() + std::ptrdiff_t(*bad), '\n')) + 1,
                english("this line is not UTF-8: save the file as UTF-8")));
        Cut cut = cutAtHeaders(bad ? asUtf8(file.text) : file.text);
        for (const u32 line : cut.openFences)
            read.mistakes.push_back(mistake(file.name, line, english("this header has no end: a line +++")));
        for (const u32 line : cut.strayFences)
            read.mistakes.push_back(mistake(
                file.name, line, english("this line +++ ends no header: the one that begins it is missing")));
        readLessonHeader(read.lesson, cut, file, isFirst, read.mistakes, rules);
        readBeginning(read.lesson, file, cut.before, read.mistakes, rules);
        std::size_t furthest = 0;
        for (const Part& part : cut.parts)
            if (isFirst)
                addStep(read.lesson, file, part, read.mistakes, rules);
            else
                addTranslation(read.lesson, file, part, furthest, read.mistakes, rules);
        if (cut.parts.empty()) read.mistakes.push_back(mistake(file.name, 1, rules.noStep));
        if (isFirst) continue;
        for (const LessonStep& step : read.lesson.steps)
            if (!step.texts.contains(file.language) && !step.id.empty())
                read.mistakes.push_back(mistake(file.name, 1, Message(rules.missing, step.id)));
    }
    return read;
}

Expected<ReadLesson> readLesson(const std::filesystem::path& folder) {
    std::vector<LessonFile> files;
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
        return fail(FaultKind::NotFound, Message(english("there is no folder {0}"), folder.string()));
    for (const Language language : kLessonLanguages) {
        const std::filesystem::path file = folder / (std::string(rowOf(language).code) + ".md");
        if (!std::filesystem::exists(file, error)) continue;
        Expected<std::string> text =
            readTextFile(file, english("a lesson is a folder with en.md or zh-CN.md"));
        if (!text) return Unexpected{text.error()};
        files.push_back({language, file.string(), std::move(*text)});
    }
    if (files.empty())
        return fail(FaultKind::NotFound,
                    Message(english("{0} is no lesson: it has neither en.md nor zh-CN.md"), folder.string()));
    const std::filesystem::path named = folder.has_filename() ? folder : folder.parent_path();
    ReadLesson read = parseLesson(named.filename().string(), files);
    read.lesson.folder = folder;
    return read;
}

std::filesystem::path folderOfLesson(const std::filesystem::path& folder, std::string_view name) {
    std::error_code error;
    const std::filesystem::path own = folder / name;
    const bool isName = !name.empty() && name != "." && name != ".." && name.find('/') == name.npos;
    return isName && std::filesystem::is_directory(own, error) ? own : std::filesystem::path();
}

std::vector<Lesson> lessonsIn(const std::filesystem::path& folder) {
    std::vector<Lesson> lessons;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.is_directory(error))
            if (Expected<ReadLesson> read = readLesson(entry.path()))
                lessons.push_back(std::move(read->lesson));
    std::ranges::sort(lessons, {}, [](const Lesson& l) { return std::pair(l.order, l.name); });
    return lessons;
}

}  // namespace lockstep::lessons
