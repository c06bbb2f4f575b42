#include "catalog/values/expression.h"

#include "catalog/values/expression_value.h"

namespace lockstep::catalog {

Expected<s64> evaluate(std::string_view expression, const Values& values) {
    Expected<ExpressionTree> tree = parseExpression(expression, Elements::Refused);
    if (!tree) return Unexpected{tree.error()};
    const Expected<void> bound = bindNames(*tree, [&](std::string_view name) -> std::optional<Meaning> {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(Meaning{.number = found->second});
    });
    if (!bound) return Unexpected{bound.error()};
    Evaluator evaluator(*tree);
    for (const auto& [name, value] : values)
        evaluator.knownNames.push_back(name);
    const s64 value = evaluator.whole();
    if (evaluator.fault()) return Unexpected{*evaluator.fault()};
    return value;
}

Expected<std::set<std::string>> namesIn(std::string_view expression) {
    const Expected<ExpressionTree> tree = parseExpression(expression, Elements::Refused);
    if (!tree) return Unexpected{tree.error()};
    return std::set<std::string>(tree->names.begin(), tree->names.end());
}

}  // namespace lockstep::catalog
