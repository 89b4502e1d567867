-- Whom and what members follow, and whom they would rather not meet. Followers are counted in their index when somebody asks: a count kept
-- beside a member would be a row that all who follow somebody popular wait for.

create table following (
  of         text not null check (of in ('member', 'tag', 'topic')),
  of_id      bigint not null,
  member_id  bigint not null references member,
  at         timestamptz not null default clock_timestamp(),
  primary key (of, of_id, member_id),                                          -- once each
  constraint nobody_follows_themselves check (of <> 'member' or of_id <> member_id)
);
create index on following (of, of_id, at desc, member_id);   -- who follows, newest first, and how many do
create index on following (member_id, of, at desc, of_id);   -- what a member follows, newest first, and how much

-- Who is blocked is muted, too.
create table blocking (
  member_id  bigint not null references member,
  other_id   bigint not null references member,
  how        text not null check (how in ('muted', 'blocked')),
  at         timestamptz not null default clock_timestamp(),
  primary key (member_id, other_id),
  constraint nobody_blocks_themselves check (member_id <> other_id)
);
create index on blocking (member_id, at desc, other_id);   -- one's own, newest first
create index on blocking (other_id, member_id);            -- who blocks somebody
