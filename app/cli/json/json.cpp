#include "app/cli/json/json.h"

#include "base/check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace lockstep::cli {
namespace {

using Library = nlohmann::ordered_json;

constexpr std::size_t kIndent = 2;

// A number or a string as the library writes it.
std::string scalar(const Library& value) {
    return value.dump(-1, ' ', false, Library::error_handler_t::replace);
}

void writeText(std::string& to, std::string_view text) {
    const auto isPlain = [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; };
    if (!std::ranges::all_of(text, isPlain)) {
        to += scalar(text);
        return;
    }
    to += '"';
    to += text;
    to += '"';
}

// A bracketed list, one item per line; `write` writes one.
template <class Items, class Write>
void writeItems(std::string& to, std::string_view brackets, std::size_t indent, const Items& items,
                Write&& write) {
    to += brackets[0];
    for (const auto& item : items) {
        to += &item == &items.front() ? "\n" : ",\n";
        to.append(indent + kIndent, ' ');
        write(item);
    }
    if (!items.empty()) to.append(1, '\n').append(indent, ' ');
    to += brackets[1];
}

Json fromLibrary(const Library& value) {
    switch (value.type()) {
        case Library::value_t::boolean: return value.get<bool>();
        case Library::value_t::number_integer: return value.get<s64>();
        case Library::value_t::number_unsigned: return value.get<u64>();
        case Library::value_t::number_float: return value.get<f64>();
        case Library::value_t::string: return value.get<std::string>();
        case Library::value_t::array: {
            Json items = Json::array();
            for (const Library& item : value)
                items.push_back(fromLibrary(item));
            return items;
        }
        case Library::value_t::object: {
            Json members = Json::object();
            for (const auto& [key, member] : value.items())
                members[key] = fromLibrary(member);
            return members;
        }
        default: return nullptr;
    }
}

}  // namespace

Json::Json(Value value) : value_(std::move(value)) {}
Json::Json(std::nullptr_t) {}
Json::Json(s32 value) : value_(s64{value}) {}
Json::Json(u32 value) : value_(u64{value}) {}
Json::Json(s64 value) : value_(value) {}
Json::Json(u64 value) : value_(value) {}
Json::Json(f64 value) : value_(value) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::initializer_list<Member> members) : value_(Object()) { add(members); }

Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json Json::object() { return Json(Value(Object())); }
Json Json::array() { return Json(Value(Array())); }
Json Json::array(std::initializer_list<Json> items) { return Json(Value(Array(items))); }

bool Json::isNull() const { return std::holds_alternative<std::nullptr_t>(value_); }

std::size_t Json::size() const {
    if (const Array* items = std::get_if<Array>(&value_)) return items->size();
    const Object* members = std::get_if<Object>(&value_);
    return members ? members->size() : 0;
}

Json& Json::operator[](std::string_view key) {
    if (isNull()) value_ = Object();
    Object* members = std::get_if<Object>(&value_);
    CHECK(members, "only an object has keys");
    for (auto& [name, value] : *members)
        if (name == key) return value;
    return members->emplace_back(key, nullptr).second;
}

void Json::add(std::initializer_list<Member> members) {
    Object* own = std::get_if<Object>(&value_);
    CHECK(own, "members are added to an object");
    for (const Member& member : members)
        own->emplace_back(member.key, std::move(member.value));
}

void Json::push_back(Json item) {
    if (isNull()) value_ = Array();
    Array* items = std::get_if<Array>(&value_);
    CHECK(items, "only an array grows by items");
    items->push_back(std::move(item));
}

Json& Json::back() {
    Array* items = std::get_if<Array>(&value_);
    CHECK(items, "only an array has a last item");
    CHECK(!items->empty(), "an empty array has no last item");
    return items->back();
}

void Json::writeTo(std::string& text, std::size_t indent) const {
    if (isNull()) {
        text += "null";
    } else if (const bool* truth = std::get_if<bool>(&value_)) {
        text += *truth ? "true" : "false";
    } else if (const s64* whole = std::get_if<s64>(&value_)) {
        text += std::to_string(*whole);
    } else if (const u64* natural = std::get_if<u64>(&value_)) {
        text += std::to_string(*natural);
    } else if (const f64* number = std::get_if<f64>(&value_)) {
        text += scalar(*number);
    } else if (const std::string* own = std::get_if<std::string>(&value_)) {
        writeText(text, *own);
    } else if (const Array* items = std::get_if<Array>(&value_)) {
        writeItems(text, "[]", indent, *items,
                   [&](const Json& item) { item.writeTo(text, indent + kIndent); });
    } else {
        writeItems(text, "{}", indent, std::get<Object>(value_), [&](const auto& member) {
            writeText(text, member.first);
            text += ": ";
            member.second.writeTo(text, indent + kIndent);
        });
    }
}

std::string Json::written() const {
    std::string text;
    writeTo(text, 0);
    return text;
}

Json Json::parse(const std::string& text) { return fromLibrary(Library::parse(text)); }

Json triple(Dim3 of) { return Json::array({of.x, of.y, of.z}); }

}  // namespace lockstep::cli
