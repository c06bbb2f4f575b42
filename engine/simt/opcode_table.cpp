// The rows of all *_opcodes.cpp files in one table, found by form.
#include "simt/opcode_table.h"

#include <unordered_map>
#include <vector>

#include "base/check.h"

namespace lockstep::simt {
namespace {

std::unordered_map<std::string_view, const OpcodeRow*> indexed(std::span<const OpcodeRow> rows) {
    std::unordered_map<std::string_view, const OpcodeRow*> index;
    index.reserve(rows.size());
    for (const OpcodeRow& row : rows) CHECK(index.emplace(row.form, &row).second, "a form has one row");
    return index;
}

}  // namespace

std::span<const OpcodeRow> allOpcodes() {
    static const std::vector<OpcodeRow> rows = [] {
        std::vector<OpcodeRow> all;
        for (std::span<const OpcodeRow> some :
             {integerOpcodes(), logicOpcodes(), comparisonOpcodes(), setOpcodes(), floatOpcodes(), approximateOpcodes(), conversionOpcodes(),
              floatConversionOpcodes(), packedFloatOpcodes(), packedIntegerOpcodes(), warpOpcodes()})
            all.insert(all.end(), some.begin(), some.end());
        return all;
    }();
    return rows;
}

const OpcodeRow* findOpcode(std::string_view form) {
    static const auto index = indexed(allOpcodes());
    const auto found = index.find(form);
    return found == index.end() ? nullptr : found->second;
}

}  // namespace lockstep::simt
