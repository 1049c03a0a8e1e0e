// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

// Models of Veda's BoringVault with teller, accountant, and on-chain queue, as seen by a holder and an indexer:
// - The vault is the share token. It is not ERC-4626: Enter and Exit name asset and amount, and a bridge is an Enter or
//   Exit of asset 0 and amount 0.
// - hook() returns the teller, whose vault() returns the token; the teller returns the accountant; no contract returns
//   the queue.
// - Several assets. The rate is in decimals of base(); other assets are converted by their rate providers.
// - The teller's Deposit comes after the vault's Enter. A refund within the lock burns the shares: an Exit to the
//   refunded.
// - The rate changes by updates. An update out of bounds pauses the accountant without Paused(), but applies; while
//   paused, getRate() returns the rate, and getRateSafe() reverts.
// - The queue takes the shares at the request and fixes the amount. A request is cancelled (shares go back), replaced
//   (cancelled and requested in one transaction), or solved: the shares go to a solver, whose Exit burns them, and the
//   queue pays the user. Exit names the solver, OnChainWithdrawSolved the user.
// Left out: roles, discounts, maturity and deadlines, fees, the share lock itself, deny lists.

interface IVedaHook {
    function vault() external view returns (address);
}

contract VedaVault is ERC20 {
    event Enter(address indexed from, address indexed asset, uint256 amount, address indexed to, uint256 shares);
    event Exit(address indexed to, address indexed asset, uint256 amount, address indexed from, uint256 shares);

    uint8 private immutable _decimals;
    address public hook;

    constructor(string memory name_, uint8 decimals_) ERC20(name_, name_) {
        _decimals = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function setBeforeTransferHook(address hook_) external {
        hook = hook_;
    }

    function enter(address from, ERC20 asset, uint256 amount, address to, uint256 shares) external {
        if (amount > 0) asset.transferFrom(from, address(this), amount);
        _mint(to, shares);
        emit Enter(from, address(asset), amount, to, shares);
    }

    function exit(address to, ERC20 asset, uint256 amount, address from, uint256 shares) external {
        _burn(from, shares);
        if (amount > 0) asset.transfer(to, amount);
        emit Exit(to, address(asset), amount, from, shares);
    }
}

contract VedaAccountant {
    event ExchangeRateUpdated(uint96 oldRate, uint96 newRate, uint64 currentTime);
    event Paused();
    event Unpaused();

    struct State {
        uint96 exchangeRate;
        uint64 lastUpdateTimestamp;
        bool isPaused;
    }

    ERC20 public immutable base;
    VedaVault public immutable vault;
    State public accountantState;
    mapping(ERC20 => uint256) private _rates;

    constructor(VedaVault vault_, ERC20 base_) {
        (vault, base) = (vault_, base_);
        accountantState = State(uint96(10 ** base_.decimals()), uint64(block.timestamp), false);
    }

    /// Base units for one unit (10^decimals) of another asset.
    function setRateProviderData(ERC20 asset, uint256 rate) external {
        _rates[asset] = rate;
    }

    function updateExchangeRate(uint96 rate) external {
        uint96 old = accountantState.exchangeRate;
        bool isPaused = accountantState.isPaused || rate > old * 103 / 100 || rate < old * 97 / 100;
        accountantState = State(rate, uint64(block.timestamp), isPaused);
        emit ExchangeRateUpdated(old, rate, uint64(block.timestamp));
    }

    function unpause() external {
        accountantState.isPaused = false;
        emit Unpaused();
    }

    function getRate() public view returns (uint256) {
        return accountantState.exchangeRate;
    }

    function getRateSafe() external view returns (uint256) {
        require(!accountantState.isPaused, "Paused");
        return getRate();
    }

    function getRateInQuoteSafe(ERC20 quote) external view returns (uint256) {
        require(!accountantState.isPaused, "Paused");
        if (address(quote) == address(base)) return getRate();
        return getRate() * 10 ** quote.decimals() / _rates[quote];
    }
}

contract VedaTeller is IVedaHook {
    event Deposit(
        uint256 nonce,
        address indexed receiver,
        address indexed depositAsset,
        uint256 depositAmount,
        uint256 shareAmount,
        uint256 depositTimestamp,
        uint256 shareLockPeriodAtTimeOfDeposit,
        address indexed referralAddress
    );
    event DepositRefunded(uint256 indexed nonce, bytes32 depositHash, address indexed user);

    VedaVault private immutable _vault;
    VedaAccountant public immutable accountant;
    uint256 public depositNonce;

    constructor(VedaVault vault_, VedaAccountant accountant_) {
        (_vault, accountant) = (vault_, accountant_);
    }

    function vault() external view returns (address) {
        return address(_vault);
    }

    function deposit(ERC20 asset, uint256 amount, address referral) external {
        uint256 shares = amount * 10 ** _vault.decimals() / accountant.getRateInQuoteSafe(asset);
        _vault.enter(msg.sender, asset, amount, msg.sender, shares);
        emit Deposit(++depositNonce, msg.sender, address(asset), amount, shares, block.timestamp, 1 days, referral);
    }

    function refundDeposit(uint256 nonce, address receiver, ERC20 asset, uint256 amount, uint256 shares) external {
        _vault.exit(receiver, asset, amount, receiver, shares);
        emit DepositRefunded(nonce, keccak256(abi.encode(nonce)), receiver);
    }

    /// Shares that arrive from another chain, or leave for it.
    function bridge(address user, uint256 shares, bool isIn) external {
        if (isIn) _vault.enter(address(0), ERC20(address(0)), 0, user, shares);
        else _vault.exit(address(0), ERC20(address(0)), 0, user, shares);
    }

    function bulkWithdraw(ERC20 asset, uint256 shares, address to) external returns (uint256 amount) {
        amount = shares * accountant.getRateInQuoteSafe(asset) / 10 ** _vault.decimals();
        _vault.exit(to, asset, amount, msg.sender, shares);
    }
}

contract VedaQueue {
    struct Request {
        address user;
        ERC20 asset;
        uint128 shares;
        uint128 assets;
    }

    event OnChainWithdrawRequested(
        bytes32 indexed requestId,
        address indexed user,
        address indexed assetOut,
        uint96 nonce,
        uint128 amountOfShares,
        uint128 amountOfAssets,
        uint40 creationTime,
        uint24 secondsToMaturity,
        uint24 secondsToDeadline
    );
    event OnChainWithdrawCancelled(bytes32 indexed requestId, address indexed user, uint256 timestamp);
    event OnChainWithdrawSolved(bytes32 indexed requestId, address indexed user, uint256 timestamp);

    VedaVault public immutable boringVault;
    VedaAccountant public immutable accountant;
    VedaSolver public immutable solver;
    mapping(bytes32 => Request) public requests;
    uint96 public nonce = 1;

    constructor(VedaTeller teller) {
        boringVault = VedaVault(teller.vault());
        accountant = teller.accountant();
        solver = new VedaSolver(teller);
    }

    function requestOnChainWithdraw(ERC20 asset, uint128 shares) public returns (bytes32) {
        boringVault.transferFrom(msg.sender, address(this), shares);
        return _queue(asset, shares);
    }

    function cancelOnChainWithdraw(bytes32 id) external {
        Request memory one = _take(id);
        emit OnChainWithdrawCancelled(id, one.user, block.timestamp);
        boringVault.transfer(one.user, one.shares);
    }

    /// The shares stay where they are.
    function replaceOnChainWithdraw(bytes32 id) external returns (bytes32) {
        Request memory one = _take(id);
        emit OnChainWithdrawCancelled(id, one.user, block.timestamp);
        return _queue(one.asset, one.shares);
    }

    function solveOnChainWithdraws(bytes32[] calldata ids) external {
        (uint256 shares, uint256 assets) = (0, 0);
        ERC20 asset = requests[ids[0]].asset;
        for (uint256 i = 0; i < ids.length; i++) {
            Request memory one = requests[ids[i]];
            shares += one.shares;
            assets += one.assets;
            emit OnChainWithdrawSolved(ids[i], one.user, block.timestamp);
        }
        boringVault.transfer(address(solver), shares);
        solver.solve(asset, shares, assets);
        for (uint256 i = 0; i < ids.length; i++) {
            Request memory one = requests[ids[i]];
            delete requests[ids[i]];
            asset.transfer(one.user, one.assets);
        }
    }

    function _queue(ERC20 asset, uint128 shares) private returns (bytes32 id) {
        uint128 assets =
            uint128(shares * accountant.getRateInQuoteSafe(asset) / 10 ** boringVault.decimals());
        id = keccak256(abi.encode(nonce, msg.sender, shares));
        requests[id] = Request(msg.sender, asset, shares, assets);
        emit OnChainWithdrawRequested(
            id, msg.sender, address(asset), nonce++, shares, assets, uint40(block.timestamp), 1 days, 3 days
        );
    }

    function _take(bytes32 id) private returns (Request memory one) {
        one = requests[id];
        require(one.user == msg.sender, "RequestNotFound");
        delete requests[id];
    }
}

/// Redeems the shares at today's rate and keeps the difference.
contract VedaSolver {
    VedaTeller private immutable _teller;

    constructor(VedaTeller teller) {
        _teller = teller;
    }

    function solve(ERC20 asset, uint256 shares, uint256 assets) external {
        _teller.bulkWithdraw(asset, shares, address(this));
        asset.transfer(msg.sender, assets);
    }
}
