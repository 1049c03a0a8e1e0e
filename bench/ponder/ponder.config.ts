import { createConfig } from 'ponder';
import { parseAbi } from 'viem';

const vaultAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  'event RedeemRequest(address indexed receiver, address indexed owner, uint256 assets, uint256 shares, bool indexed instant)',
  'event RequestFulfilled(address indexed receiver, uint256 shares, uint256 assets)',
  'event RequestCancelled(address indexed receiver, uint256 shares, uint256 assets)',
]);
const oracleAbi = parseAbi([
  'event SharePriceUpdated(address indexed vault, uint256 price, uint64 timestamp)',
]);

const url = process.env.BENCH_RPC_URL as string;
const urls = Number(process.env.BENCH_RPC_URLS);
const endBlock = Number(process.env.BENCH_END_BLOCK);

export default createConfig({
  database: { kind: 'postgres', connectionString: process.env.DATABASE_URL as string },
  chains: {
    bench: { id: 8453, rpc: urls === 1 ? url : new Array<string>(urls).fill(url) },
  },
  contracts: {
    Vault: {
      abi: vaultAbi,
      chain: 'bench',
      address: process.env.BENCH_VAULT as `0x${string}`,
      startBlock: 0,
      endBlock,
    },
    Oracle: {
      abi: oracleAbi,
      chain: 'bench',
      address: process.env.BENCH_ORACLE as `0x${string}`,
      startBlock: 0,
      endBlock,
    },
  },
});
