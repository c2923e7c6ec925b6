// POST /console/sheet: the console sends a file that a user dropped on it, and gets the sheet's content; or with `write=xlsx`
// the table that it shows, and gets a workbook. Free, with a key.

import { FaultError } from '../../../base/fault.ts';
import type { Work } from '../../listen/admission.ts';
import { json, type Answer } from '../../answer.ts';
import { parametersOf } from '../../asked.ts';
import { chargeFree } from '../../bill.ts';
import { enterAgain } from '../../bodies.ts';
import { callerOf, type Call } from '../../call.ts';
import { decodedBody, wholeBody } from '../../decoded-body.ts';
import { createPlaces } from '../../listen/places.ts';
import { orUnavailable, type Metering } from '../../../data/metering/metering.ts';
import type { RouteRow } from '../../route.ts';
import { SHEETS_BUSY, type ReadSheet, type WriteWorkbook } from '../../sheet-reading.ts';
import { createWaitingCalls, type WaitingCall } from '../../listen/waiting-calls.ts';

export type SheetRouteParts = {
  readonly metering: Pick<Metering, 'charge'>;
  readonly readSheet: ReadSheet;
  readonly writeWorkbook: WriteWorkbook;
};

const MIB = 1_048_576;
const MAX_BYTES = 4 * MIB;
/** A table of 10,000 lines, which arrives compressed. */
const MAX_TABLE_BYTES = 16 * MIB;
const LONGEST_NAME = 255;

/**
 * Maximum files uploading at once, so that they do not fill the memory; and those of one organization, so that it keeps
 * nobody out.
 */
const AT_ONCE = 16;
const OF_ONE_ORGANIZATION = 4;

export const SHEET_ROWS: readonly RouteRow<SheetRouteParts>[] = [
  {
    method: 'post',
    path: '/console/sheet',
    scope: 'products:read',
    request: null,
    takes: 'stream',
    call: (parts) => {
      const take = createPlaces({ inAll: AT_ONCE, ofOne: OF_ONE_ORGANIZATION });
      const takeTurn = createSheetTurns();
      return async ({ call, route }) => {
        const { organizationId } = callerOf(call);
        const leave = take(organizationId);
        if (typeof leave === 'string') throw new FaultError(SHEETS_BUSY);
        let work: Work | null = null;
        let endTurn: (() => void) | null = null;
        try {
          // The call releases its room: an arriving file is not work, and neither is one that waits.
          call.share.work?.ends();
          const isTable = parametersOf(call.asked.query)['write']?.[0] === 'xlsx';
          const most = isTable ? MAX_TABLE_BYTES : MAX_BYTES;
          const bytes = await wholeBody(decodedBody(call.asked, most), most, TOO_LARGE);
          endTurn = await takeTurn(organizationId);
          work = await enterAgain(call.share);
          return isTable
            ? await answerTable(parts, call, { route, bytes })
            : await answerSheet(parts, call, { route, bytes });
        } finally {
          work?.ends();
          endTurn?.();
          leave();
        }
      };
    },
  },
];

type Sent = { readonly route: string; readonly bytes: Uint8Array };

async function answerTable(
  { metering, writeWorkbook }: SheetRouteParts,
  call: Call,
  { route, bytes }: Sent,
): Promise<Answer> {
  await chargeFree(metering, call, route);
  const body = await orUnavailable(writeWorkbook(bytes));
  return { status: 200, headers: { 'content-type': WORKBOOK }, body };
}

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function answerSheet(
  { metering, readSheet }: SheetRouteParts,
  call: Call,
  { route, bytes }: Sent,
): Promise<Answer> {
  const { name: names, sheet: tabs, column: columns, cost: costs } = parametersOf(call.asked.query);
  const name = names?.[0]?.slice(0, LONGEST_NAME) || 'The file';
  const { consumed, remaining } = await chargeFree(metering, call, route);
  const sheet = await orUnavailable(
    readSheet(name, bytes, { tab: tabs?.[0], column: columns?.[0], cost: costs?.[0] }),
  );
  return json({ ...sheet, tokens_consumed: consumed, tokens_remaining: remaining });
}

/**
 * Lets one sheet be read at a time. Organizations take turns, so that one that sends many sheets keeps nobody out. Resolves
 * to the function that ends the turn, to be called once.
 */
function createSheetTurns(): (organizationId: string) => Promise<() => void> {
  const waiting = createWaitingCalls<WaitingCall & { readonly begin: () => void }>();
  let isTaken = false;
  const end = (): void => {
    const next = waiting.take('oldest');
    if (next === undefined) isTaken = false;
    else next.begin();
  };
  return async (organizationId) => {
    if (isTaken) {
      await new Promise<void>((begin) => {
        waiting.add({ caller: organizationId, sinceMs: 0, begin });
      });
    }
    isTaken = true;
    return end;
  };
}

const TOO_LARGE =
  `The file is larger than ${MAX_BYTES / MIB} MiB. Send only its column of identifiers, or look it up in a ` +
  'terminal: `openshelf lookup --file`.';
