// Texts that are the same for every caller (the OpenAPI document, the pages, their scripts and styles). Each is
// compressed once for each coding, and those bytes are sent: before, 500 requests for /docs cost as many hundred
// kilobytes of copies and compressions. A browser that already has the text asks with its tag and is answered 304.

import { createHash } from 'node:crypto';
import { brotliCompress, constants, deflate, gzip, type InputType } from 'node:zlib';

import type { Context } from 'hono';

import type { HttpEnv } from './context.ts';

/** In the order of our preference. */
const CODINGS = ['br', 'gzip', 'deflate'] as const;
type Coding = (typeof CODINGS)[number];

type Compress = (
  text: InputType,
  done: (error: Error | null, bytes: Buffer<ArrayBuffer>) => void,
) => void;

const COMPRESS: Readonly<Record<Coding, Compress>> = {
  // Quality 11 takes 0.8 s of a thread for the reference page and saves 15 % more.
  br: (text, done) =>
    brotliCompress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }, done),
  gzip: (text, done) => gzip(text, { level: 9 }, done),
  deflate: (text, done) => deflate(text, { level: 9 }, done),
};

/**
 * The coding that the client prefers among those that it accepts; null where it accepts none of ours, so that the text
 * is sent as it is.
 */
export function codingFor(acceptEncoding: string | undefined): Coding | null {
  const weights = new Map<string, number>();
  for (const part of (acceptEncoding ?? '').slice(0, 1_000).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const most = Math.max(...CODINGS.map(weightOf));
  return most <= 0 ? null : (CODINGS.find((coding) => weightOf(coding) === most) ?? null);
}

export type PreparedText = (
  c: Context<HttpEnv>,
  headers: Readonly<Record<string, string>>,
) => Promise<Response>;

type Prepared = { readonly plain: Buffer<ArrayBuffer>; readonly tag: string };

/**
 * Answers 200 with the text, which is made with the first request and then kept. A caller that already has it gets 304.
 */
export function preparedText(make: () => string | Promise<string>): PreparedText {
  let prepared: Promise<Prepared> | null = null;
  const compressed = new Map<Coding, Promise<Buffer<ArrayBuffer>>>();

  function bytesIn(coding: Coding | null, plain: Buffer<ArrayBuffer>) {
    if (coding === null) return Promise.resolve(plain);
    const known = compressed.get(coding) ?? compressedWith(COMPRESS[coding], plain);
    compressed.set(coding, known);
    return known;
  }

  /** The next request tries again where it could not be made. */
  async function madeText(): Promise<Prepared> {
    try {
      return taggedText(await Promise.try(make));
    } catch (error) {
      prepared = null;
      throw error;
    }
  }

  return async (c, headers) => {
    const { plain, tag } = await (prepared ??= madeText());
    const vary = [headers['Vary'], 'Accept-Encoding'].filter((each) => each !== undefined);
    const always = { ...headers, ETag: tag, Vary: vary.join(', ') };
    if (isHeld(c.req.header('if-none-match'), tag)) return c.body(null, 304, always);
    const coding = codingFor(c.req.header('accept-encoding'));
    return c.body(await bytesIn(coding, plain), 200, {
      ...always,
      ...(coding === null ? {} : { 'Content-Encoding': coding }),
    });
  };
}

/** The tag is weak because all codings of one text share it. */
function taggedText(text: string): Prepared {
  return { plain: Buffer.from(text), tag: `W/"${tagOf([text])}"` };
}

/** A tag of 22 characters that changes when one of the texts changes. */
export function tagOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('base64url').slice(0, 22);
}

function isHeld(ifNoneMatch: string | undefined, tag: string): boolean {
  const tags = (ifNoneMatch ?? '').slice(0, 1_000).split(',');
  return tags.some((each) => each.trim() === tag || each.trim() === '*');
}

function compressedWith(compress: Compress, text: Buffer): Promise<Buffer<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer<ArrayBuffer>>();
  compress(text, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
  return promise;
}
