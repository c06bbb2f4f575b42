#include "viz/cursor/animation.h"

#include "viz/scene/motion.h"

#include <cmath>

namespace lockstep::viz {

std::vector<AnimationFrame> animationOf(const AnimationOptions& options,
                                        const std::function<bool(u32 step)>& moves) {
    constexpr u32 kFrameMilliseconds = 40, kHeldAtEnd = 1000;
    const f64 motion = 1000 * motionSeconds(options.stepsPerSecond, options.reducedMotion);
    const u32 perStep = std::max(
        20u, u32(std::lround(1000 / options.stepsPerSecond)));  // players show nothing shorter than 20 ms
    std::vector<AnimationFrame> frames;
    for (u32 step = options.first; step <= options.last; ++step) {
        u32 left = perStep;
        if (step > options.first && motion > 0 && moves(step))
            for (u32 i = 1; f64(i * kFrameMilliseconds) < motion && left > kFrameMilliseconds; ++i) {
                frames.push_back({step, f32(f64(i * kFrameMilliseconds) / motion), kFrameMilliseconds});
                left -= kFrameMilliseconds;
            }
        frames.push_back({step, 1, left + (step == options.last ? kHeldAtEnd : 0)});
    }
    return frames;
}

}  // namespace lockstep::viz
