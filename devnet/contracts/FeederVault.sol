// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReceiverQueueVault, VaultSettings} from "./ReceiverQueueVault.sol";

/// Forwards most of each deposit into a master vault, whose price entry it uses, and keeps a small buffer.
contract FeederVault is ReceiverQueueVault {
    using SafeERC20 for IERC20;

    ReceiverQueueVault public immutable master;
    uint16 public immutable bufferBps;

    constructor(VaultSettings memory settings, uint16 bufferBps_) ReceiverQueueVault(settings) {
        master = ReceiverQueueVault(settings.priceEntry);
        bufferBps = bufferBps_;
        settings.asset.forceApprove(settings.priceEntry, type(uint256).max);
    }

    /// Paid at once or queued at the master, as for any other holder.
    function pull(uint256 masterShares) external onlyAllowed {
        master.redeem(masterShares, address(this), address(this));
    }

    function push(uint256 assets) external onlyAllowed {
        uint256 free = freeAssets();
        if (free < assets) revert NotEnoughAssets(assets, free);
        master.deposit(assets, address(this));
    }

    function _deposited(uint256 assets) internal override {
        uint256 forwarded = (assets * (10_000 - bufferBps)) / 10_000;
        if (master.convertToShares(forwarded) > 0) master.deposit(forwarded, address(this));
    }
}
