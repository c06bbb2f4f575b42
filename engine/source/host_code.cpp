#include "source/host_code.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "source/declarations.h"
#include "source/host_state.h"
#include "source/number.h"

namespace lockstep::source {
namespace {

constexpr u32 kDeepest = 240, kMostCalls = 12;
constexpr u64 kMostSteps = 2'000'000;
constexpr std::size_t kMostLaunches = 200;
using Contents = LaunchArgument::Contents;

struct Parameter { Type type; std::string name; std::size_t first = 0, last = 0, defaultFirst = 0; bool isTemplateType = false; bool hasConstant = false; };

struct Function {
    std::string name;
    Declaration declaration;
    std::vector<Parameter> parameters = {}, templateParameters = {};
};

struct Result {
    Value value;
    bool hasPlace = false, isElement = false;
    Place place = {};
    Value element = {}, index = {};  // of an element: a pointer to the array, and which
    std::string word = {};           // a name and nothing else
    std::vector<TokenRange> templateArguments = {};
    bool hasTemplateArguments = false;
};

struct Frame {
    std::size_t scopes = 0;  // first of its own
    std::optional<State> returned;
    std::optional<Value> value;
    std::map<std::string, Type, std::less<>> types;
};

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) { return std::ranges::find(words, word) != words.end(); }

class Host {
public:
    explicit Host(const std::vector<Token>& tokens) : tokens_(tokens), end_(tokens.size()) { frames_.emplace_back(); }

    HostFindings run() {
        const std::vector<Declaration> declarations = declarationsIn(tokens_);
        for (const Declaration& d : declarations) declare(d);
        for (const Declaration& d : declarations)
            if (d.kind == Declaration::Kind::Variable) statement(d.first, d.last);
        const State globals = state_;
        if (const auto main = functions_.find("main"); main != functions_.end()) runAlone(main->second.front(), globals, false);
        for (auto& [name, overloads] : functions_)
            for (Function& function : overloads)
                if (!entered_.contains(function.declaration.first) && hasLaunch(function.declaration)) runAlone(function, globals, true);
        return std::move(findings_);
    }

private:
    // One more of what may stand within another: types, assignments, operators, statements. Too many end the reading,
    // for each takes room on the stack.
    class Level {
    public:
        explicit Level(Host& host) : host_(host) {
            if (++host.depth_ > kDeepest) host.steps_ = kMostSteps + 1;
        }
        ~Level() { --host_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        Host& host_;
    };

    // Tokens.
    const Token& at(std::size_t i) const { return i < end_ && i < tokens_.size() && !isExhausted() ? tokens_[i] : none_; }
    const Token& now() const { return at(pos_); }
    bool isExhausted() const { return steps_ > kMostSteps; }
    bool take(std::string_view sign) {
        if (!now().is(sign)) return false;
        ++pos_;
        return true;
    }
    u32 line() const { return pos_ < tokens_.size() ? tokens_[pos_].line : 0; }
    bool isGluedTo(std::size_t i, std::string_view sign) const { return at(i).is(sign) && at(i).isGlued; }
    // ">>>", or ">> >" and the like before the arguments, as some editors format a launch.
    bool closesLaunch() const {
        if (!now().is(">") || !at(pos_ + 1).is(">") || !at(pos_ + 2).is(">")) return false;
        return (isGluedTo(pos_ + 1, ">") && isGluedTo(pos_ + 2, ">")) || at(pos_ + 3).is("(");
    }

