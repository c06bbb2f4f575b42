// Names of elements, their values and the threads beside them: "Lane 5, thread 5 reads in[5] = 5.0."
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

namespace {

bool sameText(const Token& token, f64 value) {
    // Shortened numbers: as many digits as are written.
    if (value == 0 || token.value == 0) return value == token.value;
    return std::fabs(token.value / value - 1) < 1e-5 && token.decimals > 0;
}

}  // namespace

std::string Reader::element(const Said& said, std::size_t i) {
    const Token& token = (*tokens_)[i];
    const Array* array = run_.array(token.name, cursor_.launch);
    if (!array)
        return run_.isInSource(token.name) ? std::string("an array that the run does not have")
                                           : std::string("no such array");
    const std::optional<u64> first = run_.addressOf(*array, token.indices),
                             last = run_.addressOf(*array, token.lastIndices);
    if (!first || !last) return "the indices do not go with the array's shape";
    const bool isSaidToLack =
        says(said.text, {"does not exist", "do not exist", "out of bounds", "past the end", "no such cell",
                         "不存在", "越界", "越过", "末尾", "before the start", "起点之前", "requested",
                         "Without a bounds check", "要读", "would load", "outside"});
    // Inner indices stay within their extents in any case.
    if (token.indices.size() > 1 && !isSaidToLack)
        for (std::size_t d = 1; d < token.indices.size(); ++d)
            if (token.indices[d] < 0 || u64(token.indices[d]) >= array->shape[d])
                return "an index beyond the array's shape";
    if (!isSaidToLack && array->bytes > 0 && (!run_.exists(*array, *first) || !run_.exists(*array, *last)) &&
        !touched(*array, *first))
        return "an element that does not exist";
    // "= 3.0" behind it.
    const std::string_view rest = std::string_view(text_).substr(token.end);
    if (i + 1 < tokens_->size() && !done_[i + 1] && (rest.starts_with(" = ") || rest.starts_with("=")) &&
        (*tokens_)[i + 1].kind != Kind::Element && (*tokens_)[i + 1].begin - token.end <= 4) {
        done_[i + 1] = true;
        std::string why = valueOf(*array, *first, *last, (*tokens_)[i + 1]);
        if (!why.empty()) return why;
    }
    return {};
}

std::string Reader::valueOf(const Array& array, u64 first, u64 last, const Token& value) const {
    for (u64 at = first; at <= last; at += array.elementBytes)
        for (f64 known : block_.valuesAt(array, at))
            if (agrees(value, known) || sameText(value, known)) return {};
    return fmt::format("{} is no value that {} had", value.value, run_.nameOf(first, array.space));
}

std::string Reader::pair(const Said& said, const Token& token) {
    const bool isBlock = token.noun == "block";
    const Dim3 extents = isBlock ? launch_.grid : launch_.block;
    // Row first, as matrices are counted, unless axes are named.
    std::map<char, s64> at{{'x', 0}, {'y', 0}, {'z', 0}};
    const std::string axes = token.axes.size() == token.indices.size() ? token.axes
                             : token.indices.size() == 3               ? "zyx"
                                                                       : "yx";
    for (std::size_t i = 0; i < axes.size(); ++i)
        at[axes[i]] = token.indices[i];
    if (at['x'] >= s64(extents.x) || at['y'] >= s64(extents.y) || at['z'] >= s64(extents.z))
        return isBlock ? "no block of the grid" : "no thread of the block";
    const Dim3 dim{u32(at['x']), u32(at['y']), u32(at['z'])};
    if (isBlock && (said.isCaption || (said.isSentence && picture_.view != "findings")) &&
        !(dim == cursor_.block))
        return "another block than the cursor's";
    if (!isBlock && token.noun == "thread")
        if (const Token* lane = firstId("lane");
            lane && lane->end < token.begin && token.begin - lane->end < 16) {
            const u64 linear = linearOf(dim, launch_.block);
            const u32 warp = scope_.warp.value_or(cursor_.warp.value);
            if (linear != u64{warp} * 32 + u64(lane->value)) return "not the thread of that lane";
        }
    return {};
}

