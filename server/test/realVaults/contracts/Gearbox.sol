// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// The contracts around a Gearbox pool: access list, register, credit manager, and quota keeper. Every caller has every
/// role. It models nothing else; loans are sent in its name.
contract GearboxSurroundings {
    address public pool;

    function setPool(address pool_) external {
        pool = pool_;
    }

    function poolQuotaRevenue() external pure returns (uint256) {
        return 0;
    }

    function isConfigurator(address) external pure returns (bool) {
        return true;
    }

    function hasRole(bytes32, address) external pure returns (bool) {
        return true;
    }

    function isCreditManager(address) external pure returns (bool) {
        return true;
    }
}
