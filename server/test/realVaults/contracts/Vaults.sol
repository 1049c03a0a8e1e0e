// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// OpenZeppelin's vault, unchanged, with a given number of additional decimals in its shares.
contract OffsetVault is ERC4626 {
    uint8 private immutable _offset;

    constructor(IERC20 asset_, uint8 offset_) ERC20("Offset Vault", "OV") ERC4626(asset_) {
        _offset = offset_;
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return _offset;
    }
}

/// The same with a fee on deposits and on redemptions, sent to a recipient in assets.
contract FeeVault is ERC4626 {
    using SafeERC20 for IERC20;

    uint256 private constant WHOLE = 10_000;
    uint256 private constant ENTRY = 100;
    uint256 private constant EXIT = 50;
    address private immutable _recipient;

    constructor(IERC20 asset_, address recipient_) ERC20("Fee Vault", "FV") ERC4626(asset_) {
        _recipient = recipient_;
    }

    function previewDeposit(uint256 assets) public view override returns (uint256) {
        return super.previewDeposit(assets - _within(assets, ENTRY));
    }

    function previewMint(uint256 shares) public view override returns (uint256) {
        uint256 assets = super.previewMint(shares);
        return assets + _onTop(assets, ENTRY);
    }

    function previewWithdraw(uint256 assets) public view override returns (uint256) {
        return super.previewWithdraw(assets + _onTop(assets, EXIT));
    }

    function previewRedeem(uint256 shares) public view override returns (uint256) {
        uint256 assets = super.previewRedeem(shares);
        return assets - _within(assets, EXIT);
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        super._deposit(caller, receiver, assets, shares);
        IERC20(asset()).safeTransfer(_recipient, _within(assets, ENTRY));
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        super._withdraw(caller, receiver, owner, assets, shares);
        IERC20(asset()).safeTransfer(_recipient, _onTop(assets, EXIT));
    }

    /// The fee on an amount that does not include it yet.
    function _onTop(uint256 assets, uint256 points) private pure returns (uint256) {
        return Math.mulDiv(assets, points, WHOLE, Math.Rounding.Ceil);
    }

    /// The fee in an amount that already includes it.
    function _within(uint256 assets, uint256 points) private pure returns (uint256) {
        return Math.mulDiv(assets, points, points + WHOLE, Math.Rounding.Ceil);
    }
}
