#include "simt/script/linear_form.h"

#include <algorithm>
#include <iterator>

namespace lockstep::simt {
namespace {

using Kind = LinearForm::Kind;
using Comparison = LinearForm::Comparison;

struct Type {
    bool is64, isSigned;
};
std::optional<Type> typeOf(std::string_view name) {
    if (name.size() != 3 || (name[0] != 's' && name[0] != 'u' && name[0] != 'b')) return {};
    const std::string_view bits = name.substr(1);
    if (bits != "32" && bits != "64") return {};
    return Type{bits == "64", name[0] == 's'};
}

struct Named {
    std::string_view name;
    Kind kind;
};
constexpr Named kKinds[]{{"mov", Kind::Move},
                         {"add", Kind::Add},
                         {"sub", Kind::Subtract},
                         {"mul.lo", Kind::Multiply},
                         {"mad.lo", Kind::MultiplyAdd},
                         {"shl", Kind::ShiftLeft},
                         {"mul.wide", Kind::MultiplyWide},
                         {"mad.wide", Kind::MultiplyAddWide}};

struct NamedComparison {
    std::string_view name;
    Comparison comparison;
};
constexpr NamedComparison kComparisons[]{
    {"eq", Comparison::Equal},         {"ne", Comparison::NotEqual},    {"lt", Comparison::Less},
    {"lo", Comparison::Less},          {"le", Comparison::LessOrEqual}, {"ls", Comparison::LessOrEqual},
    {"gt", Comparison::Greater},       {"hi", Comparison::Greater},     {"ge", Comparison::GreaterOrEqual},
    {"hs", Comparison::GreaterOrEqual}};

}  // namespace

std::optional<LinearForm> linearForm(std::string_view form) {
    const std::size_t dot = form.rfind('.');
    if (dot == std::string_view::npos) return {};
    const std::string_view name = form.substr(0, dot);
    const std::optional<Type> type = typeOf(form.substr(dot + 1));
    if (!type) return {};
    LinearForm linear{.is64 = type->is64, .isSigned = type->isSigned};
    if (const auto* kind = std::ranges::find(kKinds, name, &Named::name); kind != std::end(kKinds)) {
        linear.kind = kind->kind;
        return linear;
    }
    if (name.starts_with("setp.")) {
        const auto* comparison = std::ranges::find(kComparisons, name.substr(5), &NamedComparison::name);
        if (comparison == std::end(kComparisons)) return {};
        linear.kind = Kind::Compare;
        linear.comparison = comparison->comparison;
        return linear;
    }
    if (name.starts_with("cvt.")) {
        const std::optional<Type> to = typeOf(name.substr(4));
        if (!to) return {};
        linear.kind = to->is64 == linear.is64 ? Kind::Move : to->is64 ? Kind::Widen : Kind::Narrow;
        return linear;
    }
    return {};
}

}  // namespace lockstep::simt
