// One of several processes on one port, from its own side. workers.ts starts them.

/** A worker's report to its parent once it answers. */
export type Listening = { readonly url: string; readonly metricsUrl: string | null };

/** The parent's message. `stop` is the reason of the stop signal: the name of the signal that the parent received. */
export type StopMessage = { readonly stop: string };

/** Checks whether this process was started by `runWorkers`. */
export function isWorker(): boolean {
  return clusterOfChild()?.isWorker === true;
}

/**
 * Returns the cluster module; null in a process without an IPC channel to a parent. Loading `node:cluster` only to find that
 * out takes 3 ms of a start.
 */
function clusterOfChild() {
  return process.channel === undefined ? null : process.getBuiltinModule('node:cluster');
}

/** In a worker: reports to the parent that it answers. */
export function notifyParent(listening: Listening): void {
  process.send?.(listening);
}

/** In a worker: returns a signal that is aborted by the parent's message or by `stop`. */
export function stoppedByParent(stop: AbortSignal): AbortSignal {
  const stopped = new AbortController();
  process.on('message', (message: unknown) => {
    if (isStopMessage(message)) stopped.abort(message.stop);
  });
  return AbortSignal.any([stop, stopped.signal]);
}

function isStopMessage(message: unknown): message is StopMessage {
  return typeof message === 'object' && message !== null && 'stop' in message;
}

/** In a worker: disconnects from the parent, so that the process can end. */
export function leaveParent(): void {
  clusterOfChild()?.worker?.disconnect();
}
