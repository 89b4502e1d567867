-- A clean-up settles the reports about what it takes off, and brings them back with it; several reviews decided at once are a batch.

alter table member_cleaned
  add column case_id bigint references report_case on delete set null;   -- the reports that it settled with the post
create index on member_cleaned (case_id) where case_id is not null;      -- a case that goes

alter table staff_batch
  drop constraint staff_batch_kind_check,
  add constraint staff_batch_kind_check check (kind in ('topic', 'comment', 'reply', 'member', 'review'));
