// lockstep list: what there is to run.
#include "app/cli/cli.h"
#include "app/cli/file_list.h"
#include "app/cli/glossary_page.h"
#include "app/cli/kernel_table.h"
#include "app/cli/output.h"
#include "catalog/cpu_loop_source.h"
#include "catalog/host_code.h"
#include "model/card_names.h"
#include "run/recording_heads.h"

#include <fmt/format.h>

#include <memory>

namespace lockstep::cli {
namespace {

Json choiceJson(const catalog::Parameter& parameter) {
    return {{"name", parameter.name},
            {"type", "choice"},
            {"choices", parameter.choices},
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

Json listJson(const catalog::Catalog& catalog, const std::vector<run::RecordingHead>& hardware) {
    Json families = Json::array();
    for (const catalog::Family& family : catalog.families()) {
        Json parameters = Json::array(), variants = Json::array();
        for (const catalog::Parameter& parameter : family.parameters)
            if (parameter.computed.empty()) parameters.push_back(parameterJson(parameter));
        for (const catalog::Variant& variant : family.variants)
            variants.push_back(variantJson(family, variant));
        families.push_back({{"name", family.name},
                            {"title", family.title.en},
                            {"story", family.story.en},
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
    return {{"families", families}, {"lessons", Json::array()}, {"profiles", profiles},
            {"devices", devices},   {"recordings", recordings}, {"glossary", glossaryJson()}};
}

std::string rangeOf(const catalog::Parameter& parameter) {
    if (parameter.isChoice()) return fmt::format("{}", fmt::join(parameter.choices, ", "));
    return fmt::format("{}..{}", parameter.min, parameter.max);
}

void printList(const catalog::Catalog& catalog, const std::vector<run::RecordingHead>& hardware) {
    for (const catalog::Family& family : catalog.families()) {
        printOut("{}  {}\n", family.name, family.title.en);
        for (const catalog::Parameter& parameter : family.parameters) {
            if (!parameter.computed.empty()) continue;
            printOut("    --set {}={}  ({}{}{}) {}\n", parameter.name,
                     parameter.shown(parameter.defaultValue), rangeOf(parameter),
                     parameter.unit.en.empty() ? "" : " ", parameter.unit.en, parameter.help.en);
        }
        for (const catalog::Variant& variant : family.variants)
            printOut("  {}/{:<24} {}\n", family.name, variant.name, variant.title.en);
        printOut("\n");
    }
    if (!hardware.empty()) printOut("recordings  made on GPUs with lockstep record\n");
    for (const run::RecordingHead& recording : hardware)
        printOut("  {:<24} {}, {}, CUDA {}, {} runs\n", recording.name, recording.device, recording.date,
                 recording.driver, recording.runs);
}

Expected<int> writeTable(const catalog::Catalog& catalog, const std::string& file, Session& session) {
    if (const Expected<void> place = canBeWritten(file); !place) return Unexpected{place.error()};
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    const Expected<std::string> table = kernelTable(catalog, **resources);
    if (!table) return Unexpected{table.error()};
    if (const Expected<void> written = writeFile(file, *table); !written) return Unexpected{written.error()};
    return kDone;
}

}  // namespace

Action addList(CLI::App& command, Session& session) {
    const auto file = std::make_shared<FileListOptions>();
    command.add_option("file", file->file,
                       "a FILE.cu or FILE.ptx: list its kernels, and the launches that its host code makes");
    command.add_option("--define", file->defines, "a macro for that file: NAME or NAME=VALUE (repeatable)")
        ->take_all();
    command.add_option("--include", file->includes, "a folder with headers for that file (repeatable)")
        ->take_all();
    const auto json = std::make_shared<std::string>(), table = std::make_shared<std::string>(),
               glossary = std::make_shared<std::string>();
    command.add_option("--json", *json, "write the list as JSON to this file (-: standard output)");
    command.add_option("--table", *table,
                       "run every variant at its defaults and write what it costs to this file, as Markdown");
    command.add_option(
        "--glossary", *glossary,
        "write what the program's terms mean, in English and Chinese, to this file, as Markdown");
    return [file, json, table, glossary, &session]() -> Expected<int> {
        if (!file->file.empty()) {
            const Expected<Json> list = fileListJson(*file);
            if (!list) return Unexpected{list.error()};
            if (*json != "-") printFileList(*list);
            if (json->empty()) return kDone;
            const Expected<void> written = writeJson(*list, *json);
            return written ? Expected<int>(kDone) : Unexpected{written.error()};
        }
        if (!glossary->empty()) {
            const Expected<void> written = writeFile(*glossary, glossaryPage());
            return written ? Expected<int>(kDone) : Unexpected{written.error()};
        }
        const Expected<const catalog::Catalog*> catalog = session.catalog();
        if (!catalog) return Unexpected{catalog.error()};
        if (!table->empty()) return writeTable(**catalog, *table, session);
        const auto recordings = run::shippedRecordingHeads(**session.resources());
        if (!recordings) return Unexpected{recordings.error()};
        if (json->empty()) {
            printList(**catalog, *recordings);
            return kDone;
        }
        if (const Expected<void> written = writeJson(listJson(**catalog, *recordings), *json); !written)
            return Unexpected{written.error()};
        if (*json != "-") printList(**catalog, *recordings);
        return kDone;
    };
}

}  // namespace lockstep::cli
