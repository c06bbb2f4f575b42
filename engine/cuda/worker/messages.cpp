#include "cuda/worker/messages.h"

#include "base/check.h"

#include <bit>
#include <cstring>
#include <type_traits>

namespace lockstep::cuda {
namespace {

static_assert(std::endian::native == std::endian::little, "fields are written as they lie in memory");

constexpr u32 kMagic = 0x47'50'53'4c;  // "LSPG"

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// Both directions walk the same fields: a Writer appends them, a Reader takes them.
class Writer {
public:
    static constexpr bool kReads = false;
    std::vector<std::byte> bytes;

    void raw(const void* from, std::size_t size) {
        const auto* first = static_cast<const std::byte*>(from);
        bytes.insert(bytes.end(), first, first + size);
    }
    template <Plain T> void value(const T& v) { raw(&v, sizeof v); }
    std::size_t size(std::size_t n, std::size_t) {
        value(u64{n});
        return n;
    }
};

class Reader {
public:
    static constexpr bool kReads = true;
    explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

    void raw(void* to, std::size_t size) {
        if (size > left_.size()) {
            isDamaged_ = true;
            std::memset(to, 0, size);
            return;
        }
        if (size > 0) std::memcpy(to, left_.data(), size);  // an empty span or vector may point nowhere
        left_ = left_.subspan(size);
    }
    template <Plain T> void value(T& v) {
        if constexpr (std::is_same_v<T, bool>) {
            u8 byte = 0;
            raw(&byte, 1);
            v = byte != 0;
            isDamaged_ |= byte > 1;
        } else {
            raw(&v, sizeof v);
        }
    }
    // A count of items that take at least `least` bytes each: never more than the bytes that are left can
    // hold.
    std::size_t size(std::size_t, std::size_t least) {
        u64 n = 0;
        value(n);
        if (n > left_.size() / least) {
            isDamaged_ = true;
            return 0;
        }
        return std::size_t(n);
    }
    void damaged() { isDamaged_ = true; }
    bool isWhole() const { return !isDamaged_ && left_.empty(); }
    bool isDamaged() const { return isDamaged_; }

private:
    std::span<const std::byte> left_;
    bool isDamaged_ = false;
};

template <class Archive, class T> using Field = std::conditional_t<Archive::kReads, T&, const T&>;

// An enumeration from outside: one of its values, or the message is damaged.
template <class Archive, class T> void enumeration(Archive& archive, T& v, std::remove_const_t<T> last) {
    archive.value(v);
    if constexpr (Archive::kReads)
        if (v > last) {
            archive.damaged();
            v = {};
        }
}

template <class Archive, Plain T> void field(Archive& archive, T& v) { archive.value(v); }
template <class Archive> void field(Archive& archive, Field<Archive, std::string> v) {
    const std::size_t n = archive.size(v.size(), 1);
    if constexpr (Archive::kReads) v.resize(n);
    archive.raw(const_cast<char*>(v.data()), n);
}
template <class Archive> void field(Archive& archive, Field<Archive, std::vector<std::byte>> v) {
    const std::size_t n = archive.size(v.size(), 1);
    if constexpr (Archive::kReads) v.resize(n);
    archive.raw(const_cast<std::byte*>(v.data()), n);
}

template <class Archive, class T> void items(Archive& archive, T& v);
template <class Archive, class T> void optional(Archive& archive, T& v);

template <class Archive> void field(Archive& archive, Field<Archive, Dim3> v) {
    for (auto* part : {&v.x, &v.y, &v.z})
        field(archive, *part);
}
// Words travel as the key of their text. A message within messages deeper than ours ever are is damaged.
constexpr u32 kDeepestMessage = 16;
constexpr std::size_t kLeastMessage = 4 * sizeof(u64);  // the key and three sizes
template <class Archive> void field(Archive& archive, Field<Archive, Message> v, u32 deepest) {
    Message::Parts parts = v.parts();
    field(archive, parts.key);
    field(archive, parts.own.en);
    field(archive, parts.own.zh);
    parts.values.resize(archive.size(parts.values.size(), kLeastMessage));
    if constexpr (Archive::kReads)
        if (deepest == 0 && !parts.values.empty()) return archive.damaged();
    for (Message& value : parts.values)
        field(archive, value, deepest - 1);
    if constexpr (Archive::kReads) {
        if (std::optional<Message> message = Message::of(std::move(parts)))
            v = std::move(*message);
        else
            archive.damaged();
    }
}
template <class Archive> void field(Archive& archive, Field<Archive, Fault> v) {
    enumeration(archive, v.kind, FaultKind::Cancelled);
    field(archive, v.message, kDeepestMessage);
}
template <class Archive> void field(Archive& archive, Field<Archive, Argument> v) {
    u8 kind = u8(v.index());
    field(archive, kind);
    if constexpr (Archive::kReads) {
        if (kind == 0)
            v = BufferArgument{};
        else if (kind == 1)
            v = ScalarArgument{};
        else
            archive.damaged();
    }
    if (auto* buffer = std::get_if<BufferArgument>(&v)) field(archive, buffer->buffer);
    if (auto* scalar = std::get_if<ScalarArgument>(&v)) field(archive, scalar->bytes);
}
template <class Archive> void field(Archive& archive, Field<Archive, Launch> v) {
    field(archive, v.entry);
    field(archive, v.grid);
    field(archive, v.block);
    field(archive, v.dynamicSharedBytes);
    items(archive, v.arguments);
}
template <class Archive> void field(Archive& archive, Field<Archive, Buffer> v) {
    field(archive, v.name);
    enumeration(archive, v.type, ElementType::F64);
    items(archive, v.shape);
    field(archive, v.bytes);
}
template <class Archive> void field(Archive& archive, Field<Archive, Device> v) {
    field(archive, v.name);
    for (auto* number : {&v.major, &v.minor})
        field(archive, *number);
    for (auto* bytes : {&v.memoryBytes, &v.l2Bytes})
        field(archive, *bytes);
    for (auto* number : {&v.multiprocessors, &v.clockKhz, &v.memoryClockKhz, &v.sharedBytesOptIn})
        field(archive, *number);
}
template <class Archive> void field(Archive& archive, Field<Archive, CompiledLaunch> v) {
    for (auto* number : {&v.registers, &v.staticSharedBytes, &v.localBytes, &v.blocksPerSm})
        field(archive, *number);
}
template <class Archive> void field(Archive& archive, Field<Archive, StrayBytes> v) {
    field(archive, v.buffer);
    field(archive, v.offset);
    field(archive, v.bytes);
}
template <class Archive> void field(Archive& archive, Field<Archive, Scratch> v) {
    field(archive, v.bytes);
    field(archive, v.wanted);
}
template <class Archive> void field(Archive& archive, Field<Archive, VariableSetting> v) {
    field(archive, v.variable);
    field(archive, v.offsetBytes);
    field(archive, v.isAddress);
    field(archive, v.value);
}
template <class Archive> void field(Archive& archive, Field<Archive, ChangingVariable> v) {
    field(archive, v.name);
    field(archive, v.steers);
}
template <class Archive> void field(Archive& archive, Field<Archive, Copy> v) {
    field(archive, v.bytes);
    field(archive, v.milliseconds);
}
template <class Archive> void field(Archive& archive, Field<Archive, std::map<std::string, f64>> v) {
    const std::size_t n = archive.size(v.size(), sizeof(u64) + sizeof(f64));
    if constexpr (Archive::kReads) {
        for (std::size_t i = 0; i < n && !archive.isDamaged(); ++i) {
            std::string name;
            field(archive, name);
            field(archive, v[name]);
        }
    } else {
        for (const auto& [name, value] : v) {
            field(archive, name);
            field(archive, value);
        }
    }
}

template <class Archive> void field(Archive& archive, Field<Archive, Counters> v) { items(archive, v); }

template <class Archive> void field(Archive&, Field<Archive, AskDevices>) {}
template <class Archive> void field(Archive& archive, Field<Archive, AskCounters> v) {
    field(archive, v.device);
}
template <class Archive> void field(Archive& archive, Field<Archive, Job> v) {
    field(archive, v.device);
    field(archive, v.ptx);
    items(archive, v.launches);
    items(archive, v.buffers);
    items(archive, v.guardBytes);
    items(archive, v.scratch);
    items(archive, v.settings);
    items(archive, v.dataDependence);
    items(archive, v.variables);
    field(archive, v.timedExecutions);
    field(archive, v.timingSeconds);
    enumeration(archive, v.cache, CacheState::Warm);
    items(archive, v.metrics);
    field(archive, v.readings);
}
template <class Archive> void field(Archive& archive, Field<Archive, DriverInfo> v) {
    field(archive, v.version);
    field(archive, v.release);
    items(archive, v.devices);
}
template <class Archive> void field(Archive& archive, Field<Archive, CounterSupport> v) {
    field(archive, v.library);
    optional(archive, v.refused);
}
template <class Archive> void field(Archive& archive, Field<Archive, AtStage> v) {
    enumeration(archive, v.stage, Stage::Counting);
    field(archive, v.done);
    field(archive, v.total);
}
template <class Archive> void field(Archive& archive, Field<Archive, Outcome> v) {
    field(archive, v.device);
    field(archive, v.driver);
    field(archive, v.driverRelease);
    items(archive, v.launches);
    items(archive, v.buffers);
    items(archive, v.strays);
    items(archive, v.addresses);
    items(archive, v.scratch);
    field(archive, v.pitchBytes);
    field(archive, v.contextMilliseconds);
}
template <class Archive> void field(Archive& archive, Field<Archive, Timing> v) {
    items(archive, v.milliseconds);
    field(archive, v.batch);
    enumeration(archive, v.cache, CacheState::Warm);
    field(archive, v.smMegahertz);
    field(archive, v.host.firstMs);
    field(archive, v.host.warmMs);
    field(archive, v.toDevice);
    field(archive, v.toHost);
}
template <class Archive> void field(Archive& archive, Field<Archive, Counted> v) {
    items(archive, v.counters);
    items(archive, v.again);
    optional(archive, v.refused);
}
template <class Archive> void field(Archive& archive, Field<Archive, Finished> v) {
    optional(archive, v.fault);
    field(archive, v.contextIsSpent);
    field(archive, v.kernelFailed);
}

template <class Archive, class T> void items(Archive& archive, T& v) {
    const std::size_t n = archive.size(v.size(), 1);
    if constexpr (Archive::kReads) {
        for (std::size_t i = 0; i < n && !archive.isDamaged(); ++i)
            field(archive, v.emplace_back());
    } else {
        for (const auto& item : v)
            field(archive, item);
    }
}
template <class Archive, class T> void optional(Archive& archive, T& v) {
    bool isThere = v.has_value();
    field(archive, isThere);
    if constexpr (Archive::kReads)
        if (isThere) v.emplace();
    if (v) field(archive, *v);
}

// Calls `use` with an empty alternative of that number.
template <std::size_t Kind = 0, class Use> void withAlternative(std::size_t kind, Use&& use) {
    if constexpr (Kind < std::variant_size_v<WorkerMessage>) {
        if (kind == Kind)
            use(std::variant_alternative_t<Kind, WorkerMessage>{});
        else
            withAlternative<Kind + 1>(kind, use);
    }
}

Unexpected damaged(const Words& what) {
    return fail(FaultKind::Damaged,
                Message(english("the GPU worker's message {0}; start the program again"), what));
}

}  // namespace

std::vector<std::byte> encode(const WorkerMessage& message) {
    Writer writer;
    writer.value(kMagic);
    writer.value(kMessageVersion);
    writer.value(u16(message.index()));
    writer.value(u64{0});
    std::visit([&](const auto& body) { field<Writer>(writer, body); }, message);
    const u64 bodyBytes = writer.bytes.size() - kHeaderBytes;
    std::memcpy(writer.bytes.data() + kHeaderBytes - sizeof bodyBytes, &bodyBytes, sizeof bodyBytes);
    return std::move(writer.bytes);
}

Expected<Header> readHeader(std::span<const std::byte> bytes) {
    CHECK_EQ(bytes.size(), kHeaderBytes, "a whole header");
    Reader reader(bytes);
    u32 magic = 0;
    u16 version = 0;
    Header header;
    reader.value(magic);
    reader.value(version);
    reader.value(header.kind);
    reader.value(header.bodyBytes);
    if (magic != kMagic) return damaged(english("does not begin as one"));
    if (version != kMessageVersion) return damaged(english("is of another version of this program"));
    if (header.kind >= std::variant_size_v<WorkerMessage>) return damaged(english("is of no known kind"));
    return header;
}

Expected<WorkerMessage> decode(const Header& header, std::span<const std::byte> body) {
    WorkerMessage message;
    bool isWhole = false;
    withAlternative(header.kind, [&](auto alternative) {
        Reader reader(body);
        field<Reader>(reader, alternative);
        isWhole = reader.isWhole();
        message = std::move(alternative);
    });
    if (!isWhole) return damaged(english("is damaged"));
    return message;
}

}  // namespace lockstep::cuda
