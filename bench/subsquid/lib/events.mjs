import { event, indexed, keccak256 } from '@subsquid/evm-abi';
import { address, bool, uint64, uint256 } from '@subsquid/evm-codec';

const VAULT = process.env.BENCH_VAULT.toLowerCase();
const ZERO = '0x0000000000000000000000000000000000000000';

/** Events by topic, each with its row and its changes to accounts. */
export const kinds = new Map(
  [
    kind(
      'Transfer(address,address,uint256)',
      { from: indexed(address), to: indexed(address), value: uint256 },
      ({ from, to, value }) => ({
        row: { wallet: to, shares: value },
        // Other events in the same transaction account for minted, burned, and escrowed shares.
        changes: [from, to].some((side) => side === ZERO || side === VAULT)
          ? []
          : [
              { wallet: from, shares: -value },
              { wallet: to, shares: value },
            ],
      }),
    ),
    kind(
      'Deposit(address,address,uint256,uint256)',
      { sender: indexed(address), owner: indexed(address), assets: uint256, shares: uint256 },
      ({ owner, assets, shares }) => ({
        row: { wallet: owner, assets, shares },
        changes: [{ wallet: owner, shares, deposited: assets }],
      }),
    ),
    kind(
      'Withdraw(address,address,address,uint256,uint256)',
      {
        sender: indexed(address),
        receiver: indexed(address),
        owner: indexed(address),
        assets: uint256,
        shares: uint256,
      },
      ({ receiver, assets, shares }) => ({
        row: { wallet: receiver, assets, shares },
        changes: [{ wallet: receiver, shares: -shares, withdrawn: assets }],
      }),
    ),
    kind(
      'RedeemRequest(address,address,uint256,uint256,bool)',
      {
        receiver: indexed(address),
        owner: indexed(address),
        assets: uint256,
        shares: uint256,
        instant: indexed(bool),
      },
      ({ receiver, assets, shares, instant }) => ({
        row: { wallet: receiver, assets, shares, instant },
        changes: [{ wallet: receiver }],
      }),
    ),
    kind('RequestFulfilled(address,uint256,uint256)', requestArguments(), endOfRequest),
    kind('RequestCancelled(address,uint256,uint256)', requestArguments(), endOfRequest),
    kind(
      'SharePriceUpdated(address,uint256,uint64)',
      { vault: indexed(address), price: uint256, timestamp: uint64 },
      ({ vault, price }) => ({ row: { wallet: vault, assets: price }, changes: [] }),
    ),
  ].map((each) => [each.topic, each]),
);

function kind(signature, parameters, read) {
  const topic = `0x${keccak256(signature).toString('hex')}`;
  const decoder = event(topic, signature, parameters);
  const name = signature.slice(0, signature.indexOf('('));
  return { name, topic, read: (log) => read(decoder.decode(log)) };
}

function requestArguments() {
  return { receiver: indexed(address), shares: uint256, assets: uint256 };
}

function endOfRequest({ receiver, assets, shares }) {
  return { row: { wallet: receiver, assets, shares }, changes: [{ wallet: receiver }] };
}
