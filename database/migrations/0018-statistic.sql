-- Days in numbers. A job adds what came since its last look, so that looking at a year costs no more than a year has days.

create table day_count (
  day      date not null,                  -- in UTC
  measure  text not null check (measure in ('members', 'topics', 'comments', 'replies', 'views', 'visitors')),
  count    bigint not null default 0 check (count >= 0),
  primary key (day, measure)
);

-- Which pages were looked at, the most looked at of each day.
create table day_address (
  day      date not null,
  address  text not null,
  views    bigint not null default 0 check (views >= 0),
  primary key (day, address)
);

-- Up to which row each source has been counted.
create table counted_until (
  source  text primary key,
  id      bigint not null
);
insert into counted_until (source, id) values ('member', 0), ('topic', 0), ('comment', 0), ('reply', 0), ('page_view', 0);
