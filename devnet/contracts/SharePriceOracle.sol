// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Authorized, IAuthority} from "./Authority.sol";

interface ISharePriceOracle {
    function getLatestPrice(address vault) external view returns (uint256 price, uint64 timestamp);
}

/// Published share prices: base units of the base asset for one share.
contract SharePriceOracle is ISharePriceOracle, Authorized {
    struct Entry {
        uint192 price;
        uint64 timestamp;
    }

    mapping(address => Entry) private _latest;

    event SharePriceUpdated(address indexed vault, uint256 price, uint64 timestamp);

    constructor(IAuthority authority_) Authorized(authority_) {}

    function update(address[] calldata vaults, uint256[] calldata prices) external onlyAllowed {
        for (uint256 i; i < vaults.length; ++i) {
            _latest[vaults[i]] = Entry(uint192(prices[i]), uint64(block.timestamp));
            emit SharePriceUpdated(vaults[i], prices[i], uint64(block.timestamp));
        }
    }

    function getLatestPrice(address vault) external view returns (uint256 price, uint64 timestamp) {
        Entry memory entry = _latest[vault];
        return (entry.price, entry.timestamp);
    }
}
