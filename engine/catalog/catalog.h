// The kernels that ship with the program: families, variants and parameters, read from kernels/*/family.toml.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"
#include "base/text/text.h"
#include "catalog/values/linked_text.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::catalog {

struct Parameter {
    std::string name;
    Text unit;                                                       // empty where there is none
    enum class Kind : u8 { Runtime, Compile } kind = Kind::Runtime;  // Compile: a template argument
    s64 min = 0, max = 0, defaultValue = 0;
    std::vector<s64> values;    // of a Compile parameter: the instances that exist
    std::vector<s64> prebuilt;  // those of them that assets/ptx holds; the others are compiled when they run
    // Of a choice, else empty: the labels of its values 0, 1, ..., and how an entry spells them in C++.
    std::vector<std::string> choices, spelled;
    // Of a computed parameter, else empty: its expression. It cannot be set; one prebuilt file has all its
    // instances.
    std::string computed;
    Text help;

    bool isChoice() const { return !choices.empty(); }
    std::string shown(s64 value) const;     // "i64", or the number
    std::string spelling(s64 value) const;  // "long long", or the number
};
using Values =
    std::map<std::string, s64, std::less<>>;  // parameter -> value, every parameter of the family present

// A variant's known errors, and their conditions. If several hold, their findings add up; if none holds, the
// result is right and there are no findings. Remarks (warp_synchronous) may be added.
struct ExpectedOutcome {
    std::string when;                   // expression over the parameters; "" = always
    std::vector<std::string> findings;  // kinds; empty = none
    bool correct = true;
};

// A condition on the parameters, and the sentence shown if it does not hold.
struct Requirement {
    std::string that;  // expression
    Text message;
};

struct BufferTemplate {
    std::string name;
    ElementType type = ElementType::F32;
    std::string typeParameter = {};   // if a user's choice sets the type; then `type` is the default's
    std::vector<std::string> shape;   // expressions
    std::string initial;              // "random:0:254", "zero", "iota", ...: contents.h
    std::string initialOfReals = {};  // if the chosen type may be integer or real; empty: the same
    bool output = false;
    std::optional<f64> tolerance;  // relative; none = exact. Integers are always exact
};

// `arguments`: a buffer's name, or an expression, passed as i32 unless a type precedes it ("f32: n").
struct LaunchTemplate {
    std::string entry;
    std::vector<std::string> grid, block;
    std::string sharedBytes;
    std::vector<std::string> arguments;
};

// Expected contents of an output buffer: an expression of the element's index and the initial contents
// (expression_tree.h).
struct ResultTemplate {
    std::string buffer;
    std::string expression;
};

// Figures published by others: shown beside our own, never mixed with them.
struct Published {
    f64 milliseconds = 0, gigabytesPerSecond = 0;
};

// A kernel's work, independent of its method: expressions of the parameters. Rates are work / time. Empty:
// not given.
struct WorkTemplate {
    std::string bytes,
        operations;        // least transfer between device memory and the chip; additions and multiplications
    bool isLimit = false;  // the fastest possible copy: others are compared with it
};

// A question raised by a figure, and its answer, shown beside the figure. Figures in the answer are computed
// from the run and from recordings: "{x: time[naive] / time[tiled]}" (viz/notes/note_text.h).
struct NoteTemplate {
    std::string name;                   // "why-not-16"
    std::vector<std::string> views;     // where the figure is shown: "times", "memory"
    std::vector<std::string> variants;  // the variants it is asked for; empty: all
    Text question;
    std::vector<Text> answer;  // sentences; one with unknown figures is omitted
};

// The step at which a variant opens: the one its texts refer to.
struct Opening {
    enum class Does : u8 { Anything, Access, Load, Store, Atomic, Branch, Shuffle };
    std::string at;                // text of its line in the .cu
    Does does = Does::Anything;    // an access, if the line has one
    u32 time = 1;                  // which execution by the warp, from 1; the last if there are fewer
    u32 warp = 0;                  // of the first recorded block whose warp executes it
    std::optional<u32> lane = {};  // none: the lowest active one
};

struct Variant {
    std::string name, file;  // "tiled-bounds", "tiled_bounds.cu"
    Text title;
    Text brief;         // one line: the one thing to see; short enough for the smallest window
    std::string after;  // the variant that this one changes: by default the previous one; empty: none
    LinkedText look, fixes, wrong;  // what to look at, what it fixes, what is still wrong
    std::vector<LaunchTemplate> launches;
    std::vector<ExpectedOutcome> expected;
    std::vector<BufferTemplate>
        buffers;  // the family's buffers that its launches take, with this variant's changes
    std::vector<Requirement> requirements;  // the family's, then its own
    // Source of the expected result, the family's unless the variant has its own: a CPU reference by name, or
    // an expression per output buffer. Neither: no comparison.
    std::string reference;
    std::vector<ResultTemplate> results;
    std::vector<std::string>
        parameters;  // the family's parameters that this variant depends on, in the family's order
    std::vector<std::string> computed;  // those computed from them
    std::optional<Published> published;
    std::optional<Opening> opening;  // none: at the first unintended event (viz/cursor/opening.h)
    WorkTemplate work;               // the family's, unless the variant has its own
};

