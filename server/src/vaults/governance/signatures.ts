import type { AdapterName } from '../../config/config.ts';
import type { ChangeKind } from '../../domain/governance/change.ts';

/** Signatures of events by the kind of change that they report. */
export type Signatures = Partial<Readonly<Record<ChangeKind, readonly string[]>>>;

// The names of the fields say what they are, and don't change the topic. subject, oldValue, newValue: as in GovernanceChange;
// several are joined by commas. at: effectiveAt. delay: seconds until then. vault, target: the event counts only if this is a
// contract of the family. All other names are ignored.

/** OpenZeppelin and solmate: any contract can have these. */
const COMMON: Signatures = {
  owner: [
    'OwnershipTransferStarted(address indexed oldValue, address indexed newValue)',
    'OwnershipTransferred(address indexed oldValue, address indexed newValue)',
    'DefaultAdminTransferScheduled(address indexed newValue, uint48 at)',
    'DefaultAdminTransferCanceled()',
  ],
  role: [
    'RoleGranted(bytes32 indexed subject, address indexed newValue, address indexed sender)',
    'RoleRevoked(bytes32 indexed subject, address indexed oldValue, address indexed sender)',
    'RoleAdminChanged(bytes32 indexed subject, bytes32 indexed oldValue, bytes32 indexed newValue)',
    'AuthorityUpdated(address newValue)',
    'AuthorityUpdated(address indexed user, address indexed newValue)',
  ],
  pause: [
    'Paused(address account)',
    'Unpaused(address account)',
    'Paused()',
    'Unpaused()',
    'Paused(uint256 newValue)',
  ],
  timelock: [
    'DefaultAdminDelayChangeScheduled(uint48 newValue, uint48 at)',
    'DefaultAdminDelayChangeCanceled()',
  ],
  upgrade: [
    'Upgraded(address indexed newValue)',
    'BeaconUpgraded(address indexed newValue)',
    'AdminChanged(address oldValue, address newValue)',
  ],
};

/** MetaMorpho names a market by its id, Euler Earn by its address; all else is the same. */
const CURATED: Signatures = {
  curator: ['SetCurator(address indexed newValue)'],
  role: [
    'SetIsAllocator(address indexed subject, bool newValue)',
    'SubmitGuardian(address indexed newValue)',
    'SetGuardian(address indexed caller, address indexed newValue)',
    'RevokePendingGuardian(address indexed caller)',
  ],
  cap: [
    'SubmitCap(address indexed caller, bytes32 indexed subject, uint256 newValue)',
    'SetCap(address indexed caller, bytes32 indexed subject, uint256 newValue)',
    'RevokePendingCap(address indexed caller, bytes32 indexed subject)',
    'SubmitCap(address indexed caller, address indexed subject, uint256 newValue)',
    'SetCap(address indexed caller, address indexed subject, uint256 newValue)',
    'RevokePendingCap(address indexed caller, address indexed subject)',
  ],
  allocation: [
    'SubmitMarketRemoval(address indexed caller, bytes32 indexed subject)',
    'RevokePendingMarketRemoval(address indexed caller, bytes32 indexed subject)',
    'SetSupplyQueue(address indexed caller, bytes32[] newValue)',
    'SetWithdrawQueue(address indexed caller, bytes32[] newValue)',
    'SubmitMarketRemoval(address indexed caller, address indexed subject)',
    'RevokePendingMarketRemoval(address indexed caller, address indexed subject)',
    'SetSupplyQueue(address indexed caller, address[] newValue)',
    'SetWithdrawQueue(address indexed caller, address[] newValue)',
  ],
  fee: [
    'SetFee(address indexed caller, uint256 newValue)',
    'SetFeeRecipient(address indexed newValue)',
    'SetSkimRecipient(address indexed newValue)',
  ],
  timelock: [
    'SubmitTimelock(uint256 newValue)',
    'SetTimelock(address indexed caller, uint256 newValue)',
    'RevokePendingTimelock(address indexed caller)',
  ],
};

