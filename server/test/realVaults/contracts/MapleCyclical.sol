// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20, ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// A model of Maple's pool with its cyclical withdrawal manager. It claims to have:
/// - cycles of equal length, each with a window at its start; a request can be redeemed in the window two cycles later;
/// - requestRedeem: shares go from the owner to the pool manager and from there to the withdrawal manager, two Transfers,
///   and WithdrawalUpdated with the shares that are locked in total;
/// - a request with locked shares, once their window has begun, which moves all of them two cycles on;
/// - removeShares once the window has begun; the other shares move two cycles on. Without any, WithdrawalCancelled;
/// - redeem in the window, of all locked shares: they are handed back, burned, and paid by a Withdraw (owner, receiver,
///   owner). If the cash of the pool is less than all shares of the cycle are worth, each owner redeems a part only,
///   and the rest moves one cycle on;
/// - exits at the value less unrealized losses.
/// Left out: single loans, the pool delegate's cover, bootstrap shares, permissions, changes of the configuration.
contract MapleCyclicalPool is ERC20 {
    address public immutable asset;
    MapleCyclicalPoolManager public immutable manager;

    event Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(
        address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );
    event RedemptionRequested(address indexed owner, uint256 shares, uint256 escrowedShares);
    event SharesRemoved(address indexed owner, uint256 shares);

    constructor(IERC20 asset_, uint256 cycle, uint256 window) ERC20("Maple Cyclical Pool", "MPL-C") {
        asset = address(asset_);
        manager = new MapleCyclicalPoolManager(this, cycle, window);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = convertToShares(assets);
        _mint(receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
        IERC20(asset).transferFrom(msg.sender, address(this), assets);
    }

    function requestRedeem(uint256 shares, address owner) external returns (uint256) {
        require(owner == msg.sender, "not the owner");
        _transfer(owner, address(manager), shares);
        manager.requestRedeem(shares, owner);
        emit RedemptionRequested(owner, shares, shares);
        return shares;
    }

    function removeShares(uint256 shares, address owner) external returns (uint256) {
        require(owner == msg.sender, "not the owner");
        manager.withdrawalManager().removeShares(shares, owner);
        emit SharesRemoved(owner, shares);
        return shares;
    }

    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
        require(owner == msg.sender, "not the owner");
        uint256 burned;
        (burned, assets) = manager.withdrawalManager().processExit(shares, owner);
        _burn(owner, burned);
        emit Withdraw(msg.sender, receiver, owner, assets, burned);
        IERC20(asset).transfer(receiver, assets);
    }

    function lend(uint256 assets) external {
        IERC20(asset).transfer(address(manager.loans()), assets);
    }

    function totalAssets() public view returns (uint256) {
        return IERC20(asset).balanceOf(address(this)) + IERC20(asset).balanceOf(address(manager.loans()));
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return totalSupply() == 0 ? shares : Math.mulDiv(shares, totalAssets(), totalSupply());
    }

    function convertToExitAssets(uint256 shares) public view returns (uint256) {
        uint256 left = totalAssets() - manager.unrealizedLosses();
        return totalSupply() == 0 ? shares : Math.mulDiv(shares, left, totalSupply());
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return totalSupply() == 0 ? assets : Math.mulDiv(assets, totalSupply(), totalAssets());
    }

    function unrealizedLosses() external view returns (uint256) {
        return manager.unrealizedLosses();
    }

    function maxRedeem(address owner) external view returns (uint256) {
        MapleCyclicalManager queue = manager.withdrawalManager();
        return queue.isInExitWindow(owner) ? queue.lockedShares(owner) : 0;
    }
}

contract MapleCyclicalPoolManager {
    MapleCyclicalPool private immutable _pool;
    MapleCyclicalManager public immutable withdrawalManager;
    MapleCyclicalLoans public immutable loans;
    uint256 public unrealizedLosses;

    event RedeemRequested(address indexed owner, uint256 shares);

    constructor(MapleCyclicalPool pool, uint256 cycle, uint256 window) {
        _pool = pool;
        withdrawalManager = new MapleCyclicalManager(pool, address(this), cycle, window);
        loans = new MapleCyclicalLoans(pool);
    }

    function setLosses(uint256 losses) external {
        unrealizedLosses = losses;
    }

    function requestRedeem(uint256 shares, address owner) external {
        require(msg.sender == address(_pool), "not the pool");
        _pool.approve(address(withdrawalManager), shares);
        withdrawalManager.addShares(shares, owner);
        emit RedeemRequested(owner, shares);
    }
}

