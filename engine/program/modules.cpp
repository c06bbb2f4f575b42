#include "program/modules.h"

namespace lockstep::program {

std::optional<u32> Modules::add(const std::string& text) {
    if (text.size() > kMostBytes - bytes_) return {};
    bytes_ += text.size();
    codes_.push_back(readCode(text));
    return size() - 1;
}

const ptx::Function* Modules::findEntry(u64 number, std::string_view name) const {
    const ptx::Module* const module = find(number);
    return module ? module->findEntry(name) : nullptr;
}

Message Modules::whyNotRead(u64 number, const std::string& kernel) const {
    if (number >= codes_.size()) return {};
    const ReadCode& code = codes_[number];
    if (!code.module) return code.whyNot;
    const auto found = code.refused.find(kernel);
    return found == code.refused.end() ? Message() : found->second;
}

}  // namespace lockstep::program
