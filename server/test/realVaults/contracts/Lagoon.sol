// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ERC20, IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {ERC20Pausable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Pausable.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {StorageSlot} from "@openzeppelin/contracts/utils/StorageSlot.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

// A model of Lagoon v0.5.1, written for these tests. It claims:
// - ERC-7540 both ways, by epoch: odd numbers for deposits, even ones for redemptions; 0 means the newest request.
//   A controller has one open request of each. A valuation closes the epochs; a settlement fixes their rate.
// - A new request first claims what is claimable: Withdraw and RedeemRequest in one transaction.
// - Pending shares and assets are in a silo that no function returns; its address is alone in a known storage slot.
// - A settlement mints shares of deposits to the vault until they are claimed, burns shares of redemptions, and moves
//   their assets from the safe into the vault, outside totalAssets(). Deposits go from the silo to the safe.
// - Deposit is (controller, receiver), at the claim. An immediate deposit emits DepositSync and no Deposit.
// - totalAssets() is stored. NewTotalAssetsUpdated only proposes it; a settlement applies it.
// - Fees are shares, minted at a settlement without any Deposit: management by time, performance above a high-water
//   mark; the protocol gets a part of both.
// - Shares have 18 decimals, with virtual shares for the difference. Conversions of a request use its epoch's rate.
// - While paused, shares cannot move and maxMint, maxRedeem, and the like are 0. Previews revert.
// - Once closed, all assets are in the vault, and wallets without claims redeem at once.
// Left out: whitelists, native coins, changes of roles and rates, the fee registry.

contract LagoonSilo {
    constructor(IERC20 asset) {
        asset.approve(msg.sender, type(uint256).max);
    }
}

