#include "explain/matrices/thread_sums.h"

#include "base/device_addresses.h"
#include "base/element_value.h"
#include "base/half.h"
#include "explain/cursor/lookup.h"
#include "ptx/opcodes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

namespace lockstep::explain {
namespace {

using Kind = Origin::Kind;
using ptx::Type;

f64 valueOf(std::span<const std::byte> bytes, Type type) {
    switch (type) {
        case Type::F16: return halfToFloat(readAs<u16>(bytes));
        case Type::F64: return readAs<f64>(bytes);
        case Type::S8: return readAs<s8>(bytes);
        case Type::U8: return readAs<u8>(bytes);
        case Type::S16: return readAs<s16>(bytes);
        case Type::U16: return readAs<u16>(bytes);
        case Type::S32: return readAs<s32>(bytes);
        case Type::U32: return readAs<u32>(bytes);
        case Type::S64: return f64(readAs<s64>(bytes));
        case Type::U64: return f64(readAs<u64>(bytes));
        default: return bytes.size() == 8 ? readAs<f64>(bytes) : f64(readAs<f32>(bytes));
    }
}

f64 added(const ThreadSums::Product& product, f64 sum) {
    const f64 m = product.m.value, n = product.n.value;
    switch (product.type) {
        case Type::F32:
            return product.isFused ? f64(std::fma(f32(m), f32(n), f32(sum)))
                                   : f64(f32(f32(m) * f32(n)) + f32(sum));
        case Type::S32: return s32(u32(s32(sum)) + u32(s32(m)) * u32(s32(n)));
        case Type::U32: return u32(u32(sum) + u32(m) * u32(n));
        case Type::F64: return product.isFused ? std::fma(m, n, sum) : m * n + sum;
        default: return m * n + sum;
    }
}

class Finder {
public:
    Finder(const Recorded& run, const trace::FocusBlock& block, const BlockFlow& flow, Warp warp, Lane lane,
           const Matrix& p, const FactorAt& factorAt)
        : run_(run),
          flow_(flow),
          trace_(block.warps[warp.value]),
          warp_(warp),
          lane_(lane),
          p_(p),
          factorAt_(factorAt),
          chainAt_(trace_.steps.size(), kNone),
          pending_(trace_.steps.size(), kNone) {}

    ThreadSums find() {
        for (u32 s = 0; s < trace_.steps.size(); ++s) {
            const trace::Step& step = trace_.steps[s];
            if (!step.active.has(lane_)) continue;
            const std::string_view name = ptx::opcodeTable()[run_.module->at(step.pc).opcode].name;
            if (name == "fma" || name == "mad" || name == "mul")
                multiply(s, name == "mul");
            else if (name == "add")
                add(s);
            else if (step.access != trace::Step::kNone)
                store(s);
        }
        return gathered();
    }

private:
    ThreadStep at(u32 step) const { return {warp_, lane_, step}; }
    Type typeOf(u32 step) const { return run_.module->at(trace_.steps[step].pc).types[0]; }

    // ---- Chains of additions: each is one sum, united where two are added.

    u32 root(u32 chain) const {
        while (parent_[chain] != chain)
            chain = parent_[chain];
        return chain;
    }
    u32 fresh(std::optional<f64> start) {
        parent_.push_back(u32(parent_.size()));
        starts_.push_back(start);
        return u32(parent_.size() - 1);
    }
    // The chain whose sum so far an operand is.
    std::optional<u32> chainOf(const Origin& origin) const {
        if (origin.kind == Kind::Computed && origin.at.warp == warp_ && origin.at.lane == lane_)
            if (const u32 chain = chainAt_[origin.at.step]; chain != kNone) return root(chain);
        // What the thread has stored to P, and loads again to add to it.
        if (const auto from = flow_.loadedFrom(origin);
            from && from->space == trace::Space::Global && bufferOfAddress(from->address) == p_.buffer)
            if (const auto before = flow_.originOfLoaded(origin); before && before->kind == Kind::Computed)
                return chainOf(*before);
        return std::nullopt;
    }
    // A product that is not yet part of a sum.
    std::optional<u32> productOf(const Origin& origin) const {
        if (origin.kind != Kind::Computed || origin.at.warp != warp_ || origin.at.lane != lane_)
            return std::nullopt;
        const u32 product = pending_[origin.at.step];
        return product == kNone ? std::nullopt : std::optional(product);
    }
    // What a sum begins with; none: not known.
    std::optional<f64> startOf(const Origin& origin, Type type) const {
        if (origin.kind == Kind::Immediate) {
            const auto operands = run_.module->operandsOf(run_.module->at(trace_.steps[origin.at.step].pc));
            for (std::size_t i = operands.size(); i-- > 1;)
                if (const auto* immediate = std::get_if<ptx::ImmediateOperand>(&operands[i])) {
                    if (immediate->bits == 0) return 0.0;
                    const auto bytes = std::bit_cast<std::array<std::byte, 8>>(immediate->bits);
                    return valueOf(std::span(bytes).first(type == Type::F64 || type == Type::S64 ? 8 : 4),
                                   type);
                }
        }
        if (origin.kind == Kind::Load && origin.at.warp == warp_) {
            const trace::Step& step = trace_.steps[origin.at.step];
            const u32 bytes = ptx::bytesOf(type);
            if (step.access == trace::Step::kNone) return std::nullopt;
            const trace::StoredAccess& access = trace_.accesses[step.access];
            if (access.widthBytes < (origin.element + 1u) * bytes) return std::nullopt;
            return valueOf(trace_.value(access, origin.at.lane).subspan(origin.element * bytes, bytes), type);
        }
        return std::nullopt;
    }
    // That of an operand, begun with it where there is none.
    u32 chainFrom(const Origin& origin, Type type) {
        if (const auto chain = chainOf(origin)) return *chain;
        if (const auto product = productOf(origin)) {
            const u32 chain = fresh(0.0);
            assign(*product, chain, products_[*product].step);
            pending_[origin.at.step] = kNone;
            return chain;
        }
        return fresh(startOf(origin, type));
    }
    void assign(u32 product, u32 chain, u32 step) {
        products_[product].sum = chain, products_[product].step = step;
    }

