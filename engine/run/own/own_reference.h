// What the results of a user's own kernel are compared with: a CPU reference of the catalog, another kernel,
// or files.
#pragma once

#include "catalog/references/reference_extents.h"
#include "run/run.h"

#include <functional>
#include <span>

namespace lockstep::run {

struct OwnReference {
    // A CPU reference applied to some of the kernel's buffers.
    struct Table {
        const catalog::Reference* reference = nullptr;
        std::vector<u32> buffers;              // of the experiment, one for each of the reference's
        std::vector<std::vector<u64>> shapes;  // extents of their first elements, possibly all
        catalog::Family family;                // holds only the choices' labels
        catalog::Values values;
    };
    // Another kernel on the same arguments.
    struct Kernel {
        std::shared_ptr<const ptx::Module> module;
        Launch launch;
    };
    // Expected contents of one buffer.
    struct Contents {
        u32 buffer = 0;
        Buffer want;
    };

    std::string text;     // as --reference takes it, with the values derived from the buffers
    std::string written;  // "--reference ...": the beginning of a message
    std::optional<Table> table;
    std::optional<Kernel> kernel;
    std::vector<Contents> contents;
    f64 tolerance = 0;  // relative, for real numbers
};

// Compiles or parses a kernel of another file, or an instance of a template, and finds it there: an
// experiment of one launch. None: no compiler.
using KernelOpener = std::function<Expected<Experiment>(const std::string& file, const std::string& name)>;

// Resolves each --reference for this kernel; Fault: it does not match. Null if there is none. The
// experiment's buffers hold their initial contents.
Expected<std::shared_ptr<const OwnReference>> bindReferences(std::span<const std::string> references,
                                                             const Experiment& experiment,
                                                             const KernelOpener& open);

// None if it could not be checked; a note says why. `emulator`: options for running a reference kernel.
Expected<std::optional<catalog::Comparison>> compareWith(const OwnReference& reference,
                                                         std::span<const Buffer> initial,
                                                         std::span<const Buffer> results,
                                                         const simt::Options& emulator,
                                                         std::vector<Fault>& notes);

// Compares the results of a finished run, such as a recording, and stores the verdict in it.
Expected<void> checkAgainst(std::span<const std::string> references, Run& run);

// The CPU reference's buffers with their initial contents, cut to their shapes. The table must outlive it.
catalog::Experiment experimentOf(const OwnReference::Table& table, std::span<const Buffer> initial);

// As stored in a recording.
trace::ResultCheck resultCheck(const std::string& reference, const catalog::Comparison& comparison);
catalog::Comparison comparisonOf(const trace::ResultCheck& check);

// "copy takes in, out and n; ...": every reference with its names, for help.
Message referencesHelp();

}  // namespace lockstep::run
