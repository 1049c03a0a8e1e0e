// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// Holds the base asset for exits.
contract NestBuffer {
    address private immutable _vault = msg.sender;

    function pay(IERC20 asset, address to, uint256 assets) external {
        require(msg.sender == _vault && asset.transfer(to, assets));
    }
}

/// A model of YieldNest's vaults. It claims:
/// - Several assets (getAssets()), the first of which is asset(); each has a rate in the base asset.
/// - depositAsset() accepts any of them. Its Deposit has ERC-4626's topic and an amount in units of the paid asset;
///   DepositAsset follows with the asset and the base amount.
/// - Order of a deposit: asset Transfer, share Transfer, Deposit, DepositAsset.
/// - withdraw() and redeem() pay the base asset out of a buffer, so it never passes through the vault.
/// - withdrawAsset(), as its Kernel strategies have it, pays any of the assets out of the vault: a Withdraw in units of
///   it.
/// - totalAssets() is the value of all that the vault and its buffer hold, in the base asset.
contract YieldNestVault is ERC4626 {
    using SafeERC20 for IERC20;
    using Math for uint256;

    event DepositAsset(
        address indexed sender,
        address indexed receiver,
        address indexed asset,
        uint256 assets,
        uint256 baseAssets,
        uint256 shares
    );
    event WithdrawAsset(
        address indexed sender,
        address indexed receiver,
        address indexed owner,
        address asset,
        uint256 assets,
        uint256 shares
    );

    uint256 private constant WHOLE = 1e18;
    NestBuffer public immutable buffer = new NestBuffer();
    address[] private _assets;
    /// Base units for 1e18 units of an asset.
    mapping(address => uint256) public rate;

    constructor(IERC20 base) ERC20("YieldNest", "yn") ERC4626(base) {
        addAsset(address(base), WHOLE);
    }

    function addAsset(address asset_, uint256 rate_) public {
        _assets.push(asset_);
        rate[asset_] = rate_;
    }

    function getAssets() external view virtual returns (address[] memory) {
        return _assets;
    }

    function totalAssets() public view override returns (uint256 total) {
        total = IERC20(asset()).balanceOf(address(buffer));
        for (uint256 i = 0; i < _assets.length; i++) {
            total += _toBase(_assets[i], IERC20(_assets[i]).balanceOf(address(this)));
        }
    }

    /// Moves base asset into the buffer, for exits.
    function fillBuffer(uint256 assets) external {
        IERC20(asset()).safeTransfer(address(buffer), assets);
    }

    function depositAsset(address asset_, uint256 assets, address receiver) external returns (uint256 shares) {
        uint256 baseAssets = _toBase(asset_, assets);
        shares = previewDeposit(baseAssets);
        IERC20(asset_).safeTransferFrom(msg.sender, address(this), assets);
        _mint(receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
        emit DepositAsset(msg.sender, receiver, asset_, assets, baseAssets, shares);
    }

    function withdrawAsset(address asset_, uint256 assets, address receiver) external returns (uint256 shares) {
        shares = previewWithdraw(_toBase(asset_, assets));
        _burn(msg.sender, shares);
        IERC20(asset_).safeTransfer(receiver, assets);
        emit Withdraw(msg.sender, receiver, msg.sender, assets, shares);
        emit WithdrawAsset(msg.sender, receiver, msg.sender, asset_, assets, shares);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        if (caller != owner) _spendAllowance(owner, caller, shares);
        _burn(owner, shares);
        buffer.pay(IERC20(asset()), receiver, assets);
        emit Withdraw(caller, receiver, owner, assets, shares);
    }

    function _toBase(address asset_, uint256 assets) private view returns (uint256) {
        return assets.mulDiv(rate[asset_], WHOLE);
    }
}

/// The same without a list of its assets: only a deposit shows that there are several.
contract SilentNestVault is YieldNestVault {
    constructor(IERC20 base) YieldNestVault(base) {}

    function getAssets() external pure override returns (address[] memory) {
        revert();
    }
}
