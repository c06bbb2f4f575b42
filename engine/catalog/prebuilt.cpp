#include "catalog/prebuilt.h"

#include "base/check.h"
#include "catalog/entry_text.h"
#include "catalog/values/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::catalog {
namespace {

constexpr std::string_view kHeaderStart = "// Prebuilt by Lockstep: ";
constexpr std::string_view kSourceMark = "; source ";

// Compile-time parameters that the variant's entries name, in the family's order: those with one value per
// file, or those with all values in each file.
enum class Instances : u8 { OneAFile, Together };
std::vector<const Parameter*> instanceParameters(const Family& family, const Variant& variant,
                                                 Instances instances) {
    std::set<std::string> named;
    for (const LaunchTemplate& launch : variant.launches) {
        const Expected<std::set<std::string>> placeholders = placeholdersOf(launch.entry);
        CHECK(placeholders.has_value(), "the family was read only after its entries had been");
        named.insert(placeholders->begin(), placeholders->end());
    }
    std::vector<const Parameter*> parameters;
    for (const Parameter& parameter : family.parameters)
        if (named.contains(parameter.name) &&
            parameter.computed.empty() == (instances == Instances::OneAFile))
            parameters.push_back(&parameter);
    return parameters;
}

// Every combination of those values of the parameters; whatever else there is stays as it is.
std::vector<Values> combinations(const Values& base, std::span<const Parameter* const> parameters,
                                 std::vector<s64> Parameter::*those) {
    std::vector<Values> all{base};
    for (const Parameter* parameter : parameters) {
        std::vector<Values> more;
        for (const Values& values : all)
            for (s64 value : parameter->*those) {
                more.push_back(values);
                more.back()[parameter->name] = value;
            }
        all = std::move(more);
    }
    return all;
}

// Whether it can be decided for an instance regardless of the other parameters.
bool concernsOnly(const Requirement& requirement, const Family& family,
                  std::span<const Parameter* const> parameters) {
    const Expected<std::set<std::string>> names = namesIn(requirement.that);
    return names && std::ranges::all_of(*names, [&](const std::string& name) {
               const Parameter* parameter = family.findParameter(name);
               return !parameter || std::ranges::find(parameters, parameter) != parameters.end();
           });
}

}  // namespace

std::string prebuiltPath(const Family& family, const Variant& variant, const Values& values) {
    std::string instance;
    for (const Parameter* parameter : instanceParameters(family, variant, Instances::OneAFile))
        instance += fmt::format("{}{}={}", instance.empty() ? "/" : ",", parameter->name,
                                parameter->shown(values.at(parameter->name)));
    return fmt::format("{}/{}{}.ptx", family.name, variant.name, instance);
}

std::vector<std::string> entriesOf(const Family& family, const Variant& variant, const Values& values) {
    std::vector<std::string> entries;
    for (const Values& each :
         combinations(values, instanceParameters(family, variant, Instances::Together), &Parameter::values))
        for (const LaunchTemplate& launch : variant.launches) {
            const std::string entry = instanceOf(launch.entry, family, each);
            if (std::ranges::find(entries, entry) == entries.end()) entries.push_back(entry);
        }
    return entries;
}

std::vector<Values> prebuiltInstances(const Family& family, const Variant& variant) {
    Values defaults;
    for (const Parameter& parameter : family.parameters)
        defaults[parameter.name] = parameter.defaultValue;
    const std::vector<const Parameter*> parameters = instanceParameters(family, variant, Instances::OneAFile);
    std::vector<Values> instances = combinations(defaults, parameters, &Parameter::prebuilt);
    for (const Requirement& requirement : variant.requirements)
        if (concernsOnly(requirement, family, parameters))
            std::erase_if(instances, [&](const Values& instance) {
                const Expected<s64> holds = evaluate(requirement.that, family.scope(instance));
                return holds && !*holds;
            });
    return instances;
}

const Parameter* notPrebuilt(const Family& family, const Variant& variant, const Values& values) {
    for (const Parameter* parameter : instanceParameters(family, variant, Instances::OneAFile))
        if (std::ranges::find(parameter->prebuilt, values.at(parameter->name)) == parameter->prebuilt.end())
            return parameter;
    return nullptr;
}

std::optional<Message> prebuiltValues(const Family& family, const Variant& variant,
                                      const Parameter& parameter) {
    const std::vector<const Parameter*> parameters = instanceParameters(family, variant, Instances::OneAFile);
    if (std::ranges::find(parameters, &parameter) == parameters.end() ||
        parameter.prebuilt.size() == parameter.values.size())
        return std::nullopt;
    std::vector<Message> ready;
    for (const s64 value : parameter.prebuilt)
        ready.push_back(Message::plain(parameter.shown(value)));
    return listed(ready);
}

std::string sourceName(const Family& family, const Variant& variant) {
    return fmt::format("kernels/{}/{}", family.name, variant.file);
}

std::string hashOf(std::string_view source) {
    u64 hash = 0xcbf29ce484222325;  // FNV-1a, 64 bits: offset basis and prime of draft-eastlake-fnv
    for (char c : source)
        hash = (hash ^ u8(c)) * 0x100000001b3;
    return fmt::format("{:016x}", hash);
}

std::string format(const PrebuiltHeader& header) {
    return fmt::format("{}{} {}{}{}\n", kHeaderStart, header.compiler, header.flags, kSourceMark,
                       header.sourceHash);
}

std::optional<PrebuiltHeader> readPrebuiltHeader(std::string_view ptx) {
    if (!ptx.starts_with(kHeaderStart)) return {};
    const std::string_view line = ptx.substr(kHeaderStart.size(), ptx.find('\n') - kHeaderStart.size());
    const std::size_t flags = line.find(" -"), source = line.find(kSourceMark);
    if (flags == std::string_view::npos || source == std::string_view::npos || flags > source) return {};
    return PrebuiltHeader{.compiler = std::string(line.substr(0, flags)),
                          .flags = std::string(line.substr(flags + 1, source - flags - 1)),
                          .sourceHash = std::string(line.substr(source + kSourceMark.size()))};
}

}  // namespace lockstep::catalog
