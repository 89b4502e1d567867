-- Who keeps order by a role takes posts away in the forum, and these may be appealed against, too.
alter table removal
  alter column removed_by drop not null,
  add column removed_by_member bigint references member,
  add check (num_nonnulls(removed_by, removed_by_member) = 1);
create index on removal (removed_by_member) where removed_by_member is not null;   -- when two members become one
