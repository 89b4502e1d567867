-- What staff put around every page: the sections of the navigation, and pieces of HTML.

create table section (
  id         bigint generated always as identity primary key,
  parent_id  bigint references section,
  name_zh    text not null check (char_length(name_zh) between 1 and 40),
  name_en    text not null check (char_length(name_en) between 1 and 40),
  url        text not null default '',              -- empty: only a heading for those under it
  audience   text not null default 'everybody' check (audience in ('everybody', 'visitors', 'members')),
  sort       int not null default 0,
  version    int not null default 1,
  check (parent_id is null or url <> '')
);
create index on section (parent_id, sort, id);      -- those under one, in their order

create table slot (
  place    text primary key,
  zh       text not null default '',                -- as staff wrote it; it is cleaned when it is saved, and whenever it is shown
  en       text not null default '',
  is_on    boolean not null default false,
  version  int not null default 1
);

insert into section (name_zh, name_en, url) values ('首页', 'Home', '/index');