    std::optional<std::pair<bool, ThreadSums::Factor>> factorOf(u32 s, u32 operand) const {
        const Origin origin = flow_.originOf(at(s), operand);
        const auto place = flow_.loadedFrom(origin);
        if (!place || origin.at.warp != warp_) return std::nullopt;
        const auto factor = factorAt_(place->space, place->address);
        if (!factor) return std::nullopt;
        const trace::Step& step = trace_.steps[origin.at.step];
        const trace::StoredAccess& access = trace_.accesses[step.access];
        const u64 offset = place->address - trace_.address(access, origin.at.lane);
        const Type type = elementType(*run_.module, step.pc);
        const Type asUsed = ptx::bytesOf(type) == ptx::bytesOf(typeOf(s)) ? typeOf(s) : type;
        const u32 bytes = ptx::bytesOf(asUsed);
        if (offset + bytes > access.widthBytes) return std::nullopt;
        return std::pair(
            factor->isN,
            ThreadSums::Factor{origin.at.step, origin.element, origin.at.lane, place->address, factor->cell,
                               valueOf(trace_.value(access, origin.at.lane).subspan(offset, bytes), asUsed)});
    }

    void multiply(u32 s, bool isAlone) {
        const auto a = factorOf(s, 1);
        const auto b = a ? factorOf(s, 2) : std::nullopt;
        if (!a || !b || a->first == b->first) return;
        ThreadSums::Product product{.m = a->first ? b->second : a->second,
                                    .n = a->first ? a->second : b->second,
                                    .step = s,
                                    .isFused = !isAlone,
                                    .type = typeOf(s)};
        if (!isAlone) {
            const u32 chain = chainFrom(flow_.originOf(at(s), 3), product.type);
            product.sum = chain, chainAt_[s] = chain;
        } else {
            pending_[s] = u32(products_.size());
            product.sum = kNone;
        }
        products_.push_back(product);
    }

    void add(u32 s) {
        const Origin a = flow_.originOf(at(s), 1), b = flow_.originOf(at(s), 2);
        const bool isOfSums = chainOf(a) || productOf(a) || chainOf(b) || productOf(b);
        if (!isOfSums) return;
        // The one that is a sum already goes on; a product is added to it.
        const bool swap = productOf(a) && !productOf(b);
        const Origin &first = swap ? b : a, &second = swap ? a : b;
        const u32 chain = chainFrom(first, typeOf(s));
        if (const auto product = productOf(second)) {
            assign(*product, chain, s);
            pending_[second.at.step] = kNone;
        } else if (const auto other = chainOf(second)) {
            if (*other != chain) {
                parent_[*other] = chain;
                if (starts_[chain] && starts_[*other])
                    *starts_[chain] += *starts_[*other];
                else
                    starts_[chain].reset();
            }
        } else if (const auto start = startOf(second, typeOf(s)); start && starts_[chain]) {
            *starts_[chain] += *start;
        } else {
            starts_[chain].reset();
        }
        chainAt_[s] = chain;
    }

