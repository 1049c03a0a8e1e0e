import type { LocalChain } from './chain.ts';
import {
  createRatedActs,
  DAYS_OF_RATED_PLAY,
  familyOf,
  type RatedPlan,
  type RatedSystem,
  type RatedWorld,
} from './ratedActs.ts';
import { configOf } from './scenario.ts';
import type { Played } from './testScenario.ts';

export interface RatedPlayed extends Played {
  readonly chain: LocalChain;
  readonly systems: readonly RatedSystem[];
}

/** Creates a family with a record of its acts. */
export function startRated(world: RatedWorld, plan: RatedPlan): Omit<RatedSystem, 'live'> {
  const { family, place } = familyOf(world.chain, plan);
  const acts = createRatedActs(family, place, world.book);
  const { preset, contracts } = plan;
  return { family, place, preset, contracts, acts };
}

/** Plays acts on all systems in turns over ten days. */
export async function playTurns(
  world: RatedWorld,
  systems: readonly RatedSystem[],
  turns = 4,
): Promise<RatedPlayed> {
  const { chain } = world;
  let turn = 0;
  const wait = Math.floor((DAYS_OF_RATED_PLAY * 86_400) / turns) - 3_600;
  while (turn < turns) {
    chain.advance(turn === 0 ? 60 : wait);
    await live();
  }
  return {
    chain,
    systems,
    families: systems.map(({ family }) => family),
    book: world.book,
    async goOn() {
      chain.advance(600);
      await live();
    },
  };

  async function live(): Promise<void> {
    for (const system of systems) await system.live(turn);
    turn += 1;
  }
}

/** Returns a configuration with one system alone, and with overrides of its preset. */
export function fileOf(system: RatedSystem, overrides: Readonly<Record<string, unknown>> = {}) {
  const { family, place } = system;
  const rated = { ...(place.keys?.rated as object | undefined), ...overrides };
  const changed = { ...place, keys: { ...place.keys, rated } };
  const book = undefined as never;
  return configOf({ families: [{ ...family, places: [changed] }], book });
}
