// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IdSet} from "./IdSet.sol";
import {TokenggAVAX} from "./tokens/TokenggAVAX.sol";

/// Turns ggAVAX back into AVAX: requests wait, in the order they came, until AVAX returns from staking.
/// A request's AVAX is fixed when it is made; its shares stay in the token's supply until it is fulfilled.
contract WithdrawQueue {
    event UnstakeRequested(
        uint256 indexed requestId, address indexed requester, uint256 shares, uint256 expectedAssets, uint48 claimableTime
    );
    event RequestFulfilled(bytes32 indexed source, uint256 indexed requestId, uint256 assets);
    event UnstakeClaimed(uint256 indexed requestId, address indexed claimer, uint256 amount);
    event RequestCancelled(uint256 indexed requestId, address indexed requester, uint256 shares);
    event ExpiredSharesReturned(uint256 indexed requestId, address indexed requester, uint256 shares);

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
    /// May return staked AVAX through the queue.
    address public immutable depositor;
    uint48 public unstakeDelay = 15 days;
    uint48 public maxExpirationDelay = 60 days;
    bool public paused;
    uint256 public nextRequestId;
    uint256 public totalAllocatedFunds;

    uint256 private nextToFulfill;
    mapping(uint256 => UnstakeRequest) private requests;
    mapping(address => IdSet) private owned;
    IdSet private pending;
    IdSet private fulfilled;

    constructor(TokenggAVAX tokenggAVAX_, address depositor_) {
        (tokenggAVAX, depositor) = (tokenggAVAX_, depositor_);
    }

    receive() external payable {
        require(msg.sender == address(tokenggAVAX), "only from the token");
    }

    // ---- views ----

    /// Zeros for an id that does not exist or has been claimed, cancelled or reclaimed.
    function getRequestInfo(uint256 requestId) external view returns (UnstakeRequest memory) {
        return requests[requestId];
    }

    function getPendingRequestsCount() external view returns (uint256) { return pending.ids.length; }
    function getAllPendingRequests() external view returns (uint256[] memory) { return pending.ids; }
    function getFulfilledRequestsCount() external view returns (uint256) { return fulfilled.ids.length; }
    function getAllFulfilledRequests() external view returns (uint256[] memory) { return fulfilled.ids; }

    /// Fulfilled and not expired; `claimableTime` no longer matters.
    function canClaimRequest(uint256 requestId) public view returns (bool) {
        return fulfilled.contains(requestId) && block.timestamp < requests[requestId].expirationTime;
    }

    /// One page of a user's open requests; empty when `offset` is too large. A limit of 0 is none.
    function getRequestsByOwner(address user, uint256 offset, uint256 limit) external view returns (uint256[] memory page) {
        uint256[] storage ids = owned[user].ids;
        if (offset >= ids.length) return page;
        uint256 length = ids.length - offset;
        if (limit > 0 && limit < length) length = limit;
        page = new uint256[](length);
        for (uint256 i = 0; i < length; i++) page[i] = ids[offset + i];
    }

    // ---- users ----

    function requestUnstake(uint256 shares, uint48 expirationDelay) external returns (uint256 requestId) {
        return _request(shares, msg.sender, expirationDelay);
    }

    /// The caller pays the shares; the request, and so the AVAX, is the requester's.
    function requestUnstakeOnBehalfOf(uint256 shares, address requester, uint48 expirationDelay) external returns (uint256 requestId) {
        return _request(shares, requester, expirationDelay);
    }

    function claimUnstake(uint256 requestId) external {
        UnstakeRequest memory request = _ownRequest(requestId);
        require(canClaimRequest(requestId), "not fulfilled, or expired");
        totalAllocatedFunds -= request.allocatedFunds;
        fulfilled.remove(requestId);
        _forget(requestId);
        emit UnstakeClaimed(requestId, msg.sender, request.allocatedFunds);
        (bool ok,) = msg.sender.call{value: request.allocatedFunds}("");
        require(ok, "not sent");
    }

    /// Gives back shares worth the fixed AVAX amount. If the request is pending, what its shares earned meanwhile is
    /// donated to everybody; if it is fulfilled, and before its `claimableTime`, its AVAX is deposited again.
    function cancelRequest(uint256 requestId) external {
        UnstakeRequest memory request = _ownRequest(requestId);
        bool funded = fulfilled.contains(requestId);
        require(!funded || block.timestamp < request.claimableTime, "too late to cancel");
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
        require(request.requester != address(0) && block.timestamp >= request.expirationTime, "not expired");
        reclaimed = funded ? request.allocatedFunds : request.expectedAssets;
        uint256 shares = _remove(requestId, funded);
        emit ExpiredSharesReturned(requestId, request.requester, shares);
        tokenggAVAX.transfer(request.requester, shares);
    }

    // ---- AVAX coming back from staking ----

    /// Gives the returned AVAX to the vault, which then pays for the oldest requests. The worth of their shares above the
    /// fixed amounts is yield.
    function depositFromStaking(uint256 baseAmt, uint256 rewardAmt, bytes32 source) external payable {
        require(msg.sender == depositor, "not the depositor");
        if (msg.value > 0) tokenggAVAX.depositFromStaking{value: msg.value}(baseAmt, rewardAmt, source);
        uint256 surplus = _fulfill(source);
        if (surplus > 0) tokenggAVAX.depositYield{value: surplus}("WITHDRAW_QUEUE");
    }

    function _request(uint256 shares, address requester, uint48 expirationDelay) private returns (uint256 requestId) {
        require(!paused && shares > 0 && expirationDelay <= maxExpirationDelay, "no such request");
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

    function _ownRequest(uint256 requestId) private view returns (UnstakeRequest memory request) {
        request = requests[requestId];
        require(request.requester == msg.sender, "not your request");
    }

    /// Redeems the oldest pending requests as long as what they expect is not staked, and the vault has the WAVAX. If one
    /// cannot be redeemed for another reason, or for less than it expects, none is served.
    function _fulfill(bytes32 source) private returns (uint256 surplus) {
        uint256 available = tokenggAVAX.totalAssets() - tokenggAVAX.stakingTotalAssets();
        while (pending.ids.length > 0) {
            uint256 requestId = nextToFulfill;
            UnstakeRequest storage request = requests[requestId];
            if (!pending.contains(requestId)) {
                nextToFulfill++;
                continue;
            }
            if (available < request.expectedAssets) break;
            try tokenggAVAX.redeemAVAX(request.shares) returns (uint256 assets) {
                request.allocatedFunds = request.expectedAssets;
                totalAllocatedFunds += request.expectedAssets;
                pending.remove(requestId);
                nextToFulfill++;
                fulfilled.add(requestId);
                emit RequestFulfilled(source, requestId, request.expectedAssets);
                available -= assets;
                surplus += assets - request.expectedAssets;
            } catch (bytes memory reason) {
                if (bytes4(reason) == TokenggAVAX.InsufficientLiquidity.selector) break;
                assembly {
                    revert(add(reason, 32), mload(reason))
                }
            }
        }
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
}
