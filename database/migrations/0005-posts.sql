-- What people write.

-- What staff put around every page: the sections of the navigation, and pieces of HTML.
create table section (
  id         bigint generated always as identity primary key,
  parent_id  bigint references section,
  name_zh    text not null check (char_length(name_zh) between 1 and 16 * 40),
  name_en    text not null check (char_length(name_en) between 1 and 16 * 40),
  url        text not null default '',  -- empty: only a heading for those under it
  audience   text not null default 'everybody' check (audience in ('everybody', 'visitors', 'members')),
  sort       int not null default 0,
  version    int not null default 1,
  check (parent_id is null or url <> '')
);
create index on section (parent_id, sort, id);   -- those under one, in their order

create table slot (
  place    text primary key,
  zh       text not null default '',  -- as staff wrote it; it is cleaned when it is saved, and whenever it is shown
  en       text not null default '',
  is_on    boolean not null default false,
  version  int not null default 1
);

-- Tags, topics, comments, replies, and what was written before an edit.
create table tag (
  id              bigint generated always as identity primary key,
  parent_id       bigint references tag,
  key             text not null unique check (key ~ '^[a-z0-9-]{1,40}$'),
  name_zh         text not null check (char_length(name_zh) between 1 and 16 * 50),
  name_en         text not null check (char_length(name_en) between 1 and 16 * 50),
  is_restricted   boolean not null default false,  -- rights held everywhere do not reach here; they must be given for this tag
  sort            int not null default 0,
  topic_count     int not null default 0 check (topic_count >= 0),
  description_zh  text not null default '' check (char_length(description_zh) <= 16 * 300),
  description_en  text not null default '' check (char_length(description_en) <= 16 * 300),
  version         int not null default 1,  -- one more with each edit
  -- A tag may have a picture, a small square like an avatar.
  picture         text references file
);
create index on tag (parent_id, sort);
create unique index on tag (picture) where picture is not null;   -- of one tag alone; and a file that goes must not be any tag's
alter table role_right add foreign key (tag_id) references tag on delete cascade;

