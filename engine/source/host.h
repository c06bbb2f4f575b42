// Goes through the tokens of host code as a run would: a value for what constants tell, a cause for what they
// do not. It is one class because all of it moves the same place in the text and the same state; what needs
// neither stands outside, and its files are by subject.
#pragma once

#include "source/declarations.h"
#include "source/host_code.h"
#include "source/host_function.h"
#include "source/host_state.h"
#include "source/host_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::source {

class Host {
public:
    explicit Host(const std::vector<Token>& tokens) : tokens_(tokens), end_(tokens.size()) {
        frames_.emplace_back();
    }

    HostFindings run();

private:
    static constexpr u64 kMostSteps = 200'000;

    // One more of what may stand within another: types, assignments, operators, statements. Too many end the
    // reading, for each takes room on the stack.
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

    struct Layout {     // of a type that the file declares
        u64 bytes = 0;  // 0: not known
        u64 alignment = 1;
    };

    // Reads another part of the text; then it goes on where it was.
    class Within {
    public:
        Within(Host& host, std::size_t first, std::size_t last)
            : host_(host), pos_(host.pos_), end_(host.end_) {
            host.pos_ = first, host.end_ = last;
        }
        ~Within() { host_.pos_ = pos_, host_.end_ = end_; }
        Within(const Within&) = delete;
        Within& operator=(const Within&) = delete;

    private:
        Host& host_;
        std::size_t pos_, end_;
    };

    struct Frame {               // a call
        std::size_t scopes = 0;  // first of its own
        std::optional<State> returned;
        std::optional<Value> value;
        std::map<std::string, Type, std::less<>> types;
    };
    struct Target {  // where break and continue lead: what is known where they leave a loop or a switch
        std::optional<State>* onBreak = nullptr;
        std::optional<State>* onContinue = nullptr;
        std::size_t scopes = 0;  // that remain
    };
    struct Switch {
        State state;
        Value selector;
        bool isTaken = false;
    };

    // The text: its tokens from pos_ to end_.
    const Token& at(std::size_t i) const {
        return i < end_ && i < tokens_.size() && !isExhausted() ? tokens_[i] : none_;
    }
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
    // Copying a state takes time, and so does going through two.
    State copied(const State& of) {
        steps_ += of.size();
        return State(of);
    }
    // What holds now or held in `other`.
    void join(State other) {
        steps_ += state_.size();
        state_ = joined(std::move(other), std::move(state_));
    }
    // The same for what is known where a jump leads.
    void join(std::optional<State>& known, State now) {
        steps_ += now.size();
        known = known ? joined(std::move(*known), std::move(now)) : std::move(now);
    }
    // Reading over a part of the text once more.
    void countTokens(std::size_t first, std::size_t last) { steps_ += (last - std::min(first, last)) / 8; }
    std::optional<Place> find(const std::string& name) const {
        return state_.find(name, frames_.back().scopes);
    }

    // The whole: host_code.cpp
    void runAlone(Function& function, const State& globals, bool isCalledByOthers);

    // What the file declares: host_declarations.cpp
    void declare(const Declaration& d);
    void setAlias(const Declaration& d, std::size_t from);
    // `typedef double vector3[3];` names an array, as large as all its elements.
    void setAlias(const std::string& name, const Type& type);
    void declareStruct(const Declaration& d);
    void declareEnum(const Declaration& d, std::size_t open, std::size_t close);
    void declareMember(const TokenRange& member);
    void declareFunction(const Declaration& d);

    // Types and sizes: host_types.cpp
    // At pos_; what is no type leaves it there. An unknown name counts as a type where `mayBeUnknown`.
    std::optional<Type> parseType(bool mayBeUnknown = true);
    bool parseTypeName(Type& type, bool mayBeUnknown);
    Type returnTypeOf(const Function& function);
    bool isTypeName(const std::string& name) const;
    bool isConcrete(const Type& type) const;
    Layout layoutOf(const Type& type) const;
    u64 sizeOf(const Type& type) const { return layoutOf(type).bytes; }  // 0: not known
    Result sizeOfOperand();
    u64 sizeOfValue(const Result& inner);
    Value bytesFor(const Value& count, const Type& element);

    // Operators: host_expressions.cpp
    Value evaluate(std::size_t first, std::size_t last);
    Result expression();
    Result assignment();
    Result conditional();
    int rank(std::string& sign, std::size_t& length) const;
    Result binary(int least);
    Result unary();
    Result unaryInside();
    bool startsOperand() const;
    Result newExpression();

    // What operators work on: host_operands.cpp
    Result postfix();
    Result primary();
    Result elementOf(const Result& of, const Value& index);
    Result memberOf(const Result& of, const std::string& member, bool isArrow);
    Result braces(const Type& type);
    std::vector<Result> argumentList();
    Result namedCast();
    Value inAngles();
    // Returns inside end it, not what is around it.
    template <class Body> void nested(Body body, std::size_t depth);
    // Gone through where it stands, once: what it does is known from then on, and what it changes is not.
    Result lambda();

