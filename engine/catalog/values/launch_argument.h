// One argument of a launch in family.toml: a buffer's name, "width" (an i32), or "f32: n" (another type).
#pragma once

#include "catalog/catalog.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::catalog {

struct ArgumentForm {
    std::optional<u32> buffer;  // index; else:
    ElementType type = ElementType::I32;
    std::string expression;
};
Expected<ArgumentForm> parseForm(std::string_view text, std::span<const BufferTemplate> buffers);

}  // namespace lockstep::catalog
