-- What staff edit counts its edits, so that two who edit it at once do not overwrite each other.

alter table friend_link add column version int not null default 1;
alter table report_category add column version int not null default 1;
alter table help_category add column version int not null default 1;
alter table feedback add column version int not null default 1;
