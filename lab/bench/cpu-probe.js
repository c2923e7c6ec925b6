// Loaded before a measured server: on request, reports to the parent process the CPU time used by all threads and by each
// worker process that shares its port. Knows nothing about the server. Plain JavaScript: it is loaded before the compile
// cache, and as TypeScript it loaded Node's type stripper into every thread, some 40 MB per service.

import { isMainThread } from 'node:worker_threads';

// Threads inherit preloaded modules; one answer per process is enough.
if (isMainThread && process.send !== undefined) {
  process.on('message', (message) => {
    if (message !== 'cpu') return;
    const { user, system } = process.cpuUsage();
    void workersCpuUs().then((workers) => process.send?.({ cpuUs: user + system, workers }));
  });
  // The server must exit as it would without the probe, and not outlive a benchmark that was killed. Its workers listen to it
  // anyway.
  if (!process.getBuiltinModule('node:cluster').isWorker) {
    process.channel?.unref();
    process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  }
}

/**
 * For each worker; they have loaded this file, too.
 *
 * @returns {Promise<readonly number[]>}
 */
async function workersCpuUs() {
  const { workers } = process.getBuiltinModule('node:cluster');
  const asked = Object.values(workers ?? {}).map(async (worker) => {
    const { promise, resolve } = Promise.withResolvers();
    const take = (/** @type {unknown} */ told) => {
      if (typeof told !== 'object' || told === null || !('cpuUs' in told)) return;
      worker?.off('message', take);
      resolve(Number(told.cpuUs));
    };
    worker?.on('message', take);
    worker?.send('cpu');
    return await promise;
  });
  return await Promise.all(asked);
}
