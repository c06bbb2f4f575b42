// From level to level the sectors of the memory view add up: where they do not, words have to say why.
#include "witness/readers/memory_levels.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::witness {

void Reader::levelsAddUp() {
    const auto& caches = run_.run().caches;
    const auto title = head({"Memory tables: L1, L2 and device memory", "内存表：L1、L2 与设备内存"});
    if (!caches || !title) return;
    const model::CacheCounts& c = *caches;
    const u64 sent = c.loads - c.loadHits + c.localLoads - c.localLoadHits,
              stored = run_.of(Space::Global, AccessKind::Store).sectors + c.localStores,
              changed = c.l2Writes + run_.of(Space::Global, AccessKind::Atomic).sectors +
                        run_.of(Space::Global, AccessKind::Reduction).sectors;
    struct Between {
        Name row;
        u64 before, here;
        Name whole, brief;  // what is said where the two differ
        bool onlyWhole = false;
    };
    const std::array<Between, 5> all{{
        {{"L2, reads", "L2，读取"},
         sent,
         c.l2Reads,
         {" missed in L1 while a request for the same sector was outstanding", " 个因同一扇区已有请求在途"},
         {" merged with an outstanding request", " 个与在途的请求归并"}},
        {{"L2, reads", "L2，读取"},
         c.l2ReadHits + c.l2ReadMisses,
         c.l2Reads,
         {" fetched only because the neighboring ", " 个只是因为相邻的扇区被请求而顺带读来的"},
         {},
         true},
        {{"L2, writes", "L2，写入"},
         stored,
         c.l2Writes,
         {" merged with an earlier store to the same sector, still pending", " 个与先前尚未完成的"},
         {" merged with an earlier store to the same sector", " 个与先前对同一扇区的写入归并"}},
        {{"Device memory, reads", "设备内存，读取"},
         c.l2ReadMisses,
         c.dramReads,
         {" of the predicted sectors do not come from the kernel's own loads: ", " 个与核函数的读取无关："},
         {" more than L2 read misses: ", "比 L2 读未命中多 "}},
        {{"Device memory, writes", "设备内存，写入"},
         changed,
         c.dramWrites,
         {" reached device memory before the launch ended", " 个到达设备内存"},
         {" are still in L2: written back later", " 个仍在 L2 中，以后才写回"}},
    }};
    const bool isEnglish = english();
    const auto in = [&](const Name& name) { return isEnglish ? name.en : name.zh; };
    for (const Between& between : all) {
        if (between.before == between.here) continue;
        const auto row = std::ranges::find_if(picture_.texts, [&](const Said& said) {
            return !said.isHover && said.top > title->top && said.left < 60 && said.text == in(between.row);
        });
        if (row == picture_.texts.end()) continue;
        const std::string why =
            fmt::format("from {} to {}, and nothing says why", between.before, between.here);
        const auto tells = [&](const Said& said) {
            return contains(said.text, in(between.whole)) ||
                   (!between.onlyWhole && contains(said.text, in(between.brief)));
        };
        const bool isDrawn = std::ranges::any_of(
            picture_.texts, [&](const Said& said) { return !said.isHover && tells(said); });
        if (!isDrawn && !between.onlyWhole) fail(*row, row->text, why);
        for (const Said& said : picture_.texts)
            if (said.isHover && !tells(said) &&
                said.text.starts_with(std::string(in(between.row)) + (isEnglish ? ". " : "。")))
                fail(said, row->text, why);
    }
}

}  // namespace lockstep::witness
