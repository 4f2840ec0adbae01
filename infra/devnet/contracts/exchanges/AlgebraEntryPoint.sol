// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IAlgebraFactory {
    function CUSTOM_POOL_DEPLOYER() external view returns (bytes32);
    function grantRole(bytes32 role, address account) external;
    function setDefaultTickspacing(int24 tickSpacing) external;
    function createCustomPool(address deployer, address creator, address a, address b, bytes calldata data)
        external
        returns (address pool);
}

interface IAlgebraPool {
    function setPluginConfig(uint8 config) external;
}

/// Owns Blackhole's factory, has pools created in the name of every deployer, and is the plugin of all, which decides their fee.
contract AlgebraEntryPoint {
    uint16 private constant FIRST_FEE = 100;
    /// Flags of a plugin: it is asked before each trade, and it decides the fee.
    uint8 private constant BEFORE_SWAP = 1;
    uint8 private constant DYNAMIC_FEE = 1 << 7;

    IAlgebraFactory private immutable factory;
    /// In hundredths of a bip.
    mapping(address pool => uint16) private fees;

    /// @param factoryCode creation code of AlgebraFactory with its argument, @param deployerCode that of AlgebraPoolDeployer:
    /// each takes the other's address, which follows from the order.
    constructor(bytes memory factoryCode, bytes memory deployerCode) {
        factory = IAlgebraFactory(_create(factoryCode));
        _create(deployerCode);
        factory.grantRole(factory.CUSTOM_POOL_DEPLOYER(), address(this));
        factory.setDefaultTickspacing(1);
    }

    /// Anybody may.
    function createCustomPool(address deployer, address a, address b) external returns (address) {
        return factory.createCustomPool(deployer, msg.sender, a, b, "");
    }

    // ---- what the factory asks for ----

    function beforeCreatePoolHook(address, address, address, address, address, bytes calldata) external view returns (address) {
        return address(this);
    }

    function afterCreatePoolHook(address, address, address) external {}

    // ---- what a pool asks for ----

    function beforeInitialize(address, uint160) external returns (bytes4) {
        fees[msg.sender] = FIRST_FEE;
        IAlgebraPool(msg.sender).setPluginConfig(BEFORE_SWAP | DYNAMIC_FEE);
        return this.beforeInitialize.selector;
    }

    function beforeSwap(address, address, bool, int256, uint160, bool, bytes calldata)
        external
        view
        returns (bytes4 selector, uint24 feeOverride, uint24 pluginFee)
    {
        return (this.beforeSwap.selector, fees[msg.sender], 0);
    }

    function getCurrentFee() external view returns (uint16) {
        return fees[msg.sender];
    }

    function _create(bytes memory code) private returns (address created) {
        assembly {
            created := create(0, add(code, 32), mload(code))
        }
        require(created != address(0), "not created");
    }
}
