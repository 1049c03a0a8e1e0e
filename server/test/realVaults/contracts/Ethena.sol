// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

// A model of Ethena's StakedUSDeV2, written for these tests. It claims:
// - While there is a cooldown, a redemption burns shares and pays a silo: Withdraw has the silo as receiver. Assets in
//   a cooldown are outside totalAssets(). unstake() pays them to any address that the owner names, without a vault
//   event.
// - Another cooldown adds to the first and restarts its time.
// - Without a cooldown it is a plain ERC-4626 vault; with one, withdraw() and redeem() revert.
// - Rewards vest linearly over 8 hours, so the price moves by the second without any event.
// Left out: roles, blacklists, the minimum supply.

contract EthenaSilo {
    IERC20 private immutable _token;
    address private immutable _vault = msg.sender;

    constructor(IERC20 token) {
        _token = token;
    }

    function withdraw(address to, uint256 amount) external {
        require(msg.sender == _vault, "not the vault");
        _token.transfer(to, amount);
    }
}

contract StakedUSDeV2 is ERC4626 {
    using SafeERC20 for IERC20;

    struct Cooldown {
        uint104 cooldownEnd;
        uint152 underlyingAmount;
    }

    uint256 private constant VESTING = 8 hours;

    address private immutable _owner = msg.sender;
    EthenaSilo public immutable silo;
    uint24 public cooldownDuration = 2 days;
    mapping(address owner => Cooldown) public cooldowns;
    uint256 private _vesting;
    uint256 private _vestsSince;

    event RewardsReceived(uint256 amount);
    event CooldownDurationUpdated(uint24 previousDuration, uint24 newDuration);

    constructor(IERC20 asset_) ERC20("Staked USDe", "sUSDe") ERC4626(asset_) {
        silo = new EthenaSilo(asset_);
    }

    function setCooldownDuration(uint24 duration) external {
        require(msg.sender == _owner, "not the owner");
        emit CooldownDurationUpdated(cooldownDuration, duration);
        cooldownDuration = duration;
    }

    function transferInRewards(uint256 amount) external {
        require(getUnvestedAmount() == 0, "still vesting");
        (_vesting, _vestsSince) = (amount, block.timestamp);
        IERC20(asset()).safeTransferFrom(msg.sender, address(this), amount);
        emit RewardsReceived(amount);
    }

    function cooldownShares(uint256 shares) external returns (uint256 assets) {
        assets = previewRedeem(shares);
        _coolDown(assets, shares);
    }

    function cooldownAssets(uint256 assets) external returns (uint256 shares) {
        shares = previewWithdraw(assets);
        _coolDown(assets, shares);
    }

    function unstake(address receiver) external {
        Cooldown storage cooldown = cooldowns[msg.sender];
        require(block.timestamp >= cooldown.cooldownEnd || cooldownDuration == 0, "cooling down");
        uint256 assets = cooldown.underlyingAmount;
        (cooldown.cooldownEnd, cooldown.underlyingAmount) = (0, 0);
        silo.withdraw(receiver, assets);
    }

    function withdraw(uint256 assets, address receiver, address owner) public override returns (uint256) {
        require(cooldownDuration == 0, "use a cooldown");
        return super.withdraw(assets, receiver, owner);
    }

    function redeem(uint256 shares, address receiver, address owner) public override returns (uint256) {
        require(cooldownDuration == 0, "use a cooldown");
        return super.redeem(shares, receiver, owner);
    }

    function totalAssets() public view override returns (uint256) {
        return super.totalAssets() - getUnvestedAmount();
    }

    function getUnvestedAmount() public view returns (uint256) {
        uint256 passed = block.timestamp - _vestsSince;
        return passed >= VESTING ? 0 : ((VESTING - passed) * _vesting) / VESTING;
    }

    function _coolDown(uint256 assets, uint256 shares) private {
        require(cooldownDuration > 0, "use redeem");
        Cooldown storage cooldown = cooldowns[msg.sender];
        cooldown.cooldownEnd = uint104(block.timestamp) + cooldownDuration;
        cooldown.underlyingAmount += uint152(assets);
        _withdraw(msg.sender, address(silo), msg.sender, assets, shares);
    }
}
