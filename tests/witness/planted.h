// Errors put between the record and the witness: a view that is shown a run with one thing wrong, and a text
// that is changed once it is made.
#pragma once

#include "witness/pictures.h"
#include "witness/witness.h"

#include <functional>
#include <span>

namespace lockstep::witness {

struct Planted {
    const char* name;
    std::function<void(run::Run&, viz::Cursor&)> tamper;  // with what the view is given
    std::function<bool(Said&)> change;                    // of a text; false: nothing to change in it
    std::string_view view = {};                           // the only view that it is in; empty: several
    std::function<bool(Picture&)> redraw = {};            // of a whole picture
    std::function<void(Play&)> play = {};                 // what the playground draws instead
    std::function<void(run::OrderSearch&)> orders = {};   // of the view of orders: drawn instead
    bool isModeled = false;                               // the model is asked for its times
    std::function<void(run::TimedRun&)> time = {};        // of these: drawn instead
};
std::span<const Planted> planted();
std::span<const Planted> plantedInOrders();  // planted_orders.cpp
std::span<const Planted> plantedInModel();   // planted_model.cpp

// Says of each whether it is found: more is not traced than without it, at the same places. 0: all but two
// are.
int findPlanted(const World& world, const std::vector<Trial>& trials, const std::vector<Allowed>& allowed,
                const viz::Fonts& fonts);

}  // namespace lockstep::witness
