// Starting to answer, with a reason to act on when the address cannot be taken.

import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import type { Endpoints } from '../http/endpoints.ts';

/** Listens where the settings say, or at another port of the same host. */
export async function startListening(
  app: App,
  config: Pick<Config, 'host' | 'port'>,
  port: number = config.port,
): Promise<Endpoints> {
  try {
    return await app.listen({ port });
  } catch (error) {
    const problem = problemOf(error, config.host, port);
    if (problem === null) throw error;
    throw new Error(problem, { cause: error });
  }
}

/** The port is another program's. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && codeOf(error.cause) === 'EADDRINUSE';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

function problemOf(error: unknown, host: string, port: number): string | null {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const another = 'give another one with --port or PORT (0 picks a free one)';
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `${address} is taken by another program: ${another}`;
    case 'EACCES':
      return `port ${port} may not be taken without more rights: ${another}`;
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine: HOST or --host must be one, such as 127.0.0.1`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `${host} cannot be resolved: HOST or --host must be an address of this machine, such as 127.0.0.1`;
    default:
      return null;
  }
}
