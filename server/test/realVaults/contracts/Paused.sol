// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {TimelockedVault} from "./Timelocked.sol";
import {Token} from "./Token.sol";

// Models of no particular vault, for traits that several share:
// - PausedVault and PausedTimelock: ERC-4626 and ERC-7540 vaults whose convertToAssets() reverts while they are paused.
//   Their rate is set from outside without an event, and their shares can be transferred meanwhile.
// - HoldingWrap: a wrapper that holds the value of its shares, and whose only event is Transfer (wstETH, weETH).

contract PausedVault is ERC4626 {
    uint256 public rate = 1e18;
    bool public isPaused;

    constructor(IERC20 asset_) ERC20("Paused Vault", "PAV") ERC4626(asset_) {}

    function set(uint256 newRate, bool paused) external {
        (rate, isPaused) = (newRate, paused);
    }

    function convertToAssets(uint256 shares) public view override returns (uint256) {
        require(!isPaused, "paused");
        return super.convertToAssets(shares);
    }

    function _convertToAssets(uint256 shares, Math.Rounding) internal view override returns (uint256) {
        return (shares * rate) / 1e18;
    }

    function _convertToShares(uint256 assets, Math.Rounding) internal view override returns (uint256) {
        return (assets * 1e18) / rate;
    }
}

contract PausedTimelock is TimelockedVault {
    uint256 public rate = 1e18;
    bool public isPaused;

    constructor(IERC20 asset_) TimelockedVault(asset_, 1 days) {}

    function set(uint256 newRate, bool paused) external {
        (rate, isPaused) = (newRate, paused);
    }

    function convertToAssets(uint256 shares) public view override returns (uint256) {
        require(!isPaused, "paused");
        return super.convertToAssets(shares);
    }

    function _convertToAssets(uint256 shares, Math.Rounding) internal view override returns (uint256) {
        return (shares * rate) / 1e18;
    }

    function _convertToShares(uint256 assets, Math.Rounding) internal view override returns (uint256) {
        return (assets * 1e18) / rate;
    }
}

contract HoldingWrap is ERC20 {
    Token public immutable asset_;
    uint256 public immutable rate;

    constructor(Token asset, uint256 fixed_) ERC20("Holding Wrap", "hWRP") {
        asset_ = asset;
        rate = fixed_;
    }

    function getRate() external view returns (uint256) {
        return rate;
    }

    function wrap(uint256 amount) external {
        asset_.transferFrom(msg.sender, address(this), amount);
        _mint(msg.sender, (amount * 1e18) / rate);
    }
}
