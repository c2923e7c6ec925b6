// A shop in a separate process that answers according to the grammar, and a judge in another that knows the right outcomes:
// the cost of making and sending an answer must not be attributed to receiving it.

import { createServer, type AddressInfo, type Socket } from 'node:net';

import { hostileAnswer, type HostileAnswer } from './hostile-grammar.ts';

const [role, seedText = '0'] = process.argv.slice(2);
const seed = Number(seedText);

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

if (role === 'judge') {
  process.on('message', (number: number) => {
    const { what, must } = hostileAnswer(seed, number);
    process.send?.({ number, what, must });
  });
  process.send?.('ready');
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
    process.send?.((server.address() as AddressInfo).port);
  });
}
