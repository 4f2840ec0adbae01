"""Uses the client that openapi-python-client has generated, and prints the results as JSON."""

import json
import sys
from decimal import Decimal

from staking_client import Client
from staking_client.api.gg_avax import get_gg_avax, get_gg_avax_history
from staking_client.api.metrics import get_supply_ggp_total
from staking_client.api.minipools import get_minipools
from staking_client.api.rewards import get_rewards_by_stake
from staking_client.api.stakers import get_stakers, get_stakers_address
from staking_client.models import GetStakersSort, Interval, MinipoolStatus, Order, Problem

client = Client(base_url=sys.argv[1])

stakers = get_stakers.sync(client=client, eligible=True, limit=3, offset=1, sort=GetStakersSort.GGPSTAKED, order=Order.ASC)
staked = [Decimal(staker.ggp_staked) for staker in stakers.stakers]
wanted = [MinipoolStatus.STAKING, MinipoolStatus.ERROR]
minipools = get_minipools.sync(client=client, status=wanted)
history = get_gg_avax_history.sync(client=client, interval=Interval("1h"), limit=5)
reward = get_rewards_by_stake.sync(client=client, ggp_staked="6000", avax_staked="1000")
pool = get_gg_avax.sync(client=client)
missing = get_stakers_address.sync_detailed("0x000000000000000000000000000000000000dead", client=client)

json.dump(
    {
        "eligible": [staker.eligible for staker in stakers.stakers],
        "sorted": staked == sorted(staked),
        "minipools": len(minipools.minipools) == minipools.counts.staking + minipools.counts.error > 0,
        "history": [len(history.points) + history.missing, bool(history.next_cursor)],
        "reward": reward.ggp_reward,
        "block": pool.block.number,
        "supply": get_supply_ggp_total.sync(client=client),
        "missing": [missing.status_code, isinstance(missing.parsed, Problem), missing.parsed.code],
    },
    sys.stdout,
)
