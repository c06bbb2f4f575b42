// Where the reading of host code begins: with main, then each function with a launch that main does not
// reach.
#include "source/host_code.h"

#include "source/host.h"

namespace lockstep::source {

HostFindings Host::run() {
    const std::vector<Declaration> declarations = declarationsIn(tokens_);
    for (const Declaration& d : declarations)
        declare(d);
    for (const Declaration& d : declarations)
        if (d.kind == Declaration::Kind::Variable) statement(d.first, d.last);
    const State globals = copied(state_);
    if (const auto main = functions_.find("main"); main != functions_.end())
        runAlone(main->second.front(), globals, false);
    for (auto& [name, overloads] : functions_)
        for (Function& function : overloads) {
            const Declaration& d = function.declaration;
            const bool hasLaunch = contains(tokens_, d.first, d.last,
                                            {"<<<", "cudaLaunchKernel", "cudaLaunchCooperativeKernel",
                                             "cudaLaunchKernelEx", "cudaLaunchKernelExC"});
            if (!entered_.contains(d.first) && hasLaunch) runAlone(function, globals, true);
        }
    return std::move(findings_);
}

void Host::runAlone(Function& function, const State& globals, bool isCalledByOthers) {
    state_ = copied(globals);
    frames_.resize(1);
    if (isCalledByOthers)
        for (auto& [name, variable] : state_.scopes[0])
            if (!variable.type.isConstant)
                variable.value = notKnown(name, variable.line), variable.isUnset = false;
    std::vector<Result> arguments;
    for (const Parameter& parameter : function.parameters) {
        Result argument;
        argument.value = notKnown(parameter.name, tokens_[parameter.first].line);
        arguments.push_back(std::move(argument));
    }
    call(function, arguments, {}, false);
}

HostFindings readHostCode(const std::vector<Token>& tokens) { return Host(tokens).run(); }

}  // namespace lockstep::source
