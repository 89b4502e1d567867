-- How far a member has read each topic.

create table topic_read (
  member_id  bigint not null references member,
  topic_id   bigint not null references topic,
  floor      int not null check (floor >= 0),     -- the highest they have seen; 0 where they have seen the topic alone
  read_at    timestamptz not null default now(),
  primary key (member_id, topic_id)               -- a list of topics is looked up here in one statement
);
