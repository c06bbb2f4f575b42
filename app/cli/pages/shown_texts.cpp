#include "app/cli/pages/shown_texts.h"

#include "app/cli/pages/text_pieces.h"
#include "app/state/verdicts.h"
#include "explain/findings/finding_at.h"
#include "explain/sentences/finding_groups.h"
#include "run/run.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/opening.h"
#include "viz/cursor/places_to_read.h"
#include "viz/cursor/playground.h"
#include "viz/notes/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::cli {
namespace {

constexpr viz::Size kSize{1280, 800}, kSizeOfTimeline{1280, 300};  // about as in the window

// Texts of one kernel, each once in a view.
class Gathered {
public:
    Gathered(std::string kernel, const TextSources& sources)
        : kernel_(std::move(kernel)), languages_(sources.languages) {}

    // Source lines of the kernel are not texts of the program.
    void leaveOutCode(const trace::Recording& recording) {
        leaveOutLines(recording.ptx);
        for (const auto& [file, source] : recording.sources)
            leaveOutLines(source);
    }
    // Location of the texts added next.
    void at(std::string_view view, std::string_view place = {},
            const std::optional<viz::Cursor>& cursor = {}) {
        view_ = view, place_ = place, cursor_ = cursor;
    }
    template <class Said> void add(std::string_view kind, Said said) {
        std::vector<std::string> texts;
        for (const Language language : languages_)
            texts.emplace_back(said(language));
        addLines(kind, texts);
    }
    // One text per language; each line is a separate text.
    void addLines(std::string_view kind, const std::vector<std::string>& texts) {
        for (std::vector<std::string>& row : lineByLine(texts))
            addRow(kind, std::move(row));
    }
    void addIfWorth(std::string_view kind, const std::vector<std::string>& texts) {
        for (std::vector<std::string>& row : lineByLine(texts))
            if (std::ranges::any_of(row, isWorthReading)) addRow(kind, std::move(row));
    }
    std::vector<ShownText> take() && { return std::move(texts_); }

private:
    // Regardless of indentation.
    static std::string codeOf(std::string_view line) {
        std::string code(line);
        std::erase_if(code, [](char c) { return c == ' ' || c == '\t' || c == ';'; });
        return code;
    }
    void leaveOutLines(std::string_view source) {
        while (!source.empty()) {
            const std::size_t end = std::min(source.find('\n'), source.size());
            code_.insert(codeOf(source.substr(0, end)));
            source.remove_prefix(std::min(end + 1, source.size()));
        }
    }
    void addRow(std::string_view kind, std::vector<std::string> row) {
        const auto said = std::ranges::find_if_not(row, &std::string::empty);
        if (said == row.end() || code_.contains(codeOf(*said)) ||
            !seen_.insert(view_ + '\n' + withoutNumbers(*said)).second)
            return;
        texts_.push_back({.kernel = kernel_,
                          .view = view_,
                          .kind = std::string(kind),
                          .place = place_,
                          .cursor = cursor_,
                          .said = std::move(row)});
    }

    std::string kernel_, view_, place_;
    const std::vector<Language>& languages_;
    std::optional<viz::Cursor> cursor_;
    std::set<std::string> seen_, code_;
    std::vector<ShownText> texts_;
};

Expected<run::Run> ran(const catalog::Family& family, const catalog::Variant& variant,
                       const TextSources& sources) {
    const Expected<catalog::Values> values = catalog::resolve(family, variant, {});
    if (!values) return Unexpected{values.error()};
    Expected<run::Experiment> experiment = run::open(sources.resources, family, variant, *values);
    if (!experiment) return Unexpected{experiment.error()};
    run::Options options;
    options.backend = "emulator";
    options.emulator.threads = 1;
    options.emulator.progress = &sources.progress;
    Expected<run::Run> run = run::run(std::move(*experiment), options);
    if (!run) return run;
    run::attachRecorded(*run, sources.machines);
    if (run::isToldByAccesses(family))
        run->variants = run::accessesOfVariants(sources.resources, family, *values);
    return run;
}

// A variant's comparison: the one that it changes, else the next of the family.
const catalog::Variant* comparedOf(const catalog::Family& family, const catalog::Variant& variant) {
    if (const catalog::Variant* before = family.find(variant.after)) return before;
    const std::size_t next = std::size_t(&variant - family.variants.data() + 1) % family.variants.size();
    return &family.variants[next] == &variant ? nullptr : &family.variants[next];
}

// One view of a run, step by step.
class ViewTexts {
public:
    ViewTexts(const viz::ViewRow& view, const TextSources& sources, const viz::Fonts& fonts, Gathered& texts)
        : view_(view), sources_(sources), fonts_(fonts), texts_(texts) {}

