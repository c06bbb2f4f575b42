#include "app/panels/palette_entries.h"

#include "app/panels/commands.h"
#include "app/panels/editor/editor_words.h"
#include "app/panels/glossary_words.h"
#include "app/panels/lesson/lesson_words.h"
#include "app/panels/playlist/playlist_words.h"
#include "app/panels/words.h"
#include "app/state/choice_text.h"
#include "app/state/fuzzy.h"
#include "app/state/update.h"
#include "base/text/typed_number.h"
#include "explain/glossary/glossary.h"
#include "explain/glossary/term_finder.h"
#include "model/profiles/card_names.h"
#include "run/sample/sample_choice.h"
#include "viz/scene/theme.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>

namespace lockstep::app {
namespace {

// "width 6", "set width = 6": the number behind the parameter's name, if it may have that value.
std::optional<s64> typedValue(std::string_view query, const catalog::Parameter& parameter) {
    constexpr std::string_view kBetween = " =";
    const std::size_t at = query.find(parameter.name);
    if (parameter.isChoice() || at == std::string_view::npos || (at > 0 && query[at - 1] != ' '))
        return std::nullopt;
    const std::string_view rest = query.substr(at + parameter.name.size());
    const std::size_t digit = rest.find_first_not_of(kBetween);
    if (digit == 0 || digit == std::string_view::npos) return std::nullopt;
    const std::string_view written = rest.substr(digit);
    const std::optional<s64> whole = typedNumber(written),
                             value = whole ? whole : typedNumber(written.substr(0, written.find(' ')));
    const bool isKnown = value && (parameter.values.empty() ||
                                   std::ranges::find(parameter.values, *value) != parameter.values.end());
    return isKnown && *value >= parameter.min && *value <= parameter.max ? value : std::nullopt;
}

class Entries {
public:
    Entries(const State& state, std::string_view query) : state_(state), query_(query) {}

    std::vector<PaletteEntry> all() && {
        addCommands();
        addSample();
        if (!state_.hasCompiler && state_.canFetchCompiler && !state_.fetching)
            add("fetch compiler", words::kFetchCompiler, "NVRTC", "", FetchCompiler{});
        addRecent();
        addTexts();
        addViews();
        addKernels();
        addLessons();
        addPlaylists();
        addParameters();
        addLook();
        addTerms();
        return std::move(entries_);
    }

private:
    template <class... Values>
    void add(std::string id, const Words& words, std::string note, std::string keys, Action action,
             const Values&... values) {
        entries_.push_back({std::move(id), say(state_.language, words, values...),
                            say(Language::English, words, values...), std::move(note), std::move(keys),
                            std::move(action)});
    }

    void addCommands() {
        for (const Command& command : commands())
            if (isOffered(command, state_) && command.id != "palette")
                add(std::string(command.id), *command.name, "", std::string(command.keys),
                    command.action(state_));
    }

    // Of a size that takes long, too.
    void addSample() {
        if (state_.sampled == state_.choice)
            return add("sample", words::kRunAllBlocks, "", "", RunSample{false});
        const bool isLarge =
            state_.isTooLarge() ||
            (state_.run && std::ranges::any_of(state_.run->recording.launches, [](const Launch& launch) {
                 return launch.grid.count() > run::kSampleBlocks;
             }));
        if (isLarge) add("sample", words::kRunSample, "", "", RunSample{}, run::kSampleBlocks);
    }

    void addRecent() {
        for (const Choice& choice : state_.recent)
            if (choice != state_.choice) addRecent(choice, settingsOf(*state_.catalog, choice));
    }

    // Files that are open in the editor.
    void addTexts() {
        for (const EditedText& text : state_.editor.texts)
            add("text." + text.file, words::kEntryEditText, text.file, "", EditorAction{EditFile{text.file}},
                std::filesystem::path(text.file).filename().string());
    }

    // The settings are part of what it is.
    void addRecent(const Choice& choice, const std::string& settings) {
        add(fmt::format("recent.{} {}", nameOf(choice), settings), words::kEntryRecent, settings, "",
            SetChoice{choice}, nameOf(choice));
    }

