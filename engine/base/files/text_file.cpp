#include "base/files/text_file.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>

namespace lockstep {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // of UTF-8, as editors on Windows write it

}  // namespace

Expected<std::string> readTextFile(const std::filesystem::path& file, const Message& advice, u64 mostBytes) {
    const SourcePlace place{.file = file.string()};
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored))
        return fail(FaultKind::NotFound, Message(english("is a folder; {0}"), advice), place);
    const std::unique_ptr<std::FILE, CloseFile> in(std::fopen(file.string().c_str(), "rb"));
    if (!in) return fail(FaultKind::NotFound, Message(english("cannot be read; {0}"), advice), place);
    std::string text;
    for (std::size_t read = kPieceBytes; read == kPieceBytes;) {
        const std::size_t before = text.size();
        text.resize(before + kPieceBytes);
        read = std::fread(text.data() + before, 1, kPieceBytes, in.get());
        text.resize(before + read);
        if (text.size() > mostBytes)
            return fail(FaultKind::Usage,
                        Message(english("is larger than {0} MiB; {1}"), mostBytes >> 20, advice), place);
    }
    if (std::ferror(in.get()))
        return fail(FaultKind::System, Message(english("could not be read to its end; {0}"), advice), place);
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        return fail(FaultKind::Usage, english("is UTF-16 text; save it as UTF-8"), place);
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    return text;
}

}  // namespace lockstep
