#include "run/machine/code_archive.h"

#include "base/files/whole_file.h"
#include "catalog/prebuilt.h"
#include "sass/listing_text.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

namespace lockstep::run {
namespace {

// A line before each listing: "== <hash of the PTX>"; before all: "compiler <name>".
constexpr std::string_view kCompilerMark = "compiler ", kListingMark = "== ";
constexpr u64 kMostBytes = u64{64} << 20;

Unexpected damaged(const std::filesystem::path& file) {
    return fail(FaultKind::Damaged,
                english("this is no archive of machine code; install the program again, or run "
                        "scripts/rebuild-machine-code"),
                {.file = file.string()});
}

}  // namespace

Expected<CodeArchive> CodeArchive::read(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return fail(FaultKind::NotFound, english("there is no machine code for this device"),
                    {.file = file.string()});
    const std::string packed{std::istreambuf_iterator<char>(stream), {}};
    const unsigned long long bytes = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (bytes > kMostBytes) return damaged(file);
    std::string text(bytes, '\0');
    if (ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size()) != bytes)
        return damaged(file);
    std::string_view left = text;
    CodeArchive archive;
    if (!left.starts_with(kCompilerMark)) return damaged(file);
    archive.compiler_ = left.substr(kCompilerMark.size(), left.find('\n') - kCompilerMark.size());
    left.remove_prefix(std::min(left.find('\n') + 1, left.size()));
    while (left.starts_with(kListingMark)) {
        const std::size_t line = std::min(left.find('\n'), left.size() - 1);
        const std::string hash(left.substr(kListingMark.size(), line - kListingMark.size()));
        left.remove_prefix(line + 1);
        const std::size_t next = left.find("\n== ");
        const std::size_t end = next == std::string_view::npos ? left.size() : next + 1;
        archive.listings_.emplace(hash, left.substr(0, end));
        left.remove_prefix(end);
    }
    return archive;
}

void CodeArchive::add(std::string_view ptx, const sass::MachineCode& code) {
    compiler_ = code.compiler;
    listings_.insert_or_assign(catalog::hashOf(ptx), sass::listingText(code));
}

Expected<void> CodeArchive::write(const std::filesystem::path& file) const {
    std::string text = std::string(kCompilerMark) + compiler_ + "\n";
    for (const auto& [hash, listing] : listings_)
        text.append(kListingMark).append(hash).append("\n").append(listing);
    std::vector<std::byte> packed(ZSTD_compressBound(text.size()));
    constexpr int kSmallest = 19;
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), kSmallest);
    packed.resize(size);
    return writeWholeFile(file, packed);
}

Expected<sass::MachineCode> CodeArchive::of(std::string_view ptx) const {
    const auto found = listings_.find(catalog::hashOf(ptx));
    if (found == listings_.end())
        return fail(FaultKind::NotFound,
                    english("machine code is shipped for the catalog's kernels as they are "
                            "prebuilt; scripts/get-ptxas gets the compiler for others"));
    Expected<sass::MachineCode> code = sass::parseListing(found->second);
    if (code) code->compiler = compiler_;
    return code;
}

std::filesystem::path shippedCodeFile(const Resources& resources, u32 computeCapability) {
    return resources.assets() / "machine_code" / fmt::format("cc{}.zst", computeCapability);
}

Expected<std::shared_ptr<const sass::MachineCode>> shippedCode(const Resources& resources,
                                                               const ptx::Module& module,
                                                               u32 computeCapability) {
    const Expected<CodeArchive> archive = CodeArchive::read(shippedCodeFile(resources, computeCapability));
    if (!archive) return Unexpected{archive.error()};
    Expected<sass::MachineCode> code = archive->of(module.text());
    if (!code) return Unexpected{code.error()};
    return std::make_shared<const sass::MachineCode>(std::move(*code));
}

}  // namespace lockstep::run
