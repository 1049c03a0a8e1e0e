// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

// A model of no particular vault: an ERC-4626 vault on npm's OpenZeppelin with a queue in the vault itself, as several
// have.
// - requestRedeem() moves the shares to the vault, with an event that ERC-4626 does not have.
// - claim() withdraws them from there: a Withdraw whose owner is the vault, at the price of the claim.
contract SelfQueueVault is ERC4626 {
    event Asked(address indexed owner, uint256 shares);

    mapping(address => uint256) public asked;

    constructor(IERC20 asset_) ERC20("Self Queue", "sqUSD") ERC4626(asset_) {}

    function requestRedeem(uint256 shares) external {
        asked[msg.sender] += shares;
        _transfer(msg.sender, address(this), shares);
        emit Asked(msg.sender, shares);
    }

    function claim() external {
        uint256 shares = asked[msg.sender];
        delete asked[msg.sender];
        _withdraw(address(this), msg.sender, address(this), previewRedeem(shares), shares);
    }
}
