// What an access is said to do: a load reads, a store writes, an atomic updates; and what the values below
// the code are called.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lockstep::witness {
namespace {

using trace::AccessKind, trace::Space;

struct Verb {
    std::string_view en, zh;
    std::initializer_list<AccessKind> kinds;
};
const std::array<Verb, 3> kVerbs{{{"reads", "读取", {AccessKind::Load}},
                                  {"writes", "写入", {AccessKind::Store}},
                                  {"updates", "原子更新", {AccessKind::Atomic, AccessKind::Reduction}}}};

bool isOf(const Verb& verb, AccessKind kind) {
    return kind == AccessKind::AsyncCopy || std::ranges::find(verb.kinds, kind) != verb.kinds.end();
}

}  // namespace

std::optional<AccessKind> Reader::kindAt(u32 warp, u32 step) const {
    if (warp >= block_.block().warps.size() || step >= traceOf(warp).steps.size()) return std::nullopt;
    const u32 access = traceOf(warp).steps[step].access;
    if (access == trace::Step::kNone) return std::nullopt;
    return traceOf(warp).accesses[access].kind;
}

// "Warp 1, lane 3 reads it at step 40.", "warp 0 writes it now with lanes 0–7", "Lane 3, thread 3 reads
// in[3] = 1.0.", "Warp 0 (8 of its 32 lanes) updates 3 words of counts ...": of the step that it names, or
// the cursor's.
void Reader::verbText(const Said& said) {
    const u32 own = cursor_.warp.value;
    for (const Verb& verb : kVerbs) {
        const auto form = [&](std::string_view en, std::string_view zh) {
            return is(fmt::format(fmt::runtime(en), verb.en), fmt::format(fmt::runtime(zh), verb.zh));
        };
        std::optional<AccessKind> kind;
        if (said.isHover && form("*Warp #, lane # {} it at step #*", "*线程束 # 的通道 # 在第 # 步{}它*")) {
            if (const Token *warp = firstId("warp"), *step = firstId("step"); warp && step)
                kind = kindAt(scope_.warp.value_or(u32(warp->value)), u32(step->value) - 1);
            if ((contains(text_, "lane") && text_.rfind("arp ") != text_.find("arp ")) ||
                text_.rfind("线程束") != text_.find("线程束"))
                continue;  // of two warps
        } else if (form("*arp # {} it now (lane*", "*线程束 # 正在{}（*") ||
                   form("Lane #, thread * {} *", "通道 #，线程 * {} *")) {
            // Sectors shows the next access of global memory where the cursor's is none.
            if (picture_.view != "sectors" || (access_ && access_->space == Space::Global))
                kind = kindAt(own, cursor_.step);
        } else if ((said.isSentence || !said.isHover) &&
                   (form("*Warp # {} *", "*线程束 #{} *") ||
                    form("*Warp # (# of its # lanes) {} *", "*线程束 #（# 个通道中的 # 个）{} *"))) {
            const bool isElsewhere = says(text_, {" that does is at step ", "一次在第 "});
            kind = isElsewhere && scope_.step ? kindAt(own, *scope_.step)
                   : isElsewhere              ? std::nullopt
                                              : kindAt(own, cursor_.step);
        }
        if (kind && !isOf(verb, *kind))
            fail(said, english() ? verb.en : verb.zh,
                 fmt::format("it {}", *kind == AccessKind::Load    ? "loads"
                                      : *kind == AccessKind::Store ? "stores"
                                                                   : "is an atomic"));
    }
}

// The rows of values at the cursor: of an atomic its operands, and what it found and left where somebody asks
// for that.
void Reader::valueRows() {
    const std::array<std::pair<std::string_view, std::string_view>, 7> names{
        {{"reads", "读到"},
         {"writes", "写入"},
         {"operand", "操作数"},
         {"compares with", "比较值"},
         {"stores if equal", "相等则写入"},
         {"old value", "旧值"},
         {"new value", "新值"}}};
    const auto address = head({english() ? "address" : "地址"});
    if (!address || !access_) return;
    const bool isCas = contains(run_.run().module->textOf(access_->pc), ".cas");
    std::vector<std::size_t> wanted;
    switch (access_->kind) {
        case AccessKind::Store: wanted = {1}; break;
        case AccessKind::Reduction: wanted = {2}; break;
        case AccessKind::Atomic:
            wanted = isCas ? std::vector<std::size_t>{3, 4, 5, 6} : std::vector<std::size_t>{2, 5, 6};
            break;
        default: wanted = {0};
    }
    std::vector<std::size_t> there;
    const Said* last = address->said;
    for (const Said& said : picture_.texts) {
        if (said.isHover || said.isSentence || said.isCaption || said.top < address->top + 4 ||
            std::fabs(said.left - address->said->left) > 1)
            continue;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (said.text == (english() ? names[i].first : names[i].second)) there.push_back(i), last = &said;
    }
    if (there != wanted) fail(*last, last->text, "the values of this access are called otherwise");
}

}  // namespace lockstep::witness
