// What shape a block's computation has, proved from where its values came from: neither names nor values of
// buffers count. Each shape has its rule; a block that fits none is Generic.
#pragma once

#include "base/buffer.h"
#include "base/text/message.h"
#include "explain/block_flow.h"

#include <span>
#include <string_view>
#include <vector>

namespace lockstep::explain {

enum class Shape : u8 { Generic, Matmul, Transpose, Tree, Scan, Stencil, Histogram, Copy, Divergence };

std::string_view nameOf(Shape shape);  // "matmul"
Message titleOf(Shape shape);          // "Matrix product"

// A buffer as the computation uses it. Rows and columns are the buffer's own where it has two dimensions or
// more (the last are columns, the others rows); of a flat one they follow from the accesses.
struct ShapedBuffer {
    u32 buffer = 0;
    u64 rows = 1, columns = 1;
};

struct ProvedShape {
    Shape shape = Shape::Generic;
    std::vector<Message>
        evidence;  // sentences, the most important first; Generic: why it is none of the others
    // Matmul: whose rows, whose columns, the product. Transpose, Copy, Stencil: from and to. Tree, Scan: of
    // what, into what, which may not be a buffer.
    std::vector<ShapedBuffer> buffers;
};

// Of a block whose values cannot be followed.
ProvedShape unknownShape();

// buffers: the run's, with their shapes.
ProvedShape shapeOf(const ptx::Module& module, std::span<const Buffer> buffers,
                    const trace::FocusBlock& block, const BlockFlow& flow);

}  // namespace lockstep::explain
