#include "cuda/compiler/disassemble.h"

#include "base/files/temporary_folder.h"
#include "base/files/whole_file.h"
#include "cuda/worker/child_process.h"
#include "sass/pc_lines.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace lockstep::cuda {
namespace {

namespace fs = std::filesystem;

// PTX for sm_90a assembles for that alone.
std::string architecture(const ptx::Module& module, u32 computeCapability) {
    std::string name = "sm_" + std::to_string(computeCapability);
    for (const char* suffix : {"a", "f"})
        if (module.text().find(".target " + name + suffix) != std::string_view::npos) return name + suffix;
    return name;
}

// ptxas's error messages, without the name of our temporary file.
std::string firstError(const std::string& output) {
    for (const char* mark : {"error   : ", "fatal   : "})
        if (const std::size_t at = output.find(mark); at != std::string::npos) {
            const std::size_t begin = at + std::strlen(mark);
            return output.substr(begin, output.find('\n', begin) - begin);
        }
    return output.substr(0, output.find('\n'));
}

using Clock = std::chrono::steady_clock;

Fault outOfTime() {
    return fail(FaultKind::Cancelled,
                english("the time limit left none for machine code; give more with --limit"))
        .value();
}

// Runs a program of the toolkit within the time limit.
Expected<ChildResult> runFor(const Patience& patience, const fs::path& program,
                             std::vector<std::string> arguments) {
    ChildLimits limits{.cancelled = patience.cancelled};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(patience.until - Clock::now());
    if (left.count() <= 0) return Unexpected{outOfTime()};
    limits.longest = std::min(limits.longest, left);
    Expected<ChildResult> result = runChild(program, std::move(arguments), limits);
    if (!result && Clock::now() >= patience.until) return Unexpected{outOfTime()};
    return result;
}

// A line with the compiler's name, output of ptxas for the PTX, and of nvdisasm for the machine code.
Expected<std::string> listingOf(const Toolkit& toolkit, const std::string& text, const std::string& sm,
                                const Patience& patience) {
    const Expected<std::string> version = versionOf(toolkit);
    if (!version) return Unexpected{version.error()};
    const Expected<TemporaryFolder> folder = TemporaryFolder::make();
    if (!folder) return Unexpected{folder.error()};
    const fs::path ptx = *folder / "kernel.ptx", cubin = *folder / "kernel.cubin";
    if (const Expected<void> written = writeWholeFile(ptx, std::as_bytes(std::span(text))); !written)
        return Unexpected{written.error()};

    const Expected<ChildResult> assembled = runFor(
        patience, toolkit.ptxas, {"-arch=" + sm, "-lineinfo", "-v", ptx.string(), "-o", cubin.string()});
    if (!assembled) return Unexpected{assembled.error()};
    if (assembled->exitStatus != 0) {
        return fail(FaultKind::Unsupported,
                    Message(english("ptxas {0} makes no machine code of this PTX for {1}: {2}"), *version, sm,
                            firstError(assembled->output)));
    }
    const Expected<ChildResult> listed = runFor(patience, toolkit.nvdisasm, {"-g", "-hex", cubin.string()});
    if (!listed) return Unexpected{listed.error()};
    if (listed->exitStatus != 0)
        return fail(FaultKind::System, Message(english("nvdisasm cannot read what ptxas {0} wrote: {1}"),
                                               *version, firstError(listed->output)));
    return "ptxas " + *version + "\n" + assembled->output + "\n" + listed->output;
}

Expected<sass::MachineCode> disassemble(const Toolkit& toolkit, const ptx::Module& module,
                                        u32 computeCapability, const TextCache* cache,
                                        const Patience& patience) {
    const std::string text = sass::withPcLines(module), sm = architecture(module, computeCapability);
    // Listings of before had no encodings and no constants.
    const std::string key = identityOf(toolkit) + "\n" + sm + " -hex constants\n" + text;
    const auto parsed = [](std::string_view listing) {
        const std::size_t end = std::min(listing.find('\n'), listing.size());
        Expected<sass::MachineCode> code = sass::parseListing(listing.substr(end));
        if (code) code->compiler = listing.substr(0, end);
        return code;
    };
    if (cache)
        if (const std::optional<std::string> kept = cache->find(key))
            if (Expected<sass::MachineCode> code = parsed(*kept)) return code;
    const Expected<std::string> listing = listingOf(toolkit, text, sm, patience);
    if (!listing) return Unexpected{listing.error()};
    Expected<sass::MachineCode> code = parsed(*listing);
    if (code && cache) cache->keep(key, *listing);
    return code;
}

}  // namespace

Disassembler::Answer Disassembler::of(const ptx::Module& module, u32 computeCapability,
                                      const Patience& patience) {
    constexpr std::size_t kMostKept = 32;
    const std::scoped_lock lock(mutex_);
    if (!toolkit_ || !*toolkit_) toolkit_ = findToolkit();
    if (!*toolkit_) return Unexpected{toolkit_->error()};
    Key key{.ptx = std::string(module.text()), .computeCapability = computeCapability};
    if (const auto found = answers_.find(key); found != answers_.end()) return found->second;
    Expected<sass::MachineCode> code =
        disassemble(**toolkit_, module, computeCapability, cache_ ? &*cache_ : nullptr, patience);
    Answer answer = code ? Answer(std::make_shared<const sass::MachineCode>(std::move(*code)))
                         : Answer(Unexpected{code.error()});
    if (!answer && answer.error().kind == FaultKind::Cancelled) return answer;
    if (answers_.size() >= kMostKept) answers_.clear();
    return answers_.emplace(std::move(key), std::move(answer)).first->second;
}

std::optional<Disassembler::Answer> Disassembler::ready(const ptx::Module& module, u32 computeCapability) {
    const std::scoped_lock lock(mutex_);
    if (!toolkit_) return std::nullopt;
    if (!*toolkit_) return Unexpected{toolkit_->error()};
    const auto found =
        answers_.find({.ptx = std::string(module.text()), .computeCapability = computeCapability});
    return found == answers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace lockstep::cuda
