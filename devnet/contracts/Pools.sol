// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IMintable} from "./Tokens.sol";

struct PoolSettings {
    string name;
    string symbol;
    IERC20 asset;
    /// Annual rate × 1e18.
    uint256 rate;
    bool statesRate;
    /// Assets that are lent out and cannot be withdrawn now.
    uint16 lentBps;
    uint8 decimalsOffset;
}

/// A plain ERC-4626 vault that earns over time. The yield is minted with each deposit or withdrawal.
contract YieldPool is ERC4626 {
    uint256 internal constant YEAR = 365 days;

    uint256 public immutable rate;
    bool private immutable _statesRate;
    uint16 public immutable lentBps;
    uint8 private immutable _offset;

    uint256 internal _kept;
    uint256 private _keptAt;

    error NoStatedRate();

    constructor(PoolSettings memory settings) ERC20(settings.name, settings.symbol) ERC4626(settings.asset) {
        rate = settings.rate;
        _statesRate = settings.statesRate;
        lentBps = settings.lentBps;
        _offset = settings.decimalsOffset;
        _keptAt = block.timestamp;
    }

    function totalAssets() public view override returns (uint256) {
        return _kept + Math.mulDiv(_kept, rate * (block.timestamp - _keptAt), YEAR * 1e18);
    }

    function statedRate() external view returns (uint256) {
        if (!_statesRate) revert NoStatedRate();
        return rate;
    }

    function maxWithdraw(address owner) public view virtual override returns (uint256) {
        return Math.min(super.maxWithdraw(owner), _liquidity());
    }

    function maxRedeem(address owner) public view virtual override returns (uint256) {
        return Math.min(super.maxRedeem(owner), _convertToShares(_liquidity(), Math.Rounding.Floor));
    }

    function _liquidity() internal view returns (uint256) {
        return Math.mulDiv(totalAssets(), 10_000 - lentBps, 10_000);
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return _offset;
    }

    function _accrue() internal {
        uint256 total = totalAssets();
        if (total > _kept) IMintable(asset()).mint(address(this), total - _kept);
        _kept = total;
        _keptAt = block.timestamp;
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        _accrue();
        _kept += assets;
        super._deposit(caller, receiver, assets, shares);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        _accrue();
        _kept -= assets;
        super._withdraw(caller, receiver, owner, assets, shares);
    }
}

/// Withdrawals take time: assets wait in the pool's queue and are then claimed.
contract ExitQueuePool is YieldPool {
    using SafeERC20 for IERC20;

    struct Exit {
        uint256 assets;
        uint256 readyAt;
    }

    uint256 public immutable delay;
    mapping(address => uint256) public pendingExitAssets;
    mapping(address => Exit[]) private _exits;
    mapping(address => uint256) private _next;

    event ExitRequested(address indexed owner, uint256 shares, uint256 assets, uint256 readyAt);
    event ExitClaimed(address indexed owner, uint256 assets);

    constructor(PoolSettings memory settings, uint256 delay_) YieldPool(settings) {
        delay = delay_;
    }

    function maxWithdraw(address) public pure override returns (uint256) {
        return 0;
    }

    function maxRedeem(address) public pure override returns (uint256) {
        return 0;
    }

    function requestExit(uint256 shares) external returns (uint256 assets) {
        _accrue();
        assets = previewRedeem(shares);
        _burn(msg.sender, shares);
        _kept -= assets;
        pendingExitAssets[msg.sender] += assets;
        _exits[msg.sender].push(Exit(assets, block.timestamp + delay));
        emit ExitRequested(msg.sender, shares, assets, block.timestamp + delay);
    }

    function claimableExitAssets(address owner) external view returns (uint256 assets) {
        Exit[] storage exits = _exits[owner];
        for (uint256 i = _next[owner]; i < exits.length && exits[i].readyAt <= block.timestamp; ++i) {
            assets += exits[i].assets;
        }
    }

    function claimExit() external returns (uint256 assets) {
        Exit[] storage exits = _exits[msg.sender];
        uint256 next = _next[msg.sender];
        for (; next < exits.length && exits[next].readyAt <= block.timestamp; ++next) assets += exits[next].assets;
        _next[msg.sender] = next;
        pendingExitAssets[msg.sender] -= assets;
        IERC20(asset()).safeTransfer(msg.sender, assets);
        emit ExitClaimed(msg.sender, assets);
    }
}

/// Streams rewards in the base asset to all holders in proportion to their shares, in addition to its yield.
contract RewardsPool is YieldPool {
    /// Base asset units per second, for all holders together.
    uint256 public immutable rewardRate;

    uint256 private _perShare;
    uint256 private _perShareAt;
    mapping(address => uint256) private _paidPerShare;
    mapping(address => uint256) private _owed;

    event RewardPaid(address indexed account, uint256 amount);

    constructor(PoolSettings memory settings, uint256 rewardRate_) YieldPool(settings) {
        rewardRate = rewardRate_;
        _perShareAt = block.timestamp;
    }

    function earned(address account) public view returns (uint256) {
        return _owed[account] + Math.mulDiv(balanceOf(account), _rewardPerShare() - _paidPerShare[account], 1e18);
    }

    function claimReward() external returns (uint256 amount) {
        _settle(msg.sender);
        amount = _owed[msg.sender];
        _owed[msg.sender] = 0;
        IMintable(asset()).mint(msg.sender, amount);
        emit RewardPaid(msg.sender, amount);
    }

    function _rewardPerShare() private view returns (uint256) {
        uint256 supply = totalSupply();
        if (supply == 0) return _perShare;
        return _perShare + Math.mulDiv(rewardRate * (block.timestamp - _perShareAt), 1e18, supply);
    }

    function _settle(address account) private {
        _perShare = _rewardPerShare();
        _perShareAt = block.timestamp;
        if (account == address(0)) return;
        _owed[account] += Math.mulDiv(balanceOf(account), _perShare - _paidPerShare[account], 1e18);
        _paidPerShare[account] = _perShare;
    }

    function _update(address from, address to, uint256 value) internal override {
        _settle(from);
        _settle(to);
        super._update(from, to, value);
    }
}

/// Plain ERC-4626 over any asset, including another vault.
contract PlainVault is ERC4626 {
    constructor(string memory name_, string memory symbol_, IERC20 asset_) ERC20(name_, symbol_) ERC4626(asset_) {}
}
