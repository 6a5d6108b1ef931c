-- Where does glory come from?  Mean glory of a player by strategy, source and age.
-- A source that a player got nothing from has no row in the ledger, so the sum is divided by all games of the strategy.
-- Run it: duckdb -cmd "set variable run = 'demo'" -f glory_sources.sql
with games as (
    select players, strategy, count(*) as games
    from read_parquet(getvariable('run') || '/players/**/*.parquet', hive_partitioning = true)
    group by players, strategy
)
select l.players, p.strategy, l.source, l.age, sum(l.glory) / any_value(g.games) as glory, any_value(g.games) as games
from read_parquet(getvariable('run') || '/ledger/**/*.parquet', hive_partitioning = true) l
join read_parquet(getvariable('run') || '/players/**/*.parquet', hive_partitioning = true) p using (players, game, seat)
join games g on g.players = l.players and g.strategy = p.strategy
group by l.players, p.strategy, l.source, l.age
order by l.players, p.strategy, l.source, l.age;
