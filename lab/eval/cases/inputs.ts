// The inputs of the cases: what a caller sends, and what must come of it. Codes are given to `openshelf identify`, sheets are
// read as `lookup --file` reads them, and calls go to the service with a plain client; `with-clients.ts` has the others.

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { toGtin14 } from '../../../src/base/identifiers/gtin.ts';
import { columnsOf, readEntries, type ReadEntry } from '../../../src/edge/runs/read-entries.ts';
import { openSheet } from '../../../src/edge/sheets/sheet.ts';
import { runCommand } from '../../../tests/support/command.ts';
import type { Service } from '../../../tests/support/service.ts';
import { PROGRAMS, soundCodesOf } from './with-clients.ts';

type Row = {
  readonly line: number;
  readonly gtin?: string;
  readonly unit_cost?: number | null;
};

type Input = {
  readonly type: string;
  readonly texts?: readonly string[];
  readonly file?: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly gzip?: boolean;
  readonly messages?: readonly object[];
  readonly eol?: string;
};

type Expected = {
  readonly first?: readonly string[];
  readonly says?: readonly string[];
  readonly rows?: readonly Row[];
  readonly no_row?: number;
  readonly note_on_each?: string;
  readonly or_note?: string;
  readonly status_or_body?: readonly (readonly [status: number, body: string | null])[];
  readonly results?: readonly string[];
  readonly no_error?: boolean;
  /** A pattern of what a program says. */
  readonly out?: string;
  readonly outcome?: string;
  readonly answered?: readonly number[];
};

/** Returns what is wrong with the service's answer to an input; empty if nothing is. */
export async function wrongOfInput(folder: string, service: Service): Promise<readonly string[]> {
  const input = readJson(join(folder, 'input.json')) as Input;
  const expected = readJson(join(folder, 'expected.json')) as Expected;
  switch (input.type) {
    case 'identify':
      return wrongCodes(input.texts ?? [], expected);
    case 'sheet':
      return wrongRows(join(folder, input.file ?? ''), expected);
    case 'http':
      return wrongAnswer(await send(service, input), expected);
    case 'mcp':
      return wrongMessages(service, input, expected);
    default: {
      const program = PROGRAMS[basename(folder)];
      if (program === undefined) return ['no program is known'];
      const said = await program(service, input);
      const wanted = expected.out ?? expected.outcome ?? expected.answered?.join() ?? '';
      return new RegExp(wanted, 's').test(said) ? [] : [said];
    }
  }
}

function readJson(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

async function wrongCodes(
  texts: readonly string[],
  { first, says }: Expected,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [at, text] of texts.entries()) {
    const { stdout, stderr } = await runCommand(['identify', '--', text]);
    const said = stdout + stderr;
    const wanted = first?.[at];
    const gtin = toGtin14(/\b\d{8,14}\b/.exec(stdout)?.[0] ?? '');
    const isRight =
      wanted === undefined
        ? (says ?? []).every((each) => said.includes(each))
        : `gtin:${gtin}` === wanted;
    if (!isRight) problems.push(`${JSON.stringify(text)}: ${said.trim().slice(0, 160)}`);
  }
  return problems;
}

async function wrongRows(path: string, expected: Expected): Promise<readonly string[]> {
  const bytes = async function* () {
    yield readFileSync(path);
  };
  const entries: ReadEntry[] = [];
  try {
    const sheet = await openSheet({ name: path, bytes }, null);
    const columns = await columnsOf(sheet, { identifier: null, cost: null });
    for await (const entry of readEntries(sheet, columns)) entries.push(entry);
  } catch (error) {
    return [String(error)];
  }
  const problems = (expected.rows ?? []).flatMap((row) => {
    const entry = entries.find(({ line }) => line === row.line);
    if (entry === undefined) return [`line ${row.line} is missing`];
    const said = [entry.note, entry.costProblem, entry.problem?.detail].join(' ');
    if (expected.or_note !== undefined && new RegExp(expected.or_note, 'i').test(said)) return [];
    const cost = entry.costCents === null ? null : entry.costCents / 100;
    const gtin = entry.wanted === null ? null : toGtin14(entry.wanted);
    return [
      ...(row.gtin === undefined || row.gtin === gtin ? [] : [`line ${row.line}: ${gtin} ${said}`]),
      ...(row.unit_cost === undefined || row.unit_cost === cost
        ? []
        : [`line ${row.line} costs ${cost}`]),
      ...(expected.note_on_each === undefined || /not? an? amount|negative/.test(said)
        ? []
        : [`line ${row.line} says "${said}"`]),
    ];
  });
  const extra = entries.some(({ line }) => line === expected.no_row);
  return extra ? [...problems, `line ${expected.no_row} is an entry`] : problems;
}

type Answer = { readonly status: number; readonly text: string };

async function send(service: Service, input: Input): Promise<Answer> {
  const { method = 'GET', path = '/', headers = {}, gzip = false } = input;
  // The cases were written against another market: what they ask for stands for a product that shops have.
  const known = soundCodesOf(service);
  const body = input.body?.replaceAll(/\b\d{12}\b/g, (code) =>
    known.includes(`00${code}`) ? code : (known[0] ?? code),
  );
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.key}`, ...headers },
    ...(body === undefined ? {} : { body: gzip ? gzipSync(body) : body }),
  });
  return { status: response.status, text: await response.text() };
}

function wrongAnswer({ status, text }: Answer, expected: Expected): readonly string[] {
  const isRight = (expected.status_or_body ?? []).some(
    ([code, body]) => code === status && (body === null || new RegExp(body, 's').test(text)),
  );
  return isRight ? [] : [`${status} ${text.slice(0, 160)}`];
}

async function wrongMessages(
  service: Service,
  { messages = [], headers = {} }: Input,
  { results = [], no_error: noError = false }: Expected,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [at, message] of messages.entries()) {
    const { status, text } = await send(service, {
      type: 'http',
      method: 'POST',
      path: '/mcp',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        ...headers,
      },
      body: JSON.stringify(message),
    });
    const wanted = results[at] ?? '';
    const isRight = noError ? status === 200 && !/"error"/.test(text) : text.includes(wanted);
    if (!isRight) problems.push(`${status} ${text.slice(0, 160)}`);
  }
  return problems;
}