struct Family {
    std::string name;  // "matmul"
    std::filesystem::path folder;
    Text title;
    LinkedText story;
    std::vector<Parameter> parameters;
    std::vector<BufferTemplate> buffers;
    std::string stage;  // preferred stage: "matmul"; empty: depends on what a block does (explain/shape.h)
    std::vector<NoteTemplate> notes;
    Text publishedOn;       // device, size and source of the published figures; empty if none
    bool ofLesson = false;  // brought by a lesson: runs like any other, but no list has it
    std::vector<Variant> variants;
    const Variant* find(std::string_view variant) const;
    const Parameter* findParameter(std::string_view name) const;
    // The names in expressions: the parameters' values, and the labels of all choices.
    Values scope(const Values& values) const;
};
// The type of the buffer's elements for these values.
ElementType typeOf(const BufferTemplate& buffer, const Family& family, const Values& values);
// Its initial contents for elements of this type.
const std::string& initialOf(const BufferTemplate& buffer, ElementType type);
// "random:0:{most}" with the values of the expressions in braces. Fault: one has none.
Expected<std::string> initialAt(std::string_view initial, const Values& values);

// A runnable experiment: buffers filled, launches evaluated for one choice of parameters.
struct Experiment {
    const Family* family = nullptr;
    const Variant* variant = nullptr;
    Values values;
    std::vector<Buffer> buffers;            // initial contents
    std::vector<Launch> launches;           // entries as in the C++ text: "mm_tiled<16>"
    std::vector<ExpectedOutcome> expected;  // those whose condition holds
};

class Catalog {
public:
    // Reads every family below `folder`; `only` that one, if it is there. An error in a family.toml is a
    // Fault with file:line.
    static Expected<Catalog> read(const std::filesystem::path& folder, std::string_view only = {});
    // Those that lists have; all() has those of lessons, too, behind them.
    std::span<const Family> families() const { return all().first(listed_); }
    std::span<const Family> all() const { return families_; }
    const Family* find(std::string_view family) const;
    // "matmul/tiled"; else a Fault that names the nearest match.
    Expected<std::pair<const Family*, const Variant*>> lookUp(std::string_view familySlashVariant) const;

private:
    std::vector<Family> families_;
    std::size_t listed_ = 0;
};

// Parses the text of one family.toml; `file` for messages. For the reader, its tests and its fuzzer.
Expected<Family> parseFamily(std::string_view text, const std::string& file);

// `settings`: name=value pairs of the user over the defaults; a choice by its label. Faults: values out of
// range, unknown names, impossible combinations.
Expected<Values> resolve(const Family& family, std::span<const std::pair<std::string, std::string>> settings);
// The same for one variant: a setting that it does not depend on is a Fault too.
Expected<Values> resolve(const Family& family, const Variant& variant,
                         std::span<const std::pair<std::string, std::string>> settings);
Expected<Experiment> makeExperiment(const Family& family, const Variant& variant, const Values& values,
                                    u64 seed = 1);

// The expected contents of the output buffers by buffer index, computed on the CPU from the experiment's
// initial buffers. `cancelled` is polled; if canceled, the result is empty. Fault: a result's expression
// accesses an element out of bounds.
Expected<std::map<u32, Buffer>> computeReference(const Experiment& experiment,
                                                 const std::atomic<bool>* cancelled = nullptr);

struct Comparison {
    bool correct = true;
    f64 maxError =
        0;  // largest absolute difference; NaN or infinity if the result has one and the reference does not
    u64 wrongCount = 0;
    struct First {
        std::string buffer;
        u64 index;
        f64 got, want;
    };
    std::optional<First> first;
};
// Of the variant with these values; 0: not given.
struct Work {
    f64 bytes = 0, operations = 0;
};
Work workOf(const Family& family, const Variant& variant, const Values& values);
// Whether the variant's author expects a finding of this kind for these values: "race".
bool expectsFinding(const Family& family, const Variant& variant, const Values& values,
                    std::string_view kind);

Comparison compare(const Experiment& experiment, const std::map<u32, Buffer>& reference,
                   std::span<const Buffer> results);
// Adds a comparison of two buffers of equal type and length. Tolerance: relative; none: exact.
void compareBuffer(Comparison& comparison, const Buffer& got, const Buffer& want,
                   std::optional<f64> tolerance);

}  // namespace lockstep::catalog