// "Lane 5, thread 37": which thread of the block.
void Reader::laneAndThread(const Said& said) {
    const Token* lane = firstId("lane");
    const Token* thread = firstId("thread");
    if (!lane || !thread || thread->begin < lane->end || thread->begin - lane->end > 16) return;
    const u32 warp = scope_.warp.value_or(cursor_.warp.value);
    mark(*thread);
    if (thread->value != warp * 32 + lane->value)
        fail(said, text_.substr(thread->begin, thread->end - thread->begin), "not the thread of that lane");
}

// Which component stands behind an element's indices: 1 for "points[0].y".
std::optional<u64> Reader::componentBehind(const Array& array, const Token& element) const {
    const std::string_view rest = std::string_view(text_).substr(element.end);
    if (array.components < 2 || rest.size() < 2 || rest[0] != '.') return std::nullopt;
    const std::size_t part = std::string_view("xyzw").find(rest[1]);
    return part < array.components ? std::optional<u64>(part) : std::nullopt;
}

// "Lane 5, thread 5 reads in[5] = 5.0." "... writes 10.0 to out[31]." "... changes counts[1]; it held 3."
void Reader::laneValue(const Said& said) {
    const Token* lane = firstId("lane");
    if (!lane || lane->begin > 8) return;
    const bool reads = says(said.text, {" reads ", "读取 ", "changes", "修改", "updates", "更新"}),
               writes = says(said.text, {" writes ", "写入 "});
    if (!reads && !writes) return;
    const auto element = std::ranges::find(*tokens_, Kind::Element, &Token::kind);
    if (element == tokens_->end()) return;
    if (says(said.text, {"at step", " 步"})) return;
    if (says(said.text, {"is inactive", "is off", "非活动", "不执行"})) return;
    const Lane of{u32(lane->value)};
    const Array* array = run_.array(element->name, cursor_.launch);
    if (!array) return;
    // Of the access at the cursor; where the view leads to another, of one that is near.
    const trace::WarpTrace& warp = traceOf(scope_.warp.value_or(cursor_.warp.value));
    std::vector<u32> steps;
    if (access_) steps.push_back(cursor_.step);
    if (!access_ ||
        (access_->space != array->space && (picture_.view == "banks" || picture_.view == "sectors" ||
                                            picture_.view == "stage" || picture_.view == "compare")))
        for (u32 s : nearestAccesses())
            steps.push_back(s);
    if (steps.empty()) return;
    std::optional<u64> address = run_.addressOf(*array, element->indices);
    const std::optional<u64> part = componentBehind(*array, *element);  // of "points[0].y"
    if (address) *address += part.value_or(0) * array->componentBytes();
    const trace::StoredAccess* found = nullptr;
    for (u32 s : steps) {
        const trace::StoredAccess& stored = warp.accesses[warp.steps[s].access];
        if (stored.space == array->space && stored.active.has(of) && address &&
            warp.address(stored, of) == *address) {
            found = &stored;
            break;
        }
    }
    if (!found)
        return fail(said, text_.substr(element->begin, element->end - element->begin),
                    "the lane accesses something else");
    // "in[4] to in[7] = ..., ... (f32 × 4)": last index, and how many.
    std::optional<u64> last = run_.addressOf(*array, element->lastIndices);
    if (const auto next = element + 1;
        next != tokens_->end() && next->kind == Kind::Element && next->name == element->name)
        last = run_.addressOf(*array, next->indices);
    const s64 span = (s64(last.value_or(*address)) - s64(*address)) / s64(array->elementBytes) + 1;
    const u64 told = part ? array->componentBytes() : u64(span) * array->elementBytes;
    if (told != std::max<u64>(found->widthBytes, part ? 0 : array->elementBytes))
        fail(said, text_.substr(element->begin, element->end - element->begin),
             "the access is as wide as another number of elements");
    // The value: the number that is left.
    const std::span<const std::byte> bytes = warp.value(*found, of);
    std::size_t at = 0;
    for (std::size_t i = 0; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        if (token.kind == Kind::Element || token.kind == Kind::Pair || &token == lane ||
            token.noun == "thread" || token.noun == "lane")
            continue;
        if (token.kind == Kind::Id) continue;
        done_[i] = true;
        if (std::string_view(text_).substr(0, token.begin).ends_with("× ")) {
            if (token.value != f64(span) * array->components)
                fail(said, written(token), "the access moves another number of elements");
            continue;
        }
        if (std::string_view(text_).substr(0, token.begin).ends_with("[")) continue;
        if (at + array->componentBytes() > bytes.size()) {
            fail(said, text_.substr(token.begin, token.end - token.begin), "one value too many");
            continue;
        }
        const f64 value = block_.read(*array, bytes.data() + at);
        at += array->componentBytes();
        if (!agrees(token, value) && !sameText(token, value))
            fail(said, text_.substr(token.begin, token.end - token.begin),
                 fmt::format("the lane's value is {}", value));
    }
    if (at > 0 && at < bytes.size())
        fail(said, "value",
             fmt::format("one number for {} elements", bytes.size() / array->componentBytes()));
}