    void read(const run::Run& run, const run::Run* other, const std::vector<viz::PlaceToRead>& places) {
        const viz::Cursor* before = nullptr;
        for (std::size_t i = 0; i < places.size() && !sources_.progress.cancelled; ++i) {
            const viz::Cursor& cursor = places[i].cursor;
            if (before && (before->block != cursor.block || before->launch != cursor.launch)) kept_ = {};
            before = &cursor;
            texts_.at(view_.name, places[i].name, cursor);
            for (const viz::ViewOptions& options : optionsOf(i))
                readAt(run, other, cursor, options);
        }
    }
    void read(const viz::Playground& playground, std::string_view name) {
        texts_.at(view_.name, name);
        const run::Run none;
        const model::Profile& profile = model::defaultProfile();
        add([&](Language language) {
            return viz::ViewInput{.run = none,
                                  .cursor = {},
                                  .profile = profile,
                                  .size = kSize,
                                  .language = language,
                                  .metrics = fonts_,
                                  .playground = &playground,
                                  .titled = false};
        });
    }

private:
    // Both tabs of the source; of compare, the views of both sides in turn.
    std::vector<viz::ViewOptions> optionsOf(std::size_t place) const {
        if (view_.showsRegisters)
            return {viz::SourceOptions{viz::SourceTab::Cuda}, viz::SourceOptions{viz::SourceTab::Ptx}};
        if (!view_.showsBoth) return {{}};
        std::vector<viz::ViewOptions> all;
        for (const viz::ViewRow& view : viz::views())
            if (view.inCompare) all.push_back(viz::CompareOptions{.view = view.name});
        return {all[place % all.size()]};
    }

    void readAt(const run::Run& run, const run::Run* other, const viz::Cursor& cursor,
                const viz::ViewOptions& options) {
        std::optional<viz::ComparedRun> beside;
        if (other) beside.emplace(*other, viz::tied(run, cursor, *other, viz::Tie::Phase), other->profile);
        const auto input = [&](Language language) {
            return viz::ViewInput{.run = run,
                                  .cursor = cursor,
                                  .profile = run.profile,
                                  .size = view_.isStrip ? kSizeOfTimeline : kSize,
                                  .language = language,
                                  .metrics = fonts_,
                                  .state = {.options = options},
                                  .cache = &kept_,
                                  .machines = &sources_.machines,
                                  .compared = beside ? &*beside : nullptr,
                                  .titled = false};
        };
        add(input);
        addNotes(input);
    }

    template <class Input> void add(Input input) {
        std::vector<std::string> sentences, captions;
        std::vector<std::vector<TextPiece>> labels, hovers;
        for (const Language language : sources_.languages) {
            const viz::ViewInput in = input(language);
            const viz::Scene scene = whole(in);
            sentences.push_back(scene.sentence);
            captions.push_back(scene.caption);
            labels.push_back(labelsOf(scene, fonts_, language));
            hovers.push_back(hoversOf(scene));
        }
        texts_.addLines("sentence", sentences);
        texts_.addLines("caption", captions);
        for (const std::vector<std::string>& label : sideBySide(labels))
            texts_.addIfWorth("label", label);
        for (const std::vector<std::string>& hover : sideBySide(hovers))
            texts_.addIfWorth("hover", hover);
    }

    // For a scrolling page, all of it.
    viz::Scene whole(viz::ViewInput in) const {
        viz::Scene scene = view_.build(in);
        if (scene.textHeight <= in.size.height) return scene;
        in.size.height = scene.textHeight;
        return view_.build(in);
    }

