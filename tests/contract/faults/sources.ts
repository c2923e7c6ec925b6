// Faults in what is said of official APIs, when they are asked (D79), and in how catalogues of shops are asked (D82).

import type { Fault } from './fault.ts';

const CONDITION = 'get-retailers/200-condition.ts';
const CATALOGUES = 'ucp-catalogues.test.ts';

export const FAULTS_OF_SOURCES: readonly Fault[] = [
  {
    name: 'the wall of a page is said instead of the failure of the official source',
    file: 'answer/collect/asking/ask-retailer.ts',
    find: 'if (other.official !== undefined) return false;',
    replace: 'if (other.official === undefined) return false;',
    tests: [CONDITION],
  },
  {
    name: 'a daily limit lets one request more through',
    file: 'answer/collect/coordination/source-book.ts',
    find: 'callsIn(own, now()) >= limit',
    replace: 'callsIn(own, now()) > limit',
    tests: [CONDITION],
  },
  {
    name: 'a source that refused the key is asked again at once',
    file: 'answer/collect/asking/source-fault.ts',
    find: 'credentials_refused: LASTING_SECONDS,',
    replace: 'credentials_refused: 0,',
    tests: [CONDITION],
  },
  {
    name: 'a spent limit is free again when the oldest span begins',
    file: 'base/source-state.ts',
    find: 'atMs = fromMs + SPAN_MS + DAY_MS;',
    replace: 'atMs = fromMs + DAY_MS / 2;',
    tests: [CONDITION],
  },
  {
    name: 'a catalogue at any host speaks for a shop',
    file: 'read/retailers/ucp/shop-profile.ts',
    find: 'return domainOf(url) === domainOf(shop) || url.hostname.endsWith(PLATFORM);',
    replace: 'return shop.host !== url.href;',
    tests: [CATALOGUES],
  },
  {
    name: 'a catalogue may redirect to any host',
    file: 'answer/collect/asking/ucp-door.ts',
    find: 'isDirect(answer) ? readIn(answer) : null;',
    replace: 'readIn(answer);',
    tests: [CATALOGUES],
  },
  {
    name: 'a catalogue is asked for goods in stock alone',
    file: 'read/retailers/ucp/requests.ts',
    find: '{ available: false }',
    replace: '{ available: true }',
    tests: [CATALOGUES],
  },
  {
    name: 'the missing profile of a shop is not remembered',
    file: 'answer/collect/asking/ucp-door.ts',
    find: 'isThere: false,',
    replace: 'isThere: true,',
    tests: [CATALOGUES],
  },
];
