// One family.toml -> Family. Errors have file:line; later code relies on the checks here.
#include "base/nearest.h"
#include "catalog/catalog.h"
#include "catalog/entry_text.h"
#include "catalog/family_table.h"
#include "catalog/opening.h"
#include "catalog/published.h"
#include "catalog/references/element_result.h"
#include "catalog/references/references.h"
#include "catalog/toml_reader.h"
#include "catalog/values/contents.h"
#include "catalog/values/expression.h"
#include "catalog/values/expression_tree.h"
#include "catalog/values/launch_argument.h"
#include "catalog/work.h"

#include <algorithm>
#include <array>
#include <set>

namespace lockstep::catalog {
namespace {

constexpr s64 kMaxInstances = 256;  // of one compile-time parameter
constexpr std::size_t kMaxParameters = 32, kMaxBuffers = 32, kMaxDimensions = 3;
constexpr f64 kDefaultTolerance = 1e-5;  // for real numbers: docs/guide/adding-a-kernel.md

// The kinds of findings, as in the JSON of `run`.
const std::vector<std::string> kFindingKinds{
    "out_of_bounds",    "misaligned",      "uninitialized_read", "race", "divergent_barrier",
    "warp_synchronous", "invalid_address", "division_by_zero",   "limit"};

bool isName(std::string_view text, std::string_view alsoAllowed) {
    const auto allowed = [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               alsoAllowed.find(c) != std::string_view::npos;
    };
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, allowed) &&
           !(text[0] >= '0' && text[0] <= '9');
}

class FamilyParser {
public:
    FamilyParser(const std::string& file, Family& family) : complaints_(file), family_(family) {}

    std::optional<Fault> parse(const toml::table& root) {
        TomlReader reader(root, complaints_);
        family_.title = reader.text("title");
        family_.story = linked(reader, "story", reader.text("story"));
        family_.ofLesson = reader.optionalBool("of_lesson", false);
        family_.stage = reader.optionalString("stage", "");
        for (const toml::table* table : reader.tables("parameters"))
            readParameter(*table);
        if (family_.parameters.size() > kMaxParameters)
            reader.complain("parameters",
                            Message(english("a family has at most {0} parameters"), kMaxParameters));
        for (const toml::table* table : reader.tables("buffers"))
            readBuffer(*table);
        if (family_.buffers.size() > kMaxBuffers)
            reader.complain("buffers", Message(english("a family has at most {0} buffers"), kMaxBuffers));
        checkLabels(reader);
        for (Parameter& parameter : family_.parameters)
            if (!parameter.computed.empty()) checkComputed(parameter, reader);
        if (complaints_.first()) return complaints_.first();  // what follows relies on all of this
        common_.buffers = family_.buffers;
        if (const toml::table* work = reader.optionalTable("work"))
            common_.work = readWork(*work, family_, complaints_);
        family_.publishedOn = reader.optionalText("published_on");
        commonTruth_ = readTruth(common_, reader);
        for (const toml::table* table : reader.optionalTables("requires"))
            readRequirement(common_, *table);
        for (const toml::table* table : reader.tables("variants"))
            readVariant(*table);
        if (family_.variants.empty())
            reader.complain("variants", english("a family needs at least one variant"));
        for (const toml::table* table : reader.optionalTables("notes"))
            readNote(*table);
        reader.finish();
        return complaints_.first();
    }

private:
    void readParameter(const toml::table& table) {
        TomlReader reader(table, complaints_);
        Parameter parameter;
        parameter.name = reader.string("name");
        if (!isName(parameter.name, "_"))
            reader.complain("name",
                            Message(english("'{0}' is no name for a parameter: letters, digits and _ only"),
                                    parameter.name));
        if (family_.findParameter(parameter.name))
            reader.complain("name", Message(english("there are two parameters '{0}'"), parameter.name));
        if (isReservedWord(parameter.name))
            reader.complain(
                "name", Message(english("'{0}' has a meaning of its own in expressions"), parameter.name));
        parameter.unit = reader.optionalText("unit");
        parameter.help = reader.text("help");

        const std::string kind = reader.optionalString("kind", "runtime");
        if (kind == "compile")
            parameter.kind = Parameter::Kind::Compile;
        else if (kind != "runtime")
            reader.complain(
                "kind",
                Message(english("'{0}' is no kind of parameter; say \"runtime\" or \"compile\""), kind));

        if (const std::vector<std::string> labels = reader.optionalStrings("choices"); !labels.empty()) {
            readChoices(parameter, labels, reader);
            reader.finish();
            family_.parameters.push_back(std::move(parameter));
            return;
        }
        if (std::vector<s64> values = reader.optionalIntegers("values"); !values.empty()) {
            parameter.values = std::move(values);
            std::ranges::sort(parameter.values);
            parameter.min = parameter.values.front();
            parameter.max = parameter.values.back();
            if (std::ranges::adjacent_find(parameter.values) != parameter.values.end())
                reader.complain("values", english("a value is listed twice"));
        } else {
            parameter.min = reader.integer("min");
            parameter.max = reader.integer("max");
            if (parameter.min > parameter.max)
                reader.complain("max", Message(english("max ({0}) is less than min ({1})"), parameter.max,
                                               parameter.min));
            else if (parameter.kind == Parameter::Kind::Compile)
                listInstances(parameter, reader);
        }
        if (readComputed(parameter, reader)) return;
        parameter.defaultValue = reader.integer("default");
        readPrebuilt(parameter, reader.optionalIntegers("prebuilt"), reader);
        const bool inRange =
            parameter.defaultValue >= parameter.min && parameter.defaultValue <= parameter.max;
        if (!inRange ||
            (!parameter.values.empty() &&
             std::ranges::find(parameter.values, parameter.defaultValue) == parameter.values.end()))
            reader.complain("default", Message(english("the default of '{0}', {1}, is not one of its values"),
                                               parameter.name, parameter.defaultValue));
        reader.finish();
        family_.parameters.push_back(std::move(parameter));
    }

