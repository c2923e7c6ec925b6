// Lists the functions that an installation lacks with its present settings, and the settings that would enable them. Names
// settings, never their values.

import type { Config } from '../config.ts';
import type { KnownSlug } from '../../base/retailer.ts';
import type { RetailerState, RetailerStates } from '../../answer/lookup/list-retailers.ts';
import { SETTINGS } from '../settings/settings-table.ts';

type Lack = {
  readonly what: string;
  readonly settings: readonly string[];
  readonly change: string;
};

export type RetailerLack = Lack & { readonly retailer: KnownSlug };

/** Returns what is missing besides access to retailers, the most useful first. */
export function lacksOf(
  config: Config,
  { searchProvider, searchProblem }: Pick<RetailerStates, 'searchProvider' | 'searchProblem'>,
): readonly Lack[] {
  return [
    ...(searchProblem === null ? [] : [silentEngine(searchProblem)]),
    ...lack(searchProvider === null, {
      what:
        'Products of retailers without a barcode search are not found by barcode: their rows stay empty unless a ' +
        'page address is sent.',
      settings: [SETTINGS.searxngUrl.name, SETTINGS.braveApiKey.name],
      change: 'Configure a search engine: your own SearXNG, or a key for the Brave Search API.',
    }),
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
    ...lack(config.operatorChannel === '', {
      what: 'The operator is not notified of refused APIs, a full disk, a wrong clock or an old backup.',
      settings: [SETTINGS.operatorChannel.name],
      change: 'Set it to the id of a channel (openshelf channel add).',
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

const NO_API =
  'It has no official API for anybody. openshelf parse reads a page that you saved in your browser.';

/** What gives access to a retailer's data: to a private person, a seller and a company. */
const WAYS: Readonly<Record<KnownSlug, string>> = {
  retailer_w:
    'A private person needs keys of its affiliate programme, a seller those of a Marketplace account, a company either.',
  retailer_a:
    'A private person needs keys of the Creators API (10 sales in 30 days), a seller those of the Selling Partner API, a ' +
    'company either.',
  retailer_e: 'A private person, a seller and a company need keys of the Browse API.',
  retailer_b:
    'A private person, a seller and a company need a key of the Products API; it is free with a mail address of an own domain.',
  retailer_l: NO_API,
  retailer_t: NO_API,
  retailer_h: NO_API,
};

/** Returns the retailers without an official API in use. Their pages are asked, and most refuse (D54). */
export function lacksOfRetailers(retailers: readonly RetailerState[]): readonly RetailerLack[] {
  return retailers
    .filter(({ sources }) => !sources.some(({ isOfficial, isUsed }) => isOfficial && isUsed))
    .map(({ retailer, sources }) => ({
      retailer,
      what: sources.some(({ isUsed }) => isUsed)
        ? 'Only its pages are read, most of which refuse programs.'
        : 'It cannot be queried at all.',
      settings: [
        ...new Set(sources.filter((each) => each.isOfficial).flatMap(({ missing }) => missing)),
      ],
      change: WAYS[retailer],
    }));
}
