import type { TSchema } from 'typebox';
import type {
  ChainConfig,
  Config,
  FamilyChainConfig,
  FamilyConfig,
} from '../../../config/config.ts';
import type { RouteParameter, RouteRequest } from '../../route.ts';
import type { AssetPair } from '../../vault/familyAssets.ts';

/** How an operation of the previous API is answered with one of today's: the same figures in another shape. */
export interface BridgeSpec<Answer> {
  /** The operationId of today. */
  readonly from: string;
  /** What that operation is asked; its limits are those of its own parameters. */
  asked(place: KnownPlace): Asked;
  /** The schema of `data`. */
  readonly data: TSchema;
  readonly example: unknown;
  /** What a reader must know besides the shape. */
  readonly words: string;
  /** Besides those in the path. */
  readonly parameters?: readonly RouteParameter[];
  /** `data`, from the answer of today. Throws NotReady where a figure that the shape cannot do without is unknown. */
  present(answer: Answer, context: BridgeContext<Answer>): unknown;
}

export type Bridge = BridgeSpec<unknown>;

/** A vault that a previous URL names, all of it known. */
export interface KnownPlace {
  readonly chain: Pick<ChainConfig, 'chainId' | 'name'>;
  readonly family: FamilyConfig;
  /** The family on that chain. */
  readonly home: FamilyChainConfig;
  /** Checksummed; empty where the route names none. */
  readonly wallet: string;
}

export interface Asked {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

export interface BridgeContext<Answer> {
  readonly place: KnownPlace;
  /** The request as it came. */
  readonly request: RouteRequest;
  readonly chains: Config['chains'];
  /** The same question with more in its query. */
  askAgain(query: Readonly<Record<string, string>>): Promise<Answer>;
  /** The two tokens there. */
  loadAssets(): Promise<AssetPair>;
}

/** What a bridge asks for is what it presents: nobody else looks at the answer. */
export function defineBridge<Answer>(spec: BridgeSpec<Answer>): Bridge {
  return spec as Bridge;
}
