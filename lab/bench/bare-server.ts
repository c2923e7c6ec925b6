// The baseline of the cached lookup: node:http alone, sending the bytes it was given. Entry point of a child process.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// oxlint-disable-next-line import/no-unassigned-import -- imported for what it does
import './cpu-probe.js';

/** The server's answer to every request: status 200, these headers, this body. */
export type BareAnswer = { readonly headers: readonly string[]; readonly body: string };

// The probe has unreferenced the channel; until the server listens, nothing else keeps the process alive.
process.channel?.ref();
process.once('message', (answer: BareAnswer) => {
  const headers = [...answer.headers];
  const body = Buffer.from(answer.body);
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ url: `http://127.0.0.1:${port}` });
  });
});
