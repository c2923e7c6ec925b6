// A server on loopback in place of a service, to simulate a service in trouble.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `call` counts from 1. */
type Answerer = (
  request: IncomingMessage,
  response: ServerResponse,
  call: number,
  body: string,
) => void;

/** Records its requests. */
export async function standIn(answer: Answerer) {
  const asked: { readonly method: string; readonly key: string | null; readonly body: string }[] =
    [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const { method = '', headers } = request;
      const key = headers['idempotency-key'];
      asked.push({ method, key: typeof key === 'string' ? key : null, body });
      answer(request, response, asked.length, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers 200 with this body. */
export const json = (response: ServerResponse, body: object) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
