-- Do those who draft a card win more than those who saw it and passed it on?  By number of players, card and age.
-- A row of `seen` is a player who looked at a copy: seat first_seat + k - 1 looks in round k, until the copy is taken.
-- What winners hold is not what makes them win, so read the difference as a hint.  Games of one deal are alike: count
-- deals, not games, when you judge how sure it is.
-- Run it: duckdb -cmd "set variable run = 'demo'" -f drafted_or_passed.sql
with seen as (
    select d.players, d.copy, d.age, p.deal, p.win_share, d.taken_by = p.seat as took
    from read_parquet(getvariable('run') || '/deals/**/*.parquet', hive_partitioning = true) d
    join read_parquet(getvariable('run') || '/players/**/*.parquet', hive_partitioning = true) p using (players, game)
    where (p.seat - d.first_seat + d.players) % d.players
        < case when d.round > 0 then d.round when d.players = 2 then 3 else 6 end
)
select
    s.players,
    c.name,
    s.age,
    avg(s.win_share) filter (s.took) as drafted,
    avg(s.win_share) filter (not s.took) as passed,
    drafted - passed as difference,
    count(*) filter (s.took) as n_drafted,
    count(*) filter (not s.took) as n_passed,
    count(distinct s.deal) as deals
from seen s
join read_parquet(getvariable('run') || '/cards.parquet') c using (copy)
group by s.players, c.name, s.age
order by s.players, s.age, difference desc nulls last, c.name;