const MORPHO_V2: Signatures = {
  owner: ['SetOwner(address indexed newValue)'],
  role: ['SetIsSentinel(address indexed subject, bool newValue)'],
  cap: [
    'IncreaseAbsoluteCap(bytes32 indexed subject, bytes idData, uint256 newValue)',
    'DecreaseAbsoluteCap(address indexed sender, bytes32 indexed subject, bytes idData, uint256 newValue)',
    'IncreaseRelativeCap(bytes32 indexed subject, bytes idData, uint256 newValue)',
    'DecreaseRelativeCap(address indexed sender, bytes32 indexed subject, bytes idData, uint256 newValue)',
    'SetMaxRate(uint256 newValue)',
  ],
  allocation: [
    'AddAdapter(address indexed newValue)',
    'RemoveAdapter(address indexed oldValue)',
    'SetAdapterRegistry(address indexed newValue)',
    'SetLiquidityAdapterAndData(address indexed sender, address indexed newValue, bytes indexed data)',
  ],
  fee: [
    'SetPerformanceFee(uint256 newValue)',
    'SetManagementFee(uint256 newValue)',
    'SetPerformanceFeeRecipient(address indexed newValue)',
    'SetManagementFeeRecipient(address indexed newValue)',
    'SetForceDeallocatePenalty(address indexed subject, uint256 newValue)',
  ],
  timelock: [
    'Submit(bytes4 indexed subject, bytes newValue, uint256 at)',
    'Accept(bytes4 indexed subject, bytes newValue)',
    'Revoke(address indexed sender, bytes4 indexed subject, bytes oldValue)',
    'IncreaseTimelock(bytes4 indexed subject, uint256 newValue)',
    'DecreaseTimelock(bytes4 indexed subject, uint256 newValue)',
    'Abdicate(bytes4 indexed subject)',
  ],
  access: [
    'SetReceiveSharesGate(address indexed newValue)',
    'SetSendSharesGate(address indexed newValue)',
    'SetReceiveAssetsGate(address indexed newValue)',
    'SetSendAssetsGate(address indexed newValue)',
  ],
};

const YEARN: Signatures = {
  owner: [
    'UpdateFutureRoleManager(address indexed newValue)',
    'UpdateRoleManager(address indexed newValue)',
    'UpdatePendingManagement(address indexed newValue)',
    'UpdateManagement(address indexed newValue)',
  ],
  role: [
    'RoleSet(address indexed subject, uint256 indexed newValue)',
    'UpdateKeeper(address indexed newValue)',
    'UpdateEmergencyAdmin(address indexed newValue)',
  ],
  cap: [
    'UpdateDepositLimit(uint256 newValue)',
    'UpdateDepositLimitModule(address indexed newValue)',
    'UpdateWithdrawLimitModule(address indexed newValue)',
    'UpdatedMaxDebtForStrategy(address indexed sender, address indexed subject, uint256 newValue)',
    'UpdateMinimumTotalIdle(uint256 newValue)',
  ],
  allocation: [
    'StrategyChanged(address indexed subject, uint256 indexed newValue)',
    'UpdateDefaultQueue(address[] newValue)',
    'UpdateAutoAllocate(bool newValue)',
  ],
  fee: [
    'UpdateAccountant(address indexed newValue)',
    'UpdatePerformanceFee(uint16 newValue)',
    'UpdatePerformanceFeeRecipient(address indexed newValue)',
  ],
  pause: ['Shutdown()', 'StrategyShutdown()', 'UpdatePaused(bool newValue)'],
  other: ['UpdateProfitMaxUnlockTime(uint256 newValue)'],
};

const CONCRETE: Signatures = {
  cap: [
    'DepositLimitsUpdated(uint256 newValue, uint256 newValue2)',
    'WithdrawLimitsUpdated(uint256 newValue, uint256 newValue2)',
  ],
  fee: [
    'ManagementFeeUpdated(uint16 newValue)',
    'PerformanceFeeUpdated(uint16 newValue)',
    'ManagementFeeRecipientUpdated(address newValue)',
    'PerformanceFeeRecipientUpdated(address newValue)',
  ],
  allocation: [
    'StrategyAdded(address newValue)',
    'StrategyRemoved(address oldValue)',
    'StrategyHalted(address subject)',
    'StrategyStatusToggled(address indexed subject)',
  ],
  access: ['QueueActiveToggled(bool newValue)'],
};

/** IPOR Fusion, Ethena, and Spark. */
const FURTHER_VAULTS: Signatures = {
  cap: [
    'TotalSupplyCapChanged(uint256 newValue)',
    'DepositCapSet(uint256 oldValue, uint256 newValue)',
  ],
  fee: [
    'PerformanceFeeDataConfigured(address subject, uint256 newValue)',
    'ManagementFeeDataConfigured(address subject, uint256 newValue)',
  ],
  oracle: ['PriceOracleMiddlewareChanged(address newValue)'],
  other: [
    'WithdrawManagerChanged(address newValue)',
    'CooldownDurationUpdated(uint24 oldValue, uint24 newValue)',
    'VsrSet(address indexed sender, uint256 oldValue, uint256 newValue)',
  ],
};

