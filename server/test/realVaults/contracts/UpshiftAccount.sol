// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

// A model of Upshift's vaults with a lag (TokenizedAccount). It claims to have:
// - ERC-4626's views, limits and Deposit, but withdraw() and redeem() revert; no virtual shares;
// - requestRedeem() moves the shares to the vault itself and fixes the assets, less a fee in assets.
//   WithdrawalRequested (owner, receiver, shares, assets before the fee, fee, year, month, day) has no indexed field;
// - requests kept by day and receiver. The shares stay in the supply, and the assets in totalAssets(), until the claim;
// - claim() burns a receiver's shares of a day and pays them: WithdrawalProcessed (assets, time, receiver, time of the
//   newest request, blacklisted), with neither shares nor day, and no Withdraw;
// - processAllClaimsByDate() burns the shares of all receivers of a day at once, then pays each with such an event;
// - fees stay in the vault, outside totalAssets(), until they are collected;
// - assets on other chains, as an accountant reports them;
// - without a lag, a request is claimed in its transaction.
// Left out: allowances of other callers, calendar dates (a day is a number here), blacklists, limits, subaccounts.
contract LaggedVault is ERC20 {
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event WithdrawalRequested(
        address ownerAddr,
        address receiverAddr,
        uint256 shares,
        uint256 assets,
        uint256 fee,
        uint256 year,
        uint256 month,
        uint256 day
    );
    event WithdrawalProcessed(
        uint256 assetsAmount, uint256 processedOn, address receiverAddr, uint256 requestedOn, bool wasBlacklisted
    );

    ERC20 public immutable asset;
    uint256 public withdrawalFee;
    uint256 public lagDuration = 1 days;
    uint256 public externalAssets;
    uint256 public totalCollectableFees;
    uint256 public globalLiabilityShares;

    struct Due {
        uint256 shares;
        uint256 assets;
        uint256 fee;
        uint256 requestedOn;
    }

    mapping(uint256 => mapping(address => Due)) private _due;
    mapping(uint256 => address[]) private _receivers;

    constructor(ERC20 asset_, uint256 fee) ERC20("Upshift Account", "upACC") {
        asset = asset_;
        withdrawalFee = fee;
    }

    function decimals() public view override returns (uint8) {
        return asset.decimals();
    }

    function totalAssets() public view returns (uint256) {
        return asset.balanceOf(address(this)) + externalAssets - totalCollectableFees;
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return totalSupply() == 0 ? assets : assets * totalSupply() / totalAssets();
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return totalSupply() == 0 ? shares : shares * totalAssets() / totalSupply();
    }

    function previewDeposit(uint256 assets) external view returns (uint256) {
        return convertToShares(assets);
    }

    function previewRedeem(uint256 shares) external view returns (uint256) {
        uint256 assets = convertToAssets(shares);
        return assets - withdrawalFee * assets / 1e4;
    }

    function maxDeposit(address) external pure returns (uint256) {
        return type(uint128).max;
    }

    function maxMint(address) external pure returns (uint256) {
        return type(uint128).max;
    }

    function maxWithdraw(address holder) external view returns (uint256) {
        return convertToAssets(balanceOf(holder));
    }

    function maxRedeem(address holder) external view returns (uint256) {
        return balanceOf(holder);
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = convertToShares(assets);
        asset.transferFrom(msg.sender, address(this), assets);
        _mint(receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function withdraw(uint256, address, address) external pure returns (uint256) {
        revert("WithdrawalRequestRequired");
    }

    function redeem(uint256, address, address) external pure returns (uint256) {
        revert("WithdrawalRequestRequired");
    }

    function requestRedeem(uint256 shares, address receiver, address holder) external {
        require(msg.sender == holder, "allowance");
        uint256 assets = convertToAssets(shares);
        uint256 fee = withdrawalFee * assets / 1e4;
        uint256 day = (block.timestamp + 5 minutes + lagDuration) / 1 days;
        _transfer(holder, address(this), shares);
        globalLiabilityShares += shares;
        Due storage due = _due[day][receiver];
        if (due.assets == 0) _receivers[day].push(receiver);
        due.shares += shares;
        due.assets += assets - fee;
        due.fee += fee;
        due.requestedOn = block.timestamp;
        emit WithdrawalRequested(holder, receiver, shares, assets, fee, 0, 0, day);
        if (lagDuration == 0) _claim(day, receiver);
    }

    function claim(uint256, uint256, uint256 day, address receiver) external {
        _claim(day, receiver);
    }

    function processAllClaimsByDate(uint256, uint256, uint256 day, uint256) external {
        require(block.timestamp + 5 minutes >= day * 1 days, "TooEarly");
        address[] memory receivers = _receivers[day];
        uint256 shares;
        for (uint256 i = 0; i < receivers.length; i++) {
            shares += _due[day][receivers[i]].shares;
        }
        globalLiabilityShares -= shares;
        _burn(address(this), shares);
        for (uint256 i = 0; i < receivers.length; i++) {
            Due memory due = _due[day][receivers[i]];
            totalCollectableFees += due.fee;
            delete _due[day][receivers[i]];
            emit WithdrawalProcessed(due.assets, block.timestamp, receivers[i], due.requestedOn, false);
            asset.transfer(receivers[i], due.assets);
        }
        delete _receivers[day];
    }

    function getBurnableAmountByReceiver(uint256, uint256, uint256 day, address receiver)
        external
        view
        returns (uint256)
    {
        return _due[day][receiver].shares;
    }

    function getClaimableAmountByReceiver(uint256, uint256, uint256 day, address receiver)
        external
        view
        returns (uint256)
    {
        return _due[day][receiver].assets;
    }

    function updateTotalAssets(uint256 externalAssets_) external {
        externalAssets = externalAssets_;
    }

    function updateTimelockDuration(uint256 lag) external {
        lagDuration = lag;
    }

    function collectFees(address to) external {
        uint256 fees = totalCollectableFees;
        totalCollectableFees = 0;
        asset.transfer(to, fees);
    }

    function _claim(uint256 day, address receiver) private {
        require(lagDuration == 0 || block.timestamp + 5 minutes >= day * 1 days, "TooEarly");
        Due memory due = _due[day][receiver];
        require(due.shares > 0, "NoSharesForReceiver");
        delete _due[day][receiver];
        address[] storage receivers = _receivers[day];
        for (uint256 i = 0; i < receivers.length; i++) {
            if (receivers[i] != receiver) continue;
            receivers[i] = receivers[receivers.length - 1];
            receivers.pop();
            break;
        }
        globalLiabilityShares -= due.shares;
        totalCollectableFees += due.fee;
        _burn(address(this), due.shares);
        emit WithdrawalProcessed(due.assets, block.timestamp, receiver, due.requestedOn, false);
        asset.transfer(receiver, due.assets);
    }
}

/// The same, with the function by which it is recognized.
contract UpshiftAccount is LaggedVault {
    address public settlementAccount = address(1);

    constructor(ERC20 asset_, uint256 fee) LaggedVault(asset_, fee) {}
}
