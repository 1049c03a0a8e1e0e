// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A model of Binance's wBETH. It claims to have:
/// - a rate that one account sets, not below one; rounded down;
/// - DepositEth (user, ether, wBETH, referral) after the mint;
/// - Mint and Burn by minters, on behalf of the exchange: no deposits and no exits;
/// - a pause of deposits and transfers, during which the rate can still be read.
/// Left out: the supply limits of minters, the blacklist, exits, which have a separate contract. Ether is a number
/// here.
contract WrappedBeaconEth is ERC20 {
    event DepositEth(address indexed user, uint256 ethAmount, uint256 wBETHAmount, address indexed referral);
    event Mint(address indexed minter, address indexed to, uint256 amount);
    event Burn(address indexed burner, uint256 amount);
    event ExchangeRateUpdated(address indexed oracle, uint256 newExchangeRate);
    event Pause();
    event Unpause();

    address public immutable oracle = msg.sender;
    uint256 public exchangeRate = 1 ether;
    bool public paused;

    constructor() ERC20("Wrapped Beacon ETH", "wBETH") {}

    function updateExchangeRate(uint256 rate) external {
        require(msg.sender == oracle && rate >= 1 ether, "RATE");
        exchangeRate = rate;
        emit ExchangeRateUpdated(msg.sender, rate);
    }

    function deposit(uint256 ethAmount, address referral) external {
        uint256 amount = ethAmount * 1 ether / exchangeRate;
        _mint(msg.sender, amount);
        emit DepositEth(msg.sender, ethAmount, amount, referral);
    }

    function mint(address to, uint256 amount) external {
        emit Mint(msg.sender, to, amount);
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        emit Burn(msg.sender, amount);
        _burn(msg.sender, amount);
    }

    function pause(bool on) external {
        paused = on;
        if (on) emit Pause();
        else emit Unpause();
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!paused, "PAUSED");
        super._update(from, to, value);
    }
}
