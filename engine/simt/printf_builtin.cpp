// printf on the device: vprintf(format, arguments), where the arguments lie one behind the other, each at its own alignment.
#include <bit>
#include <cstdio>
#include <cstring>

#include "simt/block_runner.h"

namespace lockstep::simt {
namespace {

constexpr u64 kMostText = 4096;  // of a format or of one %s

// What a thread's memory holds, read a byte at a time because a string's length is not known.
class ThreadMemory {
public:
    ThreadMemory(const BlockMemory& memory, u32 warp, u32 lane) : memory_(memory), warp_(warp), lane_(lane) {}

    std::string text(u64 address) const {
        std::string text;
        while (text.size() < kMostText) {
            std::byte room;
            const std::byte* at = memory_.peek(address + text.size(), 1, warp_, lane_, &room);
            if (!at || *at == std::byte{0}) break;
            text += char(*at);
        }
        return text;
    }
    template <class T>
    T take(u64& address) const {
        address = (address + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        T value{};
        std::byte room[sizeof(T)];
        if (const std::byte* at = memory_.peek(address, sizeof(T), warp_, lane_, room)) std::memcpy(&value, at, sizeof value);
        address += sizeof value;
        return value;
    }

private:
    const BlockMemory& memory_;
    u32 warp_, lane_;
};

template <class T>
std::string formatted(const std::string& format, T value) {
    char text[512];
    const int length = std::snprintf(text, sizeof text, format.c_str(), value);
    return length > 0 ? std::string(text, std::min<std::size_t>(std::size_t(length), sizeof text - 1)) : std::string();
}

// One conversion, from behind its %: flags, width and precision as C has them, at most three digits each.
std::string convert(const std::string& format, std::size_t& i, u64& arguments, const ThreadMemory& memory) {
    std::string flags = "%";
    const auto number = [&] {
        if (i < format.size() && format[i] == '*') {
            ++i;
            flags += std::to_string(memory.take<s32>(arguments) % 256);
        }
        for (u32 digits = 0; i < format.size() && format[i] >= '0' && format[i] <= '9'; ++i)
            if (digits++ < 3) flags += format[i];
    };
    while (i < format.size() && std::strchr("-+ #0", format[i])) flags += format[i++];
    number();
    if (i < format.size() && format[i] == '.') {
        flags += format[i++];
        number();
    }
    bool isLong = false;
    for (; i < format.size() && std::strchr("hlzjtL", format[i]); ++i) isLong |= format[i] != 'h';
    if (i >= format.size()) return {};
    const char conversion = format[i++];
    switch (conversion) {
        case 'd': case 'i': return formatted(flags + "lld", isLong ? (long long)(memory.take<s64>(arguments)) : (long long)(memory.take<s32>(arguments)));
        case 'u': case 'x': case 'X': case 'o':
            return formatted(flags + "ll" + conversion, isLong ? (unsigned long long)(memory.take<u64>(arguments)) : (unsigned long long)(memory.take<u32>(arguments)));
        case 'c': return formatted(flags + "c", memory.take<s32>(arguments));
        case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A': return formatted(flags + conversion, memory.take<f64>(arguments));
        case 'p': return formatted("0x%llx", (unsigned long long)(memory.take<u64>(arguments)));
        case 's': return formatted(flags + "s", memory.text(memory.take<u64>(arguments)).c_str());
        case '%': return "%";
        default: return std::string("%") + conversion;
    }
}

std::string printed(const std::string& format, u64 arguments, const ThreadMemory& memory) {
    std::string text;
    for (std::size_t i = 0; i < format.size();) {
        if (format[i] != '%') text += format[i++];
        else text += convert(format, ++i, arguments, memory);
    }
    return text;
}

}  // namespace

void BlockRunner::print(const WarpState& warp, const CallOperation& call, const std::byte* frame, u32 active) {
    const auto argument = [&](std::size_t i, u32 lane) {
        u64 value = 0;
        if (i < call.arguments.size())
            std::memcpy(&value, frame + call.arguments[i].at + lane * call.arguments[i].strideBytes(), std::min<u32>(8, call.arguments[i].sizeBytes));
        return value;
    };
    for (Lane lane : LaneMask{active}) {
        const ThreadMemory memory(memory_, warp.index(), lane.value);
        if (call.builtin == Builtin::Printf) {
            output_ += printed(memory.text(argument(0, lane.value)), argument(1, lane.value), memory);
        } else {  // __assertfail(message, file, line, function, size of a character)
            const Dim3 thread = coordinatesOf(u64{warp.index()} * kWarpSize + lane.value, shape_.block);
            output_ += memory.text(argument(1, lane.value)) + ":" + std::to_string(u32(argument(2, lane.value))) + ": " + memory.text(argument(3, lane.value)) +
                       ": block: [" + std::to_string(at_.x) + "," + std::to_string(at_.y) + "," + std::to_string(at_.z) + "], thread: [" + std::to_string(thread.x) + "," +
                       std::to_string(thread.y) + "," + std::to_string(thread.z) + "] Assertion `" + memory.text(argument(0, lane.value)) + "` failed.\n";
        }
    }
}

}  // namespace lockstep::simt
