// No value is compared to find out where it came from: on zeros, ones and NaN every kernel has the same
// pictures of its data's paths as on numbers that differ, but for the numbers themselves.
#include "explain/numbers.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace lockstep::viz {
namespace {

// All texts are equally wide: how long a number is moves nothing.
class EqualWidths final : public TextMetrics {
public:
    f32 width(std::string_view, f32 size, Face) const override { return 3 * size; }
};

template <class T> void fill(Buffer& buffer, T value) {
    for (T& element : buffer.as<T>())
        element = value;
}
void fill(Buffer& buffer, f64 value) {
    if (std::isnan(value) && !explain::isFloatElement(buffer.type)) return;
    switch (buffer.type) {
        case ElementType::F32: return fill<f32>(buffer, f32(value));
        case ElementType::F64: return fill<f64>(buffer, value);
        case ElementType::I32: return fill<s32>(buffer, s32(value));
        case ElementType::U32: return fill<u32>(buffer, u32(value));
        case ElementType::I64: return fill<s64>(buffer, s64(value));
        default: break;
    }
}

Expected<run::Run> runOn(const catalog::Family& family, const catalog::Variant& variant,
                         std::optional<f64> value) {
    const Expected<catalog::Values> values = catalog::resolve(family, variant, {});
    if (!values) return Unexpected{values.error()};
    Expected<run::Experiment> experiment = run::open({LOCKSTEP_SOURCE_DIR}, family, variant, *values);
    if (!experiment) return Unexpected{experiment.error()};
    if (value)
        for (Buffer& buffer : experiment->buffers)
            fill(buffer, *value);
    run::Options options;
    options.backend = "emulator";
    options.caches = run::Caches::Off;
    return run::run(std::move(*experiment), options);
}

// Whether both did the same, instruction by instruction and address by address: data of some kernels are
// indices, or say which way to go.
bool wentTheSameWay(const trace::FocusBlock& a, const trace::FocusBlock& b) {
    for (u32 w = 0; w < a.warps.size(); ++w) {
        const trace::WarpTrace &one = a.warps[w], &other = b.warps[w];
        if (one.steps.size() != other.steps.size() || one.accesses.size() != other.accesses.size())
            return false;
        for (u32 s = 0; s < one.steps.size(); ++s)
            if (one.steps[s].pc != other.steps[s].pc || one.steps[s].active != other.steps[s].active ||
                one.steps[s].order != other.steps[s].order)
                return false;
        for (u32 i = 0; i < one.accesses.size(); ++i)
            for (const Lane lane : one.accesses[i].active)
                if (one.address(one.accesses[i], lane) != other.address(other.accesses[i], lane))
                    return false;
    }
    return true;
}

bool isSame(const Stroke& a, const Stroke& b) {
    return a.role == b.role && a.width == b.width && a.dash == b.dash;
}
// All but the words, and their size, which is what there is room for.
bool isSame(const Mark& a, const Mark& b) {
    return std::visit(
        [](const auto& one, const auto& other) {
            using T = std::decay_t<decltype(one)>;
            if constexpr (!std::is_same_v<T, std::decay_t<decltype(other)>>)
                return false;
            else if constexpr (std::is_same_v<T, RectMark>)
                return one.rect == other.rect && one.fill == other.fill && one.hatch == other.hatch &&
                       isSame(one.stroke, other.stroke);
            else if constexpr (std::is_same_v<T, LineMark>)
                return one.from == other.from && one.to == other.to && one.arrow == other.arrow &&
                       isSame(one.stroke, other.stroke);
            else if constexpr (std::is_same_v<T, CurveMark>)
                return one.points == other.points && one.arrow == other.arrow &&
                       isSame(one.stroke, other.stroke);
            else if constexpr (std::is_same_v<T, PolygonMark>)
                return one.points == other.points && one.fill == other.fill;
            else if constexpr (std::is_same_v<T, TextMark>)
                return one.role == other.role;
            else
                return one.rect == other.rect;
        },
        a, b);
}
// Of the first mark that differs; none: none does.
std::optional<std::size_t> firstDifference(const Scene& a, const Scene& b) {
    for (std::size_t i = 0; i < std::min(a.marks.size(), b.marks.size()); ++i)
        if (!isSame(a.marks[i], b.marks[i])) return i;
    return a.marks.size() == b.marks.size() ? std::nullopt
                                            : std::optional(std::min(a.marks.size(), b.marks.size()));
}

std::vector<Cursor> cursorsIn(const trace::FocusBlock& block) {
    constexpr u32 kSteps = 3;
    std::vector<Cursor> cursors;
    for (const u32 w : {u32{0}, u32(block.warps.size() - 1)})
        for (u32 i = 0; i < kSteps; ++i)
            cursors.push_back({.launch = block.launch,
                               .block = block.block,
                               .warp = Warp{w},
                               .lane = Lane{i % explain::lanesOf(block, Warp{w})},
                               .step = u32(block.warps[w].steps.size() * (2 * i + 1) / (2 * kSteps))});
    return cursors;
}

// A variant on its own data and on equal ones.
class Compared {
public:
    Compared(const catalog::Family& family, const catalog::Variant& variant, const run::Run& run)
        : name_(family.name + "/" + variant.name), run_(run) {
        for (const f64 value : {0.0, 1.0, std::numeric_limits<f64>::quiet_NaN()}) {
            Expected<run::Run> equal = runOn(family, variant, value);
            EXPECT_TRUE(equal) << describe(equal.error());
            if (!equal) continue;
            others_.push_back({fmt::format("{} on {}", name_, value), std::move(*equal), {}});
        }
        const std::size_t blocks = run.recording.trace.blocks.size();
        for (std::size_t b = 0; b < blocks; b += std::max<std::size_t>(1, blocks - 1))
            compare(b);
    }
    u32 pictures = 0;
    std::set<std::string> steered;  // where data say which way to go

private:
    struct Other {
        std::string name;
        run::Run run;
        ViewCache kept;
    };
    void compare(std::size_t b) {
        const trace::FocusBlock& block = run_.recording.trace.blocks[b];
        std::vector<Other*> comparable;
        for (Other& other : others_) {
            other.kept = {};
            if (wentTheSameWay(block, other.run.recording.trace.blocks.at(b)))
                comparable.push_back(&other);
            else
                steered.insert(name_);
        }
        ViewCache kept;
        for (const Cursor& cursor : cursorsIn(block)) {
            const Scene picture = pictureOf(run_, cursor, kept);
            for (Other* other : comparable) {
                ++pictures;
                const auto difference = firstDifference(picture, pictureOf(other->run, cursor, other->kept));
                EXPECT_FALSE(difference) << other->name << ", block " << b << ", warp " << cursor.warp.value
                                         << ", step " << cursor.step << ": mark " << *difference;
            }
        }
    }
    Scene pictureOf(const run::Run& run, const Cursor& cursor, ViewCache& kept) const {
        return findView("stage")->build({.run = run,
                                         .cursor = cursor,
                                         .profile = run.profile,
                                         .size = {1000, 640},
                                         .metrics = metrics_,
                                         .cache = &kept});
    }

    std::string name_;
    const run::Run& run_;
    std::vector<Other> others_;
    EqualWidths metrics_;
};

TEST(EqualValues, HaveThePathsOfDistinctOnes) {
    const Expected<catalog::Catalog> catalog =
        catalog::Catalog::read(run::Resources{LOCKSTEP_SOURCE_DIR}.kernels());
    ASSERT_TRUE(catalog) << describe(catalog.error());
    u32 pictures = 0;
    std::set<std::string> steered;
    for (const catalog::Family& family : catalog->families())
        for (const catalog::Variant& variant : family.variants) {
            const Expected<run::Run> run = runOn(family, variant, {});
            if (!run) continue;  // one asks for more shared memory than there is
            Compared compared(family, variant, *run);
            pictures += compared.pictures;
            steered.merge(compared.steered);
        }
    EXPECT_GT(pictures, 1500u);
    EXPECT_EQ(steered, (std::set<std::string>{"banks/histogram", "banks/histogram-interleaved",
                                              "banks/histogram-padded", "banks/histogram-private",
                                              "coalescing/scattered", "reduction/single-pass"}))
        << "indices, and a counter that has to begin at 0";
}

}  // namespace
}  // namespace lockstep::viz
