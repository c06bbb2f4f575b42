#include "ptx/modifiers.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lockstep::ptx {
namespace {

// What a modifier sets in Modifiers, and whether it belongs to the form.
enum class Kind : u8 {
    Rounding,
    Comparison,
    Boolean,
    Atomic,
    Scope,
    Ordering,
    Space,
    Vector,
    Ftz,
    Sat,
    Sync,
    Carry,
    To,
    Uniform,
    NonCoherent,
    Dropped,  // changes nothing here: cache operators, .aligned
    Plain,    // part of the form and nothing else
};

struct Row {
    std::string_view name;
    Kind kind;
    u8 value = 0;
};

constexpr u8 v(auto value) { return u8(value); }

constexpr auto kComparisons = std::to_array<Row>({
    {"eq", Kind::Comparison, v(Comparison::Eq)},   {"ne", Kind::Comparison, v(Comparison::Ne)},
    {"lt", Kind::Comparison, v(Comparison::Lt)},   {"le", Kind::Comparison, v(Comparison::Le)},
    {"gt", Kind::Comparison, v(Comparison::Gt)},   {"ge", Kind::Comparison, v(Comparison::Ge)},
    {"lo", Kind::Comparison, v(Comparison::Lo)},   {"ls", Kind::Comparison, v(Comparison::Ls)},
    {"hi", Kind::Comparison, v(Comparison::Hi)},   {"hs", Kind::Comparison, v(Comparison::Hs)},
    {"equ", Kind::Comparison, v(Comparison::Equ)}, {"neu", Kind::Comparison, v(Comparison::Neu)},
    {"ltu", Kind::Comparison, v(Comparison::Ltu)}, {"leu", Kind::Comparison, v(Comparison::Leu)},
    {"gtu", Kind::Comparison, v(Comparison::Gtu)}, {"geu", Kind::Comparison, v(Comparison::Geu)},
    {"num", Kind::Comparison, v(Comparison::Num)}, {"nan", Kind::Comparison, v(Comparison::Nan)},
    {"and", Kind::Boolean, v(BooleanOp::And)},     {"or", Kind::Boolean, v(BooleanOp::Or)},
    {"xor", Kind::Boolean, v(BooleanOp::Xor)},
});

constexpr auto kAtomics = std::to_array<Row>({
    {"add", Kind::Atomic, v(AtomicOp::Add)},
    {"min", Kind::Atomic, v(AtomicOp::Min)},
    {"max", Kind::Atomic, v(AtomicOp::Max)},
    {"and", Kind::Atomic, v(AtomicOp::And)},
    {"or", Kind::Atomic, v(AtomicOp::Or)},
    {"xor", Kind::Atomic, v(AtomicOp::Xor)},
    {"exch", Kind::Atomic, v(AtomicOp::Exch)},
    {"cas", Kind::Atomic, v(AtomicOp::Cas)},
    {"inc", Kind::Atomic, v(AtomicOp::Inc)},
    {"dec", Kind::Atomic, v(AtomicOp::Dec)},
});

constexpr auto kCommon = std::to_array<Row>({
    {"rn", Kind::Rounding, v(Rounding::Rn)},
    {"rz", Kind::Rounding, v(Rounding::Rz)},
    {"rm", Kind::Rounding, v(Rounding::Rm)},
    {"rp", Kind::Rounding, v(Rounding::Rp)},
    {"rna", Kind::Rounding, v(Rounding::Rna)},
    {"rni", Kind::Rounding, v(Rounding::Rni)},
    {"rzi", Kind::Rounding, v(Rounding::Rzi)},
    {"rmi", Kind::Rounding, v(Rounding::Rmi)},
    {"rpi", Kind::Rounding, v(Rounding::Rpi)},
    {"rs", Kind::Rounding, v(Rounding::Rs)},
    {"global", Kind::Space, v(StateSpace::Global)},
    {"shared", Kind::Space, v(StateSpace::Shared)},
    {"shared::cta", Kind::Space, v(StateSpace::Shared)},
    {"shared::cluster", Kind::Space, v(StateSpace::Shared)},
    {"local", Kind::Space, v(StateSpace::Local)},
    {"const", Kind::Space, v(StateSpace::Const)},
    {"param", Kind::Space, v(StateSpace::Param)},
    {"param::entry", Kind::Space, v(StateSpace::Param)},
    {"param::func", Kind::Space, v(StateSpace::Param)},
    {"cta", Kind::Scope, v(Scope::Cta)},
    {"cluster", Kind::Scope, v(Scope::Cluster)},
    {"gpu", Kind::Scope, v(Scope::Gpu)},
    {"gl", Kind::Scope, v(Scope::Gpu)},
    {"sys", Kind::Scope, v(Scope::Sys)},
    {"weak", Kind::Ordering, v(Ordering::Weak)},
    {"relaxed", Kind::Ordering, v(Ordering::Relaxed)},
    {"acquire", Kind::Ordering, v(Ordering::Acquire)},
    {"release", Kind::Ordering, v(Ordering::Release)},
    {"acq_rel", Kind::Ordering, v(Ordering::AcqRel)},
    {"sc", Kind::Ordering, v(Ordering::SeqCst)},
    {"volatile", Kind::Ordering, v(Ordering::Volatile)},
    {"v2", Kind::Vector, 2},
    {"v4", Kind::Vector, 4},
    {"v8", Kind::Vector, 8},
    {"ftz", Kind::Ftz},
    {"sat", Kind::Sat},
    {"sync", Kind::Sync},
    {"cc", Kind::Carry},
    {"to", Kind::To},
    {"uni", Kind::Uniform},
    {"nc", Kind::NonCoherent},
    {"aligned", Kind::Dropped},
    {"mmio", Kind::Dropped},
    {"ca", Kind::Dropped},
    {"cg", Kind::Dropped},
    {"cs", Kind::Dropped},
    {"lu", Kind::Dropped},
    {"cv", Kind::Dropped},
    {"wb", Kind::Dropped},
    {"wt", Kind::Dropped},
    {"L1", Kind::Dropped},
    {"L2", Kind::Dropped},
});

// Part of the form and nothing else, opcode by opcode: what would be misread if it were left out.
constexpr auto kPlain = std::to_array<std::string_view>({
    "wide",
    "lo",
    "hi",
    "approx",
    "full",
    "relu",
    "NaN",
    "xorsign",
    "abs",
    "satfinite",
    "noftz",
    "pack",  // arithmetic, cvt
    "finite",
    "infinite",
    "number",
    "notanumber",
    "normal",
    "subnormal",  // testp
    "shiftamt",
    "shift",
    "clamp",
    "wrap",
    "l",
    "r",
    "f4e",
    "b4e",
    "rc8",
    "ecl",
    "ecr",
    "rc16",
    "mode",  // bits
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "add",
    "min",
    "max",
    "and",
    "or",
    "xor",
    "inc",
    "dec",
    "po",
    "shr7",
    "shr15",
    "up",
    "down",
    "bfly",
    "idx",
    "all",
    "any",
    "ballot",
    "pred",
    "arrive",
    "red",
    "popc",
    "warp",
    "wait",  // warp, bar
    "async",
    "commit_group",
    "wait_group",
    "wait_all",
    "mbarrier",
    "noinc",
    "bulk",
    "bulk_group",
    "read",
    "reduce",
    "prefetch",
    "tensor",
    "1d",
    "2d",
    "3d",
    "4d",
    "5d",
    "tile",
    "im2col",
    "im2col_no_offs",
    "multicast::cluster",
    "mbarrier::complete_tx::bytes",
    "init",
    "inval",
    "expect_tx",
    "complete_tx",
    "arrive_drop",
    "noComplete",
    "test_wait",
    "try_wait",
    "parity",
    "pending_count",
    "trans",
    "row",
    "col",
    "load",
    "store",
    "mma",
    "a",
    "b",
    "c",
    "d",  // matrices
    "x1",
    "x2",
    "x4",
    "sp",
    "sp::ordered_metadata",
    "b1",
    "s4",
    "u4",
    "unified",
    "proxy",
    "alias",
    "tensormap",
    "tensormap::generic",
    "generic",
    "mbarrier_init",
    "sync_restrict::shared::cta",
    "sync_restrict::shared::cluster",
    "op_restrict",
    "to_proxy::async",
    "async.global",
    "async::generic",  // fences
    "launch_dependents",
    "fractional",
    "range",
    "mask",
    "u",
});

const Row* findIn(auto& rows, std::string_view name) {
    const auto found = std::ranges::find(rows, name, &Row::name);
    return found == rows.end() ? nullptr : &*found;
}

// m16n8k16, m8n8, m16n16: the shape of a matrix instruction.
bool isShape(std::string_view part) {
    std::size_t at = 0;
    for (char letter : {'m', 'n', 'k'}) {
        if (at == part.size()) return letter == 'k';
        if (part[at++] != letter) return false;
        const std::size_t digits = at;
        while (at < part.size() && part[at] >= '0' && part[at] <= '9')
            ++at;
        if (at == digits) return false;
    }
    return at == part.size();
}

std::optional<Row> find(std::string_view part, ModifierContext context) {
    const Row* row = nullptr;
    if (context == ModifierContext::Compares) row = findIn(kComparisons, part);
    if (context == ModifierContext::IsAtomic) row = findIn(kAtomics, part);
    if (!row) row = findIn(kCommon, part);
    if (row) return *row;
    if (part.starts_with("L1::") || part.starts_with("L2::") || part.starts_with("level::"))
        return Row{part, Kind::Dropped};
    if (std::ranges::find(kPlain, part) != kPlain.end() || isShape(part)) return Row{part, Kind::Plain};
    return std::nullopt;
}

void apply(const Row& row, Modifiers& m) {
    switch (row.kind) {
        case Kind::Rounding: m.rounding = Rounding(row.value); break;
        case Kind::Comparison: m.comparison = Comparison(row.value); break;
        case Kind::Boolean: m.boolean = BooleanOp(row.value); break;
        case Kind::Atomic: m.atomic = AtomicOp(row.value); break;
        case Kind::Scope: m.scope = Scope(row.value); break;
        case Kind::Ordering: m.ordering = Ordering(row.value); break;
        case Kind::Space:
            if (m.space == StateSpace::None) m.space = StateSpace(row.value);
            break;
        case Kind::Vector: m.vector = row.value; break;
        case Kind::Ftz: m.ftz = true; break;
        case Kind::Sat: m.sat = true; break;
        case Kind::Sync: m.sync = true; break;
        case Kind::Carry: m.carry = true; break;
        case Kind::To: m.to = true; break;
        case Kind::Uniform: m.uniform = true; break;
        case Kind::NonCoherent: m.nonCoherent = true; break;
        case Kind::Dropped:
        case Kind::Plain: break;
    }
}

// What the form keeps of a modifier; empty: nothing.
std::string_view kept(const Row& row, std::string_view part, bool keepsScope) {
    switch (row.kind) {
        case Kind::Scope: return keepsScope ? part : "";
        case Kind::Ordering:
        case Kind::Uniform:
        case Kind::NonCoherent:
        case Kind::Dropped: return "";
        case Kind::Space: return part == "shared::cluster" ? part : nameOf(StateSpace(row.value));
        default: return part;
    }
}

}  // namespace

bool ParsedModifiers::has(std::string_view part) const {
    return std::ranges::find(parts, part) != parts.end();
}

ParsedModifiers parseModifiers(std::string_view dotted, ModifierContext context, bool keepsScope) {
    ParsedModifiers result;
    while (!dotted.empty()) {
        dotted.remove_prefix(1);  // the dot
        const std::string_view part = dotted.substr(0, dotted.find('.'));
        dotted.remove_prefix(part.size());
        result.parts.push_back(part);

        std::string_view inForm = part;
        if (const Type type = findType(part); type != Type::None) {
            if (result.typeCount < result.types.size()) result.types[result.typeCount++] = type;
        } else if (const std::optional<Row> row = find(part, context)) {
            apply(*row, result.modifiers);
            inForm = kept(*row, part, keepsScope);
            result.cacheHint |= part == "L2::cache_hint";
        } else if (result.unknown.data() == nullptr) {
            result.unknown = part;
        }
        if (!inForm.empty()) (result.form += '.') += inForm;
    }
    return result;
}

}  // namespace lockstep::ptx
