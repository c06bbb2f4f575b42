// Statements: blocks, conditions, and what leaves them.
#include "source/host.h"

#include <ranges>

namespace lockstep::source {

void Host::block(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last && !isExhausted();) {
        const std::size_t behind = std::max(behindStatement(tokens_, i, last), i + 1);
        statement(i, std::min(behind, last));
        i = behind;
    }
}

void Host::statement(std::size_t first, std::size_t last) {
    if (first >= last || state_.hasEnded) {
        // A case is reached from its switch.
        if (first < last && (tokens_[first].is("case") || tokens_[first].is("default")))
            reachCase(first, last);
        return;
    }
    const Level level(*this);
    ++steps_;
    statementInside(first, last);
}

void Host::statementInside(std::size_t first, std::size_t last) {
    const Token& token = tokens_[first];
    if (token.is("{")) {
        state_.scopes.emplace_back();
        const std::size_t depth = state_.scopes.size();
        block(first + 1, tokens_[last - 1].is("}") ? last - 1 : last);
        state_.scopes.resize(std::min(state_.scopes.size(), depth - 1));
    } else if (token.is("if")) {
        ifStatement(first, last);
    } else if (token.is("for")) {
        forStatement(first, last);
    } else if (token.is("while")) {
        const std::size_t body = behindParentheses(tokens_, first, last);
        loop(first + 2, body - 1, body, last, 0, 0);
    } else if (token.is("do")) {
        doStatement(first, last);
    } else if (token.is("switch")) {
        switchStatement(first, last);
    } else if (token.is("case") || token.is("default")) {
        reachCase(first, last);
    } else if (token.is("try")) {
        const std::size_t behind = behindStatement(tokens_, first + 1, last);
        statement(first + 1, behind);
        // What a catch does is done only where something fails.
    } else if (token.is("return")) {
        const Value value = first + 2 < last ? evaluate(first + 1, last - 1) : Value{};
        State now = copied(state_);
        now.scopes.resize(std::min(now.scopes.size(), returnDepth_.back()));
        Frame& frame = frames_.back();
        if (state_.hasEnded) return;
        if (!frame.value)
            frame.value = value;
        else if (!isSame(*frame.value, value))
            frame.value = notKnown({}, token.line);
        join(frame.returned, std::move(now));
        state_.hasEnded = true;
    } else if (token.is("break") || token.is("continue")) {
        if (!targets_.empty()) {
            const Target& target = targets_.back();
            std::optional<State>& left = token.is("break") ? *target.onBreak : *target.onContinue;
            State now = copied(state_);
            now.scopes.resize(std::min(now.scopes.size(), target.scopes));
            join(left, std::move(now));
        }
        state_.hasEnded = true;
    } else if (token.is("goto") || token.is("throw")) {
        state_.hasEnded = true;
    } else if (token.is("using") || token.is("typedef")) {
        localTypes(first, last);
    } else if (isOneOf(token.text, {"struct", "class", "enum", "union", "template", "namespace",
                                    "static_assert", "asm"})) {
        if (!declarationStatement(first, last)) localTypes(first, last);
    } else if (!token.is(";") && !declarationStatement(first, last)) {
        evaluate(first, tokens_[last - 1].is(";") ? last - 1 : last);
    }
}

void Host::localTypes(std::size_t first, std::size_t last) {
    steps_ += last - first;
    const std::vector<Token> tokens(tokens_.begin() + std::ptrdiff_t(first),
                                    tokens_.begin() + std::ptrdiff_t(last));
    for (Declaration d : declarationsIn(tokens)) {
        if (d.kind != Declaration::Kind::Type && d.kind != Declaration::Kind::Using) continue;
        d.first += first, d.last += first;
        const Within within(*this, pos_, end_);
        declare(d);
    }
}

// Both ways where it is not known which; a chain of `else if` is gone through here, not one within the other.
void Host::ifStatement(std::size_t first, std::size_t last) {
    const std::size_t depth = state_.scopes.size();
    state_.scopes.emplace_back();
    std::vector<State> taken;  // what is known behind each branch that may be the one
    while (true) {
        std::size_t open = first + 1;
        if (open < last && tokens_[open].is("constexpr")) ++open;
        if (open >= last || !tokens_[open].is("(")) break;
        const std::size_t behind = std::min(behindBracket(tokens_, open), last);
        const Value condition = conditionIn(open + 1, behind);
        if (state_.hasEnded) break;
        const std::size_t otherwise = behindStatement(tokens_, behind, last);
        if (!condition.isNumber()) {
            State before = copied(state_);
            statement(behind, otherwise);
            taken.push_back(std::exchange(state_, std::move(before)));
        } else if (condition.asReal() != 0) {
            statement(behind, otherwise);
            break;
        }
        if (otherwise + 1 >= last || !tokens_[otherwise].is("else")) break;
        first = otherwise + 1;
        if (!tokens_[first].is("if")) {
            statement(first, last);
            break;
        }
    }
    for (State& state : taken | std::views::reverse)
        join(std::move(state));
    state_.scopes.resize(std::min(state_.scopes.size(), depth));
}

// `if (int n = f(); n > 0)`: what stands before the condition is done first.
Value Host::conditionIn(std::size_t first, std::size_t behind) {
    std::size_t from = first;
    for (std::size_t i = from; i + 1 < behind; i = tokens_[i].is("(") ? behindBracket(tokens_, i) : i + 1)
        if (tokens_[i].is(";")) statement(from, i + 1), from = i + 1;
    if (declarationStatement(from, behind - 1)) return {};
    return evaluate(from, behind - 1);
}

}  // namespace lockstep::source
