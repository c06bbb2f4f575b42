// Loops and switches. A loop's body is evaluated until what is known before it holds in every iteration.
#include "source/host.h"

#include <array>

namespace lockstep::source {

void Host::forStatement(std::size_t first, std::size_t last) {
    if (first + 1 >= last || !tokens_[first + 1].is("(")) return;
    const std::size_t body = std::min(behindBracket(tokens_, first + 1), last);
    std::array<std::size_t, 2> semicolons{0, 0};
    std::size_t found = 0, colon = 0;
    for (std::size_t i = first + 2; i + 1 < body;
         i = tokens_[i].is("(") || tokens_[i].is("{") ? behindBracket(tokens_, i) : i + 1) {
        if (tokens_[i].is(";") && found < 2) semicolons[found++] = i;
        if (tokens_[i].is(":") && !found) colon = i;
    }
    state_.scopes.emplace_back();
    const std::size_t depth = state_.scopes.size();
    if (found == 2) {
        statement(first + 2, semicolons[0] + 1);
        loop(semicolons[0] + 1, semicolons[1], body, last, semicolons[1] + 1, body - 1);
    } else if (colon) {  // for (auto& x : values)
        evaluate(colon + 1, body - 1);
        if (colon > first + 2 && tokens_[colon - 1].isWord()) {
            for (std::size_t i = colon + 1; i + 1 < body; ++i)  // what a reference may write to
                if (const std::optional<Place> place =
                        tokens_[i].isWord() ? find(tokens_[i].text) : std::nullopt)
                    if (Allocation* allocation = state_.allocationOf(state_.read(*place)))
                        allocation->setContents(Contents::Random);
            state_.scopes.back()[tokens_[colon - 1].text] = {
                .type = {},
                .value = notKnown(tokens_[colon - 1].text, tokens_[colon - 1].line),
                .line = tokens_[colon - 1].line};
        }
        loop(0, 0, body, last, 0, 0);
    }
    state_.scopes.resize(std::min(state_.scopes.size(), depth - 1));
}

std::optional<std::pair<Place, s64>> Host::counted(std::size_t condition, std::size_t conditionEnd,
                                                   std::size_t step, std::size_t stepEnd, std::size_t body,
                                                   std::size_t last) {
    if (condition + 3 > conditionEnd || !tokens_[condition].isWord() || !tokens_[condition + 1].is("<") ||
        stepEnd <= step)
        return std::nullopt;
    const std::string& name = tokens_[condition].text;
    const bool isStep = (stepEnd - step == 2 && ((tokens_[step].is(name) && tokens_[step + 1].is("++")) ||
                                                 (tokens_[step].is("++") && tokens_[step + 1].is(name)))) ||
                        (stepEnd - step == 3 && tokens_[step].is(name) && tokens_[step + 1].is("+=") &&
                         tokens_[step + 2].is("1"));
    const std::optional<Place> place = find(name);
    if (!isStep || !place) return std::nullopt;
    countTokens(body, last);
    for (std::size_t i = body; i + 1 < last; ++i)
        if (tokens_[i].is(name) && (isOneOf(tokens_[i + 1].text, {"=", "+=", "-=", "*=", "/=", "++", "--"}) ||
                                    tokens_[i - 1].is("++") || tokens_[i - 1].is("--") ||
                                    (tokens_[i - 1].is("&") && !tokens_[i - 2].isWord())))
            return std::nullopt;
    const Value start = state_.read(*place);
    if (start.kind != Value::Kind::Integer || start.integer != 0) return std::nullopt;
    const Value limit = evaluate(condition + 2, conditionEnd);
    if (limit.kind != Value::Kind::Integer || limit.integer <= 0) return std::nullopt;
    return std::pair(*place, limit.integer);
}

void Host::loop(std::size_t condition, std::size_t conditionEnd, std::size_t body, std::size_t last,
                std::size_t step, std::size_t stepEnd) {
    if (isExhausted()) return;
    // A loop that is not entered.
    if (condition < conditionEnd) {
        State before = copied(state_);
        const Value first = evaluate(condition, conditionEnd);
        if (first.isNumber() && first.asReal() == 0) return;
        state_ = std::move(before);
    }
    const auto round = counted(condition, conditionEnd, step, stepEnd, body, last);
    const u32 number = u32(loops_.size());
    if (round) {
        loops_.push_back(round->second);
        Value value = notKnown(round->first.name, tokens_[condition].line);
        value.affine = {Affine{0, {{number, 1}}}};
        if (Variable* variable = state_.variable(round->first)) {
            value.type = variable->type;
            variable->value = value;
        }
    }
    std::optional<State> broken, continued;
    const auto once = [&] {
        continued.reset();
        targets_.push_back({&broken, &continued, state_.scopes.size()});
        if (condition < conditionEnd && !round) evaluate(condition, conditionEnd);
        statement(body, last);
        targets_.pop_back();
        if (continued) join(std::move(*continued));
        if (step < stepEnd && !round && !state_.hasEnded) evaluate(step, stepEnd);
    };
    State start = copied(state_);
    const int rounds = dry_ > 0 ? 1 : 3;
    for (int i = 0; i < rounds && !isExhausted(); ++i) {
        ++dry_;
        once();
        --dry_;
        State both = joined(copied(start), copied(state_));
        both.allocations = start.allocations;
        const bool isStable = isSame(both, start);
        // Buffers that were allocated within are known again in the next round.
        if (state_.allocations.size() > start.allocations.size())
            both.allocations.insert(both.allocations.end(),
                                    state_.allocations.begin() + std::ptrdiff_t(start.allocations.size()),
                                    state_.allocations.end());
        start = std::move(both);
        state_ = copied(start);
        if (isStable) break;
    }
    broken.reset();
    State before = copied(state_);
    if (!(dry_ > 0)) once();
    if (broken) join(std::move(*broken));
    // It goes round at least once where that is known; contents that a whole loop wrote are then known, too.
    if (!round || state_.hasEnded) join(std::move(before));
    if (round)
        if (Variable* variable = state_.variable(round->first))
            variable->value = notKnown(round->first.name, tokens_[condition].line);
}

void Host::doStatement(std::size_t first, std::size_t last) {
    const std::size_t behind = behindStatement(tokens_, first + 1, last);
    const std::size_t open = behindParentheses(tokens_, behind, last);
    const bool isOnce = behind + 4 <= last && tokens_[behind].is("while") && open == behind + 4 &&
                        (tokens_[behind + 2].is("0") || tokens_[behind + 2].is("false"));
    if (!isOnce) return loop(behind + 2, open > behind ? open - 1 : behind, first + 1, behind, 0, 0);
    std::optional<State> broken;
    targets_.push_back({&broken, &broken, state_.scopes.size()});
    statement(first + 1, behind);
    targets_.pop_back();
    if (broken) join(std::move(*broken));
}

void Host::switchStatement(std::size_t first, std::size_t last) {
    const std::size_t body = behindParentheses(tokens_, first, last);
    if (body >= last) return;
    const Value selector = evaluate(first + 2, body - 1);
    State before = copied(state_);
    std::optional<State> broken;
    switches_.push_back({copied(before), selector, false});
    switches_.back().state.scopes.emplace_back();
    targets_.push_back(
        {&broken, targets_.empty() ? &broken : targets_.back().onContinue, state_.scopes.size()});
    state_.scopes.emplace_back();
    state_.hasEnded = true;
    if (tokens_[body].is("{")) block(body + 1, tokens_[last - 1].is("}") ? last - 1 : last);
    targets_.pop_back();
    const bool isTaken = switches_.back().isTaken;
    switches_.pop_back();
    state_.scopes.resize(std::min(state_.scopes.size(), before.scopes.size()));
    if (broken) join(std::move(*broken));
    if (!isTaken || !selector.isNumber()) join(std::move(before));
}

void Host::reachCase(std::size_t first, std::size_t last) {
    if (switches_.empty()) return;
    const std::size_t own =
        switches_.size() - 1;  // the case's value may call a function with a switch of its own
    const bool isDefault = tokens_[first].is("default");
    if (switches_[own].selector.isNumber()) {
        bool isMeant = isDefault && !switches_[own].isTaken;
        if (!isDefault) {
            State kept = copied(state_);
            state_.hasEnded = false;
            const Value value = evaluate(first + 1, last - 1);
            state_ = std::move(kept);
            isMeant = !value.isNumber() || value.asReal() == switches_[own].selector.asReal();
        }
        if (!isMeant) return;
    }
    switches_[own].isTaken = true;
    State from = copied(switches_[own].state);
    if (state_.hasEnded)
        state_ = std::move(from);
    else
        join(std::move(from));
}

}  // namespace lockstep::source
