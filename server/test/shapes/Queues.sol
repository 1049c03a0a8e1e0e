// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ShapeVault} from "./Shapes.sol";

/// Requests are settled by time, without an event. A deposit's shares are minted at the claim. A redemption's shares
/// are burned at the request and counted until the payment; claimable assets still count as the vault's own.
contract TimedQueue is ShapeVault {
    struct Request {
        address controller;
        uint256 amount;
        uint256 readyAt;
    }

    uint256 public constant DELAY = 1 hours;
    uint256 public lastId;
    uint256 private _entering;
    uint256 private _leaving;
    mapping(uint256 id => Request) private _deposits;
    mapping(uint256 id => Request) private _redeems;

    event DepositRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 assets
    );
    event RedeemRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares
    );

    event RedeemRequestCanceled(uint256 indexed requestId, address indexed controller, uint256 requestedAmount);
    event WithdrawSync(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );

    constructor(IERC20 asset_) ShapeVault(asset_, "TIMED") {}

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x620ee8e4 || id == 0xce3bbe50;
    }

    function totalAssets() public view override returns (uint256) {
        return super.totalAssets() - _entering;
    }

    function totalSupply() public view override(IERC20, ERC20) returns (uint256) {
        return super.totalSupply() + _leaving;
    }

    function requestDeposit(uint256 assets, address controller, address owner) external returns (uint256) {
        IERC20(asset()).transferFrom(owner, address(this), assets);
        _entering += assets;
        _deposits[++lastId] = Request(controller, assets, block.timestamp + DELAY);
        emit DepositRequest(controller, owner, lastId, msg.sender, assets);
        return lastId;
    }

    function claim(uint256 id, uint256 assets, address receiver) external {
        _take(_deposits[id], assets);
        uint256 shares = convertToShares(assets);
        _entering -= assets;
        _mint(receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function requestRedeem(uint256 shares, address controller, address owner) external returns (uint256) {
        _burn(owner, shares);
        _leaving += shares;
        _redeems[++lastId] = Request(controller, shares, block.timestamp + DELAY);
        emit RedeemRequest(controller, owner, lastId, msg.sender, shares);
        return lastId;
    }

    function cancel(uint256 id) external {
        Request storage one = _redeems[id];
        uint256 shares = one.amount;
        one.amount = 0;
        _leaving -= shares;
        _mint(one.controller, shares);
        emit RedeemRequestCanceled(id, one.controller, shares);
    }

    /// Redeems at once, for a fee of one tenth.
    function leave(uint256 shares, address receiver, address feeReceiver) external {
        uint256 assets = convertToAssets(shares);
        _burn(msg.sender, shares);
        IERC20(asset()).transfer(feeReceiver, assets / 10);
        IERC20(asset()).transfer(receiver, assets - assets / 10);
        emit WithdrawSync(msg.sender, receiver, msg.sender, assets - assets / 10, shares);
    }

    function fetch(uint256 id, uint256 shares, address receiver) external {
        _take(_redeems[id], shares);
        uint256 assets = convertToAssets(shares);
        _leaving -= shares;
        IERC20(asset()).transfer(receiver, assets);
        emit Withdraw(msg.sender, receiver, msg.sender, assets, shares);
    }

    function pendingDepositRequest(uint256 id, address controller) external view returns (uint256) {
        return _of(_deposits[id], controller, false);
    }

    function claimableDepositRequest(uint256 id, address controller) external view returns (uint256) {
        return _of(_deposits[id], controller, true);
    }

    function pendingRedeemRequest(uint256 id, address controller) external view returns (uint256) {
        return _of(_redeems[id], controller, false);
    }

    function claimableRedeemRequest(uint256 id, address controller) external view returns (uint256) {
        return _of(_redeems[id], controller, true);
    }

    function maxMint(address controller) public view override returns (uint256 shares) {
        for (uint256 id = 1; id <= lastId; id++) shares += convertToShares(_of(_deposits[id], controller, true));
    }

    function maxRedeem(address controller) public view override returns (uint256 shares) {
        for (uint256 id = 1; id <= lastId; id++) shares += _of(_redeems[id], controller, true);
    }

    function maxWithdraw(address controller) public view override returns (uint256) {
        return convertToAssets(maxRedeem(controller));
    }

    function _of(Request storage one, address controller, bool ready) private view returns (uint256) {
        if (one.controller != controller || (block.timestamp >= one.readyAt) != ready) return 0;
        return one.amount;
    }

    function _take(Request storage one, uint256 amount) private {
        require(one.controller == msg.sender && block.timestamp >= one.readyAt, "not ready");
        one.amount -= amount;
    }
}

contract Adapter {
    IERC20 private immutable _asset;

    constructor(IERC20 asset_) {
        _asset = asset_;
    }

    function realAssets() external view returns (uint256) {
        return _asset.balanceOf(address(this));
    }
}

/// Counts the assets given to its adapter, but not yet the gains there.
contract LateGains is ShapeVault {
    address public immutable adapter;
    uint256 public constant adaptersLength = 1;
    uint256 private _given;

    constructor(IERC20 asset_) ShapeVault(asset_, "LATE") {
        adapter = address(new Adapter(asset_));
    }

    function adapters(uint256) external view returns (address) {
        return adapter;
    }

    function totalAssets() public view override returns (uint256) {
        return super.totalAssets() + _given;
    }

    function invest(uint256 assets) external {
        _given += assets;
        IERC20(asset()).transfer(adapter, assets);
    }
}
