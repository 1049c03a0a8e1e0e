// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20, ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// A model of Superform's SuperVault before requests could be cancelled in two steps. It claims to have:
/// - deposits at once, paid to the strategy, at a stored price of asset precision; only redemptions are requested;
/// - shares of a request in an escrow that escrow() returns, burned from there when the request is fulfilled;
/// - a fee on the profit at fulfillment, paid in assets by the strategy: claimable are the shares that the rest now
///   converts to, fewer than requested, while a claim names as many as requested;
/// - cancelRedeem: shares go from the escrow to the caller, and RedeemRequestCancelled has no amount;
/// - previewRedeem and previewWithdraw that revert.
/// Left out: yield sources, hooks, operators' signatures, the aggregator that publishes the price.
contract SuperVault is ERC20 {
    struct State {
        uint256 pending;
        uint256 maxWithdraw;
        uint256 averageWithdrawPrice;
        uint256 shares;
        uint256 costBasis;
    }

    uint256 private constant PRECISION = 1e6;
    uint256 private constant FEE = 2_000;

    address public immutable asset;
    address public immutable escrow;
    address public immutable strategy;
    address private immutable _treasury;
    uint256 public price = PRECISION;
    mapping(address => mapping(address => bool)) public isOperator;
    mapping(address => State) private _states;

    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );
    event RedeemRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares
    );
    event RedeemRequestCancelled(address indexed controller, address indexed sender);
    event RedeemClaimable(
        address indexed user,
        uint256 indexed requestId,
        uint256 assets,
        uint256 shares,
        uint256 averageWithdrawPrice,
        uint256 accumulatorShares,
        uint256 accumulatorCostBasis
    );
    event OperatorSet(address indexed controller, address indexed operator, bool approved);

    constructor(IERC20 asset_, address treasury) ERC20("SuperVault", "SV") {
        asset = address(asset_);
        escrow = address(new SuperHolder(IERC20(address(this))));
        strategy = address(new SuperHolder(asset_));
        _treasury = treasury;
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function share() external view returns (address) {
        return address(this);
    }

    function setPrice(uint256 price_) external {
        price = price_;
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = convertToShares(assets);
        IERC20(asset).transferFrom(msg.sender, strategy, assets);
        _states[receiver].shares += shares;
        _states[receiver].costBasis += assets;
        _mint(receiver, shares);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function requestRedeem(uint256 shares, address controller, address owner) external returns (uint256) {
        require(owner == msg.sender || isOperator[owner][msg.sender], "not the owner");
        _transfer(owner, escrow, shares);
        _states[controller].pending += shares;
        emit RedeemRequest(controller, owner, 0, msg.sender, shares);
        return 0;
    }

    function cancelRedeem(address controller) external {
        require(controller == msg.sender || isOperator[controller][msg.sender], "not the controller");
        uint256 shares = _states[controller].pending;
        _states[controller].pending = 0;
        _transfer(escrow, msg.sender, shares);
        emit RedeemRequestCancelled(controller, msg.sender);
    }

    function setOperator(address operator, bool approved) external {
        isOperator[msg.sender][operator] = approved;
        emit OperatorSet(msg.sender, operator, approved);
    }

    /// Called by the manager of the strategy.
    function fulfill(address controller) external {
        State storage state = _states[controller];
        uint256 shares = state.pending;
        uint256 cost = Math.mulDiv(shares, state.costBasis, state.shares);
        state.shares -= shares;
        state.costBasis -= cost;
        uint256 assets = convertToAssets(shares);
        uint256 fee = assets > cost ? Math.mulDiv(assets - cost, FEE, 10_000) : 0;
        if (fee > 0) IERC20(asset).transferFrom(strategy, _treasury, fee);
        assets -= fee;
        uint256 before = state.maxWithdraw == 0 ? 0 : Math.mulDiv(state.maxWithdraw, PRECISION, state.averageWithdrawPrice);
        state.maxWithdraw += assets;
        state.averageWithdrawPrice = Math.mulDiv(state.maxWithdraw, PRECISION, before + shares);
        state.pending = 0;
        _burn(escrow, shares);
        emit RedeemClaimable(
            controller, 0, assets, shares, state.averageWithdrawPrice, state.shares, state.costBasis
        );
    }

    function withdraw(uint256 assets, address receiver, address controller) external returns (uint256 shares) {
        State storage state = _states[controller];
        require(controller == msg.sender || isOperator[controller][msg.sender], "not the controller");
        shares = Math.mulDiv(assets, PRECISION, state.averageWithdrawPrice);
        state.maxWithdraw -= assets;
        IERC20(asset).transferFrom(strategy, receiver, assets);
        emit Withdraw(msg.sender, receiver, controller, assets, shares);
    }

    function totalAssets() external view returns (uint256) {
        return convertToAssets(totalSupply());
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return Math.mulDiv(assets, PRECISION, price);
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return Math.mulDiv(shares, price, PRECISION);
    }

    function pendingRedeemRequest(uint256, address controller) external view returns (uint256) {
        return _states[controller].pending;
    }

    function claimableRedeemRequest(uint256, address controller) external view returns (uint256) {
        return maxRedeem(controller);
    }

    function maxWithdraw(address controller) public view returns (uint256) {
        return _states[controller].maxWithdraw;
    }

    function maxRedeem(address controller) public view returns (uint256) {
        return convertToShares(maxWithdraw(controller));
    }

    function maxDeposit(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function maxMint(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function previewRedeem(uint256) external pure returns (uint256) {
        revert("asynchronous: not previewed");
    }

    function previewWithdraw(uint256) external pure returns (uint256) {
        revert("asynchronous: not previewed");
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x620ee8e4;
    }
}

/// Holds a token for the vault that created it.
contract SuperHolder {
    constructor(IERC20 token) {
        if (address(token) != msg.sender) token.approve(msg.sender, type(uint256).max);
    }
}
