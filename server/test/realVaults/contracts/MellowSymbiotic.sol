// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// A model of Mellow's vault on Symbiotic. It claims to have:
/// - deposits that go into Symbiotic at once; a total that counts the active assets there;
/// - withdraw: assets that the vault does not hold are withdrawn from Symbiotic for the queue that withdrawalQueue()
///   returns; shares are burned, and a Withdraw names all assets, although that part is not paid yet;
/// - a queue that holds neither shares nor the asset until a claim: Symbiotic keeps the assets until the epoch after
///   next, and may slash them; pendingAssetsOf, claimableAssetsOf, and pendingAssets return the amounts;
/// - a claim whose only event is the queue's.
/// Left out: Symbiotic's own events, limits, rewards, the default collateral.
contract MellowVault is ERC4626 {
    SymbioticStake public immutable symbioticVault;
    MellowQueue public immutable withdrawalQueue;

    constructor(IERC20 asset_, uint256 epochSeconds) ERC20("Mellow Vault", "mLRT") ERC4626(asset_) {
        symbioticVault = new SymbioticStake(asset_, epochSeconds);
        withdrawalQueue = new MellowQueue(address(this), symbioticVault, asset_);
        asset_.approve(address(symbioticVault), type(uint256).max);
    }

    function totalAssets() public view override returns (uint256) {
        return IERC20(asset()).balanceOf(address(this)) + symbioticVault.active();
    }

    function pendingAssetsOf(address account) external view returns (uint256) {
        return withdrawalQueue.pendingAssetsOf(account);
    }

    function claimableAssetsOf(address account) external view returns (uint256) {
        return withdrawalQueue.claimableAssetsOf(account);
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        super._deposit(caller, receiver, assets, shares);
        symbioticVault.deposit(IERC20(asset()).balanceOf(address(this)));
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        uint256 liquid = IERC20(asset()).balanceOf(address(this));
        if (liquid >= assets) return super._withdraw(caller, receiver, owner, assets, shares);
        withdrawalQueue.request(receiver, symbioticVault.withdraw(address(withdrawalQueue), assets - liquid));
        if (caller != owner) _spendAllowance(owner, caller, shares);
        _burn(owner, shares);
        if (liquid > 0) IERC20(asset()).transfer(receiver, liquid);
        emit Withdraw(caller, receiver, owner, assets, shares);
    }
}

contract MellowQueue {
    address public immutable vault;
    SymbioticStake public immutable symbioticVault;
    IERC20 private immutable _collateral;

    /// By account and epoch: shares of the assets that the queue withdrew.
    mapping(address => mapping(uint256 => uint256)) private _shares;
    mapping(uint256 => uint256) private _total;
    mapping(address => uint256) private _claimEpoch;
    mapping(address => uint256) private _claimable;

    event WithdrawalRequested(address indexed account, uint256 indexed epoch, uint256 amount);
    event Claimed(address indexed account, address indexed recipient, uint256 amount);

    constructor(address vault_, SymbioticStake stake, IERC20 collateral) {
        vault = vault_;
        symbioticVault = stake;
        _collateral = collateral;
    }

    function request(address account, uint256 amount) external {
        require(msg.sender == vault, "not the vault");
        _settle(account);
        uint256 epoch = symbioticVault.currentEpoch() + 1;
        _shares[account][epoch] += amount;
        _total[epoch] += amount;
        _claimEpoch[account] = epoch;
        emit WithdrawalRequested(account, epoch, amount);
    }

    function claim(address account, address recipient, uint256 maxAmount) external returns (uint256 amount) {
        require(msg.sender == account, "not the account");
        _settle(account);
        amount = Math.min(_claimable[account], maxAmount);
        _claimable[account] -= amount;
        _collateral.transfer(recipient, amount);
        emit Claimed(account, recipient, amount);
    }

    function pendingAssets() external view returns (uint256) {
        uint256 epoch = symbioticVault.currentEpoch();
        return symbioticVault.withdrawals(epoch) + symbioticVault.withdrawals(epoch + 1);
    }

    function pendingAssetsOf(address account) external view returns (uint256) {
        uint256 epoch = symbioticVault.currentEpoch();
        return _worth(account, epoch) + _worth(account, epoch + 1);
    }

    function claimableAssetsOf(address account) public view returns (uint256 assets) {
        assets = _claimable[account];
        uint256 last = _claimEpoch[account];
        for (uint256 epoch = last == 0 ? 0 : last - 1; epoch <= last; epoch++) {
            if (epoch < symbioticVault.currentEpoch()) assets += _worth(account, epoch);
        }
    }

    function _settle(address account) private {
        uint256 last = _claimEpoch[account];
        for (uint256 epoch = last == 0 ? 0 : last - 1; epoch <= last; epoch++) {
            uint256 shares = _shares[account][epoch];
            if (epoch >= symbioticVault.currentEpoch() || shares == 0) continue;
            uint256 assets = _worth(account, epoch);
            symbioticVault.claim(epoch, assets);
            _claimable[account] += assets;
            _total[epoch] -= shares;
            delete _shares[account][epoch];
        }
    }

    function _worth(address account, uint256 epoch) private view returns (uint256) {
        uint256 shares = _shares[account][epoch];
        return shares == 0 ? 0 : Math.mulDiv(shares, symbioticVault.withdrawals(epoch), _total[epoch]);
    }
}

/// The part of Symbiotic's vault that one staker and one queue use.
contract SymbioticStake {
    IERC20 private immutable _collateral;
    uint256 private immutable _start = block.timestamp;
    uint256 private immutable _epochSeconds;
    uint256 public active;
    mapping(uint256 => uint256) public withdrawals;

    constructor(IERC20 collateral, uint256 epochSeconds) {
        _collateral = collateral;
        _epochSeconds = epochSeconds;
    }

    function currentEpoch() public view returns (uint256) {
        return (block.timestamp - _start) / _epochSeconds;
    }

    function deposit(uint256 assets) external {
        active += assets;
        _collateral.transferFrom(msg.sender, address(this), assets);
    }

    function withdraw(address, uint256 assets) external returns (uint256) {
        active -= assets;
        withdrawals[currentEpoch() + 1] += assets;
        return assets;
    }

    function claim(uint256 epoch, uint256 assets) external {
        withdrawals[epoch] -= assets;
        _collateral.transfer(msg.sender, assets);
    }

    /// Slashes a part of the active and the pending assets, in ten-thousandths.
    function slash(uint256 part) external {
        uint256 epoch = currentEpoch();
        active -= (active * part) / 10_000;
        withdrawals[epoch] -= (withdrawals[epoch] * part) / 10_000;
        withdrawals[epoch + 1] -= (withdrawals[epoch + 1] * part) / 10_000;
    }
}
