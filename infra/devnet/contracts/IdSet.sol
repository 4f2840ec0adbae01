// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A set of ids that can be listed. Removing moves the last id into the gap, so the order is not the order of arrival.
struct IdSet {
    uint256[] ids;
    mapping(uint256 => uint256) positionPlusOne;
}

using {add, remove, contains} for IdSet global;

function add(IdSet storage set, uint256 id) {
    set.ids.push(id);
    set.positionPlusOne[id] = set.ids.length;
}

function remove(IdSet storage set, uint256 id) {
    uint256 position = set.positionPlusOne[id] - 1;
    uint256 last = set.ids[set.ids.length - 1];
    set.ids[position] = last;
    set.positionPlusOne[last] = position + 1;
    set.ids.pop();
    delete set.positionPlusOne[id];
}

function contains(IdSet storage set, uint256 id) view returns (bool) {
    return set.positionPlusOne[id] != 0;
}
