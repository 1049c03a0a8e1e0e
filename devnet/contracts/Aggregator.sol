// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A price feed with the common aggregator interface.
contract Aggregator {
    uint8 public constant decimals = 8;
    uint256 public constant version = 1;
    string public description;
    address public immutable transmitter;

    uint80 private _round;
    mapping(uint80 => int256) private _answers;
    mapping(uint80 => uint256) private _times;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    constructor(string memory description_, address transmitter_) {
        description = description_;
        transmitter = transmitter_;
    }

    function transmit(int256 answer) external {
        require(msg.sender == transmitter, "not the transmitter");
        _round += 1;
        _answers[_round] = answer;
        _times[_round] = block.timestamp;
        emit AnswerUpdated(answer, _round, block.timestamp);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return getRoundData(_round);
    }

    function latestAnswer() external view returns (int256) {
        return _answers[_round];
    }

    function getRoundData(uint80 round) public view returns (uint80, int256, uint256, uint256, uint80) {
        require(_times[round] != 0, "No data present");
        return (round, _answers[round], _times[round], _times[round], round);
    }
}
