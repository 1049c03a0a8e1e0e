// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AsyncVault} from "./AsyncVault.sol";

/// Holds pending shares and does nothing else.
contract Silo {}

/// Like AsyncVault, but pending shares are in a separate account, which no function returns.
contract SiloVault is AsyncVault {
    address private immutable _silo = address(new Silo());

    constructor(string memory name_, string memory symbol_, IERC20 asset_, address operator_)
        AsyncVault(name_, symbol_, asset_, operator_, 0)
    {}

    function _update(address from, address to, uint256 value) internal override {
        super._update(_place(from), _place(to), value);
    }

    function _place(address account) private view returns (address) {
        return account == address(this) ? _silo : account;
    }
}
