// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Storage} from "./Storage.sol";

/// Fills Storage with stakers and minipools by the thousand, for measurements. It writes records that agree with each
/// other, but moves no tokens: the Vault's ledgers know nothing of them. Must be registered in Storage.
contract Seeder {
    Storage private immutable store;
    address private immutable multisig;

    uint256 private constant AMOUNT = 1000 ether;
    /// Statuses by turns: mostly Staking, a fifth Finished, some of each other kind but Launched.
    bytes private constant STATUSES = hex"0202040202030204020202040205020204020600";

    constructor(Storage store_, address multisig_) {
        (store, multisig) = (store_, multisig_);
    }

    function stakerAddress(uint256 index) public pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked("seeded staker", index)))));
    }

    /// Appends stakers with 5,000 to 155,000 GGP each and nothing running yet.
    function addStakers(uint256 count) external {
        uint256 first = store.getUint(keccak256("staker.count"));
        for (uint256 i = first; i < first + count; i++) {
            address staker = stakerAddress(i);
            store.setAddress(_key("staker.item", i, ".stakerAddr"), staker);
            store.setUint(_key("staker.item", i, ".ggpStaked"), 5_000 ether + uint256(uint160(staker)) % 150_000 ether);
            store.setUint(_key("staker.item", i, ".rewardsStartTime"), block.timestamp - 60 days);
            store.setUint(keccak256(abi.encodePacked("staker.index", staker)), i + 1);
        }
        store.addUint(keccak256("staker.count"), count);
    }

    /// Appends minipools, owned by turns by the stakers from index `firstStaker` on.
    function addMinipools(uint256 count, uint256 firstStaker) external {
        uint256 first = store.getUint(keccak256("minipool.count"));
        uint256 owners = store.getUint(keccak256("staker.count")) - firstStaker;
        uint256 liquidStakerAmt = 0;
        for (uint256 i = first; i < first + count; i++) {
            uint256 owner = firstStaker + i % owners;
            uint8 status = uint8(STATUSES[i % STATUSES.length]);
            _addMinipool(i, status, stakerAddress(owner));
            if (status == 2) liquidStakerAmt += AMOUNT;
            _book(owner, status);
        }
        store.addUint(keccak256("minipool.count"), count);
        store.addUint(keccak256("MinipoolManager.TotalAVAXLiquidStakerAmt"), liquidStakerAmt);
    }

    function _addMinipool(uint256 i, uint8 status, address owner) private {
        bytes32 hash = keccak256(abi.encodePacked("seeded node", i));
        address nodeID = address(bytes20(hash));
        store.setAddress(_key("minipool.item", i, ".nodeID"), nodeID);
        store.setUint(keccak256(abi.encodePacked("minipool.index", nodeID)), i + 1);
        store.setUint(_key("minipool.item", i, ".status"), status);
        store.setUint(_key("minipool.item", i, ".duration"), 60 days);
        store.setUint(_key("minipool.item", i, ".delegationFee"), 20_000);
        store.setAddress(_key("minipool.item", i, ".owner"), owner);
        store.setAddress(_key("minipool.item", i, ".multisigAddr"), multisig);
        store.setUint(_key("minipool.item", i, ".avaxNodeOpAmt"), AMOUNT);
        store.setUint(_key("minipool.item", i, ".avaxNodeOpInitialAmt"), AMOUNT);
        store.setUint(_key("minipool.item", i, ".avaxLiquidStakerAmt"), AMOUNT);
        store.setUint(_key("minipool.item", i, ".creationTime"), block.timestamp - 60 days);
        if (status < 2 || status > 4) return;
        store.setBytes32(_key("minipool.item", i, ".txID"), hash);
        store.setUint(_key("minipool.item", i, ".initialStartTime"), block.timestamp - 50 days);
        store.setUint(_key("minipool.item", i, ".startTime"), block.timestamp - 5 days);
    }

    /// The owner's record, as the status demands.
    function _book(uint256 owner, uint8 status) private {
        if (status <= 2) store.addUint(_key("staker.item", owner, ".avaxAssigned"), AMOUNT);
        if (status <= 3 || status == 6) store.addUint(_key("staker.item", owner, ".avaxStaked"), AMOUNT);
        if (status != 2) return;
        store.addUint(_key("staker.item", owner, ".avaxValidating"), AMOUNT);
        store.addUint(_key("staker.item", owner, ".avaxValidatingHighWater"), AMOUNT);
    }

    function _key(string memory prefix, uint256 index, string memory field) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(prefix, index, field));
    }
}
