// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20, ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// A model of Maple's pool with its queue. It claims to have:
/// - requestRedeem: shares go from the owner to the pool manager and from there to the withdrawal manager, two
///   Transfers;
/// - one request per owner, in order, with the manager's events; processing pays with a Withdraw (manager, owner,
///   manager);
/// - owners with manual exits: processing leaves the shares at the manager and counts them as the owner's
///   (manualSharesAvailable, in lockedShares and maxRedeem); redeem returns the shares, burns them, and pays;
/// - exits at convertToExitAssets, less unrealized losses; removeShares withdraws a request.
/// Left out: loans, the pool delegate's cover, bootstrap shares, permissions, partial liquidity.
contract MaplePool is ERC20 {
    address public immutable asset;
    MaplePoolManager public immutable manager;

    event Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(
        address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );
    event RedemptionRequested(address indexed owner, uint256 shares, uint256 escrowedShares);
    event SharesRemoved(address indexed owner, uint256 shares);

    constructor(IERC20 asset_) ERC20("Maple Pool", "MPL-P") {
        asset = address(asset_);
        manager = new MaplePoolManager(this);
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
        manager.withdrawalManager().processExit(shares, owner);
        assets = convertToExitAssets(shares);
        _burn(owner, shares);
        emit Withdraw(msg.sender, receiver, owner, assets, shares);
        IERC20(asset).transfer(receiver, assets);
    }

    function totalAssets() public view returns (uint256) {
        return IERC20(asset).balanceOf(address(this));
    }

    function unrealizedLosses() public view returns (uint256) {
        return manager.unrealizedLosses();
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return totalSupply() == 0 ? shares : Math.mulDiv(shares, totalAssets(), totalSupply());
    }

    function convertToExitAssets(uint256 shares) public view returns (uint256) {
        uint256 left = totalAssets() - unrealizedLosses();
        return totalSupply() == 0 ? shares : Math.mulDiv(shares, left, totalSupply());
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return totalSupply() == 0 ? assets : Math.mulDiv(assets, totalSupply(), totalAssets());
    }

    function maxRedeem(address owner) external view returns (uint256) {
        return manager.withdrawalManager().lockedShares(owner);
    }
}

contract MaplePoolManager {
    MaplePool private immutable _pool;
    MapleWithdrawalManager public immutable withdrawalManager;
    uint256 public unrealizedLosses;

    event RedeemRequested(address indexed owner, uint256 shares);

    constructor(MaplePool pool) {
        _pool = pool;
        withdrawalManager = new MapleWithdrawalManager(pool, address(this));
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

contract MapleWithdrawalManager {
    struct Request {
        address owner;
        uint256 shares;
    }

    MaplePool private immutable _pool;
    address private immutable _manager;
    uint128 private _next = 1;
    uint128 private _last;
    uint256 public totalShares;
    mapping(uint128 => Request) public requests;
    mapping(address => uint128) public requestIds;
    mapping(address => bool) public isManualWithdrawal;
    mapping(address => uint256) public manualSharesAvailable;

    event RequestCreated(uint128 indexed requestId, address indexed owner, uint256 shares);
    event RequestDecreased(uint128 indexed requestId, uint256 shares);
    event RequestProcessed(uint128 indexed requestId, address indexed owner, uint256 shares, uint256 assets);
    event RequestRemoved(uint128 indexed requestId);
    event ManualSharesDecreased(address indexed owner, uint256 shares);
    event ManualSharesIncreased(address indexed owner, uint256 shares);
    event ManualWithdrawalSet(address indexed owner, bool isManual);

    constructor(MaplePool pool, address manager) {
        _pool = pool;
        _manager = manager;
    }

    function setManualWithdrawal(address owner, bool isManual) external {
        isManualWithdrawal[owner] = isManual;
        emit ManualWithdrawalSet(owner, isManual);
    }

    function addShares(uint256 shares, address owner) external {
        require(msg.sender == _manager && requestIds[owner] == 0, "in queue");
        uint128 id = ++_last;
        requests[id] = Request(owner, shares);
        requestIds[owner] = id;
        totalShares += shares;
        _pool.transferFrom(msg.sender, address(this), shares);
        emit RequestCreated(id, owner, shares);
    }

    function removeShares(uint256 shares, address owner) external {
        require(msg.sender == address(_pool), "not the pool");
        uint128 id = requestIds[owner];
        totalShares -= shares;
        _decrease(id, shares);
        _pool.transfer(owner, shares);
    }

    function processRedemptions(uint256 maxShares) external {
        while (maxShares > 0 && _next <= _last) {
            uint128 id = _next;
            Request memory request = requests[id];
            if (request.owner == address(0)) {
                _next++;
                continue;
            }
            uint256 shares = Math.min(request.shares, maxShares);
            maxShares -= shares;
            emit RequestProcessed(id, request.owner, shares, _pool.convertToExitAssets(shares));
            _decrease(id, shares);
            if (isManualWithdrawal[request.owner]) {
                manualSharesAvailable[request.owner] += shares;
                emit ManualSharesIncreased(request.owner, shares);
            } else {
                totalShares -= shares;
                _pool.redeem(shares, request.owner, address(this));
            }
            if (shares < request.shares) break;
            _next++;
        }
    }

    function processExit(uint256 shares, address owner) external {
        require(msg.sender == address(_pool), "not the pool");
        if (owner == address(this)) return;
        manualSharesAvailable[owner] -= shares;
        emit ManualSharesDecreased(owner, shares);
        totalShares -= shares;
        _pool.transfer(owner, shares);
    }

    function lockedShares(address owner) external view returns (uint256) {
        return manualSharesAvailable[owner];
    }

    function _decrease(uint128 id, uint256 shares) private {
        Request storage request = requests[id];
        if (shares == request.shares) {
            delete requestIds[request.owner];
            delete requests[id];
            emit RequestRemoved(id);
        } else {
            request.shares -= shares;
            emit RequestDecreased(id, shares);
        }
    }
}
