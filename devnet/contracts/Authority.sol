// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IAuthority {
    function canCall(address caller, address target, bytes4 selector) external view returns (bool);
}

/// Lists the callers allowed to use the guarded functions of the vaults, the oracle, and the registry.
contract Authority is IAuthority {
    address public owner;
    mapping(address => bool) public operator;

    event OperatorSet(address indexed account, bool allowed);

    error NotOwner(address caller);

    constructor(address owner_) {
        owner = owner_;
        operator[owner_] = true;
        emit OperatorSet(owner_, true);
    }

    function setOperator(address account, bool allowed) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        operator[account] = allowed;
        emit OperatorSet(account, allowed);
    }

    function canCall(address caller, address, bytes4) external view returns (bool) {
        return operator[caller];
    }
}

abstract contract Authorized {
    IAuthority public immutable authority;

    error NotAllowed(address caller, bytes4 selector);

    constructor(IAuthority authority_) {
        authority = authority_;
    }

    modifier onlyAllowed() {
        if (!authority.canCall(msg.sender, address(this), msg.sig)) revert NotAllowed(msg.sender, msg.sig);
        _;
    }
}
