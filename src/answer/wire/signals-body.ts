// The schema of the signals of shops about the use of their pages (D83).

import { z } from 'zod';

import { flag, text } from './fields.ts';

const NOT_STATED = '`null` if the shop does not say.';

export const SignalsBody = z
  .strictObject({
    search: flag(`Whether the shop's pages may be found by search and compared. ${NOT_STATED}`),
    ai_input: flag(
      `Whether text of its pages may be given to language models. If not, the tools for agents return numbers and ` +
        `addresses only. ${NOT_STATED}`,
    ),
    ai_train: flag(`Whether models may be trained with its pages. ${NOT_STATED}`),
    license: text('The address of its licence, which is never fetched; `null` if there is none.'),
  })
  .meta({
    id: 'Signals',
    description:
      'The signals in robots.txt or the page about its use (`Content-Signal`, `Content-Usage`, ' +
      '`License`). If several pages differ, the stricter signal is returned. Omitted if there ' +
      'is none.',
  });
