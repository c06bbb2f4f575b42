// Machine code that is shipped: listings of nvdisasm for many PTX texts, packed into one file of
// assets/machine_code.
#pragma once

#include "base/expected.h"
#include "ptx/module.h"
#include "run/resources.h"
#include "sass/machine_code.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep::run {

class CodeArchive {
public:
    // Fault: not there, or damaged.
    static Expected<CodeArchive> read(const std::filesystem::path& file);
    // Adds what a PTX text became.
    void add(std::string_view ptx, const sass::MachineCode& code);
    Expected<void> write(const std::filesystem::path& file) const;

    // Fault: none is of this text.
    Expected<sass::MachineCode> of(std::string_view ptx) const;
    std::size_t size() const { return listings_.size(); }
    const std::string& compiler() const { return compiler_; }

private:
    std::string compiler_;                                      // "ptxas 13.0.88", of all of them
    std::map<std::string, std::string, std::less<>> listings_;  // by hash of the PTX
};

struct Run;
u32 computeCapabilityOf(const Run& run);  // of its profile's device: 90

// assets/machine_code/cc90.zst
std::filesystem::path shippedCodeFile(const Resources& resources, u32 computeCapability);

// Of a kernel of the catalog, as prebuilt; Fault: it is not shipped for this device or these values.
Expected<std::shared_ptr<const sass::MachineCode>> shippedCode(const Resources& resources,
                                                               const ptx::Module& module,
                                                               u32 computeCapability);

}  // namespace lockstep::run
