// A switch in front of several processes, like a load balancer: it sends each request to one of those that answer /readyz
// with 200, over kept connections, and never sends one twice. Entry point of a child process.

import { Agent, createServer, request as ask, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const POLL_MS = 50;

type Target = { readonly port: number; isReady: boolean };

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', path: '/readyz', agent: false, timeout: 1_000 };
    ask(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on('timeout', () => resolve(false))
      .on('error', () => resolve(false))
      .end();
  });
}

/** Each is polled separately: one that is slow to answer must not hide that another one is stopping. */
async function poll(target: Target, targets: readonly Target[]): Promise<void> {
  for (;;) {
    target.isReady = await isReady(target.port);
    process.send?.({ ready: targets.filter((each) => each.isReady).map(({ port }) => port) });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function start(targets: readonly Target[]): void {
  let turn = 0;
  const server = createServer((request, response) => {
    const ready = targets.filter((each) => each.isReady);
    turn += 1;
    const target = ready[turn % ready.length];
    const fail = (why: string) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(why);
    };
    if (target === undefined) {
      fail('no process is ready');
      return;
    }
    const { method, url: path, headers } = request;
    const options = { port: target.port, host: '127.0.0.1', method, path, headers, agent };
    const asked = ask(options, (answer: IncomingMessage) => {
      const { connection: _, 'keep-alive': __, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(response);
      answer.on('error', (error) => fail(error.message));
    });
    asked.on('error', (error) => fail(`port ${target.port}: ${error.message}`));
    asked.end();
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
    for (const target of targets) void poll(target, targets);
  });
}

process.once('message', ({ ports }: { readonly ports: readonly number[] }) => {
  start(ports.map((port) => ({ port, isReady: false })));
});
