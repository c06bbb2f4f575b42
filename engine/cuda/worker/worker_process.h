// The worker process's own side: reads requests from its socket, executes them on the GPU, and answers.
#pragma once

namespace lockstep::cuda {

// File descriptor of a worker's socket.
inline constexpr int kWorkerSocket = 3;

// Returns the exit status once the other end is gone, or the device's context is unusable.
int serveAsWorker();

}  // namespace lockstep::cuda
