// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Pharaoh's factory (Ramses V3). Pools are keyed by tick spacing, the fee is the pool's own; the pools here are Uniswap's.
contract RamsesV3Factory {
    event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool);

    /// What a pool asks for while it is created.
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    Parameters public parameters;
    /// The zero address when there is no such pool.
    mapping(address => mapping(address => mapping(int24 => address))) public getPool;

    /// @param creationCode of UniswapV3Pool. The address is Uniswap's, with the tick spacing where that has the fee.
    function createPool(address token0, address token1, int24 tickSpacing, uint24 fee, bytes memory creationCode)
        external
        returns (address pool)
    {
        parameters = Parameters(address(this), token0, token1, fee, tickSpacing);
        bytes32 salt = keccak256(abi.encode(token0, token1, tickSpacing));
        assembly {
            pool := create2(0, add(creationCode, 32), mload(creationCode), salt)
        }
        require(pool != address(0), "no pool");
        getPool[token0][token1][tickSpacing] = getPool[token1][token0][tickSpacing] = pool;
        emit PoolCreated(token0, token1, fee, tickSpacing, pool);
    }
}
