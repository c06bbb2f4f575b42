// Reads one TOML table key by key; errors with file:line for what is missing, of the wrong kind, or unknown.
// Only the first error is kept; reading continues with empty values, so that callers need not check each
// step.
#pragma once

#include "base/expected.h"
#include "base/files/toml.h"
#include "base/text/text.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::catalog {

class Complaints {
public:
    explicit Complaints(std::string file) : file_(std::move(file)) {}
    void add(const toml::node& where, Message message);
    const std::optional<Fault>& first() const { return first_; }

private:
    std::string file_;
    std::optional<Fault> first_;
};

// What the parser says, at its line.
Fault faultOf(const toml::parse_error& error, const std::string& file);

class TomlReader {
public:
    TomlReader(const toml::table& table, Complaints& complaints) : table_(table), complaints_(complaints) {}

    std::string string(std::string_view key);
    std::string optionalString(std::string_view key, std::string otherwise);
    std::optional<s64> optionalInteger(std::string_view key);
    std::optional<f64> optionalNumber(std::string_view key);
    s64 integer(std::string_view key);
    bool optionalBool(std::string_view key, bool otherwise);
    Text text(std::string_view key);  // { en = "...", zh = "..." }
    Text optionalText(std::string_view key);
    std::vector<Text> texts(std::string_view key);  // [{ en = "...", zh = "..." }, ...]
    std::vector<std::string> strings(std::string_view key);
    std::vector<std::string> optionalStrings(std::string_view key);
    std::vector<s64> optionalIntegers(std::string_view key);
    std::vector<const toml::table*> tables(std::string_view key);  // [[key]], or an array of inline tables
    std::vector<const toml::table*> optionalTables(std::string_view key);
    const toml::table* optionalTable(std::string_view key);

    // The key's value for an error about it; the table itself if the key is missing.
    const toml::node& at(std::string_view key) const;
    void complain(std::string_view key, Message message) { complaints_.add(at(key), std::move(message)); }
    // Call last: any key not read is an error.
    void finish();

private:
    const toml::node* find(std::string_view key);
    const toml::node* require(std::string_view key);

    const toml::table& table_;
    Complaints& complaints_;
    std::vector<std::string> asked_;
};

}  // namespace lockstep::catalog
