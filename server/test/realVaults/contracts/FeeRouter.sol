// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// A plain vault whose shares anyone can burn.
contract BurnableVault is ERC4626 {
    constructor(IERC20 asset_) ERC20("Burnable Vault", "BV") ERC4626(asset_) {}

    function burn(uint256 shares) external {
        _burn(msg.sender, shares);
    }
}

// A model of no router in particular. It takes 1% in each of the ways that routers have:
// - depositBurning() deposits for itself, burns the fee, and passes the other shares on;
// - depositSending() sends the fee to a treasury instead;
// - depositTaxed() sends a part of the assets to the treasury, and deposits the rest for the receiver;
// - redeemBurning() burns a part of the shares, and redeems the rest for the receiver;
// - redeemSending() sends that part to the treasury instead;
// - redeemTaxed() redeems for itself, sends a part of the assets to the treasury, and pays the rest.
contract FeeRouter {
    BurnableVault private immutable _vault;
    IERC20 private immutable _asset;
    address private immutable _treasury;

    constructor(BurnableVault vault, address treasury) {
        _vault = vault;
        _asset = IERC20(vault.asset());
        _treasury = treasury;
        _asset.approve(address(vault), type(uint256).max);
    }

    function depositBurning(uint256 assets, address receiver) external {
        uint256 shares = _depositHere(assets);
        _vault.burn(shares / 100);
        _vault.transfer(receiver, shares - shares / 100);
    }

    function depositSending(uint256 assets, address receiver) external {
        uint256 shares = _depositHere(assets);
        _vault.transfer(_treasury, shares / 100);
        _vault.transfer(receiver, shares - shares / 100);
    }

    function depositTaxed(uint256 assets, address receiver) external {
        _asset.transferFrom(msg.sender, address(this), assets);
        _asset.transfer(_treasury, assets / 100);
        _vault.deposit(assets - assets / 100, receiver);
    }

    function redeemBurning(uint256 shares, address receiver) external {
        _vault.transferFrom(msg.sender, address(this), shares);
        _vault.burn(shares / 100);
        _vault.redeem(shares - shares / 100, receiver, address(this));
    }

    function redeemSending(uint256 shares, address receiver) external {
        _vault.transferFrom(msg.sender, address(this), shares);
        _vault.transfer(_treasury, shares / 100);
        _vault.redeem(shares - shares / 100, receiver, address(this));
    }

    function redeemTaxed(uint256 shares, address receiver) external {
        _vault.transferFrom(msg.sender, address(this), shares);
        uint256 assets = _vault.redeem(shares, address(this), address(this));
        _asset.transfer(_treasury, assets / 100);
        _asset.transfer(receiver, assets - assets / 100);
    }

    function _depositHere(uint256 assets) private returns (uint256) {
        _asset.transferFrom(msg.sender, address(this), assets);
        return _vault.deposit(assets, address(this));
    }
}