    // What the file declares.
    void declare(const Declaration& d) {
        if (d.kind == Declaration::Kind::Using && tokens_[d.first].is("using")) {
            for (std::size_t i = d.first; i + 1 < d.last; ++i)
                if (tokens_[i].is("=")) setAlias(d, i + 1);
        } else if (d.kind == Declaration::Kind::Using && tokens_[d.first].is("typedef")) {
            if (hasBody(d)) declareStruct(d);
            else setAlias(d, d.first + 1);
        } else if (d.kind == Declaration::Kind::Type) {
            declareStruct(d);
            for (const TokenRange& member : hostMembersOf(tokens_, d)) declareMember(member);
        } else if (d.kind == Declaration::Kind::Function && !d.names.empty()) {
            declareFunction(d);
        }
    }
    bool hasBody(const Declaration& d) const {
        for (std::size_t i = d.first; i < d.last; ++i)
            if (tokens_[i].is("{")) return true;
        return false;
    }
    void setAlias(const Declaration& d, std::size_t from) {
        pos_ = from, end_ = d.last;
        const std::optional<Type> type = parseType();
        if (type && !d.names.empty()) setAlias(d.names.back(), *type);
        end_ = tokens_.size();
    }
    // `typedef double vector3[3];` names an array, as large as all its elements.
    void setAlias(const std::string& name, const Type& type) {
        if (now().is(name)) ++pos_;
        if (!now().is("[")) {
            if (!now().is("(")) aliases_[name] = type;  // no pointer to a function
            return;
        }
        u64 bytes = sizeOf(type);
        while (take("[")) {
            const Value extent = expression().value;
            take("]");
            const bool isKnown = extent.kind == Value::Kind::Integer && extent.integer > 0 && extent.integer < (1 << 20) && bytes < (u64{1} << 40);
            bytes = isKnown ? bytes * u64(extent.integer) : 0;
        }
        structs_[name] = bytes;
    }
    void declareStruct(const Declaration& d) {
        std::size_t open = d.first;
        bool isEnum = false, isUnion = false;
        for (; open < d.last && !tokens_[open].is("{"); ++open) isEnum = isEnum || tokens_[open].is("enum"), isUnion = isUnion || tokens_[open].is("union");
        if (open == d.last) return;
        const std::size_t close = behindBracket(tokens_, open);
        if (isEnum) return declareEnum(d, open, close);
        u64 bytes = 0, alignment = 1;
        bool isKnown = !isUnion && !d.isTemplate;
        for (std::size_t i = open + 1; i + 1 < close && isKnown;) {
            std::size_t behind = i;
            bool isFunction = false;
            for (; behind + 1 < close && !tokens_[behind].is(";"); ++behind) {
                if (tokens_[behind].is("(")) isFunction = true;
                if (tokens_[behind].is("(") || tokens_[behind].is("{")) {
                    behind = behindBracket(tokens_, behind) - 1;
                    if (tokens_[behind].is("}") && isFunction) break;
                }
            }
            if (isOneOf(tokens_[i].text, {"public", "private", "protected"})) {
                i += 2;
                continue;
            }
            if (!isFunction && !tokens_[i].is(";") && !tokens_[i].is("static")) {
                pos_ = i, end_ = behind;
                const std::optional<Type> type = parseType();
                while (type && pos_ < end_) {
                    Type member = *type;
                    while (take("*")) ++member.pointers;
                    ++pos_;  // its name
                    u64 count = 1;
                    while (take("[")) {
                        const Result extent = expression();
                        take("]");
                        if (extent.value.kind != Value::Kind::Integer) isKnown = false;
                        else count *= u64(extent.value.integer);
                    }
                    const u64 size = sizeOf(member);
                    const u64 aligned = std::min<u64>(size % 16 == 0 && member.scalar == Scalar::None && member.pointers == 0 ? 16 : size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1, size);
                    if (size == 0 || count > (1u << 20)) isKnown = false;
                    else {
                        alignment = std::max(alignment, aligned);
                        bytes = (bytes + aligned - 1) / aligned * aligned + size * count;
                    }
                    if (take("=")) assignment();
                    if (!take(",")) break;
                }
                if (!type || pos_ != end_) isKnown = false;
                end_ = tokens_.size();
            }
            i = behind + 1;
        }
        for (const std::string& name : d.names) structs_[name] = isKnown ? (bytes + alignment - 1) / alignment * alignment : 0;
    }
    void declareEnum(const Declaration& d, std::size_t open, std::size_t close) {
        for (const std::string& name : d.names) structs_.try_emplace(name, 4);
        s64 next = 0;
        bool isKnown = true;
        for (std::size_t i = open + 1; i + 1 < close;) {
            const Token& name = tokens_[i];
            std::size_t behind = i + 1;
            while (behind + 1 < close && !tokens_[behind].is(",")) ++behind;
            if (tokens_[i + 1].is("=")) {
                pos_ = i + 2, end_ = behind;
                const Value value = assignment().value;
                end_ = tokens_.size();
                isKnown = value.kind == Value::Kind::Integer;
                next = value.integer;
            }
            if (name.isWord()) state_.scopes[0][name.text] = {.type = {.scalar = Scalar::Int, .name = "int", .isConstant = true}, .value = isKnown ? integerValue(next) : notKnown(name.text, name.line), .line = name.line};
            next = s64(u64(next) + 1);
            i = behind + 1;
        }
    }
    void declareMember(const TokenRange& member) {
        for (std::size_t i = member.first; i + 1 < member.last; ++i) {
            if (!tokens_[i].isWord() || !tokens_[i + 1].is("(")) continue;
            const std::size_t behind = behindBracket(tokens_, i + 1);
            Declaration d{.kind = Declaration::Kind::Function, .names = {"." + tokens_[i].text}, .first = member.first, .last = member.last, .parameters = i + 1};
            for (std::size_t k = behind; k < member.last && !d.hasBody; ++k)
                if (tokens_[k].is("{")) d.headEnd = k, d.hasBody = true;
            if (d.hasBody) declareFunction(d);
            return;
        }
    }
    void declareFunction(const Declaration& d) {
        Function function{.name = d.names.front(), .declaration = d};
        std::size_t i = d.first;
        while (i < d.last && tokens_[i].is("template") && tokens_[i + 1].is("<")) {
            const std::size_t behind = behindAngles(tokens_, i + 1);
            if (behind <= i + 1) break;
            for (const TokenRange& range : listIn(i + 2, behind - 1)) {
                Parameter parameter{.type = {}, .name = {}, .first = range.first, .last = range.last};
                parameter.isTemplateType = tokens_[range.first].is("typename") || tokens_[range.first].is("class");
                for (std::size_t k = range.first; k < range.last && !parameter.defaultFirst; ++k) {
                    if (tokens_[k].is("=")) parameter.defaultFirst = k + 1;
                    else if (tokens_[k].isWord()) parameter.name = tokens_[k].text;
                }
                function.templateParameters.push_back(std::move(parameter));
            }
            i = behind;
        }
        if (d.parameters)
            for (const TokenRange& range : listIn(d.parameters + 1, behindBracket(tokens_, d.parameters) - 1)) {
                if (range.first + 1 == range.last && tokens_[range.first].is("void")) continue;
                Parameter parameter{.type = {}, .name = {}, .first = range.first, .last = range.last};
                pos_ = range.first, end_ = range.last;
                if (std::optional<Type> type = parseType()) parameter.type = *type;
                for (std::size_t k = range.first; k < range.last; ++k) {
                    if (tokens_[k].is("const")) parameter.hasConstant = true;
                    if (tokens_[k].is("=") && !parameter.defaultFirst) parameter.defaultFirst = k + 1;
                    if (tokens_[k].is("[") && !parameter.defaultFirst) {
                        ++parameter.type.pointers;
                        k = behindBracket(tokens_, k) - 1;
                    }
                }
                if (now().isWord()) parameter.name = now().text;
                end_ = tokens_.size();
                function.parameters.push_back(std::move(parameter));
            }
        if (d.isKernel) {
            if (d.hasBody || !kernels_.contains(function.name)) kernels_.insert_or_assign(function.name, std::move(function));
        } else if (!d.isForDevice || !d.hasBody || isForHost(d)) {
            functions_[function.name].push_back(std::move(function));
        }
    }
    bool isForHost(const Declaration& d) const {
        for (std::size_t i = d.first; i < d.headEnd; ++i)
            if (tokens_[i].is("__host__")) return true;
        return false;
    }
    // What commas separate; the ranges are not empty.
    std::vector<TokenRange> listIn(std::size_t first, std::size_t last) const {
        std::vector<TokenRange> ranges;
        std::size_t begin = first;
        for (std::size_t i = first; i < last;) {
            if (tokens_[i].is("(") || tokens_[i].is("[") || tokens_[i].is("{")) {
                i = std::min(behindBracket(tokens_, i), last);
                continue;
            }
            if (tokens_[i].is("<")) {
                if (const std::size_t behind = behindAngles(tokens_, i); behind > i && behind <= last) {
                    i = behind;
                    continue;
                }
            }
            if (tokens_[i].is(",")) {
                if (i > begin) ranges.push_back({begin, i});
                begin = i + 1;
            }
            ++i;
        }
        if (last > begin) ranges.push_back({begin, last});
        return ranges;
    }
    bool hasLaunch(const Declaration& d) const {
        for (std::size_t i = d.first; i < d.last; ++i)
            if (tokens_[i].is("<<<") || tokens_[i].is("cudaLaunchKernel") || tokens_[i].is("cudaLaunchCooperativeKernel")) return true;
        return false;
    }

