import { eventTopic, fn, topicAddress, wordAt } from '../../chain/abi.ts';
import { mulDivDown, unit } from '../../domain/amount.ts';
import { readPlain } from '../erc4626/index.ts';
import type { Adapter } from '../kind.ts';
import { DEPOSIT, decodeVaultLog, TRANSFER, WITHDRAW } from '../vaultLogs.ts';

const REDEEM_REQUEST = eventTopic(
  'event RedeemRequest(address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares)',
);
const balanceOf = fn('balanceOf(address)');

/**
 * ERC-7540: a redemption is requested, becomes claimable and is claimed by its controller, whose Withdraw is
 * the exit. Shares of open requests stand in the vault. The share token may be a contract of its own.
 */
export const erc7540: Adapter = {
  priceRule: 'traded',
  wantedLogs: ({ family, share }) => ({
    addresses: [...new Set([family.address, share])],
    topics: [DEPOSIT, WITHDRAW, TRANSFER, REDEEM_REQUEST],
  }),
  decode(log, place, vault) {
    if (log.address !== vault.family.address && log.address !== vault.share) return undefined;
    const [topic, controller, owner, id] = log.topics;
    if (topic !== REDEEM_REQUEST) return decodeVaultLog(log, place);
    if (controller === undefined || owner === undefined) return undefined;
    const requestId = BigInt(id ?? 0);
    return {
      kind: 'redeem-request',
      place,
      txHash: log.transactionHash,
      receiver: topicAddress(controller),
      owner: topicAddress(owner),
      assets: null,
      shares: wordAt(log.data, 1),
      // 0 says that the vault counts a controller's requests together.
      ...(requestId > 0n && { requestId }),
    };
  },
  read(vault) {
    const plain = readPlain(vault);
    const escrow = { to: vault.share, data: balanceOf(vault.family.address) };
    return {
      first: [...plain.first, escrow],
      second: () => [],
      state(first, second) {
        const state = plain.state(first, second);
        const escrowed = first.at(-1);
        if (state === null || !escrowed) return null;
        const shares = wordAt(escrowed, 0);
        if (shares > 0n && state.sharePrice === null) return null;
        const owed = mulDivDown(shares, state.sharePrice ?? 0n, unit(vault.shareDecimals));
        return { ...state, pendingRedemptionAssets: owed };
      },
    };
  },
};