// "in[0] to in[31]": lowest and highest address of the access at the cursor, or of the nearest one where
// the text leads there.
// "Mds[0][0]. Nearest access in time: warp 0, lane 3 writes it at step 36; 7 more accesses." Of this block:
// what lanes of a warp do at one step is one access.
void Reader::firstAccessText(const Said& said) {
    if (!is("*. Nearest access in time: warp #, lane # * it at step #*",
            "*。线程束 # 的通道 # 在第 # 步*它*") &&
        !is("*arp #, lane # * it at step #*", "*。线程束 # 的通道 # 在第 # 步*它*") &&
        !is("*: not written yet. Nearest access in time: warp #, *", "*：尚未写入。*"))
        return;
    const auto element = std::ranges::find(*tokens_, Kind::Element, &Token::kind);
    // The last that are named: lanes that have read it may be named before.
    const Token *warp = nullptr, *lane = nullptr, *step = nullptr;
    for (const Token& token : *tokens_) {
        if (token.kind != Kind::Id) continue;
        if (token.noun == "step") step = &token;
        if (token.noun == "warp" && !step) warp = &token;
        if (token.noun == "lane" && !step) lane = &token;
    }
    if (element == tokens_->end() || !warp || !lane || !step) return;
    const Array* array = run_.array(element->name, cursor_.launch);
    const std::optional<u64> address = array ? run_.addressOf(*array, element->indices) : std::nullopt;
    if (!address) return;
    mark(*warp), mark(*lane), mark(*step);
    const std::optional<Place> place = placeOf(*element);
    const u64 times = block_.instructionsAt(*array, place ? place->address : *address);
    const u32 w = u32(warp->value), at = u32(step->value) - 1;
    bool found = false;
    if (w < block_.block().warps.size() && at < traceOf(w).steps.size())
        for (const trace::StoredAccess* access : accessesOf(traceOf(w), at)) {
            const Lane of{u32(lane->value)};
            if (access->space != array->space || !access->active.has(of)) continue;
            const u64 from = traceOf(w).address(*access, of);
            const bool isCopyTo = access->kind == AccessKind::AsyncCopy && access->space == Space::Shared;
            found = *address < from + access->widthBytes && from < *address + array->elementBytes &&
                    (access->kind != AccessKind::Load || says(said.text, {"reads", "读取"})) &&
                    (!isCopyTo || says(said.text, {"writes", "写入"}));
        }
    if (!found)
        return fail(said, text_.substr(element->begin, element->end - element->begin),
                    "that lane does not access it at that step");
    const Token& last = tokens_->back();
    if (last.noun == "access" || says(text_, {"more access", "另有"})) {
        done_.back() = true;
        if (last.value != f64(times - 1))
            fail(said, written(last), fmt::format("{} accesses more", times - 1));
    }
}

