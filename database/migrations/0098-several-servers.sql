-- How often each of those who are limited came, for all servers. What a crash takes of it is missed by nobody.

create unlogged table rate_limit (
  key     varchar(255) primary key,
  points  int not null,
  expire  bigint not null   -- in milliseconds since 1970
) with (fillfactor = 50);

-- Who looked at which topic within half an hour, as a hash: each counts once, whichever server they ask.
create unlogged table topic_look (
  key  text primary key,
  at   timestamptz not null
) with (fillfactor = 70);
create index on topic_look (at);   -- to forget what is old

-- Until when search engines were told of new topics.
create table told_engines (
  is_only  boolean primary key default true check (is_only),
  until    timestamptz not null
);
