// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ShapeVault} from "./Shapes.sol";

/// An ERC-4626 vault that is governed with OpenZeppelin's contracts, and has events of MetaMorpho and Morpho Vault V2.
contract GovernedVault is ShapeVault, Ownable2Step, AccessControl, Pausable {
    event SetCap(address indexed caller, bytes32 indexed id, uint256 cap);
    event Submit(bytes4 indexed selector, bytes data, uint256 executableAt);
    event Noted(address indexed caller, uint256 value);

    constructor(IERC20 asset_) ShapeVault(asset_, "GOV") Ownable(msg.sender) {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
    }

    function setCap(bytes32 id, uint256 cap) external onlyOwner {
        emit SetCap(msg.sender, id, cap);
    }

    function submit(bytes4 selector, bytes calldata data, uint256 executableAt) external onlyOwner {
        emit Submit(selector, data, executableAt);
    }

    function pause() external onlyOwner {
        _pause();
    }

    function unpause() external onlyOwner {
        _unpause();
    }

    function note(uint256 value) external {
        emit Noted(msg.sender, value);
    }
}
