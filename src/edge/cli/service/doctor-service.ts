// The findings of openshelf doctor about the service's own addresses: its port, its public address, and the proxy between
// them. Both are asked for /livez.

import { SECOND_MS } from '../../../base/clock.ts';
import { messageOf } from '../../../base/fault.ts';
import type { Config } from '../../config.ts';
import { SETTINGS } from '../../settings/settings-table.ts';
import type { Finding } from './finding.ts';

type Remedy = Pick<Finding, 'what' | 'change' | 'settings'>;

/** A port at which nothing listens is only missing its service. */
const AT_PORT: Remedy = {
  what: 'service',
  change: 'Start it (openshelf serve); if another program has the port, choose another one.',
  settings: [SETTINGS.port.name],
};
const AT_PUBLIC_URL: Remedy = {
  what: 'address',
  change: 'Correct the address, or its proxy: links in notices and mails lead there.',
  settings: [SETTINGS.publicUrl.name],
};

const UNTRUSTED: Finding = {
  what: 'proxy',
  state: 'failed',
  detail: 'The proxy that serves https is not trusted, so all callers count as one address.',
  change: 'Set it to true if the proxy adds X-Forwarded-For.',
  settings: [SETTINGS.trustProxy.name],
};

export async function serviceFindings(config: Config): Promise<readonly Finding[]> {
  const { host, port, publicUrl, trustProxy } = config;
  const own = ['', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const address = `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
  return [
    ...(port === 0 ? [] : [await findingAt(address, AT_PORT)]),
    ...(publicUrl === null ? [] : [await findingAt(publicUrl, AT_PUBLIC_URL)]),
    ...(!trustProxy && publicUrl?.startsWith('https:') === true ? [UNTRUSTED] : []),
  ];
}

async function findingAt(url: string, remedy: Remedy): Promise<Finding> {
  try {
    const signal = AbortSignal.timeout(5 * SECOND_MS);
    const answer = await fetch(`${url}/livez`, { redirect: 'manual', signal });
    const isService = (await answer.text()) === '{"status":"ok"}';
    return isService
      ? { what: remedy.what, state: 'ok', detail: `The service answers at ${url}.` }
      : { ...remedy, state: 'failed', detail: `Another program answers at ${url}.` };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : messageOf(cause);
    // `fetch` asks no port on which browsers expect other protocols: "bad port".
    const isMissing = remedy === AT_PORT && /^(?:ECONNREFUSED|bad port)$/.test(why);
    const state = isMissing ? 'lacking' : 'failed';
    return { ...remedy, state, detail: `Nothing answers at ${url} (${why}).` };
  }
}
