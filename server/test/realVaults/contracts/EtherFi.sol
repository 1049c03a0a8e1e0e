// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

// Models of ether.fi's eETH, liquidity pool, withdrawal NFT, and weETH, as seen by a holder and an indexer:
// - eETH keeps shares; Transfer (an amount) and TransferShares follow each move, mint and burn.
// - The pool emits Deposit before the mint. A request emits Withdraw at the pool, but pays nothing yet.
// - A request is an NFT whose contract holds the shares. Finalization has no event (lastFinalizedRequestId()).
// - A claim burns the shares for the smaller of the requested amount and their value; the remaining shares stay at the
//   NFT contract and belong to no wallet.
// - An admin may invalidate a request: its NFT and shares stay where they are.
// - The exchange rate moves by a rebase, up or down, with Rebase.
// - weETH wraps shares: it has no events but Transfer.
// Ether is a number here, not sent; fees of requests are 0.

contract EtherFiPool {
    enum SourceOfFunds {
        UNDEFINED,
        EETH
    }

    event Deposit(address indexed sender, uint256 amount, SourceOfFunds source, address referral);
    event Withdraw(address indexed sender, address recipient, uint256 amount, SourceOfFunds source);
    event Rebase(uint256 totalEthLocked, uint256 totalEEthShares);
    event Paused(address account);
    event Unpaused(address account);

    EtherFiEEth public immutable eETH;
    EtherFiRequests public immutable withdrawRequestNFT;
    uint256 public getTotalPooledEther;
    bool public paused;

    constructor() {
        eETH = new EtherFiEEth();
        withdrawRequestNFT = new EtherFiRequests(eETH);
    }

    function amountForShare(uint256 shares) public view returns (uint256) {
        uint256 total = eETH.totalShares();
        return total == 0 ? 0 : shares * getTotalPooledEther / total;
    }

    function sharesForAmount(uint256 amount) public view returns (uint256) {
        return getTotalPooledEther == 0 ? 0 : amount * eETH.totalShares() / getTotalPooledEther;
    }

    function deposit(uint256 amount, address referral) external returns (uint256 shares) {
        require(!paused, "PAUSED");
        emit Deposit(msg.sender, amount, SourceOfFunds.EETH, referral);
        shares = getTotalPooledEther == 0 ? amount : sharesForAmount(amount);
        getTotalPooledEther += amount;
        eETH.mintShares(msg.sender, shares);
    }

    function requestWithdraw(address recipient, uint256 amount) external returns (uint256 id) {
        uint256 shares = sharesForAmount(amount);
        eETH.transferFrom(msg.sender, address(withdrawRequestNFT), amount);
        id = withdrawRequestNFT.requestWithdraw(amount, shares, recipient);
        emit Withdraw(msg.sender, recipient, amount, SourceOfFunds.EETH);
    }

    /// Called by the NFT contract: rounds the burned shares up.
    function withdraw(uint256 amount) external returns (uint256 shares) {
        require(msg.sender == address(withdrawRequestNFT), "NOT_NFT");
        shares = (amount * eETH.totalShares() + getTotalPooledEther - 1) / getTotalPooledEther;
        getTotalPooledEther -= amount;
        eETH.burnShares(msg.sender, shares);
    }

    function rebase(int256 change) external {
        getTotalPooledEther = uint256(int256(getTotalPooledEther) + change);
        emit Rebase(getTotalPooledEther, eETH.totalShares());
    }

    function pause(bool on) external {
        paused = on;
        if (on) emit Paused(msg.sender);
        else emit Unpaused(msg.sender);
    }
}