    void addViews() {
        const std::span<const viz::ViewRow> views = viz::views();
        for (std::size_t i = 0; i < views.size(); ++i) {
            const Words& title = views[i].title;
            entries_.push_back({"view." + std::string(views[i].name),
                                say(state_.language, words::kEntryView, title.in(state_.language)),
                                say(Language::English, words::kEntryView, title.english()), "",
                                i < 9 ? std::to_string(i + 1) : "", BringUp{std::string(views[i].name)}});
            entries_.back().isMeant = isQueryInAny(title);
        }
    }

    void addKernels() {
        for (const catalog::Family& family : state_.catalog->families())
            for (const catalog::Variant& variant : family.variants) {
                const auto text = [&](Language language) {
                    return say(language, words::kEntryKernel, family.title.in(language),
                               variant.title.in(language));
                };
                entries_.push_back({"kernel." + family.name + "/" + variant.name, text(state_.language),
                                    text(Language::English), family.name + "/" + variant.name, "",
                                    ChooseVariant{family.name, variant.name, true}});
                entries_.back().isMeant = isFamily(family);
            }
    }

    void addLessons() {
        for (const LessonEntry& entry : state_.lessons.all)
            entries_.push_back(
                {"lesson." + entry.key,
                 say(state_.language, words::kEntryLesson, entry.lesson->title(state_.language)),
                 say(Language::English, words::kEntryLesson, entry.lesson->title(Language::English)),
                 entry.lesson->name, "", LessonAction{OpenLesson{entry.key, {}}}});
    }

    void addPlaylists() {
        for (const PlaylistName& name : state_.playlists.all)
            entries_.push_back({"playlist." + name.file,
                                say(state_.language, words::kEntryPlaylist, name.title(state_.language)),
                                say(Language::English, words::kEntryPlaylist, name.title(Language::English)),
                                playlists::nameOfPlaylist(name.file), "",
                                PlaylistAction{OpenPlaylist{name.file, {}}}});
    }

    // Sizes that lectures use: the default and the powers of two up to 1024, of parameters that the kernel
    // depends on.
    void addParameters() {
        constexpr s64 kLargest = 1024;
        const catalog::Family* family = state_.catalog->find(state_.choice.family);
        const catalog::Variant* variant = family ? family->find(state_.choice.variant) : nullptr;
        if (!variant) return;
        for (const std::string& name : variant->parameters) {
            const catalog::Parameter* parameter = family->findParameter(name);
            const auto now = state_.choice.values.find(name);
            if (!parameter || now == state_.choice.values.end()) continue;
            std::vector<s64> values{parameter->defaultValue};
            if (parameter->isChoice()) {
                for (s64 value = 0; value < s64(parameter->choices.size()); ++value)
                    values.push_back(value);
            } else if (!parameter->values.empty()) {
                values.insert(values.end(), parameter->values.begin(), parameter->values.end());
            } else {
                for (s64 value = 1; value <= kLargest; value *= 2)
                    if (value >= parameter->min && value <= parameter->max) values.push_back(value);
            }
            const std::optional<s64> typed = typedValue(query_, *parameter);
            if (typed) values.push_back(*typed);
            std::ranges::sort(values);
            values.erase(std::ranges::unique(values).begin(), values.end());
            for (const s64 value : values)
                if (value != now->second) {
                    add(fmt::format("set.{}.{}", name, value), words::kEntrySet,
                        parameter->help.in(state_.language), "", SetParameter{name, value}, name,
                        parameter->shown(value));
                    entries_.back().isMeant = value == typed;
                }
        }
    }

    void addLook() {
        for (const viz::Theme& theme : viz::themes())
            if (theme.name != themeShown(state_))
                add(fmt::format("theme.{}", theme.name), words::kEntryTheme, "", "",
                    SetTheme{std::string(theme.name)}, theme.name);
        for (const LanguageRow& row : languages())
            if (row.isComplete)
                entries_.push_back({fmt::format("language.{}", row.code),
                                    say(row.id, words::kEntryLanguage, row.name),
                                    say(Language::English, words::kEntryLanguage, row.english), "", "",
                                    SetLanguage{row.id}});
        for (const model::Profile& profile : model::profiles())
            if (profile.name != state_.profile)
                add("rules." + profile.name, words::kEntryRules, cardsText(profile), "",
                    SetProfile{profile.name}, model::capabilityOf(profile));
    }

