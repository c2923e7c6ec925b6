// Reads the two plugs of a cable or adapter ("USB-C to Lightning"), which have standard names: whatever else two titles
// share, another plug at one end is another cable.

const PLUG = String.raw`(?:usb(?:[ -]?(?:type[ -]?)?[abc])?|type[ -]?c|lightning|(?:micro|mini)[ -]?(?:usb|hdmi|displayport|dp|dvi)|hdmi|displayport|dp|dvi(?:-[di])?|vga|rj-?(?:45|11)|3[.,]5 ?mm|6[.,]35 ?mm|xlr|rca|thunderbolt(?: ?[1-5])?|e?sata|molex)`;
/** "HDMI male to DVI". */
const GENDER = String.raw`(?:[ -](?:male|female|plug|jack|port|connector|stecker|buchse))?`;
const TWO_PLUGS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(${PLUG})${GENDER}(?: to |-to-| auf | zu | vers )(${PLUG})(?![\p{L}\p{N}])`,
  'gu',
);
/** Most titles have none of these words and are skipped. */
const JOINS = / to |-to-| auf | zu | vers /;

/** Returns the connections of a title's cables, each as its two plugs in alphabetical order: `lightning to usbc`. */
export function cableEndsOf(plain: string): readonly string[] {
  if (!JOINS.test(plain)) return [];
  return [...plain.matchAll(TWO_PLUGS)].map(([, one = '', two = '']) =>
    [plugOf(one), plugOf(two)].toSorted().join(' to '),
  );
}

/** `usbc` for "USB Type-C" and "Type C"; a USB plug without a type is the old one. */
function plugOf(said: string): string {
  const plug = said
    .replaceAll(/[ -]/g, '')
    .replace(',', '.')
    .replace('displayport', 'dp')
    .replace(/^(?:usb)?type/, 'usb')
    .replace(/^dvi[di]$/, 'dvi');
  return plug === 'usb' ? 'usba' : plug;
}
