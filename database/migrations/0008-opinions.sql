-- What members think of what is written: likes, favourites, following.

-- Who likes what, and who keeps what as a favourite. How many do is counted beside the post, a few seconds later and many at once, so that what
-- everybody likes is no row that all wait for.
create table liking (
  post_kind  post_kind not null,
  post_id    bigint not null,
  member_id  bigint not null references member,
  at         timestamptz not null default clock_timestamp(),
  primary key (post_kind, post_id, member_id)
);
create index on liking (post_kind, post_id, at desc, member_id);   -- who likes a post, newest first
create index on liking (member_id, at desc, post_id);   -- what a member likes, newest first

create table favourite_folder (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  name       text not null,
  is_public  boolean not null default false,
  unique (member_id, name),
  unique (member_id, id)
);

create table favourite (
  topic_id   bigint not null references topic,
  member_id  bigint not null references member,
  folder_id  bigint,  -- none: beside all folders, for its member alone
  note       text not null default '',
  at         timestamptz not null default clock_timestamp(),
  primary key (topic_id, member_id),
  foreign key (member_id, folder_id) references favourite_folder (member_id, id) on delete set null (folder_id)
);
create index on favourite (member_id, at desc, topic_id);   -- a member's own, newest first
create index on favourite (folder_id, at desc, topic_id);   -- what lies in a folder, newest first
create index on favourite (topic_id, at desc, member_id);   -- who keeps a topic, newest first

-- What the counts do not know yet.
create table tally (
  id         bigint generated always as identity primary key,
  of         text not null check (of in ('like', 'favourite')),
  post_kind  post_kind not null,
  post_id    bigint not null,
  delta      int not null,
  -- Whose likes and favourites came and went.
  members    bigint[] not null default '{}'
);

-- Whom and what members follow, and whom they would rather not meet. Followers are counted in their index when somebody asks: a count kept
-- beside a member would be a row that all who follow somebody popular wait for.
create table following (
  of         text not null check (of in ('member', 'tag', 'topic')),
  of_id      bigint not null,
  member_id  bigint not null references member,
  at         timestamptz not null default clock_timestamp(),
  -- How much a member wants to hear of a thread or a tag, and reminders that are written in one statement, however many they remind.
  -- Watching tells of all that is new, tracking counts it, muted tells of nothing. Normal is kept only so that a thread in which one wrote is
  -- not tracked again.
  level      text not null default 'watching' check (level in ('watching', 'tracking', 'normal', 'muted')),
  primary key (of, of_id, member_id),  -- once each
  constraint nobody_follows_themselves check (of <> 'member' or of_id <> member_id),
  constraint members_have_no_levels check (of <> 'member' or level = 'watching')
);
create index on following (of, of_id, at desc, member_id);   -- who follows, newest first, and how many do
create index on following (member_id, of, at desc, of_id);   -- what a member follows, newest first, and how much

-- Up to when it was looked what was written where a member watches, and by whom they follow.
create table followed_until (
  member_id  bigint primary key references member,
  at         timestamptz not null
);

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
create index on blocking (other_id, member_id);   -- who blocks somebody
