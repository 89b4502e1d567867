-- What staff do to very many things at once is done bit by bit: the batch says how far it is.

alter table staff_batch
  add column state        text not null default 'done' check (state in ('doing', 'done', 'stopped', 'undoing', 'undone')),
  add column why_stopped  text check (why_stopped in ('right', 'failure')),
  add column ended_at     timestamptz,                -- when it was last done, undone or stopped
  add column reached      bigint not null default 0,  -- they are taken by their ids; this one and all below it were, in this state
  add column filter       jsonb,                      -- what the list was narrowed to where all that matched were taken
  add column tag_id       bigint,                     -- where topics are moved
  add column undo_reason  text,
  add column ip           text not null default '',   -- where it was asked for, for the log
  add column total        int not null default 0,
  add column done         int not null default 0,     -- what was moved together is one item, which counts all that went
  add column faults       int not null default 0,
  add column undone       int not null default 0,
  add column left_alone   int not null default 0;     -- what undoing it left as it was

alter table staff_batch_item add column why_left text;   -- why undoing left it alone

with counted as (
  select batch_id,
    coalesce(sum(coalesce(jsonb_array_length(after -> 'comments'), 1)) filter (where fault is null), 0) as done,
    count(*) filter (where fault is not null) as faults,
    count(*) filter (where undone = 'undone') as undone,
    count(*) filter (where undone = 'left') as left_alone
  from staff_batch_item group by batch_id)
update staff_batch set
  state = case when undone_at is null then 'done' else 'undone' end,
  ended_at = coalesce(undone_at, made_at),
  total = counted.done + counted.faults,
  done = counted.done,
  faults = counted.faults,
  undone = counted.undone,
  left_alone = counted.left_alone
from counted where counted.batch_id = staff_batch.id;

create index on staff_batch (id) where state in ('doing', 'undoing');   -- what the job goes on with
