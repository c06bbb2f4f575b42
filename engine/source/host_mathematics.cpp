#include "source/host_mathematics.h"

#include "source/host_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::source {

std::optional<Value> mathematics(const std::string& name, const std::vector<Value>& arguments) {
    const std::size_t count = arguments.size();
    const bool areNumbers = std::ranges::all_of(arguments, [](const Value& one) { return one.isNumber(); });
    const auto unknown = [&] {
        for (const Value& one : arguments)
            if (!one.isNumber()) return notKnown(one.cause.variable, one.cause.line);
        return Value{};
    };
    if (isOneOf(name, {"min", "max", "fmin", "fmax", "fminf", "fmaxf"}) && count == 2) {
        if (!areNumbers) return unknown();
        const bool isLess = combined("<", arguments[0], arguments[1]).integer != 0;
        const bool isMin = name.find("min") != std::string::npos;
        return combined("+", isLess == isMin ? arguments[0] : arguments[1], integerValue(0));
    }
    constexpr std::array<std::pair<std::string_view, f64 (*)(f64)>, 14> kOfOne{
        {{"ceil", [](f64 x) { return std::ceil(x); }},
         {"ceilf", [](f64 x) { return std::ceil(x); }},
         {"floor", [](f64 x) { return std::floor(x); }},
         {"floorf", [](f64 x) { return std::floor(x); }},
         {"round", [](f64 x) { return std::round(x); }},
         {"sqrt", [](f64 x) { return std::sqrt(x); }},
         {"sqrtf", [](f64 x) { return f64(std::sqrt(f32(x))); }},
         {"log2", [](f64 x) { return std::log2(x); }},
         {"exp2", [](f64 x) { return std::exp2(x); }},
         {"fabs", [](f64 x) { return std::fabs(x); }},
         {"trunc", [](f64 x) { return std::trunc(x); }},
         {"log2f", [](f64 x) { return f64(std::log2(f32(x))); }},
         {"roundf", [](f64 x) { return std::round(x); }},
         {"exp2f", [](f64 x) { return std::exp2(x); }}}};
    if (const auto found = std::ranges::find(kOfOne, name, &std::pair<std::string_view, f64 (*)(f64)>::first);
        found != kOfOne.end() && count == 1) {
        if (!areNumbers) return unknown();
        const Value& x = arguments[0];
        const bool isFloat = name.back() == 'f' || x.type.scalar == Scalar::Float;
        return realValue(found->second(x.asReal()), isFloat ? Scalar::Float : Scalar::Double);
    }
    if ((name == "pow" || name == "powf") && count == 2) {
        if (!areNumbers) return unknown();
        return realValue(std::pow(arguments[0].asReal(), arguments[1].asReal()),
                         name == "powf" ? Scalar::Float : Scalar::Double);
    }
    if (name == "abs" && count == 1) {
        if (!areNumbers) return unknown();
        const Value& x = arguments[0];
        return x.asReal() < 0 ? combined("-", integerValue(0), x) : x;
    }
    return std::nullopt;
}

}  // namespace lockstep::source