void Reader::accessRange(const Said& said) {
    if (picture_.view == "findings" || picture_.view == "compare" || said.isHover) return;
    if (text_.starts_with("Lane ") || text_.starts_with("通道 ")) return;  // of one lane (laneValue)
    const std::size_t computes = std::min(text_.find(" computes "), text_.find(" 计算 "));  // patchText
    for (std::size_t i = 0; i + 1 < tokens_->size(); ++i) {
        if ((*tokens_)[i].begin > computes) return;
        const Token &a = (*tokens_)[i], &b = (*tokens_)[i + 1];
        if (a.kind != Kind::Element || b.kind != Kind::Element || a.name != b.name) continue;
        const std::string_view gap = std::string_view(text_).substr(a.end, b.begin - a.end);
        if (gap != " to " && gap != " and " && gap != " 到 " && gap != " 和 " && gap != "到" && gap != " 与 ")
            continue;
        if (!says(said.text,
                  {"reads", "writes", "updates", "loads", "stores", "accesses", "读取", "写入", "更新"}))
            continue;
        if (says(said.text,
                 {"requested", "Without a bounds check", "要读", "本应读取", "would load", "times", "乘"}))
            continue;
        const Array* array = run_.array(a.name, cursor_.launch);
        if (!array) continue;
        const std::optional<u64> first = run_.addressOf(*array, a.indices),
                                 last = run_.addressOf(*array, b.indices);
        bool found = false;
        const auto isOf = [&](const trace::WarpAccess& access) {
            u64 low = ~u64{0}, high = 0;
            for (Lane lane : access.active)
                low = std::min(low, access.addresses[lane.value]),
                high = std::max(high, access.addresses[lane.value] + access.widthBytes - 1);
            return first && last && low >= *first && low < *first + array->elementBytes && high >= *last &&
                   high < *last + array->elementBytes && access.space == array->space;
        };
        if (access_) found = isOf(*access_);
        const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
        if (!found && (!access_ || scope_.step))
            for (u32 s : nearestAccesses())
                found = found || isOf(warp.unpack(warp.accesses[warp.steps[s].access]));
        done_[i] = done_[i + 1] = true;
        if (!found)
            fail(said, text_.substr(a.begin, b.end - a.begin),
                 "not the first and last element that the warp accesses");
    }
}

// "with a stride of 12 bytes, points[0].y to points[31].y", "in 2 pieces between M[0][0] and M[1][15]",
// "scattered between ...": how the places of the access at the cursor, or of the nearest, lie.
void Reader::accessLayout(const Said& said) {
    const std::size_t stride = text_.find(english() ? ", with a stride of " : "（步长 ");
    std::size_t pieces = english() ? text_.find(" pieces between ") : text_.find(" 段）");
    if (english() && pieces != std::string::npos && text_.substr(0, pieces).ends_with(", in"))
        pieces = std::string::npos;  // without a number: of the elements that a thread computes
    const bool isScattered = says(text_, {", scattered between ", "（离散分布在 "});
    if ((stride == std::string::npos && pieces == std::string::npos && !isScattered) || said.isHover) return;
    const auto isOf = [&](const trace::WarpAccess& access) {
        std::set<u64> places, gaps;
        for (const Lane lane : access.active)
            places.insert(access.addresses[lane.value]);
        std::set<u64> lengths;
        u32 count = 0;
        u64 length = 0;
        for (auto at = places.begin(); at != places.end(); ++at) {
            const auto next = std::next(at);
            length += access.widthBytes;
            if (next != places.end()) gaps.insert(*next - *at);
            if (next != places.end() && *next == *at + access.widthBytes) continue;
            lengths.insert(length), length = 0, ++count;
        }
        const bool isEven = gaps.size() == 1,
                   isCut = !isEven && lengths.size() == 1 && *lengths.begin() > access.widthBytes;
        if (isScattered) return !isEven && !isCut;
        const std::size_t from = stride == std::string::npos ? 0 : stride;
        for (std::size_t i = 0; i < tokens_->size(); ++i) {
            const Token& token = (*tokens_)[i];
            const bool isIt = pieces == std::string::npos ? token.begin > from : token.end == pieces;
            if (!isIt) continue;
            done_[i] = true;
            return pieces == std::string::npos ? isEven && f64(*gaps.begin()) == token.value
                                               : isCut && f64(count) == token.value;
        }
        return false;
    };
    bool found = access_ && isOf(*access_);
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    if (!found && (!access_ || scope_.step))
        for (u32 s : nearestAccesses())
            found = found || isOf(warp.unpack(warp.accesses[warp.steps[s].access]));
    if (!found) fail(said, said.text, "the places lie in another way");
}