    void runAlone(Function& function, const State& globals, bool isCalledByOthers) {
        state_ = globals;
        frames_.resize(1);
        if (isCalledByOthers)
            for (auto& [name, variable] : state_.scopes[0])
                if (!variable.type.isConstant) variable.value = notKnown(name, variable.line), variable.isUnset = false;
        std::vector<Result> arguments;
        for (const Parameter& parameter : function.parameters) {
            Result argument;
            argument.value = notKnown(parameter.name, tokens_[parameter.first].line);
            arguments.push_back(std::move(argument));
        }
        call(function, arguments, {}, false);
    }

    // Types.
    u64 sizeOf(const Type& type) const {
        if (type.pointers) return 8;
        if (type.scalar != Scalar::None) return bytesOf(type.scalar);
        if (const auto found = structs_.find(type.name); found != structs_.end()) return found->second;
        const std::optional<KnownType> known = knownType(type.name);
        return known ? known->bytes : 0;
    }
    Type pointee(Type type) const {
        if (type.pointers) --type.pointers;
        return type;
    }
    bool isTypeName(const std::string& name) const {
        if (isOneOf(name, {"vector", "device_vector", "host_vector", "string", "unique_ptr", "shared_ptr", "array"})) return true;
        return knownType(name) || aliases_.contains(name) || structs_.contains(name) || frames_.back().types.contains(name);
    }
    // At pos_; what is no type leaves it there. A name that nobody knows is one where `mayBeUnknown`.
    std::optional<Type> parseType(bool mayBeUnknown = true) {
        const Level level(*this);
        const std::size_t start = pos_;
        Type type;
        bool isUnsignedType = false, hasSign = false, hasBase = false;
        int longs = 0;
        bool isShort = false;
        while (now().isWord()) {
            const std::string& word = now().text;
            if (isOneOf(word, {"const", "constexpr"})) {
                type.isConstant = true;
            } else if (isOneOf(word, {"static", "volatile", "struct", "class", "enum", "union", "typename", "extern", "inline", "register", "mutable", "thread_local", "__restrict__", "__restrict", "restrict", "__constant__",
                                      "__device__", "__managed__", "__host__", "__shared__", "unsigned", "signed", "long", "short"})) {
                if (word == "unsigned") isUnsignedType = hasSign = true;
                if (word == "signed") hasSign = true;
                if (word == "long") ++longs;
                if (word == "short") isShort = true;
            } else if (hasBase || ((hasSign || longs || isShort) && !isOneOf(word, {"int", "char", "double"}))) {
                break;
            } else {
                if (!parseTypeName(type, mayBeUnknown)) break;
                hasBase = true;
                continue;
            }
            ++pos_;
        }
        if (!hasBase && !hasSign && !longs && !isShort) {
            pos_ = start;
            return std::nullopt;
        }
        if (hasSign || longs || isShort) {
            const Scalar base = type.scalar;
            if (base == Scalar::Double) type.scalar = Scalar::Double;
            else if (base == Scalar::Char) type.scalar = isUnsignedType ? Scalar::UChar : Scalar::Char;
            else if (isShort) type.scalar = isUnsignedType ? Scalar::UShort : Scalar::Short;
            else if (longs) type.scalar = isUnsignedType ? Scalar::ULong : Scalar::Long;
            else type.scalar = isUnsignedType ? Scalar::UInt : Scalar::Int;
            constexpr std::array<std::string_view, 12> kNames{"", "bool", "char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long", "float", "double"};
            type.name = kNames[std::size_t(type.scalar)];
        }
        while (true) {
            if (take("*")) ++type.pointers, type.isConstant = false;
            else if (take("&") || take("&&")) type.isReference = true;
            else if (now().is("const")) ++pos_, type.isConstant = true;
            else if (now().is("__restrict__") || now().is("__restrict") || now().is("restrict") || now().is("volatile")) ++pos_;
            else break;
        }
        return type;
    }
    bool parseTypeName(Type& type, bool mayBeUnknown) {
        const std::size_t start = pos_;
        while (now().isWord() && at(pos_ + 1).is("::") && at(pos_ + 2).isWord()) pos_ += 2;
        const std::string name = now().text;
        if (!now().isWord() || (!isTypeName(name) && !mayBeUnknown && pos_ == start) || isOneOf(name, {"return", "delete", "new", "sizeof", "else", "case", "goto", "throw"})) {
            pos_ = start;
            return false;
        }
        ++pos_;
        type.name = name;
        if (now().is("<")) {
            if (const std::size_t behind = behindAngles(tokens_, pos_); behind > pos_ && behind <= end_) {
                const std::size_t keptEnd = end_;
                for (const TokenRange& range : listIn(pos_ + 1, behind - 1)) {
                    pos_ = range.first, end_ = range.last;
                    std::optional<Type> argument = parseType();
                    end_ = keptEnd;
                    type.arguments.push_back(argument.value_or(Type{}));
                }
                pos_ = behind;
            }
        }
        if (const auto bound = frames_.back().types.find(name); bound != frames_.back().types.end()) take(type, bound->second);
        else if (const auto alias = aliases_.find(name); alias != aliases_.end()) take(type, alias->second);
        else if (const std::optional<KnownType> known = knownType(name)) {
            type.scalar = known->scalar;
            if (name == "unsigned") type.name = "unsigned int";
        }
        return true;
    }
    static void take(Type& type, const Type& other) {
        const bool isConstant = type.isConstant;
        type = other;
        type.isConstant = type.isConstant || isConstant;
    }

