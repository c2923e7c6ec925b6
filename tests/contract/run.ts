// `npm run test:contract`: the suite, and then each row with its tests. With `--both-ways`, cached answers are compared with
// computed ones (support/both-paths.ts). Tests outside it that rows name run with `npm test`.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { filesOfContract } from './report.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const BOTH_PATHS = '--both-ways';
const args = process.argv.slice(2);
const ways = args.includes(BOTH_PATHS) ? { CONTRACT_WAYS: 'both' } : {};
const { status } = spawnSync(
  process.execPath,
  ['tests/run.ts', '--rows', ...args.filter((arg) => arg !== BOTH_PATHS), ...filesOfContract()],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...ways } },
);
process.exitCode = status ?? 1;
