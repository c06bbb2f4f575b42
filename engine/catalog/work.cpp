#include "catalog/work.h"

#include "catalog/values/expression.h"

#include <algorithm>

namespace lockstep::catalog {

WorkTemplate readWork(const toml::table& table, const Family& family, Complaints& complaints) {
    TomlReader reader(table, complaints);
    WorkTemplate work{.bytes = reader.optionalString("bytes", ""),
                      .operations = reader.optionalString("operations", ""),
                      .isLimit = reader.optionalBool("limit", false)};
    reader.finish();
    if (work.bytes.empty() && work.operations.empty())
        complaints.add(
            table,
            english("say the 'bytes' that must be transferred, or the 'operations' that must be done"));
    const Values labels = family.scope({});
    for (const std::string* expression : {&work.bytes, &work.operations}) {
        if (expression->empty()) continue;
        const Expected<std::set<std::string>> names = namesIn(*expression);
        if (!names) {
            complaints.add(table, names.error().message);
            continue;
        }
        for (const std::string& name : *names)
            if (!family.findParameter(name) && !labels.contains(name))
                complaints.add(table, Message(english("'{0}' is no parameter of this family"), name));
    }
    return work;
}

Work workOf(const Family& family, const Variant& variant, const Values& values) {
    const auto figure = [&](const std::string& expression) {
        if (expression.empty()) return 0.0;
        const Expected<s64> value = evaluate(expression, family.scope(values));
        return value && *value > 0 ? f64(*value) : 0.0;
    };
    return {.bytes = figure(variant.work.bytes), .operations = figure(variant.work.operations)};
}

bool expectsFinding(const Family& family, const Variant& variant, const Values& values,
                    std::string_view kind) {
    return std::ranges::any_of(variant.expected, [&](const ExpectedOutcome& outcome) {
        if (std::ranges::find(outcome.findings, kind) == outcome.findings.end()) return false;
        const Expected<s64> holds =
            outcome.when.empty() ? Expected<s64>(1) : evaluate(outcome.when, family.scope(values));
        return holds && *holds;
    });
}

}  // namespace lockstep::catalog
