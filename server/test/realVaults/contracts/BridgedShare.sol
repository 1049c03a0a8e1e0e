// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

// Models of a share token that was bridged to a chain without its vault, like sUSDS on rollups:
// - The token is an ERC-20 that the bridge mints and burns. These are neither deposits nor exits.
// - An oracle has the rate, in 27 digits. A message from the vault's chain sets rate, index, and time, from which it
//   grows by the second. The token does not return the oracle.
// - Shares are bought and sold at a swap contract that holds a stock of them: transfers, and a Swap event with the
//   payment.
// Left out: further assets of the swap contract, its liquidity providers, decimals of other assets.

contract BridgedSusds is ERC20 {
    constructor() ERC20("Savings USDS", "sUSDS") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external {
        _burn(from, amount);
    }
}

contract BridgedRateOracle {
    event SetSUSDSData(uint256 ssr, uint256 chi, uint256 rho);

    uint256 private constant RAY = 1e27;
    uint256 private _ssr = RAY;
    uint256 private _chi = RAY;
    uint256 private _rho = block.timestamp;

    function setSUSDSData(uint256 ssr, uint256 chi) external {
        (_ssr, _chi, _rho) = (ssr, chi, block.timestamp);
        emit SetSUSDSData(ssr, chi, block.timestamp);
    }

    function getRho() external view returns (uint256) {
        return _rho;
    }

    /// The linear form, which is exact enough for a day. The real contract also approximates.
    function getConversionRate() external view returns (uint256) {
        return _chi + _chi * (_ssr - RAY) / RAY * (block.timestamp - _rho);
    }
}

contract BridgedSwap {
    event Swap(
        address indexed assetIn,
        address indexed assetOut,
        address sender,
        address indexed receiver,
        uint256 amountIn,
        uint256 amountOut,
        uint256 referralCode
    );

    ERC20 public immutable usds;
    ERC20 public immutable susds;
    BridgedRateOracle public immutable rateProvider;

    constructor(ERC20 usds_, ERC20 susds_, BridgedRateOracle rates) {
        (usds, susds, rateProvider) = (usds_, susds_, rates);
    }

    function buy(uint256 amountIn, address receiver) external {
        uint256 amountOut = amountIn * 1e27 / rateProvider.getConversionRate();
        usds.transferFrom(msg.sender, address(this), amountIn);
        susds.transfer(receiver, amountOut);
        emit Swap(address(usds), address(susds), msg.sender, receiver, amountIn, amountOut, 0);
    }

    function sell(uint256 amountIn, address receiver) external {
        uint256 amountOut = amountIn * rateProvider.getConversionRate() / 1e27;
        susds.transferFrom(msg.sender, address(this), amountIn);
        usds.transfer(receiver, amountOut);
        emit Swap(address(susds), address(usds), msg.sender, receiver, amountIn, amountOut, 0);
    }
}
