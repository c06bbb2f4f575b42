#include "viz/painters/raster/deflate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace lockstep::viz {
namespace {

constexpr std::size_t kLongest = 258, kFarthest = 32768, kPixel = 4;

// RFC 1951, 3.2.5: the first length or distance of each code, and how many bits follow.
template <std::size_t count> struct Codes {
    std::array<u16, count> first{};
    std::array<u8, count> bits{};
};
constexpr Codes<29> kLengths = [] {
    Codes<29> codes;
    u16 next = 3;
    for (u32 code = 0; code < 28; ++code) {
        codes.first[code] = next;
        codes.bits[code] = u8(code < 8 ? 0 : code / 4 - 1);
        next = u16(next + (1u << codes.bits[code]));
    }
    codes.first[28] = kLongest;
    return codes;
}();
constexpr Codes<30> kDistances = [] {
    Codes<30> codes;
    u32 next = 1;
    for (u32 code = 0; code < 30; ++code) {
        codes.first[code] = u16(next);
        codes.bits[code] = u8(code < 4 ? 0 : code / 2 - 1);
        next += 1u << codes.bits[code];
    }
    return codes;
}();
static_assert(kLengths.first[27] == 227 && kDistances.first[29] == 24577);

template <std::size_t count> constexpr u32 codeOf(const Codes<count>& codes, u32 value) {
    return u32(std::ranges::upper_bound(codes.first, value) - codes.first.begin()) - 1;
}

constexpr u32 reversed(u32 code, u32 bits) {
    u32 result = 0;
    for (u32 bit = 0; bit < bits; ++bit)
        result |= (code >> bit & 1) << (bits - 1 - bit);
    return result;
}

struct Symbol {
    u32 code = 0, bits = 0;
};
// The fixed codes of literals and lengths, in the order of their bits in the file: RFC 1951, 3.2.6.
constexpr std::array<Symbol, 288> kSymbols = [] {
    std::array<Symbol, 288> symbols;
    for (u32 s = 0; s < 288; ++s) {
        const u32 bits = s < 144 ? 8 : s < 256 ? 9 : s < 280 ? 7 : 8;
        const u32 code = s < 144 ? 0x30 + s : s < 256 ? 0x190 + s - 144 : s < 280 ? s - 256 : 0xc0 + s - 280;
        symbols[s] = {reversed(code, bits), bits};
    }
    return symbols;
}();

class BitWriter {
public:
    explicit BitWriter(std::vector<u8>& to) : to_(to) {}
    void put(u32 value, u32 bits) {
        waiting_ |= u64{value} << count_;
        for (count_ += bits; count_ >= 8; count_ -= 8, waiting_ >>= 8)
            to_.push_back(u8(waiting_));
    }
    void put(const Symbol& symbol) { put(symbol.code, symbol.bits); }
    void finish() { put(0, (8 - count_) % 8); }

private:
    std::vector<u8>& to_;
    u64 waiting_ = 0;
    u32 count_ = 0;
};

u64 eightBytes(const u8* at) {
    u64 bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

std::size_t commonBytes(const u8* a, const u8* b, std::size_t most) {
    std::size_t length = 0;
    for (; length + 8 <= most; length += 8)
        if (const u64 difference = eightBytes(a + length) ^ eightBytes(b + length))
            return length + std::size_t(std::countr_zero(difference)) / 8;
    while (length < most && a[length] == b[length])
        ++length;
    return length;
}

// Where the eight bytes of a place were last seen, or others with the same hash.
class LastSeen {
public:
    std::size_t& operator[](const u8* bytes) {
        constexpr u64 kFactor = 0x9e3779b97f4a7c15;
        return places_[eightBytes(bytes) * kFactor >> (64 - kBits)];
    }

private:
    static constexpr u32 kBits = 15;
    std::vector<std::size_t> places_ = std::vector<std::size_t>(std::size_t{1} << kBits, 0);
};

u32 adler32(std::span<const u8> data) {
    constexpr u32 kModulus = 65521;
    constexpr std::size_t kUntilOverflow = 5552;  // RFC 1950 has it from zlib: NMAX
    u32 a = 1, b = 0;
    while (!data.empty()) {
        const auto part = data.first(std::min(data.size(), kUntilOverflow));
        for (const u8 byte : part)
            b += a += byte;
        a %= kModulus, b %= kModulus;
        data = data.subspan(part.size());
    }
    return b << 16 | a;
}

}  // namespace

std::vector<u8> zlibCompressed(std::span<const u8> data, std::size_t rowBytes) {
    std::vector<u8> out{0x78, 0x5e};  // deflate, a window of 32 KiB
    BitWriter bits(out);
    bits.put(0b011, 3);  // the last block, of fixed codes
    LastSeen lastSeen;
    for (std::size_t at = 0; at < data.size();) {
        const std::size_t most = std::min(kLongest, data.size() - at);
        std::size_t length = 0, distance = 0;
        const auto tryAt = [&](std::size_t back) {
            if (back == 0 || back > at || back > kFarthest) return;
            const std::size_t common = commonBytes(&data[at], &data[at - back], most);
            if (common > length) length = common, distance = back;
        };
        tryAt(kPixel);
        if (length < most) tryAt(rowBytes);
        if (at + 8 <= data.size()) {
            std::size_t& seen = lastSeen[&data[at]];
            if (length < most) tryAt(at - seen);
            seen = at;
        }
        constexpr std::size_t kShortest = 4;  // fewer bytes are no longer as they are
        if (length < kShortest) {
            bits.put(kSymbols[data[at++]]);
            continue;
        }
        const u32 l = codeOf(kLengths, u32(length)), d = codeOf(kDistances, u32(distance));
        bits.put(kSymbols[257 + l]);
        bits.put(u32(length) - kLengths.first[l], kLengths.bits[l]);
        bits.put(reversed(d, 5), 5);
        bits.put(u32(distance) - kDistances.first[d], kDistances.bits[d]);
        at += length;
    }
    bits.put(kSymbols[256]);
    bits.finish();
    const u32 sum = adler32(data);
    out.insert(out.end(), {u8(sum >> 24), u8(sum >> 16), u8(sum >> 8), u8(sum)});
    return out;
}

}  // namespace lockstep::viz
