// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

// A model of Centrifuge's liquidity pools v2, written for these tests. It claims:
// - One share token (ERC-7575) with a vault for each asset, and one escrow for all of them. VaultUpdate on the share
//   names the vaults. Each vault's totalAssets() is the entire supply, in its own asset, at its own price.
// - Requests have no number: it is always 0. The issuer, on another chain, prices, fulfills in part, and cancels.
// - Deposit shares are minted to the escrow until they are claimed. Redeemed shares go to the escrow at the request
//   and are burned when fulfilled; the assets wait in the escrow. Cancelled shares and assets stay there until claimed.
// - Fulfillments at several prices are averaged: what is claimable in one unit follows from what is left in the other,
//   rounded down. Claims of shares or assets round what they take up in 18 digits, then cut to the token's digits.
// - Deposit is (receiver, controller), so its `owner` is not the wallet that got the shares.
// - The issuer can queue a user's shares: first unclaimed ones, without any Transfer, then those in the wallet.
//   TriggerRedeemRequest is on the manager, RedeemRequest on the vault with the manager as sender.
// - Shares that come from another chain are minted without any Deposit.
// - Amounts from 2^128 on revert, and so do conversions before the first price. Previews revert.
// Left out: the gateway and its messages, restrictions of transfers, permits, endorsed operators, factories, wards.

contract CentrifugeEscrow {
    address private immutable _owner = msg.sender;

    function approveMax(IERC20 token, address spender) external {
        require(msg.sender == _owner, "not the owner");
        token.approve(spender, type(uint256).max);
    }
}

contract CentrifugeShare is ERC20 {
    address private immutable _pools = msg.sender;
    address private immutable _investments;
    uint8 private immutable _decimals;
    mapping(address asset => address) public vault;
    mapping(address => bool) private _isVault;

    event VaultUpdate(address indexed asset, address vault);

    modifier trusted() {
        require(msg.sender == _pools || msg.sender == _investments || _isVault[msg.sender], "not trusted");
        _;
    }

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address investments)
        ERC20(name_, symbol_)
    {
        (_decimals, _investments) = (decimals_, investments);
    }

    function updateVault(address asset, address vault_) external trusted {
        vault[asset] = vault_;
        _isVault[vault_] = true;
        emit VaultUpdate(asset, vault_);
    }

    function mint(address to, uint256 shares) external trusted {
        _mint(to, shares);
        SafeCast.toUint128(totalSupply());
    }

    function burn(address from, uint256 shares) external trusted {
        _burn(from, shares);
    }

    /// On behalf of the sender.
    function authTransferFrom(address sender, address from, address to, uint256 shares) external trusted {
        if (sender != from) _spendAllowance(from, sender, shares);
        _transfer(from, to, shares);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0xf815c03d || id == 0x01ffc9a7;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(to != address(this), "sent to the token");
        super._update(from, to, value);
    }
}

