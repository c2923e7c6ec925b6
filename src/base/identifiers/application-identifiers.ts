// GS1 application identifiers according to the GS1 General Specifications (release 25): what each identifier of two to four
// digits says about the value after it. A table and its lookup. Pure.

import { once } from '../once.ts';

/** One part of a value: `N6` is six digits, `X..20` one to twenty characters, `[N6]` six digits that may be absent. */
type Format = string;

export type ApplicationIdentifier = {
  /** Two to four digits. */
  readonly ai: string;
  /** GS1's data title, such as `BATCH/LOT`. */
  readonly title: string;
  /** The accepted values, in words: `6 digits`. */
  readonly takes: string;
  /** The value's length if it has a fixed length and no separator; null if FNC1 or the end of the text terminates it. */
  readonly fixedLength: number | null;
  readonly matches: (value: string) => boolean;
};

/** The characters of each class, named as in GS1: 82 printable ones, 39, and the 64 of a file name. */
const CHARACTERS: Readonly<Record<string, readonly [pattern: string, word: string]>> = {
  N: ['\\d', 'digits'],
  X: [`[!"%-?A-Z_a-z]`, 'ASCII characters without spaces'],
  Y: ['[#\\-/0-9A-Z]', 'digits, capitals and # - /'],
  Z: ['[-0-9A-Z_a-z=]', 'letters, digits and - _ ='],
};

/** The first two digits of identifiers whose values have a predefined length; all others need a separator. */
const PREDEFINED = /^(?:0[0-4]|1[1-9]|20|3[1-6]|41)/;

