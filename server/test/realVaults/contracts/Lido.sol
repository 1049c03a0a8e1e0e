// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

// Models of Lido's stETH, wstETH, and withdrawal queue, as seen by a holder and an indexer:
// - stETH keeps shares; balances and totalSupply() are shares times pooled ether, so they move without an event.
// - Both Transfer (an amount) and TransferShares follow a move; a transfer rounds the shares down.
// - A burn emits only SharesBurnt: neither Transfer nor TransferShares.
// - A report adds rewards, mints fee shares to the treasury, or takes a loss; only TokenRebased shows a loss.
// - A withdrawal request is an NFT: its Transfer has ERC-20's topic and one more indexed field. The queue holds the
//   shares.
// - Requests are finalized as a range of ids, at the smaller of the requested amount and the value of the shares.
//   Their shares go to the burner and are burned. The claim pays later. The owner of the NFT may sell it.
// - wstETH wraps shares: its only event is Transfer.
// Ether is a number here, not sent.

contract LidoStEth {
    string public constant name = "Liquid staked Ether 2.0";
    string public constant symbol = "stETH";
    uint8 public constant decimals = 18;
    uint256 private constant FEE_BPS = 1000;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event TransferShares(address indexed from, address indexed to, uint256 sharesValue);
    event SharesBurnt(
        address indexed account, uint256 preRebaseTokenAmount, uint256 postRebaseTokenAmount, uint256 sharesAmount
    );
    event Submitted(address indexed sender, uint256 amount, address referral);
    event TokenRebased(
        uint256 indexed reportTimestamp,
        uint256 timeElapsed,
        uint256 preTotalShares,
        uint256 preTotalEther,
        uint256 postTotalShares,
        uint256 postTotalEther,
        uint256 sharesMintedAsFees
    );
    event StakingPaused();
    event StakingResumed();

    mapping(address => uint256) private _shares;
    uint256 private _totalShares;
    uint256 private _pooled;
    bool public isStakingPaused;
    address public immutable treasury;
    LidoQueue public immutable queue;
    LidoBurner public immutable burner;

    constructor(address treasury_) {
        treasury = treasury_;
        queue = new LidoQueue();
        burner = new LidoBurner();
        _pooled = 1;
        _mint(address(0xdead), 1);
    }

    function getTotalShares() external view returns (uint256) {
        return _totalShares;
    }

    function getTotalPooledEther() public view returns (uint256) {
        return _pooled;
    }

    function totalSupply() external view returns (uint256) {
        return _pooled;
    }

    function sharesOf(address account) external view returns (uint256) {
        return _shares[account];
    }

    function balanceOf(address account) external view returns (uint256) {
        return getPooledEthByShares(_shares[account]);
    }

    function getPooledEthByShares(uint256 shares) public view returns (uint256) {
        return shares * _pooled / _totalShares;
    }

    function getSharesByPooledEth(uint256 amount) public view returns (uint256) {
        return amount * _totalShares / _pooled;
    }

    function submit(uint256 amount, address referral) external returns (uint256 shares) {
        require(!isStakingPaused, "STAKING_PAUSED");
        shares = getSharesByPooledEth(amount);
        _totalShares += shares;
        _shares[msg.sender] += shares;
        _pooled += amount;
        emit Submitted(msg.sender, amount, referral);
        _emitMoves(address(0), msg.sender, getPooledEthByShares(shares), shares);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount, getSharesByPooledEth(amount));
        return true;
    }

    function transferShares(address to, uint256 shares) external returns (uint256 amount) {
        amount = getPooledEthByShares(shares);
        _move(msg.sender, to, amount, shares);
    }

    /// Allows every transfer: allowances are not modeled.
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        _move(from, to, amount, getSharesByPooledEth(amount));
        return true;
    }

    function pauseStaking(bool paused) external {
        isStakingPaused = paused;
        if (paused) emit StakingPaused();
        else emit StakingResumed();
    }

    /// One report of the oracle: rewards or a loss, then the finalized requests, whose shares are burned.
    function report(uint256 rewards, uint256 loss, uint256 lastId) external {
        (uint256 preShares, uint256 preEther) = (_totalShares, _pooled);
        _pooled = _pooled + rewards - loss;
        (uint256 eth, uint256 shares) = queue.finalize(lastId);
        if (shares > 0) {
            _move(address(queue), address(burner), getPooledEthByShares(shares), shares);
            uint256 before = getPooledEthByShares(shares);
            _totalShares -= shares;
            _shares[address(burner)] -= shares;
            _pooled -= eth;
            emit SharesBurnt(address(burner), before, getPooledEthByShares(shares), shares);
        }
        uint256 fee = rewards * FEE_BPS / 10_000;
        uint256 feeShares = fee * _totalShares / (_pooled - fee);
        if (feeShares > 0) _mint(treasury, feeShares);
        emit TokenRebased(block.timestamp, 1 days, preShares, preEther, _totalShares, _pooled, feeShares);
    }

    function _mint(address to, uint256 shares) private {
        _totalShares += shares;
        _shares[to] += shares;
        _emitMoves(address(0), to, getPooledEthByShares(shares), shares);
    }

    function _move(address from, address to, uint256 amount, uint256 shares) private {
        _shares[from] -= shares;
        _shares[to] += shares;
        _emitMoves(from, to, amount, shares);
    }

    function _emitMoves(address from, address to, uint256 amount, uint256 shares) private {
        emit Transfer(from, to, amount);
        emit TransferShares(from, to, shares);
    }
}

