// Texts that are the same for every caller (the OpenAPI document, the pages, their scripts and styles). Each is compressed once
// for each coding, not for each request: they have hundreds of kilobytes. A browser that
// already has the text sends its tag and is answered 304.

import type { Answer, Headers } from './answer.ts';
import type { Asked } from './call.ts';
import { codingFor, compressSmall, tagOf, type Coding } from './encoding.ts';

type ConstantText = (asked: Pick<Asked, 'headers'>, headers: Headers) => Promise<Answer>;

type Made = { readonly plain: Buffer<ArrayBuffer>; readonly tag: string };

/** Answers 200 with the text, which is generated on the first request. A caller that already has it gets 304. */
export function constantText(make: () => string | Promise<string>): ConstantText {
  let made: Promise<Made> | null = null;
  const compressed = new Map<Coding, Promise<Buffer<ArrayBuffer>>>();

  function bytesIn(coding: Coding | null, plain: Buffer<ArrayBuffer>) {
    if (coding === null) return Promise.resolve(plain);
    const known = compressed.get(coding) ?? compressSmall(plain, coding);
    compressed.set(coding, known);
    return known;
  }

  /** The next request retries if it could not be generated. */
  async function madeText(): Promise<Made> {
    try {
      const text = await Promise.try(make);
      // The tag is weak because all codings of one text share it.
      return { plain: Buffer.from(text), tag: `W/"${tagOf([text])}"` };
    } catch (error) {
      made = null;
      throw error;
    }
  }

  return async (asked, own) => {
    const { plain, tag } = await (made ??= madeText());
    const headers = { ...own, etag: tag };
    if (matchesTag(asked.headers.get('if-none-match'), tag)) {
      return { status: 304, headers, body: null };
    }
    const coding = codingFor(asked.headers.get('accept-encoding'));
    const coded = coding === null ? headers : { ...headers, 'content-encoding': coding };
    return { status: 200, headers: coded, body: await bytesIn(coding, plain) };
  };
}

function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const tags = (ifNoneMatch ?? '').slice(0, 1_000).split(',');
  return tags.some((each) => each.trim() === tag || each.trim() === '*');
}
