// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TokenggAVAX} from "./tokens/TokenggAVAX.sol";

/// A set of ids that can be listed. Removing moves the last id into the gap, so the order is not the order of arrival.
struct IdSet {
    uint256[] ids;
    mapping(uint256 => uint256) positionPlusOne;
}

using {add, remove, contains} for IdSet;

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

/// Turns ggAVAX back into AVAX: requests wait, in the order they came, until AVAX returns from staking.
/// A request's AVAX is fixed when it is made; its shares stay in the token's supply until it is fulfilled.
contract WithdrawQueue {
    event UnstakeRequested(
        uint256 indexed requestId, address indexed requester, uint256 shares, uint256 expectedAssets, uint48 claimableTime
    );
    event RequestFulfilled(bytes32 indexed source, uint256 indexed requestId, uint256 assets);
    event UnstakeClaimed(uint256 indexed requestId, address indexed claimer, uint256 amount);
    event RequestCancelled(uint256 indexed requestId, address indexed requester, uint256 shares);
    event ExpiredFundsReclaimed(uint256 indexed requestId, uint256 amount);
    event ExpiredSharesReturned(uint256 indexed requestId, address indexed requester, uint256 shares);

    error AccessDenied();
    error EnforcedPause();
    error InvalidExpirationDelay();
    error RequestNotClaimable();
    error RequestNotExpired();
    error RequestNotFulfilledOrPending();
    error RequestNotPending();
    error TooLateToCancelRequest();
    error TransferFailed();
    error ZeroShares();

    struct UnstakeRequest {
        address requester;
        uint256 shares;
        uint256 expectedAssets;
        uint48 requestTime;
        uint48 claimableTime;
        uint48 expirationTime;
        uint256 allocatedFunds;
    }

    uint48 public constant MIN_EXPIRATION_DELAY = 3 days;

    TokenggAVAX public immutable tokenggAVAX;
    address public immutable owner;
    /// May return staked AVAX through the queue.
    address public immutable depositor;
    uint48 public unstakeDelay = 15 days;
    uint48 public maxExpirationDelay = 60 days;
    bool public paused;
    uint256 public nextRequestId;
    uint256 public totalAllocatedFunds;
    uint256 public getMaxRequestsPerStakingDeposit = 50;
    uint256 public getMinUnstakeOnBehalfOfAmt = 0.01 ether;

    uint256 private nextToFulfill;
    mapping(uint256 => UnstakeRequest) private requests;
    mapping(address => IdSet) private owned;
    IdSet private pending;
    IdSet private fulfilled;

    constructor(TokenggAVAX tokenggAVAX_, address owner_, address depositor_) {
        (tokenggAVAX, owner, depositor) = (tokenggAVAX_, owner_, depositor_);
    }

    receive() external payable {}

    // ---- views ----

    /// Zeros for an id that does not exist or has been claimed, cancelled or reclaimed.
    function getRequestInfo(uint256 requestId) external view returns (UnstakeRequest memory) {
        return requests[requestId];
    }

    function getPendingRequestsCount() external view returns (uint256) { return pending.ids.length; }
    function getAllPendingRequests() external view returns (uint256[] memory) { return pending.ids; }
    function getFulfilledRequestsCount() external view returns (uint256) { return fulfilled.ids.length; }
    function getAllFulfilledRequests() external view returns (uint256[] memory) { return fulfilled.ids; }
    function isRequestPending(uint256 requestId) external view returns (bool) { return pending.contains(requestId); }
    function isFulfilledRequest(uint256 requestId) external view returns (bool) { return fulfilled.contains(requestId); }

    /// Requests past their expiration, pending and fulfilled ones.
    function getExpiredRequestsCount() external view returns (uint256) {
        return _countExpired(pending.ids) + _countExpired(fulfilled.ids);
    }

    /// Fulfilled and not expired; `claimableTime` no longer matters.
    function canClaimRequest(uint256 requestId) public view returns (bool) {
        return fulfilled.contains(requestId) && block.timestamp < requests[requestId].expirationTime;
    }

    /// One page of a user's open requests; empty when `offset` is too large.
    function getRequestsByOwner(address user, uint256 offset, uint256 limit) external view returns (uint256[] memory page) {
        uint256[] storage ids = owned[user].ids;
        if (offset >= ids.length) return page;
        uint256 length = ids.length - offset;
        if (limit < length) length = limit;
        page = new uint256[](length);
        for (uint256 i = 0; i < length; i++) page[i] = ids[offset + i];
    }

    // ---- users ----

    function requestUnstake(uint256 shares, uint48 expirationDelay) external returns (uint256 requestId) {
        return requestUnstakeOnBehalfOf(shares, msg.sender, expirationDelay);
    }

    /// The caller pays the shares; the request, and so the AVAX, is the requester's.
    function requestUnstakeOnBehalfOf(uint256 shares, address requester, uint48 expirationDelay) public returns (uint256 requestId) {
        if (paused) revert EnforcedPause();
        if (shares == 0) revert ZeroShares();
        if (expirationDelay > maxExpirationDelay) revert InvalidExpirationDelay();
        if (expirationDelay < MIN_EXPIRATION_DELAY) expirationDelay = MIN_EXPIRATION_DELAY;
        requestId = nextRequestId++;
        uint48 claimable = uint48(block.timestamp) + unstakeDelay;
        uint256 assets = tokenggAVAX.convertToAssets(shares);
        requests[requestId] =
            UnstakeRequest(requester, shares, assets, uint48(block.timestamp), claimable, claimable + expirationDelay, 0);
        pending.add(requestId);
        owned[requester].add(requestId);
        tokenggAVAX.transferFrom(msg.sender, address(this), shares);
        emit UnstakeRequested(requestId, requester, shares, assets, claimable);
    }

    function claimUnstake(uint256 requestId) external {
        UnstakeRequest memory request = requests[requestId];
        if (request.requester != msg.sender) revert AccessDenied();
        if (!canClaimRequest(requestId)) revert RequestNotClaimable();
        totalAllocatedFunds -= request.allocatedFunds;
        fulfilled.remove(requestId);
        _forget(requestId);
        emit UnstakeClaimed(requestId, msg.sender, request.allocatedFunds);
        (bool ok,) = msg.sender.call{value: request.allocatedFunds}("");
        if (!ok) revert TransferFailed();
    }

    /// Gives back shares worth the fixed AVAX amount. If the request is pending, what its shares earned meanwhile is
    /// donated to everybody; if it is fulfilled, and before its `claimableTime`, its AVAX is deposited again.
    function cancelRequest(uint256 requestId) external {
        UnstakeRequest memory request = requests[requestId];
        if (request.requester != msg.sender) revert AccessDenied();
        bool funded = fulfilled.contains(requestId);
        if (!funded && !pending.contains(requestId)) revert RequestNotPending();
        if (funded && block.timestamp >= request.claimableTime) revert TooLateToCancelRequest();
        uint256 returned = _remove(requestId, funded);
        if (!funded) {
            returned = tokenggAVAX.convertToShares(request.expectedAssets);
            if (returned < request.shares) tokenggAVAX.donateYield(request.shares - returned, "WITHDRAW_QUEUE");
        }
        emit RequestCancelled(requestId, msg.sender, returned);
        tokenggAVAX.transfer(msg.sender, returned);
    }

    /// Anybody may end a request that has expired. If it is pending, all of its shares go back, with what they earned
    /// meanwhile; if it is fulfilled, its AVAX is deposited again, and the new shares go back.
    function reclaimExpiredRequest(uint256 requestId) external returns (uint256 reclaimed) {
        UnstakeRequest memory request = requests[requestId];
        bool funded = fulfilled.contains(requestId);
        if (!funded && !pending.contains(requestId)) revert RequestNotFulfilledOrPending();
        if (block.timestamp < request.expirationTime) revert RequestNotExpired();
        reclaimed = funded ? request.allocatedFunds : request.expectedAssets;
        emit ExpiredFundsReclaimed(requestId, reclaimed);
        uint256 shares = _remove(requestId, funded);
        emit ExpiredSharesReturned(requestId, request.requester, shares);
        tokenggAVAX.transfer(request.requester, shares);
    }

    // ---- AVAX coming back from staking ----

    function depositFromStaking(uint256 baseAmt, uint256 rewardAmt, bytes32 source) external payable {
        if (msg.sender != depositor) revert AccessDenied();
        tokenggAVAX.depositFromStaking{value: msg.value}(baseAmt, rewardAmt, source);
        uint256 handled = 0;
        while (handled++ < getMaxRequestsPerStakingDeposit && _fulfillNext(source)) {}
    }

    function setPaused(bool paused_) external {
        if (msg.sender != owner) revert AccessDenied();
        paused = paused_;
    }

    /// Redeems the oldest pending request if the vault has the AVAX at hand. The surplus over the fixed amount is yield.
    function _fulfillNext(bytes32 source) private returns (bool) {
        while (nextToFulfill < nextRequestId && !pending.contains(nextToFulfill)) nextToFulfill++;
        if (nextToFulfill == nextRequestId) return false;
        uint256 requestId = nextToFulfill;
        UnstakeRequest storage request = requests[requestId];
        uint256 available = tokenggAVAX.asset().balanceOf(address(tokenggAVAX));
        if (tokenggAVAX.previewRedeem(request.shares) > available) return false;

        uint256 assets = tokenggAVAX.redeemAVAX(request.shares);
        uint256 allocated = assets < request.expectedAssets ? assets : request.expectedAssets;
        if (assets > allocated) tokenggAVAX.depositYield{value: assets - allocated}("WITHDRAW_QUEUE");
        request.allocatedFunds = allocated;
        totalAllocatedFunds += allocated;
        pending.remove(requestId);
        fulfilled.add(requestId);
        emit RequestFulfilled(source, requestId, allocated);
        return true;
    }

    /// Ends a request. Returns the shares it leaves: its own or, if it is funded, those that its AVAX buys.
    function _remove(uint256 requestId, bool funded) private returns (uint256) {
        UnstakeRequest memory request = requests[requestId];
        IdSet storage set = funded ? fulfilled : pending;
        set.remove(requestId);
        _forget(requestId);
        if (!funded) return request.shares;
        totalAllocatedFunds -= request.allocatedFunds;
        return tokenggAVAX.depositAVAX{value: request.allocatedFunds}();
    }

    function _forget(uint256 requestId) private {
        owned[requests[requestId].requester].remove(requestId);
        delete requests[requestId];
    }

    function _countExpired(uint256[] storage ids) private view returns (uint256 count) {
        for (uint256 i = 0; i < ids.length; i++) {
            if (block.timestamp >= requests[ids[i]].expirationTime) count++;
        }
    }
}
