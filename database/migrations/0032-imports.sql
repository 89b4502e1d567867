-- Communities that moved in from another program.
create table import (
  id             bigint generated always as identity primary key,
  program        text not null check (program in ('phpbb', 'discuz', 'nodebb', 'flarum', 'discourse', 'diyhi')),
  title          text not null,
  origins        text[] not null,  -- addresses of the old site, whose links lead here
  address_rules  jsonb not null,  -- what its addresses depend on, such as the posts in a page
  mapping        jsonb not null,  -- the operator's choices
  guest_id       bigint references member,  -- the author of posts whose author has no name
  began_at       timestamptz not null default clock_timestamp(),
  finished_at    timestamptz,  -- null while it runs, or was interrupted
  undone_at      timestamptz
);
create unique index on import (program) where undone_at is null;   -- one community of each program: an old address means one thing

-- How far each kind of rows is.
create table import_stage (
  import_id    bigint not null references import on delete cascade,
  kind         text not null,
  since        text,  -- the mark of the last finished run
  upto         text not null,  -- the mark of this one
  cursor       text,  -- of the last page that was written; null: none yet
  done         bigint not null default 0,
  finished_at  timestamptz,
  primary key (import_id, kind)
);

-- Ids of the other program, with the ids that their rows have here.
create table import_row (
  import_id  bigint not null references import on delete cascade,
  kind       text not null,
  old_id     text not null,
  new_id     text not null,
  topic_id   bigint,  -- of a comment or reply
  number     int,  -- its place in the old thread, by which addresses name it
  primary key (import_id, kind, old_id)
);
create index on import_row (import_id, topic_id, number) where number is not null;   -- an address with a number that is gone leads to its neighbour

-- Parts of the community that had no place here, with some samples.
create table import_note (
  import_id  bigint not null references import on delete cascade,
  note       text not null,
  count      bigint not null,
  samples    text[] not null,
  primary key (import_id, note)
);

-- Points and money that members brought along: what an entry of the ledger is booked for.
create table import_credit (
  import_id       bigint not null references import on delete cascade,
  member_id       bigint not null references member,
  currency        ledger.currency not null,
  amount          bigint not null check (amount <> 0),
  transaction_id  bigint unique references ledger.transaction,  -- null until it is booked
  undone_by       bigint unique references ledger.transaction,
  primary key (import_id, member_id, currency)
);
create index on import_credit (member_id);   -- credits of a member who is merged or erased
create index on import_credit (import_id) where transaction_id is null;   -- credits to be booked

-- Members who had opened a part in the program that it came from, and need not pay for it again.
create table hidden.opened_before (
  part_id    text not null references hidden.part,
  member_id  bigint not null references member,
  primary key (part_id, member_id)
);
create index on hidden.opened_before (member_id);   -- openings of a member who is merged

-- Rows that an undo is about to remove: empty but within its transaction.
create table import_undone_row (
  kind  text not null,
  id    text not null,
  primary key (kind, id)
);
