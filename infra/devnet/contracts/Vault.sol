// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base} from "./Base.sol";
import {Storage} from "./Storage.sol";
import {ERC20} from "./tokens/ERC20.sol";

/// The treasury. Its GGP and AVAX are ledgers of the Vault under this name; it has no views of its own.
contract ClaimProtocolDAO {}

/// In the registry only: Storage knows the multisig.
contract MultisigManager {}

/// Keeps the AVAX and the tokens of all modules in ledgers by module name. Tokens sent here directly are in no ledger.
contract Vault is Base {
    event TokenWithdrawn(bytes32 indexed by, address indexed tokenAddress, uint256 amount);

    mapping(string => uint256) private avax;
    mapping(bytes32 => uint256) private tokens;

    constructor(Storage store_) Base(store_) {}

    function balanceOfToken(string calldata networkContractName, address tokenAddress) external view returns (uint256) {
        return tokens[_ledger(networkContractName, tokenAddress)];
    }

    function depositAVAX() external payable onlyRegistered {
        avax[_nameOf(msg.sender)] += msg.value;
    }

    function withdrawAVAX(uint256 amount) external onlyRegistered {
        avax[_nameOf(msg.sender)] -= amount;
        _sendAVAX(msg.sender, amount);
    }

    function transferAVAX(string calldata to, uint256 amount) external onlyRegistered {
        avax[_nameOf(msg.sender)] -= amount;
        avax[to] += amount;
    }

    function depositToken(string calldata to, ERC20 token, uint256 amount) external onlyRegistered {
        // Refuses a rewards cycle without inflation.
        require(amount > 0, "amount");
        tokens[_ledger(to, address(token))] += amount;
        token.transferFrom(msg.sender, address(this), amount);
    }

    function withdrawToken(address to, ERC20 token, uint256 amount) external onlyRegistered {
        bytes32 ledger = _ledger(_nameOf(msg.sender), address(token));
        tokens[ledger] -= amount;
        emit TokenWithdrawn(ledger, address(token), amount);
        token.transfer(to, amount);
    }

    function transferToken(string calldata to, ERC20 token, uint256 amount) external onlyRegistered {
        tokens[_ledger(_nameOf(msg.sender), address(token))] -= amount;
        tokens[_ledger(to, address(token))] += amount;
    }

    function _ledger(string memory name, address token) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(name, token));
    }
}
