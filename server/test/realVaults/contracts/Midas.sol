// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

// Models of Midas's mToken, data feed, deposit vault, and redemption vault, as seen by a holder and an indexer:
// - The token returns neither feed nor vaults; each vault returns the token (mToken()) and the feed (mTokenDataFeed()).
// - getDataInBase18() reverts once the aggregator's answer is older than healthyDiff(); the aggregator has 8 decimals.
// - DepositInstant has dollars (18 decimals) and mTokens. The ...WithCustomRecipient form gives the tokens to the
//   recipient.
// - RedeemInstant burns. RedeemRequest moves the tokens to the redemption vault; an approval burns them and pays at a
//   new rate. Both take a fee in tokens for the fee receiver; the events name the amount including the fee, and the
//   fee. The ...WithCustomRecipient form pays the recipient. A rejection only changes the status: the tokens stay at
//   the vault until an admin moves them.
// - A deposit request takes the payment at once; an approval mints for it, and names no amount.
// - ApproveRequest has one topic in both vaults; the ids of both start at 0 or 1.
// Left out: payment tokens' feeds, allowances, daily limits, greenlists.

contract MidasToken is ERC20 {
    constructor() ERC20("Midas Treasury", "mTBILL") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external {
        _burn(from, amount);
    }
}

contract MidasFeed {
    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    uint8 public constant decimals = 8;
    uint256 public constant healthyDiff = 3 days;
    address public immutable aggregator = address(this);
    int256 private _answer;
    uint80 private _round;
    uint256 private _updatedAt;

    function setRoundData(int256 answer) external {
        (_answer, _updatedAt) = (answer, block.timestamp);
        emit AnswerUpdated(answer, ++_round, block.timestamp);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (_round, _answer, _updatedAt, _updatedAt, _round);
    }

    function getDataInBase18() external view returns (uint256) {
        require(block.timestamp - _updatedAt <= healthyDiff, "DF: feed is unhealthy");
        return uint256(_answer) * 1e10;
    }
}

abstract contract MidasManager {
    event ApproveRequest(uint256 indexed requestId, uint256 newRate);
    event SafeApproveRequest(uint256 indexed requestId, uint256 newRate);
    event RejectRequest(uint256 indexed requestId, address indexed user);

    MidasToken public immutable mToken;
    MidasFeed public immutable mTokenDataFeed;
    ERC20 public immutable usd;
    uint256 public currentRequestId;

    constructor(MidasToken token, MidasFeed feed, ERC20 usd_) {
        (mToken, mTokenDataFeed, usd) = (token, feed, usd_);
    }
}

contract MidasDepositVault is MidasManager {
    event DepositInstant(
        address indexed user,
        address indexed tokenIn,
        uint256 amountUsd,
        uint256 amountToken,
        uint256 fee,
        uint256 minted,
        bytes32 referrerId
    );
    event DepositInstantWithCustomRecipient(
        address indexed user,
        address indexed tokenIn,
        address recipient,
        uint256 amountUsd,
        uint256 amountToken,
        uint256 fee,
        uint256 minted,
        bytes32 referrerId
    );

    constructor(MidasToken token, MidasFeed feed, ERC20 usd_) MidasManager(token, feed, usd_) {}

    /// Amounts have 18 decimals, regardless of the token's.
    function depositInstant(uint256 amount) external {
        uint256 minted = _deposit(msg.sender, amount);
        emit DepositInstant(msg.sender, address(usd), amount, amount, 0, minted, 0);
    }

    function depositInstantFor(uint256 amount, address recipient) external {
        uint256 minted = _deposit(recipient, amount);
        emit DepositInstantWithCustomRecipient(msg.sender, address(usd), recipient, amount, amount, 0, minted, 0);
    }

    event DepositRequest(
        uint256 indexed requestId,
        address indexed user,
        address indexed tokenIn,
        uint256 amountToken,
        uint256 amountUsd,
        uint256 fee,
        uint256 tokenOutRate,
        bytes32 referrerId
    );

    struct Request {
        address user;
        uint256 amount;
    }

    mapping(uint256 => Request) public requests;

    function depositRequest(uint256 amount) external {
        usd.transferFrom(msg.sender, address(0xfeed), amount / 10 ** (18 - usd.decimals()));
        uint256 id = currentRequestId++;
        requests[id] = Request(msg.sender, amount);
        uint256 rate = mTokenDataFeed.getDataInBase18();
        emit DepositRequest(id, msg.sender, address(usd), amount, amount, 0, rate, 0);
    }

    function approveRequest(uint256 id, uint256 rate) external {
        Request memory one = requests[id];
        delete requests[id];
        mToken.mint(one.user, one.amount * 1e18 / rate);
        emit ApproveRequest(id, rate);
    }

    function _deposit(address to, uint256 amount) private returns (uint256 minted) {
        minted = amount * 1e18 / mTokenDataFeed.getDataInBase18();
        usd.transferFrom(msg.sender, address(0xfeed), amount / 10 ** (18 - usd.decimals()));
        mToken.mint(to, minted);
    }
}

