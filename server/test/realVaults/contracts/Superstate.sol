// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A model of Superstate's USTB. It claims to have:
/// - 6 decimals; a price of 6 decimals as (bad, updated at, price), which grows by the second between two checkpoints
///   and is bad once the last checkpoint is too old: it does not revert;
/// - Subscribe (subscriber, stablecoin, before fee, after fee, out), the event of older versions: the shares go to the
///   subscriber;
/// - SubscribeV2 (subscriber, to, stablecoin, after fee, before fee, out): the shares go to `to`; the mint comes first;
/// - OffchainRedeem (burner, source, amount), which names no money: it is paid off chain;
/// - AdminBurn, and Bridge: a burn that is not an exit; the shares continue in book entry or on another chain;
/// - a pause of subscriptions and redemptions.
/// Left out: the list of allowed holders, the redemption contract.
contract SuperstateToken is ERC20 {
    event SubscribeV2(
        address indexed subscriber,
        address indexed to,
        address stablecoin,
        uint256 stablecoinInAmountAfterFee,
        uint256 stablecoinInAmountBeforeFee,
        uint256 superstateTokenOutAmount
    );
    event Subscribe(
        address indexed subscriber,
        address stablecoin,
        uint256 stablecoinInAmount,
        uint256 stablecoinInAmountAfterFee,
        uint256 superstateTokenOutAmount
    );
    event OffchainRedeem(address indexed burner, address indexed src, uint256 amount);
    event AdminBurn(address indexed burner, address indexed src, uint256 amount);
    event Bridge(
        address caller,
        address indexed src,
        uint256 amount,
        address indexed ethDestinationAddress,
        string indexed otherDestinationAddress,
        uint256 chainId
    );
    event Paused(address account);

    uint256 private constant MAX_AGE = 5 days;
    uint256 private constant FEE_BPS = 10;

    address public immutable usdc;
    address public immutable superstateOracle = address(this);
    uint256 public maximumOracleDelay = MAX_AGE;
    uint256 private _nav;
    uint256 private _perSecond;
    uint256 private _checkpoint;
    bool public accountingPaused;

    constructor(address usdc_) ERC20("Superstate Short Duration US Government Securities Fund", "USTB") {
        usdc = usdc_;
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function addCheckpoint(uint256 nav, uint256 perSecond) external {
        (_nav, _perSecond, _checkpoint) = (nav, perSecond, block.timestamp);
    }

    function getChainlinkPrice() public view returns (bool isBadData, uint256 updatedAt, uint256 price) {
        isBadData = block.timestamp - _checkpoint > MAX_AGE;
        return (isBadData, _checkpoint, _nav + (block.timestamp - _checkpoint) * _perSecond / 1e12);
    }

    function subscribeOfOld(uint256 amount) external {
        (uint256 afterFee, uint256 out) = _subscribe(msg.sender, amount);
        emit Subscribe(msg.sender, usdc, amount, afterFee, out);
    }

    function _subscribe(address to, uint256 amount) private returns (uint256 afterFee, uint256 out) {
        require(!accountingPaused, "paused");
        (bool bad,, uint256 price) = getChainlinkPrice();
        require(!bad, "BadChainlinkData");
        afterFee = amount - amount * FEE_BPS / 10_000;
        out = afterFee * 1e6 / price;
        _mint(to, out);
    }

    function subscribe(address to, uint256 amount) external {
        (uint256 afterFee, uint256 out) = _subscribe(to, amount);
        emit SubscribeV2(msg.sender, to, usdc, afterFee, amount, out);
    }

    function offchainRedeem(uint256 amount) external {
        _burn(msg.sender, amount);
        emit OffchainRedeem(msg.sender, msg.sender, amount);
    }

    function adminBurn(address src, uint256 amount) external {
        _burn(src, amount);
        emit AdminBurn(msg.sender, src, amount);
    }

    function bridgeToBookEntry(uint256 amount) external {
        _burn(msg.sender, amount);
        emit Bridge(msg.sender, msg.sender, amount, address(0), "", 0);
    }

    /// Mints shares that were bought off chain: no payment is named.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function pauseAccounting(bool on) external {
        accountingPaused = on;
        emit Paused(msg.sender);
    }
}