/** `from-to format title`: the digits of a range count up in the last place. */
const TABLE = `
00 N18 SSCC
01 N14 GTIN
02 N14 CONTENT
03 N14 MTO GTIN
10 X..20 BATCH/LOT
11 N6 PROD DATE
12 N6 DUE DATE
13 N6 PACK DATE
15 N6 BEST BEFORE or BEST BY
16 N6 SELL BY
17 N6 USE BY or EXPIRY
20 N2 VARIANT
21 X..20 SERIAL
22 X..20 CPV
235 X..28 TPX
240 X..30 ADDITIONAL ID
241 X..30 CUST. PART No.
242 N..6 MTO VARIANT
243 X..20 PCN
250 X..30 SECONDARY SERIAL
251 X..30 REF. TO SOURCE
253 N13+[X..17] GDTI
254 X..20 GLN EXTENSION COMPONENT
255 N13+[N..12] GCN
30 N..8 VAR. COUNT
3100-3105 N6 NET WEIGHT (kg)
3110-3115 N6 LENGTH (m)
3120-3125 N6 WIDTH (m)
3130-3135 N6 HEIGHT (m)
3140-3145 N6 AREA (m²)
3150-3155 N6 NET VOLUME (l)
3160-3165 N6 NET VOLUME (m³)
3200-3205 N6 NET WEIGHT (lb)
3210-3215 N6 LENGTH (in)
3220-3225 N6 LENGTH (ft)
3230-3235 N6 LENGTH (yd)
3240-3245 N6 WIDTH (in)
3250-3255 N6 WIDTH (ft)
3260-3265 N6 WIDTH (yd)
3270-3275 N6 HEIGHT (in)
3280-3285 N6 HEIGHT (ft)
3290-3295 N6 HEIGHT (yd)
3300-3305 N6 GROSS WEIGHT (kg)
3310-3315 N6 LENGTH (m), log
3320-3325 N6 WIDTH (m), log
3330-3335 N6 HEIGHT (m), log
3340-3345 N6 AREA (m²), log
3350-3355 N6 VOLUME (l), log
3360-3365 N6 VOLUME (m³), log
3370-3375 N6 KG PER m²
3400-3405 N6 GROSS WEIGHT (lb)
3410-3415 N6 LENGTH (in), log
3420-3425 N6 LENGTH (ft), log
3430-3435 N6 LENGTH (yd), log
3440-3445 N6 WIDTH (in), log
3450-3455 N6 WIDTH (ft), log
3460-3465 N6 WIDTH (yd), log
3470-3475 N6 HEIGHT (in), log
3480-3485 N6 HEIGHT (ft), log
3490-3495 N6 HEIGHT (yd), log
3500-3505 N6 AREA (in²)
3510-3515 N6 AREA (ft²)
3520-3525 N6 AREA (yd²)
3530-3535 N6 AREA (in²), log
3540-3545 N6 AREA (ft²), log
3550-3555 N6 AREA (yd²), log
3560-3565 N6 NET WEIGHT (t oz)
3570-3575 N6 NET VOLUME (oz)
3600-3605 N6 NET VOLUME (qt)
3610-3615 N6 NET VOLUME (gal.)
3620-3625 N6 VOLUME (qt), log
3630-3635 N6 VOLUME (gal.), log
3640-3645 N6 VOLUME (in³)
3650-3655 N6 VOLUME (ft³)
3660-3665 N6 VOLUME (yd³)
3670-3675 N6 VOLUME (in³), log
3680-3685 N6 VOLUME (ft³), log
3690-3695 N6 VOLUME (yd³), log
37 N..8 COUNT
3900-3909 N..15 AMOUNT
3910-3919 N3+N..15 AMOUNT
3920-3929 N..15 PRICE
3930-3939 N3+N..15 PRICE
3940-3943 N4 PRCNT OFF
3950-3955 N6 PRICE/UoM
400 X..30 ORDER NUMBER
401 X..30 GINC
402 N17 GSIN
403 X..30 ROUTE
410 N13 SHIP TO LOC
411 N13 BILL TO
412 N13 PURCHASE FROM
413 N13 SHIP FOR LOC
414 N13 LOC No.
415 N13 PAY TO
416 N13 PROD/SERV LOC
417 N13 PARTY
420 X..20 SHIP TO POST
421 N3+X..9 SHIP TO POST
422 N3 ORIGIN
423 N3+[N3]+[N3]+[N3]+[N3] COUNTRY - INITIAL PROCESS
424 N3 COUNTRY - PROCESS
425 N3+[N3]+[N3]+[N3]+[N3] COUNTRY - DISASSEMBLY
426 N3 COUNTRY - FULL PROCESS
427 X..3 ORIGIN SUBDIVISION
4300-4301 X..35 SHIP TO COMP or NAME
4302-4306 X..70 SHIP TO ADDRESS
4307 X2 SHIP TO COUNTRY
4308 X..30 SHIP TO PHONE
4309 N10+N10 SHIP TO GEO
4310-4311 X..35 RTN TO COMP or NAME
4312-4316 X..70 RTN TO ADDRESS
4317 X2 RTN TO COUNTRY
4318 X..20 RTN TO POST
4319 X..30 RTN TO PHONE
4320 X..35 SRV DESCRIPTION
4321 N1 DANGEROUS GOODS
4322 N1 AUTH TO LEAVE
4323 N1 SIG REQUIRED
4324 N6+N4 NOT BEF DEL DT
4325 N6+N4 NOT AFT DEL DT
4326 N6 REL DATE
4330 N6+[X1] MAX TEMP F.
4331 N6+[X1] MAX TEMP C.
4332 N6+[X1] MIN TEMP F.
4333 N6+[X1] MIN TEMP C.
7001 N13 NSN
7002 X..30 MEAT CUT
7003 N6+N4 EXPIRY TIME
7004 N..4 ACTIVE POTENCY
7005 X..12 CATCH AREA
7006 N6 FIRST FREEZE DATE
7007 N6+[N6] HARVEST DATE
7008 X..3 AQUATIC SPECIES
7009 X..10 FISHING GEAR TYPE
7010 X..2 PROD METHOD
7011 N6+[N4] TEST BY DATE
7020 X..20 REFURB LOT
7021 X..20 FUNC STAT
7022 X..20 REV STAT
7023 X..30 GIAI - ASSEMBLY
7030-7039 N3+X..27 PROCESSOR
7040 N1+X3 UIC+EXT
7041 X..4 UFRGT UNIT TYPE
710 X..20 NHRN PZN
711 X..20 NHRN CIP
712 X..20 NHRN CN
713 X..20 NHRN DRN
714 X..20 NHRN AIM
715 X..20 NHRN NDC
716 X..20 NHRN AIC
7230-7239 X2+X..28 CERT
7240 X..20 PROTOCOL
7241 N2 AIDC MEDIA TYPE
7242 X..25 VCN
7250 N8 DOB
7251 N8+N4 DOB TIME
7252 N1 BIO SEX
7253 X..40 FAMILY NAME
7254 X..40 GIVEN NAME
7255 X..10 SUFFIX
7256 X..90 FULL NAME
7257 X..70 PERSON ADDR
7258 X3 BIRTH SEQUENCE
7259 X..40 BABY
8001 N14 DIMENSIONS
8002 X..20 CMT No.
8003 N14+[X..16] GRAI
8004 X..30 GIAI
8005 N6 PRICE PER UNIT
8006 N14+N4 ITIP
8007 X..34 IBAN
8008 N8+[N2]+[N2] PROD TIME
8009 X..50 OPTSEN
8010 Y..30 CPID
8011 N..12 CPID SERIAL
8012 X..20 VERSION
8013 X..25 GMN
8014 X..25 MUDI
8017 N18 GSRN - PROVIDER
8018 N18 GSRN - RECIPIENT
8019 N..10 SRIN
8020 X..25 REF No.
8026 N14+N4 ITIP CONTENT
8030 Z..90 DIGSIG
8110 X..70 COUPON
8111 N4 POINTS
8112 X..70 COUPON
8200 X..70 PRODUCT URL
90 X..30 INTERNAL
91-99 X..90 INTERNAL
`;

