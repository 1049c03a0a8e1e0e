export {
  type ChainOptions,
  createChain,
  type DevChain,
  type Head,
  type ReorgBlock,
  ReorgTooDeep,
  type Transaction,
} from './chain.ts';
export {
  type Artifact,
  type Artifacts,
  CompileError,
  compileFolder,
  loadArtifacts,
} from './compile.ts';
export { type DemoOptions, demoConfig, demoDescription, writeDemoFiles } from './demoFiles.ts';
export { RpcFailure } from './jsonRpc.ts';
export { type Live, type LiveOptions, reorgWorld, startLive, step } from './live.ts';
export * from './provider/index.ts';
export type { RpcServer } from './rpcServer.ts';
export type { Extras } from './scene.ts';
export { type ServeOptions, serveWorld } from './serve.ts';
export { deriveWallet, type Wallet } from './wallet.ts';
export {
  buildSmallWorld,
  buildWorld,
  UnknownChain,
  type World,
  type WorldChain,
  type WorldFamily,
  type WorldOptions,
} from './world.ts';