/// Pools, their shares and vaults, and prices.
contract CentrifugePoolManager {
    struct Price {
        uint128 value;
        uint64 computedAt;
    }

    address private immutable _issuer = msg.sender;
    CentrifugeEscrow public immutable escrow = new CentrifugeEscrow();
    CentrifugeInvestmentManager private immutable _investments;
    mapping(uint128 assetId => address) public idToAsset;
    mapping(uint64 pool => mapping(bytes16 tranche => CentrifugeShare)) public getTranche;
    mapping(uint64 pool => mapping(bytes16 tranche => mapping(address asset => Price))) private _prices;

    event PriceUpdate(
        uint64 indexed poolId, bytes16 indexed trancheId, address indexed asset, uint256 price, uint64 computedAt
    );
    event DeployVault(uint64 indexed poolId, bytes16 indexed trancheId, address indexed asset, address vault);

    modifier onlyIssuer() {
        require(msg.sender == _issuer, "not the issuer");
        _;
    }

    constructor(CentrifugeInvestmentManager investments) {
        _investments = investments;
    }

    function deployTranche(uint64 pool, bytes16 tranche, string calldata name, string calldata symbol, uint8 decimals)
        external
        onlyIssuer
    {
        CentrifugeShare share = new CentrifugeShare(name, symbol, decimals, address(_investments));
        getTranche[pool][tranche] = share;
        escrow.approveMax(share, address(_investments));
    }

    function addAsset(uint128 id, IERC20 asset) external onlyIssuer {
        idToAsset[id] = address(asset);
        escrow.approveMax(asset, address(_investments));
    }

    function deployVault(uint64 pool, bytes16 tranche, address asset) external onlyIssuer {
        CentrifugeShare share = getTranche[pool][tranche];
        address vault = address(new CentrifugeVault(pool, tranche, asset, share, address(escrow), _investments));
        share.updateVault(asset, vault);
        emit DeployVault(pool, tranche, asset, vault);
    }

    function updateTranchePrice(uint64 pool, bytes16 tranche, uint128 assetId, uint128 price, uint64 computedAt)
        external
        onlyIssuer
    {
        address asset = idToAsset[assetId];
        require(computedAt >= _prices[pool][tranche][asset].computedAt, "older than the last price");
        _prices[pool][tranche][asset] = Price(price, computedAt);
        emit PriceUpdate(pool, tranche, asset, price, computedAt);
    }

    function handleTransferTrancheTokens(uint64 pool, bytes16 tranche, address to, uint128 shares)
        external
        onlyIssuer
    {
        getTranche[pool][tranche].mint(to, shares);
    }

    function getVault(uint64 pool, bytes16 tranche, uint128 assetId) external view returns (address vault) {
        vault = getTranche[pool][tranche].vault(idToAsset[assetId]);
        require(vault != address(0), "no vault");
    }

    function getTranchePrice(uint64 pool, bytes16 tranche, address asset) external view returns (uint128, uint64) {
        Price memory price = _prices[pool][tranche][asset];
        require(price.computedAt > 0, "no price");
        return (price.value, price.computedAt);
    }
}