    // A computed parameter, whose instances are listed.
    bool readComputed(Parameter& parameter, TomlReader& reader) {
        parameter.computed = reader.optionalString("computed", "");
        if (parameter.computed.empty()) return false;
        if (parameter.kind != Parameter::Kind::Compile)
            reader.complain(
                "computed",
                english("only a compile-time parameter is computed; elsewhere, write the expression itself"));
        reader.finish();
        family_.parameters.push_back(std::move(parameter));
        return true;
    }

    void checkComputed(Parameter& parameter, TomlReader& reader) {
        checkExpression(parameter.computed, reader.at("parameters"));
        Values defaults;
        for (const Parameter& other : family_.parameters)
            if (other.computed.empty()) defaults[other.name] = other.defaultValue;
        const Expected<s64> value = evaluate(parameter.computed, family_.scope(defaults));
        if (value) parameter.defaultValue = *value;
        if (!value || std::ranges::find(parameter.values, *value) == parameter.values.end())
            reader.complain(
                "parameters",
                Message(english("the defaults of the other parameters give '{0}' none of its values"),
                        parameter.name));
    }

    void readChoices(Parameter& parameter, const std::vector<std::string>& labels, TomlReader& reader) {
        parameter.choices = labels;
        parameter.max = s64(labels.size()) - 1;
        for (const std::string& label : labels) {
            if (!isName(label, "_"))
                reader.complain("choices",
                                Message(english("'{0}' is no label: letters, digits and _ only"), label));
            if (std::ranges::count(labels, label) > 1)
                reader.complain("choices", Message(english("'{0}' is listed twice"), label));
        }
        if (parameter.kind == Parameter::Kind::Compile) listInstances(parameter, reader);
        parameter.spelled = reader.optionalStrings("spelled");
        if (!parameter.spelled.empty() && parameter.spelled.size() != labels.size())
            reader.complain("spelled", Message(english("'spelled' has {0} texts for {1} choices"),
                                               parameter.spelled.size(), labels.size()));
        const std::string label = reader.string("default");
        const auto found = std::ranges::find(labels, label);
        if (found == labels.end())
            reader.complain("default",
                            Message(english("the default of '{0}', {1}, is not one of its choices{2}"),
                                    parameter.name, label, didYouMean(label, labels)));
        else
            parameter.defaultValue = found - labels.begin();
        std::vector<s64> prebuilt;
        for (const std::string& name : reader.optionalStrings("prebuilt"))
            prebuilt.push_back(std::ranges::find(labels, name) - labels.begin());
        readPrebuilt(parameter, std::move(prebuilt), reader);
    }