    template <class Input> void addNotes(Input input) {
        std::vector<std::vector<TextPiece>> notes;
        for (const Language language : sources_.languages) {
            notes.emplace_back();
            for (const viz::Note& note : viz::notesOf(input(language), view_.name))
                notes.back().push_back({note.question + "\n" + note.answer, {}});
        }
        for (const std::vector<std::string>& note : sideBySide(notes))
            texts_.addLines("note", note);
    }

    const viz::ViewRow& view_;
    const TextSources& sources_;
    const viz::Fonts& fonts_;
    Gathered& texts_;
    viz::ViewCache kept_;
};

void addAuthored(const catalog::Variant& variant, Gathered& texts) {
    texts.at("kernel");
    texts.add("title", [&](Language language) { return variant.title.in(language); });
    texts.add("brief", [&](Language language) { return variant.brief.in(language); });
    texts.add("look", [&](Language language) { return variant.look.in(language); });
    texts.add("fixes", [&](Language language) { return variant.fixes.in(language); });
    texts.add("wrong", [&](Language language) { return variant.wrong.in(language); });
    for (const catalog::Requirement& requirement : variant.requirements)
        texts.add("requirement", [&](Language language) { return requirement.message.in(language); });
}

void addVerdicts(const run::Run& run, const viz::Cursor& opening, const TextSources& sources,
                 Gathered& texts) {
    texts.at("run");
    std::vector<std::vector<TextPiece>> verdicts;
    for (const Language language : sources.languages) {
        verdicts.emplace_back();
        for (const app::Verdict& verdict : app::verdictsOf(run, opening, language))
            verdicts.back().push_back({verdict.text + "\n" + verdict.hover, {}});
    }
    for (const std::vector<std::string>& verdict : sideBySide(verdicts))
        texts.addLines("verdict", verdict);
    for (const explain::FindingGroup& group : explain::groupFindings(run.recording.findings, *run.module)) {
        const Message text = explain::textOf(run, group.first());
        texts.add("finding", [&](Language language) { return text.in(language); });
    }
}

}  // namespace

std::vector<ShownText> textsOfFamily(const catalog::Family& family, const TextSources& sources) {
    Gathered texts(family.name, sources);
    if (sources.view) return {};
    texts.at("kernel");
    texts.add("title", [&](Language language) { return family.title.in(language); });
    texts.add("story", [&](Language language) { return family.story.in(language); });
    for (const catalog::Parameter& parameter : family.parameters)
        texts.add("parameter", [&](Language language) { return parameter.help.in(language); });
    return std::move(texts).take();
}

Expected<std::vector<ShownText>> textsOfVariant(const catalog::Family& family,
                                                const catalog::Variant& variant, const TextSources& sources,
                                                const viz::Fonts& fonts) {
    Gathered texts(family.name + "/" + variant.name, sources);
    const Expected<run::Run> run = ran(family, variant, sources);
    if (!run) return Unexpected{run.error()};
    texts.leaveOutCode(run->recording);
    const std::vector<viz::PlaceToRead> places = viz::placesToRead(*run);
    if (!sources.view) {
        addAuthored(variant, texts);
        addVerdicts(*run, places.empty() ? viz::Cursor{} : places.front().cursor, sources, texts);
    }
    for (const viz::ViewRow& view : viz::views()) {
        if (!view.needsRun || (sources.view && sources.view != &view)) continue;
        std::optional<Expected<run::Run>> other;
        if (view.showsBoth) {
            const catalog::Variant* beside = comparedOf(family, variant);
            if (!beside) continue;
            other = ran(family, *beside, sources);
            if (!*other) return Unexpected{other->error()};
            texts.leaveOutCode((*other)->recording);
        }
        ViewTexts(view, sources, fonts, texts).read(*run, other ? &**other : nullptr, places);
    }
    return std::move(texts).take();
}

std::vector<ShownText> textsOfPlayground(const TextSources& sources, const viz::Fonts& fonts) {
    const viz::ViewRow& view = *viz::findView("playground");
    Gathered texts(std::string(view.name), sources);
    ViewTexts reader(view, sources, fonts, texts);
    for (const model::AccessPreset& preset : model::accessPresets())
        reader.read({.pattern = preset.pattern, .lane = {}}, preset.name);
    return std::move(texts).take();
}

}  // namespace lockstep::cli
