#include "app/cli/options/help_text.h"

#include "base/integers.h"

#include <algorithm>
#include <vector>

namespace lockstep::cli {
namespace {

constexpr std::size_t kLine = 100;

struct Character {
    std::string_view bytes;
    char32_t code = 0;
};

// The first code point of a non-empty UTF-8 text.
Character firstOf(std::string_view text) {
    const u8 lead = u8(text[0]);
    const std::size_t length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    Character character{text.substr(0, length), length == 1 ? lead : char32_t(lead & (0xff >> (length + 1)))};
    for (const char c : character.bytes.substr(1))
        character.code = (character.code << 6) | (u8(c) & 0x3f);
    return character;
}

// Ideographs, their punctuation and full-width forms.
bool isWide(char32_t code) {
    return (code >= 0x2e80 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) ||
           (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff00 && code <= 0xff60) ||
           (code >= 0x20000 && code <= 0x3fffd);
}

bool stands(char32_t code, std::u32string_view among) {
    return among.find(code) != std::u32string_view::npos;
}
// Characters that must not begin a line, and those that must not end one.
bool isClosing(char32_t code) { return stands(code, U"，。；：、！？）》」』”’)],.;:"); }
bool isOpening(char32_t code) { return stands(code, U"（《「『“‘(["); }

// An unbreakable piece, and whether a blank precedes it.
struct Piece {
    std::string_view text;
    bool afterBlank = false;
};

void addPieces(std::vector<Piece>& pieces, std::string_view word) {
    std::size_t begin = 0;
    bool isFirst = true;
    const auto add = [&](std::size_t end) {
        pieces.push_back({word.substr(begin, end - begin), isFirst});
        isFirst = false;
        begin = end;
    };
    char32_t before = 0;
    for (std::size_t at = 0; at < word.size();) {
        const Character next = firstOf(word.substr(at));
        const bool breaks = at > begin && (isWide(before) || isWide(next.code)) && !isOpening(before) &&
                            !isClosing(next.code);
        if (breaks) add(at);
        before = next.code;
        at += next.bytes.size();
    }
    add(word.size());
}

std::vector<Piece> piecesOf(std::string_view text) {
    std::vector<Piece> pieces;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        addPieces(pieces, text.substr(begin, end - begin));
        begin = end + 1;
    }
    return pieces;
}

}  // namespace

std::size_t columnsOf(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        const Character next = firstOf(text);
        columns += isWide(next.code) ? 2 : 1;
        text.remove_prefix(next.bytes.size());
    }
    return columns;
}

std::string wrapped(std::string_view text, std::size_t column) {
    const bool fits = column + 2 <= kHelpNames;
    const std::string below = "\n" + std::string(kHelpNames, ' ');
    std::string lines = fits ? std::string(kHelpNames - column, ' ') : below;
    std::size_t at = kHelpNames;
    for (const Piece& piece : piecesOf(text)) {
        const std::size_t columns = columnsOf(piece.text), blank = piece.afterBlank ? 1 : 0;
        if (at > kHelpNames && at + blank + columns > kLine) {
            lines += below;
            at = kHelpNames;
        } else if (at > kHelpNames && piece.afterBlank) {
            lines += ' ';
            ++at;
        }
        lines += piece.text;
        at += columns;
    }
    return lines + "\n";
}

}  // namespace lockstep::cli
