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

// What the steps of a block store to in a buffer, if no granule twice; other blocks do so elsewhere.
class Footprint {
public:
    Footprint() = default;
    // granules: numbers of them in the buffer, each of 1 << shift bytes, ascending. None if they repeat
    // themselves.
    Footprint(std::span<const u64> granules, u32 shift) : shift_(shift) {
        for (std::size_t i = 0; i < granules.size(); ++i) {
            if (i && granules[i] == granules[i - 1]) {
                words_.clear();
                return;
            }
            const u64 word = granules[i] / 64;
            if (words_.empty() || words_.back().number != word) words_.push_back({word, 0});
            words_.back().bits |= u64{1} << granules[i] % 64;
        }
    }
    bool empty() const { return words_.empty(); }
    u32 shift() const { return shift_; }

    // Adds them to the words of a buffer, displaced by so many bytes. True: none was there yet.
    bool addTo(u64* words, u64 displacedBytes) const {
        const s64 by = s64(displacedBytes) >> shift_;
        const u64 whole = u64(by >> 6);
        const u32 rest = u32(by & 63);
        u64 seen = 0;
        const auto add = [&](u64 number, u64 bits) {
            if (!bits) return;  // there may be no such word
            seen |= words[number] & bits;
            words[number] |= bits;
        };
        for (const Word& word : words_) {
            add(word.number + whole, word.bits << rest);
            if (rest) add(word.number + whole + 1, word.bits >> (64 - rest));
        }
        return seen == 0;
    }

private:
    struct Word {
        u64 number, bits;
    };
    std::vector<Word> words_;
    u32 shift_ = 0;
};

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
