-- Which cards are picked?  By number of players, card and age: how often a player who looked at it took it (pick rate),
-- the mean round in which it was taken, and how often nobody took it.
-- A copy that is taken in round k was looked at k times; one left over was looked at in every round: 6, or 3 with 2 players.
-- Run it: duckdb -cmd "set variable run = 'demo'" -f pick_rates.sql
select
    d.players,
    c.name,
    d.age,
    count(*) as dealt,
    sum(case when d.round > 0 then d.round when d.players = 2 then 3 else 6 end) as looks,
    count(*) filter (d.round > 0) / looks as pick_rate,
    avg(d.round) filter (d.round > 0) as mean_round,
    avg((d.round = 0)::int) as left_over
from read_parquet(getvariable('run') || '/deals/**/*.parquet', hive_partitioning = true) d
join read_parquet(getvariable('run') || '/cards.parquet') c using (copy)
group by d.players, c.name, d.age
order by d.players, d.age, pick_rate desc, c.name;
