import type { PoolFacts } from '../../../domain/risk/graph.ts';

/**
 * The asset that each symbol tracks. Most lists identify tokens only by symbol, and symbols are not unique, so only
 * these exact symbols count, no patterns.
 */
const GROUPS: Readonly<Record<string, string>> = {
  USD: `USDC USDT DAI USDS FRAX FRXUSD LUSD BOLD SUSD GUSD USDP TUSD BUSD FDUSD PYUSD RLUSD USDE SUSDE USDM GHO CRVUSD
    MIM DOLA ALUSD MAI MIMATIC USDD USDB USDBC USDX USD+ USD0 USDY USDL USDG USDA SDAI SUSDS SFRAX SFRXUSD SCRVUSD
    WUSDM USR DEUSD USDT0 USDTB AUSD USD1 USDF EUSD FEI HUSD CUSD DUSD MUSD BEAN USDZ USN REUSD MSUSD FXUSD XDAI
    WXDAI USDC.E USDT.E DAI.E USDBC AXLUSDC AXLUSDT MUSDC BBUSD USDPLUS SUSDA SUSDX YUSD AAVEUSDC 3CRV FRAXBP`,
  EUR: 'EURC EURS EURT EURE AGEUR EURA EUROC CEUR SEUR EUROE EURCV JEUR PAR IBEUR VEUR EUROP EURR',
  ETH: `ETH WETH STETH WSTETH RETH CBETH FRXETH SFRXETH SETH ANKRETH ALETH EETH WEETH EZETH RSETH PUFETH OSETH SWETH
    RSWETH METH CMETH SETH2 WBETH ETHX OETH SUPEROETHB SUPEROETH MSETH APXETH PXETH UNIETH LSETH BETH WETH.E TETH
    INETH WRSETH UNIBTCETH HGETH ASETH YNETH PZETH STONE SPETH DINERO OUSDETH WOETH WSUPEROETHB`,
  BTC: `BTC WBTC BTCB BTC.B RENBTC TBTC CBBTC SBTC HBTC LBTC FBTC SOLVBTC EBTC UNIBTC PUMPBTC BBTC OBTC KBTC IBBTC WBTC.E
    UBTC MBTC ZBTC SWBTC STBTC BRBTC ENZOBTC XBTC DLCBTC CLBTC SYRUPBTC LYBTC 2BTC`,
  SOL: 'SOL WSOL MSOL STSOL JITOSOL BSOL JSOL BNSOL JUPSOL INF HSOL DSOL',
  BNB: 'BNB WBNB SLISBNB ANKRBNB STKBNB BNBX ASBNB CLISBNB',
  POL: 'MATIC WMATIC POL WPOL MATICX STMATIC ANKRMATIC TRUMATIC',
  AVAX: 'AVAX WAVAX SAVAX GGAVAX ANKRAVAX YYAVAX',
  XAU: 'XAUT PAXG XAUT0',
  CRV: 'CRV CVXCRV SDCRV YCRV UCRV STKCVXCRV',
  GNO: 'GNO SGNO OSGNO',
};

const groupOf = new Map(
  Object.entries(GROUPS).flatMap(([group, symbols]) =>
    symbols.split(/\s+/).map((symbol): [string, string] => [symbol, group]),
  ),
);

/** USDC-WETH, USDC/WETH and "USDC WETH" alike. */
export function symbolLegs(symbol: string): string[] {
  return symbol
    .split(/[-/\s]+/)
    .map((leg) => leg.trim())
    .filter((leg) => leg !== '');
}

/**
 * Whether the prices of a pool's tokens move together. The list's flag for no impermanent loss counts only for pools
 * with one token, because for others it is often a default.
 */
export function assetsOf(pool: {
  readonly legs: readonly string[];
  readonly tokens: number;
  readonly exposure: string | undefined;
}): PoolFacts['assets'] {
  const { legs, tokens, exposure } = pool;
  if (exposure === 'single' || (exposure === undefined && Math.max(legs.length, tokens) === 1)) {
    return 'single';
  }
  if (legs.length < 2 || tokens > legs.length)
    return exposure === 'multi' ? 'uncorrelated' : undefined;
  const groups = new Set(legs.map((leg) => groupOf.get(leg.toUpperCase())));
  return groups.size === 1 && !groups.has(undefined) ? 'correlated' : 'uncorrelated';
}
