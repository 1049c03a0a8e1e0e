export type Reason =
  | 'too wide'
  | 'too many addresses'
  | 'too deep'
  | 'ahead of this node'
  | 'by distance from the head'
  | 'too fast'
  | 'used up'
  | 'timed out'
  | 'unhealthy';

export interface Text {
  readonly code?: number;
  readonly status?: number;
  readonly data?: unknown;
  readonly text: string;
}

/** Error texts of real providers and nodes, with invented numbers, for an eth_getLogs over 2,000 blocks, by reason. */
export const TEXTS: Readonly<Record<Reason, readonly Text[]>> = {
  'too wide': [
    {
      code: -32600,
      status: 400,
      text: 'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x3e8, 0x3f1]. Upgrade to PAYG for expanded block range.',
    },
    {
      code: -32602,
      text: 'invalid params',
      data: 'Block range too large for public access: maximum 1000 blocks. Try with this block range [0x3e8, 0x7cf]',
    },
    {
      code: -32005,
      text: 'query returned more than 10000 results. Try with this block range [0x3e8, 0x7cf].',
    },
    { code: -32602, text: 'query exceeds max results 20000, retry with the range 1000-1500' },
    { code: -32614, status: 413, text: 'eth_getLogs is limited to a 1,000 range' },
    {
      code: -32615,
      status: 413,
      text: 'eth_getLogs is limited to a 5 range, upgrade from discover plan at the dashboard to increase the limit',
    },
    { code: -32602, text: 'range 2000 exceeds limit of 1000' },
    { code: -32602, text: 'eth_getLogs is limited to 0 - 50 blocks range' },
    { code: -32602, text: 'query exceeds max block range 1000' },
    { code: -32000, text: 'exceed maximum block range 1000' },
    { code: -32000, text: 'block range greater than 1000 max' },
    {
      code: -32000,
      text: 'query block range exceeds server limit, narrow your filter: 1000',
    },
    { text: 'Maximum allowed number of requested blocks is 500' },
    { text: 'please limit the query to at most 1000 blocks' },
    { text: 'exceeds the range allowed for your plan (2000 > 500)' },
    { text: 'maximum [from, to] blocks distance: 500' },
    {
      code: -32602,
      text: 'Block range limit exceeded. See more details at the page on limits.',
    },
    { code: -32012, text: 'requested range too large' },
    { code: -32000, text: 'query returns too many logs, narrow your filter: 20000' },
    { code: -32005, text: 'Too many logs requested. Max logs per response is 20000.' },
    { code: -32000, text: 'logs matched by query exceeds limit of 10000' },
    { code: -32020, status: 500, text: 'backend response too large' },
    { code: -32005, text: 'response size should not greater than 10000000 bytes' },
    { code: -32005, text: 'query timeout exceeded' },
    {
      code: 30,
      status: 408,
      text: 'Request timeout on the free plan, please upgrade to paid plan',
    },
    { code: -32600, text: 'block range is too wide' },
    { code: -32602, text: 'block range too large' },
    { code: -32005, text: 'query returned more than 10000 results' },
    { code: -32000, text: 'exceed maximum block range: 1000' },
    { code: -32047, text: "'fromBlock'-'toBlock' range too large. Max range: 800" },
    { code: -32000, text: 'requested too many blocks from 1 to 2000, maximum is set to 1024' },
    { code: -32000, text: 'eth_getLogs range is too large, max is 1k blocks' },
    { code: -32008, text: 'Response is too big', data: 'Exceeded max limit of 167772160' },
    { code: -32003, text: 'response too large' },
  ],
  'too many addresses': [
    { code: -32000, text: 'exceed max addresses or topics per search position' },
    {
      code: -32602,
      text: 'query exceeds the maximum of 1000 addresses or topics per search position',
    },
    { code: -32000, text: '1001 addresses specified in query, but only 1000 are allowed' },
    { code: -32602, text: 'This query contains 6000 filters. The current limit is 5000.' },
  ],
  'too deep': [
    { code: -32602, status: 403, text: 'Archive requests require a personal token.' },
    { code: 35, status: 400, text: 'ranges over 10000 blocks are not supported on free plan' },
    {
      text: 'Access to archival, debug, or trace data is not included in your current plan',
    },
    { code: -32000, text: 'missing trie node 2825 (path 0a) state 0x28 is not available' },
    { code: -32000, text: 'historical state 0xab is not available' },
    { code: -32000, text: 'required historical state unavailable (reexec=128)' },
    { code: -32000, text: 'state at block #100 is pruned' },
    { code: -32000, text: 'no state found for block number 100' },
    { code: -32002, text: 'No state available for block 100' },
    { code: 27, text: 'Unknown state. First available state is 4000' },
    {
      code: -32000,
      text: 'distance to target block (9000) exceeds max-recreate-state-depth (128)',
    },
    {
      code: -32000,
      text: 'old data not available due to pruning: requested block 1, history is available from block 9',
    },
    { code: 4444, text: 'pruned history unavailable: requested 1, earliest available 9' },
    {
      code: -32000,
      text: 'block #100 is not available, history has expired (earliest available: #900)',
    },
    { code: 4444, text: 'pruned history unavailable' },
    { code: 4444, text: 'Pruned history unavailable' },
  ],
  'ahead of this node': [
    {
      code: -32602,
      text: 'block range extends beyond current head block: requested 3000, head 2990',
    },
    { code: -32000, text: 'requested block range is in the future' },
    { code: -32000, text: 'request beyond head block: requested 3000, head 2990' },
    { code: -32000, text: 'header not found' },
    { code: 26, text: 'unknown block' },
    { code: -32001, text: 'block not found: 0xbb8' },
    { code: -32000, text: 'header for hash not found' },
    { code: -32000, text: 'finalized block not found' },
    {
      code: -32000,
      text: 'state at block #3000 is not available, block has not been executed yet (latest executed: #2990)',
    },
    { code: -32603, text: 'Block 3000 not processed yet. Please try again.' },
    { code: -32000, text: 'unsupported block number 3000' },
    { code: -32014, text: 'requested data not available' },
    { code: -32602, text: 'block range extends beyond current head block' },
    { code: -32000, text: 'unknown block' },
  ],
  'by distance from the head': [
    {
      code: -32602,
      text: 'Block requested not found. Request might be querying historical state that is not available. If possible, reformulate query to point to more recent blocks',
    },
  ],
  'too fast': [
    { code: 429, text: 'Your app has exceeded its compute units per second capacity.' },
    { code: -32007, text: '25/second request limit reached' },
    { code: -32011, text: 'request limit reached' },
    { code: -32016, status: 429, text: 'over rate limit' },
    { code: -32024, status: 429, text: 'too many requests' },
    { code: 15, status: 429, text: 'You reached Public endpoint rate limit' },
    { code: -32005, text: 'Rate limit exceeded. To obtain higher limits, request a token.' },
    { code: 429, status: 429, text: 'Too Many Requests' },
    { code: -32005, text: 'project ID request rate exceeded' },
    {
      code: -32007,
      status: 429,
      text: '50/second request limit reached - reduce calls per second or upgrade your account at quicknode.com',
    },
    { code: -32009, text: '1000/minute request limit reached' },
    { code: -32012, status: 429, text: 'backend is over capacity' },
    { code: -32017, status: 429, text: 'Rate Limit Exceeded. Please get an api key' },
  ],
  'used up': [
    { code: -32600, status: 403, text: 'Monthly capacity limit exceeded.' },
    { code: -32005, text: 'daily request count exceeded, request rate limited' },
    { code: 402, status: 402, text: 'Payment Required' },
    { code: -32001, text: "You've reached the usage limit for your current plan." },
  ],
  unhealthy: [
    { code: -32011, status: 503, text: 'no backend is currently healthy to serve traffic' },
    { code: 12, status: 400, text: "Can't route your request to suitable provider" },
    { code: 19, status: 500, text: 'Temporary internal error. Please retry, trace-id: 1' },
    { code: -32701, text: 'no available nodes found for platform base-rpc' },
  ],
  'timed out': [
    { code: -32002, text: 'request timed out' },
    { code: -32000, text: 'context deadline exceeded' },
    { code: -32015, status: 504, text: 'gateway timeout' },
  ],
};

/** Rejections of a batch as such, or of its length. */
export const BATCH_TEXTS: readonly Text[] = [
  { code: 31, text: 'Batch of more than 3 requests are not allowed on free plan' },
  { code: -32014, status: 413, text: 'too many RPC calls in batch request' },
  { code: -32600, text: 'batch too large' },
  {
    code: -32600,
    text: 'batch limit 100 exceeded (can increase by --rpc.batch.limit). Requested batch of size: 101',
  },
];