contract EtherFiEEth {
    string public constant name = "ether.fi ETH";
    string public constant symbol = "eETH";
    uint8 public constant decimals = 18;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event TransferShares(address indexed from, address indexed to, uint256 sharesValue);

    EtherFiPool public immutable liquidityPool = EtherFiPool(msg.sender);
    mapping(address => uint256) public shares;
    uint256 public totalShares;

    function totalSupply() external view returns (uint256) {
        return liquidityPool.getTotalPooledEther();
    }

    function balanceOf(address account) external view returns (uint256) {
        return liquidityPool.amountForShare(shares[account]);
    }

    function mintShares(address to, uint256 amount) external {
        require(msg.sender == address(liquidityPool), "NOT_POOL");
        shares[to] += amount;
        totalShares += amount;
        _emitMoves(address(0), to, amount);
    }

    function burnShares(address from, uint256 amount) external {
        require(msg.sender == address(liquidityPool), "NOT_POOL");
        shares[from] -= amount;
        totalShares -= amount;
        _emitMoves(from, address(0), amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    /// Allows every transfer: allowances are not modeled.
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        uint256 moved = liquidityPool.sharesForAmount(amount);
        shares[from] -= moved;
        shares[to] += moved;
        emit Transfer(from, to, amount);
        emit TransferShares(from, to, moved);
    }

    function _emitMoves(address from, address to, uint256 moved) private {
        emit Transfer(from, to, liquidityPool.amountForShare(moved));
        emit TransferShares(from, to, moved);
    }
}

contract EtherFiRequests {
    struct Request {
        address owner;
        uint256 amount;
        uint256 shares;
        bool isValid;
    }

    event WithdrawRequestCreated(
        uint32 indexed requestId, uint256 amountOfEEth, uint256 shareOfEEth, address owner, uint256 fee
    );
    event WithdrawRequestClaimed(
        uint32 indexed requestId, uint256 amountOfEEth, uint256 burntShareOfEEth, address owner, uint256 fee
    );
    // Events of other versions.
    event WithdrawRequestCreated(
        uint32 indexed requestId, uint256 amountOfEEth, uint256 shareOfEEth, address owner
    );
    event WithdrawRequestClaimed(
        uint32 indexed requestId, uint256 amountOfEEth, uint256 burntShareOfEEth, address owner
    );
    event WithdrawRequestInvalidated(uint32 indexed requestId);
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    EtherFiPool public immutable liquidityPool = EtherFiPool(msg.sender);
    EtherFiEEth public immutable eETH;
    mapping(uint256 => Request) public requests;
    uint32 public nextRequestId = 1;
    uint32 public lastFinalizedRequestId;

    constructor(EtherFiEEth eETH_) {
        eETH = eETH_;
    }

    function requestWithdraw(uint256 amount, uint256 shares, address recipient) external returns (uint256 id) {
        require(msg.sender == address(liquidityPool), "NOT_POOL");
        id = nextRequestId++;
        requests[id] = Request(recipient, amount, shares, true);
        emit Transfer(address(0), recipient, id);
        if (id % 2 == 0) emit WithdrawRequestCreated(uint32(id), amount, shares, recipient);
        else emit WithdrawRequestCreated(uint32(id), amount, shares, recipient, 0);
    }

    function finalizeRequests(uint32 lastId) external {
        lastFinalizedRequestId = lastId;
    }

    function invalidateRequest(uint256 id) external {
        requests[id].isValid = false;
        emit WithdrawRequestInvalidated(uint32(id));
    }

    function claimWithdraw(uint256 id) external {
        Request memory one = requests[id];
        require(one.owner == msg.sender && one.isValid && id <= lastFinalizedRequestId, "NOT_CLAIMABLE");
        uint256 worth = liquidityPool.amountForShare(one.shares);
        uint256 amount = one.amount < worth ? one.amount : worth;
        delete requests[id];
        emit Transfer(msg.sender, address(0), id);
        uint256 burnt = liquidityPool.withdraw(amount);
        if (id % 2 == 0) emit WithdrawRequestClaimed(uint32(id), amount, burnt, msg.sender);
        else emit WithdrawRequestClaimed(uint32(id), amount, burnt, msg.sender, 0);
    }
}

contract EtherFiWeEth is ERC20 {
    EtherFiEEth public immutable eETH;
    EtherFiPool public immutable liquidityPool;

    constructor(EtherFiPool pool) ERC20("Wrapped eETH", "weETH") {
        liquidityPool = pool;
        eETH = pool.eETH();
    }

    function wrap(uint256 amount) external returns (uint256 shares) {
        shares = liquidityPool.sharesForAmount(amount);
        _mint(msg.sender, shares);
        eETH.transferFrom(msg.sender, address(this), amount);
    }

    function unwrap(uint256 shares) external returns (uint256 amount) {
        amount = liquidityPool.amountForShare(shares);
        _burn(msg.sender, shares);
        eETH.transfer(msg.sender, amount);
    }

    function getRate() external view returns (uint256) {
        return liquidityPool.amountForShare(1 ether);
    }
}
