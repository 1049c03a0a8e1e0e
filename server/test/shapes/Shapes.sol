// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

// Contracts in the shapes of existing vaults, each with only the functions by which it is recognized.

contract ShapeToken is ERC20 {
    uint8 private immutable _decimals;

    constructor(string memory symbol_, uint8 decimals_) ERC20(symbol_, symbol_) {
        _decimals = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }
}

contract ShapeVault is ERC4626 {
    constructor(IERC20 asset_, string memory symbol_) ERC20(symbol_, symbol_) ERC4626(asset_) {}
}

contract Holder {
    function approve(IERC20 token, address spender) external {
        token.approve(spender, type(uint256).max);
    }
}

/// Keeps assets in a cooldown outside of the vault.
contract CooldownVault is ShapeVault {
    address public immutable silo = address(new Holder());

    constructor(IERC20 asset_) ShapeVault(asset_, "COOL") {}
}

contract PoolOffice {
    address public immutable withdrawalManager = address(new Holder());
    address public immutable poolDelegate = msg.sender;
}

/// Exits are queued at a manager that the vault's manager returns.
contract ManagedVault is ShapeVault {
    address public immutable manager = address(new PoolOffice());

    constructor(IERC20 asset_) ShapeVault(asset_, "MANAGED") {}
}

contract QueueAllocator is ShapeVault {
    uint256 public constant withdrawQueueLength = 0;
    uint256 public constant lostAssets = 0;
    address public immutable EVC = address(this);

    constructor(IERC20 asset_) ShapeVault(asset_, "QUEUED") {}
}

contract AdapterAllocator is ShapeVault {
    uint256 public constant adaptersLength = 0;

    constructor(IERC20 asset_) ShapeVault(asset_, "ADAPTED") {}
}

contract StrategyAllocator is ShapeVault {
    uint256 public constant totalDebt = 0;

    constructor(IERC20 asset_) ShapeVault(asset_, "STRATEGIC") {}

    function get_default_queue() external pure returns (address[] memory) {
        return new address[](0);
    }
}

/// Accepts requests by id and controller without ERC-165. Requested shares go to an escrow that no function
/// returns.
contract QuietQueue is ShapeVault {
    address private immutable _keeper = address(new Holder());

    event RedeemRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares
    );

    constructor(IERC20 asset_) ShapeVault(asset_, "QUIET") {}

    function requestRedeem(uint256 shares, address controller, address owner) external returns (uint256) {
        _transfer(owner, _keeper, shares);
        emit RedeemRequest(controller, owner, 0, msg.sender, shares);
        return 0;
    }

    function pendingRedeemRequest(uint256, address) external pure returns (uint256) {
        return 0;
    }

    function claimableRedeemRequest(uint256, address) external pure returns (uint256) {
        return 0;
    }
}

/// Queues by receiver, and returns no oracle.
contract BlindQueue is ShapeVault {
    uint256 public constant totalPendingAssets = 0;

    constructor(IERC20 asset_) ShapeVault(asset_, "BLIND") {}

    function pendingRedeemRequest(address) external pure returns (uint256, uint256) {
        return (0, 0);
    }
}

/// Emits transfers of amounts that no token can hold. Once broken, its conversions revert.
contract LoudVault is ShapeVault {
    bool private _broken;

    constructor(IERC20 asset_) ShapeVault(asset_, "LOUD") {}

    function shout(address from, address to) external {
        emit Transfer(from, to, type(uint256).max);
    }

    function breakDown() external {
        _broken = true;
    }

    function totalAssets() public view override returns (uint256) {
        require(!_broken, "broken");
        return super.totalAssets();
    }
}

/// A share token apart from its vaults.
contract ApartShare is ShapeToken {
    mapping(address => address) public vault;

    event VaultUpdate(address indexed asset, address vault);

    constructor() ShapeToken("APART", 18) {}

    function updateVault(address asset, address vault_) external {
        vault[asset] = vault_;
        emit VaultUpdate(asset, vault_);
    }
}

contract ApartVault {
    address public immutable asset;
    address public immutable share;

    constructor(address asset_, address share_) {
        asset = asset_;
        share = share_;
    }

    function totalAssets() external pure returns (uint256) {
        return 0;
    }

    function convertToAssets(uint256 shares) external pure returns (uint256) {
        return shares;
    }

    function maxDeposit(address) external pure returns (uint256) {
        return type(uint256).max;
    }
}

/// All limits exist, but revert while it is paused.
contract PausedVault is ShapeVault {
    constructor(IERC20 asset_) ShapeVault(asset_, "PAUSED") {}

    function maxDeposit(address) public pure override returns (uint256) {
        revert("paused");
    }

    function maxMint(address) public pure override returns (uint256) {
        revert("paused");
    }

    function maxWithdraw(address) public pure override returns (uint256) {
        revert("paused");
    }

    function maxRedeem(address) public pure override returns (uint256) {
        revert("paused");
    }
}

