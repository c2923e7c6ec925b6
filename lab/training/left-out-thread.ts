// A thread of `leaveOut`: trains without one dataset, scores that one, and ends.

import { parentPort, workerData } from 'node:worker_threads';

import { leftOutOf } from './left-out.ts';
import type { LeaveOutJob } from './left-out.ts';

parentPort?.postMessage(leftOutOf(workerData as LeaveOutJob));
