// What the results of a user's own kernel are compared with: a CPU reference of the catalog, another kernel,
// or files.
#pragma once

#include "catalog/references/reference_extents.h"
#include "run/run.h"

#include <functional>
#include <span>

namespace lockstep::run {

struct OwnReference {
    // A CPU reference on some of the kernel's buffers.
    struct Table {
        const catalog::Reference* reference = nullptr;
        std::vector<u32> buffers;              // of the experiment, one for each of the reference's
        std::vector<std::vector<u64>> shapes;  // of their first elements, which may be all
        catalog::Family family;                // holds the choices' labels alone
        catalog::Values values;
    };
    // Another kernel on the same arguments.
    struct Kernel {
        std::shared_ptr<const ptx::Module> module;
        Launch launch;
    };
    // What one buffer should hold.
    struct Contents {
        u32 buffer = 0;
        Buffer want;
    };

    std::string text;     // as --reference takes it, with the values that followed from the buffers
    std::string written;  // "--reference ...": the beginning of a message
    std::optional<Table> table;
    std::optional<Kernel> kernel;
    std::vector<Contents> contents;
    f64 tolerance = 0;  // relative, of real numbers
};

// Compiles or parses a kernel of another file, or an instance of a template, and finds it there: an
// experiment of one launch. None: nothing can be compiled.
using KernelOpener = std::function<Expected<Experiment>(const std::string& file, const std::string& name)>;

// What each --reference means for this kernel; a Fault where it does not fit. Null where there is none. The
// experiment's buffers hold their initial contents.
Expected<std::shared_ptr<const OwnReference>> bindReferences(std::span<const std::string> references,
                                                             const Experiment& experiment,
                                                             const KernelOpener& open);

// None where it could not be checked, as a note says. `emulator`: how a reference kernel is run.
Expected<std::optional<catalog::Comparison>> compareWith(const OwnReference& reference,
                                                         std::span<const Buffer> initial,
                                                         std::span<const Buffer> results,
                                                         const simt::Options& emulator,
                                                         std::vector<Fault>& notes);

// Compares the results of a run that is over, such as a recording's, and keeps the verdict in it.
Expected<void> checkAgainst(std::span<const std::string> references, Run& run);

// The CPU reference's buffers with their initial contents, cut to their shapes. The table must outlive it.
catalog::Experiment experimentOf(const OwnReference::Table& table, std::span<const Buffer> initial);

// As a recording keeps it.
trace::ResultCheck resultCheck(const std::string& reference, const catalog::Comparison& comparison);
catalog::Comparison comparisonOf(const trace::ResultCheck& check);

// "copy takes in, out and n; ...": every reference with the names it takes, for help.
Message referencesHelp();

}  // namespace lockstep::run