    // Which sum a stored value is made of, through what is done to it at the end.
    std::optional<u32> behind(const Origin& origin, u32 depth) const {
        if (const auto chain = chainOf(origin)) return chain;
        if (origin.kind != Kind::Computed || depth == 0 || origin.at.warp != warp_) return std::nullopt;
        const auto operands = run_.module->operandsOf(run_.module->at(trace_.steps[origin.at.step].pc));
        for (u32 operand = 1; operand < operands.size(); ++operand)
            if (const auto chain = behind(flow_.originOf(origin.at, operand), depth - 1)) return chain;
        return std::nullopt;
    }

    void store(u32 s) {
        const trace::StoredAccess& access = trace_.accesses[trace_.steps[s].access];
        if (access.space != trace::Space::Global || !trace::writes(access.kind) || !access.active.has(lane_))
            return;
        const u64 address = trace_.address(access, lane_);
        if (bufferOfAddress(address) != p_.buffer) return;
        const ElementType type = run_.recording.initial[p_.buffer].type;
        const u32 bytes = info(type).bytes;
        constexpr u32 kLongest = 6;  // of what is done to a sum before it is stored
        for (u32 part = 0; (part + 1) * bytes <= access.widthBytes; ++part) {
            Origin stored = flow_.originOfStored(at(s), part * bytes, bytes);
            std::optional<u32> chain = behind(stored, kLongest);
            if (!chain)  // a single product
                if (const auto product = productOf(stored))
                    chain = chainFrom(stored, products_[*product].type);
            if (!chain) continue;
            const u64 element = (address - deviceAddressOf(p_.buffer)) / bytes + part;
            stores_[*chain] = {p_.cellOf(element), s,
                               numberOf(trace_.value(access, lane_).subspan(part * bytes, bytes), type)};
        }
    }

    ThreadSums gathered() {
        ThreadSums result;
        std::vector<u32> numbers(parent_.size(), kNone);  // by root
        std::vector<std::pair<u32, ThreadSums::Sum>> sums;
        for (const ThreadSums::Product& product : products_) {
            if (product.sum == kNone) continue;
            const u32 chain = root(product.sum);
            if (numbers[chain] != kNone) continue;
            numbers[chain] = u32(sums.size());
            sums.emplace_back(chain, ThreadSums::Sum{.cell = {product.m.cell.row, product.n.cell.column},
                                                     .storeStep = {},
                                                     .stored = {},
                                                     .start = starts_[chain]});
        }
        for (const auto& [chain, store] : stores_)
            if (const u32 number = numbers[root(chain)]; number != kNone) {
                ThreadSums::Sum& sum = sums[number].second;
                if (!sum.storeStep || *sum.storeStep < store.step)
                    sum.cell = store.cell, sum.storeStep = store.step, sum.stored = store.value;
            }
        std::ranges::stable_sort(
            sums, {}, [](const auto& sum) { return std::pair(sum.second.cell.row, sum.second.cell.column); });
        for (u32 i = 0; i < sums.size(); ++i) {
            numbers[sums[i].first] = i;
            result.sums.push_back(sums[i].second);
        }
        for (ThreadSums::Product& product : products_) {
            if (product.sum == kNone) continue;
            product.sum = numbers[root(product.sum)];
            result.products.push_back(product);
        }
        if (!std::ranges::is_sorted(result.products, {}, &ThreadSums::Product::step))
            std::ranges::stable_sort(result.products, {}, &ThreadSums::Product::step);
        return result;
    }

    static constexpr u32 kNone = ~0u;
    struct Store {
        CellIndex cell;
        u32 step = 0;
        f64 value = 0;
    };
    const Recorded& run_;
    const BlockFlow& flow_;
    const trace::WarpTrace& trace_;
    Warp warp_;
    Lane lane_;
    const Matrix& p_;
    const FactorAt& factorAt_;
    std::vector<ThreadSums::Product> products_;
    std::vector<u32> parent_;                 // of chains
    std::vector<std::optional<f64>> starts_;  // of chains
    std::vector<u32> chainAt_, pending_;      // by step, the chain and the product; kNone
    std::map<u32, Store> stores_;             // by chain
};

}  // namespace

std::vector<ThreadSums::Now> ThreadSums::after(u32 steps) const {
    std::vector<Now> now(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        now[i].sum = sums[i].start;
        if (sums[i].storeStep && *sums[i].storeStep < steps) now[i].stored = sums[i].stored;
    }
    for (const Product& product : products) {
        if (product.step >= steps) break;
        Now& one = now[product.sum];
        ++one.products;
        if (one.sum) one.sum = added(product, *one.sum);
    }
    return now;
}

ThreadSums threadSums(const Recorded& run, const trace::FocusBlock& block, const BlockFlow& flow, Warp warp,
                      Lane lane, const Matrix& p, const FactorAt& factorAt) {
    return Finder(run, block, flow, warp, lane, p, factorAt).find();
}

}  // namespace lockstep::explain
