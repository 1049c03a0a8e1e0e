// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReceiverQueueVault} from "./ReceiverQueueVault.sol";

/// The gateway of a front end: it calls the vault, so the vault sees the router instead of the user.
contract Router {
    using SafeERC20 for IERC20;

    function deposit(ReceiverQueueVault vault, uint256 assets, address receiver) external returns (uint256) {
        IERC20 token = IERC20(vault.asset());
        token.safeTransferFrom(msg.sender, address(this), assets);
        token.forceApprove(address(vault), assets);
        return vault.deposit(assets, receiver);
    }

    function redeem(ReceiverQueueVault vault, uint256 shares, address receiver) external returns (uint256) {
        IERC20(address(vault)).safeTransferFrom(msg.sender, address(this), shares);
        return vault.redeem(shares, receiver, address(this));
    }
}
