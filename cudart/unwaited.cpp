#include "cudart/unwaited.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

namespace lockstep::cudart::unwaited {
namespace {

struct Range {
    std::uint64_t begin, end, number, caller;
    const void* stream;
    bool isTold;  // that it was accessed too early: once is enough
};

// The handler of a signal reads it: it has one size, and is never moved. More work than that is not watched.
constexpr std::size_t kMost = 4096;
Range ranges[kMost];
std::atomic<std::size_t> count{0};
std::uint64_t lastNumber = 0;
constexpr unsigned kMostOpenings = 20'000;  // each takes some microseconds
unsigned openings = 0;
int opened = 0;  // how many times the runtime is at it

std::uint64_t page() {
    static const auto bytes = std::uint64_t(sysconf(_SC_PAGESIZE));
    return bytes;
}
std::uint64_t pageOf(std::uint64_t address) { return address / page() * page(); }
std::uint64_t endOfPages(const Range& range) { return pageOf(range.end - 1) + page(); }

void set(const Range& range, int protection) {
    mprotect(reinterpret_cast<void*>(pageOf(range.begin)), endOfPages(range) - pageOf(range.begin),
             protection);
}

// Ranges for which it holds are gone; pages that others have in common with them stay closed.
template <class Is> void drop(const Is& is) {
    const std::size_t before = count;
    std::size_t left = 0;
    for (std::size_t i = 0; i < before; ++i) {
        if (is(ranges[i]))
            set(ranges[i], PROT_READ | PROT_WRITE);
        else
            std::swap(ranges[left++], ranges[i]);
    }
    count = left;
    if (left != before) closeAgain();
}

}  // namespace

void add(const std::vector<WrittenRange>& written, const void* stream, std::uint64_t caller) {
    ++lastNumber;
    openings = 0;
    for (const WrittenRange& range : written) {
        const std::size_t at = count;
        const auto isSame = [&](const Range& known) {
            return known.begin == range.address && known.end - known.begin == range.bytes &&
                   known.stream == stream;
        };
        Range* const same = std::find_if(ranges, ranges + at, isSame);
        if (same != ranges + at) {
            same->number = lastNumber;
            same->caller = caller;
            same->isTold = false;
            if (!opened) set(*same, PROT_NONE);
            continue;
        }
        if (at == kMost) return;
        if (!range.bytes) continue;
        ranges[at] = {range.address, range.address + range.bytes, lastNumber, caller, stream, false};
        count = at + 1;
        if (!opened) set(ranges[at], PROT_NONE);
    }
}

std::uint64_t number() { return lastNumber; }
void waited() {
    drop([](const Range&) { return true; });
}
void waitedForStream(const void* stream) {
    drop([&](const Range& range) { return range.stream == stream; });
}
void waitedUpTo(std::uint64_t last) {
    drop([&](const Range& range) { return range.number <= last; });
}
void forget(std::uint64_t begin, std::uint64_t end) {
    drop([&](const Range& range) { return range.begin < end && begin < range.end; });
}

Opened::Opened() {
    if (opened++) return;
    for (std::size_t i = 0; i < count; ++i)
        set(ranges[i], PROT_READ | PROT_WRITE);
}
Opened::~Opened() {
    --opened;
    closeAgain();
}

Found open(std::uint64_t address) {
    Found found;
    for (std::size_t i = 0; i < count; ++i) {
        Range& range = ranges[i];
        if (address < pageOf(range.begin) || address >= endOfPages(range)) continue;
        found.isClosed = true;
        if (address < range.begin || address >= range.end) continue;
        found.isTooEarly = !range.isTold;
        found.caller = range.caller;
        range.isTold = true;
        set(range, PROT_READ | PROT_WRITE);
    }
    if (found.isClosed) mprotect(reinterpret_cast<void*>(pageOf(address)), page(), PROT_READ | PROT_WRITE);
    return found;
}

bool opensForOne() { return ++openings <= kMostOpenings; }
void closeAgain() {
    for (std::size_t i = 0; i < count && !opened; ++i)
        if (!ranges[i].isTold) set(ranges[i], PROT_NONE);
}

}  // namespace lockstep::cudart::unwaited
