// Starts to listen, with a message that states what to do if the address cannot be used.

import type { App } from '../../app.ts';
import type { Config } from '../../config.ts';
import type { Endpoints } from '../../../server/listen/endpoints.ts';
import type { Doors } from '../../../server/listen/doors.ts';

/** Listens on the address of the settings, or on another port of the same host. */
export function startListening(
  app: App,
  config: Pick<Config, 'host' | 'port'>,
  port: number = config.port,
): Promise<Endpoints> {
  return explained(app.listen({ port }), config.host, port);
}

/** Listens before the service exists: incoming calls wait for it. */
export function startDoors(
  open: Promise<Doors>,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<Doors> {
  return explained(open, host, port);
}

async function explained<T>(listening: Promise<T>, host: string, port: number): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const problem = problemOf(error, host, port);
    if (problem === null) throw error;
    throw new Error(problem, { cause: error });
  }
}

/** Checks whether another program uses the port. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && codeOf(error.cause) === 'EADDRINUSE';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

function problemOf(error: unknown, host: string, port: number): string | null {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const another = 'Choose another port with --port or PORT; 0 picks a free one.';
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `${address} is taken by another program. ${another}`;
    case 'EACCES':
      return `This user has no permission to listen on port ${port}. ${another}`;
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine. Set HOST or --host to one that is, such as 127.0.0.1.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `${host} cannot be resolved. Set HOST or --host to an address of this machine, such as 127.0.0.1.`;
    default:
      return null;
  }
}
