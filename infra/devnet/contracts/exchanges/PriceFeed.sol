// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A Chainlink-style USD feed. Only the newest round is kept; its id carries phase 4 in the high bits.
contract PriceFeed {
    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    uint8 public constant decimals = 8;
    string public description;

    uint64 private round;
    uint64 private updatedAt;
    int128 private answer;

    constructor(string memory description_) {
        description = description_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        require(round > 0, "No data present");
        uint80 roundId = _roundId();
        return (roundId, answer, updatedAt, updatedAt, roundId);
    }

    /// Starts a round. Anybody may: the devnet has no oracle network.
    function transmit(int128 answer_) external {
        (round, updatedAt, answer) = (round + 1, uint64(block.timestamp), answer_);
        emit AnswerUpdated(answer_, _roundId(), block.timestamp);
    }

    function _roundId() private view returns (uint80) {
        return (uint80(4) << 64) | round;
    }
}
