// Loaded before a server that is measured: tells the process that started it how much CPU time all threads
// have used, when asked. Knows nothing of the server.

import { isMainThread } from 'node:worker_threads';

// Threads inherit what is loaded first; one answer for the process is enough.
if (isMainThread && process.send !== undefined) {
  process.on('message', (message) => {
    if (message !== 'cpu') return;
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system });
  });
  // The server must end as it would without us, and not outlive a benchmark that was killed.
  process.channel?.unref();
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