/** Built for the first text that may contain an identifier, because building it takes a hundredth of the startup time. */
const byDigits = once(
  (): ReadonlyMap<string, ApplicationIdentifier> =>
    new Map(TABLE.trim().split('\n').flatMap(rowsOf)),
);

function rowsOf(line: string): readonly (readonly [string, ApplicationIdentifier])[] {
  const [, from = '', to = from, format = '', title = ''] =
    /^(\d+)(?:-(\d+))? (\S+) (.+)$/.exec(line) ?? [];
  const parts = format.split('+');
  const matches = new RegExp(`^${parts.map(patternOf).join('')}$`);
  const takes = parts.map(wordsOf).join(', then ');
  const length = parts.reduce((sum, part) => sum + Number(part.slice(1)), 0);
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => {
    const ai = String(Number(from) + at).padStart(from.length, '0');
    const fixedLength = PREDEFINED.test(ai) ? length : null;
    return [
      ai,
      { ai, title, takes, fixedLength, matches: (value: string) => matches.test(value) },
    ] as const;
  });
}

function partOf(part: Format) {
  const [, open, kind = '', dots, count = ''] = /^(\[)?([NXYZ])(\.\.)?(\d+)\]?$/.exec(part) ?? [];
  const [pattern = '', word = ''] = CHARACTERS[kind] ?? [];
  return { pattern, word, count, isOptional: open !== undefined, isVariable: dots !== undefined };
}

function patternOf(part: Format): string {
  const { pattern, count, isOptional, isVariable } = partOf(part);
  const text = `${pattern}{${isVariable ? `1,${count}` : count}}`;
  return isOptional ? `(?:${text})?` : text;
}

function wordsOf(part: Format): string {
  const { word, count, isOptional, isVariable } = partOf(part);
  const most = isOptional || isVariable ? `up to ${count}` : count;
  return `${most} ${count === '1' ? word.replace(/^(\w+ ?\w*)s\b/, '$1') : word}`;
}

/** Returns the identifier with these digits; null if GS1 has not assigned them. */
export function applicationIdentifier(digits: string): ApplicationIdentifier | null {
  return byDigits().get(digits) ?? null;
}

/** Returns the identifier that begins at an index of a text: no application identifier is a prefix of another. */
export function applicationIdentifierAt(text: string, at: number): ApplicationIdentifier | null {
  for (const length of [2, 3, 4]) {
    const found = byDigits().get(text.slice(at, at + length));
    if (found !== undefined) return found;
  }
  return null;
}
