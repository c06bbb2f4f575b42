// The stage of rounds whose places are threads, and what each thread puts together before.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::witness {

void Reader::takeThreadRounds() {
    const trace::FocusBlock* block = &block_.block();
    const auto [known, isNew] = w_.threadRounds_.try_emplace(block);
    if (isNew) known->second = threadRoundsOf(block_);
    const std::optional<Rounds>& threads = known->second;
    if (!threads) return;
    bool isWhole = rounds_ && rounds_->inRegisters == 0;
    if (isWhole) {
        u32 last = 0;
        for (const Rounds::Addition& a : rounds_->rounds.back())
            last = std::max(last, a.order);
        for (const trace::WarpTrace& warp : block->warps)
            for (const trace::Step& step : warp.steps)
                isWhole = isWhole && !(step.order > last && !step.active.empty() &&
                                       run_.run().module->at(step.pc).form.starts_with("shfl"));
    }
    if (!isWhole)
        rounds_ = *threads;
    else if (std::ranges::any_of(threads->own, [](const auto& own) { return own.second.size() > 1; }))
        rounds_->own = threads->own;
}

// The first that the cursor's warp has still to do once its own elements are together; where it has none
// left, any warp's.
std::optional<u32> Reader::roundOfThreads() {
    const Rounds* all = allRounds();
    for (const auto& [thread, order] : all->startsOf)
        if (thread / 32 == cursor_.warp.value && order >= this->order()) return std::nullopt;
    std::optional<u32> own, any;
    for (u32 r = 0; r < all->rounds.size(); ++r)
        for (const Rounds::Addition& a : all->rounds[r]) {
            if (a.order < order()) continue;
            if (!any) any = r;
            if (!own && a.warp == cursor_.warp.value) own = r;
        }
    return own ? own : any;
}

u64 Reader::takenBy(const std::vector<Rounds::Own>& own) const {
    return u64(std::ranges::count_if(own, [&](const Rounds::Own& o) { return o.order <= order(); }));
}

// "Thread 3 adds 16 elements of in, 128 apart; 5 of them so far.", by itself or at a sentence's end.
void Reader::ownText(const Said& said) {
    const Rounds* all = allRounds();
    const std::size_t begin = english() ? text_.rfind("Thread ") : text_.rfind("线程 ");
    if (begin == std::string::npos || !says(text_, {" of them so far.", "；已加 ", "；已合并 "}) ||
        !says(std::string_view(text_).substr(begin), {" adds ", " combines ", " 累加 ", " 合并 "}))
        return;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < tokens_->size(); ++i)
        if ((*tokens_)[i].begin >= begin) numbers.push_back(i);
    const auto own = all->own.find(cursor_.warp.value * 32 + cursor_.lane.value);
    if (own == all->own.end() || own->second.empty())
        return fail(said, text_.substr(begin), "it has no elements");
    const f64 taken = f64(takenBy(own->second)), count = f64(own->second.size()), thread = f64(own->first);
    std::vector<f64> wanted{thread, count};
    if (says(text_, {" apart; ", "，相隔 "})) {
        std::set<u64> places, distances;
        for (const Rounds::Own& o : own->second)
            places.insert(o.address);
        for (auto at = places.begin(); std::next(at) != places.end(); ++at)
            distances.insert(*std::next(at) - *at);
        const Array* array = nullptr;
        for (const Array& one : run_.arrays())
            if (one.has(trace::Space::Global, own->second.front().address)) array = &one;
        const u64 elements = array && distances.size() == 1 ? *distances.begin() / array->elementBytes : 0;
        wanted.push_back(elements > 0 ? f64(elements) : -1);
    }
    wanted.push_back(taken);
    if (numbers.size() != wanted.size()) return fail(said, text_.substr(begin), "other numbers");
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        done_[numbers[i]] = true;
        if ((*tokens_)[numbers[i]].value != wanted[i])
            fail(said, written((*tokens_)[numbers[i]]), fmt::format("it is {}", wanted[i]));
    }
}

