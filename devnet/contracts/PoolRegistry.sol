// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Authorized, IAuthority} from "./Authority.sol";

/// Declares which venues on this chain a vault may use. The events are the record; only the epoch is stored.
contract PoolRegistry is Authorized {
    struct Pool {
        address vault;
        string offchainId;
        address venue;
        uint8 venueKind;
        bool idleOnly;
        uint8 status;
        uint8 riskScore;
    }

    uint64 public epoch;

    event PoolDeclared(
        address indexed vault,
        bytes32 indexed id,
        string offchainId,
        uint256 chainId,
        address venue,
        uint8 venueKind,
        bool idleOnly,
        uint8 status,
        uint8 riskScore,
        uint64 epoch
    );

    constructor(IAuthority authority_) Authorized(authority_) {}

    function declare(Pool calldata pool) external onlyAllowed {
        epoch += 1;
        emit PoolDeclared(
            pool.vault,
            keccak256(bytes(pool.offchainId)),
            pool.offchainId,
            block.chainid,
            pool.venue,
            pool.venueKind,
            pool.idleOnly,
            pool.status,
            pool.riskScore,
            epoch
        );
    }
}