contract LagoonVault is ERC4626, ERC20Pausable {
    using SafeERC20 for IERC20;
    using Math for uint256;

    enum State {
        Open,
        Closing,
        Closed
    }

    /// An epoch of deposits or of redemptions.
    struct Side {
        uint40 epoch;
        uint40 settlement;
        uint40 settledEpoch;
        mapping(address controller => uint40) newest;
        mapping(uint40 epoch => uint40) settlementOf;
        mapping(uint40 epoch => mapping(address controller => uint256)) requested;
    }

    /// The vault before a settlement, and the amounts to settle.
    struct Settlement {
        uint256 assets;
        uint256 supply;
        uint256 pending;
    }

    struct Setup {
        string name;
        string symbol;
        address safe;
        address valuationManager;
        address admin;
        address feeReceiver;
        address protocolFeeReceiver;
        uint16 managementRate;
        uint16 performanceRate;
        uint16 protocolRate;
    }

    bytes32 private constant SILO_SLOT = 0x5c74d456014b1c0eb4368d944667a568313858a3029a650ff0cb7b56f8b57a08;
    bytes32 private constant STATE_SLOT = 0x0e6b3200a60a991c539f47dddaca04a18eb4bcf2b53906fb44751d827f001400;
    uint256 private constant NONE = type(uint256).max;
    uint256 private constant POINTS = 10_000;

    uint8 private immutable _offset;
    Setup private _setup;
    Side private _deposits;
    Side private _redemptions;
    mapping(uint40 number => Settlement) private _settlements;
    mapping(address controller => mapping(address operator => bool)) public isOperator;
    uint256 private _totalAssets;
    uint256 private _proposed;
    uint256 private _feesTakenAt;
    uint256 private _highWaterMark;
    uint128 private _lifespan;
    uint128 private _validUntil;

    event OperatorSet(address indexed controller, address indexed operator, bool approved);
    event DepositRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 assets
    );
    event RedeemRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares
    );
    event DepositRequestCanceled(uint256 indexed requestId, address indexed controller);
    event DepositSync(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Referral(address indexed referral, address indexed owner, uint256 indexed requestId, uint256 assets);
    event SettleDeposit(
        uint40 indexed epochId,
        uint40 indexed settledId,
        uint256 totalAssets,
        uint256 totalSupply,
        uint256 assetsDeposited,
        uint256 sharesMinted
    );
    event SettleRedeem(
        uint40 indexed epochId,
        uint40 indexed settledId,
        uint256 totalAssets,
        uint256 totalSupply,
        uint256 assetsWithdrawed,
        uint256 sharesBurned
    );
    event TotalAssetsUpdated(uint256 totalAssets);
    event NewTotalAssetsUpdated(uint256 totalAssets);
    event TotalAssetsLifespanUpdated(uint128 oldLifespan, uint128 newLifespan);
    event HighWaterMarkUpdated(uint256 oldHighWaterMark, uint256 newHighWaterMark);
    event StateUpdated(State state);

    modifier only(address who) {
        require(msg.sender == who, "another role");
        _;
    }

    modifier onlyIn(State state) {
        require(_state() == state, "another state");
        _;
    }

    modifier onlyFor(address controller) {
        require(_speaksFor(controller), "not an operator");
        _;
    }

    /// The asset is in the code, the rest in the proxy's storage.
    constructor(IERC20 asset_) ERC20("", "") ERC4626(asset_) {
        _offset = 18 - IERC20Metadata(address(asset_)).decimals();
    }

    function initialize(Setup calldata setup) external {
        require(_setup.safe == address(0), "initialized");
        _setup = setup;
        (_deposits.epoch, _deposits.settlement) = (1, 1);
        (_redemptions.epoch, _redemptions.settlement) = (2, 2);
        _proposed = NONE;
        _highWaterMark = 10 ** (18 - _offset);
        StorageSlot.getAddressSlot(SILO_SLOT).value = address(new LagoonSilo(IERC20(asset())));
        emit StateUpdated(State.Open);
    }

    function setOperator(address operator, bool approved) external whenNotPaused returns (bool) {
        isOperator[msg.sender][operator] = approved;
        emit OperatorSet(msg.sender, operator, approved);
        return true;
    }

    function requestDeposit(uint256 assets, address controller, address owner)
        external
        onlyFor(owner)
        whenNotPaused
        returns (uint256 id)
    {
        require(!isTotalAssetsValid(), "deposits are at once");
        _claimDeposit(controller);
        id = _open(_deposits, controller, assets);
        IERC20(asset()).safeTransferFrom(owner, _silo(), assets);
        emit DepositRequest(controller, owner, id, msg.sender, assets);
    }

    function cancelRequestDeposit() external whenNotPaused {
        uint40 id = _deposits.newest[msg.sender];
        require(id == _deposits.epoch, "its epoch is closed");
        uint256 assets = _deposits.requested[id][msg.sender];
        _deposits.requested[id][msg.sender] = 0;
        IERC20(asset()).safeTransferFrom(_silo(), msg.sender, assets);
        emit DepositRequestCanceled(id, msg.sender);
    }

    function syncDeposit(uint256 assets, address receiver, address referral)
        external
        onlyIn(State.Open)
        returns (uint256 shares)
    {
        require(isTotalAssetsValid(), "deposits are queued");
        IERC20(asset()).safeTransferFrom(msg.sender, safe(), assets);
        shares = convertToShares(assets);
        _totalAssets += assets;
        _mint(receiver, shares);
        emit DepositSync(msg.sender, receiver, assets, shares);
        emit Referral(referral, msg.sender, 0, assets);
    }

    function requestRedeem(uint256 shares, address controller, address owner) external returns (uint256) {
        return _requestRedeem(shares, controller, owner);
    }

    function claimSharesAndRequestRedeem(uint256 shares) external returns (uint256) {
        _claimDeposit(msg.sender);
        return _requestRedeem(shares, msg.sender, msg.sender);
    }

    function claimSharesOnBehalf(address[] calldata controllers) external only(safe()) {
        for (uint256 i = 0; i < controllers.length; i++) _claimDeposit(controllers[i]);
    }

    function deposit(uint256 assets, address receiver) public override returns (uint256) {
        return deposit(assets, receiver, msg.sender);
    }

    function deposit(uint256 assets, address receiver, address controller)
        public
        onlyFor(controller)
        returns (uint256)
    {
        return _claimShares(assets, receiver, controller);
    }

    function mint(uint256 shares, address receiver) public override returns (uint256) {
        return mint(shares, receiver, msg.sender);
    }

    function mint(uint256 shares, address receiver, address controller)
        public
        onlyFor(controller)
        returns (uint256 assets)
    {
        uint40 id = _deposits.newest[controller];
        assets = _assetsAt(_deposits, id, shares, Math.Rounding.Ceil);
        _take(_deposits, controller, assets);
        _giveShares(assets, shares, receiver, controller);
    }

    function redeem(uint256 shares, address receiver, address controller)
        public
        override
        whenNotPaused
        returns (uint256 assets)
    {
        if (_exitsAtOnce(controller)) {
            assets = convertToAssets(shares);
            _exit(assets, shares, receiver, controller);
        } else {
            require(_speaksFor(controller), "not an operator");
            assets = _claimAssets(shares, receiver, controller);
        }
    }

    function withdraw(uint256 assets, address receiver, address controller)
        public
        override
        whenNotPaused
        returns (uint256 shares)
    {
        if (_exitsAtOnce(controller)) {
            shares = _convertToShares(assets, Math.Rounding.Ceil);
            _exit(assets, shares, receiver, controller);
        } else {
            require(_speaksFor(controller), "not an operator");
            shares = _sharesAt(_redemptions, _redemptions.newest[controller], assets, Math.Rounding.Ceil);
            _take(_redemptions, controller, shares);
            _pay(assets, shares, receiver, controller);
        }
    }

    function updateNewTotalAssets(uint256 assets) external only(_setup.valuationManager) {
        require(_state() != State.Closed && !isTotalAssetsValid(), "no valuation now");
        _propose(assets);
    }

    function settleDeposit(uint256 assets) external only(safe()) onlyIn(State.Open) {
        _value(assets);
        _settleDeposits();
        _settleRedemptions();
    }

    function settleRedeem(uint256 assets) external only(safe()) onlyIn(State.Open) {
        _value(assets);
        _settleRedemptions();
    }

    function initiateClosing() external only(_setup.admin) onlyIn(State.Open) {
        if (_proposed != NONE) _propose(_proposed);
        _become(State.Closing);
    }

    function close(uint256 assets) external only(safe()) onlyIn(State.Closing) {
        _value(assets);
        _settleDeposits();
        _settleRedemptions();
        IERC20(asset()).safeTransferFrom(safe(), address(this), _totalAssets);
        _become(State.Closed);
    }

    function updateTotalAssetsLifespan(uint128 lifespan) external only(safe()) {
        emit TotalAssetsLifespanUpdated(_lifespan, lifespan);
        _lifespan = lifespan;
    }

    function expireTotalAssets() external only(safe()) {
        _validUntil = 0;
    }

    function pause() external only(_setup.admin) {
        _pause();
    }

    function unpause() external only(_setup.admin) {
        _unpause();
    }

    function pendingDepositRequest(uint256 id, address controller) external view returns (uint256) {
        return _pending(_deposits, id, controller);
    }

    function claimableDepositRequest(uint256 id, address controller) external view returns (uint256) {
        return _claimable(_deposits, id, controller);
    }

    function pendingRedeemRequest(uint256 id, address controller) external view returns (uint256) {
        return _pending(_redemptions, id, controller);
    }

    function claimableRedeemRequest(uint256 id, address controller) external view returns (uint256) {
        return _claimable(_redemptions, id, controller);
    }

    function maxDeposit(address controller) public view override returns (uint256) {
        return paused() ? 0 : _claimable(_deposits, 0, controller);
    }

    function maxMint(address controller) public view override returns (uint256) {
        if (paused()) return 0;
        uint256 assets = _claimable(_deposits, 0, controller);
        return _sharesAt(_deposits, _deposits.newest[controller], assets, Math.Rounding.Floor);
    }

    function maxRedeem(address controller) public view override returns (uint256) {
        if (paused()) return 0;
        return _exitsAtOnce(controller) ? balanceOf(controller) : _claimable(_redemptions, 0, controller);
    }

    function maxWithdraw(address controller) public view override returns (uint256) {
        if (paused()) return 0;
        if (_exitsAtOnce(controller)) return convertToAssets(balanceOf(controller));
        uint256 shares = _claimable(_redemptions, 0, controller);
        return _assetsAt(_redemptions, _redemptions.newest[controller], shares, Math.Rounding.Floor);
    }

    function previewDeposit(uint256) public pure override returns (uint256) {
        revert("no previews");
    }

    function previewMint(uint256) public pure override returns (uint256) {
        revert("no previews");
    }

    function previewWithdraw(uint256) public pure override returns (uint256) {
        revert("no previews");
    }

    function previewRedeem(uint256) public pure override returns (uint256) {
        revert("no previews");
    }

    function totalAssets() public view override returns (uint256) {
        return _totalAssets;
    }

    function isTotalAssetsValid() public view returns (bool) {
        return block.timestamp < _validUntil;
    }

    function safe() public view returns (address) {
        return _setup.safe;
    }

    function share() external view returns (address) {
        return address(this);
    }

    function name() public view override(ERC20, IERC20Metadata) returns (string memory) {
        return _setup.name;
    }

    function symbol() public view override(ERC20, IERC20Metadata) returns (string memory) {
        return _setup.symbol;
    }

    function decimals() public view override(ERC20, ERC4626) returns (uint8) {
        return super.decimals();
    }

    /// Both queues, their operators, ERC-7575, its shares, ERC-165.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0xce3bbe50 || id == 0x620ee8e4 || id == 0xe3bc4e65 || id == 0x2f0a18c5 || id == 0xf815c03d
            || id == 0x01ffc9a7;
    }

    function _requestRedeem(uint256 shares, address controller, address owner)
        private
        onlyIn(State.Open)
        whenNotPaused
        returns (uint256 id)
    {
        if (!_speaksFor(owner)) _spendAllowance(owner, msg.sender, shares);
        uint256 ready = _claimable(_redemptions, 0, controller);
        if (ready > 0) _claimAssets(ready, controller, controller);
        id = _open(_redemptions, controller, shares);
        _transfer(owner, _silo(), shares);
        emit RedeemRequest(controller, owner, id, msg.sender, shares);
    }

    function _claimDeposit(address controller) private {
        uint256 ready = _claimable(_deposits, 0, controller);
        if (ready > 0) _claimShares(ready, controller, controller);
    }

    function _claimShares(uint256 assets, address receiver, address controller) private returns (uint256 shares) {
        shares = _sharesAt(_deposits, _deposits.newest[controller], assets, Math.Rounding.Floor);
        _take(_deposits, controller, assets);
        _giveShares(assets, shares, receiver, controller);
    }

    function _giveShares(uint256 assets, uint256 shares, address receiver, address controller) private {
        _transfer(address(this), receiver, shares);
        emit Deposit(controller, receiver, assets, shares);
    }

    function _claimAssets(uint256 shares, address receiver, address controller) private returns (uint256 assets) {
        assets = _assetsAt(_redemptions, _redemptions.newest[controller], shares, Math.Rounding.Floor);
        _take(_redemptions, controller, shares);
        _pay(assets, shares, receiver, controller);
    }

    function _exit(uint256 assets, uint256 shares, address receiver, address owner) private {
        if (!_speaksFor(owner)) _spendAllowance(owner, msg.sender, shares);
        _totalAssets -= assets;
        _burn(owner, shares);
        _pay(assets, shares, receiver, owner);
    }

    function _pay(uint256 assets, uint256 shares, address receiver, address owner) private {
        IERC20(asset()).safeTransfer(receiver, assets);
        emit Withdraw(msg.sender, receiver, owner, assets, shares);
    }

    function _open(Side storage side, address controller, uint256 amount) private returns (uint40 id) {
        id = side.epoch;
        if (side.newest[controller] != id) {
            require(_pending(side, 0, controller) == 0, "an older request is open");
            side.newest[controller] = id;
        }
        side.requested[id][controller] += amount;
    }

    function _take(Side storage side, address controller, uint256 amount) private {
        uint40 id = side.newest[controller];
        require(id <= side.settledEpoch, "not settled");
        side.requested[id][controller] -= amount;
    }

    /// Closes the epochs that have requests. The amounts in the silo will be settled.
    function _propose(uint256 assets) private whenNotPaused {
        _close(_deposits, IERC20(asset()).balanceOf(_silo()));
        _close(_redemptions, balanceOf(_silo()));
        _proposed = assets;
        emit NewTotalAssetsUpdated(assets);
    }

    function _close(Side storage side, uint256 pending) private {
        side.settlementOf[side.epoch] = side.settlement;
        if (pending == 0) return;
        side.epoch += 2;
        _settlements[side.settlement].pending = pending;
    }

    function _value(uint256 assets) private whenNotPaused {
        require(assets == _proposed && assets != NONE, "another valuation");
        (_totalAssets, _proposed) = (assets, NONE);
        _validUntil = uint128(block.timestamp) + _lifespan;
        emit TotalAssetsUpdated(assets);
        _takeFees();
    }

    function _settleDeposits() private {
        uint40 number = _deposits.settlement;
        uint256 assets = _settlements[number].pending;
        if (assets == 0) return;
        uint256 shares = convertToShares(assets);
        _fix(_deposits);
        _mint(address(this), shares);
        _totalAssets += assets;
        IERC20(asset()).safeTransferFrom(_silo(), safe(), assets);
        emit SettleDeposit(_deposits.settledEpoch, number, _totalAssets, totalSupply(), assets, shares);
    }

    /// Postponed if the safe has too little.
    function _settleRedemptions() private {
        uint40 number = _redemptions.settlement;
        uint256 shares = _settlements[number].pending;
        uint256 assets = convertToAssets(shares);
        if (assets == 0 || assets > IERC20(asset()).balanceOf(safe())) return;
        _fix(_redemptions);
        _burn(_silo(), shares);
        _totalAssets -= assets;
        IERC20(asset()).safeTransferFrom(safe(), address(this), assets);
        emit SettleRedeem(_redemptions.settledEpoch, number, _totalAssets, totalSupply(), assets, shares);
    }

    function _fix(Side storage side) private {
        Settlement storage settled = _settlements[side.settlement];
        (settled.assets, settled.supply) = (_totalAssets, totalSupply());
        side.settledEpoch = side.epoch - 2;
        side.settlement += 2;
    }

    function _takeFees() private {
        uint256 fees = _feesDue();
        uint256 virtualShares = 10 ** _offset;
        uint256 shares =
            fees.mulDiv(totalSupply() + virtualShares, _totalAssets - fees + 1, Math.Rounding.Ceil);
        uint256 forProtocol = shares.mulDiv(_setup.protocolRate, POINTS, Math.Rounding.Ceil);
        if (shares > forProtocol) {
            _mint(_setup.feeReceiver, shares - forProtocol);
            if (forProtocol > 0) _mint(_setup.protocolFeeReceiver, forProtocol);
        }
        uint256 price = convertToAssets(1e18);
        if (price > _highWaterMark) {
            emit HighWaterMarkUpdated(_highWaterMark, price);
            _highWaterMark = price;
        }
        _feesTakenAt = block.timestamp;
    }

    /// In assets; the performance fee applies to the gain above the mark that remains after the management fee.
    function _feesDue() private view returns (uint256 fees) {
        fees = _totalAssets.mulDiv(_setup.managementRate, POINTS, Math.Rounding.Ceil).mulDiv(
            block.timestamp - _feesTakenAt, 365 days, Math.Rounding.Ceil
        );
        uint256 supply = totalSupply();
        uint256 price = uint256(1e18).mulDiv(_totalAssets + 1 - fees, supply + 10 ** _offset, Math.Rounding.Ceil);
        if (price <= _highWaterMark) return fees;
        uint256 profit = (price - _highWaterMark).mulDiv(supply, 1e18, Math.Rounding.Ceil);
        fees += profit.mulDiv(_setup.performanceRate, POINTS, Math.Rounding.Ceil);
    }

    function _become(State state) private {
        StorageSlot.getUint256Slot(STATE_SLOT).value = uint256(state);
        emit StateUpdated(state);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Pausable) {
        super._update(from, to, value);
    }

    function _decimalsOffset() internal view override returns (uint8) {
        return _offset;
    }

    function _pending(Side storage side, uint256 id, address controller) private view returns (uint256) {
        if (id == 0) id = side.newest[controller];
        return id > side.settledEpoch ? side.requested[uint40(id)][controller] : 0;
    }

    function _claimable(Side storage side, uint256 id, address controller) private view returns (uint256) {
        if (id == 0) id = side.newest[controller];
        return id > side.settledEpoch ? 0 : side.requested[uint40(id)][controller];
    }

    function _sharesAt(Side storage side, uint40 id, uint256 assets, Math.Rounding rounding)
        private
        view
        returns (uint256)
    {
        Settlement storage settled = _settlements[side.settlementOf[id]];
        return assets.mulDiv(settled.supply + 10 ** _offset, settled.assets + 1, rounding);
    }

    function _assetsAt(Side storage side, uint40 id, uint256 shares, Math.Rounding rounding)
        private
        view
        returns (uint256)
    {
        Settlement storage settled = _settlements[side.settlementOf[id]];
        return shares.mulDiv(settled.assets + 1, settled.supply + 10 ** _offset, rounding);
    }

    function _exitsAtOnce(address controller) private view returns (bool) {
        return _state() == State.Closed && _claimable(_redemptions, 0, controller) == 0;
    }

    function _speaksFor(address controller) private view returns (bool) {
        return controller == msg.sender || isOperator[controller][msg.sender];
    }

    function _silo() private view returns (address) {
        return StorageSlot.getAddressSlot(SILO_SLOT).value;
    }

    function _state() private view returns (State) {
        return State(StorageSlot.getUint256Slot(STATE_SLOT).value);
    }
}

contract LagoonProxy is ERC1967Proxy {
    constructor(address logic, bytes memory data) ERC1967Proxy(logic, data) {}
}
