// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20, ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// A model of IPOR Fusion's vault as it handles fees in shares. It claims to have:
/// - the withdraw manager in a separate storage slot, which no function returns;
/// - withdraw: a burn and a Withdraw of the paid shares, then a second burn for the fee without any event;
/// - redeem: one burn and one Withdraw whose shares include the fee, and assets for the rest;
/// - a request: shares stay with their owner, only the fee moves, to the manager;
/// - redeemFromRequest: no fee; fees that the manager holds are burned later.
/// Left out: markets, performance and management fees, roles.
contract IporVault is ERC4626 {
    using SafeERC20 for IERC20;

    bytes32 private constant MANAGER = 0x465d2ff0062318fe6f4c7e9ac78cfcd70bc86a1d992722875ef83a9770513100;

    event WithdrawManagerChanged(address newWithdrawManager);

    constructor(IERC20 asset_) ERC20("Plasma Vault", "pvUSD") ERC4626(asset_) {}

    function setWithdrawManager(address manager) external {
        assembly {
            sstore(MANAGER, manager)
        }
        emit WithdrawManagerChanged(manager);
    }

    function withdraw(uint256 assets, address receiver, address owner) public override returns (uint256) {
        uint256 shares = super.previewWithdraw(assets);
        uint256 fee = _manager().canWithdrawFromUnallocated(shares);
        super._withdraw(msg.sender, receiver, owner, assets, shares);
        if (fee > 0) _burn(owner, fee);
        return shares + fee;
    }

    function redeem(uint256 shares, address receiver, address owner) public override returns (uint256 assets) {
        assets = convertToAssets(shares - _manager().canWithdrawFromUnallocated(shares));
        _burn(owner, shares);
        IERC20(asset()).safeTransfer(receiver, assets);
        emit Withdraw(msg.sender, receiver, owner, assets, shares);
    }

    function redeemFromRequest(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
        _manager().useRequest(owner, shares);
        assets = convertToAssets(shares);
        _withdraw(msg.sender, receiver, owner, assets, shares);
    }

    function transferRequestSharesFee(address from, address to, uint256 amount) external {
        require(msg.sender == address(_manager()), "not the manager");
        _transfer(from, to, amount);
    }

    function burnRequestFee(uint256 amount) external {
        _burn(address(_manager()), amount);
    }

    function _manager() private view returns (IporWithdrawManager manager) {
        assembly {
            manager := sload(MANAGER)
        }
    }

    function _decimalsOffset() internal pure override returns (uint8) {
        return 2;
    }
}

contract IporWithdrawManager {
    uint256 private constant WHOLE = 1e18;

    IporVault private immutable _vault;
    uint256 public getRequestFee;
    uint256 public getWithdrawFee;
    mapping(address => uint256) public requested;

    event WithdrawRequestUpdated(address account, uint256 shares, uint32 endWithdrawWindow);

    constructor(IporVault vault, uint256 requestFee, uint256 withdrawFee) {
        _vault = vault;
        getRequestFee = requestFee;
        getWithdrawFee = withdrawFee;
    }

    function requestShares(uint256 shares) external {
        uint256 fee = Math.mulDiv(shares, getRequestFee, WHOLE);
        _update(msg.sender, shares - fee);
        _vault.transferRequestSharesFee(msg.sender, address(this), fee);
    }

    function canWithdrawFromUnallocated(uint256 shares) external view returns (uint256) {
        return Math.mulDiv(shares, getWithdrawFee, WHOLE);
    }

    function useRequest(address account, uint256 shares) external {
        require(msg.sender == address(_vault), "not the vault");
        _update(account, requested[account] - shares);
    }

    function _update(address account, uint256 shares) private {
        requested[account] = shares;
        emit WithdrawRequestUpdated(account, shares, uint32(block.timestamp + 1 days));
    }
}