    // All instances, unless they are listed.
    void readPrebuilt(Parameter& parameter, std::vector<s64> given, TomlReader& reader) {
        const bool isCompile = parameter.kind == Parameter::Kind::Compile;
        if (given.empty()) {
            if (isCompile) parameter.prebuilt = parameter.values;
            return;
        }
        const auto holds = [](const std::vector<s64>& values, s64 value) {
            return std::ranges::find(values, value) != values.end();
        };
        if (!isCompile)
            reader.complain("prebuilt", english("only a compile-time parameter has prebuilt values"));
        else if (!std::ranges::all_of(given, [&](s64 v) { return holds(parameter.values, v); }))
            reader.complain("prebuilt",
                            Message(english("not all of these are values of '{0}'"), parameter.name));
        else if (!holds(given, parameter.defaultValue))
            reader.complain("prebuilt",
                            Message(english("the default of '{0}' must be prebuilt"), parameter.name));
        std::ranges::sort(given);
        parameter.prebuilt = std::move(given);
    }

    // A label is a name in expressions: it must be unique.
    void checkLabels(TomlReader& reader) {
        for (const Parameter& parameter : family_.parameters)
            for (std::size_t value = 0; value < parameter.choices.size(); ++value) {
                const std::string& label = parameter.choices[value];
                const auto isOther = [&](const Parameter& other) {
                    const auto found = std::ranges::find(other.choices, label);
                    return found != other.choices.end() &&
                           std::size_t(found - other.choices.begin()) != value;
                };
                if (isVariable(label) || family_.findParameter(label) ||
                    std::ranges::any_of(family_.parameters, isOther) ||
                    std::ranges::find(family_.buffers, label, &BufferTemplate::name) != family_.buffers.end())
                    reader.complain("parameters",
                                    Message(english("the label '{0}' of '{1}' means something else already"),
                                            label, parameter.name));
            }
    }

    void listInstances(Parameter& parameter, TomlReader& reader) {
        if (u64(parameter.max) - u64(parameter.min) >= u64(kMaxInstances)) {
            reader.complain("max", Message(english("a compile-time parameter has at most {0} values: each is "
                                                   "an instantiation of the kernel"),
                                           kMaxInstances));
            return;
        }
        for (s64 value = parameter.min; value <= parameter.max; ++value)
            parameter.values.push_back(value);
    }

    void readBuffer(const toml::table& table) {
        TomlReader reader(table, complaints_);
        BufferTemplate buffer;
        buffer.name = reader.string("name");
        if (!isName(buffer.name, "_"))
            reader.complain(
                "name",
                Message(english("'{0}' is no name for a buffer: letters, digits and _ only"), buffer.name));
        if (family_.findParameter(buffer.name))
            reader.complain("name", Message(english("'{0}' is a parameter already"), buffer.name));
        if (isReservedWord(buffer.name))
            reader.complain("name",
                            Message(english("'{0}' has a meaning of its own in expressions"), buffer.name));
        if (std::ranges::find(family_.buffers, buffer.name, &BufferTemplate::name) != family_.buffers.end())
            reader.complain("name", Message(english("there are two buffers '{0}'"), buffer.name));
        readType(buffer, reader);
        buffer.output = reader.optionalBool("output", false);
        buffer.initial = "zero";
        if (isReal(buffer.type) || !buffer.typeParameter.empty()) buffer.tolerance = kDefaultTolerance;
        buffer.shape = reader.strings("shape");
        checkShape(buffer, reader);
        readChangeable(buffer, reader);
        reader.finish();
        family_.buffers.push_back(std::move(buffer));
    }

    // "f32", or "{type}": the user's choice.
    void readType(BufferTemplate& buffer, TomlReader& reader) {
        std::string name = reader.string("type");
        if (name.starts_with('{') && name.ends_with('}')) {
            const Parameter* parameter = family_.findParameter(name.substr(1, name.size() - 2));
            if (!parameter || !parameter->isChoice() ||
                !std::ranges::all_of(parameter->choices,
                                     [](const std::string& label) { return findElementType(label); })) {
                reader.complain("type", Message(english("'{0}' is no choice among types: a parameter with "
                                                        "choices = [\"i32\", \"f32\"], for example"),
                                                name));
                return;
            }
            buffer.typeParameter = parameter->name;
            name = parameter->shown(parameter->defaultValue);
        }
        if (const ElementTypeInfo* type = findElementType(name))
            buffer.type = type->type;
        else
            reader.complain("type",
                            Message(english("'{0}' is no type; say \"f32\" or \"i32\", for example"), name));
    }

