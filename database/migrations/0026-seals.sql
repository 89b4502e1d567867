-- Seals by the forum's key, which the database does not have: its owner cannot make them.

-- The transactions after the seal before this one, up to this id, by their digests. Each seal covers the one before it.
create table ledger.seal (
  id      bigint primary key,  -- the last transaction
  hash    bytea not null check (length(hash) = 32)
);

alter table red_envelope add column seal bytea;  -- its conditions and the amounts of its shares; null until it is open
alter table red_envelope_share add column seal bytea;  -- who claimed it

-- A claim comes with its seal from now on.
drop function if exists claim_red_envelope(bigint, bigint);
