// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {Storage} from "./Storage.sol";
import {ERC20} from "./tokens/ERC20.sol";

/// Keeps the AVAX and the tokens of all modules in ledgers by module name. Tokens sent here directly are in no ledger.
contract Vault is Base {
    event AVAXDeposited(string indexed by, uint256 amount);
    event AVAXWithdrawn(string indexed by, uint256 amount);
    event AVAXTransfer(string indexed from, string indexed to, uint256 amount);
    event TokenDeposited(bytes32 indexed by, address indexed tokenAddress, uint256 amount);
    event TokenWithdrawn(bytes32 indexed by, address indexed tokenAddress, uint256 amount);
    event TokenTransfer(bytes32 indexed by, bytes32 indexed to, address indexed tokenAddress, uint256 amount);

    error InsufficientContractBalance();
    error InvalidAmount();

    mapping(string => uint256) private avax;
    mapping(bytes32 => uint256) private tokens;

    constructor(Storage store_) Base(store_) {}

    function balanceOf(string calldata networkContractName) external view returns (uint256) {
        return avax[networkContractName];
    }

    function balanceOfToken(string calldata networkContractName, address tokenAddress) external view returns (uint256) {
        return tokens[_ledger(networkContractName, tokenAddress)];
    }

    function depositAVAX() external payable onlyRegistered {
        if (msg.value == 0) revert InvalidAmount();
        string memory name = _nameOf(msg.sender);
        avax[name] += msg.value;
        emit AVAXDeposited(name, msg.value);
    }

    function withdrawAVAX(uint256 amount) external onlyRegistered {
        if (amount == 0) revert InvalidAmount();
        string memory name = _nameOf(msg.sender);
        if (avax[name] < amount) revert InsufficientContractBalance();
        avax[name] -= amount;
        emit AVAXWithdrawn(name, amount);
        _sendAVAX(msg.sender, amount);
    }

    function transferAVAX(string calldata to, uint256 amount) external onlyRegistered {
        if (amount == 0) revert InvalidAmount();
        string memory name = _nameOf(msg.sender);
        if (avax[name] < amount) revert InsufficientContractBalance();
        avax[name] -= amount;
        avax[to] += amount;
        emit AVAXTransfer(name, to, amount);
    }

    function depositToken(string calldata to, ERC20 token, uint256 amount) external onlyRegistered {
        if (amount == 0) revert InvalidAmount();
        bytes32 ledger = _ledger(to, address(token));
        tokens[ledger] += amount;
        emit TokenDeposited(ledger, address(token), amount);
        token.transferFrom(msg.sender, address(this), amount);
    }

    function withdrawToken(address to, ERC20 token, uint256 amount) external onlyRegistered {
        bytes32 ledger = _ledger(_nameOf(msg.sender), address(token));
        _take(ledger, amount);
        emit TokenWithdrawn(ledger, address(token), amount);
        token.transfer(to, amount);
    }

    function transferToken(string calldata to, ERC20 token, uint256 amount) external onlyRegistered {
        bytes32 from = _ledger(_nameOf(msg.sender), address(token));
        bytes32 into = _ledger(to, address(token));
        _take(from, amount);
        tokens[into] += amount;
        emit TokenTransfer(from, into, address(token), amount);
    }

    function _take(bytes32 ledger, uint256 amount) private {
        if (amount == 0) revert InvalidAmount();
        if (tokens[ledger] < amount) revert InsufficientContractBalance();
        tokens[ledger] -= amount;
    }

    function _ledger(string memory name, address token) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(name, token));
    }
}