/// What each investor has in each state at each vault.
contract CentrifugeInvestmentManager {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;
    using Math for uint256;

    struct Stake {
        uint128 mintable;
        uint128 withdrawable;
        uint256 depositPrice;
        uint256 redeemPrice;
        uint128 pendingDeposit;
        uint128 pendingRedeem;
        uint128 returnableAssets;
        uint128 returnableShares;
        bool cancelsDeposit;
        bool cancelsRedeem;
    }

    address private immutable _issuer = msg.sender;
    address public escrow;
    CentrifugePoolManager public poolManager;
    mapping(address vault => mapping(address investor => Stake)) private _stakes;

    event TriggerRedeemRequest(
        uint64 indexed poolId, bytes16 indexed trancheId, address user, address asset, uint128 shares
    );

    modifier onlyIssuer() {
        require(msg.sender == _issuer, "not the issuer");
        _;
    }

    function setPoolManager(CentrifugePoolManager manager) external onlyIssuer {
        (poolManager, escrow) = (manager, address(manager.escrow()));
    }

    // A vault passes its own address, so any other caller only reaches the stakes of its own address.

    function requestDeposit(uint256 assets, address controller) external {
        Stake storage stake = _stakes[msg.sender][controller];
        require(assets > 0 && !stake.cancelsDeposit, "not now");
        convertToShares(CentrifugeVault(msg.sender), assets);
        stake.pendingDeposit += assets.toUint128();
    }

    function requestRedeem(uint256 shares, address controller) external {
        Stake storage stake = _stakes[msg.sender][controller];
        require(shares > 0 && !stake.cancelsRedeem, "not now");
        stake.pendingRedeem += shares.toUint128();
    }

    function cancelDepositRequest(address controller) external {
        Stake storage stake = _stakes[msg.sender][controller];
        require(stake.pendingDeposit > 0 && !stake.cancelsDeposit, "nothing to cancel");
        stake.cancelsDeposit = true;
    }

    function cancelRedeemRequest(address controller) external {
        Stake storage stake = _stakes[msg.sender][controller];
        require(stake.pendingRedeem > 0 && !stake.cancelsRedeem, "nothing to cancel");
        stake.cancelsRedeem = true;
    }

    function deposit(uint256 assets, address receiver, address controller) external returns (uint256 shares) {
        CentrifugeVault vault = CentrifugeVault(msg.sender);
        Stake storage stake = _stakes[msg.sender][controller];
        require(assets <= maxDeposit(vault, controller), "more than is ready");
        uint256 price = stake.depositPrice;
        shares = _sharesOf(vault, assets, price, Math.Rounding.Floor);
        _giveShares(vault, stake, _sharesOf(vault, assets, price, Math.Rounding.Ceil), shares, receiver);
    }

    function mint(uint256 shares, address receiver, address controller) external returns (uint256) {
        CentrifugeVault vault = CentrifugeVault(msg.sender);
        Stake storage stake = _stakes[msg.sender][controller];
        _giveShares(vault, stake, shares, shares, receiver);
        return _assetsOf(vault, shares, stake.depositPrice, Math.Rounding.Floor);
    }

    function redeem(uint256 shares, address receiver, address controller) external returns (uint256 assets) {
        CentrifugeVault vault = CentrifugeVault(msg.sender);
        Stake storage stake = _stakes[msg.sender][controller];
        require(shares <= maxRedeem(vault, controller), "more than is ready");
        uint256 price = stake.redeemPrice;
        assets = _assetsOf(vault, shares, price, Math.Rounding.Floor);
        _giveAssets(vault, stake, _assetsOf(vault, shares, price, Math.Rounding.Ceil), assets, receiver);
    }

    function withdraw(uint256 assets, address receiver, address controller) external returns (uint256) {
        CentrifugeVault vault = CentrifugeVault(msg.sender);
        Stake storage stake = _stakes[msg.sender][controller];
        _giveAssets(vault, stake, assets, assets, receiver);
        return _sharesOf(vault, assets, stake.redeemPrice, Math.Rounding.Floor);
    }

    function claimCancelDepositRequest(address receiver, address controller) external returns (uint256 assets) {
        Stake storage stake = _stakes[msg.sender][controller];
        (assets, stake.returnableAssets) = (stake.returnableAssets, 0);
        if (assets > 0) IERC20(CentrifugeVault(msg.sender).asset()).safeTransferFrom(escrow, receiver, assets);
    }

    function claimCancelRedeemRequest(address receiver, address controller) external returns (uint256 shares) {
        Stake storage stake = _stakes[msg.sender][controller];
        (shares, stake.returnableShares) = (stake.returnableShares, 0);
        if (shares > 0) CentrifugeVault(msg.sender).share().transferFrom(escrow, receiver, shares);
    }

    // Messages of the issuer, from another chain.

    function fulfillDepositRequest(
        uint64 pool,
        bytes16 tranche,
        address user,
        uint128 assetId,
        uint128 assets,
        uint128 shares
    ) external onlyIssuer {
        CentrifugeVault vault = _vault(pool, tranche, assetId);
        Stake storage stake = _stakes[address(vault)][user];
        require(stake.pendingDeposit > 0, "nothing is pending");
        uint256 claimable = _assetsOf(vault, stake.mintable, stake.depositPrice, Math.Rounding.Floor);
        stake.depositPrice = _priceOf(vault, claimable + assets, stake.mintable + shares);
        stake.mintable += shares;
        _lowerDeposit(stake, assets);
        vault.share().mint(escrow, shares);
        vault.onDepositClaimable(user, assets, shares);
    }

    function fulfillRedeemRequest(
        uint64 pool,
        bytes16 tranche,
        address user,
        uint128 assetId,
        uint128 assets,
        uint128 shares
    ) external onlyIssuer {
        CentrifugeVault vault = _vault(pool, tranche, assetId);
        Stake storage stake = _stakes[address(vault)][user];
        require(stake.pendingRedeem > 0, "nothing is pending");
        stake.redeemPrice = _priceOf(vault, stake.withdrawable + assets, maxRedeem(vault, user) + shares);
        stake.withdrawable += assets;
        _lowerRedeem(stake, shares);
        vault.share().burn(escrow, shares);
        vault.onRedeemClaimable(user, assets, shares);
    }

    function fulfillCancelDepositRequest(
        uint64 pool,
        bytes16 tranche,
        address user,
        uint128 assetId,
        uint128 assets,
        uint128 fulfillment
    ) external onlyIssuer {
        CentrifugeVault vault = _vault(pool, tranche, assetId);
        Stake storage stake = _stakes[address(vault)][user];
        require(stake.cancelsDeposit, "not cancelled");
        stake.returnableAssets += assets;
        _lowerDeposit(stake, fulfillment);
        vault.onCancelDepositClaimable(user, assets);
    }

    function fulfillCancelRedeemRequest(uint64 pool, bytes16 tranche, address user, uint128 assetId, uint128 shares)
        external
        onlyIssuer
    {
        CentrifugeVault vault = _vault(pool, tranche, assetId);
        Stake storage stake = _stakes[address(vault)][user];
        require(stake.cancelsRedeem, "not cancelled");
        stake.returnableShares += shares;
        _lowerRedeem(stake, shares);
        vault.onCancelRedeemClaimable(user, shares);
    }

    function triggerRedeemRequest(uint64 pool, bytes16 tranche, address user, uint128 assetId, uint128 shares)
        external
        onlyIssuer
    {
        CentrifugeVault vault = _vault(pool, tranche, assetId);
        Stake storage stake = _stakes[address(vault)][user];
        uint128 unclaimed = stake.mintable < shares ? stake.mintable : shares;
        stake.mintable -= unclaimed;
        stake.pendingRedeem += shares;
        if (shares > unclaimed) vault.share().authTransferFrom(user, user, escrow, shares - unclaimed);
        emit TriggerRedeemRequest(pool, tranche, user, vault.asset(), shares);
        vault.onRedeemRequest(user, user, shares);
    }

    function stakeOf(CentrifugeVault vault, address user) external view returns (Stake memory) {
        return _stakes[address(vault)][user];
    }

    function maxDeposit(CentrifugeVault vault, address user) public view returns (uint256) {
        Stake storage stake = _stakes[address(vault)][user];
        return _assetsOf(vault, stake.mintable, stake.depositPrice, Math.Rounding.Floor);
    }

    function maxRedeem(CentrifugeVault vault, address user) public view returns (uint256) {
        Stake storage stake = _stakes[address(vault)][user];
        return _sharesOf(vault, stake.withdrawable, stake.redeemPrice, Math.Rounding.Floor);
    }

    function convertToShares(CentrifugeVault vault, uint256 assets) public view returns (uint256) {
        return _sharesOf(vault, assets, _latest(vault), Math.Rounding.Floor);
    }

    function convertToAssets(CentrifugeVault vault, uint256 shares) public view returns (uint256) {
        return _assetsOf(vault, shares, _latest(vault), Math.Rounding.Floor);
    }

    function _giveShares(
        CentrifugeVault vault,
        Stake storage stake,
        uint256 taken,
        uint256 given,
        address receiver
    ) private {
        stake.mintable -= taken.toUint128();
        if (given > 0) vault.share().transferFrom(escrow, receiver, given);
    }

    function _giveAssets(
        CentrifugeVault vault,
        Stake storage stake,
        uint256 taken,
        uint256 given,
        address receiver
    ) private {
        stake.withdrawable -= taken.toUint128();
        if (given > 0) IERC20(vault.asset()).safeTransferFrom(escrow, receiver, given);
    }

    function _lowerDeposit(Stake storage stake, uint128 assets) private {
        stake.pendingDeposit -= assets < stake.pendingDeposit ? assets : stake.pendingDeposit;
        if (stake.pendingDeposit == 0) stake.cancelsDeposit = false;
    }

    function _lowerRedeem(Stake storage stake, uint128 shares) private {
        stake.pendingRedeem -= shares < stake.pendingRedeem ? shares : stake.pendingRedeem;
        if (stake.pendingRedeem == 0) stake.cancelsRedeem = false;
    }

    function _vault(uint64 pool, bytes16 tranche, uint128 assetId) private view returns (CentrifugeVault) {
        return CentrifugeVault(poolManager.getVault(pool, tranche, assetId));
    }

    function _latest(CentrifugeVault vault) private view returns (uint256 price) {
        (price,) = poolManager.getTranchePrice(vault.poolId(), vault.trancheId(), vault.asset());
    }

    // All amounts are scaled to the price's 18 digits, converted and rounded there, then truncated.

    function _sharesOf(CentrifugeVault vault, uint256 assets, uint256 price, Math.Rounding rounding)
        private
        view
        returns (uint256)
    {
        uint256 scaled = assets.toUint128() * _assetScale(vault);
        return price == 0 ? 0 : (scaled.mulDiv(1e18, price, rounding) / _shareScale(vault)).toUint128();
    }

    function _assetsOf(CentrifugeVault vault, uint256 shares, uint256 price, Math.Rounding rounding)
        private
        view
        returns (uint256)
    {
        uint256 scaled = shares.toUint128() * _shareScale(vault);
        return (scaled.mulDiv(price, 1e18, rounding) / _assetScale(vault)).toUint128();
    }

    function _priceOf(CentrifugeVault vault, uint256 assets, uint256 shares) private view returns (uint256) {
        if (shares == 0) return 0;
        return (assets * _assetScale(vault)).mulDiv(1e18, shares * _shareScale(vault));
    }

    function _assetScale(CentrifugeVault vault) private view returns (uint256) {
        return 10 ** (18 - ERC20(vault.asset()).decimals());
    }

    function _shareScale(CentrifugeVault vault) private view returns (uint256) {
        return 10 ** (18 - vault.share().decimals());
    }
}