    // Variables.
    std::optional<Place> find(const std::string& name) const {
        const std::size_t from = frames_.back().scopes;
        for (std::size_t i = state_.scopes.size(); i-- > 0;) {
            if (i < from && i > 0) continue;
            const auto found = state_.scopes[i].find(name);
            if (found == state_.scopes[i].end()) continue;
            if (found->second.isAlias) return found->second.value.place;
            return Place{u32(i), name, {}};
        }
        return std::nullopt;
    }
    Variable* variable(const Place& place) {
        if (place.scope >= state_.scopes.size()) return nullptr;
        const auto found = state_.scopes[place.scope].find(place.name);
        return found == state_.scopes[place.scope].end() ? nullptr : &found->second;
    }
    Value read(const Place& place) {
        Variable* root = variable(place);
        if (!root) return notKnown(place.name, 0);
        if (root->isUnset && place.path.empty()) return notKnown(place.name, root->line);
        Value* value = &root->value;
        for (const std::string& part : place.path) {
            Value* inner = value->part(part);
            if (!inner) return notKnown(value->isKnown() || value->cause.variable.empty() ? place.name : value->cause.variable, value->cause.line ? value->cause.line : root->line);
            value = inner;
        }
        Value result = *value;
        if (!result.isKnown() && result.cause.variable.empty()) result.cause = {place.name, root->line};
        if (result.type.name.empty() && place.path.empty()) result.type = root->type;
        return result;
    }
    void write(const Place& place, Value value, u32 where) {
        Variable* root = variable(place);
        if (!root) return;
        if (!value.isKnown() && value.cause.variable.empty()) value.cause = {place.name, where};
        if (place.path.empty()) {
            root->value = converted(std::move(value), root->type);
            root->isUnset = false;
            return;
        }
        Value* at = &root->value;
        for (const std::string& part : place.path) {
            if (at->kind != Value::Kind::Object && at->kind != Value::Kind::Extents) {
                const NotKnown cause = at->cause;
                *at = Value{};
                at->kind = Value::Kind::Object;
                at->cause = cause;
            }
            if (!at->part(part)) {
                if (at->names.size() > 256) return;
                at->names.push_back(part);
                at->parts.push_back(notKnown(place.name, where));
            }
            at = at->part(part);
        }
        root->isUnset = false;
        *at = converted(std::move(value), at->type.name.empty() ? Type{} : at->type);
    }
    void clobber(const Place& place, u32 where) {
        Variable* root = variable(place);
        if (root && !root->type.isConstant) write(place, notKnown(place.name, where), where);
    }
    // Every variable of a text that was not understood.
    void clobberWords(std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < std::min(last, tokens_.size()); ++i) {
            if (!tokens_[i].isWord() || (i > 0 && (tokens_[i - 1].is(".") || tokens_[i - 1].is("->")))) continue;
            if (const std::optional<Place> place = find(tokens_[i].text)) {
                const Variable* root = variable(*place);
                if (root && root->type.pointers == 0) clobber(*place, tokens_[i].line);
            }
        }
    }

    Value allocate(const Value& bytes, const Type& pointer, bool isWritten, Contents contents = Contents::Zero, f64 constant = 0) {
        if (state_.allocations.size() > 4096) return notKnown({}, 0);
        Allocation allocation{.bytes = {}, .cause = bytes.cause, .isWritten = isWritten, .contents = contents, .constant = constant};
        if (bytes.isNumber() && bytes.asReal() >= 0) allocation.bytes = u64(bytes.kind == Value::Kind::Integer ? bytes.integer : s64(bytes.real));
        state_.allocations.push_back(allocation);
        Value value;
        value.kind = Value::Kind::Pointer;
        value.type = pointer;
        value.allocation = u32(state_.allocations.size() - 1);
        return value;
    }
    Allocation* allocationOf(const Value& value) {
        const Value* pointer = &value;
        if (value.kind == Value::Kind::Object && !value.parts.empty() && value.names.front() == "#data") pointer = &value.parts.front();
        return pointer->kind == Value::Kind::Pointer && pointer->allocation < state_.allocations.size() ? &state_.allocations[pointer->allocation] : nullptr;
    }
    static void setContents(Allocation& allocation, Contents contents, f64 constant = 0) {
        allocation.isWritten = true;
        allocation.contents = contents == Contents::Constant && constant == 0 ? Contents::Zero : contents;
        allocation.constant = allocation.contents == Contents::Constant ? constant : 0;
    }

    // Does the index run over all elements?
    bool coversAll(const Value& index, const Allocation& allocation, const Type& pointer) const {
        const u64 element = sizeOf(pointee(pointer));
        if (index.affine.empty() || !allocation.bytes || element == 0) return false;
        Affine affine = index.affine.front();
        std::ranges::sort(affine.terms, {}, &std::pair<u32, s64>::second);
        s64 next = 1;
        for (const auto& [loop, factor] : affine.terms) {
            if (factor == 0) continue;
            if (factor != next || loop >= loops_.size() || loops_[loop] <= 0) return false;
            if (loops_[loop] > (s64{1} << 40) / next) return false;
            next *= loops_[loop];
        }
        return affine.constant == 0 && u64(next) == *allocation.bytes / element;
    }
    void writeElement(const Result& target, const Value& value) {
        Allocation* allocation = allocationOf(target.element);
        if (!allocation) return;
        const bool isAll = target.element.offsetBytes == 0 && coversAll(target.index, *allocation, target.element.type);
        const auto isIndex = [&] {
            if (value.affine.empty() || target.index.affine.empty()) return false;
            auto a = value.affine.front(), b = target.index.affine.front();
            std::ranges::sort(a.terms), std::ranges::sort(b.terms);
            return a.constant == b.constant && a.terms == b.terms;
        };
        if (isAll && value.isNumber()) setContents(*allocation, Contents::Constant, value.asReal());
        else if (isAll && isIndex()) setContents(*allocation, Contents::Iota);
        else setContents(*allocation, Contents::Random);
    }
    void assign(const Result& target, Value value, u32 where) {
        if (target.isElement) return writeElement(target, value);
        if (target.hasPlace) write(target.place, std::move(value), where);
    }

