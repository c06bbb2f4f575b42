// A run's buffers are filled and copied from end to end: large pages, if the system has them, take one page
// fault where small ones take 512. Sanitizers have allocators of their own.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

void* operator new(std::size_t bytes) {
    constexpr std::size_t kLargePage = 2u << 20, kPage = 4096;
    void* memory = nullptr;
    while (!(memory = std::malloc(bytes ? bytes : 1))) {
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
    if (bytes >= 2 * kLargePage) {
        const std::size_t intoPage = reinterpret_cast<std::uintptr_t>(memory) % kPage;
        madvise(static_cast<std::byte*>(memory) + (kPage - intoPage), bytes - kPage, MADV_HUGEPAGE);
    }
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif
