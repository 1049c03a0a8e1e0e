// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// A minimal contract wallet that accepts signatures of one key (EIP-1271).
contract ContractWallet is IERC1271 {
    address public immutable key;

    constructor(address key_) {
        key = key_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        (address signer,,) = ECDSA.tryRecover(digest, signature);
        return signer == key ? IERC1271.isValidSignature.selector : bytes4(0);
    }
}
