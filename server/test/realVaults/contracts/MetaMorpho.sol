// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626, IERC20, IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

struct BlueParams {
    address loanToken;
    address collateralToken;
    address oracle;
    address irm;
    uint256 lltv;
}

struct BlueMarket {
    uint128 totalSupplyAssets;
    uint128 totalSupplyShares;
    uint128 totalBorrowAssets;
    uint128 totalBorrowShares;
    uint128 lastUpdate;
    uint128 fee;
}

/// The functions of Morpho Blue that a vault calls.
interface Blue {
    function market(bytes32 id) external view returns (BlueMarket memory);
    function position(bytes32 id, address user) external view returns (uint256 supplyShares, uint128, uint128);
    function idToMarketParams(bytes32 id) external view returns (BlueParams memory);
    function accrueInterest(BlueParams memory params) external;
    function supply(BlueParams memory params, uint256 assets, uint256 shares, address onBehalf, bytes memory data)
        external
        returns (uint256, uint256);
    function withdraw(BlueParams memory params, uint256 assets, uint256 shares, address onBehalf, address receiver)
        external
        returns (uint256, uint256);
}

interface BlueRates {
    function borrowRateView(BlueParams memory params, BlueMarket memory market) external view returns (uint256);
}

/**
 * A model of MetaMorpho 1.x on a real Morpho Blue. It claims:
 * - total assets are the supply in all markets of the withdraw queue, with the interest up to the block's time;
 * - shares have 18 decimals: the offset is 18 less the asset's decimals;
 * - the fee on interest is minted in shares without a Deposit, before anything else in each interaction, and the
 *   conversions already count the shares that are not minted yet;
 * - deposits fill the markets in the order of the supply queue up to their caps, exits empty them in the order of the
 *   withdraw queue up to their liquidity; the vault itself holds no assets;
 * - a cap that is accepted after the timelock puts its market at the end of the withdraw queue;
 * - the events AccrueInterest, UpdateLastTotalAssets, SetCap, SubmitCap, SetWithdrawQueue, SetSupplyQueue, SetFee,
 *   SetFeeRecipient, ReallocateSupply, ReallocateWithdraw, with their fields and their places.
 * It has one role, the owner, and expects markets without Morpho's own fee.
 */
