// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What tells whether minipool records have changed, read from the registry: for each index from `from` on, before `to`, five bytes:
/// the status, and the start time (Staking) or the creation time (all others) as a uint32. Never deployed: an `eth_call` runs the
/// constructor and takes what it returns. See minipool-marks.ts.
contract MinipoolMarks {
    constructor(address store, uint256 from, uint256 to) {
        assembly {
            function read(registry, index, field, length) -> value {
                // keccak256(abi.encodePacked("minipool.item", index, field)), for getUint(bytes32)
                mstore(0x80, "minipool.item")
                mstore(0x8d, index)
                mstore(0xad, field)
                mstore(0x04, keccak256(0x80, add(45, length)))
                if iszero(staticcall(gas(), registry, 0, 0x24, 0x40, 0x20)) { revert(0, 0) }
                value := mload(0x40)
            }
            mstore(0, shl(224, 0xbd02d0f5))
            let end := 0x100
            for { let index := from } lt(index, to) { index := add(index, 1) } {
                let status := read(store, index, ".status", 7)
                let time := 0
                switch status
                case 2 { time := read(store, index, ".startTime", 10) }
                default { time := read(store, index, ".creationTime", 13) }
                mstore(end, or(shl(248, status), shl(216, and(time, 0xffffffff))))
                end := add(end, 5)
            }
            return(0x100, sub(end, 0x100))
        }
    }
}
