#include "app/shell/files/layout_file.h"

#include "app/shell/files/replace_file.h"
#include "base/integers.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>

namespace lockstep::shell {
namespace {

constexpr std::uintmax_t kLargest = 1 << 20;

// FNV-1a: ImGui does not validate its input, so it gets only what we wrote.
u64 hashOf(std::string_view text) {
    u64 hash = 0xcbf29ce484222325;
    for (const char c : text)
        hash = (hash ^ u8(c)) * 0x100000001b3;
    return hash;
}

std::string headOf(const std::string& layout) {
    return fmt::format("; Lockstep layout 1 {:016x}\n", hashOf(layout));
}

}  // namespace

std::optional<std::string> readLayout(const std::filesystem::path& file) {
    std::error_code error;
    if (file.empty() || !std::filesystem::is_regular_file(file, error) ||
        std::filesystem::file_size(file, error) > kLargest || error)
        return std::nullopt;
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::string layout = text.substr(end + 1);
    if (text.substr(0, end + 1) != headOf(layout)) return std::nullopt;
    return layout;
}

bool writeLayout(const std::filesystem::path& file, const std::string& layout) {
    return replaceFile(file, headOf(layout) + layout);
}

}  // namespace lockstep::shell
