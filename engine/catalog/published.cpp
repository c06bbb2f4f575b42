#include "catalog/published.h"

#include <cmath>

namespace lockstep::catalog {

Published readPublished(const toml::table& table, const Family& family, Complaints& complaints) {
    TomlReader reader(table, complaints);
    const auto positive = [&](std::string_view key) {
        const std::optional<f64> number = reader.optionalNumber(key);
        if (!number)
            reader.complain(key, Message(english("'{0}' is missing here"), key));
        else if (!(*number > 0 && std::isfinite(*number)))
            reader.complain(key, Message(english("'{0}' must be more than 0"), key));
        return number.value_or(0);
    };
    const Published published{.milliseconds = positive("milliseconds"),
                              .gigabytesPerSecond = positive("gigabytes_per_second")};
    reader.finish();
    if (family.publishedOn.en.empty())
        complaints.add(table, english("say in the family's 'published_on' which device and size these "
                                      "figures are of, and who published them"));
    return published;
}

}  // namespace lockstep::catalog
