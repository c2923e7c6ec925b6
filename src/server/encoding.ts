// Content codings: which one a client prefers, and which bodies are compressed.

import { createHash } from 'node:crypto';
import { brotliCompress, constants, deflate, gzip, type InputType } from 'node:zlib';

import type { Answer } from './answer.ts';

/** In our order of preference. */
const CODINGS = ['br', 'gzip', 'deflate'] as const;
export type Coding = (typeof CODINGS)[number];

/** Those that are fast enough for an answer generated for one call. */
const QUICK: readonly Coding[] = ['gzip', 'deflate'];

type Compress = (
  text: InputType,
  done: (error: Error | null, bytes: Buffer<ArrayBuffer>) => void,
) => void;

const QUICKLY: Readonly<Record<string, Compress>> = { gzip, deflate };
const SMALL: Readonly<Record<Coding, Compress>> = {
  // Quality 11 takes 0.8 s of a thread for the reference page and saves 15 % more.
  br: (text, done) =>
    brotliCompress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }, done),
  gzip: (text, done) => gzip(text, { level: 9 }, done),
  deflate: (text, done) => deflate(text, { level: 9 }, done),
};

/**
 * Returns the coding that the client prefers among these; null if it accepts none of them, so that the body is sent as it
 * is.
 */
export function codingFor(
  accepted: string | undefined,
  codings: readonly Coding[] = CODINGS,
): Coding | null {
  if (accepted === undefined) return null;
  const weights = new Map<string, number>();
  for (const part of accepted.slice(0, 1_000).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const most = Math.max(...codings.map(weightOf));
  return most <= 0 ? null : (codings.find((coding) => weightOf(coding) === most) ?? null);
}

/** Returns the coding of an answer generated for one call. */
export function quickCodingFor(accepted: string | undefined): Coding | null {
  return codingFor(accepted, QUICK);
}

/** Compresses a text that many clients will get: slower, but with a smaller result. */
export async function compressSmall(text: Buffer, coding: Coding): Promise<Buffer<ArrayBuffer>> {
  return await compressed(SMALL[coding], text);
}

/** Excludes problems: they are short, and compressing one takes longer than everything else done for it. */
const COMPRESSED = /^(?:text\/(?!event-stream)|application\/json|image\/svg\+xml)/;

/** Checks whether an answer of this type may be sent in another coding. */
export function isCoded({ headers }: Answer): boolean {
  return COMPRESSED.test(headers['content-type'] ?? '');
}

/** Encodes the answer in the coding that the client prefers; returns the same answer if it is sent as it is. */
export async function encodedFor(answer: Answer, accepted: string | undefined): Promise<Answer> {
  const { body, headers } = answer;
  const isWhole = typeof body === 'string' || body instanceof Uint8Array;
  if (!isWhole || headers['content-encoding'] !== undefined || !isCoded(answer)) return answer;
  const coding = quickCodingFor(accepted);
  const compress = coding === null ? undefined : QUICKLY[coding];
  if (coding === null || compress === undefined) return answer;
  const bytes = await compressed(compress, body);
  return { ...answer, headers: { ...headers, 'content-encoding': coding }, body: bytes };
}

function compressed(compress: Compress, text: InputType): Promise<Buffer<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer<ArrayBuffer>>();
  compress(text, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
  return promise;
}

/** Returns a tag of 22 characters that changes when one of the texts changes. */
export function tagOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('base64url').slice(0, 22);
}
