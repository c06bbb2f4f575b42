#include "source/host_function.h"

namespace lockstep::source {

bool acceptsArguments(const Function& function, std::size_t count) {
    if (count > function.parameters.size()) return false;
    for (std::size_t i = count; i < function.parameters.size(); ++i)
        if (!function.parameters[i].defaultFirst) return false;
    return true;
}

std::optional<Type> deduced(const Function& function, const std::string& name,
                            const std::vector<Result>& arguments) {
    for (std::size_t i = 0; i < function.parameters.size() && i < arguments.size(); ++i) {
        const Type& parameter = function.parameters[i].type;
        const Type& given = arguments[i].value.type;
        if (parameter.name == name && parameter.arguments.empty() && given.pointers >= parameter.pointers &&
            !given.name.empty() && given.name != "auto" && given.name != "void") {
            Type type = given;
            type.pointers -= parameter.pointers;
            type.isConstant = type.isReference = false;
            return type;
        }
        if (parameter.arguments.size() == 1 && parameter.arguments.front().name == name &&
            given.arguments.size() == 1)
            return given.arguments.front();
    }
    return std::nullopt;
}

std::string unqualified(const std::string& name) {
    return name.substr(name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1);
}

bool isCudaCall(const std::string& name) {
    return name.size() > 5 && name.starts_with("cuda") && name[4] >= 'A' && name[4] <= 'Z';
}

Value dimensionsOf(const std::vector<Result>& items) {
    if (items.size() == 1 && items[0].value.kind == Value::Kind::Extents) return items[0].value;
    const auto part = [&](std::size_t i) { return i < items.size() ? items[i].value : integerValue(1); };
    return extentsValue(part(0), part(1), part(2));
}

}  // namespace lockstep::source
