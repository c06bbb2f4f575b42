#include "app/state/choice_text.h"

#include <fmt/format.h>

namespace lockstep::app {

std::string nameOf(const Choice& choice) {
    if (choice.launch)
        return fmt::format("{} #{}: {}", choice.launch->file.substr(choice.launch->file.rfind('/') + 1),
                           choice.launch->number, choice.launch->title);
    if (!choice.own) return choice.family + "/" + choice.variant;
    const std::string file = choice.own->file.substr(choice.own->file.rfind('/') + 1);
    return choice.own->entry.empty() ? file : file + " " + choice.own->entry;
}

std::string settingsOf(const catalog::Catalog& catalog, const Choice& choice) {
    if (choice.launch) return {};
    if (choice.own) return fmt::format("--grid {} --block {}", choice.own->grid, choice.own->block);
    const catalog::Family* family = catalog.find(choice.family);
    const catalog::Variant* variant = family ? family->find(choice.variant) : nullptr;
    std::string text;
    if (!variant) return text;
    for (const std::string& name : variant->parameters)
        if (const auto value = choice.values.find(name); value != choice.values.end())
            text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name,
                                family->findParameter(name)->shown(value->second));
    return text;
}

std::string shownText(const State& state) {
    if (!state.shown) return {};
    const std::string name = nameOf(*state.shown);
    std::string settings = settingsOf(*state.catalog, *state.shown);
    if (name == nameOf(state.choice)) return settings;
    return settings.empty() ? name : name + ", " + settings;
}

}  // namespace lockstep::app