// Left of the elements that threads put together: "in[i+128]", how far those of a turn lie from the threads'
// numbers, or "no. 3 of 8"; and "row 2", of the buffer that they lie in.
bool Reader::turnText(const Said& said) {
    const Rounds* all = allRounds();
    if (said.isHover || all->own.empty()) return false;
    std::size_t turns = 0;
    for (const auto& [thread, own] : all->own)
        turns = std::max(turns, own.size());
    if (is("no. # of #", "第 # 个，共 # 个")) {
        const f64 turn = tokens_->front().value;
        expectAll(said, {turn >= 1 && turn <= f64(turns) ? turn : -1, f64(turns)});
        done_.assign(done_.size(), true);
        return true;
    }
    if (is("row #", "第 # 行")) {
        const Array* array = nullptr;
        for (const auto& [thread, own] : all->own)
            for (const Array& one : run_.arrays())
                if (!own.empty() && one.has(trace::Space::Global, own.front().address)) array = &one;
        done_[0] = true;
        if (!array || array->shape.size() != 2 || tokens_->front().value >= f64(array->shape[0]))
            fail(said, said.text, "the buffer has no such row");
        return true;
    }
    if (!is("*[i+#]", "*[i+#]") && !is("*[i-#]", "*[i-#]")) return false;
    if (text_.starts_with("+ ")) return false;
    const f64 wanted = std::fabs(tokens_->back().value) * (contains(text_, "[i-") ? -1 : 1);
    bool found = false;
    for (std::size_t turn = 0; turn < turns; ++turn) {
        std::set<f64> offsets;
        for (const auto& [thread, own] : all->own)
            for (const Array& array : run_.arrays())
                if (turn < own.size() && array.has(trace::Space::Global, own[turn].address) &&
                    text_.starts_with(array.name + "[")) {
                    const u64 element = (own[turn].address - array.address) / array.elementBytes;
                    offsets.insert(f64(element) - f64(thread));
                }
        found = found || (offsets.size() == 1 && *offsets.begin() == wanted);
    }
    done_.assign(done_.size(), true);
    if (!found) fail(said, said.text, "in no turn");
    return true;
}

