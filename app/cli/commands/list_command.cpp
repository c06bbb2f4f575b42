// lockstep list: lists what can be run.
#include "app/cli/commands/commands.h"
#include "app/cli/options/catalog_selection.h"
#include "app/cli/options/run_options.h"
#include "app/cli/pages/file_list.h"
#include "app/cli/pages/glossary_page.h"
#include "app/cli/pages/kernel_table.h"
#include "app/cli/pages/lesson_page.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "catalog/cpu/cpu_loop_source.h"
#include "catalog/host_code.h"
#include "lessons/read_lesson.h"
#include "model/profiles/card_names.h"
#include "run/recordings/recording_heads.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>

namespace lockstep::cli {
namespace {

Json choiceJson(const catalog::Parameter& parameter) {
    Json prebuilt = Json::array();
    for (const s64 value : parameter.prebuilt)
        prebuilt.push_back(parameter.shown(value));
    return {{"name", parameter.name},
            {"type", "choice"},
            {"choices", parameter.choices},
            {"prebuilt", prebuilt},
            {"min", nullptr},
            {"max", nullptr},
            {"default", parameter.shown(parameter.defaultValue)},
            {"unit", parameter.unit.en},
            {"help", parameter.help.en}};
}

Json parameterJson(const catalog::Parameter& parameter) {
    if (parameter.isChoice()) return choiceJson(parameter);
    Json json{{"name", parameter.name},
              {"type", parameter.kind == catalog::Parameter::Kind::Compile ? "compile" : "runtime"},
              {"min", parameter.min},
              {"max", parameter.max},
              {"default", parameter.defaultValue},
              {"unit", parameter.unit.en},
              {"help", parameter.help.en}};
    if (!parameter.values.empty()) json["values"] = parameter.values;
    if (!parameter.prebuilt.empty()) json["prebuilt"] = parameter.prebuilt;
    return json;
}

Json variantJson(const catalog::Family& family, const catalog::Variant& variant) {
    Json expected = Json::array();
    for (const catalog::ExpectedOutcome& outcome : variant.expected)
        expected.push_back(
            {{"when", outcome.when}, {"kinds", outcome.findings}, {"correct", outcome.correct}});
    Json conditions = Json::array();
    for (const catalog::Requirement& requirement : variant.requirements)
        conditions.push_back({{"that", requirement.that}, {"message", requirement.message.en}});
    Json json{{"name", variant.name},
              {"after", variant.after.empty() ? Json(nullptr) : Json(variant.after)},
              {"title", variant.title.en},
              {"entry", variant.launches.front().entry},
              {"parameters", variant.parameters},
              {"expected", expected},
              {"requires", conditions}};
    if (const std::string host = catalog::hostCode(family, variant); !host.empty()) json["host"] = host;
    if (const std::string cpu = catalog::cpuLoopSource(family.name, variant); !cpu.empty())
        json["cpu_source"] = cpu;
    if (variant.published)
        json["published"] = {{"milliseconds", variant.published->milliseconds},
                             {"gigabytes_per_second", variant.published->gigabytesPerSecond},
                             {"source", family.publishedOn.en}};
    return json;
}

Json recordingJson(const run::RecordingHead& recording) {
    return {{"name", recording.name},
            {"device", recording.device},
            {"compute_capability", recording.computeCapability},
            {"driver", recording.driver},
            {"date", recording.date},
            {"runs", recording.runs}};
}

constexpr Words kTakes = english("{0}; lockstep list takes FAMILY, FAMILY/VARIANT, FILE.cu or FILE.ptx");

Json listJson(const catalog::Catalog& catalog, const CatalogSelection& selection,
              const std::vector<run::RecordingHead>& hardware, const std::vector<lessons::Lesson>& lessons) {
    Json families = Json::array();
    for (const catalog::Family& family : catalog.families()) {
        if (!selection.has(family)) continue;
        Json parameters = Json::array(), variants = Json::array();
        for (const catalog::Parameter& parameter : family.parameters)
            if (selection.has(parameter)) parameters.push_back(parameterJson(parameter));
        for (const catalog::Variant& variant : family.variants)
            if (selection.has(variant)) variants.push_back(variantJson(family, variant));
        families.push_back({{"name", family.name},
                            {"title", family.title.en},
                            {"story", family.story.in(Language::English)},
                            {"parameters", parameters},
                            {"variants", variants}});
    }
    Json profiles = Json::array();
    Json devices = Json::array();
    for (const model::Profile& profile : model::profiles()) {
        profiles.push_back(profile.name);
        devices.push_back({{"profile", profile.name},
                           {"compute_capability", fmt::format("{}.{}", profile.major, profile.minor)},
                           {"card", profile.card},
                           {"cards", std::vector<std::string>(model::cardsOf(profile).begin(),
                                                              model::cardsOf(profile).end())}});
    }
    Json recordings = Json::array();
    for (const run::RecordingHead& recording : hardware)
        recordings.push_back(recordingJson(recording));
    Json lessonRows = Json::array();
    for (const lessons::Lesson& lesson : lessons)
        lessonRows.push_back(lessonJson(lesson));
    return {{"families", families}, {"lessons", lessonRows},    {"profiles", profiles},
            {"devices", devices},   {"recordings", recordings}, {"glossary", glossaryJson()}};
}

std::string rangeOf(const catalog::Parameter& parameter) {
    if (parameter.isChoice()) return fmt::format("{}", fmt::join(parameter.choices, ", "));
    return fmt::format("{}..{}", parameter.min, parameter.max);
}

void printList(const catalog::Catalog& catalog, const CatalogSelection& selection,
               const std::vector<run::RecordingHead>& hardware, Language language) {
    for (const catalog::Family& family : catalog.families()) {
        if (!selection.has(family)) continue;
        printOut("{}  {}\n", family.name, family.title.in(language));
        for (const catalog::Parameter& parameter : family.parameters) {
            if (!selection.has(parameter)) continue;
            const std::string& unit = parameter.unit.in(language);
            printOut("    --set {}={}  ({}{}{}) {}\n", parameter.name,
                     parameter.shown(parameter.defaultValue), rangeOf(parameter), unit.empty() ? "" : " ",
                     unit, parameter.help.in(language));
        }
        for (const catalog::Variant& variant : family.variants)
            if (selection.has(variant))
                printOut("  {}/{:<24} {}\n", family.name, variant.name, variant.title.in(language));
        if (selection.isAll()) printOut("\n");
    }
    if (!selection.isAll()) return;
    if (!hardware.empty())
        printOut("{}  {}\n", say(language, english("recordings")),
                 say(language, english("made on GPUs with lockstep record")));
    for (const run::RecordingHead& recording : hardware)
        printOut("  {:<24} {}\n", recording.name,
                 say(language, english("{0}, {1}, CUDA {2}, {3} runs"), recording.device, recording.date,
                     recording.driver, recording.runs));
}

Expected<int> writeTable(const catalog::Catalog& catalog, const std::string& file, Session& session) {
    if (file != "-")
        if (const Expected<void> place = canBeWritten(file); !place) return Unexpected{place.error()};
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    TableWork work;
    const InterruptCancels interrupt(work.progress, {SIGINT});
    const Expected<std::string> table = [&] {
        const Language language = session.language();
        const ProgressLine line(language, [&, language] {
            return say(language, english("running every variant, {0} done"), work.rows.load());
        });
        return kernelTable(catalog, **resources, &work);
    }();
    if (work.progress.cancelled) return Unexpected{cancelledFault()};
    if (!table) return Unexpected{table.error()};
    if (const Expected<void> written = writeText(*table, file); !written) return Unexpected{written.error()};
    return kDone;
}

}  // namespace

Action addList(const Command& command, Session& session) {
    const auto file = std::make_shared<FileListOptions>();
    command
        .add(
            "name", file->file,
            english("a FAMILY or FAMILY/VARIANT of the catalog (default: all), or a FILE.cu or FILE.ptx: its "
                    "kernels, and the launches that its host code makes"))
        .type("");
    command.add("--define", file->defines, english("a macro for that file (repeatable)"))
        .type("NAME[=VALUE]")
        .repeatable();
    command.add("--include", file->includes, english("a folder with headers for that file (repeatable)"))
        .type("FOLDER")
        .repeatable();
    const auto json = std::make_shared<std::string>(), table = std::make_shared<std::string>(),
               glossary = std::make_shared<std::string>();
    command.addJson(*json, english("write the list as JSON to this file"));
    command
        .add("--table", *table,
             english("run every variant at its defaults and write what it costs to this file, as Markdown"))
        .type("FILE");
    command
        .add("--glossary", *glossary,
             english("write what the program's terms mean, in English and Chinese, "
                     "to this file, as Markdown"))
        .type("FILE");
    return [file, json, table, glossary, &session]() -> Expected<int> {
        if (!file->file.empty() && !(table->empty() && glossary->empty()))
            return fail(FaultKind::Usage,
                        Message(english("{0} writes all there is; leave {1} out"),
                                table->empty() ? Message(english("--glossary")) : Message(english("--table")),
                                file->file));
        if (ownFileIn(file->file)) {
            const Expected<run::FileContents> contents = [&] {
                const ProgressLine line(session.language(),
                                        say(session.language(), english("compiling {0}"), file->file));
                return contentsOf(*file);
            }();
            if (!contents) return Unexpected{contents.error()};
            if (*json != "-") printFileList(file->file, *contents, session.language());
            if (json->empty()) return kDone;
            const Expected<void> written = writeJson(fileListJson(file->file, *contents), *json);
            return written ? Expected<int>(kDone) : Unexpected{written.error()};
        }
        if (!glossary->empty()) {
            const Expected<void> written = writeText(glossaryPage(), *glossary);
            return written ? Expected<int>(kDone) : Unexpected{written.error()};
        }
        const Expected<const catalog::Catalog*> catalog = session.catalog();
        if (!catalog) return Unexpected{catalog.error()};
        const Expected<CatalogSelection> selection = selectionOf(**catalog, file->file, kTakes);
        if (!selection) return Unexpected{selection.error()};
        if (!table->empty()) return writeTable(**catalog, *table, session);
        const auto recordings = run::shippedRecordingHeads(**session.resources());
        if (!recordings) return Unexpected{recordings.error()};
        if (json->empty()) {
            printList(**catalog, *selection, *recordings, session.language());
            return kDone;
        }
        if (const Expected<void> written =
                writeJson(listJson(**catalog, *selection, *recordings,
                                   lessons::lessonsIn((*session.resources())->assets() / "lessons")),
                          *json);
            !written)
            return Unexpected{written.error()};
        if (*json != "-") printList(**catalog, *selection, *recordings, session.language());
        return kDone;
    };
}

}  // namespace lockstep::cli
