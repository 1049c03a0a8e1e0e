import { joinPath } from '../problem.ts';
import { entries } from './entries.ts';
import type { Review } from './review.ts';

/** Checks that no vault is listed twice. One vault belongs to one family; the same address on another chain is another contract. */
export function checkVaults({ families, fail, otherPlace }: Review): void {
  const first = new Map<string, string>();
  for (const { entry, path } of families) {
    for (const chain of entries(entry, 'chains', path)) {
      const own = typeof chain.entry.address === 'string';
      const named = own ? joinPath(chain.path, 'address') : joinPath(path, 'address');
      const further = Array.isArray(chain.entry.vaults) ? chain.entry.vaults : [];
      checkVault(chain.entry.chain, own ? chain.entry.address : entry.address, named);
      further.forEach((vault: unknown, index) => {
        checkVault(chain.entry.chain, vault, joinPath(joinPath(chain.path, 'vaults'), index));
      });
    }
  }

  function checkVault(chain: unknown, address: unknown, path: string): void {
    if (typeof address !== 'string' || typeof chain !== 'number') return;
    const key = `${chain} ${address.toLowerCase()}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, path);
    else if (earlier !== path) {
      const change = 'remove one of the two or change its address';
      const other = otherPlace(path, earlier);
      fail(path, `is the same vault as ${other} on chain ${chain}; ${change}`);
    }
  }
}
