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
    // Of a parameter that follows from others, else empty: an expression. Nobody sets it; one prebuilt file
    // has all its instances.
    std::string computed;
    Text help;

    bool isChoice() const { return !choices.empty(); }
    std::string shown(s64 value) const;     // "i64", or the number
    std::string spelling(s64 value) const;  // "long long", or the number
};
using Values =
    std::map<std::string, s64, std::less<>>;  // parameter -> value, every parameter of the family present

// What a variant is known to do wrong, and when. Where several hold, their findings add up; where none does,
// the result is right and nothing is found. Remarks (warp_synchronous) may come on top.
struct ExpectedOutcome {
    std::string when;                   // expression over the parameters; "" = always
    std::vector<std::string> findings;  // kinds; empty = none
    bool correct = true;
};

// What must hold of the parameters, or the sentence that says why it must.
struct Requirement {
    std::string that;  // expression
    Text message;
};

struct BufferTemplate {
    std::string name;
    ElementType type = ElementType::F32;
    std::string typeParameter =
        {};  // where a choice of the user's decides the type; then `type` is the default's
    std::vector<std::string> shape;   // expressions
    std::string initial;              // "random:0:254", "zero", "iota", ...: contents.h
    std::string initialOfReals = {};  // where a type of the user's choice may be either; empty: the same
    bool output = false;
    std::optional<f64> tolerance;  // relative; none = exact. Whole numbers are exact anyway
};

// `arguments`: a buffer's name, or an expression, passed as i32 unless a type stands before it ("f32: n").
struct LaunchTemplate {
    std::string entry;
    std::vector<std::string> grid, block;
    std::string sharedBytes;
    std::vector<std::string> arguments;
};

// What an output buffer should hold: an expression of its element's place and of the initial contents
// (expression_tree.h).
struct ResultTemplate {
    std::string buffer;
    std::string expression;
};

// What somebody has measured and published: shown beside figures of our own, never taken for them.
struct Published {
    f64 milliseconds = 0, gigabytesPerSecond = 0;
};

// What a kernel gets done, whichever way it does it: expressions of the parameters. Rates are this by the
// time. Empty: not said.
struct WorkTemplate {
    std::string bytes,
        operations;  // that it must move between device memory and the chip; additions and multiplications
    bool isLimit = false;  // nothing can move them faster: others are measured against it
};

// A question that a figure raises, and its answer: shown where the figure stands. Figures in the answer are
// computed from the run and from recordings: "{x: time[naive] / time[tiled]}" (viz/notes/note_text.h).
struct NoteTemplate {
    std::string name;                   // "why-not-16"
    std::vector<std::string> views;     // where the figure stands: "times", "memory"
    std::vector<std::string> variants;  // at which of them it is asked; empty: all
    Text question;
    std::vector<Text> answer;  // sentences; one whose figures are not known is left out
};

// The step at which a variant is first shown: the one that its texts speak of.
struct Opening {
    enum class Does : u8 { Anything, Access, Load, Store, Atomic, Branch, Shuffle };
    std::string at;              // what stands in its line of the .cu
    Does does = Does::Anything;  // an access, if the line makes one
    u32 time = 1;  // how often the warp has come there, from 1; the last where it comes less often
    u32 warp = 0;  // of the first recorded block whose warp comes there
    std::optional<u32> lane = {};  // none: the lowest that takes part
};

struct Variant {
    std::string name, file;  // "tiled-bounds", "tiled_bounds.cu"
    Text title;
    Text brief;  // one line: the one thing to see in it; short enough for the smallest window
    std::string
        after;  // the variant that this one changes: the one before it unless it says otherwise; empty: none
    LinkedText look, fixes, wrong;  // what to look at, what it fixes, what it still gets wrong
    std::vector<LaunchTemplate> launches;
    std::vector<ExpectedOutcome> expected;
    std::vector<BufferTemplate>
        buffers;  // those of the family's that its launches take, with what this variant changes
    std::vector<Requirement> requirements;  // the family's, then its own
    // Where the right result is from, the family's unless the variant has its own: a CPU reference by name,
    // or an expression for every output buffer. Neither: nothing is compared.
    std::string reference;
    std::vector<ResultTemplate> results;
    std::vector<std::string>
        parameters;  // those of the family's that this variant depends on, in the family's order
    std::vector<std::string> computed;  // those that follow from them
    std::optional<Published> published;
    std::optional<Opening>
        opening;        // none: where something happens that is seldom meant to (viz/cursor/opening.h)
    WorkTemplate work;  // the family's, unless the variant has its own
};

