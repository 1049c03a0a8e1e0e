// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IFeed {
    function decimals() external view returns (uint8);
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80);
}

/// A fixed address in front of an aggregator that can change. Like real proxies, it emits no event for a change.
contract FeedProxy {
    address public immutable owner;
    address public aggregator;

    constructor(address aggregator_) {
        owner = msg.sender;
        _set(aggregator_);
    }

    function change(address next) external {
        require(msg.sender == owner, "not the owner");
        _set(next);
    }

    function decimals() external view returns (uint8) {
        return IFeed(aggregator).decimals();
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return IFeed(aggregator).latestRoundData();
    }

    function _set(address next) internal virtual {
        aggregator = next;
    }
}

/// A proxy that numbers its aggregators.
contract PhasedFeedProxy is FeedProxy {
    uint16 public phaseId;
    mapping(uint16 => address) public phaseAggregators;

    constructor(address aggregator_) FeedProxy(aggregator_) {}

    function _set(address next) internal override {
        phaseId += 1;
        phaseAggregators[phaseId] = next;
        super._set(next);
    }
}
