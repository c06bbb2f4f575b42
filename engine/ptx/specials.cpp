// Names of the special registers.
#include "ptx/specials.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lockstep::ptx {
namespace {

struct SpecialRow {
    std::string_view name;
    Type type = Type::U32;
};

// In the order of Special.
constexpr std::array kSpecials = std::to_array<SpecialRow>({
    {"%tid.x"},
    {"%tid.y"},
    {"%tid.z"},
    {"%ntid.x"},
    {"%ntid.y"},
    {"%ntid.z"},
    {"%ctaid.x"},
    {"%ctaid.y"},
    {"%ctaid.z"},
    {"%nctaid.x"},
    {"%nctaid.y"},
    {"%nctaid.z"},
    {"%laneid"},
    {"%warpid"},
    {"%nwarpid"},
    {"%smid"},
    {"%nsmid"},
    {"%gridid", Type::U64},
    {"%lanemask_eq"},
    {"%lanemask_le"},
    {"%lanemask_lt"},
    {"%lanemask_ge"},
    {"%lanemask_gt"},
    {"%clock"},
    {"%clock_hi"},
    {"%clock64", Type::U64},
    {"%globaltimer", Type::U64},
    {"%globaltimer_lo"},
    {"%globaltimer_hi"},
    {"%dynamic_smem_size"},
    {"%total_smem_size"},
    {"%clusterid.x"},
    {"%cluster_ctarank"},
    {"%cluster_nctarank"},
    {"%clusterid.y"},
    {"%clusterid.z"},
    {"%nclusterid.x"},
    {"%nclusterid.y"},
    {"%nclusterid.z"},
    {"%cluster_ctaid.x"},
    {"%cluster_ctaid.y"},
    {"%cluster_ctaid.z"},
    {"%cluster_nctaid.x"},
    {"%cluster_nctaid.y"},
    {"%cluster_nctaid.z"},
    {"%is_explicit_cluster", Type::Pred},
    {"%reserved_smem_offset_begin"},
    {"%reserved_smem_offset_end"},
    {"%reserved_smem_offset_cap"},
    {"%reserved_smem_offset_0"},
    {"%reserved_smem_offset_1"},
    {"%envreg1"},
    {"%envreg2"},
    {"%aggr_smem_size"},
});
static_assert(kSpecials.size() == std::size_t(Special::AggregateSharedSize) + 1);

}  // namespace

std::string_view nameOf(Special special) { return kSpecials[std::size_t(special)].name; }
Type typeOf(Special special) { return kSpecials[std::size_t(special)].type; }

// PTX ISA 9.0, "Special Registers": performance counters, and what a driver may set.
bool isForeignSpecial(std::string_view name) {
    constexpr std::array kNumbered{std::pair<std::string_view, u32>{"%pm", 8},
                                   std::pair<std::string_view, u32>{"%envreg", 32}};
    if (name == "%current_graph_exec") return true;
    for (const auto& [stem, count] : kNumbered) {
        if (!name.starts_with(stem)) continue;
        std::string_view digits = name.substr(stem.size());
        if (stem == "%pm" && digits.ends_with("_64")) digits.remove_suffix(3);
        u32 number = count;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return error == std::errc{} && end == digits.data() + digits.size() && number < count &&
               !findSpecial(name);
    }
    return false;
}

std::optional<Special> findSpecial(std::string_view name) {
    for (std::size_t i = 0; i < kSpecials.size(); ++i)
        if (kSpecials[i].name == name) return Special(i);
    return std::nullopt;
}

}  // namespace lockstep::ptx