    // Expressions.
    Result expression() {
        Result result = assignment();
        while (take(",")) result = assignment();
        return result;
    }
    Result assignment() {
        const Level level(*this);
        Result left = conditional();
        const std::string sign = now().text;
        const u32 where = line();
        if (now().kind != Token::Kind::Sign) return left;
        if (sign == "=") {
            ++pos_;
            Result right = now().is("{") ? braces(left.value.type) : assignment();
            assign(left, right.value, where);
            left.value = right.value;
            return left;
        }
        std::string operation = sign;
        std::size_t length = 1;
        if (sign == ">" && isGluedTo(pos_ + 1, ">=")) operation = ">>=", length = 2;
        if (operation.size() < 2 || operation.back() != '=' || isOneOf(operation, {"==", "!=", "<=", ">="})) return left;
        pos_ += length;
        operation.pop_back();
        const Result right = assignment();
        const Value before = left.hasPlace ? read(left.place) : left.value;
        Value value = left.isElement ? notKnown({}, where) : combined(operation, before, right.value);
        value.affine.clear();
        assign(left, value, where);
        left.value = value;
        return left;
    }
    Result conditional() {
        Result condition = binary(0);
        if (!take("?")) return condition;
        const bool isKnown = condition.value.isNumber(), holds = isKnown && condition.value.asReal() != 0;
        const auto branch = [&](bool isTaken) {
            if (isTaken) return assignment();
            const State kept = state_;
            const u64 dry = dry_++;
            Result result = assignment();
            dry_ = dry;
            state_ = kept;
            return result;
        };
        const Result yes = branch(!isKnown || holds);
        if (!take(":")) return {};
        const Result no = branch(!isKnown || !holds);
        if (isKnown) return holds ? yes : no;
        if (isSame(yes.value, no.value) && yes.value.isKnown()) return yes;
        Result result;
        result.value = notKnown(condition.value.cause.variable, condition.value.cause.line);
        result.value.type = yes.value.type;
        return result;
    }
    int rank(std::string& sign, std::size_t& length) const {
        sign = now().text;
        length = 1;
        if (now().kind != Token::Kind::Sign) return 0;
        if (sign == ">") {
            if (inLaunch_ > 0 && closesLaunch()) return 0;
            if (isGluedTo(pos_ + 1, ">=")) return 0;
            if (isGluedTo(pos_ + 1, ">")) sign = ">>", length = 2;
            else if (inAngles_ > 0) return 0;
        }
        constexpr std::array<std::pair<std::string_view, int>, 18> kRanks{{{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4}, {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7}, {">", 7},
                                                                           {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}}};
        const auto found = std::ranges::find(kRanks, sign, &std::pair<std::string_view, int>::first);
        return found == kRanks.end() ? 0 : found->second;
    }
    Result binary(int least) {
        Result left = unary();
        while (true) {
            std::string sign;
            std::size_t length = 1;
            const int level = rank(sign, length);
            if (level == 0 || level <= least) return left;
            pos_ += length;
            const bool isLogical = sign == "&&" || sign == "||";
            Result right;
            if (isLogical) {
                const State kept = state_;
                right = binary(level);
                if (left.value.isNumber() && (left.value.asReal() != 0) == (sign == "||")) state_ = kept;
                else if (!left.value.isNumber()) state_ = joined(kept, state_);
            } else {
                right = binary(level);
            }
            if (sign == ">>" && !left.value.isNumber() && right.hasPlace && left.value.type.scalar == Scalar::None) clobber(right.place, line());  // cin >> n
            if (sign == ">>" && right.isElement && !left.value.isNumber()) writeElement(right, notKnown({}, 0));
            Result result;
            if (isLogical) {
                const bool stops = sign == "||";
                const auto truth = [](const Value& value) { return value.isNumber() ? std::optional(value.asReal() != 0) : std::nullopt; };
                const auto a = truth(left.value), b = truth(right.value);
                if ((a && *a == stops) || (b && *b == stops)) result.value = integerValue(stops, Scalar::Bool);
                else if (a && b) result.value = integerValue(!stops, Scalar::Bool);
                else result.value.cause = !a ? left.value.cause : right.value.cause;
            } else {
                result.value = combined(sign, left.value, right.value);
                if (!result.value.isKnown() && (sign == "<<" || sign == ">>")) result.value.type = left.value.type;
            }
            left = std::move(result);
        }
    }
    Result unary() {
        const Level level(*this);
        ++steps_;
        return unaryInside();
    }
    Result unaryInside() {
        const u32 where = line();
        Result result;
        if (now().is("++") || now().is("--")) {
            const std::string sign = now().is("++") ? "+" : "-";
            ++pos_;
            Result target = unary();
            Value value = combined(sign, target.hasPlace ? read(target.place) : target.value, integerValue(1));
            value.affine.clear();
            assign(target, value, where);
            target.value = value;
            return target;
        }
        if (take("!")) {
            const Value value = unary().value;
            result.value = value.isNumber() ? integerValue(value.asReal() == 0, Scalar::Bool) : notKnown(value.cause.variable, value.cause.line);
            return result;
        }
        if (take("-")) {
            const Value value = unary().value;
            result.value = value.kind == Value::Kind::Real ? realValue(-value.real, value.type.scalar) : combined("-", integerValue(0), value);
            return result;
        }
        if (take("+")) return unary();
        if (take("~")) {
            const Value value = unary().value;
            result.value = value.kind == Value::Kind::Integer ? combined("^", value, integerValue(-1)) : notKnown(value.cause.variable, value.cause.line);
            return result;
        }
        if (take("*")) {
            const Result inner = unary();
            if (inner.value.kind == Value::Kind::Reference) {
                result.hasPlace = true;
                result.place = inner.value.place;
                result.value = read(result.place);
            } else if (inner.value.kind == Value::Kind::Pointer) {
                result.isElement = true;
                result.element = inner.value;
                result.index = integerValue(0);
                result.value.type = pointee(inner.value.type);
            } else {
                result.value = notKnown(inner.value.cause.variable, inner.value.cause.line);
            }
            return result;
        }
        if (take("&")) {
            const Result inner = unary();
            if (inner.value.kind == Value::Kind::Kernel) return inner;
            if (inner.isElement) {
                result.value = combined("+", inner.element, inner.index);
            } else if (inner.hasPlace) {
                result.value.kind = Value::Kind::Reference;
                result.value.place = inner.place;
                result.value.type = inner.value.type;
                ++result.value.type.pointers;
            } else {
                result.value = notKnown(inner.word, where);
            }
            return result;
        }
        if (take("sizeof")) return sizeOfOperand();
        if (now().is("new")) return newExpression();
        if (now().is("delete")) {
            ++pos_;
            if (take("[")) take("]");
            unary();
            return result;
        }
        if (now().is("(")) {
            const std::size_t start = pos_++;
            const bool mayBeVariable = now().isWord() && find(now().text);
            if (!mayBeVariable) {
                if (const std::optional<Type> type = parseType(false); type && take(")")) {
                    if (startsOperand()) {
                        Result inner = unary();
                        result.value = cast(inner.value, *type);
                        if (type->pointers && inner.value.kind == Value::Kind::Reference) result.value.place = inner.value.place;
                        result.word = inner.word;
                        return result;
                    }
                }
            }
            pos_ = start;
        }
        return postfix();
    }
    bool startsOperand() const {
        return now().isWord() || now().kind == Token::Kind::Number || now().kind == Token::Kind::Text || now().kind == Token::Kind::Character ||
               isOneOf(now().text, {"(", "&", "*", "-", "+", "!", "~", "++", "--", "::"});
    }
    Value cast(Value value, const Type& type) {
        if (value.kind == Value::Kind::Reference) return value;
        if (value.kind == Value::Kind::NotKnown) {
            const std::vector<Affine> affine = value.affine;
            value = converted(std::move(value), type);
            value.affine = affine;
            return value;
        }
        return converted(std::move(value), type);
    }
    Result sizeOfOperand() {
        Result result;
        const u32 where = line();
        u64 bytes = 0;
        if (now().is("(")) {
            const std::size_t open = pos_, behind = std::min(behindBracket(tokens_, pos_), end_);
            ++pos_;
            const bool isVariable = now().isWord() && find(now().text) && !at(pos_ + 1).is("*");
            std::optional<Type> type;
            if (!isVariable) type = parseType(false);
            if (type && pos_ + 1 == behind) {
                bytes = sizeOf(*type);
            } else {
                pos_ = open + 1;
                const Result inner = expression();
                bytes = sizeOfValue(inner);
            }
            pos_ = behind;
        } else {
            bytes = sizeOfValue(unary());
        }
        if (bytes) result.value = integerValue(s64(bytes), Scalar::ULong);
        else result.value = notKnown("sizeof", where);
        return result;
    }
    u64 sizeOfValue(const Result& inner) {
        if (inner.hasPlace && inner.place.path.empty())
            if (const Variable* root = variable(inner.place); root && root->type.name != "auto") {
                if (arrays_.contains(inner.place.name) && inner.value.kind == Value::Kind::Pointer) {
                    const Allocation* allocation = allocationOf(inner.value);
                    return allocation && allocation->bytes ? *allocation->bytes : 0;
                }
                return sizeOf(root->type);
            }
        return sizeOf(inner.value.type);
    }
    Result newExpression() {
        ++pos_;
        Result result;
        std::optional<Type> type = parseType();
        if (!type) return result;
        Value count = integerValue(1);
        bool isSet = false;
        if (take("[")) {
            count = expression().value;
            take("]");
        }
        if (now().is("(") || now().is("{")) isSet = true, pos_ = std::min(behindBracket(tokens_, pos_), end_);
        Type pointer = *type;
        ++pointer.pointers;
        result.value = allocate(bytesFor(count, *type), pointer, isSet);
        return result;
    }
    Value bytesFor(const Value& count, const Type& element) {
        const u64 bytes = sizeOf(element);
        if (bytes == 0) return notKnown("sizeof(" + element.name + ")", line());
        return combined("*", converted(count, {.scalar = Scalar::ULong, .name = "size_t"}), integerValue(s64(bytes), Scalar::ULong));
    }

