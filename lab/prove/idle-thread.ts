// A thread with nothing to do: it says how long the machine itself holds a thread up.

import { parentPort } from 'node:worker_threads';

import { watchStalls } from './stalls.ts';

const stalls = watchStalls();
parentPort?.on('message', () => parentPort?.postMessage(stalls.stop()));
parentPort?.postMessage('ready');