create table topic (
  id               bigint generated always as identity primary key,
  tag_id           bigint not null references tag,
  author_id        bigint not null references member,
  title            text not null check (char_length(title) between 1 and 16 * 90),
  body             jsonb not null,
  segments         jsonb not null,  -- the serialiser's cache of body
  summary          text not null,
  pictures         jsonb not null default '[]',  -- the first few, for the list
  status           text not null default 'published' check (status in ('pending', 'published', 'deleted')),
  deleted_by       text check (deleted_by in ('author', 'staff')),
  published_at     timestamptz not null default now(),
  edited_at        timestamptz,
  last_reply_at    timestamptz not null default now(),
  last_reply_by    bigint references member,
  pin              int not null default 0 check (pin >= 0),
  featured_at      timestamptz,
  takes_comments   boolean not null default true,
  floors           int not null default 0 check (floors >= 0),  -- the highest floor given
  author_floors    int not null default 0 check (author_floors >= 0),  -- how many of them are the author's
  comment_count    int not null default 0 check (comment_count >= 0),  -- published comments and replies
  view_count       bigint not null default 0 check (view_count >= 0),
  heat             double precision not null default 0,
  -- What staff do with what was written: who changed it, why it was taken down, and many things done at once.
  version          int not null default 1,  -- one more with each edit, so that two who edit at once notice
  edited_by        bigint references member,  -- null: its author
  deleted_from     text check (deleted_from in ('pending', 'published')),  -- what it was before; null: published
  deleted_at       timestamptz,
  deleted_reason   text,
  purged_at        timestamptz,  -- its words are gone for good
  sunk_at          timestamptz,  -- what is said from then on does not bring it up
  merged_as        bigint,  -- the comment that its opening post is now
  -- What stands in a thread says what opened it, so that lists of one kind are read from an index.
  kind             thread_kind not null default 'topic',
  is_resolved      boolean not null default false,
  closed_by        bigint references member,  -- the asker, where it was not staff who closed it to answers
  -- Which kinds of locks a topic has, for its row in lists.
  locks            text[] not null default '{}',
  -- A question that others answered keeps its place when its asker removes it: its words lie in its history until it is put back.
  withdrawn_at     timestamptz,
  question_state   text generated always as (
    case when kind = 'topic' then null when withdrawn_at is not null then 'withdrawn'
      when is_resolved then 'resolved' when comment_count > 0 then 'unresolved' else 'unanswered' end) stored
    check (question_state in ('unanswered', 'unresolved', 'resolved', 'withdrawn')),
  like_count       int not null default 0 check (like_count >= 0),
  favourite_count  int not null default 0 check (favourite_count >= 0),
  -- How many of the comments and replies that a thread counts are replies.
  reply_count      int not null default 0 check (reply_count >= 0),
  -- Worked out by the database, so no way of writing a topic forgets it, and the old rows have it at once.
  language         text generated always as (language_of(title, summary)) stored check (language in ('zh', 'en')),
  check ((status = 'deleted') = (deleted_by is not null)),
  check (purged_at is null or status = 'deleted'),
  check (merged_as is null or status = 'deleted'),
  check (not is_resolved or kind = 'question'),
  check (withdrawn_at is null or kind = 'question')
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
-- The lists of staff: all there is, newest first; of one tag; of one author; what waits or was deleted.
create index on topic (published_at desc, id desc);
create index on topic (tag_id, published_at desc, id desc);
create index on topic (author_id);
create index on topic (published_at desc, id desc) where status <> 'published';
create unique index on topic (merged_as) where merged_as is not null;
-- The list of questions by what happened last: all, and those in one state.
create index on topic (last_reply_at desc, id desc) include (tag_id) where status = 'published' and kind = 'question';
create index on topic (question_state, last_reply_at desc, id desc) include (tag_id) where status = 'published' and kind = 'question';
-- My questions and my topics, my answers and my comments.
create index on topic (author_id, kind, published_at desc, id desc) include (tag_id) where status <> 'deleted';
-- The lists in one language, in each of their orders: everywhere, and in a tag.
create index on topic (language, last_reply_at desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (language, published_at desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (language, heat desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (tag_id, language, last_reply_at desc, id desc) where status = 'published' and pin = 0;
create index on topic (tag_id, language, published_at desc, id desc) where status = 'published' and pin = 0;
create index on topic (tag_id, language, heat desc, id desc) where status = 'published' and pin = 0;
-- Questions in one language and state, by what happened last; of all states, each is walked by itself.
create index on topic (language, question_state, last_reply_at desc, id desc) include (tag_id) where status = 'published' and kind = 'question';
-- Who is mentioned where: asked when somebody is renamed. Most posts mention nobody, and are not in these.
create index on topic using gin (members_named(body)) where members_named(body) <> '{}';
alter table welcome add foreign key (topic_id) references topic;

-- The words of every title, to find topics that speak of the same thing. The newest of each word are looked at.
create table topic_word (
  word      text not null,
  topic_id  bigint not null references topic,
  primary key (word, topic_id)
);
create index on topic_word (topic_id);   -- an edit replaces them

create table topic_revision (
  id           bigint generated always as identity primary key,
  topic_id     bigint not null references topic,
  title        text not null,
  body         jsonb not null,
  written_at   timestamptz not null,  -- when this version was put on the page; what replaced it is the next one
  written_by   bigint references member,  -- null: its author
  -- What was written but never on the page: staff look at it, and nobody else.
  is_withheld  boolean not null default false,
  -- Since when staff keep a version from members that was on the page. What never was there is withheld without a moment.
  withheld_at  timestamptz check (withheld_at is null or is_withheld),
  -- Its further tags are a part of what a question says: earlier versions have them, and they wait with an edit that waits.
  tag_ids      bigint[]
);
create index on topic_revision (topic_id, id);
create index on topic_revision using gin (members_named(body)) where members_named(body) <> '{}';

create table comment (
  id              bigint generated always as identity primary key,
  topic_id        bigint not null references topic,
  author_id       bigint not null references member,
  floor           int check (floor > 0),
  author_floor    int check (author_floor > 0),  -- counts only floors of the topic's author
  quotes          bigint references comment,
  body            jsonb not null,
  segments        jsonb not null,
  text            text not null,  -- what a quote and my own lists show
  status          text not null default 'published' check (status in ('pending', 'published', 'deleted')),
  deleted_by      text check (deleted_by in ('author', 'staff')),
  published_at    timestamptz not null default now(),
  edited_at       timestamptz,
  reply_count     int not null default 0 check (reply_count >= 0),
  version         int not null default 1,
  edited_by       bigint references member,
  deleted_from    text check (deleted_from in ('pending', 'published')),
  deleted_at      timestamptz,
  deleted_reason  text,
  purged_at       timestamptz,
  -- Comments that move to another topic, comments that become topics, and topics that become comments.
  -- What stood on a floor leaves a row there, erased and closed, that says where to look now; so floors stay dense, and true.
  moved_to        bigint references comment,  -- the comment that stood on this floor; this row is only its place
  became          bigint references topic,  -- the topic that it opens now; what was replied to it stays under it
  thread_kind     thread_kind not null default 'topic',
  like_count      int not null default 0 check (like_count >= 0),
  check ((status = 'deleted') = (deleted_by is not null)),
  unique (topic_id, floor),  -- a page is a range of floors
  check (purged_at is null or status = 'deleted'),
  constraint comment_floor_when_published check (floor is not null or status <> 'published'),
  check (moved_to is null or purged_at is not null),
  check (became is null or purged_at is not null),
  -- Whatever lies under a comment names its topic too, and goes with it.
  unique (id, topic_id)
);
create unique index on comment (topic_id, author_floor) where author_floor is not null;   -- so is a page of only the author's
create index on comment (published_at desc, id desc);
create index on comment (author_id);
create index on comment (published_at desc, id desc) where status <> 'published';
create unique index on comment (moved_to, topic_id) where moved_to is not null;   -- where it stood, if it comes back
create unique index on comment (became) where became is not null;
create index on comment (quotes) where quotes is not null;   -- a place that is given back
create index on comment (topic_id, published_at desc) where status = 'published';   -- the newest: floors are in order of arrival, not of time
create index on comment (author_id, thread_kind, published_at desc, id desc) where status <> 'deleted';
-- Whether somebody has spoken in a thread is asked whenever they look at one with a part that a comment opens.
create index on comment (topic_id, author_id) where status = 'published';
create index comment_by_likes on comment (topic_id, (case when status = 'published' then like_count else -1 end) desc, floor)
  where floor is not null;
create index on comment using gin (members_named(body)) where members_named(body) <> '{}';
alter table topic add foreign key (merged_as) references comment;

create table comment_revision (
  id           bigint generated always as identity primary key,
  comment_id   bigint not null references comment,
  body         jsonb not null,
  written_at   timestamptz not null,
  written_by   bigint references member,
  is_withheld  boolean not null default false,
  withheld_at  timestamptz check (withheld_at is null or is_withheld)
);
create index on comment_revision (comment_id, id);
create index on comment_revision using gin (members_named(body)) where members_named(body) <> '{}';

create table reply (
  id              bigint generated always as identity primary key,
  comment_id      bigint not null,
  topic_id        bigint not null references topic,
  author_id       bigint not null references member,
  answers         bigint references reply,  -- the reply it speaks to, under the same comment
  body            jsonb not null,
  segments        jsonb not null,
  text            text not null,
  status          text not null default 'published' check (status in ('pending', 'published', 'deleted')),
  deleted_by      text check (deleted_by in ('author', 'staff')),
  published_at    timestamptz not null default now(),
  edited_at       timestamptz,
  version         int not null default 1,
  edited_by       bigint references member,
  deleted_from    text check (deleted_from in ('pending', 'published')),
  deleted_at      timestamptz,
  deleted_reason  text,
  purged_at       timestamptz,
  thread_kind     thread_kind not null default 'topic',
  like_count      int not null default 0 check (like_count >= 0),
  check ((status = 'deleted') = (deleted_by is not null)),
  check (purged_at is null or status = 'deleted'),
  foreign key (comment_id, topic_id) references comment (id, topic_id) on update cascade
);
create index on reply (comment_id, id);   -- under their comment, oldest first
create index on reply (topic_id, published_at desc) where status = 'published';   -- the newest, when one is removed
create index on reply (published_at desc, id desc);
create index on reply (author_id);
create index on reply (published_at desc, id desc) where status <> 'published';
create index on reply (author_id, thread_kind, published_at desc, id desc) where status <> 'deleted';
create index on reply (topic_id, author_id) where status = 'published';
create index on reply using gin (members_named(body)) where members_named(body) <> '{}';

create table reply_revision (
  id           bigint generated always as identity primary key,
  reply_id     bigint not null references reply,
  body         jsonb not null,
  written_at   timestamptz not null,
  written_by   bigint references member,
  is_withheld  boolean not null default false,
  withheld_at  timestamptz check (withheld_at is null or is_withheld)
);
create index on reply_revision (reply_id, id);
create index on reply_revision using gin (members_named(body)) where members_named(body) <> '{}';

-- How far a member has read each topic.
create table topic_read (
  member_id  bigint not null references member,
  topic_id   bigint not null references topic,
  floor      int not null check (floor >= 0),  -- the highest they have seen; 0 where they have seen the topic alone
  read_at    timestamptz not null default now(),
  primary key (member_id, topic_id)  -- a list of topics is looked up here in one statement
) with (fillfactor = 80);

-- What is read without being opened, and how many people are heard in a thread.
-- Up to when a member said that all is read: everywhere, or in a tag and the tags below it.
create table all_read (
  member_id  bigint not null references member,
  tag_id     bigint references tag on delete cascade,  -- null: everywhere
  at         timestamptz not null,
  before     timestamptz check (before < at),  -- what was said before, for who takes it back; null: nothing
  unique nulls not distinct (member_id, tag_id)  -- a list is looked up here in one statement
);

-- Who looked at which topic within half an hour, as a hash: each counts once, whichever server they ask.
create unlogged table topic_look (
  key  text primary key,
  at   timestamptz not null
) with (fillfactor = 70);
create index on topic_look (at);   -- to forget what is old

-- What members have begun to write and not sent, so that another of their devices can go on with it.
create table draft (
  member_id  bigint not null references member on delete cascade,
  place      text not null,  -- what it will be: 'topic', 'comment 42', 'edit reply 7'
  content    jsonb not null,
  version    bigint not null generated by default as identity,  -- never the same twice, whatever was dropped between
  writer     text not null,  -- the browser that wrote it, by a name of its own making
  device     text not null,
  saved_at   timestamptz not null default clock_timestamp(),
  primary key (member_id, place)
);
create index on draft (saved_at);
create index on draft using gin (members_named(content)) where members_named(content) <> '{}';

create table said (
  member_id  bigint not null references member,
  hash       bytea not null,  -- of the words alone, however they were written
  said_at    timestamptz not null,
  kind       post_kind not null,
  post_id    bigint not null,  -- the topic, comment or reply that says it
  primary key (member_id, hash)  -- the same once only
);
create index on said (said_at);   -- the job that forgets

-- What members have on the page in each tag: a reader is told of it only as far as they may view the tags.
create table written (
  member_id    bigint not null references member,
  tag_id       bigint not null references tag,
  topics       int not null default 0 check (topics >= 0),
  comments     int not null default 0 check (comments >= 0),
  replies      int not null default 0 check (replies >= 0),
  -- Members are told apart what they wrote in threads of each kind.
  thread_kind  thread_kind not null default 'topic',
  primary key (member_id, tag_id, thread_kind)
) with (fillfactor = 80);

-- A file that a browser may bring, until the upload is finished or given up.
create table upload (
  id        text primary key,  -- of the file it will be
  owner_id  bigint not null references member,
  kind      text not null check (kind in ('picture', 'attachment')),
  name      text not null,
  bytes     int not null check (bytes > 0),
  begun_at  timestamptz not null default now(),
  taken_at  timestamptz  -- when somebody began to look at what was brought, so that nobody else does
);
create index on upload (begun_at);   -- the job that gives up what was not finished
create index on upload (owner_id);   -- how many one member has on their way

-- Who may see a file is asked of the places that show it.
create table file_use (
  file_id     text not null references file on delete cascade,
  topic_id    bigint references topic on delete cascade,
  comment_id  bigint,  -- null: the topic itself
  reply_id    bigint references reply on delete cascade,
  -- A file may be seen in a hidden part by those who see the part.
  part_id     text,
  -- A file may be seen in a message by the two who have it.
  message_id  bigint,
  foreign key (comment_id, topic_id) references comment (id, topic_id) on update cascade on delete cascade,
  constraint file_use_somewhere check ((topic_id is null) = (message_id is not null)),
  unique nulls not distinct (file_id, topic_id, comment_id, reply_id, part_id, message_id)
);
create index on file_use (topic_id);   -- deleting one of these for good
create index on file_use (comment_id) where comment_id is not null;
create index on file_use (reply_id) where reply_id is not null;
create index on file_use (message_id) where message_id is not null;

-- What other sites say of a page that a post leads to, as their servers told ours.
create table link_preview (
  key        text primary key,  -- of the address, which may be longer than an index takes
  address    text not null,
  state      text not null default 'wanted' check (state in ('wanted', 'found', 'failed')),
  site       text,
  title      text check ((title is not null) = (state = 'found')),
  wanted_at  timestamptz default clock_timestamp(),  -- somebody read a post that leads there; null: it was looked at since
  try_at     timestamptz not null default clock_timestamp()  -- when it may be looked at anew, once somebody reads such a post again
);
create index on link_preview (wanted_at) where wanted_at is not null;   -- what is to be looked at, in turn
create index on link_preview (try_at);   -- what nobody has read for long

-- Which answer solved a question, and whose it is.
create table adoption (
  topic_id    bigint primary key references topic,
  comment_id  bigint not null unique references comment,
  author_id   bigint not null references member,
  adopted_at  timestamptz not null default clock_timestamp(),
  -- Who of the staff accepted the answer, where it was not the asker: such a one the asker does not change.
  staff_id    bigint references staff
);
create index on adoption (author_id);

-- What solved a question when it went from its page, so that it solves it again once it is back, unless another was adopted meanwhile.
create table former_adoption (
  topic_id    bigint primary key references topic,
  comment_id  bigint not null unique references comment,
  adopted_at  timestamptz not null,
  staff_id    bigint references staff
);

-- What an asker added to a question later.
create table postscript (
  topic_id        bigint not null references topic,
  number          int not null check (number > 0),
  body            jsonb not null,
  segments        jsonb not null,
  written_at      timestamptz not null default clock_timestamp(),
  -- What was added to a question is found with it, and staff may take it off: it keeps its number.
  removed_at      timestamptz,
  removed_reason  text,
  primary key (topic_id, number)
);
create index on postscript using gin (members_named(body)) where members_named(body) <> '{}';

-- Every tag of a question, the one that says who may see it among them, with what its lists are ordered by.
create table question_tag (
  topic_id       bigint not null references topic,
  tag_id         bigint not null references tag on delete cascade,
  place_id       bigint not null references tag,
  state          text not null,
  last_reply_at  timestamptz not null,
  is_listed      boolean not null,
  -- A question that moves into a tag that it was asked under beside the one it lay in stays under that tag when it moves on.
  is_further     boolean not null default true,
  language       text,
  primary key (topic_id, tag_id)
);
create index on question_tag (tag_id, last_reply_at desc, topic_id desc) include (place_id) where is_listed;
create index on question_tag (tag_id, state, last_reply_at desc, topic_id desc) include (place_id) where is_listed;
create index on question_tag (place_id);
create index on question_tag (tag_id, language, state, last_reply_at desc, topic_id desc) include (place_id) where is_listed;
