#include "catalog/values/contents.h"

#include "base/files/npy.h"
#include "base/half.h"
#include "catalog/values/number_text.h"
#include "catalog/values/random.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <variant>
#include <vector>

namespace lockstep::catalog {
namespace {

struct Zero {};
struct Iota {};
struct Permutation {};
struct Constant {
    Bits64 element;
};
struct RandomWhole {
    s64 low;
    u64 count;
};  // count 0: all 2^64
struct RandomReal {
    f64 low, high;
};
struct NpyFile {
    std::string path;
};
using Contents = std::variant<Zero, Iota, Permutation, Constant, RandomWhole, RandomReal, NpyFile>;

constexpr s64 kDefaultHigh = 254;  // as the textbook's rand() % 255

Expected<Contents> parseRandom(std::string_view range, ElementType type) {
    const std::string_view name = info(type).name;
    if (range.empty()) {
        if (isReal(type)) return RandomReal{0, 1};
        return RandomWhole{0, u64(type == ElementType::I8 ? 127 : kDefaultHigh) + 1};
    }
    const std::size_t colon = range.find(':');
    if (colon == std::string_view::npos)
        return fail(FaultKind::Usage,
                    Message(english("'random:{0}' needs two bounds: random:LOW:HIGH"), range));
    const std::string_view low = range.substr(0, colon), high = range.substr(colon + 1);

    const std::optional<s64> wholeLow = parseWhole(low), wholeHigh = parseWhole(high);
    if (wholeLow && wholeHigh) {
        if (*wholeLow > *wholeHigh)
            return fail(FaultKind::Usage,
                        Message(english("'random:{0}' has its bounds in the wrong order"), range));
        for (std::string_view bound : {low, high})
            if (const Expected<Bits64> fits = parseElement(bound, type); !fits)
                return Unexpected{fits.error()};
        return RandomWhole{*wholeLow, u64(*wholeHigh) - u64(*wholeLow) + 1};
    }
    if (!isReal(type))
        return fail(
            FaultKind::Usage,
            Message(english("'random:{0}' is not a range of whole numbers, and {1} holds nothing else"),
                    range, name));
    const std::optional<f64> realLow = parseReal(low), realHigh = parseReal(high);
    if (!realLow || !realHigh || !std::isfinite(*realLow) || !std::isfinite(*realHigh) ||
        !std::isfinite(*realHigh - *realLow))
        return fail(FaultKind::Usage,
                    Message(english("'random:{0}' needs two numbers: random:LOW:HIGH"), range));
    if (*realLow > *realHigh)
        return fail(FaultKind::Usage,
                    Message(english("'random:{0}' has its bounds in the wrong order"), range));
    return RandomReal{*realLow, *realHigh};
}

Expected<Contents> parse(std::string_view words, ElementType type) {
    if (words == "zero") return Zero{};
    if (words == "iota") return Iota{};
    if (words == "permutation") return Permutation{};
    if (words == "random") return parseRandom("", type);
    if (words.starts_with("random:")) return parseRandom(words.substr(7), type);
    if (words.starts_with("const:")) {
        const Expected<Bits64> element = parseElement(words.substr(6), type);
        if (!element) return Unexpected{element.error()};
        return Constant{*element};
    }
    if (words.ends_with(".npy")) return NpyFile{std::string(words)};
    return fail(FaultKind::Usage,
                Message(english("'{0}' is no initial content; say zero, iota, permutation, const:X, random, "
                                "random:LOW:HIGH or the name of a .npy file"),
                        words));
}

// Computation type and storage type: they differ only for f16. In parts, which idle threads take; threads
// of OpenMP would go on turning for milliseconds behind it, at the cost of the run that begins then.
template <class T, class Store> void generate(Buffer& buffer, Store store, const auto& element) {
    constexpr u64 kPart = 1 << 18;  // about a millisecond
    const std::span<T> elements = buffer.as<T>();
    std::atomic<u64> next{0};
    const auto work = [&] {
        for (u64 first; (first = next.fetch_add(kPart, std::memory_order_relaxed)) < elements.size();)
            for (u64 i = first; i < std::min<u64>(first + kPart, elements.size()); ++i)
                elements[i] = store(element(i));
    };
    const u64 parts = (elements.size() + kPart - 1) / kPart;
    std::vector<std::jthread> helpers;
    for (u64 i = 1; i < std::min<u64>(parts, std::max(1u, std::thread::hardware_concurrency())); ++i)
        helpers.emplace_back(work);
    work();
}

void generateAll(Buffer& buffer, const auto& element) {
    const auto plain = [](auto tag) { return [](auto value) { return static_cast<decltype(tag)>(value); }; };
    switch (buffer.type) {
        case ElementType::I8: return generate<s8>(buffer, plain(s8{}), element);
        case ElementType::U8: return generate<u8>(buffer, plain(u8{}), element);
        case ElementType::I16: return generate<s16>(buffer, plain(s16{}), element);
        case ElementType::U16: return generate<u16>(buffer, plain(u16{}), element);
        case ElementType::I32: return generate<s32>(buffer, plain(s32{}), element);
        case ElementType::U32: return generate<u32>(buffer, plain(u32{}), element);
        case ElementType::I64: return generate<s64>(buffer, plain(s64{}), element);
        case ElementType::U64: return generate<u64>(buffer, plain(u64{}), element);
        case ElementType::F16:
            return generate<u16>(
                buffer, [](auto value) { return floatToHalf(f32(value)); }, element);
        case ElementType::F32: return generate<f32>(buffer, plain(f32{}), element);
        case ElementType::F64: return generate<f64>(buffer, plain(f64{}), element);
    }
}

void fillWith(Buffer& buffer, const Zero&, u64) {
    std::fill(buffer.bytes.begin(), buffer.bytes.end(), std::byte{0});
}

void fillWith(Buffer& buffer, const Iota&, u64) {
    generateAll(buffer, [](u64 i) { return i; });
}

static_assert(kMaxBufferBytes >> 32 == 0, "an element has a number of 32 bits");

// Fisher and Yates's shuffle, as Durstenfeld gives it: Algorithm 235, CACM 7 (1964) 7.
void fillWith(Buffer& buffer, const Permutation&, u64 key) {
    constexpr u64 kAhead = 32;  // partners on their way from memory
    std::vector<u32> order(buffer.count());
    std::iota(order.begin(), order.end(), 0u);
    const auto partner = [&](u64 left) { return &order[randomBelow(randomBits(key, left), left)]; };
    for (u64 left = order.size(); left > 1; --left) {
        if (left > kAhead) __builtin_prefetch(partner(left - kAhead));
        std::swap(order[left - 1], *partner(left));
    }
    generateAll(buffer, [&](u64 i) { return order[i]; });
}

void fillWith(Buffer& buffer, const Constant& constant, u64) {
    const u32 width = info(buffer.type).bytes;
    for (u64 at = 0; at < buffer.bytes.size(); at += width)
        std::memcpy(buffer.bytes.data() + at, &constant.element, width);
}

void fillWith(Buffer& buffer, const RandomWhole& random, u64 key) {
    const auto bits = [&](u64 i) {
        const u64 all = randomBits(key, i);
        return u64(random.low) + (random.count ? randomBelow(all, random.count) : all);
    };
    if (random.low < 0)
        generateAll(buffer, [&](u64 i) { return s64(bits(i)); });
    else
        generateAll(buffer, bits);
}

void fillWith(Buffer& buffer, const RandomReal& random, u64 key) {
    generateAll(buffer, [&](u64 i) {
        return random.low + (random.high - random.low) * randomUnit(randomBits(key, i));
    });
}

}  // namespace

Expected<void> checkContents(std::string_view words, ElementType type) {
    if (const Expected<Contents> contents = parse(words, type); !contents)
        return Unexpected{contents.error()};
    return {};
}

Expected<void> fill(Buffer& buffer, std::string_view words, RandomStream random,
                    const std::filesystem::path& folder) {
    const Expected<Contents> contents = parse(words, buffer.type);
    if (!contents) return Unexpected{contents.error()};
    if (const NpyFile* npy = std::get_if<NpyFile>(&*contents)) {
        Expected<Buffer> read = readNpy(folder / npy->path, buffer.type, buffer.count());
        if (!read) return Unexpected{read.error()};
        buffer.bytes = std::move(read->bytes);
        if (buffer.shape.size() == 1) buffer.shape = std::move(read->shape);
        return {};
    }
    std::visit(
        [&](const auto& content) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(content)>, NpyFile>)
                fillWith(buffer, content, streamKey(random.seed, random.stream));
        },
        *contents);
    return {};
}

}  // namespace lockstep::catalog
