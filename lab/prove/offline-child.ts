// A process of the proof of promise 14: starts the service on the folder given as its argument and prints the /readyz
// answer.

import { serveProgram } from '../../tests/support/program.ts';

const [data = ''] = process.argv.slice(2);
const running = await serveProgram(['--port', '0', '--data', data]);
const { status } = await fetch(`${running.url}/readyz`);
await running.stop('SIGTERM');
process.stdout.write(`${status}\n`);
