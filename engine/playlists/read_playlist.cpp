#include "playlists/read_playlist.h"

#include "base/files/text_file.h"
#include "base/nearest.h"
#include "catalog/toml_reader.h"
#include "lessons/asked_step.h"

#include <algorithm>
#include <set>

namespace lockstep::playlists {
namespace {

using catalog::TomlReader, lessons::LessonFile, lessons::LessonStep;

constexpr std::array<std::string_view, 2> kSections{"reveal", "notes"};

u32 numberOf(TomlReader& reader, std::string_view key, u32 most) {
    const std::optional<s64> given = reader.optionalInteger(key);
    if (!given) return 0;
    if (*given >= 0 && *given <= most) return u32(*given);
    reader.complain(key, Message(english("'{0}' is from {1} to {2}"), key, 0, most));
    return 0;
}

void readHidden(Entry& entry, TomlReader& reader) {
    std::vector<std::string> names;
    for (const PartRow& row : kParts)
        names.emplace_back(row.name);
    for (const std::string& name : reader.optionalStrings("hides")) {
        const auto row = std::ranges::find(kParts, name, &PartRow::name);
        if (row != kParts.end())
            entry.hides.push_back(row->part);
        else
            reader.complain("hides", Message(english("'hides' has view, sentence and source, not '{0}'{1}"),
                                             name, didYouMean(name, names)));
    }
}

Entry readEntry(LessonStep& step, TomlReader& reader, Questions& questions,
                const std::filesystem::path& folder) {
    Entry entry;
    entry.minutes = numberOf(reader, "minutes", kMostMinutes);
    entry.events = numberOf(reader, "events", kMostEvents);
    readHidden(entry, reader);
    entry.with = reader.optionalString("with", {});
    entry.question = reader.optionalString("question", {});
    if (entry.question.empty()) return entry;
    const bool saysWhatItHides = !reader.at("hides").is_table();
    if (!saysWhatItHides) entry.hides = {Part::View, Part::Sentence};
    // An entry that asks begins at the question's place, unless it says another.
    if (const Expected<Questions::Found> found = questions.find(entry.question, folder))
        step.place = lessons::drawnPlace(found->step(), 0);
    else
        reader.complain("question", found.error().message), entry.question.clear();
    return entry;
}

lessons::ListRules rules() {
    return {.step = {.asks = false, .takesAnyFile = true},
            .sections = kSections,
            .badSection = english("a section of a playlist is ::: reveal or ::: notes"),
            .noTitle = english("a playlist begins with its title: a line \"# ...\""),
            .noStep = english("the playlist has no entry"),
            .noStepTitle = english("the entry has no title: a line \"## ...\""),
            .twice = english("there are two entries '{0}'"),
            .unknown = english("there is no entry '{0}' in {1}"),
            .missing = english("entry '{0}' is missing here"),
            .elsewhere = english("entry '{0}' stands at another place than in {1}")};
}

// ".zh-CN" at the end of a name; English: there is none.
Language languageIn(std::string_view name) {
    for (const LanguageRow& row : languages())
        if (row.id != Language::English && name.ends_with("." + std::string(row.code))) return row.id;
    return Language::English;
}

}  // namespace

// What has a path, or lies beside the playlist, is a folder of the lecturer's; it may be edited meanwhile, so
// it is read each time.
Expected<std::shared_ptr<const lessons::Lesson>> Questions::lessonNamed(const std::string& name,
                                                                        const std::filesystem::path& beside) {
    if (const auto known = lessons_.find(name); known != lessons_.end()) return known->second;
    const std::filesystem::path ours = lessons::folderOfLesson(folder_, name);
    const std::filesystem::path own = (beside / name).lexically_normal();
    std::error_code ignored;
    const bool isOwn = ours.empty() && !name.empty() && std::filesystem::is_directory(own, ignored);
    if (ours.empty() && !isOwn) {
        if (name.find('/') != std::string::npos)
            return fail(FaultKind::NotFound, Message(english("there is no folder {0}"), own.string()));
        std::vector<std::string> names;
        for (const lessons::Lesson& lesson : lessons::lessonsIn(folder_))
            names.push_back(lesson.name);
        return fail(FaultKind::NotFound,
                    Message(english("there is no lesson '{0}'{1}"), name, didYouMean(name, names)));
    }
    Expected<lessons::ReadLesson> read = lessons::readLesson(isOwn ? own : ours);
    if (!read) return Unexpected{read.error()};
    auto lesson = std::make_shared<const lessons::Lesson>(std::move(read->lesson));
    if (!isOwn) lessons_[name] = lesson;
    return lesson;
}

Expected<Questions::Found> Questions::find(std::string_view question, const std::filesystem::path& beside) {
    const std::size_t mark = question.find('#');
    if (mark == std::string_view::npos)
        return fail(FaultKind::Usage,
                    Message(english("a question is LESSON#STEP, such as banks#stride, not '{0}'"), question));
    const std::string name(question.substr(0, mark)), id(question.substr(mark + 1));
    Expected<std::shared_ptr<const lessons::Lesson>> lesson = lessonNamed(name, beside);
    if (!lesson) return Unexpected{lesson.error()};
    Found found{std::move(*lesson)};
    const LessonStep* step = found.lesson->find(id);
    if (!step) {
        std::vector<std::string> ids;
        for (const LessonStep& other : found.lesson->steps)
            ids.push_back(other.id);
        return fail(FaultKind::NotFound,
                    Message(english("the lesson '{0}' has no step '{1}'{2}"), name, id, didYouMean(id, ids)));
    }
    if (step->question.kind.empty())
        return fail(FaultKind::Usage,
                    Message(english("step '{0}' of the lesson '{1}' asks nothing"), id, name));
    found.number = found.lesson->indexOf(*step);
    return found;
}

ReadPlaylist parsePlaylist(std::string name, std::span<const LessonFile> files, Questions& questions) {
    ReadPlaylist read;
    std::map<u32, Entry> byLine;  // of their headers
    const std::filesystem::path folder =
        files.empty() ? std::filesystem::path() : std::filesystem::path(files.front().name).parent_path();
    lessons::ListRules with = rules();
    with.readList = [&](TomlReader& reader) {
        read.playlist.plannedMinutes = numberOf(reader, "minutes", kMostMinutes);
    };
    with.step.read = [&](LessonStep& step, TomlReader& reader) {
        const u32 line = step.question.fileLine;
        byLine[line] = readEntry(step, reader, questions, folder);
    };
    lessons::ReadLesson parsed = lessons::parseSteps(std::move(name), files, with);
    read.playlist.text = std::move(parsed.lesson);
    read.mistakes = std::move(parsed.mistakes);
    for (const LessonStep& step : read.playlist.text.steps) {
        Entry entry = byLine[step.question.fileLine];
        entry.fileLine = step.question.fileLine;
        read.playlist.entries.push_back(std::move(entry));
    }
    return read;
}

std::string nameOfPlaylist(const std::filesystem::path& file) {
    std::string name = file.filename().string();
    if (!name.ends_with(kExtension)) return {};
    name.resize(name.size() - kExtension.size());
    if (const Language language = languageIn(name); language != Language::English)
        name.resize(name.size() - rowOf(language).code.size() - 1);
    return name;
}

std::filesystem::path fileOfPlaylist(const std::filesystem::path& folder, std::string_view name,
                                     Language language) {
    std::string file(name);
    if (language != Language::English) file += "." + std::string(rowOf(language).code);
    return folder / (file + std::string(kExtension));
}

Expected<ReadPlaylist> readPlaylist(const std::filesystem::path& file, Questions& questions) {
    const std::string name = nameOfPlaylist(file);
    if (name.empty())
        return fail(FaultKind::NotFound,
                    Message(english("a playlist is a file NAME{0}, not {1}"), kExtension, file.string()));
    std::vector<LessonFile> files;
    for (const Language language : lessons::kLessonLanguages) {
        const std::filesystem::path one = fileOfPlaylist(file.parent_path(), name, language);
        std::error_code error;
        if (!std::filesystem::exists(one, error)) continue;
        Expected<std::string> text = readTextFile(one.string(), english("give a playlist"));
        if (!text) return Unexpected{text.error()};
        files.push_back({language, one.string(), std::move(*text)});
    }
    if (files.empty())
        return fail(FaultKind::NotFound, Message(english("there is no file {0}"), file.string()));
    return parsePlaylist(name, files, questions);
}

std::vector<std::string> playlistsIn(const std::filesystem::path& folder) {
    std::set<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (std::string name = nameOfPlaylist(entry.path()); !name.empty()) names.insert(std::move(name));
    return {names.begin(), names.end()};
}

}  // namespace lockstep::playlists