    std::vector<ElementType> typesOf(const BufferTemplate& buffer) const {
        const Parameter* parameter =
            buffer.typeParameter.empty() ? nullptr : family_.findParameter(buffer.typeParameter);
        if (!parameter) return {buffer.type};  // a parameter without a name is none of them
        std::vector<ElementType> types;
        for (const std::string& label : parameter->choices)
            types.push_back(findElementType(label)->type);
        return types;
    }

    void checkShape(const BufferTemplate& buffer, TomlReader& reader) {
        if (buffer.shape.empty() || buffer.shape.size() > kMaxDimensions)
            reader.complain("shape", Message(english("a shape has 1 to {0} extents"), kMaxDimensions));
        for (const std::string& extent : buffer.shape)
            checkExpression(extent, reader.at("shape"));
    }

    // What a variant may override.
    void readChangeable(BufferTemplate& buffer, TomlReader& reader) {
        if (reader.at("initial").is_string()) {
            buffer.initial = reader.string("initial");
            buffer.initialOfReals.clear();
        } else if (const toml::table* table = reader.optionalTable("initial")) {
            TomlReader kinds(*table, complaints_);
            buffer.initial = kinds.string("whole");
            buffer.initialOfReals = kinds.string("real");
            kinds.finish();
        }
        Values defaults;
        for (const Parameter& parameter : family_.parameters)
            defaults[parameter.name] = parameter.defaultValue;
        for (const ElementType type : typesOf(buffer)) {
            const Expected<std::string> initial = initialAt(initialOf(buffer, type), defaults);
            if (!initial)
                reader.complain("initial", initial.error().message);
            else if (const Expected<void> checked = checkContents(*initial, type); !checked)
                reader.complain("initial", checked.error().message);
        }
        const toml::node& tolerance = reader.at("tolerance");
        if (tolerance.is_string()) {
            if (reader.string("tolerance") == "exact")
                buffer.tolerance.reset();
            else
                reader.complain("tolerance",
                                english("a tolerance is \"exact\" or a relative error such as 1e-5"));
        } else if (const std::optional<f64> relative = reader.optionalNumber("tolerance")) {
            buffer.tolerance = relative;
            if (!(*relative > 0 && *relative < 1))
                reader.complain(
                    "tolerance",
                    english("a relative tolerance lies between 0 and 1; for none, say \"exact\""));
        }
    }

    // Source of the expected result; a variant's replaces its family's. Returns where it is given, if it is
    // given here.
    const toml::node* readTruth(Variant& variant, TomlReader& reader) {
        const std::string name = reader.optionalString("reference", "");
        const toml::table* result = reader.optionalTable("result");
        if (!name.empty() && result)
            reader.complain("result", english("say 'reference' or 'result', not both"));
        if (!name.empty()) {
            variant.reference = name;
            variant.results.clear();
            return &reader.at("reference");
        }
        if (result) {
            variant.reference.clear();
            variant.results.clear();
            for (const auto& [buffer, node] : *result)
                readResult(variant, std::string(buffer.str()), node);
        }
        return result;
    }

    void readResult(Variant& variant, const std::string& name, const toml::node& node) {
        const auto buffer = std::ranges::find(variant.buffers, name, &BufferTemplate::name);
        const auto* expression = node.as_string();
        if (buffer == variant.buffers.end() || !buffer->output || !expression)
            complaints_.add(node, Message(english("'{0}' is no output of this family; give an output "
                                                  "buffer's elements as an expression: \"in[i]\""),
                                          name));
        else
            variant.results.push_back({name, expression->get()});
    }

    void checkTruth(const Variant& variant, const toml::node& where) {
        if (!variant.reference.empty()) checkReference(variant, where);
        for (const ResultTemplate& result : variant.results) {
            if (const Expected<void> checked = checkResult(result, family_, variant); !checked)
                complaints_.add(where, checked.error().message);
            else
                for (std::string& name : parametersIn(result, family_))
                    names_.insert(std::move(name));
        }
        for (const BufferTemplate& buffer : variant.buffers)
            if (buffer.output && !variant.results.empty() &&
                std::ranges::find(variant.results, buffer.name, &ResultTemplate::buffer) ==
                    variant.results.end())
                complaints_.add(
                    where, Message(english("'{0}' is an output, too: what should it hold?"), buffer.name));
    }