contract MetaMorpho is ERC4626, Ownable {
    using Math for uint256;

    struct Config {
        uint184 cap;
        bool enabled;
        uint64 removableAt;
    }

    struct Pending {
        uint192 value;
        uint64 validAt;
    }

    struct Allocation {
        BlueParams marketParams;
        uint256 assets;
    }

    event AccrueInterest(uint256 newTotalAssets, uint256 feeShares);
    event UpdateLastTotalAssets(uint256 updatedTotalAssets);
    event SubmitCap(address indexed caller, bytes32 indexed id, uint256 cap);
    event SetCap(address indexed caller, bytes32 indexed id, uint256 cap);
    event SetFee(address indexed caller, uint256 newFee);
    event SetFeeRecipient(address indexed newFeeRecipient);
    event SetSupplyQueue(address indexed caller, bytes32[] newSupplyQueue);
    event SetWithdrawQueue(address indexed caller, bytes32[] newWithdrawQueue);
    event ReallocateSupply(
        address indexed caller, bytes32 indexed id, uint256 suppliedAssets, uint256 suppliedShares
    );
    event ReallocateWithdraw(
        address indexed caller, bytes32 indexed id, uint256 withdrawnAssets, uint256 withdrawnShares
    );

    error CapsReached();
    error TooLittleLiquidity();
    error CapNotPending();
    error UnevenReallocation();

    uint256 private constant WAD = 1e18;
    /// Morpho Blue's fee, in each market.
    uint256 private constant VIRTUAL_SHARES = 1e6;

    Blue public immutable MORPHO;
    uint8 public immutable DECIMALS_OFFSET;
    uint256 public immutable timelock;
    uint96 public fee;
    address public feeRecipient;
    uint256 public lastTotalAssets;
    bytes32[] public supplyQueue;
    bytes32[] public withdrawQueue;
    mapping(bytes32 => Config) public config;
    mapping(bytes32 => Pending) public pendingCap;

    constructor(
        address owner_,
        address morpho_,
        uint256 timelock_,
        address asset_,
        string memory name_,
        string memory symbol_
    ) ERC4626(IERC20(asset_)) ERC20(name_, symbol_) Ownable(owner_) {
        MORPHO = Blue(morpho_);
        DECIMALS_OFFSET = 18 - IERC20Metadata(asset_).decimals();
        timelock = timelock_;
        IERC20(asset_).approve(morpho_, type(uint256).max);
    }

    function setFeeRecipient(address recipient) external onlyOwner {
        _setLastTotalAssets(_accrue());
        feeRecipient = recipient;
        emit SetFeeRecipient(recipient);
    }

    function setFee(uint256 newFee) external onlyOwner {
        _setLastTotalAssets(_accrue());
        fee = uint96(newFee);
        emit SetFee(msg.sender, newFee);
    }

    function submitCap(BlueParams memory params, uint256 cap) external onlyOwner {
        bytes32 id = _idOf(params);
        pendingCap[id] = Pending(uint192(cap), uint64(block.timestamp + timelock));
        emit SubmitCap(msg.sender, id, cap);
    }

    function acceptCap(BlueParams memory params) external {
        bytes32 id = _idOf(params);
        Pending memory pending = pendingCap[id];
        if (pending.validAt == 0 || block.timestamp < pending.validAt) revert CapNotPending();
        Config storage market = config[id];
        if (!market.enabled) {
            market.enabled = true;
            withdrawQueue.push(id);
            (uint256 supplied,) = _supplyAt(id);
            _setLastTotalAssets(lastTotalAssets + supplied);
            emit SetWithdrawQueue(msg.sender, withdrawQueue);
        }
        market.cap = uint184(pending.value);
        emit SetCap(msg.sender, id, pending.value);
        delete pendingCap[id];
    }

    function setSupplyQueue(bytes32[] calldata queue) external onlyOwner {
        supplyQueue = queue;
        emit SetSupplyQueue(msg.sender, queue);
    }

    /// Moves markets to the given amounts, in this order; the maximum number stands for all that remains.
    function reallocate(Allocation[] calldata allocations) external onlyOwner {
        uint256 taken;
        uint256 given;
        for (uint256 i; i < allocations.length; ++i) {
            BlueParams memory params = allocations[i].marketParams;
            bytes32 id = _idOf(params);
            MORPHO.accrueInterest(params);
            (uint256 supplied,) = _supplyAt(id);
            uint256 target = allocations[i].assets;
            if (supplied > target) {
                // Withdraws everything by shares, so that no dust remains.
                (uint256 shares,,) = target == 0 ? MORPHO.position(id, address(this)) : (0, 0, 0);
                uint256 wanted = target == 0 ? 0 : supplied - target;
                (uint256 assets, uint256 burned) =
                    MORPHO.withdraw(params, wanted, shares, address(this), address(this));
                emit ReallocateWithdraw(msg.sender, id, assets, burned);
                taken += assets;
            } else {
                uint256 assets =
                    target == type(uint256).max ? taken.saturatingSub(given) : target - supplied;
                if (assets == 0) continue;
                if (supplied + assets > config[id].cap) revert CapsReached();
                (, uint256 minted) = MORPHO.supply(params, assets, 0, address(this), "");
                emit ReallocateSupply(msg.sender, id, assets, minted);
                given += assets;
            }
        }
        if (taken != given) revert UnevenReallocation();
    }

    function supplyQueueLength() external view returns (uint256) {
        return supplyQueue.length;
    }

    function withdrawQueueLength() external view returns (uint256) {
        return withdrawQueue.length;
    }

    function totalAssets() public view override returns (uint256 assets) {
        for (uint256 i; i < withdrawQueue.length; ++i) {
            (uint256 supplied,) = _supplyAt(withdrawQueue[i]);
            assets += supplied;
        }
    }

    function maxDeposit(address) public view override returns (uint256 room) {
        for (uint256 i; i < supplyQueue.length; ++i) room += _roomIn(supplyQueue[i]);
    }

    function maxMint(address receiver) public view override returns (uint256) {
        return _convertToShares(maxDeposit(receiver), Math.Rounding.Floor);
    }

    function maxWithdraw(address owner) public view override returns (uint256) {
        uint256 free;
        for (uint256 i; i < withdrawQueue.length; ++i) free += _freeIn(withdrawQueue[i]);
        return Math.min(_convertToAssets(balanceOf(owner), Math.Rounding.Floor), free);
    }

    function maxRedeem(address owner) public view override returns (uint256) {
        return _convertToShares(maxWithdraw(owner), Math.Rounding.Floor);
    }

    function deposit(uint256 assets, address receiver) public override returns (uint256 shares) {
        lastTotalAssets = _accrue();
        shares = _toShares(assets, totalSupply(), lastTotalAssets, Math.Rounding.Floor);
        _deposit(msg.sender, receiver, assets, shares);
    }

    function mint(uint256 shares, address receiver) public override returns (uint256 assets) {
        lastTotalAssets = _accrue();
        assets = _toAssets(shares, totalSupply(), lastTotalAssets, Math.Rounding.Ceil);
        _deposit(msg.sender, receiver, assets, shares);
    }

    function withdraw(uint256 assets, address receiver, address owner) public override returns (uint256 shares) {
        uint256 total = _accrue();
        shares = _toShares(assets, totalSupply(), total, Math.Rounding.Ceil);
        _setLastTotalAssets(total.saturatingSub(assets));
        _withdraw(msg.sender, receiver, owner, assets, shares);
    }

    function redeem(uint256 shares, address receiver, address owner) public override returns (uint256 assets) {
        uint256 total = _accrue();
        assets = _toAssets(shares, totalSupply(), total, Math.Rounding.Floor);
        _setLastTotalAssets(total.saturatingSub(assets));
        _withdraw(msg.sender, receiver, owner, assets, shares);
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        super._deposit(caller, receiver, assets, shares);
        uint256 left = assets;
        for (uint256 i; i < supplyQueue.length && left > 0; ++i) {
            uint256 part = Math.min(_roomIn(supplyQueue[i]), left);
            if (part == 0) continue;
            MORPHO.supply(MORPHO.idToMarketParams(supplyQueue[i]), part, 0, address(this), "");
            left -= part;
        }
        if (left > 0) revert CapsReached();
        _setLastTotalAssets(lastTotalAssets + assets);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        uint256 left = assets;
        for (uint256 i; i < withdrawQueue.length && left > 0; ++i) {
            uint256 part = Math.min(_freeIn(withdrawQueue[i]), left);
            if (part == 0) continue;
            MORPHO.withdraw(MORPHO.idToMarketParams(withdrawQueue[i]), part, 0, address(this), address(this));
            left -= part;
        }
        if (left > 0) revert TooLittleLiquidity();
        super._withdraw(caller, receiver, owner, assets, shares);
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return DECIMALS_OFFSET;
    }

    function _convertToShares(uint256 assets, Math.Rounding rounding) internal view override returns (uint256) {
        (uint256 feeShares, uint256 total) = _unmintedFee();
        return _toShares(assets, totalSupply() + feeShares, total, rounding);
    }

    function _convertToAssets(uint256 shares, Math.Rounding rounding) internal view override returns (uint256) {
        (uint256 feeShares, uint256 total) = _unmintedFee();
        return _toAssets(shares, totalSupply() + feeShares, total, rounding);
    }

    function _accrue() private returns (uint256 total) {
        uint256 feeShares;
        (feeShares, total) = _unmintedFee();
        if (feeShares > 0) _mint(feeRecipient, feeShares);
        emit AccrueInterest(total, feeShares);
    }

    function _setLastTotalAssets(uint256 total) private {
        lastTotalAssets = total;
        emit UpdateLastTotalAssets(total);
    }

    function _unmintedFee() private view returns (uint256 feeShares, uint256 total) {
        total = totalAssets();
        uint256 feeAssets = total.saturatingSub(lastTotalAssets).mulDiv(fee, WAD);
        // The total already includes the fee.
        if (feeAssets > 0) feeShares = _toShares(feeAssets, totalSupply(), total - feeAssets, Math.Rounding.Floor);
    }

    function _toShares(uint256 assets, uint256 supply, uint256 total, Math.Rounding rounding)
        private
        view
        returns (uint256)
    {
        return assets.mulDiv(supply + 10 ** DECIMALS_OFFSET, total + 1, rounding);
    }

    function _toAssets(uint256 shares, uint256 supply, uint256 total, Math.Rounding rounding)
        private
        view
        returns (uint256)
    {
        return shares.mulDiv(total + 1, supply + 10 ** DECIMALS_OFFSET, rounding);
    }

    /// The vault's supply in a market, and the market with its interest up to now.
    function _supplyAt(bytes32 id) private view returns (uint256 supplied, BlueMarket memory market) {
        return _supplyAt(id, Math.Rounding.Floor);
    }

    function _supplyAt(bytes32 id, Math.Rounding rounding)
        private
        view
        returns (uint256 supplied, BlueMarket memory market)
    {
        BlueParams memory params = MORPHO.idToMarketParams(id);
        market = MORPHO.market(id);
        uint256 elapsed = block.timestamp - market.lastUpdate;
        if (elapsed > 0 && market.totalBorrowAssets > 0 && params.irm != address(0)) {
            uint256 first = BlueRates(params.irm).borrowRateView(params, market) * elapsed;
            uint256 second = first.mulDiv(first, 2 * WAD);
            uint256 third = second.mulDiv(first, 3 * WAD);
            uint128 interest = uint128(uint256(market.totalBorrowAssets).mulDiv(first + second + third, WAD));
            market.totalBorrowAssets += interest;
            market.totalSupplyAssets += interest;
        }
        (uint256 shares,,) = MORPHO.position(id, address(this));
        supplied = shares.mulDiv(
            uint256(market.totalSupplyAssets) + 1, uint256(market.totalSupplyShares) + VIRTUAL_SHARES, rounding
        );
    }

    function _roomIn(bytes32 id) private view returns (uint256) {
        (uint256 supplied,) = _supplyAt(id, Math.Rounding.Ceil);
        return uint256(config[id].cap).saturatingSub(supplied);
    }

    function _freeIn(bytes32 id) private view returns (uint256) {
        (uint256 supplied, BlueMarket memory market) = _supplyAt(id);
        uint256 free = market.totalSupplyAssets - market.totalBorrowAssets;
        return Math.min(supplied, Math.min(free, IERC20(asset()).balanceOf(address(MORPHO))));
    }

    function _idOf(BlueParams memory params) private pure returns (bytes32) {
        return keccak256(abi.encode(params));
    }
}