/** Rates are 2 values in 0.5 and 5 in 0.6. */
const LAGOON: Signatures = {
  role: [
    'ValuationManagerUpdated(address oldValue, address newValue)',
    'WhitelistManagerUpdated(address oldValue, address newValue)',
    'SafeUpdated(address oldValue, address newValue)',
    'SecurityCouncilUpdated(address oldValue, address newValue)',
    'SuperOperatorUpdated(address oldValue, address newValue)',
  ],
  cap: ['MaxCapUpdated(uint256 oldValue, uint256 newValue)'],
  fee: [
    'FeeReceiverUpdated(address oldValue, address newValue)',
    'RatesUpdated((uint16, uint16) oldValue, (uint16, uint16) newValue, uint256 at)',
    'RatesUpdated((uint16, uint16, uint16, uint16, uint16) oldValue, (uint16, uint16, uint16, uint16, uint16) newValue, uint256 at)',
  ],
  oracle: [
    'GuardrailsUpdated((uint256, int256) oldValue, (uint256, int256) newValue)',
    'GuardrailsStatusUpdated(bool newValue)',
    'TotalAssetsLifespanUpdated(uint128 oldValue, uint128 newValue)',
  ],
  pause: ['StateUpdated(uint8 newValue)'],
  access: ['AccessModeUpdated(uint8 newValue)', 'AsyncOnlyActivated()'],
};

const YO: Signatures = {
  fee: [
    'WithdrawFeeUpdated(uint256 oldValue, uint256 newValue)',
    'DepositFeeUpdated(uint256 oldValue, uint256 newValue)',
    'FeeRecipientUpdated(address oldValue, address newValue)',
  ],
  oracle: [
    'UpdaterChanged(address indexed oldValue, address indexed newValue)',
    'AssetConfigUpdated(address indexed vault, uint32 newValue, uint32 newValue2)',
  ],
};

/** Contracts next to a vault: they are read where the file names them under watch. */
const BESIDE: Signatures = {
  owner: [
    'AddedOwner(address newValue)',
    'AddedOwner(address indexed newValue)',
    'RemovedOwner(address oldValue)',
    'RemovedOwner(address indexed oldValue)',
    'ChangedThreshold(uint256 newValue)',
  ],
  role: [
    'UserRoleUpdated(address indexed subject, uint8 indexed subject2, bool newValue)',
    'RoleCapabilityUpdated(uint8 indexed subject, address indexed target, bytes4 indexed subject2, bool newValue)',
    'PublicCapabilityUpdated(address indexed target, bytes4 indexed subject, bool newValue)',
    'RoleGranted(uint64 indexed subject, address indexed newValue, uint32 executionDelay, uint48 at, bool isNew)',
    'RoleRevoked(uint64 indexed subject, address indexed oldValue)',
    'RoleAdminChanged(uint64 indexed subject, uint64 indexed newValue)',
    'RoleGuardianChanged(uint64 indexed subject, uint64 indexed newValue)',
    'TargetFunctionRoleUpdated(address indexed target, bytes4 subject, uint64 indexed newValue)',
    'EnabledModule(address newValue)',
    'EnabledModule(address indexed newValue)',
    'DisabledModule(address oldValue)',
    'DisabledModule(address indexed oldValue)',
  ],
  pause: ['TargetClosed(address indexed target, bool newValue)'],
  timelock: [
    'CallScheduled(bytes32 indexed subject, uint256 indexed index, address target, uint256 value, bytes newValue, bytes32 predecessor, uint256 delay)',
    'CallExecuted(bytes32 indexed subject, uint256 indexed index, address target, uint256 value, bytes newValue)',
    'Cancelled(bytes32 indexed subject)',
    'MinDelayChange(uint256 oldValue, uint256 newValue)',
    'OperationScheduled(bytes32 indexed subject, uint32 indexed nonce, uint48 at, address caller, address target, bytes newValue)',
    'OperationExecuted(bytes32 indexed subject, uint32 indexed nonce)',
    'OperationCanceled(bytes32 indexed subject, uint32 indexed nonce)',
    'RoleGrantDelayChanged(uint64 indexed subject, uint32 newValue, uint48 at)',
    'TargetAdminDelayUpdated(address indexed target, uint32 newValue, uint48 at)',
  ],
};

const VEDA: Signatures = {
  cap: [
    'DepositCapSet(uint112 newValue)',
    'WithdrawCapacityUpdated(address indexed subject, uint256 newValue)',
  ],
  fee: [
    'PlatformFeeUpdated(uint16 oldValue, uint16 newValue)',
    'PerformanceFeeUpdated(uint16 oldValue, uint16 newValue)',
    'PayoutAddressUpdated(address oldValue, address newValue)',
  ],
  oracle: [
    'UpperBoundUpdated(uint16 oldValue, uint16 newValue)',
    'LowerBoundUpdated(uint16 oldValue, uint16 newValue)',
    'DelayInSecondsUpdated(uint24 oldValue, uint24 newValue)',
    'RateProviderUpdated(address subject, bool isPegged, address newValue)',
  ],
  role: ['ManageRootUpdated(address indexed subject, bytes32 oldValue, bytes32 newValue)'],
  access: [
    'AssetDataUpdated(address indexed subject, bool newValue, bool newValue2, uint16 newValue3)',
  ],
};

