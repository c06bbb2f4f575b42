// The worker process alone: what `lockstep gpu-worker` is, without the rest of the program.
#include "cuda/worker/worker_process.h"

int main() { return lockstep::cuda::serveAsWorker(); }
