-- Members who leave: for a while, and come back by logging in; or for good, after some days in which they may think again.

alter table member drop constraint member_deactivated_as_check;
alter table member add constraint member_deactivated_as_check check (deactivated_as in ('disabled', 'cancelled', 'left', 'erased'));

create table member_leaving (
  member_id  bigint primary key references member on delete cascade,
  posts      text not null check (posts in ('stay', 'remove')),
  asked_at   timestamptz not null default now(),
  erase_at   timestamptz not null,
  begun_at   timestamptz                   -- from then on nothing brings it back
);
create index on member_leaving (erase_at);   -- whose time has come