struct Family {
    std::string name;  // "matmul"
    std::filesystem::path folder;
    Text title;
    LinkedText story;
    std::vector<Parameter> parameters;
    std::vector<BufferTemplate> buffers;
    std::string
        stage;  // which stage it prefers: "matmul"; empty: what a block does decides (explain/shape.h)
    std::vector<NoteTemplate> notes;
    Text publishedOn;  // device, size and source of the published figures; empty where there are none
    std::vector<Variant> variants;
    const Variant* find(std::string_view variant) const;
    const Parameter* findParameter(std::string_view name) const;
    // What names stand for in expressions: the parameters' values, and the labels of all choices.
    Values scope(const Values& values) const;
};
// The type of the buffer's elements for these values.
ElementType typeOf(const BufferTemplate& buffer, const Family& family, const Values& values);
// What it holds at first when its elements are of this type.
const std::string& initialOf(const BufferTemplate& buffer, ElementType type);

// An experiment that can be run: buffers filled, launches evaluated for one choice of parameters.
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
    // Reads every family below `folder`. A mistake in a family.toml is a Fault with file:line.
    static Expected<Catalog> read(const std::filesystem::path& folder);
    std::span<const Family> families() const { return families_; }
    const Family* find(std::string_view family) const;
    // "matmul/tiled"; a Fault that names the nearest match otherwise.
    Expected<std::pair<const Family*, const Variant*>> lookUp(std::string_view familySlashVariant) const;

private:
    std::vector<Family> families_;
};

// One family.toml text; `file` for messages. For the reader, its tests and its fuzzer.
Expected<Family> parseFamily(std::string_view text, const std::string& file);

// `settings`: name=value pairs of the user over the defaults; a choice by its label. Out of range, unknown
// names and impossible combinations are Faults.
Expected<Values> resolve(const Family& family, std::span<const std::pair<std::string, std::string>> settings);
// The same for one variant: a setting that it does not depend on is a Fault too.
Expected<Values> resolve(const Family& family, const Variant& variant,
                         std::span<const std::pair<std::string, std::string>> settings);
Expected<Experiment> makeExperiment(const Family& family, const Variant& variant, const Values& values,
                                    u64 seed = 1);

// The expected contents of the output buffers, computed on the CPU from the experiment's initial buffers; by
// buffer index. `cancelled` is looked at now and then; then the result is empty. A Fault where a result's
// expression asks for an element that does not exist.
Expected<std::map<u32, Buffer>> computeReference(const Experiment& experiment,
                                                 const std::atomic<bool>* cancelled = nullptr);

struct Comparison {
    bool correct = true;
    f64 maxError =
        0;  // largest absolute difference; NaN or infinity where the result has one that the reference lacks
    u64 wrongCount = 0;
    struct First {
        std::string buffer;
        u64 index;
        f64 got, want;
    };
    std::optional<First> first;
};
// Of the variant with these values; 0: not said.
struct Work {
    f64 bytes = 0, operations = 0;
};
Work workOf(const Family& family, const Variant& variant, const Values& values);

Comparison compare(const Experiment& experiment, const std::map<u32, Buffer>& reference,
                   std::span<const Buffer> results);
// Adds one buffer of the same type and length. Tolerance: relative; none: exact.
void compareBuffer(Comparison& comparison, const Buffer& got, const Buffer& want,
                   std::optional<f64> tolerance);

}  // namespace lockstep::catalog