/** Ondo, Spiko, Superstate, Securitize, Midas, and Mellow. */
const FUNDS: Signatures = {
  fee: [
    'MintFeeSet(uint256 oldValue, uint256 newValue)',
    'RedemptionFeeSet(uint256 oldValue, uint256 newValue)',
    'FeeUpdated(uint256 newValue)',
    'SetFees(uint24 newValue, uint24 newValue2, uint24 newValue3, uint24 newValue4)',
    'SetFeeRecipient(address indexed newValue)',
    'SetTokensReceiver(address indexed caller, address indexed newValue)',
  ],
  cap: [
    'DailyLimitUpdated(address indexed subject, uint256 newValue)',
    'MinimumUpdated(address indexed subject, uint256 newValue)',
    'SetMaxSupplyCap(address indexed caller, uint256 newValue)',
    'SetVaultLimit(int256 newValue)',
    'SetSubvaultLimit(address indexed subject, int256 newValue)',
  ],
  oracle: [
    'NewPricerSet(address oldValue, address newValue)',
    'SetOracle(address oldValue, address newValue)',
    'SetMaximumOracleDelay(uint256 oldValue, uint256 newValue)',
  ],
  pause: [
    'SubscriptionPaused(address account)',
    'RedemptionPaused(address account)',
    'AccountingPaused(address account)',
    'Pause()',
    'Unpause()',
    'PauseFn(address indexed caller, bytes4 subject)',
    'UnpauseFn(address indexed caller, bytes4 subject)',
    'SetQueueStatus(address indexed subject, bool indexed newValue)',
  ],
  role: [
    'GroupAdded(address indexed subject, uint8 indexed newValue)',
    'GroupRemoved(address indexed subject, uint8 indexed oldValue)',
    'DSTrustServiceRoleAdded(address subject, uint8 newValue, address sender)',
    'DSTrustServiceRoleRemoved(address subject, uint8 oldValue, address sender)',
    'SetRequestRedeemer(address indexed caller, address newValue)',
  ],
  allocation: ['SetMerkleRoot(bytes32 newValue)'],
  access: ['EnableOutput(address indexed subject, address subject2, bool newValue)'],
  other: ['SetRedemptionContract(address oldValue, address newValue)'],
};

/** Lido, wBETH, ether.fi, Kinetiq, Kelp, Liquid Collective, StakeWise, and Upshift. */
const STAKING: Signatures = {
  owner: ['AdminUpdated(address indexed caller, address indexed newValue)'],
  role: ['OperatorUpdated(address indexed oldValue, address indexed newValue)'],
  upgrade: ['LidoLocatorSet(address newValue)'],
  fee: [
    'UnstakeFeeRateUpdated(uint256 newValue)',
    'SetGlobalFee(uint256 newValue)',
    'FeePercentUpdated(address indexed caller, uint16 newValue)',
    'UpdatedFeeRecipient(address newValue)',
    'SetCollector(address newValue)',
    'SetCollector(address indexed newValue)',
  ],
  cap: [
    'StakingLimitUpdated(uint256 newValue)',
    'StakingLimitSet(uint256 newValue, uint256 newValue2)',
    'MaxExternalRatioBPSet(uint256 newValue)',
    'AssetDepositLimitUpdate(address subject, uint256 newValue)',
  ],
  oracle: [
    'OracleUpdated(address indexed newValue)',
    'AssetPriceOracleUpdate(address indexed subject, address indexed newValue)',
  ],
  pause: [
    'StakingPaused()',
    'StakingResumed()',
    'Resumed()',
    'BunkerModeEnabled(uint256 newValue)',
    'StakingPaused(address indexed subject)',
    'WithdrawalPaused(address indexed subject)',
    'DepositWithdrawalStatusChanged(bool newValue, bool newValue2)',
  ],
  timelock: ['WithdrawalDelayUpdated(uint256 newValue)'],
};

/** The events that are read, by the kind of vault. */
export const SIGNATURES: Readonly<Record<AdapterName, readonly Signatures[]>> = {
  erc4626: [COMMON, CURATED, MORPHO_V2, YEARN, CONCRETE, FURTHER_VAULTS],
  erc7540: [COMMON, LAGOON],
  'receiver-queue': [COMMON, YO],
  rated: [COMMON, BESIDE, VEDA, CONCRETE, FUNDS, STAKING],
};
