#include "catalog/references/references.h"

#include "base/check.h"
#include "catalog/references/reference_histogram.h"
#include "catalog/references/reference_matmul.h"
#include "catalog/references/reference_movement.h"
#include "catalog/references/reference_reduction.h"
#include "catalog/references/reference_row_reduction.h"
#include "catalog/references/reference_scan.h"
#include "catalog/references/reference_stencil.h"

#include <algorithm>

namespace lockstep::catalog {

std::span<const Reference> references() {
    static const std::vector<Reference> table{
        copyReference(),         histogramReference(), matmulReference(),  reductionReference(),
        rowReductionReference(), scanReference(),      stencilReference(), transposeReference(),
    };
    return table;
}

const Reference* findReference(std::string_view name) {
    const auto found = std::ranges::find(references(), name, &Reference::name);
    return found == references().end() ? nullptr : &*found;
}

u32 indexOf(std::span<const Buffer> buffers, std::string_view name) {
    const auto found = std::ranges::find(buffers, name, &Buffer::name);
    CHECK(found != buffers.end(), "the family was read only after its reference's buffers were found");
    return u32(found - buffers.begin());
}

}  // namespace lockstep::catalog
