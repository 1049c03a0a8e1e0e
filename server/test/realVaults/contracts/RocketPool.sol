// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A model of Rocket Pool's rETH. It claims to have:
/// - TokensMinted (to, rETH, ether, time) after the mint, TokensBurned (from, ...) after the burn; no queue;
/// - an exchange rate from balances that an oracle reports: constant between reports, may fall, rounded down;
/// - a rate of one before the first report.
/// Left out: the deposit pool with its fee and delay, collateral. Ether is a number here, not sent.
contract RocketEth is ERC20 {
    event TokensMinted(address indexed to, uint256 amount, uint256 ethAmount, uint256 time);
    event TokensBurned(address indexed from, uint256 amount, uint256 ethAmount, uint256 time);

    uint256 private _totalEth;
    uint256 private _totalReth;

    constructor() ERC20("Rocket Pool ETH", "rETH") {}

    function getEthValue(uint256 amount) public view returns (uint256) {
        return _totalReth == 0 ? amount : amount * _totalEth / _totalReth;
    }

    function getRethValue(uint256 amount) public view returns (uint256) {
        return _totalReth == 0 ? amount : amount * _totalReth / _totalEth;
    }

    function getExchangeRate() external view returns (uint256) {
        return getEthValue(1 ether);
    }

    /// Applies a report of the oracle.
    function submitBalances(uint256 totalEth, uint256 totalReth) external {
        (_totalEth, _totalReth) = (totalEth, totalReth);
    }

    function deposit(uint256 ethAmount) external {
        uint256 amount = getRethValue(ethAmount);
        _mint(msg.sender, amount);
        emit TokensMinted(msg.sender, amount, ethAmount, block.timestamp);
    }

    function burn(uint256 amount) external {
        uint256 ethAmount = getEthValue(amount);
        _burn(msg.sender, amount);
        emit TokensBurned(msg.sender, amount, ethAmount, block.timestamp);
    }
}
