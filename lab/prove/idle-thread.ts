// A thread with nothing to do: it shows how long the machine itself blocks a thread.

import { parentPort } from 'node:worker_threads';

import { watchStalls } from './stalls.ts';

const stalls = watchStalls();
parentPort?.on('message', () => parentPort?.postMessage(stalls.stop()));
parentPort?.postMessage('ready');
