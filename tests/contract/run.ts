// `npm run test:contract`: the suite, and then each row with its tests. Tests outside it that rows name run with
// `npm test`.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { filesOfContract } from './report.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const { status } = spawnSync(
  process.execPath,
  ['tests/run.ts', '--rows', ...process.argv.slice(2), ...filesOfContract()],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
