#include "trace/lks/lks_container.h"

#include "base/check.h"
#include "base/text/counted.h"

#include <zstd.h>

#include <array>
#include <bit>
#include <cstring>

namespace lockstep::trace {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

constexpr std::array<unsigned char, 8> kMagic = {0x89, 'L', 'K', 'S', '\r', '\n', 0x1a, '\n'};
constexpr u32 kMostSections = 64;
constexpr int kCompressionLevel =
    3;  // zstd's default: 5 times faster than level 9 on traces, files a tenth larger

struct Entry {
    u32 kind = 0, reserved = 0;
    u64 offset = 0, packedBytes = 0, bytes = 0, checksum = 0;
};
static_assert(sizeof(Entry) == 40 && std::has_unique_object_representations_v<Entry>);

struct Start {
    std::array<unsigned char, 8> magic = kMagic;
    u32 version = kLksVersion, sections = 0;
};
static_assert(sizeof(Start) == 16 && std::has_unique_object_representations_v<Start>);

// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv: each step is a bijection, so one changed byte is always
// detected.
u64 checksumOf(std::span<const std::byte> bytes) {
    u64 hash = 0xcbf29ce484222325u;
    for (std::byte b : bytes)
        hash = (hash ^ u64(b)) * 0x100000001b3u;
    return hash;
}

template <class T> void append(std::vector<std::byte>& bytes, const T& value) {
    bytes.resize(bytes.size() + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

Unexpected damaged(const std::string& name, const Message& what) {
    return fail(FaultKind::Damaged,
                Message(english("this recording is damaged ({0}); copy it again or record it again"), what),
                {.file = name});
}

Expected<std::vector<std::byte>> decompress(std::span<const std::byte> packed, u64 bytes,
                                            const std::string& name) {
    // Nothing is allocated on the file header's claims alone.
    if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != bytes)
        return damaged(name, english("a section has another size than announced"));
    std::vector<std::byte> result(bytes);
    const std::size_t got = ZSTD_decompress(result.data(), result.size(), packed.data(), packed.size());
    if (ZSTD_isError(got) || got != bytes) return damaged(name, english("a section cannot be unpacked"));
    return result;
}

}  // namespace

std::vector<std::byte> packSections(std::span<const LksSection> sections) {
    CHECK_LE(sections.size(), kMostSections, "the format has that many kinds");
    std::vector<Entry> entries;
    std::vector<std::byte> packed;
    const u64 bodyAt = sizeof(Start) + sections.size() * sizeof(Entry) + sizeof(u64);
    for (const LksSection& section : sections) {
        const std::size_t at = packed.size();
        packed.resize(at + ZSTD_compressBound(section.bytes.size()));
        const std::size_t size = ZSTD_compress(packed.data() + at, packed.size() - at, section.bytes.data(),
                                               section.bytes.size(), kCompressionLevel);
        CHECK(!ZSTD_isError(size), "the bound is enough for any input");
        packed.resize(at + size);
        entries.push_back({section.kind, 0, bodyAt + at, size, section.bytes.size(),
                           checksumOf(std::span(packed).subspan(at))});
    }

    std::vector<std::byte> file;
    file.reserve(bodyAt + packed.size());
    append(file, Start{.sections = u32(sections.size())});
    for (const Entry& entry : entries)
        append(file, entry);
    append(file, checksumOf(file));
    file.insert(file.end(), packed.begin(), packed.end());
    return file;
}

Expected<std::vector<LksSection>> unpackSections(std::span<const std::byte> file, const std::string& name) {
    Start start;
    const std::size_t known = std::min(file.size(), sizeof kMagic);
    if (known == 0 || std::memcmp(file.data(), kMagic.data(), known) != 0)
        return fail(FaultKind::Damaged,
                    english("this is no recording; open a .lks file that 'lockstep run --save' wrote"),
                    {.file = name});
    const auto cutOff = [&](u64 whole) {
        return fail(
            FaultKind::Damaged,
            Message(english("this recording is cut off after {0} {0:byte|bytes}{1}; copy it again"),
                    grouped(file.size()), whole ? Message(english(" of {0}"), grouped(whole)) : Message()),
            {.file = name});
    };
    if (file.size() < sizeof start) return cutOff(0);
    std::memcpy(&start, file.data(), sizeof start);
    if (start.version > kLksVersion)
        return fail(
            FaultKind::Unsupported,
            Message(
                english(
                    "this recording has format {0}, and this program reads up to {1}; update the program"),
                start.version, kLksVersion),
            {.file = name});
    if (start.version != 0 && start.version < kLksVersion)
        return fail(
            FaultKind::Unsupported,
            Message(
                english("this recording has format {0}, which this program no longer reads; record it again"),
                start.version),
            {.file = name});
    if (start.version == 0 || start.sections > kMostSections)
        return damaged(name, english("its header makes no sense"));

    const std::size_t headerBytes = sizeof start + start.sections * sizeof(Entry);
    if (file.size() < headerBytes + sizeof(u64)) return cutOff(0);
    u64 checksum;
    std::memcpy(&checksum, file.data() + headerBytes, sizeof checksum);
    if (checksum != checksumOf(file.first(headerBytes)))
        return damaged(name, english("its header does not match its checksum"));

    std::vector<Entry> entries(start.sections);
    if (!entries.empty())
        std::memcpy(entries.data(), file.data() + sizeof start, start.sections * sizeof(Entry));
    u64 at = headerBytes + sizeof checksum, bytes = 0;
    for (const Entry& entry : entries) {
        if (entry.offset != at || entry.packedBytes > kMostLksBytes || entry.bytes > kMostLksBytes - bytes)
            return damaged(name, english("its table of sections makes no sense"));
        at += entry.packedBytes;
        bytes += entry.bytes;
    }
    if (file.size() < at) return cutOff(at);
    if (file.size() > at)
        return damaged(name, Message(english("behind its end there is more: {0} {0:byte|bytes}"),
                                     grouped(file.size() - at)));

    std::vector<LksSection> sections;
    for (const Entry& entry : entries) {
        const std::span<const std::byte> packed = file.subspan(entry.offset, entry.packedBytes);
        if (checksumOf(packed) != entry.checksum)
            return damaged(name, english("a section does not match its checksum"));
        Expected<std::vector<std::byte>> unpacked = decompress(packed, entry.bytes, name);
        if (!unpacked) return Unexpected{std::move(unpacked.error())};
        sections.push_back({entry.kind, std::move(*unpacked)});
    }
    return sections;
}

}  // namespace lockstep::trace
