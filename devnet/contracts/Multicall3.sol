// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Runs many calls in one, with the interface that wallets and libraries expect at its well-known address.
contract Multicall3 {
    struct Call {
        address target;
        bytes callData;
    }

    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate(Call[] calldata calls)
        public
        payable
        returns (uint256 blockNumber, bytes[] memory returnData)
    {
        blockNumber = block.number;
        returnData = new bytes[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            returnData[i] = _run(calls[i].target, 0, calls[i].callData, false).returnData;
        }
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls)
        public
        payable
        returns (Result[] memory returnData)
    {
        returnData = new Result[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            returnData[i] = _run(calls[i].target, 0, calls[i].callData, !requireSuccess);
        }
    }

    function tryBlockAndAggregate(bool requireSuccess, Call[] calldata calls)
        public
        payable
        returns (uint256 blockNumber, bytes32 blockHash, Result[] memory returnData)
    {
        blockNumber = block.number;
        blockHash = blockhash(block.number);
        returnData = tryAggregate(requireSuccess, calls);
    }

    function blockAndAggregate(Call[] calldata calls)
        external
        payable
        returns (uint256 blockNumber, bytes32 blockHash, Result[] memory returnData)
    {
        return tryBlockAndAggregate(true, calls);
    }

    /// In assembly, because an indexer makes hundreds of thousands of calls here, and a traced EVM has a cost per opcode.
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory) {
        assembly ("memory-safe") {
            let size := shl(5, calls.length)
            let out := mload(0x40)
            mstore(out, 0x20)
            mstore(add(out, 0x20), calls.length)
            let heads := add(out, 0x40)
            let tail := add(heads, size)
            for { let i := 0 } lt(i, size) { i := add(i, 0x20) } {
                let element := add(calls.offset, calldataload(add(calls.offset, i)))
                let data := add(element, calldataload(add(element, 0x40)))
                let length := calldataload(data)
                calldatacopy(tail, add(data, 0x20), length)
                let success := call(gas(), calldataload(element), 0, tail, length, 0, 0)
                if iszero(or(success, calldataload(add(element, 0x20)))) {
                    mstore(0x00, 0x08c379a000000000000000000000000000000000000000000000000000000000)
                    mstore(0x04, 0x20)
                    mstore(0x24, 23)
                    mstore(0x44, "Multicall3: call failed")
                    revert(0x00, 0x64)
                }
                mstore(add(heads, i), sub(tail, heads))
                mstore(tail, success)
                mstore(add(tail, 0x20), 0x40)
                length := returndatasize()
                mstore(add(tail, 0x40), length)
                returndatacopy(add(tail, 0x60), 0, length)
                mstore(add(add(tail, 0x60), length), 0)
                tail := add(add(tail, 0x60), and(add(length, 31), not(31)))
            }
            return(out, sub(tail, out))
        }
    }

    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory returnData) {
        uint256 spent;
        returnData = new Result[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            spent += calls[i].value;
            returnData[i] = _run(calls[i].target, calls[i].value, calls[i].callData, calls[i].allowFailure);
        }
        require(msg.value == spent, "Multicall3: value mismatch");
    }

    function getBlockHash(uint256 blockNumber) external view returns (bytes32 blockHash) {
        blockHash = blockhash(blockNumber);
    }

    function getBlockNumber() external view returns (uint256 blockNumber) {
        blockNumber = block.number;
    }

    function getCurrentBlockCoinbase() external view returns (address coinbase) {
        coinbase = block.coinbase;
    }

    function getCurrentBlockDifficulty() external view returns (uint256 difficulty) {
        difficulty = block.prevrandao;
    }

    function getCurrentBlockGasLimit() external view returns (uint256 gaslimit) {
        gaslimit = block.gaslimit;
    }

    function getCurrentBlockTimestamp() external view returns (uint256 timestamp) {
        timestamp = block.timestamp;
    }

    function getEthBalance(address addr) external view returns (uint256 balance) {
        balance = addr.balance;
    }

    function getLastBlockHash() external view returns (bytes32 blockHash) {
        blockHash = blockhash(block.number - 1);
    }

    function getBasefee() external view returns (uint256 basefee) {
        basefee = block.basefee;
    }

    function getChainId() external view returns (uint256 chainid) {
        chainid = block.chainid;
    }

    function _run(address target, uint256 value, bytes calldata data, bool allowFailure)
        private
        returns (Result memory result)
    {
        (result.success, result.returnData) = target.call{value: value}(data);
        require(result.success || allowFailure, "Multicall3: call failed");
    }
}
