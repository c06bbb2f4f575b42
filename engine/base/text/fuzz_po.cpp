// PO files: whatever the bytes, they are read or said to be wrong with a line, and a plural rule picks one of
// its forms.
#include "base/check.h"
#include "base/text/po.h"
#include "base/text/words.h"

#include <cstddef>
#include <cstdint>

using namespace lockstep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const PoFile file = parsePo({reinterpret_cast<const char*>(data), size});
    if (!file.error.empty()) {
        CHECK(file.error.starts_with("line "), "an error names its line");
        return 0;
    }
    for (const PoEntry& entry : file.entries) {
        CHECK(!entry.english.empty(), "an entry has a text");
        (void)Words::wellFormed(entry.translation);
    }
    const PluralRule rule(file.field("Plural-Forms"));
    for (const u64 n : {u64{0}, u64{1}, u64{2}, u64{5}, u64{11}, ~u64{0}})
        CHECK_LT(rule.formOf(n), rule.forms(), "a form of the rule");
    return 0;
}
