// Which granules of the launch's buffers were stored to, a bit each: all there is to know about a buffer to
// which each granule is stored once, and that is accessed in no other way.
#pragma once

#include "base/indices.h"

#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace lockstep::trace {

// Of one thread's blocks, or of all that run in order: not for several threads at once.
class OnceMap {
public:
    explicit OnceMap(std::size_t buffers) : buffers_(buffers) {}

    // The bits of a buffer of this many granules; 64 a word. Pages that are never written take no memory.
    u64* of(u32 buffer, u64 granules) {
        Words& words = buffers_[buffer];
        if (!words.bits) [[unlikely]]
            words.make(granules);
        return words.bits.get();
    }
    std::span<const u64> known(u32 buffer) const { return buffers_[buffer].all(); }
    u64 bytes() const {
        u64 bytes = 0;
        for (const Words& words : buffers_)
            bytes += words.all().size_bytes();
        return bytes;
    }

    // Neighbors. True: none of them was there yet.
    static bool add(u64* words, u64 first, u64 count) {
        u64 seen = 0;
        while (count) {
            const u64 from = first % 64, here = count < 64 - from ? count : 64 - from;
            const u64 bits = (here == 64 ? ~u64{0} : (u64{1} << here) - 1) << from;
            seen |= words[first / 64] & bits;
            words[first / 64] |= bits;
            first += here, count -= here;
        }
        return seen == 0;
    }

private:
    struct Free {
        void operator()(u64* bits) const { std::free(bits); }
    };
    struct Words {
        std::unique_ptr<u64[], Free> bits;
        std::size_t count = 0;

        void make(u64 granules) {
            count = granules / 64 + 1;
            bits.reset(static_cast<u64*>(std::calloc(count, sizeof(u64))));
            if (!bits) throw std::bad_alloc();
        }
        std::span<const u64> all() const { return {bits.get(), count}; }
    };
    std::vector<Words> buffers_;
};

}  // namespace lockstep::trace
