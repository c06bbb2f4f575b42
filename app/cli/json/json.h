// A JSON value, with keys in insertion order. Only json.cpp includes the JSON library, whose templates cost
// seconds in each file that includes them.
#pragma once

#include "base/dim3.h"
#include "base/integers.h"

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep::cli {

class Json {
public:
    struct Member;  // {"key", value}

    Json(std::nullptr_t = nullptr);
    // Pointers must not convert to bool.
    template <std::same_as<bool> Bool> Json(Bool value) : Json(Value(value)) {}
    Json(s32 value);
    Json(u32 value);
    Json(s64 value);
    Json(u64 value);
    Json(f64 value);  // NaN and infinity, which JSON lacks, become null
    Json(const char* text);
    Json(std::string_view text);
    Json(std::string text);
    Json(std::initializer_list<Member> members);  // an object
    template <class T> Json(const std::vector<T>& items);
    template <class T> Json(const std::optional<T>& value);  // null if there is none

    Json(const Json&);
    Json(Json&&) noexcept;
    Json& operator=(const Json&);
    Json& operator=(Json&&) noexcept;
    ~Json();

    static Json object();
    static Json array();
    static Json array(std::initializer_list<Json> items);

    bool isNull() const;
    // Of an array or object; 0 for null.
    bool empty() const { return size() == 0; }
    std::size_t size() const;

    // The value of a key, added if missing; null becomes an object.
    Json& operator[](std::string_view key);
    void add(std::initializer_list<Member> members);
    // Adds to an array; null becomes one.
    void push_back(Json item);
    Json& back();

    // Indented by two blanks per level. Invalid UTF-8, possible in file names, is replaced.
    std::string written() const;
    // Parses what this program has written itself.
    static Json parse(const std::string& text);

private:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;
    using Value = std::variant<std::nullptr_t, bool, s64, u64, f64, std::string, Array, Object>;

    explicit Json(Value value);
    void writeTo(std::string& text, std::size_t indent) const;

    Value value_;
};

struct Json::Member {
    std::string_view key;
    mutable Json value;  // is moved out of the list, whose elements are constant
};

template <class T> Json::Json(const std::vector<T>& items) : Json(array()) {
    for (const T& item : items)
        push_back(Json(item));
}

template <class T> Json::Json(const std::optional<T>& value) : Json(nullptr) {
    if (value) *this = Json(*value);
}

// [x, y, z]
Json triple(Dim3 of);

}  // namespace lockstep::cli
