// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// A model of Morpho Vault V2's penalty. It claims to have:
/// - a total that is stored: assets that arrive without a deposit are counted only by a later call;
/// - forceDeallocate: assets return from an adapter, and the wallet it is called for pays a penalty: a burn, a payment
///   of the vault to itself, and a Withdraw whose receiver is the vault, before ForceDeallocate.
/// Left out: interest, fees, caps, gates, several adapters.
contract MorphoV2Vault is ERC4626 {
    uint256 private constant PENALTY = 0.02e18;

    address public immutable adapter;
    uint256 private _total;

    event ForceDeallocate(
        address indexed sender,
        address adapter,
        uint256 assets,
        address indexed onBehalf,
        bytes32[] ids,
        uint256 penaltyAssets
    );

    constructor(IERC20 asset_) ERC20("Morpho Vault V2", "mv2") ERC4626(asset_) {
        adapter = address(new MorphoV2Adapter(asset_));
    }

    function totalAssets() public view override returns (uint256) {
        return _total;
    }

    function invest(uint256 assets) external {
        IERC20(asset()).transfer(adapter, assets);
    }

    function forceDeallocate(address from, bytes calldata, uint256 assets, address onBehalf)
        external
        returns (uint256 shares)
    {
        IERC20(asset()).transferFrom(from, address(this), assets);
        uint256 penalty = Math.mulDiv(assets, PENALTY, 1e18, Math.Rounding.Ceil);
        shares = withdraw(penalty, address(this), onBehalf);
        emit ForceDeallocate(msg.sender, from, assets, onBehalf, new bytes32[](0), penalty);
    }

    function accrue(uint256 interest) external {
        _total += interest;
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        _total += assets;
        super._deposit(caller, receiver, assets, shares);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        _total -= assets;
        super._withdraw(caller, receiver, owner, assets, shares);
    }

    function _decimalsOffset() internal pure override returns (uint8) {
        return 12;
    }
}

contract MorphoV2Adapter {
    constructor(IERC20 asset) {
        asset.approve(msg.sender, type(uint256).max);
    }
}