// "Warp 0: lanes 0–15 take the values of lanes 16–31, lane 0 that of lane 16; lanes 16–31 keep their own
// (shfl.sync.down.b32)."
void Reader::shuffleText(const Said& said) {
    if (said.isHover || !says(text_, {"(shfl.", "（shfl."}) || !says(text_, {" of lane", "取通道 "})) return;
    const trace::Step& step = traceOf(cursor_.warp.value).steps[cursor_.step];
    const ptx::Module& module = *run_.run().module;
    const ptx::Instruction& instruction = module.at(step.pc);
    const auto operands = module.operandsOf(instruction);
    // A number, or the register that one mov of the module sets to it and nothing else changes.
    const auto constant = [&](std::size_t at) -> std::optional<u32> {
        if (at >= operands.size()) return std::nullopt;
        if (const auto* number = std::get_if<ptx::ImmediateOperand>(&operands[at])) return u32(number->bits);
        const auto* held = std::get_if<ptx::RegisterOperand>(&operands[at]);
        std::set<std::optional<u32>> values;
        for (u32 pc = 0; held && pc < module.instructions.size(); ++pc) {
            const auto others = module.operandsOf(module.at(Pc{pc}));
            const auto* to = others.empty() ? nullptr : std::get_if<ptx::RegisterOperand>(&others[0]);
            if (module.functionOf(Pc{pc}) != module.functionOf(step.pc) || !to || to->id != held->id ||
                module.at(Pc{pc}).form.starts_with("st") || module.at(Pc{pc}).form.starts_with("bra"))
                continue;
            const auto* number = others.size() == 2 && module.at(Pc{pc}).form.starts_with("mov")
                                     ? std::get_if<ptx::ImmediateOperand>(&others[1])
                                     : nullptr;
            values.insert(number ? std::optional(u32(number->bits)) : std::nullopt);
        }
        return values.size() == 1 ? *values.begin() : std::nullopt;
    };
    const auto by = constant(2), bounds = constant(3);
    if (!by || !bounds) return fail(said, said.text, "the distance is not known");
    const u32 segment = *bounds >> 8 & 31, bound = *bounds & 31;
    LaneMask takers, givers, keepers;
    std::optional<std::pair<u32, u32>> first;
    for (const Lane lane : step.active) {
        const u32 own = lane.value, least = own & segment, most = least | (bound & ~segment);
        const auto taken = [&] {
            if (contains(instruction.form, ".up")) return own >= *by && own - *by >= most ? own - *by : own;
            if (contains(instruction.form, ".down")) return own + *by <= most ? own + *by : own;
            if (contains(instruction.form, ".bfly")) return (own ^ *by) <= most ? own ^ *by : own;
            return (least | (*by & ~segment)) <= most ? least | (*by & ~segment) : own;
        };
        const u32 from = taken();
        if (from == own) {
            keepers = keepers | LaneMask::of(lane);
            continue;
        }
        if (!first) first = {own, from};
        takers = takers | LaneMask::of(lane), givers = givers | LaneMask::of(Lane{from});
    }
    // The lists one after another: who takes, of whom, the first pair where both are several, who keeps.
    std::vector<u32> wanted;
    const auto append = [&](LaneMask lanes) {
        for (u32 lane = 0; lane < 32; ++lane) {
            if (!lanes.has(Lane{lane})) continue;
            wanted.push_back(lane);
            u32 last = lane;
            while (last < 31 && lanes.has(Lane{last + 1}))
                ++last;
            if (last > lane) wanted.push_back(last);
            lane = last;
        }
    };
    append(takers), append(givers);
    if (first && takers.count() > 1 && givers.count() > 1)
        wanted.insert(wanted.end(), {first->first, first->second});
    append(keepers);
    std::vector<std::size_t> lanes;
    for (std::size_t i = 0; i < tokens_->size(); ++i)
        if ((*tokens_)[i].noun == "lane") lanes.push_back(i);
    if (lanes.size() != wanted.size()) return fail(said, said.text, "other lanes take values");
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        done_[lanes[i]] = true;
        if ((*tokens_)[lanes[i]].value != wanted[i])
            fail(said, written((*tokens_)[lanes[i]]), fmt::format("it is lane {}", wanted[i]));
    }
}

}  // namespace lockstep::witness
