// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20, ERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// A model of Concrete's vault with an epoch queue. It claims to have:
/// - ERC-4626's deposits; while the queue is active, redeem() queues instead: shares go to the vault itself, with
///   QueuedWithdrawal (caller, receiver, owner, assets, shares, epoch) and no Withdraw;
/// - a request that belongs to the receiver, not to the owner: RequestCancelled and RequestClaimed name the receiver;
/// - requests of one receiver in one epoch added up; an epoch is closed, then processed: its shares are burned, and
///   their value leaves totalAssets() but stays in the vault (pastEpochsUnclaimedAssets());
/// - claims of several epochs at once, and a request that an allocator moves to the next epoch;
/// - fee shares minted without Deposit.
/// Left out: strategies, limits, roles, cached totals.
contract ConcreteVault is ERC4626 {
    event QueuedWithdrawal(
        address indexed caller,
        address indexed receiver,
        address indexed owner,
        uint256 assets,
        uint256 shares,
        uint256 epochID
    );
    event RequestCancelled(address indexed owner, uint256 shares, uint256 epochID);
    event RequestClaimed(address indexed owner, uint256 assets, uint256[] epochIDs);
    event RequestMovedToNextEpoch(address indexed user, uint256 shares, uint256 currentEpochID, uint256 nextEpochID);
    event EpochClosed(uint256 epochID);
    event EpochProcessed(uint256 epochID, uint256 shares, uint256 assets, uint256 sharePrice);
    event ManagementFeeAccrued(address indexed recipient, uint256 shares, uint256 feeAmount);
    event QueueActiveToggled(bool isQueueActive);

    bool public isQueueActive = true;
    uint256 public latestEpochID = 1;
    uint256 public pastEpochsUnclaimedAssets;
    mapping(uint256 => uint256) public totalRequestedSharesPerEpoch;
    mapping(uint256 => uint256) public getEpochPricePerShare;
    mapping(uint256 => mapping(address => uint256)) private _requests;

    constructor(IERC20 asset_) ERC4626(asset_) ERC20("Concrete Vault", "ctVAULT") {}

    function totalAssets() public view override returns (uint256) {
        return super.totalAssets() - pastEpochsUnclaimedAssets;
    }

    function getUserEpochRequest(address user, uint256 epoch) external view returns (uint256) {
        return _requests[epoch][user];
    }

    function toggleQueueActive() external {
        isQueueActive = !isQueueActive;
        emit QueueActiveToggled(isQueueActive);
    }

    function cancelRequest(uint256 epoch) external {
        uint256 shares = _requests[epoch][msg.sender];
        require(shares > 0 && getEpochPricePerShare[epoch] == 0, "NoRequestingShares");
        _requests[epoch][msg.sender] = 0;
        totalRequestedSharesPerEpoch[epoch] -= shares;
        _transfer(address(this), msg.sender, shares);
        emit RequestCancelled(msg.sender, shares, epoch);
    }

    function closeEpoch() external {
        emit EpochClosed(latestEpochID++);
    }

    function moveRequestToNextEpoch(address user) external {
        uint256 epoch = latestEpochID - 1;
        uint256 shares = _requests[epoch][user];
        _requests[epoch][user] = 0;
        _requests[latestEpochID][user] += shares;
        totalRequestedSharesPerEpoch[epoch] -= shares;
        totalRequestedSharesPerEpoch[latestEpochID] += shares;
        emit RequestMovedToNextEpoch(user, shares, epoch, latestEpochID);
    }

    function processEpoch() external {
        uint256 epoch = latestEpochID - 1;
        uint256 shares = totalRequestedSharesPerEpoch[epoch];
        uint256 price = convertToAssets(1e18);
        uint256 assets = shares * price / 1e18;
        getEpochPricePerShare[epoch] = price;
        _burn(address(this), shares);
        pastEpochsUnclaimedAssets += assets;
        emit EpochProcessed(epoch, shares, assets, price);
    }

    function claimWithdrawal(uint256[] calldata epochs) external {
        uint256 assets = 0;
        for (uint256 i = 0; i < epochs.length; i++) {
            assets += _requests[epochs[i]][msg.sender] * getEpochPricePerShare[epochs[i]] / 1e18;
            _requests[epochs[i]][msg.sender] = 0;
        }
        pastEpochsUnclaimedAssets -= assets;
        IERC20(asset()).transfer(msg.sender, assets);
        emit RequestClaimed(msg.sender, assets, epochs);
    }

    function accrueFee(address recipient, uint256 shares) external {
        _mint(recipient, shares);
        emit ManagementFeeAccrued(recipient, shares, convertToAssets(shares));
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        if (!isQueueActive) return super._withdraw(caller, receiver, owner, assets, shares);
        if (caller != owner) _spendAllowance(owner, caller, shares);
        _transfer(owner, address(this), shares);
        _requests[latestEpochID][receiver] += shares;
        totalRequestedSharesPerEpoch[latestEpochID] += shares;
        emit QueuedWithdrawal(caller, receiver, owner, assets, shares, latestEpochID);
    }
}
