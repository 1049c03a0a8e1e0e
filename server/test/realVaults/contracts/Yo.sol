// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20, IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {TransparentUpgradeableProxy} from
    "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

// A model of YO V2, written for these tests. It claims:
// - Prices come from an oracle at a fixed address, with the asset's digits. totalAssets() is price × supply. Before the
//   first price totalAssets() is 0 and conversions revert. yoUSDT reads the entry of another vault.
// - A redemption is paid at once if the vault holds enough beyond its queue, and otherwise queued by receiver at the
//   price of the request. Requests, fulfillments, and cancellations name the gross amount; Withdraw is net of the fee.
// - Queued shares are held by the vault. A fulfillment is a Withdraw of the vault's own shares. A cancellation gives
//   the shares to the receiver, regardless of their former owner.
// - RedeemRequest comes before the transfer into the queue, but after the Withdraw of an instant redemption.
// - Fees are paid in assets, rounded up. yoUSDT sends 95% of a net deposit away and gets no shares for it.
// - The gateway takes the shares first, so the vault's events name the gateway as owner.
// - Vaults are behind transparent proxies.
// Left out: pausing, batches of calls, changes of the oracle's settings.

contract YoOracle {
    struct Entry {
        uint256 price;
        uint64 at;
        uint256 anchor;
        uint64 anchoredAt;
    }

    uint256 private constant WHOLE = 1e9;

    address public immutable updater;
    uint64 private immutable _window;
    uint64 private immutable _maxChange;
    mapping(address vault => Entry) private _entries;

    event SharePriceUpdated(address indexed vault, uint256 price, uint64 timestamp);

    /// All settings are in the code, so that it can be copied to another address.
    constructor(address updater_, uint64 window, uint64 maxChange) {
        (updater, _window, _maxChange) = (updater_, window, maxChange);
    }

    function getLatestPrice(address vault) external view returns (uint256, uint64) {
        return (_entries[vault].price, _entries[vault].at);
    }

    /// Within a window, prices stay close to the window's first one.
    function updateSharePrice(address vault, uint256 price) external {
        require(msg.sender == updater, "not the updater");
        Entry storage entry = _entries[vault];
        uint64 at = uint64(block.timestamp);
        uint256 anchor = entry.anchor;
        if (anchor != 0) {
            uint256 change = price > anchor ? price - anchor : anchor - price;
            require((change * WHOLE) / anchor <= _maxChange, "too big a change");
        }
        if (entry.price == 0 || at - entry.anchoredAt >= _window) (entry.anchor, entry.anchoredAt) = (price, at);
        (entry.price, entry.at) = (price, at);
        emit SharePriceUpdated(vault, price, at);
    }
}

contract YoAuthority {
    address private immutable _owner = msg.sender;
    mapping(address user => mapping(uint8 role => bool)) private _has;
    mapping(address target => mapping(bytes4 selector => mapping(uint8 role => bool))) private _may;

    uint8 private constant ROLES = 4;

    function setUserRole(address user, uint8 role, bool enabled) external {
        require(msg.sender == _owner, "not the owner");
        _has[user][role] = enabled;
    }

    function setRoleCapability(uint8 role, address target, bytes4 selector, bool enabled) external {
        require(msg.sender == _owner, "not the owner");
        _may[target][selector][role] = enabled;
    }

    function canCall(address user, address target, bytes4 selector) external view returns (bool) {
        for (uint8 role = 0; role < ROLES; role++) {
            if (_has[user][role] && _may[target][selector][role]) return true;
        }
        return false;
    }
}