contract MidasRedemptionVault is MidasManager {
    event RedeemInstant(
        address indexed user, address indexed tokenOut, uint256 amount, uint256 feeAmount, uint256 amountTokenOut
    );
    event RedeemRequest(
        uint256 indexed requestId,
        address indexed user,
        address indexed tokenOut,
        uint256 amountMTokenIn,
        uint256 feeAmount
    );

    event RedeemRequestWithCustomRecipient(
        uint256 indexed requestId,
        address indexed user,
        address indexed tokenOut,
        address recipient,
        uint256 amountMTokenIn,
        uint256 feeAmount
    );
    event RedeemInstantWithCustomRecipient(
        address indexed user,
        address indexed tokenOut,
        address recipient,
        uint256 amount,
        uint256 feeAmount,
        uint256 amountTokenOut
    );

    address public constant feeReceiver = address(0xfee);

    struct Request {
        address user;
        uint256 amount;
    }

    address public immutable requestRedeemer = msg.sender;
    mapping(uint256 => Request) public redeemRequests;

    constructor(MidasToken token, MidasFeed feed, ERC20 usd_) MidasManager(token, feed, usd_) {}

    function redeemInstant(uint256 amount) external {
        (uint256 fee, uint256 out) = _redeem(amount, msg.sender);
        emit RedeemInstant(msg.sender, address(usd), amount, fee, out);
    }

    function redeemInstantFor(uint256 amount, address recipient) external {
        (uint256 fee, uint256 out) = _redeem(amount, recipient);
        emit RedeemInstantWithCustomRecipient(msg.sender, address(usd), recipient, amount, fee, out);
    }

    function redeemRequest(uint256 amount) external {
        (uint256 id, uint256 fee) = _request(amount, msg.sender);
        emit RedeemRequest(id, msg.sender, address(usd), amount, fee);
    }

    function redeemRequestFor(uint256 amount, address recipient) external {
        (uint256 id, uint256 fee) = _request(amount, recipient);
        emit RedeemRequestWithCustomRecipient(id, msg.sender, address(usd), recipient, amount, fee);
    }

    function _request(uint256 amount, address recipient) private returns (uint256 id, uint256 fee) {
        fee = feeOf(amount);
        mToken.transferFrom(msg.sender, address(this), amount - fee);
        mToken.transferFrom(msg.sender, feeReceiver, fee);
        id = currentRequestId++;
        redeemRequests[id] = Request(recipient, amount - fee);
    }

    /// Rounded down, unlike the rest of the amount.
    function feeOf(uint256 amount) public pure returns (uint256) {
        return amount * 30 / 10_000;
    }

    function _redeem(uint256 amount, address recipient) private returns (uint256 fee, uint256 out) {
        fee = feeOf(amount);
        out = (amount - fee) * mTokenDataFeed.getDataInBase18() / 1e18;
        mToken.burn(msg.sender, amount - fee);
        mToken.transferFrom(msg.sender, feeReceiver, fee);
        usd.transfer(recipient, out / 10 ** (18 - usd.decimals()));
    }

    function approveRequest(uint256 id, uint256 rate) external {
        _approve(id, rate);
        emit ApproveRequest(id, rate);
    }

    /// Like approveRequest(), if the rate is near the feed's.
    function safeApproveRequest(uint256 id, uint256 rate) external {
        _approve(id, rate);
        emit SafeApproveRequest(id, rate);
    }

    function _approve(uint256 id, uint256 rate) private {
        Request memory one = redeemRequests[id];
        delete redeemRequests[id];
        mToken.burn(address(this), one.amount);
        usd.transfer(one.user, one.amount * rate / 1e18 / 10 ** (18 - usd.decimals()));
    }

    function rejectRequest(uint256 id) external {
        address user = redeemRequests[id].user;
        delete redeemRequests[id];
        emit RejectRequest(id, user);
    }

    /// For rejected requests: an admin can send the tokens to any address.
    function withdrawToken(uint256 amount, address to) external {
        mToken.transfer(to, amount);
    }
}
