export { createRpcSigner, type RpcSignerOptions } from './rpcSigner.ts';