    // "GeForce 8800 GTX, G80, Tesla C870": search terms for a profile.
    static std::string cardsText(const model::Profile& profile) {
        std::string text = profile.card;
        for (const std::string& card : model::cardsOf(profile))
            if (card != profile.card) text += ", " + card;
        return text;
    }

    bool isQuery(std::string_view text) const {
        return std::ranges::equal(text, query_, [](unsigned char a, unsigned char b) {
            return std::tolower(a) == std::tolower(b);
        });
    }
    std::array<Language, 2> typedLanguages() const {
        return {state_.language, explain::otherNameLanguage(state_.language)};
    }
    bool isQueryInAny(const Words& name) const {
        return std::ranges::any_of(typedLanguages(),
                                   [&](Language language) { return isQuery(name.in(language)); });
    }
    bool isFamily(const catalog::Family& family) const {
        return isQuery(family.name) || std::ranges::any_of(typedLanguages(), [&](Language language) {
                   return isQuery(family.title.in(language));
               });
    }
    bool isMain(const explain::Term& term, Language language) const {
        const std::vector<std::string_view> forms = explain::formsOf(term, language);
        return !forms.empty() && isQuery(forms.front());
    }
    // In full; but "bank" is rather meant for the view of that name, and "reduction" for the kernels.
    bool isTyped(const explain::Term& term) const {
        const auto isView = [&](const viz::ViewRow& view) {
            return std::ranges::any_of(typedLanguages(), [&](Language language) {
                return isQuery(view.title.in(language).substr(0, query_.size()));
            });
        };
        return !query_.empty() &&
               std::ranges::any_of(typedLanguages(),
                                   [&](Language language) { return isMain(term, language); }) &&
               std::ranges::none_of(viz::views(), isView) &&
               std::ranges::none_of(state_.catalog->families(),
                                    [&](const catalog::Family& family) { return isFamily(family); });
    }

    // Also lists its name in the other language, as a search term.
    void addTerms() {
        for (const explain::Term* term : explain::glossary()) {
            const std::string_view note = term->name.in(explain::otherNameLanguage(state_.language));
            entries_.push_back({"glossary." + std::string(term->id),
                                say(state_.language, words::kGlossaryEntry, term->name.in(state_.language)),
                                say(Language::English, words::kGlossaryEntry, term->name.english()),
                                std::string(note), "", ShowTerm{std::string(term->id)}});
            entries_.back().isMeant = isTyped(*term);
        }
    }

    const State& state_;
    std::string_view query_;
    std::vector<PaletteEntry> entries_;
};

}  // namespace

std::vector<PaletteEntry> paletteEntries(const State& state, std::string_view query) {
    return Entries(state, query).all();
}

std::vector<const PaletteEntry*> matching(const std::vector<PaletteEntry>& entries, std::string_view query,
                                          const std::vector<std::string>& recentIds) {
    struct Match {
        const PaletteEntry* entry;
        int score;
        std::ptrdiff_t used;  // place in the list of recent ones
    };
    std::vector<Match> matches;
    for (const PaletteEntry& entry : entries) {
        const std::optional<int> score =
            std::max({fuzzyScore(query, entry.text), fuzzyScore(query, entry.english),
                      fuzzyScore(query, entry.note), fuzzyScore(query, entry.english + " " + entry.note)});
        if (score || entry.isMeant)
            matches.push_back(
                {&entry, score.value_or(0), std::ranges::find(recentIds, entry.id) - recentIds.begin()});
    }
    std::ranges::stable_sort(matches, [](const Match& a, const Match& b) {
        if (a.entry->isMeant != b.entry->isMeant) return a.entry->isMeant;
        return a.score != b.score ? a.score > b.score : a.used < b.used;
    });
    std::vector<const PaletteEntry*> found;
    for (const Match& match : matches)
        found.push_back(match.entry);
    return found;
}

}  // namespace lockstep::app
