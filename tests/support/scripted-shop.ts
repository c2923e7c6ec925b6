// Shops on loopback whose every answer a test writes and changes: by host and path, with any status.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ScriptedAnswer = {
  readonly status?: number;
  readonly location?: string;
  readonly type?: string;
  readonly body?: string;
};

export type ScriptedShop = {
  /** The setting that maps these origins here. */
  readonly origins: string;
  /** Sets what an address answers from now on. */
  answer(address: string, answer: string | ScriptedAnswer): void;
  /** Returns how often an address was requested. */
  reads(address: string): number;
  close(): Promise<void>;
};

/** Answers for origins such as `https://www.lamps.example`. An address without an answer is 404. */
export async function openScriptedShop(origins: readonly string[]): Promise<ScriptedShop> {
  const answers = new Map<string, ScriptedAnswer>();
  const asked: string[] = [];
  const nameOf = (host: string, path: string): string => `${host}${path}`;
  const named = (address: string): string => {
    const { host, pathname, search } = new URL(address);
    return nameOf(host, `${pathname}${search}`);
  };
  const server = createServer(({ headers, url = '' }, response) => {
    const name = nameOf(headers.host ?? '', url);
    asked.push(name);
    const { status, location, type, body } = answers.get(name) ?? { status: 404 };
    response.writeHead(status ?? 200, {
      'content-type': type ?? 'text/html; charset=utf-8',
      ...(location === undefined ? {} : { location }),
    });
    response.end(body ?? '<h1>not here</h1>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origins: origins.map((origin) => `${origin}=http://127.0.0.1:${port}`).join(','),
    answer: (address, answer) =>
      void answers.set(named(address), typeof answer === 'string' ? { body: answer } : answer),
    reads: (address) => asked.filter((each) => each === named(address)).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
