// malloc() and free() in kernels, and what is wrong with them.
#include "ptx/own_location.h"
#include "simt/memory/address_space.h"
#include "simt/memory/block_memory.h"

namespace lockstep::simt {

using trace::FindingKind;
using trace::HeapFault;

u32 BlockMemory::heapSiteOf(u32 pc) const {
    const ptx::Module& module = *program_.module;
    const ptx::Location& location = ptx::ownLocation(module, Pc{pc});
    const std::string file = location.file < module.files.size() ? module.files[location.file] : "";
    return device_.heap()->numberOf({.file = file, .line = location.line, .pc = Pc{pc}});
}

u64 BlockMemory::allocate(u64 bytes, u32 site, const Accessor& accessor, u32 lane) {
    KernelHeap& heap = *device_.heap();
    if (const std::optional<u64> offset = heap.allocate(bytes, site)) return device_.heapAddress() + *offset;
    if (!observers_.findings) return 0;
    trace::Finding f = finding(FindingKind::HeapRemark, accessor.pc, accessor.warp, lane);
    f.offsetBytes = s64(bytes);
    f.sizeBytes = heap.bytes();
    f.detail = trace::detailOf({.fault = HeapFault::NoRoom});
    observers_.findings->add(f);
    return 0;
}

void BlockMemory::free(u64 address, u32 site, const Accessor& accessor, u32 lane) {
    if (!address) return;  // as in C
    KernelHeap& heap = *device_.heap();
    const u64 offset = address - device_.heapAddress();
    u32 freedIn = 0, allocatedIn = 0;
    if (const KernelHeap::Chunk* const chunk = heap.find(offset)) {
        allocatedIn = heap.site(chunk->allocatedBy).line;
        if (chunk->isFreed) freedIn = heap.site(chunk->freedBy).line;
    }
    HeapFault fault = HeapFault::None;
    switch (heap.free(offset, site)) {
        case KernelHeap::Freed::Done: return;
        case KernelHeap::Freed::Twice: fault = HeapFault::FreedTwice; break;
        case KernelHeap::Freed::Within: fault = HeapFault::Within; break;
        case KernelHeap::Freed::NotOfHeap: fault = HeapFault::NotOfMalloc; break;
    }
    if (!observers_.findings) return;
    trace::Finding f = finding(FindingKind::InvalidFree, accessor.pc, accessor.warp, lane);
    f.address = address;
    f.detail = trace::detailOf({.fault = fault, .allocatedIn = allocatedIn, .freedIn = freedIn});
    observers_.findings->add(f);
}

// An access to memory there that is not in use, or goes beyond what is.
void BlockMemory::describeOfHeap(trace::Finding& f) const {
    const KernelHeap& heap = *device_.heap();
    const u64 offset = f.address - device_.heapAddress();
    u64 first = 0;
    const KernelHeap::Chunk* const chunk = heap.find(offset, &first);
    f.buffer = -1;
    if (!chunk) {
        f.kind = FindingKind::InvalidAddress;
        f.offsetBytes = s64(f.address);
        return;
    }
    f.offsetBytes = s64(offset - first);
    f.sizeBytes = chunk->bytes;
    trace::HeapFacts facts{.fault = HeapFault::OutOfBounds,
                           .allocatedIn = heap.site(chunk->allocatedBy).line};
    if (chunk->isFreed && offset - first < chunk->bytes) {
        f.kind = FindingKind::InvalidAddress;
        facts.fault = HeapFault::UseAfterFree;
        facts.freedIn = heap.site(chunk->freedBy).line;
    }
    f.detail = detailOf(facts);
}

}  // namespace lockstep::simt
