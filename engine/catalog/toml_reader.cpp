#include "catalog/toml_reader.h"

#include "base/nearest.h"

#include <algorithm>

namespace lockstep::catalog {

Fault faultOf(const toml::parse_error& error, const std::string& file) {
    return Fault{.kind = FaultKind::Syntax,
                 .message = Message(english("this is no valid TOML: {0}"), std::string(error.description())),
                 .place = {file, u32(error.source().begin.line), u32(error.source().begin.column)},
                 .pc = {},
                 .block = {},
                 .thread = {}};
}

void Complaints::add(const toml::node& where, Message message) {
    if (!first_)
        first_ = Fault{.kind = FaultKind::Syntax,
                       .message = std::move(message),
                       .place = {file_, where.source().begin.line, 0},
                       .pc = {},
                       .block = {},
                       .thread = {}};
}

const toml::node& TomlReader::at(std::string_view key) const {
    const toml::node* node = table_.get(key);
    return node ? *node : table_;
}

const toml::node* TomlReader::find(std::string_view key) {
    asked_.emplace_back(key);
    return table_.get(key);
}

const toml::node* TomlReader::require(std::string_view key) {
    const toml::node* node = find(key);
    if (!node) complaints_.add(table_, Message(english("'{0}' is missing here"), key));
    return node;
}

namespace {

std::string stringFrom(const toml::node* node, std::string_view key, Complaints& complaints) {
    if (!node) return {};
    if (const auto* value = node->as_string()) return value->get();
    complaints.add(*node, Message(english("'{0}' must be a text in quotes"), key));
    return {};
}

std::optional<s64> integerFrom(const toml::node* node, std::string_view key, Complaints& complaints) {
    if (!node) return {};
    if (const auto* value = node->as_integer()) return value->get();
    complaints.add(*node, Message(english("'{0}' must be a whole number"), key));
    return {};
}

Text textFrom(const toml::node* node, std::string_view key, Complaints& complaints) {
    if (!node) return {};
    if (const toml::table* table = node->as_table()) {
        TomlReader reader(*table, complaints);
        Text text{.en = reader.string("en"), .zh = reader.string("zh")};
        reader.finish();
        return text;
    }
    if (const auto* plain = node->as_string()) return {.en = plain->get(), .zh = {}};
    complaints.add(*node, Message(english("'{0}' must be a text, or {1} en = \"...\", zh = \"...\" {2}"), key,
                                  '{', '}'));
    return {};
}

std::vector<std::string> stringsFrom(const toml::node* node, std::string_view key, Complaints& complaints) {
    std::vector<std::string> strings;
    if (!node) return strings;
    const toml::array* array = node->as_array();
    if (!array)
        complaints.add(*node, Message(english("'{0}' must be a list of texts: [\"...\"]"), key));
    else
        for (const toml::node& item : *array)
            strings.push_back(stringFrom(&item, key, complaints));
    return strings;
}

std::vector<const toml::table*> tablesFrom(const toml::node* node, std::string_view key,
                                           Complaints& complaints) {
    std::vector<const toml::table*> tables;
    if (!node) return tables;
    const toml::array* array = node->as_array();
    if (!array || !array->is_homogeneous<toml::table>()) {
        complaints.add(*node, Message(english("'{0}' must be a list of tables: [[{0}]]"), key));
        return tables;
    }
    for (const toml::node& item : *array)
        tables.push_back(item.as_table());
    return tables;
}

}  // namespace

std::string TomlReader::string(std::string_view key) { return stringFrom(require(key), key, complaints_); }

std::string TomlReader::optionalString(std::string_view key, std::string otherwise) {
    const toml::node* node = find(key);
    return node ? stringFrom(node, key, complaints_) : std::move(otherwise);
}

std::optional<s64> TomlReader::optionalInteger(std::string_view key) {
    return integerFrom(find(key), key, complaints_);
}

s64 TomlReader::integer(std::string_view key) {
    return integerFrom(require(key), key, complaints_).value_or(0);
}

std::optional<f64> TomlReader::optionalNumber(std::string_view key) {
    const toml::node* node = find(key);
    if (!node) return {};
    if (const std::optional<f64> value = node->value<f64>(); value && node->is_number()) return value;
    complaints_.add(*node, Message(english("'{0}' must be a number"), key));
    return {};
}

bool TomlReader::optionalBool(std::string_view key, bool otherwise) {
    const toml::node* node = find(key);
    if (!node) return otherwise;
    if (const auto* value = node->as_boolean()) return value->get();
    complaints_.add(*node, Message(english("'{0}' must be true or false"), key));
    return otherwise;
}

Text TomlReader::text(std::string_view key) { return textFrom(require(key), key, complaints_); }
Text TomlReader::optionalText(std::string_view key) { return textFrom(find(key), key, complaints_); }
std::vector<Text> TomlReader::texts(std::string_view key) {
    std::vector<Text> texts;
    const toml::node* node = require(key);
    if (!node) return texts;
    const toml::array* array = node->as_array();
    if (!array)
        complaints_.add(
            *node, Message(english("'{0}' must be a list of texts: [{1} en = \"...\", zh = \"...\" {2}]"),
                           key, '{', '}'));
    else
        for (const toml::node& item : *array)
            texts.push_back(textFrom(&item, key, complaints_));
    return texts;
}
std::vector<std::string> TomlReader::strings(std::string_view key) {
    return stringsFrom(require(key), key, complaints_);
}
std::vector<std::string> TomlReader::optionalStrings(std::string_view key) {
    return stringsFrom(find(key), key, complaints_);
}
std::vector<const toml::table*> TomlReader::tables(std::string_view key) {
    return tablesFrom(require(key), key, complaints_);
}
std::vector<const toml::table*> TomlReader::optionalTables(std::string_view key) {
    return tablesFrom(find(key), key, complaints_);
}

std::vector<s64> TomlReader::optionalIntegers(std::string_view key) {
    const toml::node* node = find(key);
    if (!node) return {};
    std::vector<s64> integers;
    const toml::array* array = node->as_array();
    if (!array || array->empty())
        complaints_.add(*node, Message(english("'{0}' must be a list of whole numbers: [1, 2]"), key));
    else
        for (const toml::node& item : *array)
            integers.push_back(integerFrom(&item, key, complaints_).value_or(0));
    return integers;
}

const toml::table* TomlReader::optionalTable(std::string_view key) {
    const toml::node* node = find(key);
    if (node && !node->is_table())
        complaints_.add(*node, Message(english("'{0}' must be a table: {1} ... {2}"), key, '{', '}'));
    return node ? node->as_table() : nullptr;
}

void TomlReader::finish() {
    for (const auto& [key, value] : table_)
        if (std::ranges::find(asked_, key.str()) == asked_.end())
            complaints_.add(value, Message(english("'{0}' is not known here{1}"), key.str(),
                                           didYouMean(key.str(), asked_)));
}

}  // namespace lockstep::catalog