/// Only holds shares that are about to be burned.
contract LidoBurner {}

contract LidoQueue {
    struct Request {
        address owner;
        uint256 amount;
        uint256 shares;
        uint256 eth;
    }

    event WithdrawalRequested(
        uint256 indexed requestId,
        address indexed requestor,
        address indexed owner,
        uint256 amountOfStETH,
        uint256 amountOfShares
    );
    event WithdrawalsFinalized(
        uint256 indexed from, uint256 indexed to, uint256 amountOfETHLocked, uint256 sharesToBurn, uint256 timestamp
    );
    event WithdrawalClaimed(
        uint256 indexed requestId, address indexed owner, address indexed receiver, uint256 amountOfETH
    );
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    LidoStEth private immutable _token = LidoStEth(msg.sender);
    mapping(uint256 => Request) public requests;
    uint256 public getLastRequestId;
    uint256 public getLastFinalizedRequestId;

    function STETH() external view returns (address) {
        return address(_token);
    }

    function requestWithdrawals(uint256 amount, address owner) external returns (uint256 id) {
        uint256 shares = _token.getSharesByPooledEth(amount);
        _token.transferFrom(msg.sender, address(this), amount);
        id = ++getLastRequestId;
        requests[id] = Request(owner, amount, shares, 0);
        emit WithdrawalRequested(id, msg.sender, owner, amount, shares);
        emit Transfer(address(0), owner, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(requests[id].owner == from && msg.sender == from, "NOT_OWNER");
        requests[id].owner = to;
        emit Transfer(from, to, id);
    }

    function finalize(uint256 lastId) external returns (uint256 eth, uint256 shares) {
        require(msg.sender == address(_token), "NOT_LIDO");
        uint256 first = getLastFinalizedRequestId + 1;
        if (lastId < first) return (0, 0);
        for (uint256 id = first; id <= lastId; id++) {
            Request storage one = requests[id];
            uint256 worth = _token.getPooledEthByShares(one.shares);
            one.eth = worth < one.amount ? worth : one.amount;
            eth += one.eth;
            shares += one.shares;
        }
        getLastFinalizedRequestId = lastId;
        emit WithdrawalsFinalized(first, lastId, eth, shares, block.timestamp);
    }

    function claimWithdrawal(uint256 id) external {
        Request memory one = requests[id];
        require(one.owner == msg.sender && id <= getLastFinalizedRequestId, "NOT_CLAIMABLE");
        delete requests[id];
        emit WithdrawalClaimed(id, msg.sender, msg.sender, one.eth);
        emit Transfer(msg.sender, address(0), id);
    }
}

contract LidoWstEth is ERC20 {
    LidoStEth public immutable stETH;

    constructor(LidoStEth stETH_) ERC20("Wrapped liquid staked Ether 2.0", "wstETH") {
        stETH = stETH_;
    }

    function wrap(uint256 amount) external returns (uint256 shares) {
        shares = stETH.getSharesByPooledEth(amount);
        _mint(msg.sender, shares);
        stETH.transferFrom(msg.sender, address(this), amount);
    }

    function unwrap(uint256 shares) external returns (uint256 amount) {
        amount = stETH.getPooledEthByShares(shares);
        _burn(msg.sender, shares);
        stETH.transfer(msg.sender, amount);
    }

    function stEthPerToken() external view returns (uint256) {
        return stETH.getPooledEthByShares(1 ether);
    }
}
