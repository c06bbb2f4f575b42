#include "base/text/escapes.h"

#include <optional>

namespace lockstep {
namespace {

constexpr std::string_view kLetters = "bfnrt\"\\", kCharacters = "\b\f\n\r\t\"\\";

constexpr bool isOctal(char c) { return c >= '0' && c <= '7'; }

// Of three octal digits, as escapedText() writes them. None where no such digits begin the text.
std::optional<char> octalByte(std::string_view text) {
    if (text.size() < 3 || text[0] > '3' || !isOctal(text[0]) || !isOctal(text[1]) || !isOctal(text[2]))
        return std::nullopt;
    return char((text[0] - '0') * 64 + (text[1] - '0') * 8 + (text[2] - '0'));
}

}  // namespace

std::string withEscapes(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (const std::size_t at = kCharacters.find(c); at != std::string_view::npos) {
            escaped += {'\\', kLetters[at]};
        } else if (byte >= 0x20 && byte < 0x7f) {
            escaped += c;
        } else {
            escaped += '\\';
            for (const int shift : {6, 3, 0})
                escaped += char('0' + ((byte >> shift) & 7));
        }
    }
    return escaped;
}

std::string withoutEscapes(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view rest = text[at] == '\\' ? text.substr(at + 1) : std::string_view{};
        const std::size_t known = rest.empty() ? std::string_view::npos : kLetters.find(rest[0]);
        if (const std::optional<char> byte = octalByte(rest)) {
            plain += *byte;
            at += 3;
        } else if (known != std::string_view::npos) {
            plain += kCharacters[known];
            ++at;
        } else {
            plain += text[at];
        }
    }
    return plain;
}

}  // namespace lockstep
