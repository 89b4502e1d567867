-- What staff edit counts its edits, so that two who edit it at once do not overwrite each other.

alter table friend_link add column version int not null default 1;
alter table report_category add column version int not null default 1;
alter table help_category add column version int not null default 1;
alter table feedback add column version int not null default 1;

-- How many members came on each day, and with what one looks.

alter table day_count drop constraint day_count_measure_check;
alter table day_count add constraint day_count_measure_check
  check (measure in ('members', 'topics', 'comments', 'replies', 'views', 'visitors', 'active'));
create index on login_log (at);   -- who came on a day

create table day_client (
  day    date not null,
  kind   text not null check (kind in ('browser', 'system')),
  name   text not null,           -- one of the few that the program knows; '' for all others
  views  bigint not null default 0 check (views >= 0),
  primary key (day, kind, name)
);
