// The rows of all *_opcodes.cpp files in one table, found by form.
#include "simt/opcodes/opcode_table.h"

#include <array>
#include <bit>
#include <functional>
#include <vector>

namespace lockstep::simt {
namespace {

// The groups that most kernels need come first: those that no kernel needs are never searched.
using Rows = std::span<const OpcodeRow> (*)();
constexpr std::array<Rows, 11> kFiles = {
    integerOpcodes,     logicOpcodes,         floatOpcodes,       comparisonOpcodes,
    conversionOpcodes,  warpOpcodes,          approximateOpcodes, floatConversionOpcodes,
    packedFloatOpcodes, packedIntegerOpcodes, setOpcodes};

// Hash table of one file's rows by form: linear probing, at most half full.
class FormIndex {
public:
    explicit FormIndex(std::span<const OpcodeRow> rows) : places_(std::bit_ceil(2 * rows.size()), nullptr) {
        for (const OpcodeRow& row : rows)
            places_[placeOf(row.form)] = &row;
    }
    const OpcodeRow* find(std::string_view form) const { return places_[placeOf(form)]; }

private:
    std::size_t placeOf(std::string_view form) const {
        std::size_t place = std::hash<std::string_view>{}(form);
        while (places_[place &= places_.size() - 1] && places_[place]->form != form)
            ++place;
        return place;
    }
    std::vector<const OpcodeRow*> places_;
};

template <std::size_t file> const FormIndex& indexOf() {
    static const FormIndex index(kFiles[file]());
    return index;
}
template <std::size_t file = 0> const OpcodeRow* findFrom(std::string_view form) {
    if constexpr (file == kFiles.size())
        return nullptr;
    else {
        const OpcodeRow* row = indexOf<file>().find(form);
        return row ? row : findFrom<file + 1>(form);
    }
}

}  // namespace

std::span<const OpcodeRow> allOpcodes() {
    static const std::vector<OpcodeRow> rows = [] {
        std::vector<OpcodeRow> all;
        for (Rows file : kFiles)
            all.insert(all.end(), file().begin(), file().end());
        return all;
    }();
    return rows;
}

const OpcodeRow* findOpcode(std::string_view form) { return findFrom(form); }

}  // namespace lockstep::simt
