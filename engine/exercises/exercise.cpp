#include "exercises/exercise.h"

#include "base/files/text_file.h"
#include "base/nearest.h"
#include "catalog/family_table.h"
#include "catalog/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <system_error>
#include <utility>

namespace lockstep::exercises {
namespace {

constexpr u64 kMostBytes = 1 << 20;
constexpr std::size_t kMostSizes = 8, kMostRules = 32;
constexpr s64 kMostOfParameter = s64{1} << 30;

// What an exercise says of its data is said as a family says it, and read by the same code: these keys move
// into a family's table, those of its one variant into the variant's.
constexpr std::array kFamilyKeys{"buffers", "result", "reference"};
constexpr const char* kVariantKey = "launches";

bool isName(std::string_view text) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !text.empty() && text.size() <= 64 && isLetter(text[0]) &&
           std::ranges::all_of(text, [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

class ExerciseParser {
public:
    ExerciseParser(const std::string& file, toml::table root) : file_(file), root_(std::move(root)) {}

    Expected<Exercise> parse() {
        catalog::TomlReader reader(root_, complaints_);
        exercise_.folder = std::filesystem::path(file_).parent_path();
        const auto lineOf = [&](std::string_view key) {
            const toml::node* node = root_.get(key);
            return node ? u32(node->source().begin.line) : 0;
        };
        exercise_.sizesLine = lineOf("sizes");
        exercise_.launchLine = lineOf(kVariantKey);
        exercise_.resultLine = std::max(lineOf("result"), lineOf("reference"));
        exercise_.name = exercise_.folder.filename().string();
        exercise_.title = reader.text("title");
        exercise_.task = reader.text("task");
        exercise_.topics = reader.optionalStrings("topics");
        exercise_.start = reader.optionalString("start", "start.cu");
        if (!exercise_.start.ends_with(".cu") || exercise_.start.find_first_of("/\\") != std::string::npos)
            reader.complain("start",
                            Message(english("'{0}' is no .cu file of this folder"), exercise_.start));
        readSizes(reader);
        const std::vector<std::string> rules = reader.strings("rules");
        readData();
        reader.finish();
        if (complaints_.first()) return Unexpected{*complaints_.first()};
        const Expected<void> read = readFamily();
        if (!read) return Unexpected{read.error()};
        readRules(rules);
        if (complaints_.first()) return Unexpected{*complaints_.first()};
        return std::move(exercise_);
    }

private:
    void readSizes(catalog::TomlReader& reader) {
        const std::vector<const toml::table*> sizes = reader.tables("sizes");
        if (sizes.empty() || sizes.size() > kMostSizes)
            reader.complain("sizes", Message(english("an exercise is judged at 1 to {0} sizes: [{1} n = "
                                                     "1024 {2}, {1} n = 1000 {2}]"),
                                             kMostSizes, '{', '}'));
        for (const toml::table* table : sizes) {
            Size size;
            std::set<std::string> names;
            for (const auto& [key, node] : *table) {
                const std::string name(key.str());
                const auto* value = node.as_integer();
                if (!isName(name))
                    complaints_.add(
                        node, Message(english("'{0}' is no name for a parameter: letters, digits and _ only"),
                                      name));
                else if (isRuleWord(name))
                    complaints_.add(node, Message(english("'{0}' has a meaning of its own in rules"), name));
                else if (!value || value->get() < 0 || value->get() > kMostOfParameter)
                    complaints_.add(node, Message(english("'{0}' must be a whole number from 0 to {1}"), name,
                                                  kMostOfParameter));
                else
                    size.values[name] = value->get();
                names.insert(name);
            }
            if (names_.empty()) names_ = names;
            if (names.empty() || names != names_)
                complaints_.add(*table,
                                english("every size gives the same parameters a value: at least one"));
            for (const auto& [name, value] : size.values)
                size.text += fmt::format("{}{}={}", size.text.empty() ? "" : " ", name, value);
            exercise_.sizes.push_back(std::move(size));
        }
    }

    // Takes what is the family's out of the table; where it stood is kept for messages.
    void readData() {
        if (!root_.contains("result") && !root_.contains("reference"))
            complaints_.add(root_, english("'result' is missing here: what an output should hold, or "
                                           "'reference', the CPU reference that computes it"));
        for (const char* key : {"buffers", kVariantKey})
            if (!root_.contains(key)) complaints_.add(root_, Message(english("'{0}' is missing here"), key));
        fillOutputs();
        toml::table variant;
        move(kVariantKey, variant);
        for (const char* key : kFamilyKeys)
            move(key, family_);
        variant.insert("name", "student");
        variant.insert("file", "student.cu");
        variant.insert("title", "student");
        family_.insert("title", exercise_.title.en);
        family_.insert("story", "");
        family_.insert("parameters", parameters());
        family_.insert("variants", toml::array{std::move(variant)});
    }

    // What an output holds when the kernel begins is not known unless the exercise says so: a kernel that
    // adds to it, or leaves some of it as it is, relies on zeros that the task does not promise.
    void fillOutputs() {
        toml::array* buffers = root_["buffers"].as_array();
        for (std::size_t i = 0; buffers && i < buffers->size(); ++i)
            if (toml::table* buffer = buffers->get_as<toml::table>(i);
                buffer && (*buffer)["output"].value_or(false) && !buffer->contains("initial"))
                buffer->insert("initial", "random");
    }

    void move(const char* key, toml::table& to) {
        toml::node* node = root_.get(key);
        if (!node) return;
        node->visit([&](auto& value) { to.insert(key, std::move(value)); });
        root_.erase(key);
    }

    // The parameters of a family, as the sizes have them.
    toml::array parameters() const {
        toml::array parameters;
        for (const std::string& name : names_) {
            const auto first = exercise_.sizes.front().values.find(name);
            const s64 value = first == exercise_.sizes.front().values.end() ? 0 : first->second;
            parameters.push_back(toml::table{{"name", name},
                                             {"min", s64{0}},
                                             {"max", kMostOfParameter},
                                             {"default", value},
                                             {"help", name}});
        }
        return parameters;
    }

    Expected<void> readFamily() {
        Expected<catalog::Family> family = catalog::parseFamily(family_, file_);
        if (!family) {
            Fault fault = family.error();  // parameters have no line but that of the sizes
            if (fault.place.line == 0) fault.place.line = root_.get("sizes")->source().begin.line;
            return Unexpected{std::move(fault)};
        }
        exercise_.family = std::make_shared<const catalog::Family>(std::move(*family));
        return {};
    }

    void readRules(const std::vector<std::string>& texts) {
        const toml::node& list = *root_.get("rules");
        if (texts.empty() || texts.size() > kMostRules)
            complaints_.add(list, Message(english("an exercise has 1 to {0} rules"), kMostRules));
        const std::vector<std::string> names(names_.begin(), names_.end());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            Expected<Rule> rule = parseRule(texts[i], names);
            if (!rule) {
                complaints_.add(*list.as_array()->get(i), rule.error().message);
                continue;
            }
            exercise_.rules.push_back(std::move(*rule));
        }
    }

    std::string file_;
    toml::table root_;
    toml::table family_;
    std::set<std::string> names_;  // of the parameters
    Exercise exercise_;
    catalog::Complaints complaints_{file_};
};

}  // namespace

Expected<Exercise> parseExercise(std::string_view text, const std::string& file) {
    toml::parse_result parsed = toml::parse(text);
    if (!parsed) return Unexpected{catalog::faultOf(parsed.error(), file)};
    return ExerciseParser(file, std::move(parsed).table()).parse();
}

Expected<Exercise> readExercise(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kFileName;
    const Expected<std::string> text =
        readTextFile(file, english("an exercise is a folder with an exercise.toml"), kMostBytes);
    if (!text) return Unexpected{text.error()};
    Expected<Exercise> exercise = parseExercise(*text, file.string());
    std::error_code ignored;
    if (exercise && !std::filesystem::is_regular_file(exercise->startFile(), ignored))
        return fail(FaultKind::NotFound,
                    Message(english("the kernel to begin with, {0}, is not in this folder"), exercise->start),
                    {.file = file.string()});
    return exercise;
}

bool isExercise(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(folder / kFileName, ignored);
}

Shelf readShelf(const std::filesystem::path& folder) {
    std::error_code ignored;
    std::vector<std::filesystem::path> folders;
    for (const auto& item : std::filesystem::directory_iterator(folder, ignored))
        if (isExercise(item.path())) folders.push_back(item.path());
    std::ranges::sort(folders);  // the same order on every machine
    Shelf shelf;
    for (const std::filesystem::path& one : folders) {
        Expected<Exercise> exercise = readExercise(one);
        if (exercise)
            shelf.exercises.push_back(std::move(*exercise));
        else
            shelf.mistakes.push_back(exercise.error());
    }
    return shelf;
}

}  // namespace lockstep::exercises
