// The catalog's prebuilt PTX below assets/ptx: each variant's path, and the first line, which says what made
// it.
#pragma once

#include "catalog/catalog.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::catalog {

// "matmul/tiled/tile=16.ptx", "reduction/v5/type=i64,block=128.ptx"; "matmul/naive.ptx" for a variant whose
// entries name no compile-time parameter.
std::string prebuiltPath(const Family& family, const Variant& variant, const Values& values);

// The variant's entries for these values as written in C++, in the order of its launches, each once:
// "mm_tiled<16>". For a computed parameter, all its instances.
std::vector<std::string> entriesOf(const Family& family, const Variant& variant, const Values& values);

// One choice of values per prebuilt file of the variant; parameters that the files do not depend on have
// their defaults. Instances excluded by the variant's requirements have no file.
std::vector<Values> prebuiltInstances(const Family& family, const Variant& variant);

// The parameter because of which there is no file for these values; null: there is one.
const Parameter* notPrebuilt(const Family& family, const Variant& variant, const Values& values);

// Where some instances of the variant have to be compiled because of this parameter, the values for which
// none has to be: "2, 4 and 8".
std::optional<Message> prebuiltValues(const Family& family, const Variant& variant,
                                      const Parameter& parameter);

// The name by which the .cu file goes in the PTX's line table: "kernels/matmul/tiled.cu".
std::string sourceName(const Family& family, const Variant& variant);

struct PrebuiltHeader {
    std::string compiler;    // "NVRTC 13.0.88"
    std::string flags;       // as given to it
    std::string sourceHash;  // hashOf the .cu file
    bool operator==(const PrebuiltHeader&) const = default;
};
// FNV-1a of the text, 16 hexadecimal digits: detects a source edited since it was compiled.
std::string hashOf(std::string_view source);
std::string format(const PrebuiltHeader& header);  // one line, newline included
std::optional<PrebuiltHeader> readPrebuiltHeader(std::string_view ptx);

}  // namespace lockstep::catalog
