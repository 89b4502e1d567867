-- A decision about reports or an appeal can be taken back: then all is again as it was before.

alter table report add column decided_from text check (decided_from in ('pending', 'needsReason', 'reasonSupplied'));   -- its status before the decision
-- Who said more, where they were asked, was not kept; they are asked still.
update report set decided_from = case asked when '' then 'pending' else 'needsReason' end where decided_at is not null;

-- A decision bears a moment after what it took away, so that what was taken away later is told from it.
update report_case set decided_at = decided_at + interval '1 second' where decided_at is not null;

alter table removal
  drop constraint removal_case_id_key,
  add column taken_back_at timestamptz,   -- with the decision about the reports
  add column put_back_at timestamptz,     -- by the appeal; null where it was back already
  add check (put_back_at is null or appeal_outcome = 'restored');
create unique index on removal (case_id) where taken_back_at is null;   -- a decision takes a post away once
create index on removal (case_id) where case_id is not null;            -- with the case it goes
