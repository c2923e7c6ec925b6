// What an installation cannot do with its present settings, and which setting would change that. Names settings, never their
// values.

import type { Config } from '../config.ts';
import type { RetailerState, RetailerStates } from '../../answer/lookup/list-retailers.ts';
import { SETTINGS } from '../settings/settings-table.ts';

type Lack = {
  readonly what: string;
  readonly settings: readonly string[];
  readonly change: string;
};

/** Returns what is missing, the most useful first. */
export function lacksOf(
  config: Config,
  { retailers, searchProvider, searchProblem }: RetailerStates,
): readonly Lack[] {
  return [
    ...retailers.filter((state) => !isUsable(state)).map(unusable),
    ...(searchProblem === null ? [] : [silentEngine(searchProblem)]),
    ...lack(searchProvider === null, {
      what:
        'Products of retailers without a barcode search are not found by barcode: their rows stay empty unless a ' +
        'page address is sent.',
      settings: [SETTINGS.searxngUrl.name, SETTINGS.braveApiKey.name],
      change: 'Configure a search engine: your own SearXNG, or a key for the Brave Search API.',
    }),
    ...retailers.filter(isUsable).flatMap(officialApis),
    ...lack(config.contact === null, {
      what: 'Shops cannot see who sends the requests, so they refuse requests more often.',
      settings: [SETTINGS.contact.name],
      change: 'Set it to your web page or a mailto: address.',
    }),
    ...lack(!config.pictures, {
      what: 'The console shows no product images.',
      settings: [SETTINGS.pictures.name],
      change: 'Set it to true, or remove it.',
    }),
    ...lack(config.databaseUrl !== null && config.secretsKey === null, {
      what: 'No channel can be created, so notifications of watches are not sent.',
      settings: [SETTINGS.secretsKey.name],
      change: 'Set it to 32 random bytes, generated with openssl rand -base64 32.',
    }),
    ...lack(config.smtpServer === null, {
      what: 'Notifications of watches are not sent by email.',
      settings: [SETTINGS.smtpServer.name, SETTINGS.smtpFrom.name],
      change: 'Configure a mail server that accepts mail from this machine.',
    }),
    ...lack(config.databaseUrl === null, {
      what: 'Everything runs in one process on one machine.',
      settings: [SETTINGS.databaseUrl.name],
      change:
        'Configure a PostgreSQL database; any number of processes can share it. openshelf migrate-store moves the data.',
    }),
    ...lack(config.metrics === null, {
      what: 'Metrics can be read on this machine only.',
      settings: [SETTINGS.metrics.name],
      change: 'Set it to an address that your Prometheus can reach and strangers cannot.',
    }),
  ];
}

function silentEngine({ setting }: NonNullable<RetailerStates['searchProblem']>): Lack {
  return {
    what: 'The search engine cannot be used at present: products of retailers without a barcode search are not found.',
    settings: [setting],
    change:
      'Check that it runs and that this machine can reach it. It is asked again within an hour.',
  };
}

function lack(isLacking: boolean, value: Lack): readonly Lack[] {
  return isLacking ? [value] : [];
}

function isUsable({ sources }: RetailerState): boolean {
  return sources.some(({ isUsed }) => isUsed);
}

function unusable({ retailer, sources }: RetailerState): Lack {
  return {
    what: `${retailer} cannot be queried at all.`,
    settings: sources.flatMap(({ missing }) => missing),
    change: 'Set the credentials of one of its sources.',
  };
}

/** Returns each unused official API. Without it the retailer is read from its pages, which it may refuse to serve. */
function officialApis({ retailer, sources }: RetailerState): readonly Lack[] {
  return sources
    .filter(({ isOfficial, missing }) => isOfficial && missing.length > 0)
    .map(({ name, missing }) => ({
      what: `${retailer} is not queried through its official API “${name}”.`,
      settings: missing,
      change: `With credentials that the API accepts, ${retailer} is queried through it before its pages.`,
    }));
}
