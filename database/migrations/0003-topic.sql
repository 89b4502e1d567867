-- Tags, topics, comments, replies, and what was written before an edit.

create table tag (
  id             bigint generated always as identity primary key,
  parent_id      bigint references tag,
  key            text not null unique check (key ~ '^[a-z0-9-]{1,40}$'),
  name_zh        text not null check (char_length(name_zh) between 1 and 50),
  name_en        text not null check (char_length(name_en) between 1 and 50),
  is_restricted  boolean not null default false,   -- rights held everywhere do not reach here; they must be given for this tag
  sort           int not null default 0,
  topic_count    int not null default 0 check (topic_count >= 0)
);
create index on tag (parent_id, sort);

create table role_right (
  role_id    bigint not null references role on delete cascade,
  right_name text not null,
  tag_id     bigint references tag on delete cascade,   -- null: everywhere that is not restricted
  unique nulls not distinct (role_id, right_name, tag_id)
);

create table topic (
  id              bigint generated always as identity primary key,
  tag_id          bigint not null references tag,
  author_id       bigint not null references member,
  title           text not null check (char_length(title) between 1 and 190),
  body            jsonb not null,
  segments        jsonb not null,                     -- the serialiser's cache of body
  summary         text not null,
  pictures        jsonb not null default '[]',        -- the first few, for the list
  status          text not null default 'published' check (status in ('pending', 'published', 'deleted')),
  deleted_by      text check (deleted_by in ('author', 'staff')),
  published_at    timestamptz not null default now(),
  edited_at       timestamptz,
  last_reply_at   timestamptz not null default now(),
  last_reply_by   bigint references member,
  pin             int not null default 0 check (pin >= 0),
  featured_at     timestamptz,
  takes_comments  boolean not null default true,
  floors          int not null default 0 check (floors >= 0),          -- the highest floor given
  author_floors   int not null default 0 check (author_floors >= 0),   -- how many of them are the author's
  comment_count   int not null default 0 check (comment_count >= 0),   -- published comments and replies
  view_count      bigint not null default 0 check (view_count >= 0),
  heat            double precision not null default 0,
  check ((status = 'deleted') = (deleted_by is not null))
);
-- The index page by latest reply, newest, hot: without a tag (which tag is read from the index itself) and within one.
-- Pinned topics are read apart, above the first page.
create index on topic (last_reply_at desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (tag_id, last_reply_at desc, id desc) where status = 'published' and pin = 0;
create index on topic (published_at desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (tag_id, published_at desc, id desc) where status = 'published' and pin = 0;
create index on topic (heat desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (tag_id, heat desc, id desc) where status = 'published' and pin = 0;
create index on topic (pin desc, id desc) include (tag_id) where status = 'published' and pin > 0;
create index on topic (featured_at desc, id desc) include (tag_id) where status = 'published' and featured_at is not null;
create index on topic (author_id, published_at desc, id desc) include (tag_id) where status <> 'deleted';   -- my topics

-- The words of every title, to find topics that speak of the same thing. The newest of each word are looked at.
create table topic_word (
  word      text not null,
  topic_id  bigint not null references topic,
  primary key (word, topic_id)
);
create index on topic_word (topic_id);   -- an edit replaces them

create table topic_revision (
  id         bigint generated always as identity primary key,
  topic_id   bigint not null references topic,
  title      text not null,
  body       jsonb not null,
  written_at timestamptz not null     -- when this version was put on the page; what replaced it is the next one
);
create index on topic_revision (topic_id, id);

create table comment (
  id               bigint generated always as identity primary key,
  topic_id         bigint not null references topic,
  author_id        bigint not null references member,
  floor            int not null check (floor > 0),
  author_floor     int check (author_floor > 0),      -- counts only floors of the topic's author
  quotes           bigint references comment,
  body             jsonb not null,
  segments         jsonb not null,
  text             text not null,                      -- what a quote and my own lists show
  status           text not null default 'published' check (status in ('pending', 'published', 'deleted')),
  deleted_by       text check (deleted_by in ('author', 'staff')),
  published_at     timestamptz not null default now(),
  edited_at        timestamptz,
  reply_count      int not null default 0 check (reply_count >= 0),
  check ((status = 'deleted') = (deleted_by is not null)),
  unique (topic_id, floor)                             -- a page is a range of floors
);
create unique index on comment (topic_id, author_floor) where author_floor is not null;   -- so is a page of only the author's
create index on comment (author_id, published_at desc, id desc) where status <> 'deleted';   -- my comments

create table reply (
  id            bigint generated always as identity primary key,
  comment_id    bigint not null references comment,
  topic_id      bigint not null references topic,
  author_id     bigint not null references member,
  answers       bigint references reply,               -- the reply it speaks to, under the same comment
  body          jsonb not null,
  segments      jsonb not null,
  text          text not null,
  status        text not null default 'published' check (status in ('pending', 'published', 'deleted')),
  deleted_by    text check (deleted_by in ('author', 'staff')),
  published_at  timestamptz not null default now(),
  edited_at     timestamptz,
  check ((status = 'deleted') = (deleted_by is not null))
);
create index on reply (comment_id, id);                             -- under their comment, oldest first
create index on reply (topic_id, published_at desc) where status = 'published';                -- the newest, when one is removed
create index on reply (author_id, published_at desc, id desc) where status <> 'deleted';      -- my replies

create table comment_revision (
  id          bigint generated always as identity primary key,
  comment_id  bigint not null references comment,
  body        jsonb not null,
  written_at  timestamptz not null
);
create index on comment_revision (comment_id, id);

create table reply_revision (
  id          bigint generated always as identity primary key,
  reply_id    bigint not null references reply,
  body        jsonb not null,
  written_at  timestamptz not null
);
create index on reply_revision (reply_id, id);

create table page_view (
  id           bigint generated always as identity primary key,
  url          text not null,
  referrer     text,
  ip           inet,
  user_agent   text not null,
  at           timestamptz not null default now()
);
create index on page_view (at);   -- clearing what is old