contract YoVault_V2 is ERC4626 {
    using SafeERC20 for IERC20;
    using Math for uint256;

    struct Queued {
        uint256 assets;
        uint256 shares;
    }

    address public constant ORACLE_ADDRESS = 0x6E879d0CcC85085A709eBf5539224f53d0D396B0;
    uint256 internal constant WHOLE = 1e18;

    address public owner;
    YoAuthority public authority;
    uint256 public totalPendingAssets;
    uint256 public feeOnWithdraw;
    uint256 public feeOnDeposit;
    address public feeRecipient;
    string private _shareName;
    string private _shareSymbol;
    mapping(address receiver => Queued) private _queue;

    event RedeemRequest(
        address indexed receiver, address indexed owner, uint256 assets, uint256 shares, bool indexed instant
    );
    event RequestFulfilled(address indexed receiver, uint256 shares, uint256 assets);
    event RequestCancelled(address indexed receiver, uint256 shares, uint256 assets);
    event WithdrawFeeUpdated(uint256 lastFee, uint256 newFee);
    event DepositFeeUpdated(uint256 lastFee, uint256 newFee);
    event FeeRecipientUpdated(address lastFeeRecipient, address newFeeRecipient);

    modifier authorized() {
        require(msg.sender == owner || authority.canCall(msg.sender, address(this), msg.sig), "not authorized");
        _;
    }

    /// The asset is in the code, the rest in the proxy's storage.
    constructor(IERC20 asset_) ERC20("", "") ERC4626(asset_) {}

    function initialize(address owner_, string calldata name_, string calldata symbol_) external {
        require(owner == address(0), "initialized");
        (owner, _shareName, _shareSymbol) = (owner_, name_, symbol_);
    }

    function setAuthority(YoAuthority authority_) external authorized {
        authority = authority_;
    }

    function updateWithdrawFee(uint256 fee) external authorized {
        emit WithdrawFeeUpdated(feeOnWithdraw, fee);
        feeOnWithdraw = fee;
    }

    function updateDepositFee(uint256 fee) external authorized {
        emit DepositFeeUpdated(feeOnDeposit, fee);
        feeOnDeposit = fee;
    }

    function updateFeeRecipient(address recipient) external authorized {
        emit FeeRecipientUpdated(feeRecipient, recipient);
        feeRecipient = recipient;
    }

    /// Makes any call that the authority allows, in the vault's name: this is how assets are invested.
    function manage(address target, bytes calldata data, uint256 value) external authorized returns (bytes memory) {
        require(authority.canCall(msg.sender, target, bytes4(data)), "target not authorized");
        (bool done, bytes memory result) = target.call{value: value}(data);
        require(done, "call failed");
        return result;
    }

    /// Returns the gross assets if they are paid at once, or 0 for a queued request.
    function requestRedeem(uint256 shares, address receiver, address holder) public returns (uint256) {
        require(holder == msg.sender, "not the owner of the shares");
        require(shares > 0 && receiver != address(0), "nothing to redeem");
        uint256 gross = convertToAssets(shares);
        uint256 held = IERC20(asset()).balanceOf(address(this));
        if (held >= totalPendingAssets + gross) {
            _withdraw(holder, receiver, holder, gross, shares);
            emit RedeemRequest(receiver, holder, gross, shares, true);
            return gross;
        }
        emit RedeemRequest(receiver, holder, gross, shares, false);
        _transfer(holder, address(this), shares);
        totalPendingAssets += gross;
        _queue[receiver].assets += gross;
        _queue[receiver].shares += shares;
        return 0;
    }

    function fulfillRedeem(address receiver, uint256 shares, uint256 gross) external authorized {
        _dequeue(receiver, shares, gross);
        emit RequestFulfilled(receiver, shares, gross);
        _withdraw(address(this), receiver, address(this), gross, shares);
    }

    function cancelRedeem(address receiver, uint256 shares, uint256 gross) external authorized {
        _dequeue(receiver, shares, gross);
        emit RequestCancelled(receiver, shares, gross);
        _transfer(address(this), receiver, shares);
    }

    function redeem(uint256 shares, address receiver, address holder) public override returns (uint256) {
        return requestRedeem(shares, receiver, holder);
    }

    function withdraw(uint256, address, address) public pure override returns (uint256) {
        revert("use requestRedeem");
    }

    function pendingRedeemRequest(address receiver) external view returns (uint256 assets, uint256 shares) {
        return (_queue[receiver].assets, _queue[receiver].shares);
    }

    function name() public view override(ERC20, IERC20Metadata) returns (string memory) {
        return _shareName;
    }

    function symbol() public view override(ERC20, IERC20Metadata) returns (string memory) {
        return _shareSymbol;
    }

    function totalAssets() public view override returns (uint256) {
        return _price().mulDiv(totalSupply(), 10 ** decimals());
    }

    function previewDeposit(uint256 assets) public view override returns (uint256) {
        return super.previewDeposit(assets - _within(assets, feeOnDeposit));
    }

    function previewMint(uint256 shares) public view override returns (uint256) {
        uint256 net = super.previewMint(shares);
        return net + _onTop(net, feeOnDeposit);
    }

    function previewWithdraw(uint256 assets) public view override returns (uint256) {
        return super.previewWithdraw(assets + _onTop(assets, feeOnWithdraw));
    }

    function previewRedeem(uint256 shares) public view override returns (uint256) {
        uint256 gross = super.previewRedeem(shares);
        return gross - _within(gross, feeOnWithdraw);
    }

    function _convertToShares(uint256 assets, Math.Rounding rounding) internal view override returns (uint256) {
        return assets.mulDiv(10 ** decimals(), _published(), rounding);
    }

    function _convertToAssets(uint256 shares, Math.Rounding rounding) internal view override returns (uint256) {
        return shares.mulDiv(_published(), 10 ** decimals(), rounding);
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal virtual override {
        super._deposit(caller, receiver, assets, shares);
        _payFee(_within(assets, feeOnDeposit));
    }

    function _withdraw(address caller, address receiver, address holder, uint256 gross, uint256 shares)
        internal
        override
    {
        uint256 fee = _within(gross, feeOnWithdraw);
        super._withdraw(caller, receiver, holder, gross - fee, shares);
        _payFee(fee);
    }

    /// The address whose oracle entry is the price.
    function _priced() internal view virtual returns (address) {
        return address(this);
    }

    /// The fee in an amount that already includes it.
    function _within(uint256 assets, uint256 rate) internal pure returns (uint256) {
        return assets.mulDiv(rate, rate + WHOLE, Math.Rounding.Ceil);
    }

    function _onTop(uint256 assets, uint256 rate) private pure returns (uint256) {
        return assets.mulDiv(rate, WHOLE, Math.Rounding.Ceil);
    }

    function _payFee(uint256 fee) private {
        if (fee > 0 && feeRecipient != address(0)) IERC20(asset()).safeTransfer(feeRecipient, fee);
    }

    function _dequeue(address receiver, uint256 shares, uint256 gross) private {
        Queued storage queued = _queue[receiver];
        require(queued.shares > 0 && queued.assets > 0, "nothing is queued");
        queued.shares -= shares;
        queued.assets -= gross;
        totalPendingAssets -= gross;
    }

    function _price() private view returns (uint256 price) {
        (price,) = YoOracle(ORACLE_ADDRESS).getLatestPrice(_priced());
    }

    function _published() private view returns (uint256 price) {
        price = _price();
        require(price > 0, "no price");
    }
}

contract yoUSDT is YoVault_V2 {
    using SafeERC20 for IERC20;

    address public constant YO_USD_ADDRESS = 0x0000000f2eB9f69274678c76222B35eEc7588a65;

    constructor(IERC20 asset_) YoVault_V2(asset_) {}

    function _priced() internal pure override returns (address) {
        return YO_USD_ADDRESS;
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        super._deposit(caller, receiver, assets, shares);
        uint256 net = assets - _within(assets, feeOnDeposit);
        IERC20(asset()).safeTransfer(YO_USD_ADDRESS, (net * 95) / 100);
    }
}

contract YoGateway {
    using SafeERC20 for IERC20;

    address private immutable _owner = msg.sender;
    mapping(address vault => bool) public isYoVault;

    event YoGatewayDeposit(
        uint32 indexed partnerId,
        address indexed yoVault,
        address indexed sender,
        address receiver,
        uint256 assets,
        uint256 shares
    );
    event YoGatewayRedeem(
        uint32 indexed partnerId,
        address indexed yoVault,
        address indexed receiver,
        uint256 shares,
        uint256 assetsOrRequestId,
        bool instant
    );

    function addYoVault(address vault) external {
        require(msg.sender == _owner, "not the owner");
        isYoVault[vault] = true;
    }

    function deposit(YoVault_V2 vault, uint256 assets, uint256 minShares, address receiver, uint32 partner)
        external
        returns (uint256 shares)
    {
        require(isYoVault[address(vault)], "not a vault");
        IERC20 asset = IERC20(vault.asset());
        asset.safeTransferFrom(msg.sender, address(this), assets);
        asset.forceApprove(address(vault), assets);
        shares = vault.deposit(assets, receiver);
        require(shares >= minShares, "too few shares");
        emit YoGatewayDeposit(partner, address(vault), msg.sender, receiver, assets, shares);
    }

    function redeem(YoVault_V2 vault, uint256 shares, uint256 minAssets, address receiver, uint32 partner)
        external
        returns (uint256 paid)
    {
        require(isYoVault[address(vault)], "not a vault");
        IERC20(address(vault)).safeTransferFrom(msg.sender, address(this), shares);
        paid = vault.requestRedeem(shares, receiver, address(this));
        require(paid == 0 || paid >= minAssets, "too few assets");
        emit YoGatewayRedeem(partner, address(vault), receiver, shares, paid, paid > 0);
    }
}

contract YoProxy is TransparentUpgradeableProxy {
    constructor(address logic, address owner, bytes memory data) TransparentUpgradeableProxy(logic, owner, data) {}
}