    void checkReference(const Variant& variant, const toml::node& where) {
        const Reference* reference = findReference(variant.reference);
        if (!reference) {
            std::vector<std::string> known;
            for (const Reference& row : references())
                known.emplace_back(row.name);
            complaints_.add(where, Message(english("there is no CPU reference '{0}'{1}"), variant.reference,
                                           didYouMean(variant.reference, known)));
            return;
        }
        for (const ReferenceBuffer& needed : reference->buffers) {
            const auto buffer = std::ranges::find(variant.buffers, needed.name, &BufferTemplate::name);
            if (buffer == variant.buffers.end() ||
                (needed.type && (buffer->type != *needed.type || !buffer->typeParameter.empty())) ||
                buffer->shape.size() != needed.dimensions)
                complaints_.add(
                    where, Message(english("the reference '{0}' needs a buffer {1}{2} with {3} "
                                           "{3:extent|extents}"),
                                   reference->name, needed.name,
                                   needed.type ? Message(english(" of type {0}"), info(*needed.type).name)
                                               : Message(),
                                   needed.dimensions));
        }
        for (const ReferenceParameter& parameter : reference->parameters)
            if (!parameter.isOptional && !family_.findParameter(parameter.name))
                complaints_.add(where, Message(english("the reference '{0}' needs a parameter {1}"),
                                               reference->name, parameter.name));
    }

    void readRequirement(Variant& variant, const toml::table& table) {
        TomlReader reader(table, complaints_);
        Requirement requirement{.that = reader.string("that"), .message = reader.text("message")};
        const std::set<std::string> before = names_;  // `requires` does not affect what a variant depends on
        checkExpression(requirement.that, reader.at("that"));
        names_ = before;
        reader.finish();
        variant.requirements.push_back(std::move(requirement));
    }

    void readNote(const toml::table& table) {
        TomlReader reader(table, complaints_);
        NoteTemplate note;
        note.name = reader.string("name");
        if (!isName(note.name, "-_"))
            reader.complain(
                "name",
                Message(english("'{0}' is no name for a note: letters, digits, - and _ only"), note.name));
        if (std::ranges::find(family_.notes, note.name, &NoteTemplate::name) != family_.notes.end())
            reader.complain("name", Message(english("there are two notes '{0}'"), note.name));
        note.views = reader.strings("views");
        note.variants = reader.optionalStrings("variants");
        for (const std::string& variant : note.variants) {
            if (family_.find(variant)) continue;
            std::vector<std::string> known;
            for (const Variant& one : family_.variants)
                known.push_back(one.name);
            reader.complain("variants", Message(english("there is no variant '{0}'{1}"), variant,
                                                didYouMean(variant, known)));
        }
        note.question = reader.text("question");
        note.answer = reader.texts("answer");
        if (note.answer.empty())
            reader.complain("answer", english("a note answers with at least one sentence"));
        reader.finish();
        family_.notes.push_back(std::move(note));
    }

    static LinkedText linked(TomlReader& reader, std::string_view key, const Text& marked) {
        Expected<LinkedText> text = parseLinks(marked);
        if (!text) reader.complain(key, text.error().message);
        return text ? std::move(*text) : LinkedText{};
    }

