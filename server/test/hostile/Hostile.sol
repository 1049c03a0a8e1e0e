// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Wallets that accept any signature (EIP-1271) until it costs gas. Accounts can also delegate to them (EIP-7702).
abstract contract Hostile {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        _look();
        return 0x1626ba7e;
    }

    function _look() internal view virtual;

    /// Uses up all gas.
    function _burn() internal pure {
        assembly {
            invalid()
        }
    }
}

/// Distinguishes a transaction from a call by the gas price.
contract SeesPrice is Hostile {
    function _look() internal view override {
        if (tx.gasprice != 0) _burn();
    }
}

/// Distinguishes a transaction from a call by its gas limit.
contract SeesGas is Hostile {
    function _look() internal view override {
        if (gasleft() < 1_000_000) _burn();
    }
}

/// A call cannot predict its behavior: the state is switched between the call and the transaction.
contract Turned is Hostile {
    bool public turned;

    function turn(bool on) external {
        turned = on;
    }

    function _look() internal view override {
        if (turned) _burn();
    }
}

/// Pays, but makes the sender of the transaction burn gas.
contract Costly is Hostile {
    uint256 private immutable gasTaken;

    constructor(uint256 gasTaken_) {
        gasTaken = gasTaken_;
    }

    function _look() internal view override {
        uint256 end = gasleft() - gasTaken;
        while (gasleft() > end) {}
    }
}

contract Harmless is Hostile {
    function _look() internal view override {}
}

/// Deploys wallets in a call, and burns gas in a transaction.
contract BurningFactory {
    function make(bytes32 salt) external returns (address) {
        if (tx.gasprice != 0) {
            assembly {
                invalid()
            }
        }
        return address(new Harmless{salt: salt}());
    }

    function addressOf(bytes32 salt) external view returns (address) {
        bytes32 hash = keccak256(
            abi.encodePacked(bytes1(0xff), address(this), salt, keccak256(type(Harmless).creationCode))
        );
        return address(uint160(uint256(hash)));
    }
}
