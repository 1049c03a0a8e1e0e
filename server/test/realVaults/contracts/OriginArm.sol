// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// A model of Origin's ARM. It claims:
/// - asset(), totalAssets(), convertToAssets(), convertToShares(), previewDeposit() and previewRedeem() as in ERC-4626;
///   none of its limits, no mint(), withdraw() or redeem().
/// - Deposit names only the owner, so its topic differs from ERC-4626's; there is no Withdraw.
/// - requestRedeem() moves the shares into the contract, fixes the maximum payment, and emits RedeemRequested;
///   claimRedeem() burns them after a delay, pays the smaller of the former and the current value, and emits
///   RedeemClaimed.
/// - The first shares are minted to a dead address for the asset, with no event except the Transfer.
contract OriginArm is ERC20 {
    struct Request {
        address withdrawer;
        bool claimed;
        uint40 claimTimestamp;
        uint128 assets;
        uint128 shares;
    }

    event Deposit(address indexed owner, uint256 assets, uint256 shares);
    event RedeemRequested(
        address indexed withdrawer, uint256 indexed requestId, uint256 assets, uint256 queued, uint256 claimTimestamp
    );
    event RedeemClaimed(address indexed withdrawer, uint256 indexed requestId, uint256 assets);

    uint256 private constant FIRST = 1e12;
    address private constant DEAD = 0x000000000000000000000000000000000000dEaD;
    uint256 public constant claimDelay = 600;

    IERC20 private immutable _asset;
    uint256 public nextWithdrawalIndex;
    uint256 public withdrawsQueuedShares;
    mapping(uint256 => Request) public withdrawalRequests;

    constructor(IERC20 asset_) ERC20("ARM", "ARM-LP") {
        _asset = asset_;
    }

    /// The account that approved the asset for the first shares.
    function start() external {
        _asset.transferFrom(msg.sender, address(this), FIRST);
        _mint(DEAD, FIRST);
    }

    function asset() external view returns (address) {
        return address(_asset);
    }

    function totalAssets() public view returns (uint256) {
        return _asset.balanceOf(address(this));
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return assets * totalSupply() / totalAssets();
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return shares * totalAssets() / totalSupply();
    }

    function previewDeposit(uint256 assets) external view returns (uint256) {
        return convertToShares(assets);
    }

    function previewRedeem(uint256 shares) external view returns (uint256) {
        return convertToAssets(shares);
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = convertToShares(assets);
        _pay(assets, receiver, shares);
        emit Deposit(receiver, assets, shares);
    }

    function _pay(uint256 assets, address receiver, uint256 shares) internal {
        _asset.transferFrom(msg.sender, address(this), assets);
        _mint(receiver, shares);
    }

    function requestRedeem(uint256 shares) external returns (uint256 requestId, uint256 assets) {
        assets = convertToAssets(shares);
        requestId = nextWithdrawalIndex++;
        withdrawsQueuedShares += shares;
        uint40 at = uint40(block.timestamp + claimDelay);
        withdrawalRequests[requestId] = Request(msg.sender, false, at, uint128(assets), uint128(shares));
        _transfer(msg.sender, address(this), shares);
        emit RedeemRequested(msg.sender, requestId, assets, withdrawsQueuedShares, at);
    }

    function claimRedeem(uint256 requestId) external returns (uint256 assets) {
        Request storage request = withdrawalRequests[requestId];
        require(request.withdrawer == msg.sender && !request.claimed, "not yours");
        require(request.claimTimestamp <= block.timestamp, "too early");
        uint256 worth = convertToAssets(request.shares);
        assets = request.assets < worth ? request.assets : worth;
        _burn(address(this), request.shares);
        request.claimed = true;
        _asset.transfer(msg.sender, assets);
        emit RedeemClaimed(msg.sender, requestId, assets);
    }
}

/// The same with ERC-4626's limits: only its events show that it is not a vault. No contract in use is known to be like
/// this. It can also emit a vault's events, like a contract that was once a vault.
contract LimitedArm is OriginArm {
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);

    constructor(IERC20 asset_) OriginArm(asset_) {}

    function depositAsVault(uint256 assets) external returns (uint256 shares) {
        shares = convertToShares(assets);
        _pay(assets, msg.sender, shares);
        emit Deposit(msg.sender, msg.sender, assets, shares);
    }

    function maxDeposit(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function maxMint(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function maxWithdraw(address owner) external view returns (uint256) {
        return convertToAssets(balanceOf(owner));
    }

    function maxRedeem(address owner) external view returns (uint256) {
        return balanceOf(owner);
    }
}
