// A text with links: "[the load of M](line:18)" in family.toml reads "the load of M" and links to line 18.
#pragma once

#include "base/expected.h"
#include "base/text/text.h"

#include <string>
#include <vector>

namespace lockstep::catalog {

// A link's target: a step (of a line, a phase, the next event of a kind), a view, another variant, or a
// glossary term.
struct LinkTarget {
    enum class Kind : u8 {
        Line,     // of the variant's .cu: the next step of the cursor's warp on that line; `number`
        Phase,    // barriers passed by the block before it; `number`
        Next,     // "divergence", "conflict", "finding", "barrier": the first such step; `name`
        View,     // "banks"; `name`
        Variant,  // "tiled", or of another family "reduction/v1"; `name`
        Term,     // of the glossary; `name`
    } kind = Kind::View;
    std::string name = {};
    u32 number = 0;
    bool operator==(const LinkTarget&) const = default;
};

// Bytes [begin, end) of the visible text.
struct TextLink {
    u32 begin = 0, end = 0;
    LinkTarget target;
    bool operator==(const TextLink&) const = default;
};

// The visible text in each language, without link syntax; read anew whenever it is asked for, so that nothing
// is translated before it is shown.
class LinkedText {
public:
    bool empty() const { return marked_.en.empty(); }
    std::string in(Language language) const;
    std::vector<TextLink> linksIn(Language language) const;

private:
    friend Expected<LinkedText> parseLinks(const Text& marked);
    Text marked_;
};

// A Fault names the invalid link and the correct syntax. Of a translation in po/, an invalid link is left as
// it is written.
Expected<LinkedText> parseLinks(const Text& marked);

}  // namespace lockstep::catalog
