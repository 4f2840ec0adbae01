// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Eternal storage: the registry of contracts and the data of every module, so that modules can be replaced.
/// Only registered contracts and the guardian may write; anybody may read any key.
contract Storage {
    address private guardian;
    mapping(bytes32 => address) private addresses;
    mapping(bytes32 => bool) private bools;
    mapping(bytes32 => bytes) private byteStrings;
    mapping(bytes32 => bytes32) private words;
    mapping(bytes32 => string) private strings;
    mapping(bytes32 => uint256) private uints;

    constructor(address guardian_) {
        guardian = guardian_;
    }

    modifier onlyRegistered() {
        bool registered = bools[keccak256(abi.encodePacked("contract.exists", msg.sender))];
        require(registered || msg.sender == guardian, "not registered");
        _;
    }

    function getGuardian() external view returns (address) { return guardian; }
    function getAddress(bytes32 key) external view returns (address) { return addresses[key]; }
    function getBool(bytes32 key) external view returns (bool) { return bools[key]; }
    function getBytes(bytes32 key) external view returns (bytes memory) { return byteStrings[key]; }
    function getBytes32(bytes32 key) external view returns (bytes32) { return words[key]; }
    function getString(bytes32 key) external view returns (string memory) { return strings[key]; }
    function getUint(bytes32 key) external view returns (uint256) { return uints[key]; }

    function setAddress(bytes32 key, address value) external onlyRegistered { addresses[key] = value; }
    function setBool(bytes32 key, bool value) external onlyRegistered { bools[key] = value; }
    function setBytes(bytes32 key, bytes calldata value) external onlyRegistered { byteStrings[key] = value; }
    function setBytes32(bytes32 key, bytes32 value) external onlyRegistered { words[key] = value; }
    function setString(bytes32 key, string calldata value) external onlyRegistered { strings[key] = value; }
    function setUint(bytes32 key, uint256 value) external onlyRegistered { uints[key] = value; }
    function addUint(bytes32 key, uint256 amount) external onlyRegistered { uints[key] += amount; }
    function subUint(bytes32 key, uint256 amount) external onlyRegistered { uints[key] -= amount; }
}
