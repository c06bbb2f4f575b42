// lockstep texts: every sentence that the program shows for catalog kernels, for language review.
#include "app/cli/commands/commands.h"
#include "app/cli/options/catalog_selection.h"
#include "app/cli/options/view_options.h"
#include "app/cli/pages/shown_texts.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <memory>
#include <thread>

namespace lockstep::cli {
namespace {

constexpr Words kTakes = english("{0}; lockstep texts takes FAMILY or FAMILY/VARIANT");

struct Arguments {
    std::string what, language = "en", view, json;
};

// Sources of texts, in printing order: a family, a variant, or the playground, which shows no kernel.
struct Subject {
    const catalog::Family* family = nullptr;
    const catalog::Variant* variant = nullptr;
};

Expected<std::vector<Language>> languagesOf(const std::string& name) {
    if (name == "both") return std::vector{Language::English, Language::Chinese};
    ViewOptions options;
    options.language = name;
    const Expected<Language> language = languageOf(options);
    if (!language) return Unexpected{language.error()};
    return std::vector{*language};
}

std::vector<Subject> subjectsOf(const catalog::Catalog& catalog, const CatalogSelection& selection,
                                const viz::ViewRow* view) {
    std::vector<Subject> subjects;
    const bool showsKernels = !view || view->needsRun;
    for (const catalog::Family& family : catalog.all()) {
        if (!showsKernels || !selection.has(family)) continue;
        subjects.push_back({&family});
        for (const catalog::Variant& variant : family.variants)
            if (selection.has(variant)) subjects.push_back({&family, &variant});
    }
    if (selection.isAll() && (!view || !view->needsRun)) subjects.push_back({});
    return subjects;
}

using Texts = Expected<std::vector<ShownText>>;

Texts textsOf(const Subject& subject, const TextSources& sources, const viz::Fonts& fonts) {
    if (subject.variant) return textsOfVariant(*subject.family, *subject.variant, sources, fonts);
    if (subject.family) return textsOfFamily(*subject.family, sources);
    return textsOfPlayground(sources, fonts);
}

// On all cores; each thread has its own fonts.
Texts gather(const std::vector<Subject>& subjects, const TextSources& sources,
             const std::filesystem::path& fontFolder, Language speech) {
    std::vector<Texts> found(subjects.size());
    std::atomic<std::size_t> next = 0, done = 0;
    const ProgressLine line(speech, [&] {
        return say(speech, english("reading every view, {0} of {1} done"), done.load(), subjects.size());
    });
    const auto work = [&] {
        const Expected<viz::Fonts> fonts = viz::Fonts::load(fontFolder);
        for (std::size_t i; (i = next++) < subjects.size() && !sources.progress.cancelled; ++done)
            found[i] = fonts ? textsOf(subjects[i], sources, *fonts) : Texts(Unexpected{fonts.error()});
    };
    std::vector<std::thread> workers;
    const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
    while (workers.size() < std::min(threads, subjects.size()))
        workers.emplace_back(work);
    for (std::thread& worker : workers)
        worker.join();
    if (sources.progress.cancelled) return Unexpected{cancelledFault()};
    std::vector<ShownText> all;
    for (Texts& texts : found) {
        if (!texts) return texts;
        std::ranges::move(*texts, std::back_inserter(all));
    }
    return all;
}

// Languages of one location below each other.
void print(const std::vector<ShownText>& texts) {
    for (const ShownText& text : texts) {
        std::string where = fmt::format("{}  {}  {}  ", text.kernel, text.view, text.kind);
        for (const std::string& said : text.said) {
            if (said.empty()) continue;
            printOut("{}{}\n", where, said);
            where.assign(where.size(), ' ');
        }
    }
}

Json jsonOf(const std::vector<ShownText>& texts, const std::vector<Language>& languages) {
    Json rows = Json::array();
    for (const ShownText& text : texts) {
        Json row{{"kernel", text.kernel},
                 {"view", text.view},
                 {"kind", text.kind},
                 {"place", text.place.empty() ? Json(nullptr) : Json(text.place)}};
        const auto at = [&](const char* name, auto value) {
            row[name] = text.cursor ? Json(value(*text.cursor)) : Json(nullptr);
        };
        at("launch", [](const viz::Cursor& c) { return Json(c.launch.value); });
        at("block", [](const viz::Cursor& c) { return triple(c.block); });
        at("warp", [](const viz::Cursor& c) { return Json(c.warp.value); });
        at("lane", [](const viz::Cursor& c) { return Json(c.lane.value); });
        at("step", [](const viz::Cursor& c) { return Json(c.step + 1); });
        for (std::size_t l = 0; l < languages.size(); ++l)
            row[std::string(rowOf(languages[l]).code)] =
                text.said[l].empty() ? Json(nullptr) : Json(text.said[l]);
        rows.push_back(std::move(row));
    }
    return {{"texts", std::move(rows)}};
}

Expected<CatalogSelection> kernelsNamed(const std::string& what, const catalog::Catalog& catalog) {
    if (ownFileIn(what) || what.ends_with(".lks"))
        return fail(FaultKind::Usage,
                    Message(english("{0} is a file; lockstep texts reads kernels of the catalog, FAMILY or "
                                    "FAMILY/VARIANT"),
                            what));
    return selectionOf(catalog, what, kTakes);
}

Expected<int> execute(const Arguments& arguments, Session& session) {
    const Expected<std::vector<Language>> languages = languagesOf(arguments.language);
    if (!languages) return Unexpected{languages.error()};
    const viz::ViewRow* view = nullptr;
    if (!arguments.view.empty()) {
        const Expected<const viz::ViewRow*> named = viewNamed(arguments.view);
        if (!named) return Unexpected{named.error()};
        view = *named;
    }
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (!catalog) return Unexpected{catalog.error()};
    const Expected<CatalogSelection> selection = kernelsNamed(arguments.what, **catalog);
    if (!selection) return Unexpected{selection.error()};
    if (view && !view->needsRun && !selection->isAll())
        return fail(FaultKind::Usage, Message(english("--view {0} shows no kernel; leave {1} out"),
                                              arguments.view, arguments.what));
    if (!arguments.json.empty())
        if (const Expected<void> place = canBeWritten(arguments.json); !place)
            return Unexpected{place.error()};
    const auto machines = session.machines();
    if (!machines) return Unexpected{machines.error()};
    Progress progress;
    const InterruptCancels interrupt(progress, {SIGINT});
    const TextSources sources{.resources = **session.resources(),
                              .machines = **machines,
                              .languages = *languages,
                              .view = view,
                              .progress = progress};
    const Texts texts = gather(subjectsOf(**catalog, *selection, view), sources,
                               fontFolder(**session.resources()), session.language());
    if (!texts) return Unexpected{texts.error()};
    if (arguments.json != "-") print(*texts);
    if (arguments.json.empty()) return kDone;
    const Expected<void> written = writeJson(jsonOf(*texts, *languages), arguments.json);
    return written ? Expected<int>(kDone) : Unexpected{written.error()};
}

}  // namespace

Action addTexts(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    command.add("name", arguments->what, english("a FAMILY or FAMILY/VARIANT of the catalog (default: all)"))
        .type("");
    command
        .add("--lang", arguments->language,
             english("which texts; both: each in English with the Chinese of the same "
                     "place below it"))
        .type("en|zh-CN|both");
    command
        .add("--view", arguments->view,
             english("of this view alone (default: all, and what stands in none): {0}"), viewNames())
        .type("VIEW");
    command.addJson(arguments->json,
                    english("write the texts as JSON to this file, each with the step at which it stands"));
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
