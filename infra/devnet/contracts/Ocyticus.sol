// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {MultisigManager} from "./MultisigManager.sol";
import {ProtocolDAO} from "./ProtocolDAO.sol";
import {Storage} from "./Storage.sol";

/// The emergency stop: pauses the four modules that move value and disables every multisig.
contract Ocyticus is Base {
    constructor(Storage store_) Base(store_) {}

    function pauseEverything() external onlyGuardian {
        string[4] memory names = _pausable();
        for (uint256 i = 0; i < names.length; i++) ProtocolDAO(_contract("ProtocolDAO")).pauseContract(names[i]);
        MultisigManager multisigs = MultisigManager(_contract("MultisigManager"));
        for (uint256 i = 0; i < multisigs.getCount(); i++) {
            (address addr,) = multisigs.getMultisig(i);
            multisigs.disableMultisig(addr);
        }
    }

    /// Leaves the multisigs disabled: each is enabled again by hand.
    function resumeEverything() external onlyGuardian {
        string[4] memory names = _pausable();
        for (uint256 i = 0; i < names.length; i++) ProtocolDAO(_contract("ProtocolDAO")).resumeContract(names[i]);
    }

    function _pausable() private pure returns (string[4] memory) {
        return ["MinipoolManager", "RewardsPool", "Staking", "TokenggAVAX"];
    }
}
