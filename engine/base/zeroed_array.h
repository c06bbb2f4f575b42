// A large zeroed array that may be used sparsely: the system allocates its pages on first access.
#pragma once

#include "base/integers.h"

#include <sys/mman.h>

#include <new>
#include <type_traits>
#include <utility>

namespace lockstep {

// T: all bits zero is a value of it. Throws std::bad_alloc.
template <class T> class ZeroedArray {
    static_assert(std::is_trivially_destructible_v<T>);

public:
    explicit ZeroedArray(std::size_t count) : bytes_(count * sizeof(T)) {
        if (bytes_ >= kLargePage)
            bytes_ = (bytes_ + kLargePage - 1) / kLargePage *
                     kLargePage;  // Linux puts these where large pages begin
        void* memory =
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        first_ = static_cast<T*>(memory);
    }
    ZeroedArray(ZeroedArray&& other) noexcept
        : first_(std::exchange(other.first_, nullptr)), bytes_(other.bytes_) {}
    ZeroedArray& operator=(ZeroedArray&&) = delete;
    ~ZeroedArray() {
        if (first_) munmap(first_, bytes_);
    }
    // Hint that much of it will be accessed at random: large pages, if available, reduce TLB misses. Pages
    // already in use are kept.
    void wantLargePages() { madvise(first_, bytes_, MADV_HUGEPAGE); }
    T& operator[](std::size_t i) { return first_[i]; }

private:
    static constexpr std::size_t kLargePage = 2u << 20;  // of x86-64

    T* first_ = nullptr;
    std::size_t bytes_;
};

}  // namespace lockstep