/// Stands for all loans: what was lent, with its interest.
contract MapleCyclicalLoans {
    MapleCyclicalPool private immutable _pool;

    constructor(MapleCyclicalPool pool) {
        _pool = pool;
    }

    function repay(uint256 assets) external {
        IERC20(_pool.asset()).transfer(address(_pool), assets);
    }
}

contract MapleCyclicalManager {
    MapleCyclicalPool private immutable _pool;
    address private immutable _manager;
    uint256 private immutable _start;
    uint256 private immutable _cycle;
    uint256 private immutable _window;
    mapping(address => uint256) public exitCycleId;
    mapping(address => uint256) public lockedShares;
    mapping(uint256 => uint256) public totalCycleShares;

    event WithdrawalUpdated(address indexed account, uint256 lockedShares, uint64 windowStart, uint64 windowEnd);
    event WithdrawalProcessed(address indexed account, uint256 sharesToRedeem, uint256 assetsToWithdraw);
    event WithdrawalCancelled(address indexed account);

    constructor(MapleCyclicalPool pool, address manager, uint256 cycle, uint256 window) {
        _pool = pool;
        _manager = manager;
        _start = block.timestamp;
        _cycle = cycle;
        _window = window;
    }

    function addShares(uint256 shares, address owner) external {
        require(msg.sender == _manager, "not the manager");
        uint256 locked = lockedShares[owner];
        require(locked == 0 || hasWindowBegun(owner), "pending");
        _lock(owner, locked + shares, 2);
        _pool.transferFrom(msg.sender, address(this), shares);
        _announce(owner);
    }

    function removeShares(uint256 shares, address owner) external {
        require(msg.sender == address(_pool) && hasWindowBegun(owner), "pending");
        _lock(owner, lockedShares[owner] - shares, 2);
        _pool.transfer(owner, shares);
        _announce(owner);
    }

    function processExit(uint256 shares, address owner) external returns (uint256 redeemed, uint256 assets) {
        require(msg.sender == address(_pool) && isInExitWindow(owner), "not in the window");
        uint256 locked = lockedShares[owner];
        require(locked > 0 && shares == locked, "not the locked shares");
        uint256 cash = IERC20(_pool.asset()).balanceOf(address(_pool));
        uint256 wanted = _pool.convertToExitAssets(totalCycleShares[exitCycleId[owner]]);
        redeemed = cash < wanted ? Math.mulDiv(locked, cash, wanted) : locked;
        assets = _pool.convertToExitAssets(redeemed);
        _pool.transfer(owner, redeemed);
        _lock(owner, locked - redeemed, 1);
        emit WithdrawalProcessed(owner, redeemed, assets);
        _announce(owner);
    }

    function currentCycleId() public view returns (uint256) {
        return 1 + (block.timestamp - _start) / _cycle;
    }

    function isInExitWindow(address owner) public view returns (bool) {
        uint256 id = exitCycleId[owner];
        return id != 0 && block.timestamp >= _windowStart(id) && block.timestamp < _windowStart(id) + _window;
    }

    function hasWindowBegun(address owner) public view returns (bool) {
        uint256 id = exitCycleId[owner];
        return id != 0 && block.timestamp >= _windowStart(id);
    }

    /// Moves all locked shares of an owner to a later cycle.
    function _lock(address owner, uint256 locked, uint256 cycles) private {
        totalCycleShares[exitCycleId[owner]] -= lockedShares[owner];
        uint256 id = locked == 0 ? 0 : currentCycleId() + cycles;
        totalCycleShares[id] += locked;
        exitCycleId[owner] = id;
        lockedShares[owner] = locked;
    }

    function _announce(address owner) private {
        uint256 id = exitCycleId[owner];
        if (id == 0) emit WithdrawalCancelled(owner);
        else {
            uint256 start = _windowStart(id);
            emit WithdrawalUpdated(owner, lockedShares[owner], uint64(start), uint64(start + _window));
        }
    }

    function _windowStart(uint256 id) private view returns (uint256) {
        return _start + (id - 1) * _cycle;
    }
}
