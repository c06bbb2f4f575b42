#include "catalog/values/launch_argument.h"

#include <algorithm>

namespace lockstep::catalog {

Expected<ArgumentForm> parseForm(std::string_view text, std::span<const BufferTemplate> buffers) {
    const auto buffer = std::ranges::find(buffers, text, &BufferTemplate::name);
    if (buffer != buffers.end())
        return ArgumentForm{.buffer = u32(buffer - buffers.begin()), .expression = {}};

    ArgumentForm form{.buffer = {}, .expression = std::string(text)};
    // The colon of ?: comes after its question mark.
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || text.substr(0, colon).find('?') != std::string_view::npos)
        return form;
    const ElementTypeInfo* type = findElementType(text.substr(0, colon));
    if (!type) return fail(FaultKind::Syntax, Message(english("'{0}' is no type"), text.substr(0, colon)));
    form.type = type->type;
    form.expression = text.substr(colon + 1);
    return form;
}

}  // namespace lockstep::catalog
