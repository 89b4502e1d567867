-- Likes, favourites, follows and blocks.

-- Likes. The count beside a post is updated some seconds later and for many likes at once, so that a popular post is no row that every like waits for.
create table post_like (
  post_kind  post_kind not null,
  post_id    bigint not null,
  member_id  bigint not null references member,
  at         timestamptz not null default clock_timestamp(),
  primary key (post_kind, post_id, member_id)
);
create index on post_like (post_kind, post_id, at desc, member_id);   -- members who like a post, newest first
create index on post_like (member_id, at desc, post_id);   -- likes of a member, newest first
create index on post_like (at);   -- likes since the last search for collusion

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
  folder_id  bigint,  -- null: outside of folders, private to the member
  note       text not null default '',
  at         timestamptz not null default clock_timestamp(),
  primary key (topic_id, member_id),
  foreign key (member_id, folder_id) references favourite_folder (member_id, id) on delete set null (folder_id)
);
create index on favourite (member_id, at desc, topic_id);   -- favourites of a member, newest first
create index on favourite (folder_id, at desc, topic_id);   -- favourites in a folder, newest first
create index on favourite (topic_id, at desc, member_id);   -- members with the topic among their favourites, newest first

-- Changes that the counts of likes and favourites do not include yet.
create table tally (
  id         bigint generated always as identity primary key,
  of         text not null check (of in ('like', 'favourite')),
  post_kind  post_kind not null,
  post_id    bigint not null,
  delta      int not null,
  -- The members behind a change of likes.
  members    bigint[] not null default '{}'
);

-- Follows of members, tags and topics. Followers are counted in the index: a counter beside a member would be a row that all followers of a popular
-- member wait for.
create table follow (
  of         text not null check (of in ('member', 'tag', 'topic')),
  of_id      bigint not null,
  member_id  bigint not null references member,
  at         timestamptz not null default clock_timestamp(),
  -- Watching reminds of all that is new, tracking counts it, muted does neither. Normal keeps a commented thread from being tracked again.
  level      text not null default 'watching' check (level in ('watching', 'tracking', 'normal', 'muted')),
  primary key (of, of_id, member_id),  -- one follow each
  constraint nobody_follows_themselves check (of <> 'member' or of_id <> member_id),
  constraint members_have_no_levels check (of <> 'member' or level = 'watching')
);
create index on follow (of, of_id, at desc, member_id);   -- followers, newest first, and their number
create index on follow (member_id, of, at desc, of_id);   -- follows of a member, newest first, with their level

-- The time up to which new posts in watched places and by followed members became notifications.
create table follow_progress (
  member_id  bigint primary key references member,
  at         timestamptz not null
);

-- A blocked member is muted, too.
create table member_block (
  member_id  bigint not null references member,
  other_id   bigint not null references member,
  how        text not null check (how in ('muted', 'blocked')),
  at         timestamptz not null default clock_timestamp(),
  primary key (member_id, other_id),
  constraint nobody_blocks_themselves check (member_id <> other_id)
);
create index on member_block (member_id, at desc, other_id);   -- blocks of a member, newest first
create index on member_block (other_id, member_id);   -- members who block one
