// The strip below the stage of a warp with atomics: how many lanes meet at how many addresses, and which
// lanes they are.
#include "witness/readers/reader.h"

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

namespace {

bool exchanges(std::string_view form) {
    for (const std::string_view begin : {"shfl.", "vote.", "match.", "redux."})
        if (form.starts_with(begin)) return true;
    return false;
}

}  // namespace

// The cursor's step, or the next one at which several lanes update memory or exchange values; else the last.
std::optional<u32> Reader::stripStep() const {
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    std::optional<u32> found;
    for (u32 s = 0; s < warp.steps.size(); ++s) {
        const trace::Step& step = warp.steps[s];
        const bool isAtomic = step.access != trace::Step::kNone && step.active.count() > 1 &&
                              trace::isAtomic(warp.accesses[step.access].kind);
        if (!isAtomic && (step.active.empty() || !exchanges(run_.run().module->at(step.pc).form))) continue;
        found = s;
        if (s >= cursor_.step) break;
    }
    return found;
}

const Said* Reader::queueTitle() const {
    for (const Said& said : picture_.texts)
        if (!said.isHover && !said.isSentence && !said.isCaption && contains(said.text, "atomic") &&
            (contains(said.text, " address") || contains(said.text, "地址")))
            return &said;
    return nullptr;
}

bool Reader::queueText(const Said& said) {
    const Said* title = queueTitle();
    const std::optional<u32> at = title ? stripStep() : std::nullopt;
    if (!at || said.isSentence || said.isCaption) return false;
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    if (warp.steps[*at].access == trace::Step::kNone) return false;
    const trace::StoredAccess& access = warp.accesses[warp.steps[*at].access];
    std::map<u64, std::set<u32>> queues;
    std::size_t most = 0;
    for (const Lane lane : access.active) {
        std::set<u32>& queue = queues[warp.address(access, lane)];
        queue.insert(lane.value);
        most = std::max(most, queue.size());
    }
    const bool isTitle = said.text == title->text;
    if (isTitle) {
        std::vector<std::optional<f64>> wanted;
        const bool isNext = says(text_, {"Next, at step", "下一次，"}),
                   isPrevious = says(text_, {"Previous, at step", "上一次，"});
        if ((isNext && *at <= cursor_.step) || (isPrevious && *at >= cursor_.step) ||
            (!isNext && !isPrevious && *at != cursor_.step))
            fail(said, text_, "the atomic stands elsewhere");
        if (isNext || isPrevious) wanted.push_back(f64(*at + 1));
        wanted.push_back(f64(access.active.count()));
        if (queues.size() > 1 && most > 1) wanted.push_back(f64(queues.size())), wanted.push_back(f64(most));
        if (queues.size() == 1 ? !says(text_, {"one address, one after another", "同一地址，依次进行"})
            : most == 1 ? !says(text_, {"its own address", "各访问自己的地址"})
                        : wanted.size() != tokens_->size())
            fail(said, text_, "so many lanes meet elsewhere");
        expectAll(said, wanted);
        return true;
    }
    // Behind the last row: those that have none. The fullest come first.
    if (is("# more address* with # lane*", "另有 # 个地址，共 # 个通道")) {
        std::vector<std::size_t> sizes;
        for (const auto& [address, queue] : queues)
            sizes.push_back(queue.size());
        std::ranges::sort(sizes);
        const std::size_t more = std::size_t(tokens_->front().value);
        std::optional<f64> lanes;
        if (more < sizes.size()) {
            u64 sum = 0;
            for (std::size_t i = 0; i < more; ++i)
                sum += sizes[i];
            lanes = f64(sum);
        }
        expectAll(said, {more < sizes.size() ? std::optional(f64(more)) : std::nullopt, lanes});
        return true;
    }
    // Below the title: rows, each with the name of its element at the left.
    if (said.isHover || said.top <= title->top + 2) return false;
    const Said* name = nullptr;
    for (const Said& other : picture_.texts)
        if (!other.isHover && std::fabs(other.top - said.top) < 6 && other.left < said.left &&
            (!name || other.left < name->left))
            name = &other;
    const std::vector<Token> named = name ? tokensOf(name->text) : std::vector<Token>();
    if (named.size() != 1 || named[0].kind != Token::Kind::Element) return false;
    const Array* array = run_.array(named[0].name, cursor_.launch);
    const std::optional<u64> address = array ? run_.addressOf(*array, named[0].indices) : std::nullopt;
    const auto queue = address ? queues.find(*address) : queues.end();
    if (queue == queues.end()) return fail(said, name->text, "no lane updates this element"), true;
    if (is("# lane*", "# 个通道*")) {
        expectAll(said, {f64(queue->second.size())});
        return true;
    }
    if (text_.starts_with('+')) {  // those between that have no room
        u32 drawn = 0;
        for (const Said& other : picture_.texts)
            drawn += !other.isHover && std::fabs(other.top - said.top) < 6 && other.left > name->left &&
                     other.leadsTo.has_value();
        expectAll(said, {f64(queue->second.size() - drawn)});
        return true;
    }
    if (!said.leadsTo) return false;
    expectAll(said, {f64(said.leadsTo->lane.value)});
    if (!queue->second.contains(said.leadsTo->lane.value)) fail(said, text_, "another lane's element");
    return true;
}

}  // namespace lockstep::witness
