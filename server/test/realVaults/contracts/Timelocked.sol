// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// A model of ERC-7540's reference implementation in which redemptions wait for a time. It claims to have:
/// - deposits at once; a request that fixes the assets by the conversion of that moment, and takes the shares into the
///   vault;
/// - a total without the assets that requests fixed, while their shares still count: a request lowers the price, and
///   the shares stay in the vault after the payment;
/// - requests that are pending until a time, and then claimable without any event; one open request per controller;
/// - previewRedeem and previewWithdraw that revert.
/// Left out: operators' signatures.
contract TimelockedVault is ERC4626 {
    struct Redemption {
        uint256 assets;
        uint256 shares;
        uint256 claimableAt;
    }

    uint256 private immutable _timelock;
    uint256 private _pendingAssets;
    mapping(address => Redemption) private _redemptions;

    event RedeemRequest(
        address indexed controller, address indexed owner, uint256 indexed requestId, address sender, uint256 shares
    );

    constructor(IERC20 asset_, uint256 timelock) ERC20("Timelocked Vault", "TLV") ERC4626(asset_) {
        _timelock = timelock;
    }

    function share() external view returns (address) {
        return address(this);
    }

    function totalAssets() public view override returns (uint256) {
        return IERC20(asset()).balanceOf(address(this)) - _pendingAssets;
    }

    function requestRedeem(uint256 shares, address controller, address owner) external returns (uint256) {
        require(owner == msg.sender, "not the owner");
        require(_redemptions[controller].shares == 0, "one at a time");
        uint256 assets = convertToAssets(shares);
        _transfer(owner, address(this), shares);
        _redemptions[controller] = Redemption(assets, shares, block.timestamp + _timelock);
        _pendingAssets += assets;
        emit RedeemRequest(controller, owner, 0, msg.sender, shares);
        return 0;
    }

    function redeem(uint256 shares, address receiver, address controller) public override returns (uint256 assets) {
        require(controller == msg.sender, "not the controller");
        Redemption storage open = _redemptions[controller];
        require(open.claimableAt <= block.timestamp, "not claimable yet");
        assets = Math.mulDiv(shares, open.assets, open.shares);
        open.assets -= assets;
        open.shares -= shares;
        _pendingAssets -= assets;
        IERC20(asset()).transfer(receiver, assets);
        emit Withdraw(msg.sender, receiver, controller, assets, shares);
    }

    function pendingRedeemRequest(uint256, address controller) external view returns (uint256) {
        return _isReady(controller) ? 0 : _redemptions[controller].shares;
    }

    function claimableRedeemRequest(uint256, address controller) external view returns (uint256) {
        return maxRedeem(controller);
    }

    /// Private in the reference implementation: only the tests call it.
    function promised(address controller) external view returns (uint256) {
        return _isReady(controller) ? 0 : _redemptions[controller].assets;
    }

    function claimableAt(address controller) external view returns (uint256) {
        return _redemptions[controller].claimableAt;
    }

    function maxRedeem(address controller) public view override returns (uint256) {
        return _isReady(controller) ? _redemptions[controller].shares : 0;
    }

    function maxWithdraw(address controller) public view override returns (uint256) {
        return _isReady(controller) ? _redemptions[controller].assets : 0;
    }

    function previewRedeem(uint256) public pure override returns (uint256) {
        revert("asynchronous: not previewed");
    }

    function previewWithdraw(uint256) public pure override returns (uint256) {
        revert("asynchronous: not previewed");
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x620ee8e4;
    }

    function _isReady(address controller) private view returns (bool) {
        return _redemptions[controller].claimableAt <= block.timestamp;
    }
}