    Result braces(const Type& type) {
        Result result;
        const std::size_t behind = std::min(behindBracket(tokens_, pos_), end_);
        std::vector<Result> items;
        const std::size_t keptEnd = end_;
        for (const TokenRange& range : listIn(pos_ + 1, behind > pos_ + 1 ? behind - 1 : behind)) {
            pos_ = range.first, end_ = range.last;
            if (now().is(".")) {  // a designator
                while (pos_ < end_ && !now().is("=")) ++pos_;
                ++pos_;
            }
            items.push_back(now().is("{") ? braces({}) : assignment());
            end_ = keptEnd;
        }
        pos_ = behind;
        if (type.name == "dim3" && type.pointers == 0) {
            result.value = dimensions(items);
        } else if (items.size() == 1 && type.scalar != Scalar::None && type.pointers == 0) {
            result.value = items.front().value;
        } else if (items.empty() && type.scalar != Scalar::None && type.pointers == 0) {
            result.value = integerValue(0);
        } else {
            result.value.kind = Value::Kind::Object;
            for (std::size_t i = 0; i < std::min<std::size_t>(items.size(), 256); ++i) {
                result.value.names.push_back(std::to_string(i));
                result.value.parts.push_back(items[i].value);
            }
            result.value.integer = s64(items.size());
        }
        return result;
    }
    Value dimensions(const std::vector<Result>& items) {
        if (items.size() == 1 && items[0].value.kind == Value::Kind::Extents) return items[0].value;
        const auto part = [&](std::size_t i) { return i < items.size() ? items[i].value : integerValue(1); };
        return extentsValue(part(0), part(1), part(2));
    }

