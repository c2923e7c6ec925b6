// A notice and the letters to the channels that it goes out through, written together.

import type { Notice } from '../watches/held-watch.ts';
import type { Statement } from './sql.ts';
import { insertNotice } from './watch-writes.ts';

/** `channels`: ids of those that it goes out through. */
export type ToldNotice = Notice & { readonly channels: readonly string[] };

/** The same notice again changes nothing. */
export function insertToldNotice({
  channels: _channels,
  ...notice
}: ToldNotice): readonly Statement[] {
  return [insertNotice(notice)];
}
