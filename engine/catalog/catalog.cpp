#include "catalog/catalog.h"

#include "base/nearest.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

namespace lockstep::catalog {
namespace {

constexpr u64 kMaxFamilyBytes = 1 << 20;  // a family.toml is a few pages long

Expected<std::string> readText(const std::filesystem::path& file) {
    std::error_code error;
    const u64 bytes = std::filesystem::file_size(file, error);
    if (error)
        return fail(FaultKind::System, english("this file cannot be read; check its permissions"),
                    {file.string(), 0, 0});
    if (bytes > kMaxFamilyBytes)
        return fail(FaultKind::Syntax, english("this file is too large to describe a family of kernels"),
                    {file.string(), 0, 0});
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

Expected<Family> readFamily(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "family.toml";
    const Expected<std::string> text = readText(file);
    if (!text) return Unexpected{text.error()};
    Expected<Family> family = parseFamily(*text, file.string());
    if (!family) return family;
    for (const Variant& variant : family->variants)
        if (!std::filesystem::exists(folder / variant.file))
            return fail(FaultKind::NotFound,
                        Message(english("the variant '{0}' names {1}, which is not in this folder"),
                                variant.name, variant.file),
                        {file.string(), 0, 0});
    return family;
}

std::vector<std::string> namesOf(const auto& things) {
    std::vector<std::string> names;
    for (const auto& thing : things)
        names.push_back(thing.name);
    return names;
}

}  // namespace

const Variant* Family::find(std::string_view variant) const {
    const auto found = std::ranges::find(variants, variant, &Variant::name);
    return found == variants.end() ? nullptr : &*found;
}

const Parameter* Family::findParameter(std::string_view wanted) const {
    const auto found = std::ranges::find(parameters, wanted, &Parameter::name);
    return found == parameters.end() ? nullptr : &*found;
}

Values Family::scope(const Values& values) const {
    Values scope = values;
    for (const Parameter& parameter : parameters)
        for (std::size_t value = 0; value < parameter.choices.size(); ++value)
            scope[parameter.choices[value]] = s64(value);
    return scope;
}

std::string Parameter::shown(s64 value) const {
    return isChoice() ? choices[std::size_t(value)] : std::to_string(value);
}
std::string Parameter::spelling(s64 value) const {
    return spelled.empty() ? shown(value) : spelled[std::size_t(value)];
}

Expected<Catalog> Catalog::read(const std::filesystem::path& folder, std::string_view only) {
    std::error_code error;
    std::vector<std::filesystem::path> folders;
    for (const auto& item : std::filesystem::directory_iterator(folder, error))
        if (std::filesystem::exists(item.path() / "family.toml", error)) folders.push_back(item.path());
    const auto named = std::ranges::find(
        folders, only, [](const std::filesystem::path& path) { return path.filename().string(); });
    if (named != folders.end()) folders = {*named};
    if (folders.empty())
        return fail(
            FaultKind::NotFound,
            Message(
                english("there is no family of kernels below {0}; a family is a folder with a family.toml"),
                folder.string()));
    std::ranges::sort(folders);  // the same order on every machine

    Catalog catalog;
    for (const std::filesystem::path& familyFolder : folders) {
        Expected<Family> family = readFamily(familyFolder);
        if (!family) return Unexpected{family.error()};
        catalog.families_.push_back(std::move(*family));
    }
    const auto ofLessons = std::ranges::stable_partition(
        catalog.families_, [](const Family& family) { return !family.ofLesson; });
    catalog.listed_ = std::size_t(ofLessons.begin() - catalog.families_.begin());
    return catalog;
}

const Family* Catalog::find(std::string_view family) const {
    const auto found = std::ranges::find(families_, family, &Family::name);
    return found == families_.end() ? nullptr : &*found;
}

Expected<std::pair<const Family*, const Variant*>> Catalog::lookUp(
    std::string_view familySlashVariant) const {
    const std::size_t slash = familySlashVariant.find('/');
    const std::string_view familyName = familySlashVariant.substr(0, slash);
    const Family* family = find(familyName);
    if (!family)
        return fail(FaultKind::NotFound,
                    Message(english("there is no family '{0}'{1} (lockstep list shows them)"), familyName,
                            didYouMean(familyName, namesOf(families_))));
    if (slash == std::string_view::npos || slash + 1 == familySlashVariant.size())
        return fail(FaultKind::Usage, Message(english("'{0}' is a family; name one of its variants, for "
                                                      "example {0}/{1} (lockstep list {0} shows them)"),
                                              family->name, family->variants.front().name));
    const std::string_view variantName = familySlashVariant.substr(slash + 1);
    const Variant* variant = family->find(variantName);
    if (!variant)
        return fail(FaultKind::NotFound,
                    Message(english("the family '{0}' has no variant '{1}'{2} (lockstep list shows them)"),
                            family->name, variantName, didYouMean(variantName, namesOf(family->variants))));
    return std::pair{family, variant};
}

}  // namespace lockstep::catalog
