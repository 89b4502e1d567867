-- Red envelopes: an amount that a member gives, cut into shares that others open.

create table red_envelope (
  id           bigint generated always as identity primary key,
  giver_id     bigint not null references member,
  kind         text not null check (kind in ('targeted', 'random', 'fixed')),
  receiver_id  bigint references member,  -- of a targeted one
  topic_id     bigint references topic,  -- the thread that it lies in; null where it is between two members
  comment_id   bigint,  -- the comment or answer that it came with, in that thread
  message_id   bigint references message,  -- the private message that it came with
  currency     ledger.currency not null,
  amount       bigint not null check (amount > 0),
  quantity     int not null check (quantity between 1 and 100000),
  greeting     text not null default '',
  cover        text not null,
  conditions   jsonb not null default '{}',  -- who may open it
  state        text not null default 'waiting' check (state in ('waiting', 'open', 'taken', 'returned', 'dropped')),
  hold_id      bigint unique references ledger.hold,  -- null until it is open
  created_at   timestamptz not null default clock_timestamp(),
  opened_at    timestamptz,
  ends_at      timestamptz,
  ended_at     timestamptz,
  end_reason   text check (end_reason in ('taken', 'expired', 'postGone', 'giverGone', 'stopped', 'tooLittle')),
  paid         int not null default 0,  -- shares that were claimed and paid
  paid_amount  bigint not null default 0,
  returned     bigint not null default 0,  -- what went back to the giver
  best_place   int,  -- the largest share, once all are taken
  told_of_end_at timestamptz,  -- when the giver heard that it ends soon
  payments     int not null default 0,  -- counts transactions that paid shares
  first_free   int not null default 1,  -- no share before this place is free; a claim looks no further back
  constraint targeted_at_one check ((kind = 'targeted') = (receiver_id is not null) and (kind <> 'targeted' or quantity = 1)),
  constraint with_one_post check ((comment_id is null or topic_id is not null) and (message_id is null or (topic_id is null and kind = 'targeted'))),
  foreign key (comment_id, topic_id) references comment (id, topic_id) on update cascade,  -- it follows its comment to another thread
  constraint held_while_open check ((state in ('waiting', 'dropped')) = (hold_id is null) and (hold_id is null) = (opened_at is null)
    and (state <> 'open' or ends_at is not null)),
  constraint ended_once check ((state in ('waiting', 'open')) = (ended_at is null) and (ended_at is null) = (end_reason is null)),
  constraint enough_for_each check (amount >= quantity)
);
create unique index on red_envelope (topic_id) where comment_id is null;   -- one comes with the opening of a thread
create unique index on red_envelope (comment_id) where comment_id is not null;   -- one comes with a comment
create unique index on red_envelope (message_id) where message_id is not null;   -- one comes with a message
create index on red_envelope (topic_id) where topic_id is not null;   -- all that lie in a thread
create index on red_envelope (giver_id, id);   -- of a giver, newest first
create index on red_envelope (receiver_id, id) where receiver_id is not null;
create index on red_envelope (ends_at) where state = 'open';   -- what is due
create index on red_envelope (ended_at);   -- what moved in a period: those that ended in it, and those that have not
create index on red_envelope (id) where state = 'waiting';

-- A share is cut when the envelope opens for others. A claim is final; it is paid a moment later, together with others.
create table red_envelope_share (
  envelope_id     bigint not null references red_envelope,
  place           int not null,
  amount          bigint not null check (amount > 0),
  member_id       bigint references member,
  claimed_at      timestamptz,
  is_returned     boolean not null default false,
  transaction_id  bigint references ledger.transaction,
  primary key (envelope_id, place),
  constraint claimed_by_somebody check ((member_id is null) = (claimed_at is null) and (transaction_id is null or member_id is not null)),
  constraint claimed_or_returned check (member_id is null or not is_returned)
);
create unique index on red_envelope_share (envelope_id, member_id) where member_id is not null;   -- one for each member
create index on red_envelope_share (envelope_id, place) where member_id is null and not is_returned;   -- the next free one
create index on red_envelope_share (envelope_id, claimed_at) where member_id is not null and transaction_id is null;   -- claims to pay
create index on red_envelope_share (member_id, claimed_at);   -- what a member received, newest first
create index on red_envelope_share (transaction_id) where transaction_id is not null;