/// Has a rate and decimals, but is not a token.
contract Accountant {
    uint8 public constant decimals = 6;

    function getRate() external pure returns (uint256) {
        return 1_050_000;
    }
}

/// A wrapper that returns the entire supply of the wrapped token, and cannot convert before there is any.
contract SupplyWrapper is ShapeVault {
    ShapeToken public immutable vault;

    constructor(IERC20 asset_, ShapeToken wrapped) ShapeVault(asset_, "WRAP") {
        vault = wrapped;
    }

    function totalSupply() public view override(ERC20, IERC20) returns (uint256) {
        return vault.totalSupply();
    }

    function convertToAssets(uint256 shares) public view override returns (uint256) {
        return shares * totalAssets() / totalSupply();
    }
}

/// Pays one half of every exit itself, and the other half from a separate store.
contract PartsVault is ShapeVault {
    Holder private immutable _store = new Holder();

    constructor(IERC20 asset_) ShapeVault(asset_, "PARTS") {
        _store.approve(asset_, address(this));
    }

    function totalAssets() public view override returns (uint256) {
        return super.totalAssets() + IERC20(asset()).balanceOf(address(_store));
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        super._deposit(caller, receiver, assets, shares);
        IERC20(asset()).transfer(address(_store), assets / 2);
    }

    function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares)
        internal
        override
    {
        if (caller != owner) _spendAllowance(owner, caller, shares);
        _burn(owner, shares);
        IERC20(asset()).transfer(receiver, assets - assets / 2);
        IERC20(asset()).transferFrom(address(_store), receiver, assets / 2);
        emit Withdraw(caller, receiver, owner, assets, shares);
    }
}

/// A wrapped native coin that wraps and unwraps without a Transfer. The coin itself is left out.
contract WrappedCoin {
    string public constant name = "Wrapped coin";
    string public constant symbol = "WCOIN";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    function wrap(uint256 wad) external {
        totalSupply += wad;
        balanceOf[msg.sender] += wad;
        emit Deposit(msg.sender, wad);
    }

    function unwrap(uint256 wad) external {
        totalSupply -= wad;
        balanceOf[msg.sender] -= wad;
        emit Withdrawal(msg.sender, wad);
    }
}

/// Accepts and pays the native coin, which it wraps and unwraps, and keeps a hundredth of each deposit.
contract CoinVault is ShapeVault {
    constructor(IERC20 asset_) ShapeVault(asset_, "COIN") {}

    function depositCoin(uint256 assets) external returns (uint256 shares) {
        shares = previewDeposit(assets - assets / 100);
        WrappedCoin(asset()).wrap(assets);
        _mint(msg.sender, shares);
        emit Deposit(msg.sender, msg.sender, assets, shares);
    }

    function redeemCoin(uint256 shares) external returns (uint256 assets) {
        assets = previewRedeem(shares);
        _burn(msg.sender, shares);
        WrappedCoin(asset()).unwrap(assets);
        emit Withdraw(msg.sender, msg.sender, msg.sender, assets, shares);
    }
}

/// Also sells shares without a Deposit: the payment goes to where the assets are invested.
contract SideSaleVault is ShapeVault {
    address public immutable strategy = address(new Holder());

    constructor(IERC20 asset_) ShapeVault(asset_, "SIDE") {}

    function totalAssets() public view override returns (uint256) {
        return super.totalAssets() + IERC20(asset()).balanceOf(strategy);
    }

    function buy(uint256 assets) external returns (uint256 shares) {
        shares = convertToShares(assets);
        IERC20(asset()).transferFrom(msg.sender, strategy, assets);
        _mint(msg.sender, shares);
    }
}

/// Returns 1 for any call.
contract Anything {
    fallback() external {
        assembly {
            mstore(0, 1)
            return(0, 32)
        }
    }
}

/// Forwards what it receives.
contract Gateway {
    function redeem(ShapeVault vault, uint256 shares) external {
        vault.transferFrom(msg.sender, address(this), shares);
        vault.redeem(shares, msg.sender, address(this));
    }
}

contract CloneMaker {
    address public immutable clone;

    constructor(address original) {
        clone = Clones.clone(original);
    }
}

contract ShapeBeacon is UpgradeableBeacon {
    constructor(address implementation_) UpgradeableBeacon(implementation_, msg.sender) {}
}

// A proxy calls something when it is created; any view will do.
contract ShapeBeaconProxy is BeaconProxy {
    constructor(address beacon) BeaconProxy(beacon, abi.encodeWithSignature("totalSupply()")) {}
}

contract ShapeProxy is ERC1967Proxy {
    constructor(address implementation_) ERC1967Proxy(implementation_, abi.encodeWithSignature("totalSupply()")) {}
}