    void readVariant(const toml::table& table) {
        TomlReader reader(table, complaints_);
        Variant variant = common_;
        variant.name = reader.string("name");
        if (!isName(variant.name, "-_"))
            reader.complain("name",
                            Message(english("'{0}' is no name for a variant: letters, digits, - and _ only"),
                                    variant.name));
        if (family_.find(variant.name))
            reader.complain("name", Message(english("there are two variants '{0}'"), variant.name));
        variant.file = reader.string("file");
        if (!variant.file.ends_with(".cu") || !isName(variant.file.substr(0, variant.file.size() - 3), "-_"))
            reader.complain("file", Message(english("'{0}' is no .cu file of this folder"), variant.file));
        variant.title = reader.text("title");
        variant.brief = reader.optionalText("brief");
        variant.after = family_.variants.empty() ? "" : family_.variants.back().name;
        if (table.contains("after")) readAfter(variant, reader);
        variant.look = linked(reader, "look", reader.optionalText("look"));
        variant.fixes = linked(reader, "fixes", reader.optionalText("fixes"));
        variant.wrong = linked(reader, "wrong", reader.optionalText("wrong"));

        names_.clear();
        if (const toml::table* changes = reader.optionalTable("buffers")) readChanges(variant, *changes);
        for (const toml::table* launch : reader.tables("launches"))
            readLaunch(variant, *launch);
        if (variant.launches.empty())
            reader.complain("launches", english("a variant needs at least one launch"));
        keepBuffersInUse(variant);
        for (const BufferTemplate& buffer : variant.buffers) {
            for (const std::string& extent : buffer.shape)
                checkExpression(extent, table);
            if (!buffer.typeParameter.empty()) names_.insert(buffer.typeParameter);
        }
        for (const toml::table* outcome : reader.optionalTables("expected"))
            readOutcome(variant, *outcome);
        const toml::node* truth = readTruth(variant, reader);
        if (!truth) truth = commonTruth_;
        for (const toml::table* requirement : reader.optionalTables("requires"))
            readRequirement(variant, *requirement);
        if (truth && !complaints_.first()) checkTruth(variant, *truth);
        if (!complaints_.first()) checkDefaults(variant, reader);
        if (const toml::table* published = reader.optionalTable("published"))
            variant.published = readPublished(*published, family_, complaints_);
        if (const toml::table* opening = reader.optionalTable("opens"))
            variant.opening = readOpening(*opening, complaints_);
        if (const toml::table* work = reader.optionalTable("work"))
            variant.work = readWork(*work, family_, complaints_);
        for (const Parameter& parameter : family_.parameters)
            if (names_.contains(parameter.name) && !parameter.computed.empty()) {
                variant.computed.push_back(parameter.name);
                checkExpression(parameter.computed, table);
            }
        for (const Parameter& parameter : family_.parameters)
            if (names_.contains(parameter.name) && parameter.computed.empty())
                variant.parameters.push_back(parameter.name);
        reader.finish();
        family_.variants.push_back(std::move(variant));
    }

    void readAfter(Variant& variant, TomlReader& reader) {
        variant.after = reader.string("after");
        if (!variant.after.empty() && !family_.find(variant.after))
            reader.complain("after",
                            Message(english("'{0}' is no variant above this one; name the one that this "
                                            "variant changes, or write \"\" if it changes none"),
                                    variant.after));
    }

    // A variant has the buffers that its launches take.
    static void keepBuffersInUse(Variant& variant) {
        const auto isUnused = [&](const std::string& buffer) {
            return std::ranges::none_of(variant.launches, [&](const LaunchTemplate& launch) {
                return std::ranges::find(launch.arguments, buffer) != launch.arguments.end();
            });
        };
        std::erase_if(variant.buffers, [&](const BufferTemplate& buffer) { return isUnused(buffer.name); });
        std::erase_if(variant.results, [&](const ResultTemplate& result) { return isUnused(result.buffer); });
    }

    void readChanges(Variant& variant, const toml::table& changes) {
        for (const auto& [name, node] : changes) {
            const auto buffer = std::ranges::find(variant.buffers, name.str(), &BufferTemplate::name);
            const toml::table* table = node.as_table();
            if (buffer == variant.buffers.end() || !table) {
                complaints_.add(node, Message(english("'{0}' is no buffer of this family; give an existing "
                                                      "one's shape, initial or tolerance"),
                                              name.str()));
                continue;
            }
            TomlReader reader(*table, complaints_);
            if (const std::vector<std::string> shape = reader.optionalStrings("shape"); !shape.empty()) {
                if (shape.size() != buffer->shape.size())
                    reader.complain("shape",
                                    Message(english("'{0}' has {1} {1:extent|extents} in this family"),
                                            buffer->name, buffer->shape.size()));
                buffer->shape = shape;
                checkShape(*buffer, reader);
            }
            readChangeable(*buffer, reader);
            reader.finish();
        }
    }

    void readLaunch(Variant& variant, const toml::table& table) {
        TomlReader reader(table, complaints_);
        LaunchTemplate launch;
        launch.entry = reader.string("entry");
        checkEntry(launch.entry, reader);
        launch.grid = reader.strings("grid");
        launch.block = reader.strings("block");
        launch.sharedBytes = reader.optionalString("shared", "0");
        launch.arguments = reader.optionalStrings("arguments");
        for (const auto& [key, extents] :
             {std::pair{"grid", &launch.grid}, std::pair{"block", &launch.block}}) {
            if (extents->empty() || extents->size() > 3)
                reader.complain(key, Message(english("'{0}' has 1 to 3 extents: x, y, z"), key));
            for (const std::string& extent : *extents)
                checkExpression(extent, reader.at(key));
        }
        checkExpression(launch.sharedBytes, reader.at("shared"));
        for (const std::string& argument : launch.arguments) {
            const Expected<ArgumentForm> form = parseForm(argument, family_.buffers);
            if (!form)
                reader.complain("arguments", form.error().message);
            else if (!form->buffer)
                checkExpression(form->expression, reader.at("arguments"));
        }
        reader.finish();
        variant.launches.push_back(std::move(launch));
    }

