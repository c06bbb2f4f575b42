#include "playlists/entry_on_show.h"

#include "explain/cursor/navigation.h"
#include "lessons/answer_step.h"
#include "lessons/kinds.h"
#include "lessons/run_before.h"

#include <algorithm>

namespace lockstep::playlists {
namespace {

using lessons::LessonRuns, lessons::StepOnShow;

Expected<Picture> pictureOf(const lessons::Place& place, const lessons::PlaceOnShow& on, LessonRuns& runs) {
    Expected<catalog::Values> values = runs.valuesOf(place);
    if (!values) return Unexpected{values.error()};
    Picture picture{.run = on.run,
                    .cursor = on.cursor,
                    .family = {},
                    .variant = {},
                    .view = place.view,
                    .profile = place.profile,
                    .values = std::move(*values)};
    if (place.own) {
        Expected<lessons::OwnExperiment> own = runs.ownOf(place);
        if (!own) return Unexpected{own.error()};
        picture.own = std::move(*own);
        return picture;
    }
    const auto found = runs.catalog().lookUp(place.kernel);
    if (!found) return Unexpected{found.error()};
    picture.family = found->first->name;
    picture.variant = found->second->name;
    return picture;
}

// The kernel that an entry compares with, at the sizes of its place where it has them.
Expected<std::optional<Beside>> besideOf(const lessons::Place& place, const Entry& entry, LessonRuns& runs) {
    if (entry.with.empty()) return std::optional<Beside>();
    if (place.own)
        return fail(FaultKind::Usage,
                    english("a playlist compares kernels of the catalog; the one of this entry is a file"),
                    {.file = {}, .line = place.lineOf("with"), .column = 0});
    const auto found = runs.catalog().lookUp(entry.with);
    if (!found) return Unexpected{found.error()};
    lessons::Place other{.kernel = entry.with,
                         .settings = place.settings,
                         .profile = place.profile,
                         .view = place.view,
                         .block = place.block,
                         .step = 1,
                         .fileLine = place.fileLine};
    for (const auto& [name, value] : place.settings)
        other.inherited.push_back(name);
    const Expected<lessons::PlaceOnShow> on = runs.find(other);
    if (!on) return Unexpected{on.error()};
    Expected<catalog::Values> values = runs.valuesOf(other);
    if (!values) return Unexpected{values.error()};
    return std::optional(Beside{on->run, found->first->name, found->second->name, std::move(*values)});
}

// A file by its path from the playlist's folder.
std::string nameFrom(const std::filesystem::path& folder, const std::filesystem::path& file) {
    const std::filesystem::path from = file.lexically_relative(folder);
    return (from.empty() ? file : from).generic_string();
}

// What the lesson says to a mistake that it knows, without the counts that a student sees on the screen.
std::map<Language, std::string> remarkOn(const StepOnShow& question, const lessons::WrongAnswer& mistake) {
    std::map<Language, std::string> remarks;
    for (const Language language : lessons::kLessonLanguages)
        if (const std::string* remark = question.step().text(language).findWrong(mistake.says))
            if (Expected<std::string> filled = question.asked.filled(*remark, language))
                remarks[language] = std::move(*filled);
    return remarks;
}

// Those that students give: the mistakes that the lesson knows, and what can be chosen wrongly. A lecturer
// wants a few.
std::vector<UsualAnswer> usualAnswers(const StepOnShow& question) {
    constexpr std::size_t kMost = 3, kCandidates = 8;
    std::vector<UsualAnswer> usual;
    const Expected<std::vector<std::string>> wrong = lessons::wrongAnswers(question.asked, kCandidates);
    for (const std::string& answer : wrong.value_or(std::vector<std::string>())) {
        if (usual.size() == kMost) break;
        const Expected<lessons::Answered> answered = lessons::answerStep(question.asked, answer);
        if (!answered || answered->judged.verdict != lessons::Verdict::Wrong) continue;
        std::map<Language, std::string> why;
        if (answered->mistake) why = remarkOn(question, *answered->mistake);
        if (why.empty() && !question.step().question.options.empty())
            if (Expected<lessons::Reply> reply = lessons::reply(question, answer))
                why = std::move(reply->words);
        if (!why.empty()) usual.push_back({answer, std::move(why)});
    }
    return usual;
}

Expected<void> addEvents(std::vector<Picture>& pictures, u32 events) {
    for (u32 event = 0; event < events; ++event) {
        Picture picture = pictures.back();
        const std::optional<Cursor> next =
            explain::forward(*picture.run, picture.run->profile, picture.cursor, explain::Stride::Event);
        if (!next)
            return fail(FaultKind::Usage,
                        Message(english("the warp has {0} {0:event|events} from this place on, not {1}"),
                                event, events));
        picture.cursor = *next;
        picture.isEvent = true;
        pictures.push_back(std::move(picture));
    }
    return {};
}

// What a place has other than another one, in all languages.
std::map<Language, std::string> namesOf(const lessons::AskedStep& asked, const std::string& place,
                                        const std::string& other) {
    const Message name = lessons::placeName(asked, place, other);
    std::map<Language, std::string> names;
    for (const Language language : lessons::kLessonLanguages)
        names[language] = name.in(language);
    return names;
}

// The entry's place, its events, its other places.
Expected<std::vector<Picture>> picturesOf(const lessons::AskedStep& asked, const Entry& entry,
                                          LessonRuns& runs) {
    std::vector<Picture> pictures;
    Expected<Picture> own = pictureOf(asked.place(), asked.on(), runs);
    if (!own) return Unexpected{own.error()};
    Expected<std::optional<Beside>> beside = besideOf(asked.place(), entry, runs);
    if (!beside) return Unexpected{beside.error()};
    own->beside = std::move(*beside);
    pictures.push_back(std::move(*own));
    if (Expected<void> added = addEvents(pictures, entry.events); !added) return Unexpected{added.error()};
    std::vector<std::pair<std::string, lessons::Place>> others(asked.step().others.begin(),
                                                               asked.step().others.end());
    std::ranges::stable_sort(others, {}, [](const auto& other) { return other.second.fileLine; });
    if (!others.empty()) pictures.front().names = namesOf(asked, {}, others.front().first);
    for (const auto& [name, place] : others) {
        Expected<Picture> other = pictureOf(place, *asked.other(name), runs);
        if (!other) return Unexpected{other.error()};
        other->names = namesOf(asked, name, {});
        pictures.push_back(std::move(*other));
    }
    return pictures;
}

// The picture of the question's other place, where there is one, which is added if the entry has it not; else
// the first.
Expected<std::size_t> answerPictureIn(std::vector<Picture>& pictures, const StepOnShow& question,
                                      LessonRuns& runs) {
    const lessons::Question& asked = question.step().question;
    const std::string& name = asked.to.empty() ? asked.then : asked.to;
    const lessons::PlaceOnShow* place = question.asked.other(name);
    if (!place) return 0;
    const auto found = std::ranges::find_if(pictures, [&](const Picture& picture) {
        return picture.run == place->run && picture.cursor == place->cursor;
    });
    if (found != pictures.end()) return std::size_t(found - pictures.begin());
    Expected<Picture> changed = pictureOf(question.step().others.at(name), *place, runs);
    if (!changed) return Unexpected{changed.error()};
    changed->isOfAnswer = true;
    changed->view = pictures.front().view;
    changed->names = namesOf(question.asked, name, {});
    if (pictures.front().names.empty()) pictures.front().names = namesOf(question.asked, {}, name);
    pictures.push_back(std::move(*changed));
    return pictures.size() - 1;
}

}  // namespace

bool EntryOnShow::hides() const {
    return !entry().hides.empty() || question ||
           std::ranges::any_of(step->words, [](const auto& words) { return !words.second.reveal.empty(); });
}

Cursor EntryOnShow::cursorBefore() const {
    Cursor cursor = pictures.front().cursor;
    cursor.step = hidden.step;
    if (cursor.step > 0) --cursor.step;
    return cursor;
}

Expected<std::shared_ptr<const EntryOnShow>> showEntry(std::shared_ptr<const Playlist> playlist,
                                                       std::size_t number, LessonRuns& runs,
                                                       Questions& questions) {
    if (number >= playlist->entries.size())
        return fail(FaultKind::NotFound, english("the playlist has no such entry"));
    const Entry& entry = playlist->entries[number];
    // What is wrong in a kernel's file stands there.
    const auto isOfKernel = [&](const std::string& file) {
        const lessons::LessonStep& step = playlist->text.steps[number];
        const auto is = [&](const lessons::Place& place) {
            return place.own && place.own->file.string() == file;
        };
        return is(step.place) ||
               std::ranges::any_of(step.others, [&](const auto& other) { return is(other.second); });
    };
    const auto inFile = [&](Fault fault) {
        const std::string file = playlist->text.mainFile();
        const bool isOfFile = isOfKernel(fault.place.file);
        if (isOfFile && fault.place.line > 0) return Unexpected{std::move(fault)};
        if (isOfFile) fault.place = {{}, playlist->text.steps[number].place.lineOf("launch"), 0};
        const bool hasLine = fault.place.file.empty() && fault.place.line > 0;  // of the header
        if (fault.place.file != file) fault.place = {file, hasLine ? fault.place.line : entry.fileLine, 0};
        return Unexpected{std::move(fault)};
    };
    if (playlist->text.steps[number].place.kernel.empty())
        return inFile(Fault{.kind = FaultKind::Syntax,
                            .message = english("the header of this entry could not be read"),
                            .place = {},
                            .pc = {},
                            .block = {},
                            .thread = {}});
    const auto out = std::make_shared<EntryOnShow>();
    auto step =
        lessons::showStep(std::shared_ptr<const lessons::Lesson>(playlist, &playlist->text), number, runs, 0);
    if (!step) return inFile(step.error());
    out->step = std::move(*step);
    if (!entry.question.empty()) {
        const Expected<Questions::Found> found =
            questions.find(entry.question, std::filesystem::path(playlist->text.mainFile()).parent_path());
        if (!found) return inFile(found.error());
        auto question = lessons::showStep(found->lesson, found->number, runs, 0);
        if (!question) return inFile(question.error());
        out->question = std::move(*question);
        out->usual = usualAnswers(*out->question);
    }
    Expected<std::vector<Picture>> pictures = picturesOf(out->step->asked, entry, runs);
    if (!pictures) return inFile(pictures.error());
    out->pictures = std::move(*pictures);
    const lessons::StepOnShow* question = out->question.get();
    if (question) {
        const Expected<std::size_t> answer = answerPictureIn(out->pictures, *question, runs);
        if (!answer) return inFile(answer.error());
        out->answerPicture = *answer;
    }
    const Picture& first = out->pictures.front();
    const std::filesystem::path folder = std::filesystem::path(playlist->text.mainFile()).parent_path();
    for (Picture& picture : out->pictures)
        if (picture.own) picture.kernel = nameFrom(folder, picture.own->file);
    const bool isPlaceOfQuestion =
        question && question->asksAbout.run == first.run && question->asksAbout.cursor == first.cursor;
    out->hidden = isPlaceOfQuestion ? question->hidden : first.cursor;
    if (entry.isHidden(Part::View)) out->before = lessons::runBefore(*first.run, out->hidden);
    out->playlist = std::move(playlist);
    out->number = number;
    return std::shared_ptr<const EntryOnShow>(out);
}

std::string Picture::named(const std::string& text, Language language) const {
    const auto name = names.find(language);
    return name == names.end() || name->second.empty() ? text : text + " · " + name->second;
}

}  // namespace lockstep::playlists
