// The colours of the chart's lines: each, selected or not, is visible on the page backgrounds, light and dark.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { lineColour } from '../../console/plot.js';
import { KNOWN_SLUGS } from '../../src/base/retailer.ts';

const STYLES = readFileSync(new URL('../../console/console.css', import.meta.url), 'utf8');
const PANELS = [...STYLES.matchAll(/--panel: (#[0-9a-f]{6})/g)].map(([, colour = '']) => colour);
const SHOPS = [
  ...KNOWN_SLUGS,
  'lanternworks',
  'birchandbolt',
  'tidepoolgoods',
  'fakeshop',
  'constructor',
];

const channels = (colour: string) =>
  [1, 3, 5, 7].map((at) => Number.parseInt(colour.slice(at, at + 2) || 'ff', 16) / 255);

/** As WCAG 2.2 defines it. */
function luminance(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(line: string, panel: string): number {
  const [red = 0, green = 0, blue = 0, alpha = 1] = channels(line);
  const behind = channels(panel).slice(0, 3);
  const mixed = [red, green, blue].map(
    (part, at) => part * alpha + (behind[at] ?? 0) * (1 - alpha),
  );
  const [dark = 0, light = 0] = [luminance(mixed), luminance(behind)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test('every line of the chart has a contrast of 3 to 1, chosen or not, on light and dark', () => {
  assert.equal(PANELS.length, 2);
  for (const shop of SHOPS) {
    for (const panel of PANELS) {
      for (const isChosen of [true, false]) {
        const ratio = contrast(lineColour(shop, isChosen), panel);
        assert.ok(ratio >= 3, `${shop} on ${panel}, chosen: ${isChosen}: ${ratio.toFixed(2)}`);
      }
    }
  }
});
