//! Calls every endpoint with the client that openapi-generator has generated, and prints each answer as the client
//! has read it: one line of JSON per call. Then values of the types that callers expect.

use openapi::apis::configuration::Configuration;
use openapi::apis::*;
use openapi::models::{ActivityActivityInner, ActivityType, Dex, Figure};
use serde::Serialize;
use std::fmt::Debug;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, url, address, node_id, key] = &arguments[..] else { panic!("4 arguments") };
    let service = Configuration { base_path: url.clone(), ..Configuration::default() };
    // By the names of parameters.
    let (dex, name) = (Dex::Tj, Figure::TotalSupply);
    let (ggp_staked, avax_staked, gg_avax, limit) = ("6000", "1000", "10", 1000);
    include!("calls.rs");

    let page = stakers_api::get_stakers(
        &service, None, Some(true), Some("ggpStaked"), Some("asc"), Some(2), None, None, None,
    ).unwrap();
    let amounts: Vec<String> = page.stakers.iter().map(|staker| staker.ggp_staked.clone()).collect();
    let time: i64 = page.block.timestamp;
    print((amounts, page.total, time, page.next_cursor.unwrap()));

    let wanted = Some(vec![ActivityType::GgpStaked, ActivityType::GgAvaxDeposited]);
    let activity =
        activity_api::get_activity(&service, wanted, None, None, None, Some(100), None, None, None).unwrap();
    let amounts: Vec<String> = activity.activity.iter().map(|event| match event {
        ActivityActivityInner::GgpStaked(staked) => staked.amount.clone(),
        ActivityActivityInner::GgAvaxDeposited(deposited) => deposited.assets.clone(),
        other => panic!("{other:?}"),
    }).collect();
    print(amounts);

    match stakers_api::get_stakers_address(&service, "0x000000000000000000000000000000000000dead") {
        Err(Error::ResponseError(response)) => match response.entity {
            Some(stakers_api::GetStakersAddressError::Status404(problem)) => print(problem.code),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn print(answer: impl Serialize) {
    println!("{}", serde_json::to_string(&answer).unwrap());
}

fn answer<T: Serialize, E: Debug>(result: Result<T, Error<E>>) {
    match result {
        Ok(body) => print(body),
        Err(error) => print(format!("{error:?}")),
    }
}
