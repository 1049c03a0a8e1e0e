// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Authorized, IAuthority} from "./Authority.sol";
import {ISharePriceOracle} from "./SharePriceOracle.sol";
import {IMintable} from "./Tokens.sol";

interface IExitQueue {
    function requestExit(uint256 shares) external returns (uint256 assets);
    function claimExit() external returns (uint256 assets);
}

interface IRewards {
    function claimReward() external returns (uint256 amount);
}

struct VaultSettings {
    string name;
    string symbol;
    IERC20 asset;
    IAuthority authority;
    ISharePriceOracle oracle;
    /// Address whose oracle entry prices the shares; zero: the vault itself.
    address priceEntry;
    uint16 exitFeeBps;
}

/// A vault with a published share price. It pays redemptions at once while it has free assets, and otherwise
/// queues them by receiver. It is its own share token; shares have the asset's decimals.
contract ReceiverQueueVault is ERC20, Authorized {
    using SafeERC20 for IERC20;

    struct Pending {
        uint256 assets;
        uint256 shares;
    }

    uint256 private constant BPS = 10_000;

    IERC20 private immutable _asset;
    ISharePriceOracle public immutable oracle;
    address public immutable priceEntry;
    uint8 private immutable _decimals;

    bool public paused;
    uint16 public exitFeeBps;
    uint256 public totalPendingAssets;
    mapping(address => bool) public feeExempt;
    mapping(address => Pending) private _pending;

    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );
    event RedeemRequest(
        address indexed receiver, address indexed owner, uint256 assets, uint256 shares, bool indexed instant
    );
    event RequestFulfilled(address indexed receiver, uint256 shares, uint256 assets);
    event RequestCancelled(address indexed receiver, uint256 shares, uint256 assets);
    event Allocated(address indexed venue, uint256 assets);
    event Deallocated(address indexed venue, uint256 assets);
    event BridgedOut(uint256 indexed toChain, uint256 assets);
    event BridgedIn(uint256 indexed fromChain, uint256 assets);
    event PausedSet(bool paused);

    error Paused();
    error NoPrice(address entry);
    error NothingToDo();
    error NotEnoughPending(address receiver, uint256 shares);
    error NotEnoughAssets(uint256 wanted, uint256 held);

    constructor(VaultSettings memory settings)
        ERC20(settings.name, settings.symbol)
        Authorized(settings.authority)
    {
        _asset = settings.asset;
        oracle = settings.oracle;
        priceEntry = settings.priceEntry == address(0) ? address(this) : settings.priceEntry;
        exitFeeBps = settings.exitFeeBps;
        _decimals = IERC20Metadata(address(settings.asset)).decimals();
    }

    modifier whenOpen() {
        if (paused) revert Paused();
        _;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function asset() public view returns (address) {
        return address(_asset);
    }

    /// Value of this chain's shares; 0 until a price is published.
    function totalAssets() external view returns (uint256) {
        (uint256 price,) = oracle.getLatestPrice(priceEntry);
        return Math.mulDiv(price, totalSupply(), 10 ** _decimals);
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return Math.mulDiv(shares, _price(), 10 ** _decimals);
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return Math.mulDiv(assets, 10 ** _decimals, _price());
    }

    function pendingRedeemRequest(address receiver) external view returns (uint256 assets, uint256 pendingShares) {
        Pending memory entry = _pending[receiver];
        return (entry.assets, entry.shares);
    }

    /// Assets held and not owed to the queue.
    function freeAssets() public view returns (uint256) {
        uint256 held = _asset.balanceOf(address(this));
        return held > totalPendingAssets ? held - totalPendingAssets : 0;
    }

    function deposit(uint256 assets, address receiver) external whenOpen returns (uint256 shares) {
        shares = convertToShares(assets);
        if (shares == 0) revert NothingToDo();
        _asset.safeTransferFrom(msg.sender, address(this), assets);
        _mint(receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
        _deposited(assets);
    }

    /// Returns the gross assets if paid at once, 0 if queued.
    function redeem(uint256 shares, address receiver, address owner) external whenOpen returns (uint256) {
        if (msg.sender != owner) _spendAllowance(owner, msg.sender, shares);
        uint256 assets = convertToAssets(shares);
        if (assets == 0) revert NothingToDo();
        if (freeAssets() >= assets) {
            _pay(msg.sender, receiver, owner, assets, shares);
            emit RedeemRequest(receiver, owner, assets, shares, true);
            return assets;
        }
        emit RedeemRequest(receiver, owner, assets, shares, false);
        _transfer(owner, address(this), shares);
        totalPendingAssets += assets;
        _pending[receiver].assets += assets;
        _pending[receiver].shares += shares;
        return 0;
    }

    function fulfil(address receiver, uint256 shares) external onlyAllowed {
        uint256 assets = _unqueue(receiver, shares);
        uint256 held = _asset.balanceOf(address(this));
        if (held < assets) revert NotEnoughAssets(assets, held);
        emit RequestFulfilled(receiver, shares, assets);
        _pay(address(this), receiver, address(this), assets, shares);
    }

    /// Called by the receiver or its operator; the shares return to the receiver.
    function cancel(address receiver, uint256 shares) external {
        if (msg.sender != receiver && !authority.canCall(msg.sender, address(this), msg.sig)) {
            revert NotAllowed(msg.sender, msg.sig);
        }
        uint256 assets = _unqueue(receiver, shares);
        emit RequestCancelled(receiver, shares, assets);
        _transfer(address(this), receiver, shares);
    }

    function allocate(IERC4626 venue, uint256 assets) external onlyAllowed {
        uint256 free = freeAssets();
        if (free < assets) revert NotEnoughAssets(assets, free);
        _asset.forceApprove(address(venue), assets);
        venue.deposit(assets, address(this));
        emit Allocated(address(venue), assets);
    }

    /// The maximum uint256 means all that the venue can pay now.
    function deallocate(IERC4626 venue, uint256 assets) external onlyAllowed {
        if (assets == type(uint256).max) {
            assets = venue.redeem(venue.maxRedeem(address(this)), address(this), address(this));
        } else {
            venue.withdraw(assets, address(this), address(this));
        }
        emit Deallocated(address(venue), assets);
    }

    function requestExit(address venue, uint256 shares) external onlyAllowed {
        IExitQueue(venue).requestExit(shares);
    }

    function claimExit(address venue) external onlyAllowed {
        emit Deallocated(venue, IExitQueue(venue).claimExit());
    }

    function claimReward(address venue) external onlyAllowed {
        IRewards(venue).claimReward();
    }

    function bridgeOut(uint256 toChain, uint256 assets) external onlyAllowed {
        uint256 free = freeAssets();
        if (free < assets) revert NotEnoughAssets(assets, free);
        IMintable(address(_asset)).burn(assets);
        emit BridgedOut(toChain, assets);
    }

    function bridgeIn(uint256 fromChain, uint256 assets) external onlyAllowed {
        IMintable(address(_asset)).mint(address(this), assets);
        emit BridgedIn(fromChain, assets);
    }

    function setPaused(bool paused_) external onlyAllowed {
        paused = paused_;
        emit PausedSet(paused_);
    }

    function setFeeExempt(address account, bool exempt) external onlyAllowed {
        feeExempt[account] = exempt;
    }

    function _deposited(uint256 assets) internal virtual {}

    function _price() private view returns (uint256 price) {
        (price,) = oracle.getLatestPrice(priceEntry);
        if (price == 0) revert NoPrice(priceEntry);
    }

    /// Removes shares from a receiver's request, with their part of the reserved assets.
    function _unqueue(address receiver, uint256 shares) private returns (uint256 assets) {
        Pending storage entry = _pending[receiver];
        if (shares == 0 || shares > entry.shares) revert NotEnoughPending(receiver, entry.shares);
        assets = shares == entry.shares ? entry.assets : Math.mulDiv(entry.assets, shares, entry.shares);
        entry.assets -= assets;
        entry.shares -= shares;
        totalPendingAssets -= assets;
    }

    /// The fee stays in the vault, for the remaining holders.
    function _pay(address sender, address receiver, address owner, uint256 gross, uint256 shares) private {
        uint256 fee = feeExempt[receiver] ? 0 : Math.mulDiv(gross, exitFeeBps, BPS);
        _burn(owner, shares);
        _asset.safeTransfer(receiver, gross - fee);
        emit Withdraw(sender, receiver, owner, gross - fee, shares);
    }
}
