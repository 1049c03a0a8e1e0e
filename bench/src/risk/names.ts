import type { Random } from '../random.ts';
import type { Edge, Node } from './engine.ts';

const SYLLABLES =
  'ba be bo ca co cu da de di do dy el en er fi fo fu ga ge go ha he hy in io ja jo ka ke ki ko la le li lo lu ma me mi mo na ne ni no nu or pa pe pi po py qu ra re ri ro ru sa se si so su sy ta te ti to tu um un va ve vi vo wa we xa xe xi yo za ze zi zo cryp stak val lend morph chain spark flux drift nex tri plex quant hex orb lum sol ter vex zen kin arc bit ax'.split(
    ' ',
  );
const SUFFIXES =
  'Finance Protocol Swap DAO Labs Lend Exchange Network Capital Markets Yield Vaults Staking Bridge Money Cash Pay Credit Perps Options'.split(
    ' ',
  );
const NOUNS =
  'Moon Doge Inu Cat Frog Pepe Rocket Diamond Dragon Tiger Wolf Bear Bull Panda Ninja Samurai Wizard King Queen Baby Mini Mega Super Turbo Space Star Galaxy Ocean River Forest Fire Ice Storm Thunder Gold Silver Platinum Ruby Emerald Pearl Coffee Banana Pizza Taco Burger Sushi Ramen Noodle Cake Candy'.split(
    ' ',
  );
const MAJORS =
  'USDC USDT DAI WETH ETH WBTC stETH wstETH cbBTC USDe FRAX LUSD crvUSD GHO PYUSD rETH cbETH weETH BNB SOL AVAX MATIC ARB OP LINK UNI AAVE CRV MKR LDO'.split(
    ' ',
  );
const POOL_WORDS = ['Vault', 'Pool', 'LP', 'Strategy', 'Market', 'Prime Vault', 'Core'];
const FEES = ['0.01%', '0.05%', '0.3%', '1%'];
const GRADES = ['A', 'B', 'C', 'D', 'E', 'F'] as const;

/** Generates nodes with the proportions and the kinds of names of public lists. */
export function makeNodes(random: Random, count: number): Node[] {
  const chains = fill(Math.max(4, Math.min(500, count >> 6)), () => word(random));
  const protocols = fill(Math.max(4, Math.floor(count * 0.05)), () => protocolName(random));
  const tokens = fill(Math.max(8, Math.floor(count * 0.1)), () => symbolName(random));
  const nodes: Node[] = [];
  for (const name of chains) nodes.push(node(random, 'Chain', name, undefined, slug(name)));
  for (const name of protocols) nodes.push(node(random, 'Protocol', name, undefined, 'multichain'));
  while (nodes.length < count) {
    const chain = slug(often(random, chains));
    if (random.below(10) < 3) {
      const symbol = random.below(4) === 0 ? often(random, MAJORS) : often(random, tokens);
      nodes.push(node(random, 'Asset', assetName(random, symbol), symbol, chain));
    } else {
      const [name, symbol] = poolName(random, protocols, tokens);
      nodes.push(node(random, 'Pool', name, symbol, chain));
    }
  }
  // New, flat strings, as a database driver returns them.
  return nodes.map((one) => JSON.parse(JSON.stringify(one)));
}

/** Generates three edges per node. */
export function* makeEdges(random: Random, nodes: readonly Node[]): Generator<Edge> {
  const few = Math.ceil(nodes.length / 20);
  const types = ['LIVES_ON', 'OPERATED_BY', 'ACCEPTS_DEPOSITS_IN'] as const;
  for (const { id } of nodes)
    for (const type of types) {
      const limit = type === 'ACCEPTS_DEPOSITS_IN' ? nodes.length : few;
      const targetId = nodes[random.below(limit)]!.id;
      yield { type, sourceId: id, targetId, weight: 1, lastUpdatedAt: 1_790_000_000 };
    }
}

/** Changes, removes, adds, or swaps one letter. */
export function mistype(random: Random, name: string): string {
  const letters = [...name];
  const places = [...letters.keys()].filter((i) => /[\p{L}\p{N}]/u.test(letters[i]!));
  const place = places[random.below(places.length)] ?? 0;
  const letter = String.fromCharCode(97 + random.below(26));
  const next = letters[place + 1];
  const kind = random.below(4);
  if (kind === 0) letters[place] = letter;
  else if (kind === 1) letters.splice(place, 1);
  else if (kind === 2 || next === undefined) letters.splice(place, 0, letter);
  else letters.splice(place, 2, next, letters[place]!);
  return letters.join('');
}

let serial = 0;

function node(
  random: Random,
  label: Node['label'],
  name: string,
  symbol: string | undefined,
  network: string,
): Node {
  serial++;
  const value = random.below(100) < 15 ? null : Math.round(10 ** (2 + random.below(8000) / 1000));
  const grade = GRADES[random.below(6)]!;
  if (label === 'Chain' || label === 'Protocol')
    return {
      id: `${label.toLowerCase()}:${slug(name)}-${serial}`,
      label,
      name,
      network,
      value,
      grade,
    };
  const address = `0x${fill(5, () =>
    random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')}`;
  const id = `${label.toLowerCase()}:${network}:${address}`;
  return { id, label, name, symbol, address, network, value, grade };
}

function poolName(random: Random, protocols: string[], tokens: string[]): [string, string] {
  const protocol = often(random, protocols);
  const one = random.below(3) > 0 ? often(random, MAJORS) : often(random, tokens);
  const two = random.below(2) > 0 ? often(random, MAJORS) : often(random, tokens);
  switch (random.below(4)) {
    case 0:
      return [`${protocol} ${one}-${two} ${FEES[random.below(4)]}`, `${one}-${two}`];
    case 1:
      return [`${protocol} ${one} ${POOL_WORDS[random.below(POOL_WORDS.length)]}`, one];
    case 2:
      return [`${word(random)} ${one}/${two}`, `${one}-${two}`];
    default:
      return [`${protocol} ${one}-${two}`, `${one}-${two}`];
  }
}

function assetName(random: Random, symbol: string): string {
  switch (random.below(5)) {
    case 0:
      return `Wrapped ${word(random)}`;
    case 1:
      return `${NOUNS[random.below(NOUNS.length)]} ${NOUNS[random.below(NOUNS.length)]} ${word(random)}`;
    case 2:
      return `Bridged ${symbol} (${word(random)})`;
    case 3:
      return `${word(random)} USD`;
    default:
      return `${word(random)} Token`;
  }
}

function protocolName(random: Random): string {
  const suffix = random.below(3) > 0 ? ` ${SUFFIXES[random.below(SUFFIXES.length)]}` : '';
  const version = random.below(4) === 0 ? ` V${2 + random.below(3)}` : '';
  return `${word(random)}${suffix}${version}`;
}

function symbolName(random: Random): string {
  return word(random)
    .slice(0, 3 + random.below(3))
    .toUpperCase();
}

function word(random: Random): string {
  const parts = fill(2 + random.below(3), () => SYLLABLES[random.below(SYLLABLES.length)]!).join(
    '',
  );
  return parts[0]!.toUpperCase() + parts.slice(1);
}

/** Picks a few items very often, and most rarely. */
function often<T>(random: Random, items: readonly T[]): T {
  const share = random.below(2 ** 30) / 2 ** 30;
  return items[Math.floor(items.length * share ** 3)]!;
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

function fill<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
