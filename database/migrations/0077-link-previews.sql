-- What other sites say of a page that a post leads to, as their servers told ours.
create table link_preview (
  key        text primary key,                     -- of the address, which may be longer than an index takes
  address    text not null,
  state      text not null default 'wanted' check (state in ('wanted', 'found', 'failed')),
  site       text,
  title      text check ((title is not null) = (state = 'found')),
  wanted_at  timestamptz default clock_timestamp(),            -- somebody read a post that leads there; null: it was looked at since
  try_at     timestamptz not null default clock_timestamp()    -- when it may be looked at anew, once somebody reads such a post again
);
create index on link_preview (wanted_at) where wanted_at is not null;   -- what is to be looked at, in turn
create index on link_preview (try_at);                                  -- what nobody has read for long
