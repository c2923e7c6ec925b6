// Clients that write many requests at once and never read the answers. Entry point of a child process.

import { connect } from 'node:net';

export type FloodJob = {
  readonly port: number;
  readonly connections: number;
  readonly requests: number;
  /** One whole request, head only. */
  readonly request: string;
};

process.once('message', ({ port, connections, requests, request }: FloodJob) => {
  const text = request.repeat(requests);
  for (let count = 0; count < connections; count += 1) {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(text));
    socket.pause();
    socket.on('error', () => undefined);
  }
});