contract CentrifugeVault {
    using SafeERC20 for IERC20;

    uint64 public immutable poolId;
    bytes16 public immutable trancheId;
    address public immutable asset;
    CentrifugeShare public immutable share;
    address public immutable escrow;
    CentrifugeInvestmentManager public immutable manager;
    mapping(address controller => mapping(address operator => bool)) public isOperator;

    event OperatorSet(address indexed controller, address indexed operator, bool approved);
    event DepositRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 assets
    );
    event RedeemRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares
    );
    event DepositClaimable(address indexed controller, uint256 indexed requestId, uint256 assets, uint256 shares);
    event RedeemClaimable(address indexed controller, uint256 indexed requestId, uint256 assets, uint256 shares);
    event CancelDepositRequest(address indexed controller, uint256 indexed requestId, address sender);
    event CancelDepositClaimable(address indexed controller, uint256 indexed requestId, uint256 assets);
    event CancelDepositClaim(
        address indexed receiver, address indexed controller, uint256 indexed requestId, address sender, uint256 assets
    );
    event CancelRedeemRequest(address indexed controller, uint256 indexed requestId, address sender);
    event CancelRedeemClaimable(address indexed controller, uint256 indexed requestId, uint256 shares);
    event CancelRedeemClaim(
        address indexed receiver, address indexed controller, uint256 indexed requestId, address sender, uint256 shares
    );
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );

    modifier onlyManager() {
        require(msg.sender == address(manager), "not the manager");
        _;
    }

    modifier onlyFor(address controller) {
        require(controller == msg.sender || isOperator[controller][msg.sender], "not an operator");
        _;
    }

    constructor(
        uint64 pool,
        bytes16 tranche,
        address asset_,
        CentrifugeShare share_,
        address escrow_,
        CentrifugeInvestmentManager manager_
    ) {
        (poolId, trancheId, asset, share, escrow, manager) = (pool, tranche, asset_, share_, escrow_, manager_);
    }

    function setOperator(address operator, bool approved) external returns (bool) {
        isOperator[msg.sender][operator] = approved;
        emit OperatorSet(msg.sender, operator, approved);
        return true;
    }

    function requestDeposit(uint256 assets, address controller, address owner)
        external
        onlyFor(owner)
        returns (uint256)
    {
        manager.requestDeposit(assets, controller);
        IERC20(asset).safeTransferFrom(owner, escrow, assets);
        emit DepositRequest(controller, owner, 0, msg.sender, assets);
        return 0;
    }

    function requestRedeem(uint256 shares, address controller, address owner) external returns (uint256) {
        manager.requestRedeem(shares, controller);
        address sender = isOperator[owner][msg.sender] ? owner : msg.sender;
        share.authTransferFrom(sender, owner, escrow, shares);
        emit RedeemRequest(controller, owner, 0, msg.sender, shares);
        return 0;
    }

    function cancelDepositRequest(uint256, address controller) external onlyFor(controller) {
        manager.cancelDepositRequest(controller);
        emit CancelDepositRequest(controller, 0, msg.sender);
    }

    function cancelRedeemRequest(uint256, address controller) external onlyFor(controller) {
        manager.cancelRedeemRequest(controller);
        emit CancelRedeemRequest(controller, 0, msg.sender);
    }

    function claimCancelDepositRequest(uint256, address receiver, address controller)
        external
        onlyFor(controller)
        returns (uint256 assets)
    {
        assets = manager.claimCancelDepositRequest(receiver, controller);
        emit CancelDepositClaim(receiver, controller, 0, msg.sender, assets);
    }

    function claimCancelRedeemRequest(uint256, address receiver, address controller)
        external
        onlyFor(controller)
        returns (uint256 shares)
    {
        shares = manager.claimCancelRedeemRequest(receiver, controller);
        emit CancelRedeemClaim(receiver, controller, 0, msg.sender, shares);
    }

    function deposit(uint256 assets, address receiver) external returns (uint256) {
        return deposit(assets, receiver, msg.sender);
    }

    function deposit(uint256 assets, address receiver, address controller)
        public
        onlyFor(controller)
        returns (uint256 shares)
    {
        shares = manager.deposit(assets, receiver, controller);
        emit Deposit(receiver, controller, assets, shares);
    }

    function mint(uint256 shares, address receiver) external returns (uint256) {
        return mint(shares, receiver, msg.sender);
    }

    function mint(uint256 shares, address receiver, address controller)
        public
        onlyFor(controller)
        returns (uint256 assets)
    {
        assets = manager.mint(shares, receiver, controller);
        emit Deposit(receiver, controller, assets, shares);
    }

    function withdraw(uint256 assets, address receiver, address controller)
        external
        onlyFor(controller)
        returns (uint256 shares)
    {
        shares = manager.withdraw(assets, receiver, controller);
        emit Withdraw(msg.sender, receiver, controller, assets, shares);
    }

    function redeem(uint256 shares, address receiver, address controller)
        external
        onlyFor(controller)
        returns (uint256 assets)
    {
        assets = manager.redeem(shares, receiver, controller);
        emit Withdraw(msg.sender, receiver, controller, assets, shares);
    }

    function onRedeemRequest(address controller, address owner, uint256 shares) external onlyManager {
        emit RedeemRequest(controller, owner, 0, msg.sender, shares);
    }

    function onDepositClaimable(address controller, uint256 assets, uint256 shares) external onlyManager {
        emit DepositClaimable(controller, 0, assets, shares);
    }

    function onRedeemClaimable(address controller, uint256 assets, uint256 shares) external onlyManager {
        emit RedeemClaimable(controller, 0, assets, shares);
    }

    function onCancelDepositClaimable(address controller, uint256 assets) external onlyManager {
        emit CancelDepositClaimable(controller, 0, assets);
    }

    function onCancelRedeemClaimable(address controller, uint256 shares) external onlyManager {
        emit CancelRedeemClaimable(controller, 0, shares);
    }

    function pendingDepositRequest(uint256, address controller) external view returns (uint256) {
        return manager.stakeOf(this, controller).pendingDeposit;
    }

    function claimableDepositRequest(uint256, address controller) external view returns (uint256) {
        return maxDeposit(controller);
    }

    function pendingRedeemRequest(uint256, address controller) external view returns (uint256) {
        return manager.stakeOf(this, controller).pendingRedeem;
    }

    function claimableRedeemRequest(uint256, address controller) external view returns (uint256) {
        return maxRedeem(controller);
    }

    function pendingCancelDepositRequest(uint256, address controller) external view returns (bool) {
        return manager.stakeOf(this, controller).cancelsDeposit;
    }

    function claimableCancelDepositRequest(uint256, address controller) external view returns (uint256) {
        return manager.stakeOf(this, controller).returnableAssets;
    }

    function pendingCancelRedeemRequest(uint256, address controller) external view returns (bool) {
        return manager.stakeOf(this, controller).cancelsRedeem;
    }

    function claimableCancelRedeemRequest(uint256, address controller) external view returns (uint256) {
        return manager.stakeOf(this, controller).returnableShares;
    }

    function maxDeposit(address controller) public view returns (uint256) {
        return manager.maxDeposit(this, controller);
    }

    function maxMint(address controller) external view returns (uint256) {
        return manager.stakeOf(this, controller).mintable;
    }

    function maxWithdraw(address controller) external view returns (uint256) {
        return manager.stakeOf(this, controller).withdrawable;
    }

    function maxRedeem(address controller) public view returns (uint256) {
        return manager.maxRedeem(this, controller);
    }

    function totalAssets() external view returns (uint256) {
        return convertToAssets(share.totalSupply());
    }

    function convertToShares(uint256 assets) external view returns (uint256) {
        return manager.convertToShares(this, assets);
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return manager.convertToAssets(this, shares);
    }

    function previewDeposit(uint256) external pure returns (uint256) {
        revert("no previews");
    }

    function previewMint(uint256) external pure returns (uint256) {
        revert("no previews");
    }

    function previewWithdraw(uint256) external pure returns (uint256) {
        revert("no previews");
    }

    function previewRedeem(uint256) external pure returns (uint256) {
        revert("no previews");
    }

    /// Both queues, their operators and cancellations, ERC-7575, ERC-165.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0xce3bbe50 || id == 0x620ee8e4 || id == 0xe3bc4e65 || id == 0x8bf840e3 || id == 0xe76cffc7
            || id == 0x2f0a18c5 || id == 0x01ffc9a7;
    }
}
