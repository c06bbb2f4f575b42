// The worker process from within: reads requests from its socket, does them on the GPU, and answers.
#pragma once

namespace lockstep::cuda {

// The number under which a worker finds its socket.
inline constexpr int kWorkerSocket = 3;

// Returns the exit status: when the other end is gone, or the device's context is spent.
int serveAsWorker();

}  // namespace lockstep::cuda
