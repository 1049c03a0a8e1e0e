// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IMintable} from "./Tokens.sol";

/// ERC-7540: deposits and redemptions are requested, made claimable by the operator, then claimed. Every
/// request has its own id.
contract AsyncVault is ERC20 {
    using SafeERC20 for IERC20;

    struct Request {
        address controller;
        uint256 asked;
        /// Result: shares for a deposit, assets for a redemption.
        uint256 granted;
        bool claimable;
    }

    uint256 private constant YEAR = 365 days;

    IERC20 private immutable _asset;
    address public immutable operator;
    uint256 public immutable rate;

    uint256 public lastRequestId;
    uint256 private _kept;
    uint256 private _keptAt;
    mapping(uint256 => Request) private _deposits;
    mapping(uint256 => Request) private _redeems;
    mapping(address => uint256[]) private _depositIds;
    mapping(address => uint256[]) private _redeemIds;
    mapping(address => mapping(address => bool)) public isOperator;

    event DepositRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 assets
    );
    event RedeemRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares
    );
    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );
    event OperatorSet(address indexed controller, address indexed operator, bool approved);

    error NotAllowed(address caller);
    error NothingClaimable(address controller);
    error NotSupported();

    constructor(string memory name_, string memory symbol_, IERC20 asset_, address operator_, uint256 rate_)
        ERC20(name_, symbol_)
    {
        _asset = asset_;
        operator = operator_;
        rate = rate_;
        _keptAt = block.timestamp;
    }

    function decimals() public view override returns (uint8) {
        return IERC20Metadata(address(_asset)).decimals();
    }

    function asset() external view returns (address) {
        return address(_asset);
    }

    function share() external view returns (address) {
        return address(this);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xe3bc4e65 || id == 0xce3bbe50 || id == 0x620ee8e4 || id == 0x2f0a18c5;
    }

    function setOperator(address account, bool approved) external returns (bool) {
        isOperator[msg.sender][account] = approved;
        emit OperatorSet(msg.sender, account, approved);
        return true;
    }

    /// Excludes pending deposits and claimable assets.
    function totalAssets() public view returns (uint256) {
        return _kept + Math.mulDiv(_kept, rate * (block.timestamp - _keptAt), YEAR * 1e18);
    }

    function convertToAssets(uint256 shares) public view returns (uint256) {
        return Math.mulDiv(shares, totalAssets() + 1, totalSupply() + 1);
    }

    function convertToShares(uint256 assets) public view returns (uint256) {
        return Math.mulDiv(assets, totalSupply() + 1, totalAssets() + 1);
    }

    function previewDeposit(uint256) external pure returns (uint256) {
        revert NotSupported();
    }

    function previewMint(uint256) external pure returns (uint256) {
        revert NotSupported();
    }

    function previewRedeem(uint256) external pure returns (uint256) {
        revert NotSupported();
    }

    function previewWithdraw(uint256) external pure returns (uint256) {
        revert NotSupported();
    }

    function requestDeposit(uint256 assets, address controller, address owner) external returns (uint256 id) {
        if (owner != msg.sender && !isOperator[owner][msg.sender]) revert NotAllowed(msg.sender);
        id = ++lastRequestId;
        _asset.safeTransferFrom(owner, address(this), assets);
        _deposits[id] = Request(controller, assets, 0, false);
        _depositIds[controller].push(id);
        emit DepositRequest(controller, owner, id, msg.sender, assets);
    }

    function requestRedeem(uint256 shares, address controller, address owner) external returns (uint256 id) {
        if (owner != msg.sender && !isOperator[owner][msg.sender]) _spendAllowance(owner, msg.sender, shares);
        id = ++lastRequestId;
        _transfer(owner, address(this), shares);
        _redeems[id] = Request(controller, shares, 0, false);
        _redeemIds[controller].push(id);
        emit RedeemRequest(controller, owner, id, msg.sender, shares);
    }

    function pendingDepositRequest(uint256 id, address controller) external view returns (uint256) {
        return _open(_deposits[id], controller, false);
    }

    function claimableDepositRequest(uint256 id, address controller) external view returns (uint256) {
        return _open(_deposits[id], controller, true);
    }

    function pendingRedeemRequest(uint256 id, address controller) external view returns (uint256) {
        return _open(_redeems[id], controller, false);
    }

    function claimableRedeemRequest(uint256 id, address controller) external view returns (uint256) {
        return _open(_redeems[id], controller, true);
    }

    function fulfilDeposit(uint256 id) external {
        if (msg.sender != operator) revert NotAllowed(msg.sender);
        Request storage request = _deposits[id];
        if (request.asked == 0 || request.claimable) revert NothingClaimable(request.controller);
        _accrue();
        request.granted = convertToShares(request.asked);
        request.claimable = true;
        _kept += request.asked;
        _mint(address(this), request.granted);
    }

    function fulfilRedeem(uint256 id) external {
        if (msg.sender != operator) revert NotAllowed(msg.sender);
        Request storage request = _redeems[id];
        if (request.asked == 0 || request.claimable) revert NothingClaimable(request.controller);
        _accrue();
        request.granted = convertToAssets(request.asked);
        request.claimable = true;
        _kept -= request.granted;
        _burn(address(this), request.asked);
    }

    function maxDeposit(address controller) external view returns (uint256) {
        return _claimable(_deposits, _depositIds[controller], false);
    }

    function maxMint(address controller) external view returns (uint256) {
        return _claimable(_deposits, _depositIds[controller], true);
    }

    function maxRedeem(address controller) external view returns (uint256) {
        return _claimable(_redeems, _redeemIds[controller], false);
    }

    function maxWithdraw(address controller) external view returns (uint256) {
        return _claimable(_redeems, _redeemIds[controller], true);
    }

    function deposit(uint256 assets, address receiver, address controller) external returns (uint256 shares) {
        _onlyController(controller);
        shares = _claim(_deposits, _depositIds[controller], assets, controller);
        _transfer(address(this), receiver, shares);
        emit Deposit(controller, receiver, assets, shares);
    }

    function redeem(uint256 shares, address receiver, address controller) external returns (uint256 assets) {
        _onlyController(controller);
        assets = _claim(_redeems, _redeemIds[controller], shares, controller);
        _asset.safeTransfer(receiver, assets);
        emit Withdraw(msg.sender, receiver, controller, assets, shares);
    }

    function _onlyController(address controller) private view {
        if (controller != msg.sender && !isOperator[controller][msg.sender]) revert NotAllowed(msg.sender);
    }

    function _open(Request storage request, address controller, bool claimable) private view returns (uint256) {
        return request.controller == controller && request.claimable == claimable ? request.asked : 0;
    }

    function _claimable(mapping(uint256 => Request) storage requests, uint256[] storage ids, bool granted)
        private
        view
        returns (uint256 total)
    {
        for (uint256 i; i < ids.length; ++i) {
            Request storage request = requests[ids[i]];
            if (request.claimable) total += granted ? request.granted : request.asked;
        }
    }

    /// Oldest first. A request can be claimed in parts.
    function _claim(
        mapping(uint256 => Request) storage requests,
        uint256[] storage ids,
        uint256 wanted,
        address controller
    ) private returns (uint256 granted) {
        for (uint256 i; i < ids.length && wanted > 0; ++i) {
            Request storage request = requests[ids[i]];
            if (!request.claimable || request.asked == 0) continue;
            uint256 part = Math.min(wanted, request.asked);
            uint256 given = Math.mulDiv(request.granted, part, request.asked);
            request.asked -= part;
            request.granted -= given;
            wanted -= part;
            granted += given;
        }
        if (wanted > 0) revert NothingClaimable(controller);
    }

    function _accrue() private {
        uint256 total = totalAssets();
        if (total > _kept) IMintable(address(_asset)).mint(address(this), total - _kept);
        _kept = total;
        _keptAt = block.timestamp;
    }
}
