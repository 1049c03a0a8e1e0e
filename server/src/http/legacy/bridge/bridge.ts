import type { TSchema } from 'typebox';
import type {
  ChainConfig,
  Config,
  FamilyChainConfig,
  FamilyConfig,
} from '../../../config/config.ts';
import type { RouteParameter, RouteRequest } from '../../route.ts';
import type { AssetPair } from '../../vault/familyAssets.ts';

/** Maps an operation of the legacy API to a current one: the same values in another format. */
export interface BridgeSpec<Answer> {
  /** The operationId of the current operation. */
  readonly from: string;
  /** The parameters of that operation; its own limits apply. */
  asked(deployment: KnownDeployment): Asked;
  /** The schema of `data`. */
  readonly data: TSchema;
  readonly example: unknown;
  /** Notes for the reader besides the schema. */
  readonly words: string;
  /** In addition to those in the path. */
  readonly parameters?: readonly RouteParameter[];
  /** Creates `data` from the current response. Throws NotReady if a required value is unknown. */
  present(answer: Answer, context: BridgeContext<Answer>): unknown;
}

export type Bridge = BridgeSpec<unknown>;

/** A vault that a legacy URL names, completely resolved. */
export interface KnownDeployment {
  readonly chain: Pick<ChainConfig, 'chainId' | 'name'>;
  readonly family: FamilyConfig;
  /** The family on that chain. */
  readonly familyChain: FamilyChainConfig;
  /** Checksummed; empty if the route has none. */
  readonly wallet: string;
}

export interface Asked {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

export interface BridgeContext<Answer> {
  readonly deployment: KnownDeployment;
  /** The request as received. */
  readonly request: RouteRequest;
  readonly chains: Config['chains'];
  /** The same request with additional query parameters. */
  askAgain(query: Readonly<Record<string, string>>): Promise<Answer>;
  /** The two tokens there. */
  loadAssets(): Promise<AssetPair>;
}

/** Erases the type of the response: only the bridge itself uses it. */
export function defineBridge<Answer>(spec: BridgeSpec<Answer>): Bridge {
  return spec as Bridge;
}
