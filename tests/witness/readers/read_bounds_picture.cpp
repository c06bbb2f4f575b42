// The bars of the bounds: what stands beside them, and the notes below, where there has to be one.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

// The largest bound is one, and does not say that a run took as long: it may be far slower.
void Reader::boundsPicture() {
    const Said* title = nullptr;
    for (const Said& said : picture_.texts)
        if (!said.isHover && said.text.starts_with(english() ? "Lower bounds: the least time each resource "
                                                             : "下界：每种资源完成"))
            title = &said;
    if (!title || !largestBound_) return;
    const std::vector<Bound> all = bounds();
    const auto rowOf = [&](const Said& said) -> const Bound* {
        for (const Bound& bound : all)
            for (const Said& name : picture_.texts)
                if (!name.isHover && name.text == (english() ? bound.en : bound.zh) &&
                    std::fabs(name.top - said.top) < 4 && name.left + 40 < said.left)
                    return &bound;
        return nullptr;
    };
    for (const Said& said : picture_.texts) {
        if (said.isHover || said.isSentence || said.isCaption || said.top < title->top ||
            said.face != viz::Face::Text || said.left < title->left + 60)
            continue;
        const Bound* bound = rowOf(said);
        if (!bound) continue;
        const f64 most = 1e3 * bound->most / bound->perSecond;
        if (said.text !=
            (english() ? "the lower bound: the kernel cannot take less" : "下界：用时不可能比它更短"))
            fail(said, said.text, "a bound says how long it takes at least, and nothing else");
        else if (most < *largestBound_ * 0.99)
            fail(said, said.text, "it is not the largest one");
    }
    const auto isSaid = [&](std::string_view en, std::string_view zh) {
        return std::ranges::any_of(picture_.texts, [&](const Said& said) {
            return !said.isHover && said.top > title->top && said.text.starts_with(english() ? en : zh);
        });
    };
    const model::Profile& profile = run_.run().profile;
    u64 blocks = 0, warps = 0;
    for (const Launch& launch : run_.run().recording.launches)
        if (launch.grid.count() > blocks)
            blocks = launch.grid.count(), warps = blocks * ((launch.block.count() + 31) / 32);
    if (blocks < profile.multiprocessors &&
        !isSaid("The bounds for arithmetic, shared memory and instruction issue assume ",
                "运算、共享内存和指令发射的下界按 "))
        fail(*title, "bounded for", fmt::format("not said that {} blocks leave SMs idle", blocks));
    // A time of one card says nothing against the bounds of another.
    const bool isItsCard = std::ranges::any_of(w_.world_.machines, [&](const run::RecordedMachine& machine) {
        return machine.recording.computeCapability == fmt::format("{}.{}", profile.major, profile.minor);
    });
    const run::RecordedRun* recorded = recordedOf(w_.world_, run_.run());
    if (isItsCard && recorded && recorded->measured.timing &&
        recorded->measured.timing->kernel.median > 2.03 * *largestBound_ &&
        warps < u64{profile.multiprocessors} * profile.warpsPerSm &&
        !isSaid("The grid has only ", "网格只有 "))
        fail(*title, "too few", fmt::format("not said why it is slower: {} warps", warps));
    // An empty kernel takes 3300 clocks of 1980 MHz.
    if (isItsCard && profile.name == "cc90" && recorded && recorded->measured.timing &&
        recorded->measured.timing->kernel.median > 2.03 * *largestBound_ &&
        f64(run_.run().recording.launches.size()) * 3300 / 1980e3 >
            0.202 * recorded->measured.timing->kernel.median &&
        !isSaid("The bound leaves out ", "这个下界不含"))
        fail(*title, "leaves out", "not said that launching is part of the time");
}

}  // namespace lockstep::witness
