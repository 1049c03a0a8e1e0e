// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

// A model of no vault in particular: an ERC-4626 on npm's OpenZeppelin whose strategy is also paid and pays by itself.
// - totalAssets() counts the vault and its strategy.
// - sell() mints shares for a receiver against a payment by any account to the strategy, without a Deposit.
// - payOut() burns the caller's shares and lets the strategy pay any account, without a Withdraw.
// - chargeBeside() mints shares for nothing, beside a transfer of about their value between accounts that have nothing to
//   do with the vault.
// - sellThrough() mints shares for a dealer that passes them on, beside a payment to the strategy: from outside, nothing
//   tells whose payment it is.
contract StrategyPaidVault is ERC4626 {
    PayingStrategy public immutable strategy;

    constructor(IERC20 asset_) ERC20("Strategy Paid", "spUSD") ERC4626(asset_) {
        strategy = new PayingStrategy(asset_);
    }

    function totalAssets() public view override returns (uint256) {
        return super.totalAssets() + IERC20(asset()).balanceOf(address(strategy));
    }

    function sell(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = previewDeposit(assets);
        IERC20(asset()).transferFrom(msg.sender, address(strategy), assets);
        _mint(receiver, shares);
    }

    function payOut(uint256 shares, address receiver) external returns (uint256 assets) {
        assets = previewRedeem(shares);
        _burn(msg.sender, shares);
        strategy.pay(receiver, assets);
    }

    function chargeBeside(uint256 shares, address receiver, address other) external {
        IERC20(asset()).transferFrom(msg.sender, other, previewRedeem(shares));
        _mint(receiver, shares);
    }

    function sellThrough(uint256 shares, address dealer, address buyer) external {
        uint256 assets = previewRedeem(shares);
        _mint(dealer, shares);
        _transfer(dealer, buyer, shares);
        IERC20(asset()).transferFrom(msg.sender, address(strategy), assets);
    }

    function invest(uint256 assets) external {
        IERC20(asset()).transfer(address(strategy), assets);
    }
}

contract PayingStrategy {
    IERC20 private immutable _asset;
    address private immutable _vault;

    constructor(IERC20 asset_) {
        _asset = asset_;
        _vault = msg.sender;
    }

    function pay(address to, uint256 assets) external {
        require(msg.sender == _vault, "not the vault");
        _asset.transfer(to, assets);
    }
}
