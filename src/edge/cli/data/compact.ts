// openshelf compact: compacts the complete years of price history and deletes what the settings do not retain.

import { withStore } from '../../wiring/open-store.ts';
import { dayOf } from '../../../base/clock.ts';
import { compact, type Compaction } from '../../../answer/indexer/compaction.ts';
import {
  countCompactable,
  firstRecentDay,
} from '../../../data/maintenance/compact-observations.ts';
import {
  counted,
  DONE,
  FAILED,
  printJson,
  STOPPED,
  type Command,
  type CommandInput,
} from '../command.ts';
import { configWithData } from '../data-folder.ts';
import { DATA_OPTION } from '../options.ts';
import { createProgress } from '../progress-bar.ts';

export const compactCommand: Command = {
  name: 'compact',
  summary: 'compact the price history now, as a running service does every week',
  synopsis: ['[--data DIR] [--json]'],
  options: {
    data: DATA_OPTION,
    json: { help: 'print {"complete", "folded", "forgotten", "problems"} as one line of JSON' },
  },
  notes: [
    'Works while a server runs, and may be stopped at any time: finished work is not lost.',
    'Deletes only data that OPENSHELF_KEEP_OBSERVATIONS_DAYS and OPENSHELF_KEEP_BARS_YEARS do ' +
      'not retain.',
    'The exit code is 1 when something could not be read, or when the command was stopped.',
  ],
  run: async (input) => {
    const { values, io } = input;
    const done = await runCompact(input);
    const isComplete = !io.stop.aborted;
    if (values['json'] === true) {
      const { compacted: folded, forgotten, damaged: problems } = done;
      printJson(io, { complete: isComplete, folded, forgotten, problems });
    } else tell(input, done);
    if (!isComplete) io.err(STOPPED);
    return isComplete && done.damaged.length === 0 ? DONE : FAILED;
  },
};

async function runCompact(input: CommandInput): Promise<Compaction> {
  const { io } = input;
  const config = await configWithData(input);
  return await withStore(config, async ({ sql }, nowMs) => {
    const today = dayOf(nowMs);
    const bar = createProgress(io, await countCompactable(sql, firstRecentDay(today)));
    try {
      return await compact({
        sql,
        retention: config.retention,
        today,
        signal: io.stop,
        // Other writers get their turn at each slice's commit.
        pause: () => Promise.resolve(),
        onCompacted: (folded) => bar.at(folded, `${folded} observations`),
      });
    } finally {
      bar.end();
    }
  });
}

function tell({ io }: CommandInput, { compacted: folded, forgotten, damaged }: Compaction): void {
  damaged.forEach((problem) => io.out(problem));
  const gone = forgotten === 0 ? '' : `, ${forgotten} deleted by the retention settings`;
  io.out(`${counted(folded, 'observation')} compacted${gone}`);
}
