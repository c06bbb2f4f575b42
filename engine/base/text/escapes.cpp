#include "base/text/escapes.h"

namespace lockstep {
namespace {

constexpr std::string_view kLetters = "bfnrt\"\\", kCharacters = "\b\f\n\r\t\"\\";

constexpr bool isOctal(char c) { return c >= '0' && c <= '7'; }

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
        const std::string_view rest = text.substr(at + 1);
        if (text[at] != '\\' || rest.empty()) {
            plain += text[at];
        } else if (rest.size() >= 3 && rest[0] <= '3' && isOctal(rest[0]) && isOctal(rest[1]) &&
                   isOctal(rest[2])) {
            plain += char((rest[0] - '0') * 64 + (rest[1] - '0') * 8 + (rest[2] - '0'));
            at += 3;
        } else if (const std::size_t known = kLetters.find(rest[0]); known != std::string_view::npos) {
            plain += kCharacters[known];
            ++at;
        } else {
            plain += text[at];
        }
    }
    return plain;
}

}  // namespace lockstep
