// Large blocks of memory come in pages of 2 MiB where the system has them. Filling 64 MiB for the first time,
// as every run does with its buffers, takes 32 ms of a processor in pages of 4 KiB and 7 in these.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;
constexpr std::size_t kLarge = 2 * kPage;

// What does not fill a page at the end stays in small ones.
void* allocate(std::size_t bytes) {
    if (bytes < kLarge || bytes > SIZE_MAX - kPage) return std::malloc(bytes ? bytes : 1);
    void* const block = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
    if (block) madvise(block, bytes / kPage * kPage, MADV_HUGEPAGE);
    return block;
}

}  // namespace

void* operator new(std::size_t bytes) {
    while (true) {
        if (void* const block = allocate(bytes)) return block;
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
#endif
