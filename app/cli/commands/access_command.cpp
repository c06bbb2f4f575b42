// lockstep access: what one warp's access costs, without a kernel.
#include "app/cli/commands/commands.h"
#include "app/cli/options/access_options.h"
#include "app/cli/terminal/output.h"
#include "base/text/counted.h"
#include "model/access/access_query.h"
#include "run/run.h"

#include <fmt/format.h>

#include <memory>

namespace lockstep::cli {
namespace {

struct Arguments {
    AccessOptions access;
    std::string profile = "cc90", l1, json;
};

Json answerJson(const model::AccessAnswer& answer) {
    Json items = Json::array(), passes = Json::array();
    for (const auto& item : answer.items)
        items.push_back({{"start", item.start}, {"bytes", item.bytes}, {"lanes", item.lanes}});
    for (const auto& pass : answer.passes)
        passes.push_back({{"lanes", pass.lanes}, {"banks", pass.banks}});
    return {{"profile", answer.profile},
            {"space", trace::nameOf(answer.space)},
            {"op", trace::nameOf(answer.operation)},
            {"width", answer.widthBytes},
            {"requests", answer.requests},
            {"sectors", answer.sectors},
            {"transactions", answer.transactions},
            {"wavefronts", answer.wavefronts},
            {"ideal_wavefronts", answer.idealWavefronts},
            {"items", items},
            {"passes", passes}};
}

void print(const model::AccessAnswer& answer, Language language) {
    printOut("{:<7}", answer.profile);
    const auto figure = [&](const Words& words, const std::optional<u32>& value) {
        if (value) printOut("  {}", say(language, words, grouped(*value)));
    };
    figure(english("{0} {0:request|requests}"), answer.requests);
    figure(english("{0} {0:sector|sectors}"), answer.sectors);
    figure(english("{0} {0:transaction|transactions}"), answer.transactions);
    figure(english("{0} {0:wavefront|wavefronts}"), answer.wavefronts);
    if (answer.idealWavefronts)
        printOut(" {}", say(language, english("(least {0})"), *answer.idealWavefronts));
    printOut("\n");
    const auto spaced = [](const auto& lanes) { return fmt::format("{}", fmt::join(lanes, " ")); };
    for (const auto& item : answer.items)
        printOut("    {} {}\n",
                 say(language, english("bytes {0} to {1}"), fmt::format("{:>6}", item.start),
                     fmt::format("{:<6}", item.start + s64(item.bytes) - 1)),
                 say(language, english("lanes {0}"), spaced(item.lanes)));
    for (std::size_t i = 0; i < answer.passes.size(); ++i)
        printOut("    {}\n", say(language, english("wavefront {0}  lanes {1}"), fmt::format("{:>2}", i + 1),
                                 spaced(answer.passes[i].lanes)));
}

Expected<model::AccessQuery> queryOf(const Arguments& arguments) {
    const AccessOptions& access = arguments.access;
    if (access.preset.empty()) {
        const std::pair<const char*, bool> needed[] = {{"--space", !access.space.empty()},
                                                       {"--op", !access.operation.empty()},
                                                       {"--width", access.width.has_value()}};
        for (const auto& [option, given] : needed)
            if (!given)
                return fail(FaultKind::Usage,
                            Message(english("{0} is required; or begin with a --preset"), option));
        if (access.offsets.empty() && access.expression.empty())
            return fail(
                FaultKind::Usage,
                english("say where the lanes reach: either --offsets B0,B1,...,B31 or --expr \"tid*2\""));
    }
    const Expected<model::AccessPattern> pattern = patternOf(access);
    if (!pattern) return Unexpected{pattern.error()};
    Expected<model::AccessQuery> query = model::queryOf(*pattern);
    if (query && !arguments.l1.empty()) query->l1 = arguments.l1 == "on";
    return query;
}

Expected<std::vector<model::AccessAnswer>> answersOf(const Arguments& arguments) {
    const Expected<model::AccessQuery> query = queryOf(arguments);
    if (!query) return Unexpected{query.error()};
    std::vector<model::Profile> profiles(model::profiles().begin(), model::profiles().end());
    if (arguments.profile != "all") {
        Expected<model::Profile> profile = run::profileNamed(arguments.profile);
        if (!profile) return Unexpected{profile.error()};
        profiles = {std::move(*profile)};
    }
    std::vector<model::AccessAnswer> answers;
    for (const model::Profile& profile : profiles) {
        Expected<model::AccessAnswer> answer = model::answer(*query, profile);
        if (!answer) return Unexpected{answer.error()};
        answers.push_back(std::move(*answer));
    }
    return answers;
}

Expected<int> execute(const Arguments& arguments, Language language) {
    const auto answers = answersOf(arguments);
    if (!answers) return Unexpected{answers.error()};
    if (!arguments.json.empty()) {
        Json json;
        if (arguments.profile == "all") {
            json["profiles"] = Json::array();
            for (const model::AccessAnswer& answer : *answers)
                json["profiles"].push_back(answerJson(answer));
        } else {
            json = answerJson(answers->front());
        }
        if (const Expected<void> written = writeJson(json, arguments.json); !written)
            return Unexpected{written.error()};
    }
    if (arguments.json != "-")
        for (const model::AccessAnswer& answer : *answers)
            print(answer, language);
    return kDone;
}

}  // namespace

Action addAccess(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    addAccessOptions(command, arguments->access);
    command
        .add("--profile", arguments->profile,
             english("the device: cc10 ... cc120, all, or a FILE.toml (default: cc90)"))
        .type("NAME");
    command.add("--l1", arguments->l1, english("whether loads are cached in L1 (default: as on the device)"))
        .takesOneOf({"on", "off"});
    command.addJson(arguments->json, english("write it as JSON to this file"));
    return [arguments, language = session.language()] { return execute(*arguments, language); };
}

}  // namespace lockstep::cli
