// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

// A model of Yearn V3 (3.0.4), written for these tests. It claims:
// - totalAssets() is idle plus debt and changes at reports; a report compares a strategy's value with its debt.
// - The gain of a report is minted as shares to the vault and unlocks by the second: totalSupply() and
//   balanceOf(vault) shrink without any Transfer. The next report burns the unlocked shares, or mints fewer.
// - A loss burns locked shares first, then lowers the price. Locked times are averaged over reports.
// - Fees on a gain are shares for the accountant, and a part of them for the protocol, without any Deposit.
// - A redemption uses idle assets first, then those of the strategies. Withdraw comes after the burn and the payment.
// - There are no virtual shares: with no supply a share is a unit of the asset.
// Left out: roles, limits, unreported losses of a strategy at a redemption, refunds, automatic allocation.

contract YearnVault is ERC4626 {
    using Math for uint256;

    struct Strategy {
        uint256 activation;
        uint256 last_report;
        uint256 current_debt;
        uint256 max_debt;
    }

    uint256 private constant POINTS = 10_000;
    uint256 private constant RATE = 1e12;
    uint256 private constant UNLOCK_TIME = 3 days;
    uint256 private constant FEE = 1_000;
    uint256 private constant PROTOCOL_PART = 2_000;

    address public immutable role_manager = msg.sender;
    address public immutable accountant;
    address private immutable _protocol;
    mapping(address strategy => Strategy) public strategies;
    address[] private _queue;
    uint256 public totalIdle;
    uint256 public totalDebt;
    uint256 public fullProfitUnlockDate;
    uint256 public profitUnlockingRate;
    uint256 public lastProfitUpdate;

    event StrategyChanged(address indexed strategy, uint256 indexed change_type);
    event DebtUpdated(address indexed strategy, uint256 current_debt, uint256 new_debt);
    event StrategyReported(
        address indexed strategy,
        uint256 gain,
        uint256 loss,
        uint256 current_debt,
        uint256 protocol_fees,
        uint256 total_fees,
        uint256 total_refunds
    );

    modifier managed() {
        require(msg.sender == role_manager, "not allowed");
        _;
    }

    constructor(IERC20 asset_, address accountant_, address protocol) ERC20("Yearn USD", "yvUSD") ERC4626(asset_) {
        (accountant, _protocol) = (accountant_, protocol);
    }

    function add_strategy(ERC4626 strategy) external managed {
        strategies[address(strategy)] = Strategy(block.timestamp, block.timestamp, 0, type(uint256).max);
        _queue.push(address(strategy));
        emit StrategyChanged(address(strategy), 1);
    }

    /// Moves assets until a strategy's debt is the given amount.
    function update_debt(ERC4626 strategy, uint256 target) external managed {
        Strategy storage entry = strategies[address(strategy)];
        uint256 before = entry.current_debt;
        if (target > before) {
            uint256 more = target - before;
            IERC20(asset()).approve(address(strategy), more);
            strategy.deposit(more, address(this));
            totalIdle -= more;
            totalDebt += more;
            entry.current_debt = target;
        } else {
            _free(strategy, before - target);
        }
        emit DebtUpdated(address(strategy), before, entry.current_debt);
    }

    function process_report(ERC4626 strategy) external managed {
        Strategy storage entry = strategies[address(strategy)];
        uint256 worth = strategy.convertToAssets(strategy.balanceOf(address(this)));
        uint256 gain = worth > entry.current_debt ? worth - entry.current_debt : 0;
        uint256 loss = worth < entry.current_debt ? entry.current_debt - worth : 0;
        uint256 fees = (gain * FEE) / POINTS;
        uint256 toBurn = _convertToShares(loss + fees, Math.Rounding.Ceil);
        uint256 toLock = _convertToShares(gain, Math.Rounding.Floor);
        uint256 feeShares = fees == 0 ? 0 : (toBurn * fees) / (loss + fees);
        _adjustLocked(toLock, toBurn + unlockedShares());
        totalDebt = totalDebt + gain - loss;
        entry.current_debt = worth;
        entry.last_report = block.timestamp;
        _payFees(feeShares);
        _lock(toLock > toBurn ? toLock - toBurn : 0);
        emit StrategyReported(address(strategy), gain, loss, worth, (fees * PROTOCOL_PART) / POINTS, fees, 0);
    }

    function get_default_queue() external view returns (address[] memory) {
        return _queue;
    }

    /// No longer counted, but burned only by the next report.
    function unlockedShares() public view returns (uint256) {
        if (fullProfitUnlockDate > block.timestamp) {
            return (profitUnlockingRate * (block.timestamp - lastProfitUpdate)) / RATE;
        }
        return fullProfitUnlockDate == 0 ? 0 : super.balanceOf(address(this));
    }

    function totalSupply() public view override(ERC20, IERC20) returns (uint256) {
        return super.totalSupply() - unlockedShares();
    }

    function balanceOf(address account) public view override(ERC20, IERC20) returns (uint256) {
        return super.balanceOf(account) - (account == address(this) ? unlockedShares() : 0);
    }

    function totalAssets() public view override returns (uint256) {
        return totalIdle + totalDebt;
    }

    function _adjustLocked(uint256 more, uint256 less) private {
        if (more > less) _mint(address(this), more - less);
        uint256 locked = super.balanceOf(address(this));
        if (less > more) _burn(address(this), less - more < locked ? less - more : locked);
    }

    function _payFees(uint256 shares) private {
        if (shares == 0) return;
        uint256 forProtocol = (shares * PROTOCOL_PART) / POINTS;
        _mint(accountant, shares - forProtocol);
        if (forProtocol > 0) _mint(_protocol, forProtocol);
    }

    /// Shares locked before keep their time, new ones get the full time; all unlock together at the average.
    function _lock(uint256 added) private {
        uint256 locked = super.balanceOf(address(this));
        if (locked == 0) {
            fullProfitUnlockDate = 0;
            return;
        }
        uint256 left = fullProfitUnlockDate > block.timestamp ? fullProfitUnlockDate - block.timestamp : 0;
        uint256 time = ((locked - added) * left + added * UNLOCK_TIME) / locked;
        profitUnlockingRate = (locked * RATE) / time;
        fullProfitUnlockDate = block.timestamp + time;
        lastProfitUpdate = block.timestamp;
    }

    /// Redeeming rounds in the vault's favor, so one unit more than requested may arrive.
    function _free(ERC4626 strategy, uint256 wanted) private {
        uint256 shares = strategy.previewWithdraw(wanted);
        uint256 held = strategy.balanceOf(address(this));
        uint256 freed = strategy.redeem(shares < held ? shares : held, address(this), address(this));
        Strategy storage entry = strategies[address(strategy)];
        uint256 debt = freed < entry.current_debt ? freed : entry.current_debt;
        entry.current_debt -= debt;
        totalDebt -= debt;
        totalIdle += freed;
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        require(assets > 0 && shares > 0, "cannot mint zero");
        totalIdle += assets;
        super._deposit(caller, receiver, assets, shares);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        require(assets > 0 && shares > 0, "nothing to withdraw");
        for (uint256 i = 0; i < _queue.length && totalIdle < assets; i++) {
            _free(ERC4626(_queue[i]), assets - totalIdle);
        }
        totalIdle -= assets;
        super._withdraw(caller, receiver, owner, assets, shares);
    }

    function _convertToShares(uint256 assets, Math.Rounding rounding) internal view override returns (uint256) {
        uint256 supply = totalSupply();
        return supply == 0 ? assets : assets.mulDiv(supply, totalAssets(), rounding);
    }

    function _convertToAssets(uint256 shares, Math.Rounding rounding) internal view override returns (uint256) {
        uint256 supply = totalSupply();
        return supply == 0 ? shares : shares.mulDiv(totalAssets(), supply, rounding);
    }
}
