-- A key is claimed before its deed leaves the database. Who dies leaves a claim that may be taken over when its lease has run out.
alter table idempotency_key
  add column state text not null default 'done' check (state in ('begun', 'done', 'refused')),
  add column claim uuid,                       -- which of those who took it up may end it
  add column leased_until timestamptz,
  add column refusal jsonb,                    -- what it was refused with, to be said in the language of who asks again
  add check (num_nonnulls(claim, leased_until) = case state when 'begun' then 2 else 0 end),
  add check ((refusal is not null) = (state = 'refused'));
