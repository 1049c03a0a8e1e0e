import { type Static, Type } from 'typebox';
import type { BilledMethod, ComputeUnits } from './config.ts';
import { mapping, whole } from './schemaFields.ts';

/** Alchemy's units, as documented in 2026. */
const DEFAULT_UNITS = {
  eth_getLogs: 60,
  eth_call: 26,
  eth_getBlockByNumber: 20,
  eth_chainId: 0,
} as const;

const units = (method: BilledMethod, least = 1) =>
  whole(least, 1_000_000, { description: `Units of one ${method}.`, examples: [80] });

export const computeUnits = mapping(
  {
    perSecond: whole(1, 100_000_000, {
      description: 'Maximum units per second to each of its URLs while indexing.',
      examples: [500],
    }),
    methods: Type.Optional(
      mapping(
        {
          eth_getLogs: units('eth_getLogs'),
          eth_call: units('eth_call'),
          eth_getBlockByNumber: units('eth_getBlockByNumber'),
          eth_getCode: Type.Optional(units('eth_getCode')),
          eth_getStorageAt: Type.Optional(units('eth_getStorageAt')),
          eth_chainId: Type.Optional(units('eth_chainId', 0)),
        },
        'Units per call, from the price list of the provider. Default: those of Alchemy. A method that is left out costs as much as `eth_call`.',
      ),
    ),
  },
  'The rate of a plan that is billed in compute units or credits. Excludes `callsPerSecond`.',
);

export function toComputeUnits({
  perSecond,
  methods = DEFAULT_UNITS,
}: Static<typeof computeUnits>): ComputeUnits {
  const { eth_call } = methods;
  const unlisted = { eth_getCode: eth_call, eth_getStorageAt: eth_call, eth_chainId: eth_call };
  return { perSecond, methods: { ...unlisted, ...methods } };
}
