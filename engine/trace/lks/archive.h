// Writing and reading values by their lists of fields, `fields(archive, value)`: numbers as they are, lists
// with their length in front.
#pragma once

#include "base/integers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep::trace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

template <class T, class S>
concept Like = std::same_as<std::remove_const_t<T>, S>;

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::byte>;

class Writer {
public:
    std::vector<std::byte> bytes;

    template <class... T> void operator()(const T&... values) { (write(values), ...); }
    void check(bool) {}

private:
    void raw(const void* from, std::size_t size) {
        if (size == 0) return;
        const std::size_t at = bytes.size();
        if (bytes.capacity() < at + size) bytes.reserve(std::max(2 * bytes.capacity(), at + size));
        bytes.resize(at + size);
        std::memcpy(bytes.data() + at, from, size);
    }
    template <Plain T> void write(const T& value) { raw(&value, sizeof value); }
    template <class T>
        requires requires(Writer& w, const T& t) { fields(w, t); }
    void write(const T& value) {
        fields(*this, value);
    }
    void write(const std::string& text) {
        write(u64{text.size()});
        raw(text.data(), text.size());
    }
    template <class T> void write(const std::vector<T>& list) {
        write(u64{list.size()});
        if constexpr (Plain<T>)
            raw(list.data(), list.size() * sizeof(T));
        else
            for (const T& element : list)
                write(element);
    }
    template <Plain T, std::size_t N> void write(const std::array<T, N>& list) {
        raw(list.data(), sizeof list);
    }
    template <class A, class B> void write(const std::pair<A, B>& pair) { (*this)(pair.first, pair.second); }
    template <class K, class V> void write(const std::map<K, V>& map) {
        write(u64{map.size()});
        for (const auto& [key, value] : map)
            (*this)(key, value);
    }
    template <class T> void write(const std::optional<T>& value) {
        write(u8(value.has_value()));
        if (value) write(*value);
    }
    template <class... T> void write(const std::variant<T...>& value) {
        write(u8(value.index()));
        std::visit([&](const auto& held) { write(held); }, value);
    }
};

// Reads what a Writer wrote. If the bytes end too early or are invalid, all later values are zero and ok() is
// false.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

    // No bytes were missing and none are left.
    bool ok() const { return !failed_ && left_.empty(); }
    bool hasFailed() const { return failed_; }
    // What was read cannot be meant.
    void check(bool holds) { failed_ |= !holds; }

    template <class... T> void operator()(T&... values) { (read(values), ...); }

private:
    bool raw(void* to, std::size_t size) {
        if (size > left_.size()) {
            failed_ = true;
            left_ = {};
            return false;
        }
        if (size) std::memcpy(to, left_.data(), size);
        left_ = left_.subspan(size);
        return true;
    }
    template <Plain T> void read(T& value) {
        if constexpr (std::same_as<T, bool>) {  // other bits would be no bool
            u8 bits = 0;
            raw(&bits, 1);
            failed_ |= bits > 1;
            value = bits == 1;
        } else {
            raw(&value, sizeof value);
        }
    }
    template <class T>
        requires requires(Reader& r, T& t) { fields(r, t); }
    void read(T& value) {
        fields(*this, value);
    }

    // A length that the remaining bytes can hold, or 0: a file cannot request more memory than a few times
    // its own size.
    std::size_t length(std::size_t leastBytesOfOne) {
        u64 count = 0;
        read(count);
        if (count > left_.size() / leastBytesOfOne) {
            failed_ = true;
            left_ = {};
            return 0;
        }
        return count;
    }
    template <class T> static std::size_t leastBytes() {
        static const std::size_t bytes = [] {
            Writer writer;
            writer(T{});
            return writer.bytes.size();
        }();
        return bytes;
    }
    void read(std::string& text) {
        text.resize(length(1));
        raw(text.data(), text.size());
    }
    template <class T> void read(std::vector<T>& list) {
        list.resize(length(leastBytes<T>()));
        if constexpr (Plain<T>)
            raw(list.data(), list.size() * sizeof(T));
        else
            for (T& element : list) {
                if (failed_) return;
                read(element);
            }
    }
    template <Plain T, std::size_t N> void read(std::array<T, N>& list) { raw(list.data(), sizeof list); }
    template <class A, class B> void read(std::pair<A, B>& pair) { (*this)(pair.first, pair.second); }
    template <class K, class V> void read(std::map<K, V>& map) {
        for (std::size_t left = length(leastBytes<K>() + leastBytes<V>()); left > 0 && !failed_; --left) {
            K key{};
            read(key);
            read(map[key]);
        }
    }
    template <class T> void read(std::optional<T>& value) {
        bool has = false;
        read(has);
        if (has) read(value.emplace(T{}));
    }
    template <class... T> void read(std::variant<T...>& value) {
        u8 index = 0;
        read(index);
        if (index >= sizeof...(T)) {
            failed_ = true;
            return;
        }
        std::size_t at = 0;
        ((at++ == index ? read(value.template emplace<T>()) : void()), ...);
    }

    std::span<const std::byte> left_;
    bool failed_ = false;
};

}  // namespace lockstep::trace