    Result postfix() {
        Result result = primary();
        while (!isExhausted()) {
            if (now().is("<<<")) {
                result = launch(result);
            } else if (now().is("(")) {
                std::vector<Result> arguments = argumentList();
                result = callNamed(result, arguments);
            } else if (now().is("[")) {
                ++pos_;
                const Value index = expression().value;
                take("]");
                result = elementOf(result, index);
            } else if (now().is(".") || now().is("->")) {
                const bool isArrow = now().is("->");
                ++pos_;
                if (!now().isWord()) return {};
                const std::string member = now().text;
                ++pos_;
                if (now().is("<") && behindAngles(tokens_, pos_) > pos_ && at(behindAngles(tokens_, pos_)).is("(")) pos_ = behindAngles(tokens_, pos_);
                if (now().is("(")) result = method(result, member);
                else result = memberOf(result, member, isArrow);
            } else if (now().is("++") || now().is("--")) {
                const std::string sign = now().is("++") ? "+" : "-";
                const u32 where = line();
                ++pos_;
                const Value before = result.hasPlace ? read(result.place) : result.value;
                Value after = combined(sign, before, integerValue(1));
                after.affine.clear();
                assign(result, after, where);
                result = {};
                result.value = before;
            } else {
                return result;
            }
        }
        return result;
    }
    Result elementOf(const Result& of, const Value& index) {
        Result result;
        Value base = of.value;
        if (base.kind == Value::Kind::Object && !base.names.empty() && base.names.front() == "#data") base = base.parts.front();
        if (base.kind == Value::Kind::Pointer) {
            result.isElement = true;
            result.element = base;
            result.index = index;
            result.value = notKnown(of.word, line());
            result.value.type = pointee(base.type);
            return result;
        }
        if (of.hasPlace && index.kind == Value::Kind::Integer) {
            result.hasPlace = true;
            result.place = of.place;
            result.place.path.push_back(std::to_string(index.integer));
            result.value = read(result.place);
            return result;
        }
        if (of.hasPlace && !of.place.path.empty()) clobber(of.place, line());
        result.value = notKnown(of.value.cause.variable.empty() ? of.word : of.value.cause.variable, of.value.cause.line);
        return result;
    }
    Result memberOf(const Result& of, const std::string& member, bool isArrow) {
        Result result;
        if (isArrow && of.value.kind == Value::Kind::Reference) {
            result.place = of.value.place;
        } else if (of.hasPlace) {
            result.place = of.place;
        } else {
            Value value = of.value;
            if (const Value* part = value.part(member)) result.value = *part;
            else result.value = notKnown(of.value.cause.variable.empty() ? of.word : of.value.cause.variable, of.value.cause.line);
            return result;
        }
        result.hasPlace = true;
        result.place.path.push_back(member);
        result.value = read(result.place);
        return result;
    }
    std::vector<Result> argumentList() {
        std::vector<Result> arguments;
        const std::size_t open = pos_, behind = std::min(behindBracket(tokens_, open), end_), keptEnd = end_;
        const u32 keptLaunch = std::exchange(inLaunch_, 0), keptAngles = std::exchange(inAngles_, 0);
        pos_ = open + 1;
        end_ = behind > open + 1 ? behind - 1 : behind;
        while (pos_ < end_ && !isExhausted()) {
            const std::size_t before = pos_;
            arguments.push_back(now().is("{") ? braces({}) : assignment());
            if (pos_ < end_ && !now().is(",")) {  // not understood: up to the next argument
                clobberWords(before, end_);
                while (pos_ < end_ && !now().is(",")) pos_ = now().is("(") || now().is("[") || now().is("{") ? behindBracket(tokens_, pos_) : pos_ + 1;
                arguments.back() = {};
            }
            take(",");
            if (pos_ == before) ++pos_;
        }
        end_ = keptEnd;
        pos_ = behind;
        inLaunch_ = keptLaunch, inAngles_ = keptAngles;
        return arguments;
    }

