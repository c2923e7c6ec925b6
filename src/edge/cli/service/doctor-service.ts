// The findings of openshelf doctor about the service's own addresses: its port, its public address, and the proxy between
// them. Both are asked for /livez.

import { SECOND_MS } from '../../../base/clock.ts';
import { messageOf } from '../../../base/fault.ts';
import type { Config } from '../../config.ts';
import { SETTINGS } from '../../settings/settings-table.ts';
import type { Finding } from './finding.ts';

type Asked = 'service' | 'other' | { readonly failed: string };

export async function serviceFindings(config: Config): Promise<readonly Finding[]> {
  return [...(await portFindings(config)), ...(await publicFindings(config))];
}

async function portFindings({ host, port }: Config): Promise<readonly Finding[]> {
  if (port === 0) return [];
  const own = ['', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const address = `${own.includes(':') ? `[${own}]` : own}:${port}`;
  const what = 'service';
  const asked = await askAlive(`http://${address}`);
  if (asked === 'service')
    return [{ what, state: 'ok', detail: `The service answers at ${address}.` }];
  if (asked !== 'other' && /ECONNREFUSED/.test(asked.failed)) {
    const change = 'openshelf serve starts it.';
    return [{ what, state: 'lacking', detail: `No service answers at ${address}.`, change }];
  }
  return [
    {
      what,
      state: 'failed',
      detail:
        asked === 'other'
          ? `${address} is taken by another program.`
          : `${address} does not answer as the service does (${asked.failed}).`,
      change: 'Choose another port, or stop that program.',
      settings: [SETTINGS.port.name],
    },
  ];
}

async function publicFindings({ publicUrl, trustProxy }: Config): Promise<readonly Finding[]> {
  if (publicUrl === null) return [];
  const what = 'address';
  const settings = [SETTINGS.publicUrl.name];
  const asked = await askAlive(publicUrl);
  const address: Finding =
    asked === 'service'
      ? { what, state: 'ok', detail: `The service answers at ${publicUrl}.` }
      : {
          what,
          state: 'failed',
          detail:
            asked === 'other'
              ? `Another program answers at ${publicUrl}.`
              : `${publicUrl} cannot be reached from here (${asked.failed}).`,
          change: 'Correct the address, or its proxy: links in mails lead there.',
          settings,
        };
  if (trustProxy || !publicUrl.startsWith('https:')) return [address];
  return [
    address,
    {
      what: 'proxy',
      state: 'failed',
      detail: 'The proxy that serves https is not trusted, so all callers count as one address.',
      change: 'Set it to true if the proxy adds X-Forwarded-For.',
      settings: [SETTINGS.trustProxy.name],
    },
  ];
}

const WAIT_MS = 5 * SECOND_MS;

async function askAlive(url: string): Promise<Asked> {
  try {
    const signal = AbortSignal.timeout(WAIT_MS);
    const answer = await fetch(`${url}/livez`, { redirect: 'manual', signal });
    return (await answer.text()) === '{"status":"ok"}' ? 'service' : 'other';
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    return { failed: code === '' ? messageOf(cause) : code };
  }
}
