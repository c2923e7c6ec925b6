// A shop in a thread of its own that answers as the grammar says: what it costs to send an answer is not taken for what it
// costs to receive one, and a judge in another that knows what is right. The thread beside it, with nothing to do, says how long the machine itself holds a thread up.

import { createServer, type AddressInfo, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

import { hostileAnswer, type HostileAnswer } from './hostile-grammar.ts';
import { watchStalls } from './stalls.ts';

const { seed, role } = workerData as {
  readonly seed: number;
  readonly role: 'shop' | 'judge' | 'sibling';
};

function pour(socket: Socket, piece: Buffer): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

function send(socket: Socket, { pieces, pour: piece, end }: HostileAnswer): void {
  for (const each of pieces) socket.write(each);
  if (piece !== null) pour(socket, piece);
  else if (end === 'close') socket.end();
  else if (end === 'reset') setTimeout(() => socket.destroy(), 5);
}

if (role === 'sibling') {
  const stalls = watchStalls();
  parentPort?.on('message', () => parentPort?.postMessage(stalls.stop()));
  parentPort?.postMessage('ready');
} else if (role === 'judge') {
  parentPort?.on('message', (number: number) => {
    const { what, must } = hostileAnswer(seed, number);
    parentPort?.postMessage({ number, what, must });
  });
  parentPort?.postMessage('ready');
} else {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    socket.once('data', (request) => {
      const path = /^GET (\S+)/.exec(request.toString('latin1'))?.[1] ?? '/';
      const number = Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
      if (path === '/robots.txt') socket.end('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n');
      else if (path === '/again') {
        socket.end('HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n');
      } else send(socket, hostileAnswer(seed, number));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    parentPort?.postMessage((server.address() as AddressInfo).port);
  });
}
