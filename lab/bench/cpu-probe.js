// Loaded before a server that is measured: tells the process that started it how much CPU time all threads have used, when
// asked, and each worker process that shares its port. Knows nothing of the server. Plain JavaScript: it is loaded before the
// compile cache, and as TypeScript it brought Node's stripper of types into every thread, some 40 MB of a service.

import { isMainThread } from 'node:worker_threads';

// Threads inherit what is loaded first; one answer for the process is enough.
if (isMainThread && process.send !== undefined) {
  process.on('message', (message) => {
    if (message !== 'cpu') return;
    const { user, system } = process.cpuUsage();
    void workersCpuUs().then((workers) => process.send?.({ cpuUs: user + system, workers }));
  });
  // The server must end as it would without us, and not outlive a benchmark that was killed. Its workers listen to it anyway.
  if (!process.getBuiltinModule('node:cluster').isWorker) {
    process.channel?.unref();
    process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  }
}

/**
 * Of each worker; they have loaded this file, too.
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