    // What writes to variables and to memory: host_writes.cpp
    void assign(const Result& target, Value value, u32 where);
    void writeElement(const Result& target, const Value& value);
    // Does the index run over all elements?
    bool coversAll(const Value& index, const Allocation& allocation, const Type& pointer) const;
    void store(const Result& target, Value value, u32 where);
    // Every variable of a text that was not understood.
    void clobberWords(std::size_t first, std::size_t last);
    // What an unknown function may change: what it gets by & or by reference, and memory behind
    // pointers.
    void clobberArgument(const Result& argument, u32 where, bool onlyMemory = false);
    void clobberArguments(const std::vector<Result>& arguments, u32 where);

    // Calls of the file's own functions: host_calls.cpp
    Result callNamed(const Result& callee, std::vector<Result>& arguments);
    Result call(Function& function, std::vector<Result>& arguments, const std::vector<TokenRange>& templates,
                bool hasTemplates);

    // Functions and methods of the C, C++ and CUDA libraries: host_library.cpp
    // False: not known.
    bool library(const std::string& name, const Result& callee, std::vector<Result>& arguments,
                 Result& result, u32 where);
    void noteSymbol(const std::string& symbol, u32 where);
    void copyOrSet(bool isSet, const std::vector<Result>& arguments);
    void fill(const std::string& name, const std::vector<Result>& arguments);
    Result method(const Result& of, const std::string& name);

    // Launches, and what is recorded of one: host_launches.cpp
    Result launch(const Result& kernel);
    void launchByCall(const std::string& name, const std::vector<Result>& arguments);
    void record(Result kernel, const std::vector<Value>& configuration, const std::vector<Result>& arguments,
                std::size_t sign, bool isCooperative = false);
    void setEntry(Launch& launch, const Function& kernel, const Result& written,
                  const std::vector<Result>& arguments);

    // Statements: host_statements.cpp
    void block(std::size_t first, std::size_t last);
    void statement(std::size_t first, std::size_t last);
    void statementInside(std::size_t first, std::size_t last);
    void localTypes(std::size_t first, std::size_t last);
    // One of the two, or, where the condition is not known, what holds after either.
    template <class Yes, class No> void either(const Value& condition, Yes yes, No no) {
        if (condition.isNumber()) return condition.asReal() != 0 ? yes() : no();
        State before = copied(state_);
        yes();
        State after = std::exchange(state_, std::move(before));
        no();
        join(std::move(after));
    }
    void ifStatement(std::size_t first, std::size_t last);
    Value conditionIn(std::size_t first, std::size_t behind);

    // Loops and switches: host_loops.cpp
    void forStatement(std::size_t first, std::size_t last);
    // `i < N` with i 0 and `++i`: its trip count, and i's place.
    std::optional<std::pair<Place, s64>> counted(std::size_t condition, std::size_t conditionEnd,
                                                 std::size_t step, std::size_t stepEnd, std::size_t body,
                                                 std::size_t last);
    void loop(std::size_t condition, std::size_t conditionEnd, std::size_t body, std::size_t last,
              std::size_t step, std::size_t stepEnd);
    void doStatement(std::size_t first, std::size_t last);
    void switchStatement(std::size_t first, std::size_t last);
    void reachCase(std::size_t first, std::size_t last);

    // Declarations of variables: host_variables.cpp
    // `int n = 4, *p;`, `dim3 block(16, 16);`, `std::vector<float> a(n);` False where it is none.
    bool declarationStatement(std::size_t first, std::size_t last);
    bool declarationInside();
    void declareStatic(const Type& type);
    bool structuredBinding();
    void declarator(const Type& type);
    void array(Variable& variable, const std::string& name, u32 where);
    void vector(Variable& variable, u32 where);

    const std::vector<Token>& tokens_;
    std::size_t pos_ = 0, end_ = 0;
    Token none_;
    State state_;
    std::vector<Frame> frames_;
    std::vector<std::size_t> returnDepth_{1};
    std::vector<Target> targets_;
    std::vector<Switch> switches_;
    std::vector<s64> loops_;  // trip count of each, from 0 up by one; 0: not known
    std::map<std::string, Function, std::less<>> kernels_;
    std::map<std::string, std::vector<Function>, std::less<>> functions_;
    std::map<std::string, Type, std::less<>> aliases_;
    std::map<std::string, Layout, std::less<>> structs_;
    std::set<std::string, std::less<>> arrays_;  // names of variables that were declared with []
    std::set<std::size_t> entered_;              // functions that were called, by their first token
    std::vector<std::size_t> stack_;             // those that are being called
    u64 steps_ = 0;
    u64 dry_ = 0;  // above 0: nothing is recorded, as it may not be reached, or is gone through again
    u32 depth_ = 0;
    u32 inLaunch_ = 0, inAngles_ = 0;  // above 0: a '>' may close one
    HostFindings findings_;
};

}  // namespace lockstep::source
