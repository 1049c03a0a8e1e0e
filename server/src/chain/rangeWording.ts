export interface BlockRange {
  readonly fromBlock: number;
  readonly toBlock: number;
}

export interface TooWide {
  readonly suggestedTo: number | null;
  readonly maxBlocks: number | null;
}

/** Codes that providers use only for a log range that is too wide. */
const RANGE_CODES = new Set([-32047, -32614, -32020]);

/**
 * Error texts that contain a limit in blocks; the first group is the number, the second an optional k. The text is in
 * lower case and without thousands separators.
 */
const LIMITS: readonly RegExp[] = [
  /blocks distance:? (\d+)(k?)/,
  /ranges? over (\d+)(k?) blocks?/,
  /limited to (?:an? |0 ?- ?)?(\d+)(k?)\b/,
  /up to an? (\d+)(k?) blocks? range/,
  /\bmax(?:imum)?(?: allowed)?(?: block)? range(?: is| of|:| =)? ?(\d+)(k?)/,
  /\brange limit(?: is| of|:| =)? ?(\d+)(k?)/,
  /\brange\b.{0,40}\blimit(?:ed)?(?: is| of| to|:) ?(\d+)(k?)/,
  /too wide \(max(?:imum)? (\d+)(k?)\)/,
  /too (?:large|wide|big|high)\b.{0,20}\bmax(?:imum)?\b\D{0,12}(\d+)(k?)/,
  /greater than (\d+)(k?) max/,
  /maximum is set to (\d+)(k?)/,
  /smaller than size (\d+)(k?)/,
  /at most (\d+)(k?) blocks/,
  /range allowed for your plan \(\d+ > (\d+)(k?)\)/,
  /block range exceeds server limit\D{0,30}(\d+)(k?)/,
  /requested blocks is (\d+)(k?)/,
  /limit, range: (\d+)(k?)/,
];

/** Texts without a usable number: too many blocks, results, or bytes, or too much work. */
const WORDINGS: readonly RegExp[] = [
  /\b(?:block|log|query|max|maximum|allowed|request(?:ed)?)s? ?range\b/,
  /\brange\b.*\b(?:too (?:large|wide|big|high)|exceed|limit|not supported)/,
  /exceed\w*\b.*\brange\b/,
  /more than \d+ (?:results|logs|events)/,
  /too many (?:logs|results|blocks|events)/,
  /(?:max|maximum)(?: number of)? (?:results|logs)/,
  /(?:response|result|body|payload)(?: set| size| body)?(?: is| was)? (?:too (?:large|big)|exceed)/,
  /response size (?:limit|should)/,
  /query (?:timeout|timed out)/,
  /timeout.*\b(?:range|logs)\b/,
  /request timeout on the \w+ plan/,
  /logs matched by query exceeds/,
  /(?:reduc|narrow|shrink|limit)\w* (?:the |your )?(?:query|range|block|filter)/,
];

/** Texts about a limit on the addresses of a filter; the first group is the limit. */
const ADDRESS_LIMITS: readonly RegExp[] = [
  /maximum of (\d+) addresses/,
  /addresses specified in query, but only (\d+)/,
  /query contains \d+ filters\. the current limit is (\d+)/,
  /max addresses or topics per search position/,
  /(?:too many|maximum(?: number of)?|limit (?:of|on)) addresses/,
];

/** Reads an eth_getLogs error about the number of addresses; null if it is about something else. */
export function readTooManyAddresses(text: string): { maxAddresses: number | null } | null {
  for (const pattern of ADDRESS_LIMITS) {
    const match = pattern.exec(text);
    if (match !== null) return { maxAddresses: match[1] === undefined ? null : Number(match[1]) };
  }
  return null;
}

/**
 * Reads an eth_getLogs error: null if it is not about the range. Providers agree on neither codes nor texts, so the
 * text decides. A suggestion that would not narrow the range is dropped, since some RPC endpoints suggest the range
 * that they have just rejected. `obeyed`: the request was well within the limit in the message, so the plan or the
 * depth is the reason, and narrower ranges would be rejected as well.
 */
export function readTooWide(
  error: { readonly code: number; readonly text: string },
  range: BlockRange,
): TooWide | 'obeyed' | null {
  const text = error.text.toLowerCase().replace(/(?<=\d),(?=\d{3}\b)/g, '');
  const maxBlocks = findLimit(text, range);
  const named = findRange(text, range);
  if (named !== null) return { suggestedTo: named, maxBlocks };
  if (maxBlocks !== null) return { suggestedTo: range.fromBlock + maxBlocks - 1, maxBlocks };
  if (namesWiderLimit(text, range)) return 'obeyed';
  const known = RANGE_CODES.has(error.code) || WORDINGS.some((wording) => wording.test(text));
  return known ? { suggestedTo: null, maxBlocks: null } : null;
}

/** Finds a range in the text: `[0x1, 0x2]`, `range 1-2`. */
function findRange(text: string, range: BlockRange): number | null {
  const hex = /\[(0x[0-9a-f]+), ?(0x[0-9a-f]+)\]/.exec(text);
  const decimal = /\brange:? \[?(\d+) ?[-,] ?(\d+)/.exec(text);
  const match = hex ?? decimal;
  if (match === null) return null;
  const from = Number(match[1]);
  const to = Number(match[2]);
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to < from) return null;
  const suggestedTo = range.fromBlock + (to - from);
  return suggestedTo < range.toBlock ? suggestedTo : null;
}

/** The limit counts only if it would have rejected this range. */
function findLimit(text: string, range: BlockRange): number | null {
  const blocks = range.toBlock - range.fromBlock + 1;
  for (const pattern of LIMITS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const limit = Number(match[1]) * (match[2] === 'k' ? 1000 : 1);
    if (limit >= 1 && limit < blocks) return limit;
  }
  return null;
}

/**
 * Whether the text contains a limit of at least twice this range; closer ones may be counted differently. Texts about
 * results or bytes contain the range that they would allow otherwise, and there a narrower one helps.
 */
function namesWiderLimit(text: string, range: BlockRange): boolean {
  if (/\b(?:results?|logs?|events?|response|size|bytes)\b/.test(text)) return false;
  const blocks = range.toBlock - range.fromBlock + 1;
  return LIMITS.some((pattern) => {
    const match = pattern.exec(text);
    return match !== null && Number(match[1]) * (match[2] === 'k' ? 1000 : 1) >= 2 * blocks;
  });
}