    void checkEntry(const std::string& entry, TomlReader& reader) {
        const Expected<std::set<std::string>> placeholders = placeholdersOf(entry);
        if (!placeholders) {
            reader.complain("entry", placeholders.error().message);
            return;
        }
        for (const std::string& name : *placeholders) {
            checkExpression(name, reader.at("entry"));
            const Parameter* parameter = family_.findParameter(name);
            if (parameter && parameter->kind != Parameter::Kind::Compile)
                reader.complain(
                    "entry",
                    Message(
                        english(
                            "'{0}' is a runtime parameter: an entry can only name those of kind \"compile\""),
                        name));
        }
    }

    void readOutcome(Variant& variant, const toml::table& table) {
        TomlReader reader(table, complaints_);
        ExpectedOutcome outcome;
        outcome.when = reader.optionalString("when", "");
        if (!outcome.when.empty()) checkExpression(outcome.when, reader.at("when"));
        outcome.findings = reader.optionalStrings("findings");
        outcome.correct = reader.optionalBool("correct", true);
        for (const std::string& kind : outcome.findings)
            if (std::ranges::find(kFindingKinds, kind) == kFindingKinds.end())
                reader.complain("findings", Message(english("'{0}' is no kind of finding{1}"), kind,
                                                    didYouMean(kind, kFindingKinds)));
        reader.finish();
        variant.expected.push_back(std::move(outcome));
    }

    // The default choice must be valid.
    void checkDefaults(const Variant& variant, TomlReader& reader) {
        Values defaults;
        for (const Parameter& parameter : family_.parameters)
            defaults[parameter.name] = parameter.defaultValue;
        for (const Requirement& requirement : variant.requirements)
            if (const Expected<s64> holds = evaluate(requirement.that, family_.scope(defaults));
                holds && !*holds)
                reader.complain(
                    "requires",
                    Message(english("the defaults of the parameters do not meet '{0}'"), requirement.that));
    }

    // Also records the named parameters: a variant depends on what its expressions name.
    void checkExpression(const std::string& expression, const toml::node& where) {
        const Expected<std::set<std::string>> names = namesIn(expression);
        if (!names) {
            complaints_.add(where, names.error().message);
            return;
        }
        for (const std::string& name : *names) {
            if (isLabel(name)) continue;
            if (!family_.findParameter(name)) {
                std::vector<std::string> known;
                for (const Parameter& parameter : family_.parameters) {
                    known.push_back(parameter.name);
                    known.insert(known.end(), parameter.choices.begin(), parameter.choices.end());
                }
                for (const BufferTemplate& buffer : family_.buffers)
                    known.push_back(buffer.name);
                complaints_.add(where, Message(english("'{0}' is no parameter of this family{1}"), name,
                                               didYouMean(name, known)));
            }
            names_.insert(name);
        }
    }

    bool isLabel(const std::string& name) const {
        return std::ranges::any_of(family_.parameters, [&](const Parameter& parameter) {
            return std::ranges::find(parameter.choices, name) != parameter.choices.end();
        });
    }

    Complaints complaints_;
    Family& family_;
    Variant common_;  // common to all variants
    const toml::node* commonTruth_ = nullptr;
    std::set<std::string> names_;
};

}  // namespace

Expected<Family> parseFamily(std::string_view text, const std::string& file) {
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) return Unexpected{faultOf(parsed.error(), file)};
    return parseFamily(parsed.table(), file);
}

Expected<Family> parseFamily(const toml::table& table, const std::string& file) {
    Family family;
    family.folder = std::filesystem::path(file).parent_path();
    family.name = family.folder.filename().string();
    if (std::optional<Fault> fault = FamilyParser(file, family).parse(table))
        return Unexpected{std::move(*fault)};
    return family;
}

}  // namespace lockstep::catalog