    Result primary() {
        Result result;
        const Token token = now();
        const u32 where = line();
        if (token.kind == Token::Kind::Number) {
            ++pos_;
            if (const std::optional<Number> number = readNumber(token.text)) {
                if (number->isReal) result.value = realValue(number->real, number->isFloat ? Scalar::Float : Scalar::Double);
                else result.value = integerValue(s64(number->integer), number->isLong ? (number->isUnsigned ? Scalar::ULong : Scalar::Long) : number->isUnsigned ? Scalar::UInt : Scalar::Int);
            }
            return result;
        }
        if (token.kind == Token::Kind::Text || token.kind == Token::Kind::Character) {
            ++pos_;
            while (now().kind == Token::Kind::Text) ++pos_;
            if (token.kind == Token::Kind::Character && token.text.size() == 3) result.value = integerValue(token.text[1], Scalar::Char);
            else result.value.type = {.scalar = Scalar::Char, .name = "char", .pointers = 1};
            return result;
        }
        if (token.is("(")) {
            const u32 keptLaunch = std::exchange(inLaunch_, 0), keptAngles = std::exchange(inAngles_, 0);
            ++pos_;
            result = expression();
            take(")");
            inLaunch_ = keptLaunch, inAngles_ = keptAngles;
            return result;
        }
        if (token.is("{")) return braces({});
        if (token.is("[")) return lambda();
        if (token.is("::")) {
            ++pos_;
            return primary();
        }
        if (!token.isWord()) return result;
        if (isOneOf(token.text, {"true", "false"})) {
            ++pos_;
            result.value = integerValue(token.is("true"), Scalar::Bool);
            return result;
        }
        if (isOneOf(token.text, {"NULL", "nullptr"})) {
            ++pos_;
            result.value = integerValue(0, Scalar::Long);
            result.value.type = {.scalar = Scalar::None, .name = "nullptr_t", .pointers = 1};
            return result;
        }
        if (isOneOf(token.text, {"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"}) && at(pos_ + 1).is("<")) return namedCast();
        std::string name = token.text, qualified = token.text;
        ++pos_;
        while (now().is("::") && at(pos_ + 1).isWord()) {
            name = at(pos_ + 1).text;
            qualified += "::" + name;
            pos_ += 2;
        }
        result.word = qualified;
        const std::optional<Place> place = name == qualified || kernels_.contains(name) ? find(name) : std::optional<Place>();
        const bool mayBeTemplate = !place && now().is("<");
        if (mayBeTemplate) {
            const std::size_t behind = behindAngles(tokens_, pos_);
            if (behind > pos_ && behind <= end_) {
                for (const TokenRange& range : listIn(pos_ + 1, behind - 1)) result.templateArguments.push_back(range);
                result.hasTemplateArguments = true;
                pos_ = behind;
            }
        }
        if (place) {
            result.hasPlace = true;
            result.place = *place;
            result.value = read(*place);
            return result;
        }
        // A type's name with parentheses or braces makes a value.
        const bool isConstructed = now().is("(") || now().is("{");
        if (isConstructed && isTypeName(name) && !functions_.contains(name)) {
            Type type;
            type.name = name;
            if (const auto alias = aliases_.find(name); alias != aliases_.end()) type = alias->second;
            else if (const auto bound = frames_.back().types.find(name); bound != frames_.back().types.end()) type = bound->second;
            else if (const auto known = knownType(name)) type.scalar = known->scalar;
            if (now().is("{")) return braces(type);
            const std::vector<Result> arguments = argumentList();
            if (type.name == "dim3") result.value = dimensions(arguments);
            else if (arguments.size() == 1 && type.scalar != Scalar::None) result.value = cast(arguments[0].value, type);
            else result.value.type = type;
            result.word.clear();
            return result;
        }
        result.value = notKnown(name, where);
        if (kernels_.contains(name) && !result.hasTemplateArguments) {
            result.value.kind = Value::Kind::Kernel;
            result.value.place.name = qualified;
        }
        if (isOneOf(name, {"RAND_MAX", "INT_MAX"})) result.value = integerValue(2147483647);
        if (name == "EXIT_SUCCESS" || name == "cudaSuccess") result.value = integerValue(0);
        return result;
    }
    Result namedCast() {
        Result result;
        ++pos_;
        const std::size_t behind = behindAngles(tokens_, pos_), keptEnd = end_;
        if (behind <= pos_ || behind > end_) return result;
        ++pos_;
        end_ = behind - 1;
        const std::optional<Type> type = parseType();
        end_ = keptEnd;
        pos_ = behind;
        if (!now().is("(")) return result;
        std::vector<Result> arguments = argumentList();
        if (arguments.empty()) return result;
        result.value = type ? cast(arguments.front().value, *type) : arguments.front().value;
        result.word = arguments.front().word;
        return result;
    }
    // Gone through where it stands, once: what it does is known from then on, and what it changes is not.
    Result lambda() {
        Result result;
        const std::size_t start = pos_;
        pos_ = std::min(behindBracket(tokens_, pos_), end_);
        std::size_t parameters = 0;
        if (now().is("(")) parameters = pos_, pos_ = std::min(behindBracket(tokens_, pos_), end_);
        while (pos_ < end_ && !now().is("{") && !now().is(";") && !now().is(",")) ++pos_;
        if (!now().is("{")) {
            pos_ = start + 1;
            return result;
        }
        const std::size_t open = pos_, behind = std::min(behindBracket(tokens_, pos_), end_);
        const State before = state_;
        state_.scopes.emplace_back();
        if (parameters)
            for (std::size_t i = parameters; i < open; ++i)
                if (tokens_[i].isWord()) state_.scopes.back()[tokens_[i].text] = {.type = {}, .value = notKnown(tokens_[i].text, tokens_[i].line), .line = tokens_[i].line};
        nested([&] { block(open + 1, behind - 1); }, before.scopes.size());
        state_ = joined(before, state_);
        pos_ = behind;
        return result;
    }
    // Returns inside end it, not what is around it.
    template <class Body>
    void nested(Body body, std::size_t depth) {
        Frame frame;
        frame.scopes = frames_.back().scopes;
        frame.types = frames_.back().types;
        frames_.push_back(std::move(frame));
        const std::size_t keptPos = pos_, keptEnd = end_;
        end_ = tokens_.size();
        returnDepth_.push_back(depth);
        body();
        returnDepth_.pop_back();
        pos_ = keptPos, end_ = keptEnd;
        if (frames_.back().returned) {
            state_.scopes.resize(std::min(state_.scopes.size(), depth));
            state_ = joined(*frames_.back().returned, state_);
        }
        frames_.pop_back();
        state_.scopes.resize(std::min(state_.scopes.size(), depth));
    }

#include "source/host_calls.inc"
#include "source/host_statements.inc"

    const std::vector<Token>& tokens_;
    std::size_t pos_ = 0, end_ = 0;
    Token none_;
    State state_;
    std::vector<Frame> frames_;
    std::vector<std::size_t> returnDepth_{1};
    std::vector<std::optional<State>*> breaks_, continues_;
    std::vector<std::size_t> breakDepth_;
    std::vector<s64> loops_;  // how often each goes round, from 0 up by one; 0: not known
    std::map<std::string, Function, std::less<>> kernels_;
    std::map<std::string, std::vector<Function>, std::less<>> functions_;
    std::map<std::string, Type, std::less<>> aliases_;
    std::map<std::string, u64, std::less<>> structs_;
    std::set<std::string, std::less<>> arrays_;
    std::set<std::size_t> entered_;
    std::vector<std::size_t> stack_;
    u64 steps_ = 0, dry_ = 0;
    u32 depth_ = 0, inLaunch_ = 0, inAngles_ = 0;
    HostFindings findings_;
};

}  // namespace

HostFindings readHostCode(const std::vector<Token>& tokens) { return Host(tokens).run(); }

}  // namespace lockstep::source