// Whether the text is one of these; its numbers are then traced, or have failed.
bool Reader::threadText(const Said& said) {
    const Rounds* all = allRounds();
    ownText(said);
    if (turnText(said)) return true;
    // "= 45": what the cursor's thread has so far.
    if (!said.isHover && is("= #", "= #")) {
        const auto own = all->own.find(cursor_.warp.value * 32 + cursor_.lane.value);
        const u64 taken = own == all->own.end() ? 0 : takenBy(own->second);
        done_[0] = true;
        if (taken == 0 || !agrees(tokens_->front(), own->second[taken - 1].sum))
            fail(said, said.text, "it has another sum");
        return true;
    }
    if (is("# per thread", "每个线程 # 个")) {
        std::set<std::size_t> counts;
        for (const auto& [thread, own] : all->own)
            counts.insert(own.size());
        expectAll(said, {counts.size() == 1 ? f64(*counts.begin()) : -1});
        return true;
    }
    if (is("Thread #: # of # element* so far.", "线程 #：# 个元素中已取 # 个。")) {
        const auto own = all->own.find(u64(tokens_->front().value));
        if (own == all->own.end()) return fail(said, said.text, "no such thread"), true;
        const f64 taken = f64(takenBy(own->second)), count = f64(own->second.size()),
                  thread = f64(own->first);
        expectAll(said, english() ? std::vector<std::optional<f64>>{thread, taken, count}
                                  : std::vector<std::optional<f64>>{thread, count, taken});
        done_.assign(done_.size(), true);
        return true;
    }
    if (is("Thread # takes *[#]; its result so far is #.", "线程 # 取 *[#]，至此结果为 #。")) {
        const auto own = all->own.find(u64(tokens_->front().value));
        const std::optional<Place> place = placeOf((*tokens_)[1]);
        bool found = false;
        if (own != all->own.end() && place)
            for (const Rounds::Own& o : own->second)
                found = found || (o.address == place->address && agrees(tokens_->back(), o.sum));
        done_.assign(done_.size(), true);
        if (!found) fail(said, said.text, "it takes no such element");
        return true;
    }
    if (!all->isByThread) return false;
    if (is("all # threads", "全部 # 个线程")) return expectAll(said, {f64(all->places)}), true;
    if (is("a line every # threads", "每 # 个线程一条线")) return expectAll(said, {32.0}), true;
    if (is("thread #", "线程 #") || is("+ thread i+#", "+ 线程 i+#") || is("+ thread i-#", "+ 线程 i-#") ||
        is("and thread i+#", "与线程 i+#")) {
        const std::optional<u32> now = roundNow();
        done_[0] = true;
        if (!contains(text_, " i")) {
            if (tokens_->front().value >= f64(all->places)) fail(said, said.text, "no such thread");
            return true;
        }
        std::set<f64> distances;
        if (now)
            for (const Rounds::Addition& a : all->rounds[*now])
                for (const Rounds::Operand& operand : a.of)
                    if (a.isUsed && a.warp == cursor_.warp.value && operand.place != a.to)
                        distances.insert(std::fabs(f64(operand.place) - f64(a.to)));
        if (distances.size() != 1 || *distances.begin() != std::fabs(tokens_->front().value))
            fail(said, said.text, "it is another thread");
        return true;
    }
    if (is("# warp* diverged", "# 个线程束分化")) {
        bool found = false;
        for (const auto& round : all->rounds) {
            std::map<u32, std::set<u32>> lanes;
            for (const Rounds::Addition& a : round)
                lanes[a.warp].insert(a.lane);
            found = found || std::ranges::count_if(lanes, [&](const auto& warp) {
                                 return warp.second.size() < block_.lanesOf(warp.first);
                             }) == std::ptrdiff_t(tokens_->front().value);
        }
        done_[0] = true;
        if (!found) fail(said, said.text, "in no round");
        return true;
    }
    if (is("# of # load*", "#/# 个线程读取")) {
        const f64 count = tokens_->front().value, threads = f64(block_.block().threads);
        const bool isOfARound = std::ranges::any_of(all->rounds, [&](const auto& round) {
            return round.front().isMove && f64(round.size()) == count;
        });
        expectAll(said, {isOfARound ? count : -1, threads});
        return true;
    }
    const bool isAfter = is("Thread # has # after round #.*", "第 # 轮之后，线程 # 的值为 #。*"),
               isMove = is("Thread # loads #, which thread # left in shared memory.*",
                           "线程 # 读取 #（由线程 # 写入共享内存）。*");
    if (isAfter || isMove) {
        const u32 round = isAfter ? all->numbered(tokens_->at(english() ? 2 : 0).value) : 0;
        const Token &thread = tokens_->at(isAfter && !english() ? 1 : 0),
                    &value = tokens_->at(isAfter && !english() ? 2 : 1);
        bool found = false;
        for (u32 r = 0; r < all->rounds.size(); ++r)
            for (const Rounds::Addition& a : all->rounds[r]) {
                if (a.isMove != isMove || f64(a.to) != thread.value || !agrees(value, a.sum) ||
                    (isAfter && r != round))
                    continue;
                const bool isUnused = says(text_, {"It is not part of the result.", "它不计入结果。"});
                found = found || (a.isUsed != isUnused &&
                                  (!isMove || f64(a.of.front().place) == tokens_->at(2).value));
            }
        done_.assign(done_.size(), true);
        if (!found) fail(said, said.text, "no such sum");
        return true;
    }
    if (is("Thread # has #, from # element*.", "线程 # 的值为 #，来自 # 个元素。")) {
        const u64 thread = u64(tokens_->front().value);
        const auto own = all->own.find(thread);
        std::optional<f64> stands;
        for (const auto& [where, value] : all->stores)
            if (where.second == thread && std::ranges::find(all->starts, where.first) != all->starts.end())
                stands = value;
        done_.assign(done_.size(), true);
        if (own == all->own.end() || !stands || !agrees((*tokens_)[1], *stands) ||
            f64(std::max<std::size_t>(1, own->second.size())) != (*tokens_)[2].value)
            fail(said, said.text, "it begins with something else");
        return true;
    }
    // "thread 0 = thread 0 + thread 16: 77 = 34 + 43", "线程 0 = 线程 0 + 线程 16，即 77 = 34 + 43"
    if (is("thread # = thread # *", "线程 # = 线程 # *") ||
        is("thread # = thread #: #", "线程 # = 线程 #，即 #")) {
        const std::size_t half = tokens_->size() / 2;
        bool found = false;
        for (const auto& round : all->rounds)
            for (const Rounds::Addition& a : round) {
                if (f64(a.to) != tokens_->front().value || a.of.size() + 1 != half ||
                    !agrees((*tokens_)[half], a.sum))
                    continue;
                bool isAll = true;
                for (std::size_t i = 1; i < half; ++i)
                    isAll = isAll && std::ranges::any_of(a.of, [&](const Rounds::Operand& o) {
                                return f64(o.place) == (*tokens_)[i].value &&
                                       agrees((*tokens_)[half + i], o.value);
                            });
                found = found || isAll;
            }
        done_.assign(done_.size(), true);
        if (!found) fail(said, said.text, "no such addition");
        return true;
    }
    // "Block 0 · threads 0–63 of 256"
    const std::size_t part = english() ? text_.find(" · threads ") : text_.find(" · 线程 ");
    if (part != std::string::npos && contains(text_, "–")) {
        std::vector<const Token*> numbers;
        for (const Token& token : *tokens_)
            if (token.begin > part) numbers.push_back(&token);
        for (const Token* number : numbers)
            mark(*number);
        if (numbers.size() != 3 || numbers[2]->value != f64(all->places) ||
            std::fabs(numbers[1]->value) >= f64(all->places))
            fail(said, said.text, fmt::format("the block has {} threads", all->places));
    }
    return false;
}

}  // namespace lockstep::witness
